#include "copse/cli/generative_options.h"

namespace copse {

void PhraseRunOptions::declare_options(CLI::App& app) {
  const std::string group = "Search of the generative parser";
  app.add_option("--beam", search.generative.beam,
                 "Items this many times less promising than the best of their span are dropped")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1e300))
      ->group(group);
  app.add_option("--coarse-threshold", search.generative.coarse_threshold,
                 "Items with a smaller share of the coarse grammar's parses are not looked at")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5))
      ->group(group);
  app.add_option("--max-length", search.generative.max_length,
                 "Longer sentences, in words without final punctuation, get a flat tree")
      ->capture_default_str()
      ->check(CLI::Range(1, 2000))
      ->group(group);
  app.add_option("--max-edges", search.generative.max_edges,
                 "Sentences whose chart grows beyond this get a flat tree; 32 bytes each")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30))
      ->group(group);
  app.add_flag("--use-tags", use_tags,
               "Take the tags of the input (XPOS, or the tags of trees) instead of choosing them")
      ->group(group);
}

}  // namespace copse
