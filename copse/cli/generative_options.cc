#include "copse/cli/generative_options.h"

#include <algorithm>

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
  app.add_option("--max-edges", search.generative.max_edges,
                 "Sentences whose chart grows beyond this get a flat tree; 32 bytes each")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30))
      ->group(group);
  const std::string spinal = "Search of the spinal parser";
  app.add_option("--alpha", search.spinal.alpha,
                 "Adjunctions this many times less probable than the best of their word are not "
                 "looked at; as trained if not given")
      ->check(CLI::Range(0.0, 1.0))
      ->group(spinal);
  app.add_option("--max-second-order", search.spinal.max_second_order,
                 "Longer sentences are parsed without siblings and grandchildren")
      ->capture_default_str()
      ->check(CLI::Range(0, 2000))
      ->group(spinal);
  app.add_option("--max-items", search.spinal.max_items,
                 "Sentences whose chart grows beyond this are parsed with less; 32 bytes each")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30))
      ->group(spinal);
  app.add_flag("--use-tags", use_tags,
               "Take the tags of the input (XPOS, or the tags of trees) instead of choosing them")
      ->group(group);
}

CommonOptions PhraseRunOptions::take_limits(const CommonOptions& common) {
  constexpr int kLongest = 2000;  // what a chart has room for
  CommonOptions reading = common;
  int& limit = reading.limits.max_words;
  if (limit == Limits().max_words) return reading;
  search.generative.max_length = std::min(limit, kLongest);
  limit = std::max(limit, Limits().max_words);
  return reading;
}

}  // namespace copse
