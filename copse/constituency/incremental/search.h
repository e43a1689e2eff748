// Beam search from left to right (Collins & Roark 2004, section 2):
//
//   F_0 = { the empty tree }
//   F_i = FILTER( union over h in F_(i-1) of ADV(h, word i) )
//
// ADV closes any number of open phrases and attaches one chain; FILTER is SearchOptions. After the
// last word all phrases are closed. Where no hypothesis can go on, steps that the grammar does not
// know are allowed at a price. Hypotheses are kept until the next sentence; each knows the one that it
// goes on from, and trees are built for those that are asked for.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "copse/base/arena.h"
#include "copse/constituency/incremental/scorer.h"
#include "copse/constituency/incremental/search_options.h"
#include "copse/constituency/incremental/spine.h"
#include "copse/constituency/incremental/tag_candidates.h"

namespace copse::incremental {

struct Hypothesis {
  const Hypothesis* before = nullptr;
  const Cell* top = nullptr;  // the deepest phrase that is open; null when all are closed
  Score score;
  Move move;      // chain -1: the end
  int words = 0;  // attached
  bool is_gold = false;
};

template <class Weights>
class Search {
 public:
  // A sentence; `words` must stay.
  void start(const ScoringModel<Weights>& model, const SentenceWords& words,
             const SearchOptions& options) {
    model_ = model;
    options_ = options;
    spines_.start(*model.grammar, *model.heads);
    scorer_.start(model, words);
    arena_.reset();
    relaxed_ = 0;
    position_ = 0;
    const std::span<Hypothesis> first = arena_.make<Hypothesis>(1);
    first[0].top = spines_.root();
    first[0].is_gold = true;
    beam_ = first;
    gold_ = first.data();
  }

  // Attaches the next word, which may have these tags, at least one. With a gold move, its hypothesis
  // is followed beside the beam and is generated whenever it can be.
  void advance(std::span<const TagReading> readings, const Move* gold = nullptr) {
    add_candidates(readings, false);
    if (gold != nullptr) follow(*gold, readings);
    if (candidates_.empty()) {
      ++relaxed_;
      add_candidates(readings, true);
    }
    ++position_;
    keep_best();
  }
  // Closes everything after the last word.
  void finish(bool with_gold = false) {
    add_ends(false);
    if (candidates_.empty()) {
      ++relaxed_;
      add_ends(true);
    }
    if (with_gold) {
      Candidate end;
      end.score = gold_->score;
      const Cell* cell = gold_->top;
      while (cell->up != nullptr) cell = close(cell, kEnd, end);
      end.score += end_of(*cell, kEnd);
      gold_ = make_one(*gold_, end);
    }
    keep_best();
  }

  // Best first.
  std::span<const Hypothesis> beam() const { return beam_; }
  const Hypothesis* gold() const { return gold_; }
  int position() const { return position_; }
  // Words (and the end) for which nothing was left that the grammar knows.
  int relaxed() const { return relaxed_; }

  static std::vector<const Hypothesis*> path(const Hypothesis& last) {
    std::vector<const Hypothesis*> out;
    for (const Hypothesis* h = &last; h->before != nullptr; h = h->before) out.push_back(h);
    std::ranges::reverse(out);
    return out;
  }
  Spines& spines() { return spines_; }

 private:
  struct Candidate {
    Score score;  // of the whole hypothesis
    std::uint32_t from = 0;
    Move move{0, -1};
    struct Rank {
      std::uint32_t visit = 0, node = 0;
      auto operator<=>(const Rank&) const = default;
    } rank;  // the lower one is better if scores are equal
    bool is_gold = false;
  };

  // A hypothesis of the beam at one of its sites.
  struct Visit {
    std::uint32_t from = 0, site = 0;
    std::uint16_t reading = 0;
    std::int32_t closes = 0;
    Score score;  // with the ends of the phrases below
  };

  // All sites of all hypotheses, from the deepest, as long as the phrases below may be closed.
  void visit_sites(std::span<const TagReading> readings, bool relaxed) {
    scorer_.set_position(position_, relaxed);
    visits_.clear();
    for (std::uint32_t h = 0; h < beam_.size(); ++h) {
      for (std::uint16_t r = 0; r < readings.size(); ++r) {
        const Cell* cell = beam_[h].top;
        for (std::int32_t closes = 0;; ++closes) {
          const std::uint32_t site = scorer_.find(*cell, readings[r].tag);
          visits_.push_back({h, site, r, closes, {}});
          if (cell->up == nullptr || !scorer_.site(site).may_end) break;
          cell = spines_.close(cell);
        }
      }
    }
    scorer_.look_up_sites();
    Score score;
    for (Visit& each : visits_) {
      if (each.closes == 0) {
        score = beam_[each.from].score;
        score.total += readings[each.reading].score;
      }
      each.score = score;
      scorer_.reach(each.site, score.total);
      score += scorer_.site(each.site).end;
    }
  }
  void add_candidates(std::span<const TagReading> readings, bool relaxed) {
    visit_sites(readings, relaxed);
    scorer_.grow_chains(relaxed ? Scorer<Weights>::kAll : chain_beam());
    candidates_.clear();
    for (std::uint32_t i = 0; i < visits_.size(); ++i) {
      const Visit& each = visits_[i];
      scorer_.for_each_chain(scorer_.site(each.site), [&](const ChainScore& chain) {
        candidates_.push_back({each.score + chain.score,
                               each.from,
                               {each.closes, chain.chain},
                               {i, static_cast<std::uint32_t>(chain.node)},
                               false});
      });
    }
  }
  // Of hypotheses whose phrases the grammar lets all end.
  void add_ends(bool relaxed) {
    constexpr TagReading kNothing{kEnd, 0};
    visit_sites({&kNothing, 1}, relaxed);
    candidates_.clear();
    for (std::uint32_t i = 0; i < visits_.size(); ++i) {
      const Visit& each = visits_[i];
      const Site& site = scorer_.site(each.site);
      if (site.cell->up != nullptr || !site.may_end) continue;
      candidates_.push_back(
          {each.score + site.end, each.from, {each.closes, -1}, {i, 0}, beam_[each.from].is_gold});
    }
  }

  Score end_of(const Cell& cell, LabelId tag) {
    const std::uint32_t site = scorer_.find(cell, tag);
    scorer_.look_up_sites();
    return scorer_.site(site).end;
  }
  // One phrase less is open.
  const Cell* close(const Cell* cell, LabelId tag, Candidate& candidate) {
    candidate.score += end_of(*cell, tag);
    ++candidate.move.closes;
    return spines_.close(cell);
  }

  // The gold hypothesis goes on, whether or not the grammar in use has its chain.
  void follow(const Move& move, std::span<const TagReading> readings) {
    const Chain& chain = model_.grammar->chain(move.chain);
    Candidate next{gold_->score, 0, {0, move.chain}, {UINT32_MAX, 0}, true};
    const Cell* cell = gold_->top;
    while (next.move.closes < move.closes) cell = close(cell, chain.back(), next);
    next.score += scorer_.chain(*cell, chain);
    for (const TagReading& reading : readings) {
      if (reading.tag == chain.back()) next.score.total += reading.score;
    }
    for (std::uint32_t h = 0; h < beam_.size(); ++h) {
      if (!beam_[h].is_gold) continue;
      bool found = false;
      for (Candidate& each : candidates_) {
        if (each.from != h || each.move != move) continue;
        each.is_gold = found = true;
      }
      next.from = h;
      if (!found) candidates_.push_back(next);
    }
    gold_ = make_one(*gold_, next);
  }

  const Hypothesis* make_one(const Hypothesis& before, const Candidate& candidate) {
    const std::span<Hypothesis> made = arena_.make<Hypothesis>(1);
    fill(made[0], before, candidate);
    return made.data();
  }
  void fill(Hypothesis& out, const Hypothesis& before, const Candidate& candidate) {
    out.before = &before;
    out.score = candidate.score;
    out.move = candidate.move;
    out.is_gold = candidate.is_gold;
    out.words = before.words;
    if (candidate.move.chain < 0) return;
    const Cell* cell = before.top;
    for (int k = 0; k < candidate.move.closes; ++k) cell = spines_.close(cell);
    out.top = spines_.attach(cell, model_.grammar->chain(candidate.move.chain), before.words);
    ++out.words;
  }

  std::size_t beam_size() const {
    int size = options_.beam;
    for (int over = position_ - options_.halve_after; over > 0 && size > 1;
         over -= options_.halve_after) {
      size /= 2;
    }
    return static_cast<std::size_t>(size);
  }
  std::size_t chain_beam() const {
    if (options_.chain_beam == 0) return Scorer<Weights>::kAll;
    if (options_.chain_beam < 0) return std::max<std::size_t>(16, beam_size());
    return static_cast<std::size_t>(options_.chain_beam);
  }
  bool goes_on(double best, double score, std::size_t k) const {
    if (k == 0 || options_.rule == BeamRule::fixed) return true;
    const auto rank = static_cast<double>(k);
    const double margin = options_.rule == BeamRule::cubic ? options_.gamma / (rank * rank * rank)
                                                           : options_.gamma - 3 * std::log(rank);
    return score >= best - margin;
  }
  // FILTER. Of equal scores that of the better hypothesis is better, then that which closes less.
  void keep_best() {
    order_.resize(candidates_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    const auto worse = [&](std::uint32_t a, std::uint32_t b) {
      const double left = candidates_[a].score.total, right = candidates_[b].score.total;
      return left != right ? left < right : candidates_[a].rank > candidates_[b].rank;
    };
    std::ranges::make_heap(order_, worse);
    const double best = candidates_[order_[0]].score.total;
    const std::span<Hypothesis> next =
        arena_.make<Hypothesis>(std::min(order_.size(), beam_size()));
    states_.clear();
    std::size_t kept = 0;
    for (; kept < next.size() && !order_.empty(); order_.pop_back()) {
      std::ranges::pop_heap(order_, worse);
      const Candidate& candidate = candidates_[order_.back()];
      if (!goes_on(best, candidate.score.total, kept)) break;
      fill(next[kept], beam_[candidate.from], candidate);
      if (!options_.merge || is_new(next[kept])) ++kept;
    }
    beam_ = next.first(kept);
  }
  // False if a better hypothesis has the same future.
  bool is_new(const Hypothesis& h) { return h.top == nullptr || states_.find(h.top->state).is_new; }

  ScoringModel<Weights> model_;
  SearchOptions options_;
  Spines spines_;
  Scorer<Weights> scorer_;
  Arena arena_;
  std::span<Hypothesis> beam_;
  const Hypothesis* gold_ = nullptr;
  std::vector<Visit> visits_;
  std::vector<Candidate> candidates_;
  std::vector<std::uint32_t> order_;
  ContextCache states_;  // of the hypotheses kept
  int position_ = 0;
  int relaxed_ = 0;
};

}  // namespace copse::incremental
