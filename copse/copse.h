// The front door of the library: everything a program that uses copse needs. Other headers may
// change from release to release.
//
//   const copse::Pipeline nlp = copse::load("en");
//   for (const copse::ParsedSentence& sentence : nlp("She saw the man with the telescope."))
//     std::cout << copse::to_string(sentence.entry(), copse::Format::conllu);
//
// docs/library.md shows the way around; examples/ has whole programs. Errors are copse::Error: which
// file and line, what was wrong.
#pragma once

#include "copse/base/error.h"
#include "copse/base/stop.h"
#include "copse/base/version.h"

// Treebanks: reading, writing, conversion.
#include "copse/treebank/candidates.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/formats.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/n_best_list.h"
#include "copse/treebank/phrase_to_dependency.h"
#include "copse/treebank/projectivity.h"
#include "copse/treebank/pseudo_projective.h"
#include "copse/treebank/training_treebank.h"
#include "copse/treebank/treebank.h"
#include "copse/treebank/treebank_reader.h"

// Evaluation, with text and JSON views.
#include "copse/treebank/evaluation/attachment.h"
#include "copse/treebank/evaluation/comparison.h"
#include "copse/treebank/evaluation/conll18.h"
#include "copse/treebank/evaluation/entities.h"
#include "copse/treebank/evaluation/evalb.h"
#include "copse/treebank/evaluation/report.h"
#include "copse/treebank/evaluation/scored_sentences.h"
#include "copse/treebank/evaluation/tagging.h"

// The treebank doctor.
#include "copse/pipeline/treebank_check.h"

// Models in use.
#include "copse/dependency/explanation_views.h"
#include "copse/pipeline/bundle.h"
#include "copse/pipeline/document.h"
#include "copse/pipeline/document_pipe.h"
#include "copse/pipeline/installed_models.h"
#include "copse/pipeline/model.h"
#include "copse/pipeline/model_path.h"
#include "copse/pipeline/pipeline.h"
#include "copse/pipeline/text_stream.h"

// Recipes of training.
#include "copse/cluster/brown.h"
#include "copse/cluster/corpus.h"
#include "copse/constituency/phrase_training.h"
#include "copse/constituency/spinal/pruning_report.h"
#include "copse/constituency/unseen_lists.h"
#include "copse/pipeline/bundle_recipe.h"
#include "copse/pipeline/cluster_recipe.h"
#include "copse/pipeline/dependency_recipe.h"
#include "copse/pipeline/tagger_recipe.h"
#include "copse/pipeline/tokenizer_recipe.h"
#include "copse/rerank/hidden/training.h"
#include "copse/rerank/hidden/value_counts.h"
#include "copse/rerank/kernel_training.h"
#include "copse/rerank/linear_training.h"
#include "copse/rerank/mixture.h"
#include "copse/rerank/top_training.h"
