// Scores and probabilities as numpy arrays that look at the library's own memory: nothing is copied,
// nothing can be written, and the document lives as long as an array of it.
#include <pybind11/numpy.h>

#include <algorithm>
#include <cstddef>

#include "copse/python/bind.h"
#include "copse/python/probabilities.h"

namespace copse::python {
namespace {

py::array read_only(py::array array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// `owner` is what Python has of the memory: an object that keeps it alive.
py::array array_view(const std::vector<double>& values, const py::object& owner) {
  return read_only(
      py::array(py::dtype::of<double>(), {values.size()}, {sizeof(double)}, values.data(), owner));
}

// One field of each struct in a vector.
template <class T>
py::array array_view(const std::vector<T>& items, double T::*member, const py::object& owner) {
  const void* const first = items.empty() ? nullptr : &(items.front().*member);
  return read_only(py::array(py::dtype::of<double>(), {items.size()}, {sizeof(T)}, first, owner));
}

// The numbers of the words come first, so that row and column 0 are the root.
py::array matrix(const ParsedSentence& sentence) {
  const auto size = static_cast<py::ssize_t>(sentence.size()) + 1;
  py::array_t<double> out({size, size});
  auto cells = out.mutable_unchecked<2>();
  std::fill_n(out.mutable_data(), size * size, 0.0);
  for (const ArcProbability& arc : sentence.arcs) cells(arc.head, arc.word) = arc.probability;
  return out;
}

py::list heads_of(const DependencyTree& tree) {
  py::list heads;
  for (int i = 1; i <= tree.words(); ++i) heads.append(tree.head(i));
  return heads;
}
py::list relations_of(const DependencyTree& tree) {
  py::list relations;
  for (int i = 1; i <= tree.words(); ++i) relations.append(tree.label(i));
  return relations;
}

using DependenciesPtr = std::shared_ptr<ScoredDependencies>;

void bind_dependencies(py::module_& module) {
  py::class_<ScoredDependencies, DependenciesPtr> tree(
      module, "Dependencies", R"doc(One of the dependency trees of a sentence.

>>> best, second = nlp("She saw him.", n_best=2, marginals=True)[0].dependencies
>>> best.heads, best.relations
([2, 0, 2, 2], ['nsubj', 'root', 'obj', 'punct'])
>>> best.score > second.score and best.probability > second.probability
True)doc");
  tree.def_property_readonly(
      "heads", [](const ScoredDependencies& it) { return heads_of(it.tree); },
      "The head of each word; 0 is the root.");
  tree.def_property_readonly(
      "relations", [](const ScoredDependencies& it) { return relations_of(it.tree); },
      "The relation of each word to its head.");
  tree.def_readonly("score", &ScoredDependencies::score, "The sum of the weights of its features.");
  tree.def_readonly("probability", &ScoredDependencies::probability,
                    "Of the tree with its relations; with marginals=True.");
  tree.def_property_readonly(
      "arc_probability",
      [](const py::object& self) {
        return array_view(self.cast<const ScoredDependencies&>().arc_probability, self);
      },
      "numpy: of the arc to each word, [0] unused; with marginals=True.");
  tree.def_property_readonly(
      "relation_probability",
      [](const py::object& self) {
        return array_view(self.cast<const ScoredDependencies&>().relation_probability, self);
      },
      "numpy: of each arc with its relation, [0] unused; with marginals=True.");
  tree.def("__repr__", [](const ScoredDependencies& it) {
    return py::str("Dependencies({}, score={:.4f})").format(heads_of(it.tree), it.score);
  });
}

void bind_certificate(py::module_& module) {
  py::class_<DualCertificate> certificate(module, "Certificate",
                                          "How sure it is that there is no better tree: of parsers "
                                          "with crossing arcs of higher order.");
  certificate.def_readonly("optimal", &DualCertificate::optimal, "Proved: no tree scores more.")
      .def_readonly("bound", &DualCertificate::bound, "No tree scores more than this.")
      .def_readonly("gap", &DualCertificate::gap, "The bound less the score; 0 if optimal.")
      .def_readonly("iterations", &DualCertificate::iterations, "Steps of the search.")
      .def_readonly("relaxations", &DualCertificate::relaxations, "Branches looked at.");
  certificate.def("__repr__", [](const DualCertificate& it) {
    return py::str("Certificate(optimal={}, gap={:.6g}, iterations={})")
        .format(it.optimal, it.gap, it.iterations);
  });
}

void bind_bracket(py::module_& module) {
  py::class_<Bracket> bracket(module, "Bracket", "A phrase and its probability.");
  bracket.def_readonly("label", &Bracket::label)
      .def_readonly("begin", &Bracket::begin, "Its first word, from 0.")
      .def_readonly("end", &Bracket::end, "One past its last word.")
      .def_readonly("probability", &Bracket::probability);
  bracket.def("__repr__", [](const Bracket& it) {
    return py::str("Bracket({!r}, {}, {}, {:.4f})")
        .format(it.label, it.begin, it.end, it.probability);
  });
}

}  // namespace

py::object arcs_view(const py::object& sentence) {
  const py::dtype record(
      py::list(py::make_tuple("head", "word", "probability")),
      py::list(py::make_tuple(py::dtype::of<int>(), py::dtype::of<int>(), py::dtype::of<double>())),
      py::list(py::make_tuple(offsetof(ArcProbability, head), offsetof(ArcProbability, word),
                              offsetof(ArcProbability, probability))),
      sizeof(ArcProbability));
  const auto& arcs = sentence.cast<const ParsedSentence&>().arcs;
  return read_only(
      py::array(record, {arcs.size()}, {sizeof(ArcProbability)}, arcs.data(), sentence));
}
py::object arc_matrix(const ParsedSentence& sentence) {
  return matrix(sentence);
}
py::object dependency_scores(const py::object& sentence) {
  const auto& trees = sentence.cast<const ParsedSentence&>().dependencies;
  return array_view(trees, &ScoredDependencies::score, sentence);
}
py::object phrase_scores(const py::object& sentence) {
  const auto& trees = sentence.cast<const ParsedSentence&>().phrases.trees;
  return array_view(trees, &ScoredTree::log_probability, sentence);
}
py::object reranker_scores(const py::object& sentence) {
  return array_view(sentence.cast<const ParsedSentence&>().reranker_scores, sentence);
}

void bind_probabilities(py::module_& module) {
  bind_dependencies(module);
  bind_certificate(module);
  bind_bracket(module);
}

}  // namespace copse::python
