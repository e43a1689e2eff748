// numpy views of what a sentence holds. numpy is imported when the first of them is made.
#pragma once

#include "copse/python/bind.h"

namespace copse::python {

// `sentence` is the Python object, which the view keeps alive.
py::object arcs_view(const py::object& sentence);  // records of head, word, probability
py::object dependency_scores(const py::object& sentence);
py::object phrase_scores(const py::object& sentence);
py::object reranker_scores(const py::object& sentence);
// [head, word]; a copy.
py::object arc_matrix(const ParsedSentence& sentence);

}  // namespace copse::python
