// JSON lines: one object per sentence.
//
//   {"comments": ["# sent_id = 1"],
//    "tokens": [{"id": "1", "form": "Birds", "upos": "NOUN", "head": 2, "deprel": "nsubj"}, ...],
//    "tree": {"label": "S", "children": [{"label": "NN", "word": "Birds"}, ...]}}
//
// "tokens" holds words, multiword tokens ("3-4") and empty nodes ("8.1") in file order; columns
// that are "_" are left out. "tree" is the phrase-structure tree. Either may be missing. A
// sentence of CoNLL-X has "format": "conllx" and the columns cpostag, postag, phead, pdeprel.
#pragma once

#include <memory>

#include "copse/treebank/format.h"

namespace copse {

std::unique_ptr<Reader> make_json_reader(const Limits& limits = {});
std::unique_ptr<Writer> make_json_writer();

}  // namespace copse
