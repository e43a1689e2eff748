// Features of the words between head and modifier: one for each word that looks different to the
// template, whatever else the lexical limit hides of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "copse/base/random.h"
#include "copse/cluster/word_clusters.h"
#include "copse/dependency/feature_text.h"
#include "copse/dependency/part_features.h"
#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

using dependency_testing::built_in_templates;

// "The keeper saw grey herons and white egrets leave": the limit, where it is on, leaves "The",
// "saw" and "and".
std::vector<ParserWord> sentence(bool limited) {
  const auto word = [&](std::string_view form, std::string_view coarse, std::string_view fine,
                        bool frequent) {
    return ParserWord{form, "_", coarse, fine, "_", frequent || !limited};
  };
  return {word("The", "DET", "DT", true),       word("keeper", "NOUN", "NN", false),
          word("saw", "VERB", "VBD", true),     word("grey", "ADJ", "JJ", false),
          word("herons", "NOUN", "NNS", false), word("and", "CCONJ", "CC", true),
          word("white", "ADJ", "JJ", false),    word("egrets", "NOUN", "NNS", false),
          word("leave", "VERB", "VB", false)};
}

WordClusters clusters() {
  return WordClusters({{"00101", "The", 9},
                       {"110100", "keeper", 2},
                       {"011010", "saw", 7},
                       {"100110", "grey", 2},
                       {"110111", "herons", 1},
                       {"0001", "and", 9},
                       {"100101", "white", 3},
                       {"110111", "egrets", 1}});
}

// "section template: values" of every feature of an arc.
std::vector<std::string> texts(const PartFeatures& features, int section, int h, int m,
                               bool limited) {
  const WordClusters groups = clusters();
  const std::vector<ParserWord> words = sentence(limited);
  PositionAtoms atoms;
  atoms.fill(words, &groups);
  const FeatureText text(features.templates(), words, atoms, &groups);
  const Part part{.family = PartFamily::dep, .h = h, .m = m};
  std::vector<std::string> out;
  features.for_each_member(section, atoms, part,
                           [&](FeatureKey, int number, FeatureCopy copy, int member) {
                             out.push_back(text.name(section, number) + ": " +
                                           text.values(section, number, copy, member, part));
                           });
  return out;
}

using Lines = std::vector<std::string>;

TEST(BetweenFeatures, RareWordsEachHaveTheirCluster) {
  const PartFeatures features(parse_part_templates("[dep]\nk = b.k4\n", "test"));
  // Words 3 to 8: saw grey herons and white egrets.
  const Lines expected{"dep k: b.k4=0110", "dep k: b.k4=1001", "dep k: b.k4=1101",
                       "dep k: b.k4=0001"};
  for (const bool limited : {false, true}) {
    SCOPED_TRACE(limited ? "limited" : "not limited");
    EXPECT_EQ(texts(features, 0, 2, 9, limited), expected);
    EXPECT_EQ(texts(features, 0, 9, 2, limited), expected);
  }
}

TEST(BetweenFeatures, WordsThatLookTheSameToTheTemplateCountOnce) {
  const auto count = [&](const std::string& line, bool limited) {
    const PartFeatures features(parse_part_templates("[dep]\n" + line + "\n", "test"));
    return texts(features, 0, 2, 9, limited).size();
  };
  EXPECT_EQ(count("a = b.k", false), 5U);  // herons and egrets share theirs
  EXPECT_EQ(count("a = b.t", false), 4U);  // VBD JJ NNS CC
  EXPECT_EQ(count("a = b.c", false), 4U);
  EXPECT_EQ(count("a = b.w", false), 6U);
  EXPECT_EQ(count("a = b.w", true), 2U);
  EXPECT_EQ(count("a = b.cc", false), 1U);
  // Several atoms of the word, or those of its neighbours.
  EXPECT_EQ(count("a = b.t b.k6", false), 5U);
  EXPECT_EQ(count("a = b.t b.k6", true), 5U);
  EXPECT_EQ(count("a = b.k4 b-1.k4", false), 5U);
  EXPECT_EQ(count("a = b.t b+1.t", false), 5U);  // "grey herons" and "white egrets" are one
  EXPECT_EQ(count("a = b.c when b.cc", false), 1U);
  EXPECT_EQ(count("a = h.t when b.k4", true), 1U);
}

// The features of random sentences are the set of those that every word between would have.
TEST(BetweenFeatures, AreADistinctSetOfThoseOfAllWords) {
  const WordClusters groups = clusters();
  const std::vector<std::string_view> forms{"The", "keeper", "saw", "grey", "herons", "and"};
  const std::vector<std::string_view> tags{"A", "B", "_"};
  const PartFeatures features(parse_part_templates(
      "[dep]\na = h.t b.k4 m.t\nb = b.t b.w\nc = b.k6 b-1.c\nd = b.sh when b.w\n", "test"));
  for (int seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<ParserWord> words;
    for (int k = 0; k < 12; ++k) {
      words.push_back({forms[random.below(forms.size())], "_", tags[random.below(3)],
                       tags[random.below(3)], "_", random.chance(0.5)});
    }
    PositionAtoms atoms;
    atoms.fill(words, &groups);
    const int h = random.between(0, 5), m = random.between(7, 12);
    std::vector<FeatureKey> found;
    features.for_each(atoms, {.family = PartFamily::dep, .h = h, .m = m},
                      [&](FeatureKey key, int, FeatureCopy) { found.push_back(key); });
    const std::set<FeatureKey> distinct(found.begin(), found.end());
    EXPECT_EQ(distinct.size(), found.size()) << "a feature came twice";
    std::set<FeatureKey> expected;
    const auto add = [&](const char* name, std::vector<AtomValue> values) {
      FeatureKey key = join(atom_of(std::string_view(name)), atom_of(std::string_view("dep")));
      for (const AtomValue value : values) {
        if (value == kAbsent) return;
        key = join(key, value);
      }
      expected.insert(key);
    };
    const auto atom = [&](int word, PositionAtom which) {
      return atoms.at(word)[static_cast<int>(which)];
    };
    for (int b = h + 1; b < m; ++b) {
      using enum PositionAtom;
      add("a", {atom(h, fine), atom(b, cluster4), atom(m, fine)});
      add("b", {atom(b, fine), atom(b, form)});
      const AtomValue* const left = atoms.at(b) - kPositionAtoms;
      add("c", {atom(b, cluster6), left[static_cast<int>(coarse)]});
      if (atom(b, form) != kAbsent) add("d", {atom(b, shape)});
    }
    EXPECT_EQ(distinct, expected);
  }
}

// Everything that the tables of the cluster model say of one arc, with names and values, with the
// lexical limit on and off. Written anew with COPSE_UPDATE_GOLDEN=1.
TEST(BetweenFeatures, OfTheClusterTablesAreThoseOfTheGoldenFile) {
  std::ostringstream text;
  for (const char* const table : {"clusters", "pruner-clusters"}) {
    const PartFeatures features(built_in_templates(table));
    for (const bool limited : {false, true}) {
      text << table << (limited ? ", forms limited\n" : ", all forms\n");
      for (const int section : {0, kLabelSection}) {
        for (const std::string& line : texts(features, section, 2, 9, limited)) {
          text << "  " << line << '\n';
        }
      }
    }
  }
  const std::string path = source_dir() + "/tests/dependency/golden/cluster_features.txt";
  if (std::getenv("COPSE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text.str();
  std::ifstream file(path);
  const std::string golden((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text.str(), golden);
}

}  // namespace
}  // namespace copse
