// The front door of the library: everything a program that uses copse needs. Other headers may
// change from release to release.
//
//   for (const copse::Entry& entry : copse::read_treebank("dev.conllu"))
//     std::cout << entry.sentence.form(1) << "\n";
//   auto tree = copse::dependencies_from_tree(phrases, copse::HeadRules::builtin("collins"));
//
// Errors are copse::Error: which file and line, what was wrong.
#pragma once

#include <string>
#include <vector>

#include "copse/base/error.h"
#include "copse/base/version.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/formats.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/phrase_to_dependency.h"
#include "copse/treebank/projectivity.h"
#include "copse/treebank/pseudo_projective.h"
#include "copse/treebank/treebank.h"
