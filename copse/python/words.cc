// Words and tokens of a sentence, with their places.
#include "copse/python/words.h"
#include "copse/python/bind.h"
#include "copse/python/values.h"

namespace copse::python {
namespace {

template <class Get>
auto column_of(Get get) {
  return [get](const WordView& word) { return str_of(get(word.sentence->columns, word.number)); };
}
auto setter(Column which) {
  return [which](const WordView& word, const py::object& value) {
    word.sentence->only_tree = false;
    word.sentence->columns.set(word.number, which, value.is_none() ? "" : text_of(value));
  };
}

void set_head(const WordView& word, std::optional<int> head) {
  word.sentence->only_tree = false;
  word.sentence->columns.set_head(word.number, head.value_or(DependencyTree::kNoHead));
}

std::optional<WordView> head_word(const WordView& word) {
  const int head = word.sentence->columns.head(word.number);
  if (head < 1 || head > word.sentence->size()) return std::nullopt;
  return WordView{word.sentence, head};
}

template <class T>
void bind_place(py::class_<T>& type) {
  const auto add = [&](const char* name, std::size_t TextPlace::*member, const char* text) {
    type.def_property_readonly(
        name, [member](const T& item) { return item.place().*member; }, text);
  };
  add("begin", &TextPlace::point_begin, "Where it begins in the text: an index of the str.");
  add("end", &TextPlace::point_end, "Where it ends in the text, exclusive.");
  add("byte_begin", &TextPlace::byte_begin, "The same in bytes of UTF-8.");
  add("byte_end", &TextPlace::byte_end, "The same in bytes of UTF-8.");
}

void bind_word(py::module_& module) {
  py::class_<WordView> word(module, "Word", R"doc(A word of a sentence.

>>> word = nlp("She saw him.")[0][0]
>>> word.form, word.upos, word.head, word.relation
('She', 'PRON', 2, 'nsubj')

Columns can be written: what a treebank says, or what a tree must have (``constraints=True``).)doc");
  word.def_property_readonly(
      "number", [](const WordView& view) { return view.number; }, "From 1.");
  const auto add = [&](const char* name, Column which, const char* text) {
    word.def_property(name,
                      column_of([which](const Sentence& s, int i) { return s.get(i, which); }),
                      setter(which), text);
  };
  add("form", Column::form, "The word itself.");
  add("lemma", Column::lemma, "Its lemma; \"_\" if there is none, as in CoNLL-U.");
  add("upos", Column::upos, "Its universal part of speech.");
  add("xpos", Column::xpos, "Its part of speech in the treebank's own tags.");
  add("feats", Column::feats, "Its features, \"Case=Nom|Number=Sing\".");
  add("relation", Column::deprel, "How it hangs on its head.");
  add("misc", Column::misc, "The last column of CoNLL-U.");
  word.def_property(
      "head", [](const WordView& view) { return view.sentence->columns.head(view.number); },
      set_head, "The number of its head; 0: the root, -1: none. None may be written for none.");
  word.def_property_readonly("head_word", head_word, "The Word it hangs on; None at the root.");
  word.def_property_readonly(
      "sentence", [](const WordView& view) { return view.sentence; }, "Its Sentence.");
  bind_place(word);
  word.def("__str__", column_of([](const Sentence& s, int i) { return s.form(i); }));
  word.def("__repr__", [](const WordView& view) {
    const Sentence& columns = view.sentence->columns;
    return py::str("Word({}, {!r})").format(view.number, str_of(columns.form(view.number)));
  });
  word.def("__eq__", [](const WordView& a, const WordView& b) {
    return a.sentence == b.sentence && a.number == b.number;
  });
  word.def("__eq__", [](const WordView&, const py::object&) { return false; });
  word.def("__hash__", [](const WordView& view) {
    return py::hash(
        py::make_tuple(reinterpret_cast<std::size_t>(view.sentence.get()), view.number));
  });
}

void bind_token(py::module_& module) {
  py::class_<TokenView> token(
      module, "Token", R"doc(A token of the text: one word, or several that are written as one.

>>> doc = nlp("I can't.")
>>> [(token.form, [word.form for word in token.words]) for token in doc[0].tokens][:2]
[('I', ['I']), ("can't", ['ca', "n't"])])doc");
  token.def_property_readonly(
      "form", [](const TokenView& view) { return str_of(view.token.form); }, "As it is written.");
  token.def_property_readonly(
      "words",
      [](const TokenView& view) {
        std::vector<WordView> words;
        for (int i = view.token.first; i <= view.token.last; ++i)
          words.push_back({view.sentence, i});
        return words;
      },
      "Its words.");
  bind_place(token);
  token.def("__str__", [](const TokenView& view) { return str_of(view.token.form); });
  token.def("__repr__", [](const TokenView& view) {
    return py::str("Token({!r})").format(str_of(view.token.form));
  });
}

}  // namespace

WordView word_at(const SentencePtr& sentence, py::ssize_t index) {
  const py::ssize_t size = sentence->size();
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw py::index_error("there is no such word");
  return {sentence, static_cast<int>(index) + 1};
}

std::vector<WordView> words_of(const SentencePtr& sentence) {
  std::vector<WordView> words;
  for (int i = 1; i <= sentence->size(); ++i) words.push_back({sentence, i});
  return words;
}

std::vector<TokenView> tokens_of(const SentencePtr& sentence) {
  std::vector<TokenView> tokens;
  for (const DocumentToken& token : sentence->tokens()) tokens.push_back({sentence, token});
  return tokens;
}

void bind_words(py::module_& module) {
  bind_word(module);
  bind_token(module);
}

}  // namespace copse::python
