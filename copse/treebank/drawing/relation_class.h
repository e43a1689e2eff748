// Relations by what they do, so that a drawing can give each group one colour.
#pragma once

#include <string_view>

namespace copse::drawing {

enum class RelationClass { core, modifier, function, coordination, expression, other };

// Universal Dependencies relations (subtypes go with their relation) and the usual labels of the
// CoNLL shared tasks, in any case; `other` for the rest, punctuation and the root.
RelationClass relation_class(std::string_view label);

// "core", "modifier", ...: for style sheets.
std::string_view class_name(RelationClass relation);

}  // namespace copse::drawing
