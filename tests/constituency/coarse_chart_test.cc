// The coarse chart against sums over all derivations by plain recursion, in double precision and
// without scaling. What is outside an item is the slope of the total in the item's own sum: one is
// added to the item and the total computed again, for a derivation has an item once at most.
#include "copse/constituency/generative/coarse_chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "tests/constituency/constituency_testing.h"

namespace copse::generative {
namespace {

using constituency_testing::kTinyTreebank;
using constituency_testing::plain_model;
using constituency_testing::prepared_trees;
using constituency_testing::split;

enum Kind { kComplete, kRightOpen, kTurned, kLeftOpen, kTag };
using ItemKey = std::tuple<Kind, int, int, int, int>;  // kind, begin, end, class, phrase or tag

class AllDerivations {
 public:
  // `bonus`: of each phrase over each span, as the chart takes it; empty: none.
  AllDerivations(const CoarseGrammar& grammar, const std::vector<WordReading>& words,
                 const std::vector<float>& bonus)
      : grammar_(grammar), words_(words), bonus_(bonus), n_(static_cast<int>(words.size())) {}

  double total() {
    known_.clear();
    double sum = 0;
    for (int x = 0; x < grammar_.tags() + grammar_.phrases(); ++x) {
      sum += grammar_.top(static_cast<std::size_t>(x)) * whole(0, n_, x);
    }
    return sum;
  }
  double outside(const ItemKey& item) {
    const double before = total();
    raised_ = item;
    const double after = total();
    raised_ = {};
    return after - before;
  }
  // As the chart counts it: a complete item with the chains below it.
  double inside(const ItemKey& item) {
    known_.clear();
    const auto& [kind, i, j, c, p] = item;
    return kind == kComplete ? whole(i, j, grammar_.tags() + p) : sum(item);
  }

 private:
  double rule(const std::vector<CoarseGrammar::Rule>& rules, std::size_t target) const {
    double probability = 0;
    for (const auto& rule : rules) probability += rule.target == target ? rule.probability : 0.0F;
    return probability;
  }
  double stop(Side side, int c, int p) const {
    return grammar_.stops(side, static_cast<Previous>(c))[p];
  }

  // A label over [i,j) with any chain below it.
  double whole(int i, int j, int label) {
    if (label < grammar_.tags()) return j == i + 1 ? sum({kTag, i, j, 0, label}) : 0;
    double result = 0;
    for (int steps = 0; steps <= CoarseGrammar::kLongestChain; ++steps) {
      result += chained(i, j, label - grammar_.tags(), steps);
    }
    return result;
  }

  // A phrase over [i,j) with so many phrases below it in a chain; a tag is not counted.
  double chained(int i, int j, int p, int steps) {
    const auto target = static_cast<std::size_t>(p);
    double result = steps == 0 ? sum({kComplete, i, j, 0, p}) : 0;
    for (int q = 0; steps > 0 && q < grammar_.phrases(); ++q) {
      result +=
          one_step(grammar_.tags() + q, target) * chained(i, j, q, steps - 1) * boost(i, j, p);
    }
    for (int t = 0; steps == 0 && j == i + 1 && t < grammar_.tags(); ++t) {
      result += sum({kTag, i, j, 0, t}) * one_step(t, target) * boost(i, j, p);
    }
    return result;
  }
  double one_step(int label, std::size_t target) const {
    if (label == grammar_.tags() + static_cast<int>(target)) return 0;
    return rule(grammar_.openings(static_cast<std::size_t>(label)), target) *
           stop(Side::left, 0, static_cast<int>(target)) *
           stop(Side::right, 0, static_cast<int>(target));
  }
  double boost(int i, int j, int p) const {
    if (bonus_.empty()) return 1;
    return std::exp(bonus_[static_cast<std::size_t>((i * n_ + j - 1) * grammar_.phrases() + p)]);
  }

  double sum(const ItemKey& item) {
    if (const auto known = known_.find(item); known != known_.end()) return known->second;
    const auto& [kind, i, j, c, p] = item;
    double result = raised_ && *raised_ == item ? 1 : 0;
    if (kind == kTag) {
      for (const TagCandidate& tag : words_[static_cast<std::size_t>(i)].tags) {
        if (tag.tag == p) result += tag.emission;
      }
    } else if (kind == kComplete) {
      result += sum({kTurned, i, j, 0, p}) * stop(Side::left, 0, p);
      for (int d = 1; d < kPreviousClasses; ++d) {
        result += sum({kLeftOpen, i, j, d, p}) * stop(Side::left, d, p);
      }
      // What is outside a whole phrase is without its own bonus.
      const double raised = raised_ && *raised_ == item ? 1 : 0;
      result = (result - raised) * boost(i, j, p) + raised;
    } else if (kind == kTurned) {
      for (int d = 1; d < kPreviousClasses; ++d) {
        result += sum({kRightOpen, i, j, d, p}) * stop(Side::right, d, p);
      }
    } else if (c == 0 && kind == kLeftOpen) {
      result +=
          sum({kTurned, i, j, 0, p}) + sum({kRightOpen, i, j, 0, p}) * stop(Side::right, 0, p);
    } else if (c == 0) {
      for (int x = 0; x < grammar_.tags() + grammar_.phrases(); ++x) {
        const double begun =
            rule(grammar_.openings(static_cast<std::size_t>(x)), static_cast<std::size_t>(p));
        if (begun > 0) result += begun * whole(i, j, x);
      }
    } else {
      result += modified(kind, i, j, c, p);
    }
    return known_[item] = result;
  }

  double modified(Kind kind, int i, int j, int c, int p) {
    const Side side = kind == kRightOpen ? Side::right : Side::left;
    double result = 0;
    for (int k = i + 1; k < j; ++k) {
      for (int d = 0; d < kPreviousClasses; ++d) {
        const double open = side == Side::right ? sum({kind, i, k, d, p}) : sum({kind, k, j, d, p});
        if (open == 0) continue;
        const auto target =
            static_cast<std::size_t>((d * CoarseGrammar::kClasses + c - 1) * grammar_.row() + p);
        for (int m = 0; m < grammar_.tags() + grammar_.phrases(); ++m) {
          const double chosen = rule(grammar_.modifiers(side, static_cast<std::size_t>(m)), target);
          if (chosen == 0) continue;
          result += open * chosen * (side == Side::right ? whole(k, j, m) : whole(i, k, m));
        }
      }
    }
    return result;
  }

  const CoarseGrammar& grammar_;
  const std::vector<WordReading>& words_;
  const std::vector<float>& bonus_;
  int n_;
  std::optional<ItemKey> raised_;
  std::map<ItemKey, double> known_;
};

class CoarseSums : public ::testing::TestWithParam<const char*> {
 protected:
  CoarseSums() {
    const auto words = split(GetParam());
    for (std::size_t i = 0; i < words.size(); ++i) {
      readings_.push_back(model_.lexicon().read(words[i], i == 0));
    }
  }

  // Bonuses between -1 and 1 that are all different.
  std::vector<float> some_bonus() const {
    const std::size_t n = readings_.size();
    std::vector<float> bonus(n * n * static_cast<std::size_t>(grammar_.phrases()));
    for (std::size_t at = 0; at < bonus.size(); ++at) {
      bonus[at] = static_cast<float>(std::sin(static_cast<double>(at)));
    }
    return bonus;
  }

  float kept(const ItemKey& item) const {
    const auto& [kind, i, j, c, p] = item;
    const auto previous = static_cast<Previous>(c);
    switch (kind) {
      case kComplete:
        return chart_.complete(i, j, p);
      case kRightOpen:
        return chart_.right(i, j, previous, p);
      case kTurned:
        return chart_.turned(i, j, p);
      case kLeftOpen:
        return chart_.left(i, j, previous, p);
      default:
        return chart_.tag(i, static_cast<LabelId>(p));
    }
  }

  std::vector<ItemKey> items() const {
    std::vector<ItemKey> all;
    const int n = static_cast<int>(readings_.size());
    for (int i = 0; i < n; ++i) {
      for (const TagCandidate& tag : readings_[static_cast<std::size_t>(i)].tags) {
        all.emplace_back(kTag, i, i + 1, 0, tag.tag);
      }
      for (int j = i + 1; j <= n; ++j) {
        for (int p = 0; p < grammar_.phrases(); ++p) {
          all.emplace_back(kComplete, i, j, 0, p);
          all.emplace_back(kTurned, i, j, 0, p);
          for (int c = 0; c < kPreviousClasses; ++c) {
            all.emplace_back(kRightOpen, i, j, c, p);
            all.emplace_back(kLeftOpen, i, j, c, p);
          }
        }
      }
    }
    return all;
  }

  const std::vector<PreparedTree> trees_ = prepared_trees(kTinyTreebank);
  const GenerativeModel model_{trees_, plain_model()};
  const CoarseGrammar grammar_{trees_, model_.labels(), model_.lexicon()};
  std::vector<WordReading> readings_;
  CoarseChart chart_;
};

TEST_P(CoarseSums, OutsideSumsEqualThoseOverAllDerivations) {
  for (const auto& bonus : {std::vector<float>{}, some_bonus()}) {
    AllDerivations all(grammar_, readings_, bonus);
    ASSERT_TRUE(chart_.run(grammar_, readings_, 0, {}, {}, bonus));
    std::optional<double> constant;
    int compared = 0;
    for (const ItemKey& item : items()) {
      const float found = kept(item);
      const double expected = all.inside(item) == 0 ? 0 : all.outside(item);
      if (expected == 0) continue;  // of no derivation: whatever it says
      ASSERT_NE(found, CoarseChart::kPruned);
      if (!constant) constant = found - std::log(expected);
      EXPECT_NEAR(found, std::log(expected) + *constant, 1e-3);
      ++compared;
    }
    EXPECT_GT(compared, 20);
  }
}

TEST_P(CoarseSums, ItemsOfASmallerShareThanTheThresholdAreLeftOut) {
  const std::vector<float> bonus = some_bonus();
  AllDerivations all(grammar_, readings_, bonus);
  const double total = all.total();
  std::vector<std::pair<ItemKey, double>> shares;
  for (const ItemKey& item : items()) {
    const double inside = all.inside(item);
    if (inside > 0) shares.emplace_back(item, inside * all.outside(item) / total);
  }
  int kept_items = 0, dropped = 0;
  for (const double threshold : {0.5, 0.05, 1e-3}) {
    ASSERT_TRUE(chart_.run(grammar_, readings_, threshold, {}, {}, bonus));
    for (const auto& [item, share] : shares) {
      if (share == 0 || std::abs(share / threshold - 1) < 0.01) continue;
      EXPECT_EQ(kept(item) != CoarseChart::kPruned, share > threshold) << share;
      (share > threshold ? kept_items : dropped) += 1;
    }
  }
  EXPECT_GT(kept_items, 5);
  EXPECT_GT(dropped, 5);
}

TEST(CoarseChart, ReachesAWordOverWhichNoPhraseStands) {
  std::string often;  // so that "and" is known and can be a conjunction only
  for (int time = 0; time < 6; ++time) often += kTinyTreebank;
  const std::vector<PreparedTree> trees = prepared_trees(often);
  const GenerativeModel model(trees, plain_model());
  const CoarseGrammar grammar(trees, model.labels(), model.lexicon());
  std::vector<WordReading> readings;
  for (const std::string& word : split("dogs and cats")) {
    readings.push_back(model.lexicon().read(word, readings.empty()));
  }
  CoarseChart chart;
  ASSERT_TRUE(chart.run(grammar, readings, 1e-9));
  ASSERT_EQ(readings[1].tags.size(), 1U);
  EXPECT_NE(chart.tag(1, model.labels().tag("CC")), CoarseChart::kPruned);
}

INSTANTIATE_TEST_SUITE_P(Sentences, CoarseSums,
                         ::testing::Values("dogs sleep", "dogs , cats", "old dogs sleep"));

}  // namespace
}  // namespace copse::generative
