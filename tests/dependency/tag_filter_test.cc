// The cells of the tag filter against descriptions of arcs, written down here anew; what passes; and
// that the margin loses as little as it promises.
#include "copse/dependency/tag_filter.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "copse/base/random.h"
#include "copse/dependency/arc_pruner.h"
#include "copse/dependency/tag_filter_training.h"
#include "tests/dependency/dependency_testing.h"
#include "tests/dependency/pair_model.h"

namespace copse {
namespace {

using dependency_testing::PairModel;

std::vector<std::string> letters(const std::string& prefix, int count) {
  std::vector<std::string> out;
  for (int k = 0; k < count; ++k) out.push_back(prefix + std::to_string(k));
  return out;
}

// Words with random tags, the last one of each kind unknown to the filter; VERB and "," occur.
struct RandomSentence {
  RandomSentence(int size, Random& random) {
    for (int k = 0; k < size; ++k) {
      const std::size_t coarse = random.below(4);
      const std::string upos = coarse == 0 ? "VERB" : "C" + std::to_string(coarse);
      forms.push_back(random.below(4) == 0 ? "," : "w");
      columns.push_back({upos, "F" + std::to_string(random.below(4))});
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
      words.push_back({forms[k], "_", columns[k].first, columns[k].second, "_", true});
    }
    atoms.fill(words, nullptr);
  }
  std::vector<std::string> forms;
  std::vector<std::pair<std::string, std::string>> columns;
  std::vector<ParserWord> words;
  PositionAtoms atoms;
};

TagFilter filter_of_letters(bool fine) {
  std::vector<std::string> coarse = letters("C", 3);
  coarse.emplace_back("VERB");
  const TagNumbers numbers(coarse);
  return {fine, fine ? TagNumbers(letters("F", 3)) : numbers, numbers};
}

// What each table tells arcs apart by.
std::array<std::string, TagFilter::kTables> description(const RandomSentence& sentence, bool fine,
                                                        int h, int m) {
  const auto known = [](const std::string& tag) { return tag == "F3" ? "unknown" : tag; };
  const auto word = [&](int position) { return static_cast<std::size_t>(position) - 1; };
  const auto tag = [&](int position) -> std::string {
    if (position == 0) return "root";
    const auto& [coarse, own] = sentence.columns[word(position)];
    return known(fine ? own : coarse);
  };
  const auto coarse = [&](int position) -> std::string {
    const bool outside = position < 1 || position > static_cast<int>(sentence.words.size());
    return outside ? "outside" : sentence.columns[word(position)].first;
  };
  std::map<std::string, int> between;
  for (int b = std::min(h, m) + 1; b < std::max(h, m); ++b) {
    ++between["tag " + tag(b)];
    if (coarse(b) == "VERB") ++between["verbs"];
    if (sentence.forms[word(b)] == ",") ++between["commas"];
  }
  const auto count = [&](const std::string& what) {
    return std::to_string(std::min(between[what], 3));
  };
  const int length = std::abs(h - m);
  const int bin = h == 0 ? 0 : length <= 5 ? length : length <= 10 ? 6 : length <= 20 ? 7 : 8;
  const std::string pair = tag(h) + ' ' + tag(m) + (m > h ? " right " : " left ");
  return {pair + std::to_string(bin),
          pair + coarse(m - 1),
          pair + coarse(m + 1),
          pair + coarse(h - 1),
          pair + coarse(h + 1),
          pair + count("verbs") + count("commas"),
          pair + count("tag " + tag(h)) + count("tag " + tag(m))};
}

TEST(TagFilter, CellsAreOneForEachDescription) {
  for (const bool fine : {false, true}) {
    Random random(7);
    const TagFilter filter = filter_of_letters(fine);
    std::map<std::pair<std::size_t, std::string>, std::uint32_t> cell_of;
    std::map<std::uint32_t, std::string> meaning_of;
    TagFilter::Tagged tagged;
    for (int round = 0; round < 12; ++round) {
      const RandomSentence sentence(1 + static_cast<int>(random.below(24)), random);
      filter.read(sentence.words, tagged);
      const int n = static_cast<int>(sentence.words.size());
      for (int m = 1; m <= n; ++m) {
        for (int h = 0; h <= n; ++h) {
          if (h == m) continue;
          const auto cells = filter.cells_of(tagged, sentence.atoms, h, m);
          const auto meanings = description(sentence, fine, h, m);
          for (std::size_t k = 0; k < cells.size(); ++k) {
            ASSERT_LT(cells[k], filter.cells());
            const auto cell = cell_of.emplace(std::pair(k, meanings[k]), cells[k]).first->second;
            ASSERT_EQ(cell, cells[k]) << k << ": " << meanings[k];
            const std::string meaning = std::to_string(k) + ": " + meanings[k];
            ASSERT_EQ(meaning_of.emplace(cells[k], meaning).first->second, meaning);
          }
        }
      }
    }
  }
}

// Weights drawn at random, and a margin.
TagFilter random_filter(Random& random, int margin) {
  TagFilter filter = filter_of_letters(true);
  std::vector<float> weights(filter.cells());
  for (float& weight : weights) weight = static_cast<float>(random.normal());
  filter.set_weights(weights);
  filter.set_margin(margin);
  return filter;
}

TEST(TagFilter, LeavesWhatIsNearTheBestHeadAndAllOfUnknownTags) {
  Random random(3);
  const int margin = 400;
  const TagFilter filter = random_filter(random, margin);
  ModelWriter writer("test", nullptr);
  filter.save(writer);
  const TagFilter again = TagFilter::load(ModelFile::from_bytes(writer.bytes(), "test"));
  TagFilter::Tagged tagged;
  int left_out = 0;
  for (int round = 0; round < 40; ++round) {
    const int n = 2 + static_cast<int>(random.below(10));
    const RandomSentence sentence(n, random);
    filter.read(sentence.words, tagged);
    ArcMask before(n);
    for (int k = 0; k < n; ++k) {
      const int m = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
      if (m > 1) before.forbid(m - 1, m);
    }
    ArcMask mask = before, reloaded = before;
    filter.apply(sentence.words, sentence.atoms, mask);
    again.apply(sentence.words, sentence.atoms, reloaded);
    const auto unknown = [&](int position) {
      return position > 0 &&
             sentence.columns[static_cast<std::size_t>(position) - 1].second == "F3";
    };
    const auto score = [&](int h, int m) {
      return filter.score(filter.cells_of(tagged, sentence.atoms, h, m));
    };
    for (int m = 1; m <= n; ++m) {
      EXPECT_EQ(mask.heads(m), reloaded.heads(m));
      int best = -1'000'000;
      for (const int h : before.heads(m)) {
        if (!unknown(h)) best = std::max(best, score(h, m));
      }
      for (int h = 0; h <= n; ++h) {
        if (h == m) continue;
        const bool near = unknown(m) || unknown(h) || score(h, m) >= best - margin;
        EXPECT_EQ(mask.allowed(h, m), before.allowed(h, m) && near);
        left_out += before.allowed(h, m) && !near ? 1 : 0;
      }
    }
  }
  EXPECT_GT(left_out, 100);
}

TEST(TagFilter, AnEmptyOneLetsEverythingPassAndIsNotSaved) {
  Random random(5);
  const RandomSentence sentence(6, random);
  ModelWriter writer("test", nullptr);
  TagFilter().save(writer);
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test");
  EXPECT_FALSE(file.has("tagfilter.weights"));
  ArcMask mask(6);
  TagFilter::load(file).apply(sentence.words, sentence.atoms, mask);
  EXPECT_EQ(mask.arcs(), 36);
}

TEST(TagFilter, SectionsThatDoNotFitAreRefused) {
  const auto load = [](std::size_t tags, std::vector<std::int32_t> numbers, std::size_t weights) {
    ModelWriter writer("test", nullptr);
    writer.add_strings("tagfilter.tags", letters("T", static_cast<int>(tags)));
    writer.add_strings("tagfilter.coarse", letters("C", 1));
    writer.add_array("tagfilter.margin", std::span<const std::int32_t>(numbers));
    const std::vector<std::int16_t> zeros(weights);
    writer.add_array("tagfilter.weights", std::span<const std::int16_t>(zeros));
    return dependency_testing::failure_of(
        [&] { TagFilter::load(ModelFile::from_bytes(writer.bytes(), "test")); });
  };
  const std::size_t size = TagFilter(true, TagNumbers(letters("T", 2)), TagNumbers({"C0"})).cells();
  EXPECT_EQ(load(2, {1, 300}, size), "");
  EXPECT_NE(load(2, {1, 300}, size - 1).find("does not fit"), std::string::npos);
  EXPECT_NE(load(2, {2, 300}, size).find("impossible"), std::string::npos);
  EXPECT_NE(load(2, {1, -1}, size).find("impossible"), std::string::npos);
  EXPECT_NE(load(2, {1}, size).find("impossible"), std::string::npos);
  EXPECT_NE(load(65, {1, 300}, size).find("too many"), std::string::npos);
}

// Heads follow from tags: "b" hangs on the nearest "a" to its left, "a" on the "a" before.
std::vector<Sentence> regular_sentences(int count, Random& random) {
  std::vector<Sentence> out;
  for (int i = 0; i < count; ++i) {
    std::vector<dependency_testing::WordLine> lines;
    int last = 0;
    const int n = 2 + static_cast<int>(random.below(9));
    for (int k = 1; k <= n; ++k) {
      const bool is_a = k == 1 || random.below(3) == 0;
      lines.push_back({"w", is_a ? "A" : "B", "_", last, "x"});
      if (is_a) last = k;
    }
    out.push_back(dependency_testing::sentence_of(lines));
  }
  return out;
}

struct Learnt {
  Learnt(const std::vector<Sentence>& sentences, const TagFilterTraining& training) {
    parts.scheme = tag_scheme_of(sentences);
    learnt = sentences_to_learn(sentences, true, 600, parts);
    for (const TrainingSentence& each : learnt) lengths.learn(each.words.words(), each.heads);
    filter = learn_tag_filter(learnt, lengths, training);
  }
  DependencyParser::Parts parts;
  std::vector<TrainingSentence> learnt;
  LengthFilter lengths;
  TagFilter filter;
};

TEST(TagFilter, LearnsToLeaveFewArcsAndLosesNoMoreThanItMay) {
  Random random(11);
  const auto sentences = regular_sentences(1500, random);
  const Learnt given(sentences, {.lost = 0.01});
  ASSERT_FALSE(given.filter.is_empty());
  PositionAtoms atoms;
  int words = 0, before = 0, after = 0, lost = 0;
  for (std::size_t i = 0; i < given.learnt.size(); i += 10) {  // those that the margin rests on
    const auto columns = given.learnt[i].words.words();
    atoms.fill(columns, nullptr);
    ArcMask mask = given.lengths.mask(columns);
    before += mask.arcs();
    given.filter.apply(columns, atoms, mask);
    after += mask.arcs();
    words += mask.words();
    for (int m = 1; m <= mask.words(); ++m) {
      lost += mask.allowed(given.learnt[i].heads[static_cast<std::size_t>(m)], m) ? 0 : 1;
    }
  }
  EXPECT_LE(lost, words / 100);
  EXPECT_LT(2 * after, 3 * words);
  EXPECT_GT(before, 2 * words);
  // The same again: nothing is drawn from anywhere but the seed.
  const Learnt again(sentences, {.lost = 0.01});
  ModelWriter one("test", nullptr), other("test", nullptr);
  given.filter.save(one);
  again.filter.save(other);
  EXPECT_EQ(one.bytes(), other.bytes());
}

TEST(TagFilter, IsEmptyWhereTooLittleIsHeldOutOrTagsAreTooMany) {
  Random random(12);
  EXPECT_TRUE(Learnt(regular_sentences(100, random), {.lost = 0.001}).filter.is_empty());
  std::vector<Sentence> many = regular_sentences(300, random);
  for (std::size_t i = 0; i < many.size(); ++i) {
    many[i].set(1, Column::upos, "T" + std::to_string(i % 65));
  }
  EXPECT_TRUE(Learnt(many, {.lost = 0.05}).filter.is_empty());
}

TEST(TagFilter, ThePrunerSetsItAsideWhereItLeavesNoTree) {
  // The best head of every word by tags is the word before or behind it: a cycle.
  const PairModel model(2, [](int, int) { return 0.0; });
  TagFilter filter(true, TagNumbers({"N"}), TagNumbers({"N"}));
  std::vector<float> weights(filter.cells(), 0.0F);
  TagFilter::Tagged tagged;
  filter.read(model.words(), tagged);
  for (const int m : {1, 2}) weights[filter.cells_of(tagged, model.atoms(), 0, m).front()] = -9;
  filter.set_weights(weights);
  ArcMask mask(2);
  filter.apply(model.words(), model.atoms(), mask);
  ASSERT_EQ(mask.arcs(), 2);
  ArcPruner pruner({}, model.scorer(), 1e-6, {Factorisation::first, RootRule::single, true});
  pruner.set_tag_filter(filter);
  ArcPruner::Scratch scratch;
  EXPECT_EQ(pruner.prune(model.words(), model.atoms(), nullptr, scratch).arcs(), 4);
}

}  // namespace
}  // namespace copse
