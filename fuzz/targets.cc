#include "fuzz/targets.h"

#include <cstdio>
#include <cstdlib>

namespace copse::fuzz {

Target target_named(std::string_view name) {
  constexpr Target kTargets[] = {
      {"conllu", conllu},
      {"conllx", conllx},
      {"ptb", ptb},
      {"json", json},
      {"text", text},
      {"columns", columns},
      {"compressed", compressed},
      {"grammar", grammar},
      {"head_rules", head_rules},
      {"drawing", drawing},
      {"tokenize", tokenize},
      {"transforms", transforms},
      {"evaluation", evaluation},
      {"model_file", model_file},
      {"part_templates", part_templates},
      {"frozen_weights", frozen_weights},
      {"scalar_table", scalar_table},
      {"candidates", candidates},
      {"clusters", clusters},
      {"n_best", n_best},
      {"tag_templates", tag_templates},
      {"boundary_templates", boundary_templates},
      {"evalb_parameters", evalb_parameters},
      {"constraints", constraints},
      {"commands", commands},
      {"requests", requests},
      {"checkpoint", checkpoint},
      {"model_tokenizer", model_tokenizer},
      {"model_tagger", model_tagger},
      {"model_maxent_tagger", model_maxent_tagger},
      {"model_entities", model_entities},
      {"model_dependency", model_dependency},
      {"model_crossing", model_crossing},
      {"model_constituency", model_constituency},
      {"model_reranker", model_reranker},
      {"model_tree_kernel", model_tree_kernel},
      {"model_tag_kernel", model_tag_kernel},
      {"model_bundle", model_bundle},
      {"model_linear_kernel", model_linear_kernel},
      {"model_hidden", model_hidden},
      {"model_mixture", model_mixture},
      {"model_history", model_history},
      {"model_top_kernel", model_top_kernel},
      {"model_spinal", model_spinal},
      {"model_incremental", model_incremental},
  };
  for (const Target& target : kTargets) {
    if (target.name == name) return target;
  }
  std::fprintf(stderr, "no such target\n");
  std::exit(2);
}

}  // namespace copse::fuzz
