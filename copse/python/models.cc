// Models one by one: what a file is, tags and their probabilities.
#include <optional>

#include "copse/pipeline/installed_models.h"
#include "copse/pipeline/model.h"
#include "copse/pipeline/model_path.h"
#include "copse/python/bind.h"
#include "copse/python/values.h"

namespace copse::python {
namespace {

Model load_model(const py::object& path) {
  const std::string found = ModelPath::standard().find(text_or_path(path));
  const py::gil_scoped_release unlocked;
  return Model::load(found);
}

SentencePtr tag(const Model& model, const py::object& sentence, bool probabilities) {
  const SentencePtr out = sentence_of(entry_of(sentence));
  const py::gil_scoped_release unlocked;
  if (probabilities) {
    model.tagger().tag_with_probabilities(out->columns);
  } else {
    model.tagger().tag(out->columns);
  }
  return out;
}

py::list k_best_of(const Model& model, const py::object& sentence, int k,
                   const std::string& column) {
  const Entry entry = entry_of(sentence);
  std::vector<ScoredTags> found;
  {
    const py::gil_scoped_release unlocked;
    found = model.tagger().k_best(entry.sentence, k, column);
  }
  py::list out;
  for (const ScoredTags& each : found) out.append(py::make_tuple(each.tags, each.log_probability));
  return out;
}

py::list installed() {
  py::list out;
  for (const InstalledModel& model : ModelPath::standard().models()) {
    if (!model.hidden) out.append(py::make_tuple(model.name, model.path));
  }
  return out;
}

}  // namespace

void bind_models(py::module_& module) {
  py::class_<Model>(module, "Model", "A model file of any kind but a bundle.")
      .def(py::init(&load_model), py::arg("path"))
      .def_property_readonly("kind", &Model::kind, "\"tagger\", \"dependency\", ...")
      .def_property_readonly("name", &Model::name, "Of its file.")
      .def_property_readonly(
          "record", [](const Model& model) { return from_json(model.record()); },
          "What it says of itself: options, data, figures.")
      .def("tag", &tag, py::arg("sentence"), py::arg("probabilities") = false,
           "A sentence with its tags; with their probabilities in MISC.")
      .def("k_best_tags", &k_best_of, py::arg("sentence"), py::arg("k"), py::arg("column") = "",
           "The k best sequences of tags of a column, each with its log-probability.")
      .def("__reduce__", [](const py::object& self) {
        return py::make_tuple(py::type::of(self), py::make_tuple(self.attr("name")));
      });
  module.def("models", &installed, "Name and path of every model that load() finds by name.");
  module.def(
      "install_model",
      [](const py::object& file, const std::string& name) {
        return install_model(text_or_path(file), name);
      },
      py::arg("file"), py::arg("name") = "", "Puts a bundle where load() finds it by its name.");
  module.def("remove_model", &remove_model, py::arg("name"),
             "Removes what install_model() put there.");
}

}  // namespace copse::python
