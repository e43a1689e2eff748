// Clustering of real text: the figures reported are those of the partition.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

#include "copse/base/input.h"
#include "copse/cluster/brown.h"
#include "copse/cluster/corpus.h"

namespace copse {
namespace {

TEST(ClusterData, InformationOfRealTextIsThatOfItsPartition) {
  const char* const folder = std::getenv("COPSE_DATA");
  if (folder == nullptr) GTEST_SKIP() << "COPSE_DATA is not set";
  Input input = Input::open(std::string(folder) + "/raw/en.txt.gz");
  std::istringstream lines(input.read_all(std::size_t{1} << 30));
  std::vector<std::vector<std::string>> text;
  std::string line;
  for (int number = 0; std::getline(lines, line); ++number) {
    if (number % 100 != 0) continue;
    std::istringstream words(line);
    auto& sentence = text.emplace_back();
    for (std::string word; words >> word;) sentence.push_back(word);
  }
  CorpusCounter counter({});
  for (const auto& sentence : text) {
    for (const std::string& word : sentence) counter.add_word(word);
    counter.end_line();
  }
  const Bigrams bigrams = counter.finish({});
  BrownOptions options;
  options.clusters = 50;
  const BrownClusters clusters = brown_clusters(bigrams, options);

  std::map<std::string, std::string> bits;
  for (std::size_t i = 0; i < bigrams.words.size(); ++i) bits[bigrams.words[i]] = clusters.bits[i];
  std::map<std::pair<std::string, std::string>, double> cells;
  std::map<std::string, double> left;
  std::map<std::string, double> right;
  double total = 0;
  for (const auto& sentence : text) {
    for (std::size_t i = 1; i < sentence.size(); ++i, ++total) {
      ++cells[{bits[sentence[i - 1]], bits[sentence[i]]}];
      ++left[bits[sentence[i - 1]]];
      ++right[bits[sentence[i]]];
    }
  }
  double information = 0;
  for (const auto& [pair, count] : cells) {
    information +=
        count / total * std::log2(count * total / (left[pair.first] * right[pair.second]));
  }
  EXPECT_NEAR(clusters.information, information, 1e-8);
  EXPECT_NEAR(clusters.information_lost, information, 1e-8);
  EXPECT_GT(information, 1);  // bits; one cluster would have none
}

}  // namespace
}  // namespace copse
