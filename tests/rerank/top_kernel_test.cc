// Rerankers with features derived from a parser: training, files, lists that are odd.
#include "copse/rerank/top_kernel.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/constituency/phrase_training.h"
#include "copse/rerank/top_training.h"
#include "copse/treebank/treebank.h"
#include "tests/rerank/generative_testing.h"
#include "tests/source_dir.h"

namespace copse {
namespace {

using rerank_testing::generative_bytes;

class File {
 public:
  explicit File(const std::string& bytes)
      : path_(std::filesystem::temp_directory_path() /
              ("copse-top-" + std::to_string(::getpid()) + "-" +
               std::to_string(reinterpret_cast<std::uintptr_t>(this)))) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

const std::string& parser_bytes() {
  static const std::string bytes = [] {
    auto trees = read_treebank(source_dir() + "/fixtures/english.mrg");
    trees.resize(20);
    PhraseTraining recipe;
    recipe.model = "history";
    recipe.history.hidden = 6;
    recipe.history.embedding = 4;
    recipe.history.epochs = 2;
    recipe.history.vocabulary.pair_threshold = 2;
    recipe.history.tag_folds = 0;
    recipe.history.tagger_epochs = 1;
    recipe.threads = 1;
    const std::span<const Entry> run = trees;
    return train_phrase_parser(std::span(&run, 1), recipe)->file(nlohmann::json::object()).bytes();
  }();
  return bytes;
}

// The right parse is always the second; one list of one candidate, one of equal ones.
constexpr std::string_view kLists =
    "2 1\n-2.5\n(TOP (S (NP (DT the)) (VP (NN cat) (VBZ sleeps))))\n-3\n(TOP (S (NP (DT the) (NN "
    "cat)) (VP (VBZ sleeps))))\n\n"
    "2 2\n-1\n(TOP (S (NP (NN dog) (VBZ sees)) (NP (NN cat))))\n-1.5\n(TOP (S (NP (NN dog)) (VP "
    "(VBZ sees) (NP (NN cat)))))\n\n"
    "1 3\n-2\n(TOP (S (VP (VB go))))\n\n"
    "2 4\n-2\n(TOP (NO-SUCH-LABEL (VB go)))\n-2\n(TOP (NO-SUCH-LABEL (VB go)))\n\n";
constexpr std::string_view kGold =
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NN dog)) (VP (VBZ sees) (NP (NN "
    "cat))))\n(S (VP (VB go)))\n(S (VP (VB go)))\n";

ModelWriter learn(const std::string& method, const std::string& model,
                  TopTrainingOptions options = {}) {
  const File lists{std::string(kLists)}, gold{std::string(kGold)}, parser(model);
  options.method = method;
  options.epochs = 5;
  if (!model.empty()) options.model = parser.path();
  return train_top_reranker({lists.path(), gold.path(), lists.path(), gold.path()}, options,
                            [](const std::string&) {});
}

std::vector<Candidates> lists() {
  CandidateReader reader(Input::from_memory(std::string(kLists), "lists"));
  std::vector<Candidates> out;
  while (auto list = reader.next()) out.push_back(std::move(*list));
  return out;
}

TEST(TopReranker, LearnsWhatTheListsShow) {
  for (const char* method : {"fisher", "top", "top-efficient"}) {
    const std::string bytes = learn(method, parser_bytes()).bytes();
    EXPECT_EQ(learn(method, parser_bytes(), {.threads = 3}).bytes(), bytes)
        << "threads do not matter";
    const auto reranker = load_reranker(ModelFile::from_bytes(bytes, "m"));
    EXPECT_EQ(reranker->method(), method);
    const auto all = lists();
    for (std::size_t i = 0; i < 2; ++i) {
      const auto scores = reranker->scores(all[i]);
      EXPECT_EQ(ranking(all[i], scores)[0], 1U) << method << " list " << i;
      const auto reasons = reranker->reasons(all[i], 1);
      EXPECT_NEAR(reasons[0].share + reasons[1].share, scores[1], 1e-9);
    }
    EXPECT_EQ(reranker->scores(all[2]).size(), 1U);
    const auto equal = reranker->scores(all[3]);
    EXPECT_EQ(equal[0], equal[1]);
  }
}

TEST(TopReranker, NeedsNoParserForRules) {
  const auto reranker =
      load_reranker(ModelFile::from_bytes(learn("top-efficient", "", {.cap = 1000}).bytes(), "m"));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(ranking(lists()[i], reranker->scores(lists()[i]))[0], 1U);
  }
  EXPECT_THROW(learn("fisher", ""), Error);  // no exact gradients
  EXPECT_THROW(learn("magic", ""), Error);
  const File none("");
  TopTrainingOptions options;
  options.model = none.path();
  EXPECT_THROW(train_top_reranker({none.path(), "", "", ""}, options, [](const std::string&) {}),
               Error);
}

TEST(TopReranker, LearnsFromTheEventsOfAGenerativeParser) {
  const auto reranker =
      load_reranker(ModelFile::from_bytes(learn("top-efficient", generative_bytes()).bytes(), "m"));
  const auto all = lists();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(ranking(all[i], reranker->scores(all[i]))[0], 1U);
  }
  const auto equal = reranker->scores(all[3]);  // trees that the parser cannot make
  EXPECT_EQ(equal[0], equal[1]);
  EXPECT_THROW(learn("top", generative_bytes()), Error);  // no exact gradients
}

TEST(TopReranker, VotesAsItsModelsDo) {
  const auto reranker = load_reranker(
      ModelFile::from_bytes(learn("top-efficient", parser_bytes(), {.vote = true}).bytes(), "m"));
  const auto all = lists();
  for (const Candidates& list : all) {
    const auto votes = reranker->scores(list);
    if (votes.size() < 2) continue;
    // 4 lists, 5 times: each leaves a model behind.
    EXPECT_EQ(votes[0] + votes[1], 20);
    EXPECT_EQ(reranker->reasons(list, 1)[0].share, votes[1]);
  }
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(ranking(all[i], reranker->scores(all[i]))[0], 1U);
}

// Against the models written out, one after the other.
TEST(VotedRows, AreTheVotesOfAllModels) {
  Random random(5);
  const auto random_rows = [&] {
    SparseRows out;
    for (std::uint64_t row = 0; row < 6; ++row) {
      if (random.chance(0.4)) continue;
      out.rows.push_back(row);
      for (int k = 0; k < 2; ++k) out.values.push_back(static_cast<float>(random.normal()));
    }
    return out;
  };
  for (const DerivedKernel kernel : {DerivedKernel::fisher, DerivedKernel::top}) {
    std::vector<double> log_probability;
    std::vector<SparseRows> list;
    for (int t = 0; t < 4; ++t) {
      log_probability.push_back(random.normal());
      list.push_back(random_rows());
    }
    const DerivedList derived = derived_list(kernel, log_probability, 0);
    VotedRows voters(2);
    RowWeights weights(2);
    double base = 0;
    std::vector<double> expected(4, 0.0);
    for (int time = 0; time < 200; ++time) {
      if (random.chance(0.5)) {
        voters.live();
      } else {
        const std::vector<SparseRows> rows{random_rows(), random_rows()};
        const std::vector<double> by{random.normal(), random.normal()};
        const double more = random.normal();
        voters.change(more, by, rows);
        base += more;
        for (int t = 0; t < 2; ++t) weights.add(rows[t], by[t]);
      }
      std::vector<double> products;
      for (const SparseRows& rows : list) products.push_back(weights.dot(rows));
      std::size_t best = best_by_quality(log_probability, log_probability);
      for (std::size_t k = 0; k < 4; ++k) {
        if (derived.score(k, base, products) > derived.score(best, base, products)) best = k;
      }
      expected[best] += 1;
    }
    EXPECT_EQ(voters.votes(derived, list), expected);
  }
}

TEST(RowWeights, AddUpRowByRow) {
  RowWeights weights(2);
  weights.add({{3, 9}, {1, 2, 3, 4}}, 2);
  weights.add({{9}, {1, 1}}, -1);
  EXPECT_EQ(weights.size(), 2U);
  EXPECT_DOUBLE_EQ(weights.dot({{3, 4, 9}, {1, 1, 5, 5, 1, 0}}), 2 + 4 + 5);
  RowWeights more(2);
  more.add(weights, 0.5);
  EXPECT_DOUBLE_EQ(more.dot({{9}, {0, 1}}), 3.5);
}

}  // namespace
}  // namespace copse
