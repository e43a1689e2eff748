#include "copse/constituency/spinal/survivors.h"

#include <algorithm>
#include <numeric>

#include "copse/constituency/spinal/training.h"

namespace copse::spinal {
namespace {

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / std::max<double>(1, static_cast<double>(whole));
}

}  // namespace

Survivors::Survivors(std::span<const Example> examples, const Inventory& inventory,
                     const Lexicon& lexicon, const TrainingOptions& options, ThreadTeam& team)
    : examples_(examples),
      inventory_(inventory),
      options_(options),
      team_(team),
      arcs_(examples.size()),
      kept_(examples.size()) {
  for (const Example& each : examples) {
    std::vector<std::string> tags;
    for (int m = 1; m <= each.derivation.words(); ++m) {
      tags.emplace_back(inventory.labels().text(each.derivation.spines[at(m)].tag));
    }
    views_.push_back(std::make_unique<WordViews>(each.words, tags, lexicon));
    gold_.push_back(analysis_of(each.derivation, inventory));
  }
}

bool Survivors::is_learnt(std::size_t i) const {
  return examples_[i].words.size() <= at(options_.max_length);
}

std::vector<std::uint32_t> Survivors::learnt() const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < examples_.size(); ++i) {
    if (is_learnt(i)) out.push_back(i);
  }
  return out;
}

std::size_t Survivors::learnt_words() const {
  std::size_t words = 0;
  for (const std::uint32_t i : learnt()) words += examples_[i].words.size();
  return words;
}

Pruner Survivors::learn_pruner(const UnseenFold& left_out) const {
  std::vector<PrunerExample> from;
  for (const std::uint32_t i : learnt()) {
    if (!left_out.has(i)) from.push_back({words(i), &gold_[i]});
  }
  return Pruner::train(from, inventory_, options_.pruner, team_);
}

// Whether the pruner was learnt from each of the examples.
std::vector<bool> Survivors::seen_by_pruner(const UnseenFold& left_out) const {
  std::vector<std::uint32_t> from = learnt();
  std::erase_if(from, [&](std::uint32_t i) { return left_out.has(i); });
  std::vector<bool> out(examples_.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    out[from[k]] = options_.pruner.learns_from(k, from.size());
  }
  return out;
}

void Survivors::prune(const Pruner& pruner, const UnseenFold& fold, const UnseenFold& unseen) {
  const std::vector<bool> seen = seen_by_pruner(unseen);
  team_.for_each(
      fold.end - fold.begin, [] { return Memory(); },
      [&](std::size_t k, Memory& memory) {
        const std::size_t i = fold.begin + k;
        if (!is_learnt(i)) return;
        memory.atoms.fill(words(i), options_.clusters.get());
        const double alpha = seen[i] ? options_.training_alpha
                                     : std::max(options_.training_alpha, options_.model.alpha);
        keep(i, pruner.prune(words(i), memory.atoms, alpha, memory.pruner));
      });
}

void Survivors::keep(std::size_t i, std::span<const SpinalArc> arcs) {
  const Analysis& gold = gold_[i];
  std::vector<bool> found(at(gold.words()) + 1);
  std::vector<PackedArc>& out = arcs_[i];
  const auto add = [&](int h, int m, int label) {
    out.push_back({static_cast<std::uint16_t>(h), static_cast<std::uint16_t>(m),
                   static_cast<std::uint16_t>(label)});
  };
  out.reserve(arcs.size() + at(gold.words()));
  for (const SpinalArc& arc : arcs) {
    add(arc.h, arc.m, arc.label);
    if (!gold.has(arc)) continue;
    found[at(arc.m)] = true;
    ++kept_[i];
  }
  for (int m = 1; m <= gold.words(); ++m) {
    if (!found[at(m)]) add(gold.head[at(m)], m, gold.adjunction[at(m)]);
  }
  out.shrink_to_fit();
}

double Survivors::coverage() const {
  return 100 * share(std::accumulate(kept_.begin(), kept_.end(), std::size_t{0}), learnt_words());
}

double Survivors::active() const {
  std::size_t all = 0;
  for (const auto& arcs : arcs_) all += arcs.size();
  return share(all, learnt_words());
}

SpinalParts Survivors::parts(std::size_t i) const {
  std::vector<SpinalArc> arcs;
  arcs.reserve(arcs_[i].size());
  for (const PackedArc& arc : arcs_[i]) arcs.push_back({arc.h, arc.m, arc.label});
  const std::vector<std::string>& tags = views_[i]->tags();
  auto spines = spines_of(inventory_, examples_[i].words, tags);
  for (int m = 1; m <= gold_[i].words(); ++m) {
    add_spine(inventory_, tags[at(m) - 1], gold_[i].chain[at(m)], spines[at(m)]);
  }
  return {inventory_.adjunctions(), std::move(spines), std::move(arcs)};
}

}  // namespace copse::spinal
