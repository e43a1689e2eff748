// Documents: a text and its sentences.
#include "copse/python/bind.h"
#include "copse/python/errors.h"
#include "copse/python/values.h"
#include "copse/treebank/treebank.h"

namespace copse::python {
namespace {

SentencePtr sentence_at(const DocumentPtr& document, py::ssize_t index) {
  const auto size = static_cast<py::ssize_t>(document->size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw py::index_error("there is no such sentence");
  return part_of(document, static_cast<std::size_t>(index));
}

std::vector<SentencePtr> all_sentences(const DocumentPtr& document) {
  std::vector<SentencePtr> out;
  for (std::size_t i = 0; i < document->size(); ++i) out.push_back(part_of(document, i));
  return out;
}

std::string document_in(const Document& document, Format format) {
  const py::gil_scoped_release unlocked;
  return written(document.entries(), format);
}

}  // namespace

void bind_documents(py::module_& module) {
  py::class_<Document, DocumentPtr> type(module, "Document",
                                         R"doc(A text with its analysis: a sequence of Sentences.

>>> doc = nlp("She saw him. He ran.")
>>> len(doc), doc[1].text
(2, 'He ran.')
>>> doc.text[doc[1].begin:doc[1].end]
'He ran.')doc");
  type.def_property_readonly(
      "text", [](const Document& it) { return str_of(it.text()); }, "The whole text.");
  type.def_property_readonly("sentences", &all_sentences, "All of its Sentences.");
  type.def("__len__", &Document::size);
  type.def("__bool__", [](const Document&) { return true; });
  type.def("__getitem__", &sentence_at);
  type.def("__iter__", [](const DocumentPtr& it) { return py::iter(py::cast(all_sentences(it))); });
  type.def(
      "to_conllu", [](const Document& it) { return str_of(document_in(it, Format::conllu)); },
      "All sentences as CoNLL-U, as ``copse parse`` writes them.");
  type.def(
      "to_string",
      [](const Document& it, const std::string& format) {
        return str_of(document_in(it, format_named(format)));
      },
      py::arg("format"),
      "As a file in that format has it: conllu, conllx, ptb, json, text, svg, html, latex, dot, "
      "ascii.");
  type.def("require_no_problem", &Document::require_no_problem,
           "Raises the first problem of a sentence, if there is one.");
  type.def("_repr_svg_", [](const Document& it) { return str_of(document_in(it, Format::svg)); });
  type.def(py::pickle(
      [](const Document& it) { return py::make_tuple(py::bytes(document_in(it, Format::json))); },
      [](const py::tuple& state) {
        return std::make_shared<Document>(
            parse_treebank(state[0].cast<std::string>(), Format::json, "pickle"));
      }));
  type.def("__repr__", [](const Document& it) {
    return py::str("Document({} sentences, {!r})").format(it.size(), str_of(it.text()));
  });
}

}  // namespace copse::python
