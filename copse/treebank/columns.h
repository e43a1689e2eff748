// Simple columns, as shared tasks on tagging, chunking and entities have them: one word per line,
// "word tag" or "word tag label", separated by a tab or by blanks, an empty line after each
// sentence.
//
// The first column becomes FORM, the second XPOS, all that follow MISC (joined by blanks). Written
// with tabs, MISC left out when it is "_".
#pragma once

#include <memory>
#include <string_view>

#include "copse/treebank/format.h"

namespace copse {

std::unique_ptr<Reader> make_columns_reader(const Limits& limits = {});
std::unique_ptr<Writer> make_columns_writer();

// Whether the beginning of a file can be nothing but such columns: lines of equally many fields, at
// least two and fewer than CoNLL has, up to the first empty line. Separated by tabs, or, since
// sentences have blanks too, two lines or more that all end in the label of an entity or a chunk
// (O, B-PER, I-NP, ...).
bool looks_like_columns(std::string_view beginning);

}  // namespace copse
