// JSON lines: one object per sentence.
//
//   {"comments": ["# sent_id = 1"],
//    "tokens": [{"id": "1", "form": "Birds", "upos": "NOUN", "head": 2, "deprel": "nsubj"}, ...],
//    "tree": {"label": "S", "children": [{"label": "NN", "word": "Birds"}, ...]}}
//
// "tokens" holds words, multiword tokens ("3-4") and empty nodes ("8.1") in file order; columns
// that are "_" are left out. "tree" is the phrase-structure tree. Either may be missing. A
// sentence of CoNLL-X has "format": "conllx" and the columns cpostag, postag, phead, pdeprel.
// What a tree may not have, or must (tree_demands.h), may be said in fields of a token, each a value
// or an array: "not_head": [2, 5], "not_deprel": "obj", "span_to": "7:NP", "not_span_to": 4. They are
// read as the items NotHead, NotDeprel, SpanTo and NotSpanTo of "misc".
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "copse/treebank/conll.h"
#include "copse/treebank/format.h"

namespace copse {

std::unique_ptr<Reader> make_json_reader(const Limits& limits = {},
                                         HeadColumn heads = HeadColumn::judged);
std::unique_ptr<Writer> make_json_writer();

// Pieces of what the writer writes: a string with its quotes, a tree as the value of "tree".
std::string json_string(std::string_view text);
std::string json_tree(const PhraseTree& tree);
// A line of the writer with one more member at its end; `value` is JSON.
void add_json_member(std::string_view name, std::string_view value, std::string& line);

}  // namespace copse
