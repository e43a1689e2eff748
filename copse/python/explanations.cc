// Why words hang where they hang.
#include <optional>

#include "copse/python/bind.h"
#include "copse/python/pipeline_object.h"
#include "copse/python/values.h"

namespace copse::python {
namespace {

// The explanations of a sentence with the parser and the sentence that their views need.
struct Explanations {
  std::shared_ptr<const Pipeline> pipeline;
  Sentence sentence;
  std::vector<ArcExplanation> arcs;

  const SentenceParser& parser() const { return pipeline->require_dependency_parser(); }
};
using ExplanationsPtr = std::shared_ptr<Explanations>;
using ArcPtr = std::shared_ptr<ArcExplanation>;

ExplanationsPtr explain(const PipelineObject& nlp, const py::object& sentence,
                        std::optional<int> word, std::optional<int> head) {
  const auto out = std::make_shared<Explanations>();
  out->pipeline = std::make_shared<const Pipeline>(nlp.pipeline);
  out->sentence = sentence_of(entry_of(sentence))->columns;
  const py::gil_scoped_release unlocked;
  out->arcs = out->parser().explain(out->sentence, word, head);
  return out;
}

ArcPtr arc_at(const ExplanationsPtr& all, py::ssize_t index) {
  const auto size = static_cast<py::ssize_t>(all->arcs.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw py::index_error("there is no such explanation");
  return {all, &all->arcs[static_cast<std::size_t>(index)]};
}

py::object other_head(const ArcExplanation& arc) {
  if (arc.where == OtherTree::nowhere) return py::none();
  return py::int_(arc.other_head());
}

void bind_parts(py::module_& module) {
  py::class_<ExplainedFeature>(module, "Feature", "A feature with its weight.")
      .def_readonly("name", &ExplainedFeature::name)
      .def_readonly("values", &ExplainedFeature::values)
      .def_readonly("weight", &ExplainedFeature::weight)
      .def("__repr__", [](const ExplainedFeature& it) {
        return py::str("Feature({!r}, {!r}, {:.4f})").format(it.name, it.values, it.weight);
      });
  py::class_<ExplainedPart>(module, "Part", "A part that one of the two trees has.")
      .def_readonly("name", &ExplainedPart::name)
      .def_readonly("chosen", &ExplainedPart::chosen, "In the best tree; else in the other one.")
      .def_readonly("score", &ExplainedPart::score, "The sum of the weights of its features.")
      .def_readonly("features", &ExplainedPart::features)
      .def("__repr__", [](const ExplainedPart& it) {
        return py::str("Part({!r}, {:.4f})").format(it.name, it.score);
      });
}

void bind_arc(py::module_& module) {
  py::class_<ArcExplanation, ArcPtr>(
      module, "ArcExplanation",
      "What speaks for the head of a word against the best tree in which it has another.")
      .def_readonly("word", &ArcExplanation::word)
      .def_property_readonly("head", &ArcExplanation::head, "In the best tree.")
      .def_property_readonly("other_head", &other_head, "In the other tree; None without one.")
      .def_property_readonly("difference", &ArcExplanation::difference,
                             "Of the scores of the two trees: the sum over the parts.")
      .def_readonly("parts", &ArcExplanation::parts, "Those that one of the trees has.")
      .def("__repr__", [](const ArcExplanation& it) {
        return py::str("ArcExplanation(word={}, head={}, other_head={}, difference={:.4f})")
            .format(it.word, it.head(), other_head(it), it.difference());
      });
}

}  // namespace

void bind_explanations(py::module_& module) {
  bind_parts(module);
  bind_arc(module);
  py::class_<Explanations, ExplanationsPtr>(
      module, "Explanations", "One ArcExplanation for each word that was asked about.")
      .def("__len__", [](const Explanations& it) { return it.arcs.size(); })
      .def("__bool__", [](const Explanations&) { return true; })
      .def("__getitem__", &arc_at)
      .def("__iter__",
           [](const ExplanationsPtr& it) {
             py::list arcs;
             for (ArcExplanation& arc : it->arcs) arcs.append(ArcPtr(it, &arc));
             return py::iter(arcs);
           })
      .def(
          "lines",
          [](const Explanations& it) { return str_of(it.parser().lines(it.sentence, it.arcs)); },
          "A line for each of them, as ``copse explain`` prints it.")
      .def(
          "page",
          [](const Explanations& it, std::size_t number, std::optional<std::size_t> top) {
            const ArcExplanation& arc = it.arcs.at(number);
            return str_of(top ? it.parser().page(it.sentence, arc, *top)
                              : it.parser().page(it.sentence, arc));
          },
          py::arg("number") = 0, py::arg("top") = py::none(),
          "One of them with its parts and the ``top`` weightiest templates.")
      .def(
          "json",
          [](const Explanations& it) { return str_of(it.parser().json(it.sentence, it.arcs)); },
          "All of them with every feature, as JSON text.")
      .def("__str__",
           [](const Explanations& it) { return str_of(it.parser().lines(it.sentence, it.arcs)); });
  const py::object pipeline = module.attr("Pipeline");
  pipeline.attr("explain") =
      py::cpp_function(&explain, py::name("explain"), py::is_method(pipeline), py::arg("sentence"),
                       py::arg("word") = py::none(), py::arg("head") = py::none(),
                       R"doc(Why each word of a sentence, or one, hangs where it hangs.

``word`` is one of them, from 1; ``head`` is the head to compare with instead of the runner-up.
The sentence must have the tags that the parser looks at.

>>> sentence = nlp("She saw the man with the telescope.")[0]
>>> why, = nlp.explain(sentence, word=7)
>>> why.head, why.other_head, why.difference > 0
(4, 2, True)
>>> abs(sum(p.score if p.chosen else -p.score for p in why.parts) - why.difference) < 1e-6
True)doc");
}

}  // namespace copse::python
