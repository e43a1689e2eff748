// Word clusters.
#include "copse/base/output.h"
#include "copse/pipeline/cluster_recipe.h"
#include "copse/python/bind.h"
#include "copse/python/errors.h"
#include "copse/python/keywords.h"
#include "copse/python/values.h"

namespace copse::python {
namespace {

const Keywords<ClusterRecipe>& cluster_keywords() {
  using R = ClusterRecipe;
  static const Keywords<R> table = {
      {"format", field([](R & r) -> auto& { return r.format; })},
      {"clusters", field([](R & r) -> auto& { return r.brown.clusters; })},
      {"symmetric_marginals", field([](R & r) -> auto& { return r.brown.symmetric_marginals; })},
      {"threads", field([](R & r) -> auto& { return r.brown.threads; })},
      {"min_count", field([](R & r) -> auto& { return r.vocabulary.min_count; })},
      {"max_words", field([](R & r) -> auto& { return r.vocabulary.max_words; })},
      {"lower", field([](R & r) -> auto& { return r.corpus.form.lower; })},
      {"digits", field([](R & r) -> auto& { return r.corpus.form.digits; })},
      {"neighbours", field([](R & r) -> auto& { return r.corpus.neighbours; })},
      {"arcs", field([](R & r) -> auto& { return r.corpus.arcs; })},
      {"across_lines", field([](R & r) -> auto& { return r.corpus.across_lines; })},
  };
  return table;
}

using ClustersPtr = std::shared_ptr<FoundClusters>;

ClustersPtr cluster(const py::object& files, const py::kwargs& given) {
  ClusterRecipe recipe;
  cluster_keywords().fill(recipe, given, "cluster()");
  if (is_path(files)) {
    recipe.files.push_back(text_or_path(files));
  } else {
    for (const py::handle file : py::iter(files)) recipe.files.push_back(text_or_path(file));
  }
  Callbacks callbacks;
  recipe.brown.progress = [&](std::size_t, double) { callbacks.run([] {}); };
  return callbacks.watch([&] { return std::make_shared<FoundClusters>(find_clusters(recipe)); });
}

py::dict all_bits(const FoundClusters& found) {
  py::dict out;
  for (std::size_t i = 0; i < found.bigrams.words.size(); ++i) {
    out[str_of(found.bigrams.words[i])] = found.clusters.bits[i];
  }
  return out;
}

void save_clusters(const FoundClusters& found, const py::object& path) {
  Output output = Output::open(text_or_path(path));
  output.write(found.paths());
  output.commit();
}

}  // namespace

void bind_clusters(py::module_& module) {
  py::class_<FoundClusters, ClustersPtr>(module, "Clusters",
                                         "Words and the bits of their clusters.")
      .def_property_readonly("bits", &all_bits, "A dict from words to their bit strings.")
      .def_property_readonly(
          "information", [](const FoundClusters& it) { return it.clusters.information; },
          "Average mutual information of neighbouring clusters, in bits.")
      .def(
          "paths", [](const FoundClusters& it) { return str_of(it.paths()); },
          "The text of the file of clusters: bits, word, count.")
      .def("save", &save_clusters, py::arg("path"), "Writes that file.")
      .def("__len__", [](const FoundClusters& it) { return it.clusters.clusters; })
      .def("__getitem__", [](const FoundClusters& it, const py::object& word) {
        return py::object(all_bits(it)[word]);
      });
  module.def("cluster", &cluster, py::arg("files"),
             R"doc(Brown clusters of the words of text files or treebanks.

Options: ``clusters``, ``min_count``, ``max_words``, ``lower``, ``digits``, ``format`` ("text",
"conllu", "conllx"), ``neighbours`` and ``arcs`` (what makes two words a pair), ``across_lines``,
``symmetric_marginals``, ``threads``.

>>> found = copse.cluster("fixtures/english.conllu", clusters=8)
>>> len(found), set(found["the"]) <= {"0", "1"}
(8, True))doc");
}

}  // namespace copse::python
