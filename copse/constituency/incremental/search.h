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
#include <span>
#include <vector>

#include "copse/base/arena.h"
#include "copse/constituency/incremental/scorer.h"
#include "copse/constituency/incremental/search_options.h"
#include "copse/constituency/incremental/spine.h"

namespace copse::incremental {

struct Hypothesis {
  const Hypothesis* before = nullptr;
  const Cell* top = nullptr;  // the deepest phrase that is open; null when all are closed
  Score score;
  Move move;      // chain -1: the end
  int words = 0;  // attached
  bool is_gold = false;
};

// A tag that a word may get.
struct TagReading {
  LabelId tag = kNull;
  double score = 0;  // added to that of hypotheses
};
using Readings = std::vector<TagReading>;

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
    scorer_.set_position(position_);
    candidates_.clear();
    for (const Hypothesis& each : beam_) {
      for (const TagReading& reading : readings) prepare_sites(each, reading.tag);
    }
    for (std::uint32_t h = 0; h < beam_.size(); ++h) {
      for (const TagReading& reading : readings) add_candidates(h, reading);
    }
    if (gold != nullptr) follow(*gold, readings);
    if (candidates_.empty()) relax(readings);
    ++position_;
    keep_best();
  }
  // Closes everything after the last word.
  void finish(bool with_gold = false) {
    scorer_.set_position(position_);
    candidates_.clear();
    for (const Hypothesis& each : beam_) prepare_sites(each, kEnd);
    for (std::uint32_t h = 0; h < beam_.size(); ++h) add_end(h);
    if (candidates_.empty()) {
      ++relaxed_;
      scorer_.set_relaxed(true);
      for (std::uint32_t h = 0; h < beam_.size(); ++h) add_end(h);
      scorer_.set_relaxed(false);
    }
    if (with_gold) {
      Candidate end;
      end_of(*gold_, end);
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
    bool is_gold = false;
  };

  // Every site of a hypothesis, from the deepest, as long as the phrases below may be closed:
  // visit(site, cell, closes, score so far).
  template <class Visit>
  void for_each_site(const Hypothesis& h, LabelId tag, Visit visit) {
    Score score = h.score;
    const Cell* cell = h.top;
    for (int closes = 0;; ++closes) {
      const Site site = scorer_.site(*cell, tag);
      visit(site, closes, score);
      if (cell->up == nullptr || !site.may_end) return;
      score += site.end;
      cell = spines_.close(cell);
    }
  }
  // All sites that for_each_site() will visit.
  void prepare_sites(const Hypothesis& h, LabelId tag) {
    for (const Cell* cell = h.top; scorer_.prepare(*cell, tag) && cell->up != nullptr;) {
      cell = spines_.close(cell);
    }
  }
  void add_candidates(std::uint32_t h, const TagReading& reading) {
    for_each_site(beam_[h], reading.tag, [&](const Site& site, int closes, const Score& score) {
      for (const ChainScore& each : scorer_.chains(site)) {
        Candidate next{score + each.score, h, {closes, each.chain}, false};
        next.score.total += reading.score;
        candidates_.push_back(next);
      }
    });
  }
  void add_end(std::uint32_t h) {
    Candidate end;
    end.from = h;
    end.is_gold = beam_[h].is_gold;
    if (end_of(beam_[h], end)) candidates_.push_back(end);
  }
  // False if the grammar does not let all phrases end.
  bool end_of(const Hypothesis& h, Candidate& out) {
    bool closed = false;
    for_each_site(h, kEnd, [&](const Site& site, int closes, const Score& score) {
      out.score = score + site.end;
      out.move = {closes, -1};
      closed = site.may_end;
    });
    return closed;
  }
  void relax(std::span<const TagReading> readings) {
    ++relaxed_;
    scorer_.set_relaxed(true);
    for (std::uint32_t h = 0; h < beam_.size(); ++h) {
      for (const TagReading& reading : readings) add_candidates(h, reading);
    }
    scorer_.set_relaxed(false);
  }

  // The gold hypothesis goes on, whether or not the grammar in use has its chain.
  void follow(const Move& move, std::span<const TagReading> readings) {
    const Chain& chain = model_.grammar->chain(move.chain);
    Candidate next{gold_->score, 0, move, true};
    const Cell* cell = gold_->top;
    for (int k = 0; k < move.closes; ++k) {
      next.score += scorer_.site(*cell, chain.back()).end;
      cell = spines_.close(cell);
    }
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
  bool goes_on(double best, double score, std::size_t k) const {
    if (k == 0 || options_.rule == BeamRule::fixed) return true;
    const auto rank = static_cast<double>(k);
    const double margin = options_.rule == BeamRule::cubic ? options_.gamma / (rank * rank * rank)
                                                           : options_.gamma - 3 * std::log(rank);
    return score >= best - margin;
  }
  // FILTER. Of equal scores the one that was found first is better.
  void keep_best() {
    order_.resize(candidates_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      const double left = candidates_[a].score.total, right = candidates_[b].score.total;
      return left != right ? left > right : a < b;
    };
    const std::size_t most = std::min(order_.size(), beam_size());
    if (most < order_.size()) {
      std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(most),
                       order_.end(), better);
      order_.resize(most);
    }
    std::sort(order_.begin(), order_.end(), better);
    std::size_t kept = 0;
    const double best = order_.empty() ? 0 : candidates_[order_[0]].score.total;
    while (kept < order_.size() && goes_on(best, candidates_[order_[kept]].score.total, kept)) {
      ++kept;
    }
    const std::span<Hypothesis> next = arena_.make<Hypothesis>(kept);
    for (std::size_t i = 0; i < kept; ++i) {
      const Candidate& candidate = candidates_[order_[i]];
      fill(next[i], beam_[candidate.from], candidate);
    }
    beam_ = next;
  }

  ScoringModel<Weights> model_;
  SearchOptions options_;
  Spines spines_;
  Scorer<Weights> scorer_;
  Arena arena_;
  std::span<Hypothesis> beam_;
  const Hypothesis* gold_ = nullptr;
  std::vector<Candidate> candidates_;
  std::vector<std::uint32_t> order_;
  int position_ = 0;
  int relaxed_ = 0;
};

}  // namespace copse::incremental
