// `copse explain` for a reranker: why a candidate of a list was chosen.
#pragma once

#include <cstddef>
#include <string>

#include "copse/model/model_file.h"

namespace copse {

struct ExplainRerankerOptions {
  std::string lists = "-";
  std::size_t list = 1;   // from 1
  std::size_t other = 0;  // from 1; 0: the most probable candidate
  std::size_t top = 12;   // features shown
  bool json = false;
  bool values = false;  // hidden values: what each stands for, over all lists
  int threads = 1;
  bool heaviest = false;  // by the tree kernel: the heaviest fragments of the model, no list
};

// The page or the JSON object. Throws data_error when there is no such list.
std::string explain_reranker(const ModelFile& model, const ExplainRerankerOptions& options);

}  // namespace copse
