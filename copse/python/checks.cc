// The treebank doctor.
#include "copse/pipeline/treebank_check.h"
#include "copse/python/bind.h"
#include "copse/python/errors.h"
#include "copse/python/keywords.h"
#include "copse/python/pipeline_object.h"
#include "copse/python/values.h"

namespace copse::python {
namespace {

const Keywords<CheckOptions>& check_keywords() {
  using O = CheckOptions;
  static const Keywords<O> table = {
      {"likely_errors", field([](O & o) -> auto& { return o.likely_errors; })},
      {"folds", field([](O & o) -> auto& { return o.doubts.folds; })},
      {"passes", field([](O & o) -> auto& { return o.doubts.passes; })},
      {"threads", field([](O & o) -> auto& { return o.doubts.threads; })},
  };
  return table;
}

using ReportPtr = std::shared_ptr<CheckReport>;

ReportPtr check(const py::object& path, const PipelineObject* model, const py::kwargs& given) {
  CheckOptions options;
  check_keywords().fill(options, given, "check()");
  if (model != nullptr) options.parser = &model->pipeline.require_dependency_parser();
  const std::string file = text_or_path(path);
  Callbacks callbacks;
  options.doubts.step = [&](const std::string&) { callbacks.run([] {}); };
  return callbacks.watch(
      [&] { return std::make_shared<CheckReport>(check_treebank(file, options)); });
}

// All of them unless it is said how many.
std::size_t most_of(std::optional<std::size_t> most) {
  return most.value_or(SIZE_MAX);
}

void bind_finding(py::module_& module) {
  py::class_<Finding>(module, "Finding", "Something that is wrong, or likely to be.")
      .def_property_readonly(
          "kind", [](const Finding& it) { return std::string(name_of(it.kind)); },
          "format, structure, rare, crossing, doubt or variation")
      .def_property_readonly("file", [](const Finding& it) { return str_of(it.place.file); })
      .def_property_readonly("line", [](const Finding& it) { return it.place.line; })
      .def_readonly("sentence", &Finding::sentence, "Its number from 1; 0: not known.")
      .def_readonly("sentence_id", &Finding::sentence_id)
      .def_readonly("word", &Finding::word, "From 1; 0: the sentence as a whole.")
      .def_property_readonly("message", [](const Finding& it) { return str_of(it.message); })
      .def_readonly("weight", &Finding::weight, "What suspicions are ordered by.")
      .def("__repr__", [](const Finding& it) {
        return py::str("Finding({!r}, {}:{}, {!r})")
            .format(std::string(name_of(it.kind)), str_of(it.place.file), it.place.line,
                    str_of(it.message));
      });
}

}  // namespace

void bind_checks(py::module_& module) {
  bind_finding(module);
  const auto most = py::arg("most") = py::none();
  py::class_<CheckReport, ReportPtr>(module, "CheckReport", "What check() found.")
      .def_readonly("sentences", &CheckReport::sentences)
      .def_readonly("words", &CheckReport::words)
      .def_readonly("errors", &CheckReport::errors, "In the order of the file.")
      .def_readonly("suspicions", &CheckReport::suspicions, "The likeliest first.")
      .def(
          "text",
          [](const CheckReport& it, std::optional<std::size_t> shown) {
            return str_of(check_text(it, most_of(shown)));
          },
          most, "As ``copse check`` prints it.")
      .def(
          "json",
          [](const CheckReport& it, std::optional<std::size_t> shown) {
            return str_of(check_json(it, most_of(shown)));
          },
          most, "The same for programs.")
      .def(
          "page",
          [](const CheckReport& it, std::optional<std::size_t> shown) {
            return str_of(check_page(it, most_of(shown)));
          },
          most, "A web page with drawings.")
      .def("__str__", [](const CheckReport& it) { return str_of(check_text(it, most_of({}))); });
  module.def("check", &check, py::arg("path"), py::arg("model") = py::none(),
             R"doc(What is wrong with a treebank, and what is likely to be.

``model`` is a Pipeline whose parser judges; without one, parsers learn from the other parts of the
treebank. Options: ``likely_errors`` (False: format and structure only), ``folds``, ``passes``,
``threads``.

>>> copse.check("fixtures/english.conllu", likely_errors=False).errors
[])doc");
}

}  // namespace copse::python
