#include "copse/constituency/incremental/learner.h"

#include <algorithm>
#include <numeric>

#include "copse/base/error.h"
#include "copse/constituency/incremental/steps.h"
#include "copse/learning/pass_order.h"
#include "copse/model/finite_array.h"

namespace copse::incremental {
namespace {

void simplify(std::vector<KeyCount>& counts) {
  std::ranges::sort(counts, [](const KeyCount& a, const KeyCount& b) {
    return a.key != b.key ? a.key < b.key : a.label < b.label;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < counts.size();) {
    KeyCount sum = counts[i];
    for (++i; i < counts.size() && counts[i].key == sum.key && counts[i].label == sum.label; ++i) {
      sum.count += counts[i].count;
    }
    if (sum.count != 0) counts[kept++] = sum;
  }
  counts.resize(kept);
}

// Steps that differ from gold.
double wrong_moves(const Hypothesis& gold, const Hypothesis& found) {
  double wrong = 0;
  const Hypothesis* left = &gold;
  for (const Hypothesis* h = &found; h->before != nullptr; h = h->before, left = left->before) {
    wrong += h->move == left->move ? 0 : 1;
  }
  return wrong;
}

// Both hypotheses after so many steps: where an update is made.
struct Point {
  const Hypothesis* gold;
  std::span<const Hypothesis> beam;
};

}  // namespace

void add_features(const Hypothesis& last, int from, const Grammar& grammar,
                  const Features& features, const SentenceWords& words, Spines& spines, float times,
                  std::vector<KeyCount>& out) {
  Features::Keys keys;
  for (const Hypothesis* h = &last; h->before != nullptr && h->before->words >= from;
       h = h->before) {
    const int position = h->before->words;
    const bool end = h->move.chain < 0;
    const LabelId tag = end ? kEnd : grammar.chain(h->move.chain).back();
    const auto node = [&](const Cell& cell, LabelId label) {
      features.node_keys(features.context(cell, words, position, tag), words, position, keys);
      for (const FeatureKey key : keys) out.push_back({key, label, times});
    };
    if (end) {
      walk_end(h->before->top, spines, node);
      continue;
    }
    walk_step(h->before->top, h->move, position, grammar, spines, node, [&](const Cell& cell) {
      features.word_keys(Features::word_context(cell, tag), words, position, keys);
      for (const FeatureKey key : keys) out.push_back({key, tag, times});
    });
  }
}

std::vector<KeyCount> feature_difference(const Hypothesis& gold, const Hypothesis& found,
                                         const Grammar& grammar, const Features& features,
                                         const SentenceWords& words, Spines& spines) {
  const auto left = Search<TrainingWeights>::path(gold),
             right = Search<TrainingWeights>::path(found);
  std::size_t same = 0;
  while (same < left.size() && same < right.size() && left[same]->move == right[same]->move) ++same;
  std::vector<KeyCount> out;
  const int from = static_cast<int>(same);
  add_features(gold, from, grammar, features, words, spines, 1, out);
  add_features(found, from, grammar, features, words, spines, -1, out);
  simplify(out);
  return out;
}

Update update_named(std::string_view name) {
  if (name == "early") return Update::early;
  if (name == "max-violation") return Update::max_violation;
  if (name == "full") return Update::full;
  throw usage_error("unknown update \"" + std::string(name) + "\"",
                    "expected early, max-violation or full");
}

void Learner::answer(std::size_t i, Answer& out) {
  out = {};
  const LearningExample& example = examples_[i];
  const auto memory = memory_.take();
  memory->words.fill(example.views->words(), options_.clusters.get());
  ScoringModel<TrainingWeights> model{parts_.grammar.get(), parts_.heads.get(), &parts_.features,
                                      &weights_};
  if (!companions_.empty()) {
    model.companion = companions_[static_cast<std::size_t>(example.companion)].get();
    model.companion_weight = mix_;
  }
  SearchOptions search_options;
  search_options.beam = options_.beam;
  search_options.chain_beam = 0;
  auto& search = memory->search;
  search.start(model, memory->words, search_options);
  Point worst{nullptr, {}};
  double most = 0;
  const std::size_t steps = example.moves.size() + 1;
  for (std::size_t step = 0; step < steps; ++step) {
    if (step + 1 < steps) {
      search.advance(example.readings[step], &example.moves[step]);
    } else {
      search.finish(true);
    }
    const auto beam = search.beam();
    const bool has_gold = std::ranges::any_of(beam, &Hypothesis::is_gold);
    const bool first_loss = !has_gold && !out.lost;
    out.lost = out.lost || !has_gold;
    const double violation = beam[0].is_gold ? 0 : beam[0].score.total - search.gold()->score.total;
    const bool last = step + 1 == steps;
    const bool further = violation > most || (violation >= 0 && worst.gold == nullptr);
    const bool take = update_ == Update::max_violation ? further
                      : update_ == Update::early       ? first_loss || last
                                                       : last;
    if (take && !beam[0].is_gold) {
      worst = {search.gold(), beam};
      most = violation;
    }
    if (update_ == Update::early && first_loss) break;
  }
  if (worst.gold == nullptr) return;
  out.loss = wrong_moves(*worst.gold, worst.beam[0]);
  const std::size_t most_candidates =
      options_.cache.rounds > 0 ? static_cast<std::size_t>(options_.cache.candidates) : 1;
  for (const Hypothesis& each : worst.beam.first(std::min(most_candidates, worst.beam.size()))) {
    if (each.is_gold) continue;
    out.candidates.push_back(feature_difference(*worst.gold, each, *parts_.grammar, parts_.features,
                                                memory->words, search.spines()));
  }
}

// The length of a step: for the passive-aggressive rule the least after which gold is ahead by the
// loss.
double Learner::step_of(const Difference& difference, double loss) const {
  if (options_.aggressiveness == 0) return 1;
  double length = 0;
  for (const KeyCount& each : difference) length += double{each.count} * each.count;
  if (length == 0) return 0;
  return std::clamp((loss - margin(difference)) / length, 0.0, options_.aggressiveness);
}

void Learner::learn(const Difference& difference, double loss) {
  const double step = step_of(difference, loss);
  if (step == 0) return;
  for (const KeyCount& each : difference) {
    weights_.update(weights_.intern(each.key), each.label, step * each.count);
  }
}

double Learner::margin(const Difference& difference) const {
  double sum = 0;
  for (const KeyCount& each : difference) {
    const auto row = weights_.find(each.key);
    if (row != TrainingWeights::kNoRow) sum += each.count * weights_.weight(row, each.label);
  }
  return sum;
}

void Learner::keep(std::size_t example, Answer& answer) {
  std::erase_if(cache_, [&](const Cached& each) { return each.example == example; });
  if (answer.candidates.empty()) return;
  if (cache_.size() >= static_cast<std::size_t>(options_.cache.entries))
    cache_.erase(cache_.begin());
  cache_.push_back({example, 0, std::move(answer.candidates)});
}

// T1 times over the cache: where a candidate is ahead of gold, a step away from the best of them.
void Learner::sweep() {
  for (int round = 0; round < options_.cache.rounds; ++round) {
    bool changed = false;
    for (Cached& each : cache_) {
      if (each.uses >= options_.cache.uses) continue;
      const Difference* worst = nullptr;
      double least = 0;
      for (const Difference& candidate : each.candidates) {
        const double ahead = margin(candidate);
        if (ahead < least || (worst == nullptr && ahead <= 0)) {
          worst = &candidate;
          least = ahead;
        }
      }
      if (worst == nullptr) continue;
      learn(*worst, 1);
      ++each.uses;
      changed = true;
    }
    if (!changed) break;
  }
}

// The cache: numbers of each entry, sizes of its candidates, then all keys with labels and counts.
void Learner::save(ModelWriter& writer, const std::string& prefix) const {
  weights_.save(writer, prefix);
  std::vector<std::uint64_t> entries{static_cast<std::uint64_t>(since_sweep_)}, sizes;
  std::vector<FeatureKey> keys;
  std::vector<Label> labels;
  std::vector<float> counts;
  for (const Cached& each : cache_) {
    entries.insert(entries.end(),
                   {each.example, static_cast<std::uint64_t>(each.uses), each.candidates.size()});
    for (const Difference& candidate : each.candidates) {
      sizes.push_back(candidate.size());
      for (const KeyCount& part : candidate) {
        keys.push_back(part.key);
        labels.push_back(part.label);
        counts.push_back(part.count);
      }
    }
  }
  writer.add_array<std::uint64_t>(prefix + "cache", entries);
  writer.add_array<std::uint64_t>(prefix + "cache-sizes", sizes);
  writer.add_array<FeatureKey>(prefix + "cache-keys", keys);
  writer.add_array<Label>(prefix + "cache-labels", labels);
  writer.add_array<float>(prefix + "cache-counts", counts);
}

void Learner::load(const ModelFile& file, const std::string& prefix) {
  weights_ = TrainingWeights::load(file, prefix, parts_.grammar->labels());
  load_cache(file, prefix);
}

void Learner::load_cache(const ModelFile& file, const std::string& prefix) {
  const auto entries = file.array<std::uint64_t>(prefix + "cache");
  auto sizes = file.array<std::uint64_t>(prefix + "cache-sizes");
  const auto keys = file.array<FeatureKey>(prefix + "cache-keys");
  const auto labels = file.array<Label>(prefix + "cache-labels");
  const auto counts = finite_array<float>(file, prefix + "cache-counts");
  bool good =
      entries.size() % 3 == 1 && entries[0] < 1'000'000'000 && labels.size() == keys.size() &&
      counts.size() == keys.size() &&
      std::ranges::all_of(labels, [&](Label each) { return each < parts_.grammar->labels(); });
  if (good) since_sweep_ = static_cast<int>(entries[0]);
  cache_.clear();
  std::size_t at = 0;
  for (std::size_t i = 1; good && i < entries.size(); i += 3) {
    good = entries[i] < examples_.size() && entries[i + 1] < 1'000'000'000 &&
           entries[i + 2] <= sizes.size();
    if (!good) break;
    Cached& each = cache_.emplace_back();
    each.example = entries[i];
    each.uses = static_cast<int>(entries[i + 1]);
    each.candidates.resize(entries[i + 2]);
    for (Difference& candidate : each.candidates) {
      good = good && sizes.front() <= keys.size() - at;
      if (!good) break;
      for (const std::size_t end = at + sizes.front(); at < end; ++at) {
        candidate.push_back({keys[at], labels[at], counts[at]});
      }
      sizes = sizes.subspan(1);
    }
  }
  if (!good || !sizes.empty() || at != keys.size()) {
    throw file.damaged(prefix + "cache", "does not fit together");
  }
}

Epoch Learner::run_epoch(int epoch) {
  std::vector<std::uint32_t> order(examples_.size());
  std::iota(order.begin(), order.end(), 0U);
  pass_order(options_.seed, static_cast<std::uint32_t>(epoch)).shuffle(std::span(order));
  std::vector<Answer> answers(static_cast<std::size_t>(options_.batch));
  Epoch result;
  for (std::size_t begin = 0; begin < order.size(); begin += answers.size()) {
    const std::size_t size = std::min(answers.size(), order.size() - begin);
    team_.for_each(size, [&](std::size_t k) { answer(order[begin + k], answers[k]); });
    for (std::size_t k = 0; k < size; ++k) {
      result.wrong += answers[k].candidates.empty() ? 0 : 1;
      result.lost += answers[k].lost ? 1 : 0;
      if (!answers[k].candidates.empty()) learn(answers[k].candidates.front(), answers[k].loss);
      if (options_.cache.rounds > 0) {
        keep(order[begin + k], answers[k]);
        if (++since_sweep_ >= options_.cache.every) {
          sweep();
          since_sweep_ = 0;
        }
      }
      weights_.end_step();
    }
  }
  result.features = weights_.rows();
  return result;
}

}  // namespace copse::incremental
