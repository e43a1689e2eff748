// The Python module `copse`: copse.h as Python has it. Each part of the library is bound in a file of
// its own, because pybind11 is what compiling these files costs.
//
// Nothing is decided here: keyword arguments fill the option structs of the library (keywords.h), whose
// defaults count where an argument is missing. The interpreter's lock is given back while the library
// works.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <vector>

#include "copse/pipeline/document.h"

namespace copse::python {

namespace py = pybind11;

// Views of a document keep it alive: a sentence is a pointer into it that owns all of it.
using DocumentPtr = std::shared_ptr<Document>;
using SentencePtr = std::shared_ptr<ParsedSentence>;

void bind_errors(py::module_& module);
void bind_documents(py::module_& module);
void bind_sentences(py::module_& module);
void bind_words(py::module_& module);
void bind_trees(py::module_& module);
void bind_probabilities(py::module_& module);
void bind_models(py::module_& module);
void bind_pipelines(py::module_& module);
void bind_treebanks(py::module_& module);
void bind_explanations(py::module_& module);
void bind_evaluation(py::module_& module);
void bind_clusters(py::module_& module);
void bind_checks(py::module_& module);
void bind_training(py::module_& module);

}  // namespace copse::python
