// Everything that the module has, in the order in which types are needed by others.
#include "copse/base/version.h"
#include "copse/python/bind.h"

PYBIND11_MODULE(_copse, module) {
  module.doc() = "The compiled part of copse; import copse instead.";
  module.attr("__version__") = std::string(copse::version());
  using namespace copse::python;
  bind_errors(module);
  bind_trees(module);
  bind_words(module);
  bind_probabilities(module);
  bind_sentences(module);
  bind_documents(module);
  bind_treebanks(module);
  bind_models(module);
  bind_pipelines(module);
  bind_explanations(module);
  bind_evaluation(module);
  bind_clusters(module);
  bind_checks(module);
  bind_training(module);
}
