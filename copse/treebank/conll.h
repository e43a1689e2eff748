// CoNLL-U (https://universaldependencies.org/format.html) and CoNLL-X, the ten-column formats.
// Reading keeps the bytes; writing an unchanged sentence gives them back (see sentence.h).
#pragma once

#include <memory>

#include "copse/treebank/format.h"

namespace copse {

// What is made of HEAD. `passed_over`: nothing, for whoever puts other heads in their place: what
// stands there is no reason to refuse the words, and the sentence has no heads.
enum class HeadColumn { judged, passed_over };

// Refused, with the line: a wrong number of columns, an empty column, ids out of order, ranges
// that overlap, HEAD that is no number or outside 0..n, heads on a cycle, invalid UTF-8, and
// what is beyond `limits`. Accepted: HEAD "_", several roots, comments between words (with a
// warning), CoNLL-X rows of 8 columns or more.
std::unique_ptr<Reader> make_conll_reader(Dialect dialect, const Limits& limits = {},
                                          HeadColumn heads = HeadColumn::judged);

// Entries without columns but with a phrase-structure tree are written from its leaves. CoNLL-X
// has neither comments, multiword tokens, empty nodes, DEPS nor MISC: they are left out.
std::unique_ptr<Writer> make_conll_writer(Dialect dialect);

}  // namespace copse
