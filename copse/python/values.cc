#include "copse/python/values.h"

#include <fmt/format.h>

#include <sstream>

#include "copse/base/suggest.h"
#include "copse/treebank/treebank.h"

namespace copse::python {
namespace {

std::string type_name(const py::handle& value) {
  return Py_TYPE(value.ptr())->tp_name;
}

std::string utf8(const py::handle& text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw py::error_already_set();
  return {bytes, static_cast<std::size_t>(size)};
}

Entry words_entry(const py::sequence& words) {
  Entry entry;
  for (const py::handle word : words) entry.sentence.add_word(text_of(word));
  return entry;
}

bool is_words(const py::handle& value) {
  return py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value);
}

}  // namespace

std::string text_of(const py::handle& value) {
  if (py::isinstance<py::str>(value)) return utf8(value);
  if (py::isinstance<py::bytes>(value)) return value.cast<std::string>();
  throw py::type_error("expected str or bytes, not " + type_name(value));
}

bool is_path(const py::handle& value) {
  return py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value) ||
         py::hasattr(value, "__fspath__");
}

std::string text_or_path(const py::handle& value) {
  if (!py::hasattr(value, "__fspath__")) return text_of(value);
  const auto path = py::reinterpret_steal<py::object>(PyOS_FSPath(value.ptr()));
  if (!path) throw py::error_already_set();
  return text_of(path);
}

Entry entry_of(const py::handle& value) {
  if (py::isinstance<ParsedSentence>(value)) return value.cast<const ParsedSentence&>().entry();
  if (is_words(value)) return words_entry(py::reinterpret_borrow<py::sequence>(value));
  throw py::type_error("expected a Sentence or a list of words, not " + type_name(value));
}

std::vector<Entry> entries_of(const py::handle& value) {
  if (py::isinstance<Document>(value)) return value.cast<const Document&>().entries();
  if (py::isinstance<ParsedSentence>(value)) return {entry_of(value)};
  if (py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value)) {
    throw py::type_error("expected sentences, not " + type_name(value));
  }
  std::vector<Entry> out;
  for (const py::handle each : py::iter(value)) out.push_back(entry_of(each));
  return out;
}

SentencePtr sentence_of(Entry entry) {
  std::vector<Entry> one;
  one.push_back(std::move(entry));
  return part_of(std::make_shared<Document>(std::move(one)), 0);
}

SentencePtr part_of(const DocumentPtr& document, std::size_t number) {
  return {document, &document->sentences()[number]};
}

std::string written(const std::vector<Entry>& entries, Format format, const WriteOptions& options) {
  std::ostringstream out;
  write_treebank(out, entries, format, options);
  return std::move(out).str();
}

py::str str_of(std::string_view text) {
  PyObject* const made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(made);
}

py::object from_json(const std::string& text) {
  return py::module_::import("json").attr("loads")(str_of(text));
}

void refuse(const py::dict& left, const std::vector<std::string>& known,
            const std::string& function) {
  for (const auto& [key, value] : left) {
    const std::string name = py::str(key);
    std::string message = fmt::format("{} got an unexpected keyword argument '{}'", function, name);
    if (const auto near = nearest(name, known))
      message += fmt::format("; did you mean '{}'?", *near);
    throw py::type_error(message);
  }
}

}  // namespace copse::python
