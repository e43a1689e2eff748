// Treebanks as iterators: files, strings, streams.
#include <optional>

#include "copse/python/bind.h"
#include "copse/python/errors.h"
#include "copse/python/values.h"
#include "copse/treebank/treebank.h"
#include "copse/treebank/treebank_reader.h"

namespace copse::python {
namespace {

std::string name_of_stream(const py::object& stream) {
  const py::object name = py::getattr(stream, "name", py::none());
  return py::isinstance<py::str>(name) ? name.cast<std::string>() : "stream";
}

Input input_from(const py::object& source) {
  if (is_path(source)) return Input::open(text_or_path(source));
  if (!py::hasattr(source, "read")) throw py::type_error("expected a path or a stream");
  return Input::from_memory(text_of(source.attr("read")()), name_of_stream(source));
}

std::optional<Format> format_or_none(const std::optional<std::string>& name) {
  return name ? std::optional(format_named(*name)) : std::nullopt;
}

// Reads with the lock: blocks are small, and most of the time goes into Python objects.
class Treebank {
 public:
  Treebank(Input input, const std::optional<std::string>& format, py::object problems)
      : reader_(std::move(input), format_or_none(format)), problems_(std::move(problems)) {}

  SentencePtr next() {
    while (true) {
      try {
        std::optional<Entry> entry = reader_.next();
        if (!entry) throw py::stop_iteration();
        return sentence_of(std::move(*entry));
      } catch (const Error& error) {
        if (problems_.is_none() || error.kind() != ErrorKind::data) throw;
        problems_(error_object(error));
      }
    }
  }
  std::string format() const { return std::string(name_of(reader_.format())); }
  std::string name() const { return reader_.name(); }

 private:
  TreebankReader reader_;
  py::object problems_;
};

std::unique_ptr<Treebank> open_treebank(const py::object& source,
                                        const std::optional<std::string>& format,
                                        const py::object& problems) {
  return std::make_unique<Treebank>(input_from(source), format, problems);
}

std::unique_ptr<Treebank> read_string(const py::object& text, const std::string& format,
                                      const py::object& problems, const std::string& name) {
  return std::make_unique<Treebank>(Input::from_memory(text_of(text), name), format, problems);
}

void write_file(const py::object& path, const py::object& sentences, const std::string& format) {
  const std::vector<Entry> entries = entries_of(sentences);
  const std::string file = text_or_path(path);
  const Format wanted = format_named(format);
  const py::gil_scoped_release unlocked;
  write_treebank(file, entries, wanted);
}

}  // namespace

void bind_treebanks(py::module_& module) {
  py::class_<Treebank>(module, "Treebank", "Sentences of a treebank, one after the other.")
      .def("__iter__", [](const py::object& self) { return self; })
      .def("__next__", &Treebank::next)
      .def_property_readonly("format", &Treebank::format, "The name of its format.")
      .def_property_readonly("name", &Treebank::name, "Of its file.");
  module.def("read", &open_treebank, py::arg("source"), py::arg("format") = py::none(),
             py::kw_only(), py::arg("problems") = py::none(),
             R"doc(The sentences of a treebank, one after the other.

``source`` is a path, read piece by piece, or a stream, binary or text, read to its end first; "-" is
standard input. .gz and .zst are unpacked. The format is told by the file unless it is given. A sentence that cannot be read raises an Error that names the line;
with ``problems`` it is called with the Error instead, and reading goes on.

>>> sum(len(sentence) for sentence in copse.read("fixtures/english.conllu")) > 100
True
>>> import io
>>> [s.text for s in copse.read(io.BytesIO(b"(S (NP (NNS Dogs)) (VP (VBP sleep)))"), "ptb")]
['Dogs sleep'])doc");
  module.def("read_string", &read_string, py::arg("text"), py::arg("format"), py::kw_only(),
             py::arg("problems") = py::none(), py::arg("name") = "text",
             R"doc(The same from a str or bytes; ``name`` is for messages.

>>> sentence, = copse.read_string("(S (NP (NNS Dogs)) (VP (VBP sleep)))", "ptb")
>>> sentence.tree[0].words
['Dogs'])doc");
  module.def("write", &write_file, py::arg("path"), py::arg("sentences"), py::arg("format"),
             "Writes a Document, or any iterable of Sentences, as a treebank. The file appears "
             "only when it is complete.");
}

}  // namespace copse::python
