#include "copse/treebank/drawing/relation_class.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

namespace copse::drawing {
namespace {

using enum RelationClass;

constexpr auto kClasses = std::to_array<std::pair<std::string_view, RelationClass>>({
    {"acl", modifier},
    {"adv", modifier},
    {"advcl", modifier},
    {"advmod", modifier},
    {"amod", modifier},
    {"appos", modifier},
    {"aux", function},
    {"auxpass", function},
    {"case", function},
    {"cc", coordination},
    {"ccomp", core},
    {"clf", function},
    {"compound", expression},
    {"conj", coordination},
    {"coord", coordination},
    {"cop", function},
    {"csubj", core},
    {"csubjpass", core},
    {"det", function},
    {"discourse", modifier},
    {"dislocated", modifier},
    {"dobj", core},
    {"expl", core},
    {"fixed", expression},
    {"flat", expression},
    {"goeswith", expression},
    {"iobj", core},
    {"list", coordination},
    {"loc", modifier},
    {"mark", function},
    {"mwe", expression},
    {"name", expression},
    {"neg", function},
    {"nmod", modifier},
    {"nn", expression},
    {"npadvmod", modifier},
    {"nsubj", core},
    {"nsubjpass", core},
    {"num", modifier},
    {"nummod", modifier},
    {"obj", core},
    {"obl", modifier},
    {"orphan", modifier},
    {"parataxis", coordination},
    {"pcomp", core},
    {"pmod", function},
    {"pobj", core},
    {"poss", modifier},
    {"prd", core},
    {"predet", function},
    {"prep", function},
    {"prt", expression},
    {"rcmod", modifier},
    {"reparandum", other},
    {"sbar", function},
    {"sbj", core},
    {"sub", core},  // the subject of Penn2Malt, as SBJ elsewhere
    {"tmp", modifier},
    {"vc", function},
    {"vmod", modifier},
    {"vocative", modifier},
    {"xcomp", core},
});

}  // namespace

RelationClass relation_class(std::string_view label) {
  std::string key(label.substr(0, label.find(':')));
  std::transform(key.begin(), key.end(), key.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = std::lower_bound(
      kClasses.begin(), kClasses.end(), key,
      [](const auto& entry, const std::string& wanted) { return entry.first < wanted; });
  return found != kClasses.end() && found->first == key ? found->second : other;
}

std::string_view class_name(RelationClass relation) {
  constexpr std::array<std::string_view, 6> names = {"core",         "modifier",   "function",
                                                     "coordination", "expression", "other"};
  return names[static_cast<std::size_t>(relation)];
}

}  // namespace copse::drawing
