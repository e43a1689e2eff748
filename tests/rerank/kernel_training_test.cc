#include "copse/rerank/kernel_training.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "copse/base/random.h"
#include "copse/rerank/fragment_features.h"
#include "copse/rerank/kernel_reranker.h"
#include "copse/rerank/tree_kernel_kind.h"
#include "tests/rerank/random_trees.h"
#include "tests/rerank/rerank_testing.h"

namespace copse {
namespace {

using rerank_testing::half_of;
using rerank_testing::lists_of;
using rerank_testing::TextFile;

// Lists of random trees in which the label B is bad. The log probabilities mislead.
std::string tree_lists(std::uint64_t seed, int lists, bool graded) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < lists; ++i) {
    const int size = random.between(1, 5);
    for (int j = 0; j < size; ++j) {
      const PhraseTree tree = random_tree(random, 2);
      int bad = 0;
      for (int node = 0; node < tree.size(); ++node) bad += tree.label(node) == "B" ? 1 : 0;
      text += fmt::format("{}\t{}\t\t{}\n", graded ? std::to_string(-bad) : "-",
                          -random.between(0, 8), tree.str());
    }
    text += "\n";
  }
  return text;
}

// Candidates that are trees: only n-best lists have them, so these go through one.
std::string as_n_best(const std::string& candidates) {
  std::string out;
  int number = 0;
  for (Candidates& list : lists_of(candidates)) {
    out += fmt::format("{} {}\n", list.items.size(), ++number);
    for (const Candidate& item : list.items) {
      out += fmt::format("{}\n{}\n", item.log_probability, item.text);
    }
    out += "\n";
  }
  return out;
}

// Gold trees: for each list the candidate with the fewest B.
std::string gold_of(const std::string& candidates) {
  std::string out;
  for (const Candidates& list : lists_of(candidates)) {
    const Candidate* best = &list.items.front();
    for (const Candidate& item : list.items) {
      if (*item.score > *best->score) best = &item;
    }
    out += best->text + "\n";
  }
  return out;
}

std::string tag_lists(std::uint64_t seed, int lists) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < lists; ++i) {
    const int words = random.between(1, 6);
    std::string line = "# words =";
    std::vector<bool> name;
    for (int w = 0; w < words; ++w) {
      name.push_back(random.chance(0.4));
      line += name.back() ? " Bob" : " sees";
    }
    text += line + "\n";
    for (int j = 0; j < 4; ++j) {
      std::string tags;
      int right = 0;
      for (int w = 0; w < words; ++w) {
        const bool tagged = random.chance(0.5);
        tags += (w > 0 ? " " : "") + std::string(tagged ? "S" : "O");
        right += tagged == name[static_cast<std::size_t>(w)] ? 1 : 0;
      }
      text += fmt::format("{}\t{}\t\t{}\n", right, -random.between(0, 5), tags);
    }
    text += "\n";
  }
  return text;
}

std::string feature_lists(std::uint64_t seed, int lists) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < lists; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int good = random.between(1, 4), noise = random.between(1, 4);
      text += fmt::format("{}\t{}\tgood:{} noise:{}\tc{}\n", good, -random.between(0, 5), good,
                          noise, j);
    }
    text += "\n";
  }
  return text;
}

struct Result {
  std::unique_ptr<Reranker> reranker;
  std::string bytes;
};

Result train(const std::string& lists, const KernelTrainingOptions& options,
             const std::string& dev = {}) {
  const TextFile file("lists", lists), dev_file("dev", dev);
  const RerankerPaths paths{file.path(), "", dev.empty() ? "" : dev_file.path(), ""};
  Result result;
  result.bytes = train_kernel_reranker(paths, options, [](const std::string&) {}).bytes();
  result.reranker = load_reranker(ModelFile::from_bytes(result.bytes, "model"));
  return result;
}

double share_of_best(const Reranker& reranker, const std::string& text) {
  int right = 0, all = 0;
  for (const Candidates& list : lists_of(text)) {
    const auto winner = ranking(list, reranker.scores(list)).front();
    double best = -1e9;
    for (const Candidate& item : list.items) best = std::max(best, *item.score);
    right += *list.items[winner].score == best ? 1 : 0;
    ++all;
  }
  return static_cast<double>(right) / all;
}

TEST(KernelTraining, TagsAreLearntAveragedAndVoted) {
  for (const bool vote : {false, true}) {
    for (const bool normalised : {false, true}) {
      KernelTrainingOptions options;
      options.method = "tag-kernel";
      options.vote = vote;
      options.chunks = vote ? 3 : 1;
      options.kernel.normalised = normalised;
      options.perceptron.epochs = 2;
      const Result result = train(tag_lists(1, 120), options);
      EXPECT_EQ(result.reranker->method(), "tag-kernel");
      EXPECT_GT(share_of_best(*result.reranker, tag_lists(2, 60)), 0.75) << vote << normalised;
    }
  }
}

TEST(KernelTraining, FeaturesOfTheListsAreLearnt) {
  KernelTrainingOptions options;
  options.method = "linear-kernel";
  const Result result = train(feature_lists(1, 80), options);
  EXPECT_GT(share_of_best(*result.reranker, feature_lists(2, 50)), 0.9);
  options.vote = true;
  EXPECT_GT(share_of_best(*train(feature_lists(1, 80), options).reranker, feature_lists(2, 50)),
            0.9);
}

TEST(KernelTraining, TreesAreLearntFromParsesAndGold) {
  const std::string lists = tree_lists(1, 150, true);
  const TextFile file("lists", as_n_best(lists)), gold("gold", gold_of(lists));
  for (const bool vote : {false, true}) {
    KernelTrainingOptions options;
    options.vote = vote;
    options.perceptron.epochs = 3;
    const auto bytes =
        train_kernel_reranker({file.path(), gold.path(), "", ""}, options, [](const auto&) {
        }).bytes();
    const auto reranker = load_reranker(ModelFile::from_bytes(bytes, "model"));
    const std::string test = tree_lists(2, 80, true);
    const auto graded = lists_of(test);
    auto parses = lists_of(as_n_best(test));
    int right = 0, base_right = 0;
    for (std::size_t i = 0; i < parses.size(); ++i) {
      const auto quality = [&](std::size_t j) { return *graded[i].items[j].score; };
      double best = -1e9;
      for (std::size_t j = 0; j < parses[i].items.size(); ++j) best = std::max(best, quality(j));
      std::vector<double> base;
      for (const auto& item : parses[i].items) base.push_back(item.log_probability);
      right += quality(ranking(parses[i], reranker->scores(parses[i])).front()) == best ? 1 : 0;
      base_right += quality(ranking(parses[i], base).front()) == best ? 1 : 0;
    }
    EXPECT_GT(right, base_right + 8) << vote;
    if (vote) continue;
    // The reasons sum to the score, and the fragments to the difference of two scores.
    for (const Candidates& list : parses) {
      const auto scores = reranker->scores(list);
      for (std::size_t j = 0; j < scores.size(); ++j) {
        double sum = 0;
        for (const Reason& reason : reranker->reasons(list, j)) sum += reason.share;
        EXPECT_NEAR(sum, scores[j], 1e-9 * (1 + std::abs(sum)));
      }
      if (list.items.size() < 2) continue;
      // Of so small trees all fragments are found: the others together are nothing.
      const auto pairs = fragment_reasons(*reranker, list, 0, 1, 1'000'000);
      ASSERT_TRUE(pairs);
      EXPECT_EQ(pairs->back().name, "all other fragments");
      EXPECT_NEAR(pairs->back().difference(), 0, 1e-9 * (1 + std::abs(scores[0])));
      const auto why = explain_choice(*reranker, list);
      double sum = 0;
      for (const ReasonPair& reason : why->reasons) sum += reason.difference();
      EXPECT_NEAR(sum, why->difference(), 1e-9 * (1 + std::abs(why->chosen_score)));
    }
  }
}

TEST(KernelTraining, ViewsAreKeptInTheModel) {
  const std::string lists = tree_lists(1, 40, true);
  const TextFile file("lists", as_n_best(lists)), gold("gold", gold_of(lists));
  const auto trained = [&](const std::vector<std::string>& views) {
    KernelTrainingOptions options;
    options.kernel.views = views;
    return train_kernel_reranker({file.path(), gold.path(), "", ""}, options, [](const auto&) {})
        .bytes();
  };
  const std::string bytes = trained({"tree", "heads"});
  const ModelFile model = ModelFile::from_bytes(bytes, "model");
  EXPECT_EQ(model.strings("views"), (std::vector<std::string>{"tree", "heads"}));
  const auto reranker = load_reranker(model);
  const auto plain = load_reranker(ModelFile::from_bytes(trained({"tree"}), "model"));
  // The reasons are nodes of both views, and add up to the score.
  bool attachment = false, other = false;
  for (const Candidates& list : lists_of(as_n_best(tree_lists(2, 10, true)))) {
    double sum = 0;
    for (const Reason& reason : reranker->reasons(list, 0)) {
      attachment |= reason.name.find("(@h") != std::string::npos;
      sum += reason.share;
    }
    EXPECT_NEAR(sum, reranker->scores(list)[0], 1e-9 * (1 + std::abs(sum)));
    other |= reranker->scores(list) != plain->scores(list);
  }
  EXPECT_TRUE(attachment);
  EXPECT_TRUE(other);
  EXPECT_THROW(trained({"leaves"}), Error);
  EXPECT_THROW(trained({}), Error);
  ModelWriter writer(kRerankerKind, model.config());
  for (const auto& section : model.sections()) {
    if (section.name == "config") continue;
    writer.add(section.name, section.name == "views"
                                 ? std::string("leaves\n")
                                 : std::string(reinterpret_cast<const char*>(section.bytes.data()),
                                               section.bytes.size()));
  }
  EXPECT_THROW(load_reranker(ModelFile::from_bytes(writer.bytes(), "model")), Error);
}

TEST(KernelTraining, ThreadsChangeNothingAndOneChunkIsNone) {
  KernelTrainingOptions options;
  options.method = "tag-kernel";
  options.chunks = 4;
  options.lambdas = {0.2, 0.5};
  options.betas = {0.1, 0.4};
  const std::string lists = tag_lists(3, 60), dev = tag_lists(4, 30);
  const std::string one = train(lists, options, dev).bytes;
  options.threads = 3;
  EXPECT_EQ(one, train(lists, options, dev).bytes);
}

TEST(KernelTraining, CrossedFiguresAreThoseOfModelsChosenOnTheOtherHalf) {
  KernelTrainingOptions options;
  options.method = "linear-kernel";
  options.betas = {0.05, 0.3, 1, 3, 10};
  options.mixes = {0};  // others are in units of the spread in the lists at hand
  const auto chosen_score = [](const Reranker& reranker, const std::string& text) {
    double sum = 0;
    for (const Candidates& list : lists_of(text)) {
      sum += *list.items[ranking(list, reranker.scores(list)).front()].score;
    }
    return sum;
  };
  bool halves_differ = false;  // else the wrong half would do
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::string lists = feature_lists(seed, 4), dev = feature_lists(seed + 10, 21);
    const auto model = ModelFile::from_bytes(train(lists, options, dev).bytes, "model");
    const auto& crossed = model.config().at("provenance").at("figures").at("dev_crossed");
    const Result by_odd = train(lists, options, half_of(dev, 0)),
                 by_even = train(lists, options, half_of(dev, 1));
    const double expected = chosen_score(*by_odd.reranker, half_of(dev, 1)) +
                            chosen_score(*by_even.reranker, half_of(dev, 0));
    EXPECT_DOUBLE_EQ(crossed.at("chosen").get<double>(), expected);
    halves_differ =
        halves_differ || expected != chosen_score(*by_odd.reranker, half_of(dev, 0)) +
                                         chosen_score(*by_even.reranker, half_of(dev, 1));
  }
  EXPECT_TRUE(halves_differ);
}

TEST(KernelTraining, AGridNeedsListsToChooseBy) {
  KernelTrainingOptions options;
  options.method = "tag-kernel";
  options.lambdas = {0.2, 0.5};
  EXPECT_THROW(train(tag_lists(3, 10), options), Error);
  options.lambdas = {1.5};
  EXPECT_THROW(train(tag_lists(3, 10), options), Error);
}

TEST(KernelTraining, WithoutMistakesTheBaseRankingStays) {
  // One candidate a list: nothing to err in.
  KernelTrainingOptions options;
  options.method = "linear-kernel";
  const Result result = train("1\t-1\ta\tx\n\n1\t-2\tb\ty\n", options);
  const auto lists = lists_of("-\t-3\ta\tx\n-\t-1\tb\ty\n");
  EXPECT_EQ(ranking(lists[0], result.reranker->scores(lists[0])).front(), 1U);
}

TEST(KernelTraining, ADamagedModelIsRefused) {
  KernelTrainingOptions options;
  options.method = "tag-kernel";
  const Result result = train(tag_lists(3, 20), options);
  const ModelFile good = ModelFile::from_bytes(result.bytes, "model");
  nlohmann::json config = good.config();
  config["lambda"] = 7;
  ModelWriter writer(kRerankerKind, config);
  for (const auto& section : good.sections()) {
    if (section.name == "config") continue;
    writer.add(section.name, std::string(reinterpret_cast<const char*>(section.bytes.data()),
                                         section.bytes.size()));
  }
  EXPECT_THROW(load_reranker(ModelFile::from_bytes(writer.bytes(), "model")), Error);
}

// --- fragments ------------------------------------------------------------------------------------

TEST(Fragments, TheHeaviestEqualThoseOfEnumeration) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Productions productions;
    MergedTrees model(0.5);
    std::map<std::string, double> expected;
    std::vector<PhraseTree> trees;
    for (int i = 0; i < 6; ++i) {
      TreeListBuilder builder(productions);
      const PhraseTree tree = random_tree(random);
      builder.add(tree);
      const double weight = random.between(-2, 2);
      model.add(builder.finish(), std::vector<RankingCoefficient>{{0, weight}});
      for (const auto& [text, fragment] : fragments_of(tree)) {
        expected[text] += weight * fragment.count * std::pow(0.5, fragment.size);
      }
      trees.push_back(tree);
    }
    std::vector<std::pair<double, std::string>> sorted;
    for (const auto& [text, weight] : expected) {
      if (std::abs(weight) > 1e-12) sorted.emplace_back(weight, text);
    }
    const auto found = heaviest_fragments(model, productions, sorted.size() + 10);
    ASSERT_EQ(found.size(), sorted.size());
    double last = INFINITY;
    for (const Fragment& fragment : found) {
      EXPECT_LE(std::abs(fragment.weight), last + 1e-12);
      last = std::abs(fragment.weight);
      const std::string text = fragment_text(fragment, productions);
      ASSERT_TRUE(expected.contains(text)) << text;
      EXPECT_NEAR(fragment.weight, expected[text], 1e-9);
    }
    // And each is found in a tree as often as enumeration finds it.
    const FragmentMatcher matcher(found);
    TreeListBuilder builder(productions);
    for (const PhraseTree& tree : trees) builder.add(tree);
    const auto matches = matcher.find(builder.finish());
    for (std::size_t j = 0; j < trees.size(); ++j) {
      auto counts = fragments_of(trees[j]);
      for (std::uint32_t f = 0; f < found.size(); ++f) {
        EXPECT_EQ(static_cast<double>(std::ranges::count(matches[j], f)),
                  counts[fragment_text(found[f], productions)].count);
      }
    }
  }
}

}  // namespace
}  // namespace copse
