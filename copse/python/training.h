// What the recipes of training have in common for Python.
#pragma once

#include <string>

#include "copse/python/bind.h"
#include "copse/python/errors.h"
#include "copse/python/keywords.h"
#include "copse/treebank/training_treebank.h"

namespace copse::python {

// Whom a training tells of what it does.
struct Told {
  Callbacks& callbacks;
  py::object progress, problems;  // called, or None

  void say(const std::string& line) const;
  // Must not outlive this.
  ReadReport reading() const;
};

template <class Recipe>
void fill(const Keywords<Recipe>& keywords, Recipe& recipe, const py::dict& given) {
  keywords.fill(recipe, py::reinterpret_borrow<py::kwargs>(given), "train()");
}

// Each fills its recipe with what is given, trains, saves, and returns the figures.
py::object train_tagger(const py::dict& given, const std::string& output, const Told& told);
py::object train_entities(const py::dict& given, const std::string& output, const Told& told);
py::object train_dependency(const py::dict& given, const std::string& output, const Told& told);
py::object train_phrases(const py::dict& given, const std::string& output, const Told& told);
py::object train_reranker(const py::dict& given, const std::string& output, const Told& told);

}  // namespace copse::python
