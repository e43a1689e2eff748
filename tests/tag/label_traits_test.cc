#include "copse/tag/label_traits.h"

#include <gtest/gtest.h>

#include "copse/base/random.h"
#include "copse/tag/tagger_training.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse {
namespace {

TEST(LabelTraits, AreWhatLabelsHaveInCommon) {
  const std::vector<std::string> labels = {"NOUN\tNN\tCase=Nom|Number=Sing",
                                           "NOUN\tNNS\tCase=Nom|Number=Plur",
                                           "PROPN\tNNP\tCase=Nom|Number=Sing"};
  // Numbered from 3 by their names: NOUN 3, PROPN 4, NN 5, NNP 6, NNS 7, Plur 8, Sing 9; all have
  // Case=Nom.
  const LabelTraits traits(labels);
  EXPECT_EQ(traits.count(), 7U);
  const auto of = [&](Label label) {
    const auto found = traits.of(label);
    return std::vector<Label>(found.begin(), found.end());
  };
  EXPECT_EQ(of(0), (std::vector<Label>{3, 5, 9}));
  EXPECT_EQ(of(1), (std::vector<Label>{3, 7, 8}));
  EXPECT_EQ(of(2), (std::vector<Label>{4, 6, 9}));
  const std::vector<float> scores = {1, 2, 4, 10, 20, 40, 80, 160, 320, 640};
  EXPECT_EQ(traits.score(0, scores), 1 + 10 + 40 + 640);
  std::vector<float> all = scores;
  traits.add_to_labels(std::span(all).first(3), all);
  for (Label label = 0; label < 3; ++label) EXPECT_EQ(all[label], traits.score(label, scores));
}

TEST(LabelTraits, OfNoLabelsAreNone) {
  const LabelTraits none;
  EXPECT_EQ(none.count(), 0U);
  EXPECT_TRUE(none.of(0).empty());
  const std::vector<float> scores = {3};
  EXPECT_EQ(none.score(0, scores), 3);
}

// The score of tags, one weight after the other.
double slow_score(const SequenceTagger& tagger, std::span<const std::string_view> words,
                  const std::vector<Label>& tags) {
  const TagModel& model = tagger.model();
  SentenceAtoms atoms;
  fill_atoms(words, {}, model.sources(), atoms);
  double sum = 0;
  const auto add = [&](FeatureKey key, Label label) {
    if (key == kAbsent) return;
    const auto row = tagger.weights().find(key);
    tagger.weights().for_each(row, [&](Label output, float weight) {
      const auto traits = model.traits.of(label);
      if (output == label || std::ranges::find(traits, output) != traits.end()) sum += weight;
    });
  };
  for (int i = 0; i < atoms.words(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (const Template& row : model.features.local) add(key_of(row, atoms.origin(i)), tags[at]);
    const Label last = i >= 1 ? tags[at - 1] : model.beginning();
    const Label before = i >= 2 ? tags[at - 2] : model.beginning();
    for (const HistoryTemplate& row : model.features.history) {
      const FeatureKey key = key_of(row.words, atoms.origin(i));
      if (key == kAbsent) continue;
      const TagModel::History& seen = model.history(row);
      add(row.key(key, seen.atoms[seen.values[before]], seen.atoms[seen.values[last]]), tags[at]);
    }
  }
  return sum;
}

TEST(LabelTraits, TablesAndSumsOfTraitsScoreAsTheWeightsDo) {
  std::vector<Sentence> sentences;
  for (Entry& entry : read_treebank(source_dir() + "/fixtures/english.conllu")) {
    sentences.push_back(std::move(entry.sentence));
  }
  TaggerTrainingOptions options;
  options.sequence.epochs = 2;
  options.sequence.dictionary.rare_below = 3;
  for (const bool together : {true, false}) {
    options.together = together;
    const Tagger tagger = train_tagger(sentences, {}, options).tagger;
    const SequenceTagger& part = tagger.parts().front().tagger;
    // Words with one label alone have no scores; such a word would be seen a hundred times.
    TagScratch scratch;
    Random random(5);
    for (const Sentence& sentence : sentences) {
      const SentenceWords words(sentence, false);
      part.fill_lattice(words.input(), scratch);
      TagSequence sequence;
      std::vector<Label> labels;
      for (int i = 0; i < sentence.words(); ++i) {
        const auto candidates = scratch.candidates_of(i);
        sequence.push_back(static_cast<int>(random.below(candidates.size())));
        labels.push_back(candidates[static_cast<std::size_t>(sequence.back())]);
      }
      const double slow = slow_score(part, words.input().words, labels);
      EXPECT_NEAR(scratch.lattice.score(sequence), slow, 1e-3 * (1 + std::abs(slow)));
    }
  }
}

TEST(TagModel, ASureWordHasTheLabelsItWasSeenWith) {
  TagModel model;
  model.labels = {"A\tx", "B\tx", "C\ty"};
  model.traits = LabelTraits(model.labels);
  std::vector<TagDictionary::Seen> seen;
  for (int i = 0; i < 3; ++i) seen.insert(seen.end(), {{"both", 0}, {"both", 2}, {"one", 1}});
  model.dictionary = TagDictionary::build(seen, 3, {2, 1});
  model.candidates.sure_from = 4;
  std::vector<float> scores(model.outputs(), 0.0F);
  std::vector<Label> found;
  const auto both = model.dictionary.find(atom_of("both"));
  model.find_candidates(both, scores, found);
  EXPECT_EQ(found, (std::vector<Label>{0, 2}));
  const auto one = model.dictionary.find(atom_of("one"));
  model.find_candidates(one, scores, found);
  EXPECT_EQ(found, (std::vector<Label>{0, 1, 2}));  // three times is not sure
  EXPECT_FALSE(model.only_label(one, found));
  EXPECT_FALSE(model.only_label(both, found));
  model.candidates.sure_from = 3;
  EXPECT_TRUE(model.only_label(one, found));
  EXPECT_EQ(found, std::vector<Label>{1});
  EXPECT_FALSE(model.only_label(both, found));
  EXPECT_FALSE(model.only_label(model.dictionary.find(atom_of("new")), found));
}

}  // namespace
}  // namespace copse
