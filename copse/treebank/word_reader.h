// Reading treebanks for their words and tags, by a command that puts trees of its own into them.
#pragma once

#include <memory>

#include "copse/treebank/formats.h"

namespace copse {

// As make_reader(), but what stands in HEAD is neither judged nor kept.
std::unique_ptr<Reader> make_word_reader(Format format, const Limits& limits = {});

}  // namespace copse
