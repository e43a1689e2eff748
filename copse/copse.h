// The front door of the library: everything a program that uses copse needs. Other headers may
// change from release to release.
//
//   for (const copse::Entry& entry : copse::read_treebank("dev.conllu"))
//     std::cout << entry.sentence.form(1) << "\n";
//
// examples/ has whole programs. Errors are copse::Error: which file and line, what was wrong.
#pragma once

#include "copse/base/error.h"
#include "copse/base/version.h"

// Treebanks: reading, writing, conversion.
#include "copse/treebank/clean.h"
#include "copse/treebank/formats.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/n_best_list.h"
#include "copse/treebank/phrase_to_dependency.h"
#include "copse/treebank/projectivity.h"
#include "copse/treebank/pseudo_projective.h"
#include "copse/treebank/training_treebank.h"
#include "copse/treebank/treebank.h"

// Evaluation, with text and JSON views.
#include "copse/treebank/evaluation/attachment.h"
#include "copse/treebank/evaluation/comparison.h"
#include "copse/treebank/evaluation/conll18.h"
#include "copse/treebank/evaluation/entities.h"
#include "copse/treebank/evaluation/evalb.h"
#include "copse/treebank/evaluation/report.h"
#include "copse/treebank/evaluation/tagging.h"
