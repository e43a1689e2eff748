// Probabilities of all derivations, and the search against all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "copse/constituency/history/search.h"
#include "copse/learning/decision_pass.h"
#include "tests/constituency/history/history_testing.h"

namespace copse::history {
namespace {

using history_testing::random_network;
using history_testing::small_vocabulary;

double log_probability(const DecisionNetwork<float>& network, const DecisionSteps& history) {
  const DecisionSteps* one = &history;
  DecisionPass<float> pass;
  return -pass.run(network, std::span(&one, 1));
}

// Every sequence of actions that is complete for the words, up to `most` actions.
void each_derivation(const StepMaker& steps, std::size_t words, std::uint32_t labels,
                     std::size_t most, const std::function<void(std::vector<Action>&)>& take) {
  std::vector<Action> actions;
  std::vector<std::pair<bool, int>> stack;  // leaf, unused
  std::size_t shifted = 0;
  int chain = 0;
  const std::function<void()> go = [&] {
    if (actions.size() == most) return;
    if (shifted < words && (stack.empty() || !stack.back().first) &&
        (shifted == 0 || !stack.empty())) {
      const int before = std::exchange(chain, 0);
      stack.push_back({true, 0});
      actions.push_back({Kind::shift, 0});
      ++shifted;
      go();
      --shifted;
      actions.pop_back();
      stack.pop_back();
      chain = before;
    }
    if (stack.empty()) return;
    if (chain < steps.longest_chain()) {
      const auto before = stack.back();
      stack.back() = {false, 0};
      ++chain;
      for (std::uint32_t label = 0; label < labels; ++label) {
        actions.push_back({Kind::project, label});
        go();
        actions.pop_back();
      }
      --chain;
      stack.back() = before;
    }
    if (stack.size() > 1 || shifted == words) {
      const auto top = stack.back();
      const int before = std::exchange(chain, 0);
      stack.pop_back();
      actions.push_back({Kind::attach, 0});
      if (stack.empty()) {
        take(actions);
      } else {
        go();
      }
      actions.pop_back();
      stack.push_back(top);
      chain = before;
    }
  };
  go();
}

// One word and one label: complete derivations and those that were broken off have all of the
// probability. Words are summed over by hand: there are one tag and its two rows.
TEST(HistoryProbabilities, SumToOne) {
  for (const bool flat : {false, true}) {
    for (const bool gated : {false, true}) {
      VocabularyOptions words;
      words.pair_threshold = 1;
      const Vocabulary vocabulary = small_vocabulary(1, 1, words);
      ASSERT_EQ(vocabulary.pairs(), 2U);
      StepOptions options;
      options.flat = flat;
      const StepMaker steps(vocabulary, options, 2);
      const auto network = random_network(steps, gated, 9);
      // All that derivations may do, word by word as well; the mass of what goes on after `most`.
      constexpr std::size_t kMost = 7;
      double complete = 0, pending = 0;
      std::vector<Action> actions;
      std::vector<std::string> form;
      const std::function<void(int, bool, int)> go = [&](int depth, bool leaf, int chain) {
        const auto mass = [&] {
          const std::vector<std::string> tags(form.size(), "A");
          const auto symbols = steps.symbols(tags, form, nullptr);
          return std::exp(log_probability(*network, steps.history(actions, symbols)));
        };
        if (depth < 0) {
          complete += mass();
          return;
        }
        if (actions.size() == kMost) {
          pending += mass();
          return;
        }
        if (!leaf) {
          for (const char* word : {"A", "other"}) {
            actions.push_back({Kind::shift, 0});
            form.emplace_back(word);
            go(depth + 1, true, 0);
            form.pop_back();
            actions.pop_back();
          }
        }
        if (depth == 0) return;
        if (chain < 2) {
          actions.push_back({Kind::project, 0});
          go(depth, false, chain + 1);
          actions.pop_back();
        }
        actions.push_back({Kind::attach, 0});
        go(depth == 1 ? -1 : depth - 1, false, 0);
        actions.pop_back();
      };
      go(0, false, 0);
      EXPECT_GT(complete, 0.01);
      EXPECT_NEAR(complete + pending, 1, 1e-5);
    }
  }
}

// With a beam that nothing falls out of, the lists are those of all derivations.
TEST(HistorySearch, WideBeamsFindTheBestOfAllDerivations) {
  for (const int lookahead : {0, 2}) {
    for (const bool flat : {false, true}) {
      VocabularyOptions words;
      words.pair_threshold = 1;
      const Vocabulary vocabulary = small_vocabulary(2, 3, words);
      StepOptions options;
      options.flat = flat;
      options.lookahead = lookahead;
      const StepMaker steps(vocabulary, options, 1);
      const std::vector<std::string> sentence{"A", "C", "B"};
      const auto symbols = steps.symbols(sentence, sentence, nullptr);
      Networks networks{random_network(steps, true, 3)};
      std::vector<std::pair<double, std::string>> all;
      // With chains of one, a derivation of three words has at most 2 * 3 + 5 actions.
      each_derivation(steps, 3, 2, 12, [&](std::vector<Action>& actions) {
        const double p = log_probability(*networks[0], steps.history(actions, symbols));
        all.emplace_back(p, tree_of(actions, vocabulary.labels(), sentence, sentence).str());
      });
      std::ranges::sort(all, std::greater<>());
      ASSERT_GT(all.size(), 200U);
      Search search;
      search.start(steps, networks, symbols, {.beam = 100'000, .least_label = 0});
      const auto found = search.run(20, {});
      ASSERT_EQ(found.size(), 20U);
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i]->log_probability, all[i].first, 1e-4);
        const auto tree = tree_of(actions_of(*found[i]), vocabulary.labels(), sentence, sentence);
        if (i == 0) {
          EXPECT_EQ(tree.str(), all[i].second);
        }
      }
      // Narrow beams find trees that are no better.
      search.start(steps, networks, symbols, {.beam = 2});
      const auto narrow = search.run(5, {});
      ASSERT_FALSE(narrow.empty());
      EXPECT_LE(narrow[0]->log_probability, all[0].first + 1e-4);
      // The mean of a network and itself is the network.
      networks.push_back(networks[0]);
      search.start(steps, networks, symbols, {.beam = 100'000, .least_label = 0});
      EXPECT_NEAR(search.run(1, {})[0]->log_probability, all[0].first, 1e-4);
    }
  }
}

}  // namespace
}  // namespace copse::history
