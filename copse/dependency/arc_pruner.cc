#include "copse/dependency/arc_pruner.h"

#include <algorithm>

namespace copse {
namespace {

bool has_tree(const TreeKind& kind, const ArcMask& mask, TreeSearch& search) {
  const PartIndex index = kind.index(mask);
  return search.best(kind, index, PartScores(index)).status == SearchStatus::ok;
}

// A chain to the right hangs every word on the one before: if it is there, no search is needed.
bool has_chain(const ArcMask& mask) {
  for (int m = 1; m <= mask.words(); ++m) {
    if (!mask.allowed(m - 1, m)) return false;
  }
  return true;
}

ArcMask both(const ArcMask& filter, const ArcMask& demanded) {
  ArcMask out = ArcMask::none(filter.words());
  for (int m = 1; m <= filter.words(); ++m) {
    const std::vector<int> heads = demanded.heads(m);
    const bool decided = heads.size() == 1;
    for (const int h : heads) {
      if (decided || filter.allowed(h, m)) out.allow(h, m);
    }
  }
  return out;
}

}  // namespace

ArcPruner::ArcPruner(LengthFilter filter, PartScorer scorer, double threshold, const TreeKind& kind)
    : filter_(std::move(filter)), scorer_(std::move(scorer)), threshold_(threshold) {
  set_kind(kind);
}

void ArcPruner::set_kind(const TreeKind& kind) {
  kind_ = kind;
  kind_.order = Factorisation::first;
}

ArcMask ArcPruner::passed(std::span<const ParserWord> words, const ArcMask* demanded) const {
  ArcMask mask = filter_.mask(words);
  return demanded != nullptr ? both(mask, *demanded) : mask;
}

ArcMask ArcPruner::candidates(std::span<const ParserWord> words, const PositionAtoms& atoms,
                              const ArcMask* demanded) const {
  ArcMask mask = passed(words, demanded);
  tag_filter_.apply(words, atoms, mask);
  return mask;
}

ArcMask ArcPruner::filtered(std::span<const ParserWord> words, const ArcMask* demanded,
                            TreeSearch& search) const {
  const int n = static_cast<int>(words.size());
  ArcMask mask = passed(words, demanded);
  if (has_chain(mask) || has_tree(kind_, mask, search)) return mask;
  if (demanded == nullptr) return ArcMask(n);
  return has_tree(kind_, *demanded, search) ? *demanded : ArcMask::none(n);
}

ArcMask ArcPruner::prune(std::span<const ParserWord> words, const PositionAtoms& atoms,
                         const ArcMask* demanded, Scratch& scratch) const {
  const bool has_scorer = threshold_ > 0 && !words.empty();
  if (has_scorer) {
    auto kept = likely(candidates(words, atoms, demanded), atoms, scratch);
    if (kept) return std::move(*kept);
  }
  ArcMask mask = filtered(words, demanded, scratch.search);
  if (!has_scorer) return mask;
  return likely(mask, atoms, scratch).value_or(mask);
}

std::optional<ArcMask> ArcPruner::likely(const ArcMask& mask, const PositionAtoms& atoms,
                                         Scratch& scratch) const {
  const int n = mask.words();
  const PartIndex index = kind_.index(mask);
  scorer_.score(index, atoms, scratch.scorer, scratch.scores);
  const Marginals found = scratch.search.marginals(kind_, index, scratch.scores);
  if (found.status != SearchStatus::ok) return std::nullopt;
  std::vector<int> likeliest(static_cast<std::size_t>(n) + 1, 0);
  std::vector<double> highest(static_cast<std::size_t>(n) + 1, -1);
  for (int a = 0; a < index.arcs(); ++a) {
    const auto m = static_cast<std::size_t>(index.arc(a).m);
    if (found.mu[index.dep(a)] <= highest[m]) continue;
    highest[m] = found.mu[index.dep(a)];
    likeliest[m] = index.arc(a).h;
  }
  ArcMask kept = ArcMask::none(n);
  for (int a = 0; a < index.arcs(); ++a) {
    const auto [h, m, side] = index.arc(a);
    if (found.mu[index.dep(a)] >= threshold_ * highest[static_cast<std::size_t>(m)]) {
      kept.allow(h, m);
    }
  }
  if (kind_.holds(likeliest)) return kept;
  const BestTree best = scratch.search.best(kind_, index, scratch.scores);
  if (best.status != SearchStatus::ok) return std::nullopt;
  for (int m = 1; m <= n; ++m) kept.allow(best.tree.heads[static_cast<std::size_t>(m)], m);
  return kept;
}

}  // namespace copse
