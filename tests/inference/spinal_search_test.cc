// The spinal chart against all derivations of short sentences, written out by the definition.
#include "copse/inference/spinal_search.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "copse/base/random.h"
#include "tests/repeats.h"

namespace copse {
namespace {

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

// A sentence with random spines and arcs. Tags are 0 and 1, phrases 2 to 4, 5 TOP and 6 the root.
struct Case {
  Case(int words, std::uint64_t seed, bool second_order) {
    Random random(seed);
    const std::vector<std::vector<std::uint16_t>> kinds = {{0},    {0, 2},    {0, 2, 3},
                                                           {1, 3}, {1, 4, 3}, {1, 2, 3, 2}};
    std::vector<std::vector<SpinalSpine>> spines(at(words) + 1);
    for (int i = 1; i <= words; ++i) {
      const auto first = random.below(kinds.size());
      const auto second = (first + 1 + random.below(kinds.size() - 1)) % kinds.size();
      spines[at(i)] = {{kinds[first], 7}, {kinds[second], 8}};
    }
    for (std::uint16_t x = 2; x <= 4; ++x) {
      for (std::uint16_t y = 0; y <= 4; ++y) {
        for (std::uint16_t z = 0; z <= 4; ++z) {
          labels.push_back({x, y, z, 0});
          if (y == x) labels.push_back({x, y, z, 1});
          if (y == x && z > 2) labels.push_back({x, y, z, 2});
        }
      }
    }
    for (std::uint16_t z = 0; z <= 4; ++z) labels.push_back({5, 6, z, 0});
    std::vector<SpinalArc> arcs;
    for (int h = 0; h <= words; ++h) {
      for (int m = 1; m <= words; ++m) {
        if (m == h || random.below(8) == 0) continue;
        for (int l = 0; l < static_cast<int>(labels.size()); ++l) {
          if ((labels[at(l)].x == 5) != (h == 0) || random.below(5) == 0) continue;
          arcs.push_back({h, m, l});
        }
      }
    }
    parts.emplace(labels, spines, arcs);
    scores.reset(*parts, second_order, 3);
    for (auto* values : {&scores.spine, &scores.dep, &scores.begin, &scores.end, &scores.sib,
                         &scores.inner, &scores.outer, &scores.edges}) {
      // Sums of such numbers are exact.
      for (float& value : *values) value = static_cast<float>(random.between(-64, 64)) / 64;
    }
    for (int& group : scores.group) group = static_cast<int>(random.below(3));
  }

  std::vector<SpinalLabel> labels;
  std::optional<SpinalParts> parts;
  SpinalScores scores;
};

// Every derivation with its score, by the definition and nothing else.
class Enumeration {
 public:
  explicit Enumeration(const Case& of)
      : parts_(*of.parts), scores_(of.scores), labels_(of.labels), n_(parts_.words()) {
    heads_.assign(at(n_) + 1, 0);
    choose_head(1);
  }
  std::vector<SpinalDerivation> found;

 private:
  struct Choice {
    int position, rise;
  };

  void choose_head(int m) {
    if (m > n_) {
      if (is_projective_tree()) choose_spine(1);
      return;
    }
    for (int h = 0; h <= n_; ++h) {
      if (h == m) continue;
      heads_[at(m)] = h;
      choose_head(m + 1);
    }
  }
  bool above(int h, int m) const {
    for (int steps = 0; steps <= n_ && m != 0; ++steps) {
      if (m == h) return true;
      m = heads_[at(m)];
    }
    return h == 0 && m == 0;
  }
  bool is_projective_tree() const {
    int roots = 0;
    for (int m = 1; m <= n_; ++m) {
      const int h = heads_[at(m)];
      roots += h == 0 ? 1 : 0;
      if (!above(0, m)) return false;
      for (int k = std::min(h, m) + 1; k < std::max(h, m); ++k) {
        if (!above(h, k)) return false;
      }
    }
    return roots == 1;
  }
  void choose_spine(int m) {
    if (m == 1) spine_.assign(at(n_) + 1, -1);
    if (m > n_) {
      choices_.assign(at(n_) + 1, {1, 0});
      choose_adjunction(1);
      return;
    }
    for (int k = 0; k < static_cast<int>(parts_.spines(m).size()); ++k) {
      spine_[at(m)] = k;
      choose_spine(m + 1);
    }
  }
  const SpinalSpine& spine(int m) const { return parts_.spines(m)[at(spine_[at(m)])]; }

  void choose_adjunction(int m) {
    if (m > n_) {
      add();
      return;
    }
    if (heads_[at(m)] == 0) {
      choices_[at(m)] = {1, 0};
      choose_adjunction(m + 1);
      return;
    }
    for (int p = 1; p <= spine(heads_[at(m)]).height(); ++p) {
      for (int rise = 0; rise <= 2; ++rise) {
        choices_[at(m)] = {p, rise};
        choose_adjunction(m + 1);
      }
    }
  }
  // The modifiers of h between it and m, from h outwards.
  std::vector<int> inside(int h, int m) const {
    std::vector<int> out;
    const int step = h < m ? 1 : -1;
    for (int c = h + step; c != m; c += step) {
      if (heads_[at(c)] == h) out.push_back(c);
    }
    return out;
  }
  // The labelled arc into m; -1 if there is none.
  int arc_into(int m) const {
    const int h = heads_[at(m)];
    SpinalLabel label{5, 6, spine(m).top(), 0};
    if (h != 0) {
      const auto [p, rise] = choices_[at(m)];
      bool raised = rise > 0;
      for (const int c : inside(h, m)) {
        if (choices_[at(c)].position > p) return -1;
        raised |= choices_[at(c)].position == p && choices_[at(c)].rise > 0;
      }
      label.x = spine(h).nodes[at(p)];
      label.y = raised ? label.x : spine(h).nodes[at(p - 1)];
      label.rise = static_cast<std::uint16_t>(rise);
    }
    const auto where = std::find(labels_.begin(), labels_.end(), label);
    return where == labels_.end() ? -1
                                  : parts_.find(h, m, static_cast<int>(where - labels_.begin()));
  }
  double row(const std::vector<float>& scores, int first, int h,
             const std::vector<int>& mods) const {
    const PartIndex& index = parts_.index();
    const int slot = mods.empty() ? 0 : 1 + index.position(index.find_arc(h, mods.back()));
    return scores[at(first + slot)];
  }
  // The score of the edge of one phrase of h.
  double edge(int h, int p, Side side, int e) const {
    const std::size_t sums =
        SpinalScores::edge_sums(parts_, h, side, e) + at(parts_.first_node(h, spine_[at(h)]));
    return scores_.edges[sums + at(p)] - scores_.edges[sums + at(p) - 1];
  }
  // Of all phrases of h on one side: each ends before the first modifier that goes above it.
  double edges(int h, Side side) const {
    double sum = 0;
    int p = 1, e = h;
    for (const int c : inside(h, side == Side::right ? n_ + 1 : 0)) {
      for (; p < choices_[at(c)].position; ++p) sum += edge(h, p, side, e);
      if (choices_[at(c)].rise > 0) sum += edge(h, p, side, e);
      while (e + 1 <= n_ && side == Side::right && (above(c, e + 1) || e < c)) ++e;
      while (e > 1 && side == Side::left && (above(c, e - 1) || e > c)) --e;
    }
    for (; p <= spine(h).height(); ++p) sum += edge(h, p, side, e);
    return sum;
  }
  void add() {
    SpinalDerivation out{std::vector<int>(at(n_) + 1, -1), std::vector<int>(at(n_) + 1, 0), spine_,
                         0};
    for (int m = 1; m <= n_; ++m) {
      out.arc[at(m)] = arc_into(m);
      if (out.arc[at(m)] < 0) return;
      out.position[at(m)] = choices_[at(m)].position;
    }
    for (int m = 1; m <= n_; ++m) {
      const int a = out.arc[at(m)];
      int begin = m, end = m;
      for (int k = 1; k <= n_; ++k) {
        if (!above(m, k)) continue;
        begin = std::min(begin, k);
        end = std::max(end, k);
      }
      out.score += scores_.spine[at(parts_.first_spine(m) + spine_[at(m)])] + scores_.dep[at(a)];
      const std::size_t group = at(scores_.group[at(a)]) * (at(n_) + 1);
      out.score += scores_.begin[group + at(begin)] + scores_.end[group + at(end)];
      if (scores_.sib.empty()) continue;
      const int h = heads_[at(m)];
      out.score += row(scores_.sib, parts_.sib_row(a), h, inside(h, m));
      const auto left = inside(m, 0), right = inside(m, n_ + 1);
      out.score += row(scores_.inner, parts_.inner_row(a), m, h < m ? left : right);
      out.score += row(scores_.outer, parts_.outer_row(a), m, h < m ? right : left);
      out.score += edges(m, Side::left) + edges(m, Side::right);
    }
    found.push_back(std::move(out));
  }

  const SpinalParts& parts_;
  const SpinalScores& scores_;
  const std::vector<SpinalLabel>& labels_;
  int n_;
  std::vector<int> heads_, spine_;
  std::vector<Choice> choices_;
};

// How many there are.
std::size_t expect_equal_to_enumeration(const Case& of) {
  const std::vector<SpinalDerivation> all = [&] {
    auto found = Enumeration(of).found;
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    return found;
  }();
  SpinalSearch search;
  const SpinalAnswer best = search.best(*of.parts, of.scores);
  if (all.empty()) {
    EXPECT_EQ(best.status, SearchStatus::no_tree);
    EXPECT_EQ(search.k_best(*of.parts, of.scores, 3).status, SearchStatus::no_tree);
    EXPECT_EQ(search.marginals(*of.parts, of.scores).status, SearchStatus::no_tree);
    return 0;
  }
  EXPECT_EQ(best.status, SearchStatus::ok);
  EXPECT_EQ(best.derivation.score, all.front().score);
  EXPECT_NE(std::find(all.begin(), all.end(), best.derivation), all.end());

  // All of them, once each: as many as there are, and each found in the enumeration.
  const SpinalList list = search.k_best(*of.parts, of.scores, static_cast<int>(all.size()) + 5);
  EXPECT_EQ(list.derivations.size(), all.size());
  if (list.derivations.size() != all.size()) return 0;
  std::map<std::tuple<std::vector<int>, std::vector<int>, std::vector<int>>, double> by_name;
  for (const auto& each : all) by_name[{each.arc, each.position, each.spine}] = each.score;
  EXPECT_EQ(by_name.size(), all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    const SpinalDerivation& each = list.derivations[k];
    EXPECT_EQ(each.score, all[k].score);
    const auto known = by_name.find({each.arc, each.position, each.spine});
    EXPECT_NE(known, by_name.end());
    if (known == by_name.end()) return 0;
    EXPECT_EQ(known->second, each.score);
    by_name.erase(known);
  }

  double z = 0;
  std::vector<double> arc(at(of.parts->arcs()), 0), spine(at(of.parts->spine_count()), 0);
  for (const auto& each : all) {
    const double weight = std::exp(each.score);
    z += weight;
    for (int m = 1; m <= of.parts->words(); ++m) {
      arc[at(each.arc[at(m)])] += weight;
      spine[at(of.parts->first_spine(m) + each.spine[at(m)])] += weight;
    }
  }
  const SpinalMarginals mu = search.marginals(*of.parts, of.scores);
  EXPECT_NEAR(mu.log_z, std::log(z), 1e-9);
  for (std::size_t a = 0; a < arc.size(); ++a) EXPECT_NEAR(mu.arc[a], arc[a] / z, 1e-9);
  for (std::size_t s = 0; s < spine.size(); ++s) EXPECT_NEAR(mu.spine[s], spine[s] / z, 1e-9);
  return all.size();
}

TEST(SpinalSearch, EqualsTheEnumerationOfAllDerivations) {
  std::size_t derivations = 0;
  for (const bool second_order : {false, true}) {
    for (int words = 1; words <= 4; ++words) {
      const int seeds = words < 4 ? repeats(12, 3) : repeats(2);
      for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(seeds); ++seed) {
        SCOPED_TRACE(fmt::format("second={} words={} seed={}", second_order, words, seed));
        const Case of(words, seed, second_order);
        derivations += expect_equal_to_enumeration(of);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(derivations, 9'000U);  // there was something to find
}

TEST(SpinalSearch, OfTheSecondOrderWithoutItsScoresIsTheFirst) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed={}", seed));
    Case first(6, seed, false);
    Case second(6, seed, true);
    second.scores.reset(*second.parts, true, 3);
    second.scores.spine = first.scores.spine;
    second.scores.dep = first.scores.dep;
    second.scores.begin = first.scores.begin;
    second.scores.end = first.scores.end;
    second.scores.group = first.scores.group;
    SpinalSearch search;
    const SpinalMarginals a = search.marginals(*first.parts, first.scores);
    const SpinalMarginals b = search.marginals(*second.parts, second.scores);
    ASSERT_EQ(a.status, b.status);
    if (a.status != SearchStatus::ok) continue;
    EXPECT_NEAR(a.log_z, b.log_z, 1e-9);
    EXPECT_EQ(search.best(*first.parts, first.scores).derivation.score,
              search.best(*second.parts, second.scores).derivation.score);
    for (int m = 1; m <= 6; ++m) {  // every word has one head and one spine
      double arcs = 0, spines = 0;
      for (int k = 0; k < first.parts->arcs(); ++k) {
        if (first.parts->arc(k).m == m) arcs += a.arc[at(k)];
      }
      for (int k = first.parts->first_spine(m); k < first.parts->first_spine(m + 1); ++k) {
        spines += a.spine[at(k)];
      }
      EXPECT_NEAR(arcs, 1, 1e-9);
      EXPECT_NEAR(spines, 1, 1e-9);
    }
  }
}

TEST(SpinalSearch, StopsAtItsLimits) {
  const Case of(5, 1, true);
  SpinalSearch search({.items = 50, .edges = 50});
  EXPECT_EQ(search.best(*of.parts, of.scores).status, SearchStatus::too_long);
  EXPECT_EQ(search.k_best(*of.parts, of.scores, 2).status, SearchStatus::too_long);
  EXPECT_EQ(search.marginals(*of.parts, of.scores).status, SearchStatus::too_long);
}

TEST(SpinalParts, WhatFitsNowhereIsLeftOut) {
  const std::vector<SpinalLabel> labels = {{2, 0, 3, 0}, {2, 0, 4, 0}, {5, 6, 2, 0}, {4, 0, 3, 0}};
  std::vector<std::vector<SpinalSpine>> spines(3);
  spines[1] = {{{0, 2}, 0}, {{0, 4}, 1}};
  spines[2] = {{{1, 3}, 2}, {{1}, 3}};
  const SpinalParts parts(labels, spines, {{0, 1, 2}, {1, 2, 0}, {1, 2, 1}, {1, 2, 3}, {2, 1, 0}});
  // {0 4} heads nothing that the root takes; then label 3, which needs it, goes; {1} has no arc.
  EXPECT_EQ(parts.arcs(), 2);
  EXPECT_EQ(parts.find(0, 1, 2), 0);
  EXPECT_EQ(parts.find(1, 2, 0), 1);
  EXPECT_EQ(parts.find(1, 2, 1), -1);
  EXPECT_EQ(parts.find(1, 2, 3), -1);
  EXPECT_EQ(parts.find(2, 1, 0), -1);
  ASSERT_EQ(parts.spines(1).size(), 1U);
  EXPECT_EQ(parts.spines(1)[0].id, 0);
  ASSERT_EQ(parts.spines(2).size(), 1U);
  EXPECT_EQ(parts.spines(2)[0].id, 2);
}

}  // namespace
}  // namespace copse
