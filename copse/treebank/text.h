// Tokenised text: one sentence per line, words separated by blanks.
#pragma once

#include <memory>

#include "copse/treebank/format.h"

namespace copse {

// Empty lines are no sentences and are passed over.
std::unique_ptr<Reader> make_text_reader(const Limits& limits = {});

struct TextWriteOptions {
  bool surface = false;  // the text as printed: SpaceAfter=No and multiword tokens honoured
};
std::unique_ptr<Writer> make_text_writer(const TextWriteOptions& options = {});

}  // namespace copse
