// Sentences: columns, trees, alternatives.
#include "copse/python/bind.h"
#include "copse/python/errors.h"
#include "copse/python/probabilities.h"
#include "copse/python/trees.h"
#include "copse/python/values.h"
#include "copse/python/words.h"
#include "copse/treebank/treebank.h"

namespace copse::python {
namespace {

using Class = py::class_<ParsedSentence, SentencePtr>;

py::list head_list(const ParsedSentence& sentence) {
  py::list out;
  for (int i = 1; i <= sentence.size(); ++i) out.append(sentence.columns.head(i));
  return out;
}
py::list relation_list(const ParsedSentence& sentence) {
  py::list out;
  for (int i = 1; i <= sentence.size(); ++i) out.append(str_of(sentence.columns.deprel(i)));
  return out;
}

py::object comment(const ParsedSentence& sentence, const std::string& key) {
  const auto value = sentence.columns.comment(key);
  return value ? py::object(str_of(*value)) : py::object(py::none());
}

std::string sentence_in(const ParsedSentence& sentence, Format format) {
  return written({sentence.entry()}, format);
}

void bind_columns(Class& type) {
  type.def(py::init([](const py::sequence& words) { return sentence_of(entry_of(words)); }),
           py::arg("words"), "A sentence of these words.");
  type.def_property_readonly("words", &words_of, "All of its Words.");
  type.def_property_readonly("tokens", &tokens_of, "The Tokens of its text.");
  type.def_property_readonly("heads", &head_list, "The head of each word; 0: the root, -1: none.");
  type.def_property_readonly("relations", &relation_list, "The relation of each word to its head.");
  type.def_property_readonly(
      "text", [](const ParsedSentence& it) { return str_of(it.text()); },
      "Its text, or one made from its words.");
  type.def_property_readonly(
      "begin", [](const ParsedSentence& it) { return it.place.point_begin; },
      "Where it begins in the text: an index of the str.");
  type.def_property_readonly(
      "end", [](const ParsedSentence& it) { return it.place.point_end; },
      "Where it ends in the text, exclusive.");
  type.def("comment", &comment, py::arg("key"),
           "The value of the comment \"# key = value\"; None if there is none.");
  type.def(
      "set_comment",
      [](ParsedSentence& it, const std::string& key, const std::string& value) {
        it.only_tree = false;
        it.columns.set_comment(key, value);
      },
      py::arg("key"), py::arg("value"), "Puts a comment in its place, or adds it.");
  type.def("__len__", &ParsedSentence::size);
  type.def("__bool__", [](const ParsedSentence&) { return true; });
  type.def("__getitem__", &word_at);
  type.def("__iter__", [](const SentencePtr& it) { return py::iter(py::cast(words_of(it))); });
}

void bind_answers(Class& type) {
  type.def_property_readonly(
      "tree", [](const SentencePtr& it) { return tree_object(it, it->tree); },
      "The best phrase-structure Tree; None if nobody looked for one.");
  type.def_property_readonly(
      "dependencies",
      [](const SentencePtr& it) {
        std::vector<std::shared_ptr<ScoredDependencies>> trees;
        for (ScoredDependencies& tree : it->dependencies) trees.emplace_back(it, &tree);
        return trees;
      },
      "The n best dependency trees, best first.");
  type.def_property_readonly(
      "phrases",
      [](const SentencePtr& it) {
        py::list trees;
        for (const ScoredTree& each : it->phrases.trees) trees.append(tree_object(it, each.tree));
        return trees;
      },
      "The n best phrase-structure trees, best first.");
  type.def_property_readonly("scores", &dependency_scores,
                             "numpy: the scores of ``dependencies``.");
  type.def_property_readonly("phrase_scores", &phrase_scores,
                             "numpy: the log-probabilities or scores of ``phrases``.");
  type.def_property_readonly("reranker_scores", &reranker_scores,
                             "numpy: what a reranker gave to ``phrases``; empty without one.");
  type.def_property_readonly(
      "arcs", &arcs_view,
      "numpy: head, word and probability of every arc that was looked at; with marginals=True.");
  type.def("arc_matrix", &arc_matrix,
           "numpy: the probability of each arc at [head, word]; with marginals=True.");
  type.def_property_readonly(
      "brackets", [](const ParsedSentence& it) { return it.phrases.brackets; },
      "Phrases and their probabilities; with marginals=True.");
  type.def_property_readonly(
      "tag_probabilities", [](const ParsedSentence& it) { return it.phrases.tags; },
      "Tags of words by the phrase-structure parser, as phrases of one word; with marginals=True.");
  type.def_property_readonly(
      "certificate", [](const ParsedSentence& it) { return it.certificate; },
      "The Certificate of the best tree, where the parser can give one.");
  type.def_property_readonly(
      "degraded", [](const ParsedSentence& it) { return str_of(it.degraded); },
      "What the search gave up for lack of room or time; empty if nothing.");
  type.def_property_readonly(
      "problem",
      [](const ParsedSentence& it) {
        return it.problem ? error_object(*it.problem) : py::object(py::none());
      },
      "The Error that left it without a tree; None if all is well.");
}

void bind_views(Class& type) {
  type.def(
      "to_conllu", [](const ParsedSentence& it) { return str_of(sentence_in(it, Format::conllu)); },
      "The sentence as CoNLL-U.");
  type.def(
      "to_string",
      [](const ParsedSentence& it, const std::string& format) {
        return str_of(sentence_in(it, format_named(format)));
      },
      py::arg("format"),
      "As a file in that format has it: conllu, conllx, ptb, json, text, svg, html, latex, dot, "
      "ascii.");
  type.def("_repr_svg_",
           [](const ParsedSentence& it) { return str_of(sentence_in(it, Format::svg)); });
  type.def("__str__", [](const ParsedSentence& it) { return str_of(it.text()); });
  type.def("__repr__", [](const ParsedSentence& it) {
    return py::str("Sentence({!r})").format(str_of(it.text()));
  });
  type.def(py::pickle(
      [](const ParsedSentence& it) {
        return py::make_tuple(py::bytes(written({it.entry()}, Format::json)));
      },
      [](const py::tuple& state) {
        auto entries = parse_treebank(state[0].cast<std::string>(), Format::json, "pickle");
        return sentence_of(std::move(entries.at(0)));
      }));
}

}  // namespace

void bind_sentences(py::module_& module) {
  Class type(module, "Sentence",
             R"doc(A sentence: its words, its trees, and what else was asked for.

>>> sentence = nlp("She saw the man with the telescope.")[0]
>>> sentence.heads
[2, 0, 4, 2, 7, 7, 4, 2]
>>> print(sentence.tree)
(TOP (S (NP (PRP She)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .)))
>>> copse.Sentence(["Dogs", "sleep"])[1].form
'sleep')doc");
  bind_columns(type);
  bind_answers(type);
  bind_views(type);
}

}  // namespace copse::python
