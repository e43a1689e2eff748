// Loss, slopes and what must not change them.
#include "copse/rerank/hidden/objective.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "copse/base/error.h"
#include "copse/rerank/hidden/descent.h"
#include "copse/rerank/tree_features.h"
#include "tests/repeats.h"
#include "tests/rerank/hidden_testing.h"

namespace copse::hidden {
namespace {

using hidden_testing::all_blocks;
using hidden_testing::list_of;
using hidden_testing::random_list;
using hidden_testing::setting_of;
using tree_testing::tree_of;

std::vector<double> random_weights(std::size_t size, std::uint64_t seed, double scale = 0.5) {
  Random random(seed);
  std::vector<double> weights(size);
  for (double& weight : weights) weight = scale * random.normal();
  return weights;
}

std::vector<double> qualities(const Candidates& list, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> quality;
  for (std::size_t j = 0; j < list.items.size(); ++j) quality.push_back(random.uniform());
  return quality;
}

double loss_of_list(const HiddenList& list, std::span<const double> weights, double a0,
                    const Goal& goal, Loss kind) {
  ListWork work;
  work_on_list(list, weights, 1, a0, goal, kind, work);
  return work.loss;
}

TEST(HiddenObjective, SlopesEqualDifferences) {
  Random random(1);
  for (int repeat = 0; repeat < repeats(6, 2); ++repeat) {
    for (const bool sharing : {true, false}) {
      for (const Loss kind : {Loss::likelihood, Loss::graded, Loss::risk}) {
        SCOPED_TRACE(testing::Message() << repeat << " sharing " << sharing << name_of(kind));
        const auto setting = setting_of(
            {DomainKind::mixed, 2}, repeat % 2 == 0 ? GraphKind::sibling : GraphKind::dependency,
            {{"a", "b"}, {}, {}}, repeat % 3 == 0 ? make_tree_features({}) : nullptr);
        const Candidates list = random_list(random, 4, 4);
        const Blocks blocks = all_blocks(*setting, {list});
        const HiddenList made =
            make_hidden_list(setting->extraction(), list, blocks.finder(), sharing);
        std::vector<double> weights = random_weights(blocks.weights(), 3);
        const std::vector<double> quality = qualities(list, 4);
        const Goal goal{2, quality};
        ListWork work;
        constexpr double kBase = 0.7;
        work_on_list(made, weights, 1, kBase, goal, kind, work);
        std::vector<double> slopes(weights.size(), 0.0);
        made.scatter(work.potentials, work.slopes, 1, slopes);
        constexpr double kStep = 1e-5;
        for (std::size_t i = 0; i < weights.size(); i += 1 + weights.size() / 150) {
          const double at = weights[i];
          weights[i] = at + kStep;
          const double more = loss_of_list(made, weights, kBase, goal, kind);
          weights[i] = at - kStep;
          const double less = loss_of_list(made, weights, kBase, goal, kind);
          weights[i] = at;
          EXPECT_NEAR(slopes[i], (more - less) / (2 * kStep), 1e-6) << "weight " << i;
        }
      }
    }
  }
}

TEST(HiddenObjective, SharingChangesNothing) {
  Random random(2);
  const auto setting = setting_of({DomainKind::pos, 3});
  for (int repeat = 0; repeat < repeats(20, 3); ++repeat) {
    Candidates list = random_list(random, 4, 6);
    for (const std::size_t again : {0, 2}) {  // something to share
      list.items.push_back(list.items[again]);
      list.items.back().log_probability -= 1;
    }
    const Blocks blocks = all_blocks(*setting, {list});
    const std::vector<double> weights = random_weights(blocks.weights(), 5);
    const std::vector<double> quality = qualities(list, 6);
    ListWork shared, apart;
    const HiddenList a = make_hidden_list(setting->extraction(), list, blocks.finder(), true);
    const HiddenList b = make_hidden_list(setting->extraction(), list, blocks.finder(), false);
    EXPECT_LT(a.graph.nodes.size(), b.graph.nodes.size());
    EXPECT_LT(a.tables.size(), b.tables.size());
    work_on_list(a, weights, 1, 1, {0, quality}, Loss::likelihood, shared);
    work_on_list(b, weights, 1, 1, {0, quality}, Loss::likelihood, apart);
    std::vector<double> left(weights.size(), 0.0), right(weights.size(), 0.0);
    a.scatter(shared.potentials, shared.slopes, 1, left);
    b.scatter(apart.potentials, apart.slopes, 1, right);
    EXPECT_NEAR(shared.loss, apart.loss, 1e-10);
    for (std::size_t j = 0; j < list.items.size(); ++j) {
      EXPECT_NEAR(shared.log_sums[j], apart.log_sums[j], 1e-10);
    }
    for (std::size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], right[i], 1e-10);
  }
}

// With one value for each word the model is the log-linear one over the named features.
TEST(HiddenObjective, OneValuePerWordIsALogLinearModel) {
  Random random(3);
  const auto setting = setting_of({DomainKind::pos, 1});
  const Candidates list = random_list(random, 5, 5);
  const Blocks blocks = all_blocks(*setting, {list});
  const std::vector<double> weights = random_weights(blocks.weights(), 7);
  const HiddenList made = make_hidden_list(setting->extraction(), list, blocks.finder());
  ListWork work;
  const std::vector<double> quality(list.items.size(), 0.0);
  work_on_list(made, weights, 1, 1, {1, quality}, Loss::likelihood, work);
  std::vector<double> scores, slopes(weights.size(), 0.0), expected(weights.size(), 0.0);
  std::vector<std::map<std::uint32_t, double>> counts;
  for (std::size_t j = 0; j < list.items.size(); ++j) {
    auto& count = counts.emplace_back();
    for (const std::uint32_t block :
         name_candidate(setting->extraction(), list, j, blocks.finder()).list.blocks) {
      ++count[block];
    }
    double score = list.items[j].log_probability;
    for (const auto& [block, times] : count) score += times * weights[block];
    scores.push_back(std::exp(score));
  }
  double sum = 0;
  for (const double score : scores) sum += score;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    EXPECT_NEAR(work.probabilities[j], scores[j] / sum, 1e-12);
    for (const auto& [block, times] : counts[j]) {
      expected[block] += (scores[j] / sum - (j == 1 ? 1 : 0)) * times;
    }
  }
  EXPECT_NEAR(work.loss, -std::log(scores[1] / sum), 1e-12);
  made.scatter(work.potentials, work.slopes, 1, slopes);
  for (std::size_t i = 0; i < slopes.size(); ++i) EXPECT_NEAR(slopes[i], expected[i], 1e-12);
}

// Features of whole trees add their weights to log Z, those that differ between the candidates.
TEST(HiddenObjective, WholeTreesAddTheirWeights) {
  Random random(6);
  const std::shared_ptr<const FeatureSource> whole = make_tree_features({});
  const auto with = setting_of({DomainKind::pos, 2}, GraphKind::dependency, {}, whole);
  const auto without = setting_of({DomainKind::pos, 2});
  for (int repeat = 0; repeat < 5; ++repeat) {
    Candidates list = random_list(random, 4, 5);
    const Blocks blocks = all_blocks(*with, {list}), words = all_blocks(*without, {list});
    ASSERT_GT(blocks.size(), words.size());
    std::vector<double> weights = random_weights(blocks.weights(), 12);
    std::vector<double> of_words(words.weights());
    for (std::size_t b = 0; b < words.size(); ++b) {
      const std::uint32_t size = words.block_size(b);
      const std::uint32_t rows = words.rows()[b];
      const std::uint32_t at = blocks.find(words.key(b), rows, size / rows);
      ASSERT_NE(at, kNoBlock);
      for (std::uint32_t i = 0; i < size; ++i) of_words[words.begin(b) + i] = weights[at + i];
    }
    ListWork all, part;
    sum_candidates(make_hidden_list(with->extraction(), list, blocks.finder()),
                   std::span<const double>(weights), 1, all);
    sum_candidates(make_hidden_list(without->extraction(), list, words.finder()),
                   std::span<const double>(of_words), 1, part);
    ListFeatures features = whole->features(list, {});
    const FeatureExtremes times = find_extremes(features, 20);
    for (std::size_t j = 0; j < list.items.size(); ++j) {
      double sum = 0;
      for (const ListFeatures::Count& count : features.of(j)) {
        for (std::uint32_t t = 1; t <= count.times; ++t) {
          const FeatureKey key =
              join(key_of_times(features.keys[count.feature], t), atom_of("whole"));
          const std::uint32_t at = blocks.find(key, 1, 1);
          EXPECT_EQ(at == kNoBlock, t <= times.least[count.feature]);
          if (at != kNoBlock) sum += weights[at];
        }
      }
      EXPECT_NEAR(all.log_sums[j], part.log_sums[j] + sum, 1e-10);
    }
  }
  // What all have equally often is nobody's.
  Candidates same = random_list(random, 1, 5);
  same.items.push_back(same.items[0]);
  EXPECT_EQ(all_blocks(*with, {same}).size(), all_blocks(*without, {same}).size());
}

// log Z as it is written: the sum over all assignments of values of the weights of their features.
TEST(HiddenObjective, SumsAreThoseOverAllAssignments) {
  Random random(4);
  for (const GraphKind graph : {GraphKind::dependency, GraphKind::sibling}) {
    const auto setting = setting_of({DomainKind::mixed, 1}, graph, {{"a", "c"}, {}, {}});
    const Candidates list = random_list(random, 1, 4);
    const Blocks blocks = all_blocks(*setting, {list});
    const std::vector<double> weights = random_weights(blocks.weights(), 8);
    const NamedCandidate named = name_candidate(setting->extraction(), list, 0, blocks.finder());
    const BeliefGraph& g = named.list.graph;
    // Every word has two values, its word's and its tag's.
    double sum = 0;
    for (unsigned all = 0; all < 16; ++all) {
      const auto value = [&](std::uint32_t node) { return all >> node & 1U; };
      std::vector<std::pair<unsigned, unsigned>> cell(named.list.tables.size());
      for (std::uint32_t node = 0; node < g.nodes.size(); ++node) {
        cell[g.nodes[node].single] = {0, value(node)};
        for (const std::uint32_t edge : g.children_of(node)) {
          cell[g.edges[edge].pair] = {value(node), value(g.edges[edge].node)};
        }
      }
      double score = 0;
      named.list.for_each_segment([&](std::uint32_t t, const HiddenList::Segment& segment,
                                      std::span<const std::uint32_t> of) {
        if (cell[t] != std::pair<unsigned, unsigned>(segment.row, segment.column)) return;
        for (const std::uint32_t block : of) score += weights[block];
      });
      sum += std::exp(score);
    }
    ListWork work;
    sum_candidates(named.list, std::span<const double>(weights), 1, work);
    EXPECT_NEAR(work.log_sums[0], std::log(sum), 1e-10);
  }
}

TEST(HiddenObjective, NamesOfValuesDoNotMatter) {
  Random random(5);
  const auto setting = setting_of({DomainKind::pos, 3});
  const Candidates list = random_list(random, 4, 5);
  const Blocks blocks = all_blocks(*setting, {list});
  const std::vector<double> weights = random_weights(blocks.weights(), 9);
  std::vector<double> turned(weights.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {  // values 1 2 3 become 3 2 1
    const std::uint32_t size = blocks.block_size(b);
    for (std::uint32_t i = 0; i < size; ++i) {
      turned[blocks.begin(b) + size - 1 - i] = weights[blocks.begin(b) + i];
    }
  }
  const HiddenList made = make_hidden_list(setting->extraction(), list, blocks.finder());
  ListWork first, second;
  sum_candidates(made, std::span<const double>(weights), 1, first);
  sum_candidates(made, std::span<const double>(turned), 1, second);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(first.log_sums[j], second.log_sums[j], 1e-12);
}

TEST(HiddenObjective, EdgeCases) {
  const auto setting = setting_of({DomainKind::pos});
  const PhraseTree tree = tree_of("(TOP (NP (NN cat)))");
  // Nothing is known: all values of the word are alike.
  const Blocks none;
  ListWork work;
  const HiddenList one = make_hidden_list(setting->extraction(), list_of({tree}), none.finder());
  const std::vector<double> weights, quality = {1};
  work_on_list(one, weights, 1, 1, {0, quality}, Loss::likelihood, work);
  EXPECT_NEAR(work.log_sums[0], std::log(5.0), 1e-12);
  EXPECT_EQ(work.loss, 0);
  for (const double slope : work.slopes) EXPECT_EQ(slope, 0);
  // Equal candidates have equal sums.
  Candidates twice = list_of({tree, tree});
  const Blocks blocks = all_blocks(*setting, {twice});
  const std::vector<double> some = random_weights(blocks.weights(), 10);
  const HiddenList equal = make_hidden_list(setting->extraction(), twice, blocks.finder());
  const std::vector<double> same = {1, 1};
  work_on_list(equal, some, 1, 0, {0, same}, Loss::likelihood, work);
  EXPECT_EQ(work.log_sums[0], work.log_sums[1]);
  EXPECT_NEAR(work.probabilities[0], 0.5, 1e-15);
  // Large scores.
  const std::vector<double> huge = random_weights(blocks.weights(), 11, 1000);
  work_on_list(equal, huge, 1, 1, {0, same}, Loss::likelihood, work);
  EXPECT_TRUE(std::isfinite(work.loss));
}

// --- descent

HiddenData data_of(const Setting& setting, const std::vector<Candidates>& lists,
                   const Blocks& blocks) {
  HiddenData data;
  Random random(12);
  for (const Candidates& list : lists) {
    data.lists.push_back(make_hidden_list(setting.extraction(), list, blocks.finder()));
    data.best.push_back(static_cast<std::uint32_t>(random.below(list.items.size())));
    data.quality.push_back(std::vector<double>(list.items.size(), 0.0));
    data.quality.back()[data.best.back()] = 1;
    data.base.push_back(data.lists.back().base);
    data.counts.emplace_back();
  }
  return data;
}

struct Toy {
  std::shared_ptr<const Setting> setting = setting_of({DomainKind::pos, 3});
  std::vector<Candidates> lists;
  Blocks blocks;
  HiddenData data;

  Toy() {
    Random random(13);
    for (int i = 0; i < 6; ++i) lists.push_back(random_list(random, 3, 4));
    blocks = all_blocks(*setting, lists);
    data = data_of(*setting, lists, blocks);
  }
};

double spread_of_values(const Blocks& blocks, const DecayedWeights& weights) {
  double most = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::uint32_t i = 1; i < blocks.block_size(b); ++i) {
      most = std::max(
          most, std::abs(weights.weight(blocks.begin(b)) - weights.weight(blocks.begin(b) + i)));
    }
  }
  return most;
}

TEST(HiddenDescent, ZeroWeightsNeverTellValuesApart) {
  const Toy toy;
  ThreadTeam team(1);
  Descent zero(toy.data, {.rate = 0.5, .batch = 2},
               DecayedWeights(std::vector<double>(toy.blocks.weights(), 0.0)), team);
  Descent noisy(toy.data, {.rate = 0.5, .batch = 2}, DecayedWeights(noise_of(toy.blocks, 0.01, 1)),
                team);
  for (std::uint64_t epoch = 0; epoch < 60; ++epoch) {
    zero.run_epoch(epoch, 0, false, 0, {});
    noisy.run_epoch(epoch, 0, false, 0, {});
  }
  EXPECT_LT(spread_of_values(toy.blocks, zero.weights()), 1e-9);
  EXPECT_GT(spread_of_values(toy.blocks, noisy.weights()), 0.03);  // at most 0.02 at the start
}

TEST(HiddenDescent, TheLossFallsOnEveryFullStep) {
  const Toy toy;
  ThreadTeam team(1);
  Descent descent(toy.data, {.rate = 0.01, .batch = 100},
                  DecayedWeights(noise_of(toy.blocks, 0.01, 1)), team);
  double before = 1e9;
  for (std::uint64_t epoch = 0; epoch < 20; ++epoch) {
    const double loss = descent.run_epoch(epoch, 0, false, 0, {});
    EXPECT_LT(loss, before) << epoch;
    before = loss;
  }
}

// A step is  w <- (1 - rate / (n variance)) w - rate slope: that of the loss with its prior.
TEST(HiddenDescent, AStepFollowsTheSlopeOfLossAndPrior) {
  const Toy toy;
  ThreadTeam team(1);
  const std::vector<double> start = random_weights(toy.blocks.weights(), 14);
  constexpr double kRate = 1e-3, kVariance = 2;
  Descent descent(toy.data, {.rate = kRate, .variance = kVariance, .batch = 100},
                  DecayedWeights(start), team);
  descent.run_epoch(0, 0, false, 0, {});
  const auto total = [&](const std::vector<double>& weights) {
    double loss = 0;
    for (std::size_t i = 0; i < toy.data.lists.size(); ++i) {
      loss += loss_of_list(toy.data.lists[i], weights, 1, {toy.data.best[i], toy.data.quality[i]},
                           Loss::likelihood);
    }
    for (const double weight : weights) loss += weight * weight / (2 * kVariance);
    return loss;
  };
  std::vector<double> weights = start;
  for (std::size_t i = 0; i < weights.size(); i += 1 + weights.size() / 100) {
    constexpr double kStep = 1e-5;
    weights[i] = start[i] + kStep;
    const double more = total(weights);
    weights[i] = start[i] - kStep;
    const double less = total(weights);
    weights[i] = start[i];
    const double moved = (start[i] - descent.weights().weight(i)) / kRate;
    // Six shrinkings in one step differ from their sum by terms of the order of the rate.
    EXPECT_NEAR(moved, (more - less) / (2 * kStep), 1e-3) << i;
  }
}

TEST(HiddenDescent, TiedStepsAreThoseOfTheModelWithoutHiddenValues) {
  Toy toy;
  ThreadTeam team(1);
  const auto plain_setting = setting_of({DomainKind::pos, 1});
  const Blocks plain_blocks = all_blocks(*plain_setting, toy.lists);
  const HiddenData plain_data = data_of(*plain_setting, toy.lists, plain_blocks);
  Descent tied(toy.data, {.rate = 0.1, .variance = 1, .batch = 2},
               DecayedWeights(std::vector<double>(toy.blocks.weights(), 0.0)), team);
  Descent plain(plain_data, {.rate = 0.1, .variance = 1, .batch = 2},
                DecayedWeights(std::vector<double>(plain_blocks.weights(), 0.0)), team);
  for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
    const double a = tied.run_epoch(epoch, epoch * 6, true, 0, {});
    const double b = plain.run_epoch(epoch, epoch * 6, false, 0, {});
    EXPECT_NEAR(a, b, 1e-9);
  }
}

TEST(HiddenDescent, ThreadsGiveTheSameBits) {
  const Toy toy;
  ThreadTeam one(1), four(4);
  std::vector<float> weights[2];
  for (ThreadTeam* team : {&one, &four}) {
    Descent descent(toy.data, {.rate = 0.1, .variance = 3, .batch = 4},
                    DecayedWeights(noise_of(toy.blocks, 0.01, 2)), *team);
    descent.weights().begin_average();
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch)
      descent.run_epoch(epoch, epoch * 6, false, 0, {});
    weights[team == &four ? 1 : 0] = descent.rounded();
  }
  EXPECT_EQ(weights[0], weights[1]);
}

}  // namespace
}  // namespace copse::hidden
