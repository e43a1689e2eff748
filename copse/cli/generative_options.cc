#include "copse/cli/generative_options.h"

#include <algorithm>

namespace copse {
namespace {

void declare_incremental_search(CLI::App& app, incremental::SearchOptions& search,
                                std::string& rule) {
  const std::string group = "Search of the incremental parser";
  app.add_option("--beam-size", search.beam, "Most hypotheses that go on to the next word")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000))
      ->group(group);
  app.add_option("--beam-rule", rule,
                 "Which of them: fixed, all; cubic, those within gamma / k^3 of the best, k their "
                 "rank; log-cubic, within gamma - 3 ln k")
      ->capture_default_str()
      ->check(CLI::IsMember({"fixed", "cubic", "log-cubic"}))
      ->group(group);
  app.add_option("--gamma", search.gamma, "Of the cubic rules, in units of the score")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e9))
      ->group(group);
  app.add_option("--chain-beam", search.chain_beam,
                 "While a word is attached, beginnings of chains of one length that grow on; 0: "
                 "all; as many "
                 "as the beam has places, 16 at least, if not given")
      ->check(CLI::Range(0, 1'000'000))
      ->group(group);
  app.add_flag("--merge", search.merge,
               "Of hypotheses that nothing to come can tell apart only the best goes on; not for "
               "lists and surprisals")
      ->group(group);
  app.add_option(
         "--tag-share", search.tag_share,
         "Tags with this share of the probability of the one that the tagger chose are tried, "
         "too; 0: none; as trained if not given")
      ->check(CLI::Range(0.0, 1.0))
      ->group(group);
  app.add_option("--generative-weight", search.generative_weight,
                 "Of the generative model's log-probability; as trained if not given")
      ->check(CLI::Range(0.0, 1e6))
      ->group(group);
}

void declare_history_search(CLI::App& app, history::SearchOptions& search) {
  const std::string group = "Search of the history parser";
  app.add_option("--derivations", search.beam, "Derivations that go on to the next word")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000))
      ->group(group);
  app.add_option("--least-label", search.least_label, "Labels less probable are not looked at")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0))
      ->group(group);
  app.add_option("--behind", search.within,
                 "Derivations so far (ln P) behind the best at a word are dropped; 0: none")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6))
      ->group(group);
  app.add_option("--most-steps", search.most_steps, "Steps looked at for a word, at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000'000))
      ->group(group);
}

}  // namespace

void PhraseRunOptions::declare_options(CLI::App& app) {
  const std::string group = "Search of the generative parser";
  app.add_option("--beam", search.generative.beam,
                 "Items this many times less promising than the best of their span are dropped")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1e300))
      ->group(group);
  app.add_option("--beam-items", search.generative.most_items,
                 "Most items that each step of the search leaves of a span")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
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
  declare_incremental_search(app, search.incremental, beam_rule);
  declare_history_search(app, search.history);
  app.add_flag("--use-tags", use_tags,
               "Take the tags of the input (XPOS, or the tags of trees) instead of choosing them")
      ->group(group);
}

CommonOptions PhraseRunOptions::take_limits(const CommonOptions& common) {
  using incremental::BeamRule;
  search.incremental.rule = beam_rule == "cubic"       ? BeamRule::cubic
                            : beam_rule == "log-cubic" ? BeamRule::log_cubic
                                                       : BeamRule::fixed;
  constexpr int kLongest = 2000;  // what a chart has room for
  CommonOptions reading = common;
  int& limit = reading.limits.max_words;
  if (limit == Limits().max_words) return reading;
  search.generative.max_length = search.spinal.max_length = std::min(limit, kLongest);
  limit = std::max(limit, Limits().max_words);
  return reading;
}

PhraseQuestion PhraseRunOptions::question_for(const Entry& entry) const {
  PhraseQuestion out = question;
  if (demands) out.spans = phrase_demands(entry);
  return out;
}

}  // namespace copse
