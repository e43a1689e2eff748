#include "copse/dependency/feature_text.h"

#include <gtest/gtest.h>

#include <set>

#include "copse/base/input.h"
#include "copse/cluster/word_clusters.h"

namespace copse {
namespace {

const std::vector<ParserWord>& words() {
  static const std::vector<ParserWord> kWords = {
      {"Élodie", "Élodie", "PROPN", "NNP", "Number=Sing", true},
      {"and", "_", "CCONJ", "CC", "_", true},
      {"hyacinths", "hyacinth", "NOUN", "NNS", "Number=Plur|Gender=Fem", false},
      {"X9-b", "", "_", "", "", true},
      {"slept", "sleep", "VERB", "VBD", "Number=Plur|VerbForm=Fin", true}};
  return kWords;
}

WordClusters clusters() {
  Input input = Input::from_memory("0011010\tslept\t3\n01\tand\t9\n", "test");
  return WordClusters::read(input);
}

// Every feature of a part with its text, one a line.
std::vector<std::string> texts(const std::string& table, int section, const Part& part) {
  const PartFeatures features(parse_part_templates(table, "test"));
  PositionAtoms atoms;
  atoms.fill(words(), nullptr);
  const FeatureText text(features.templates(), words(), atoms, nullptr);
  std::vector<std::string> out;
  features.for_each_member(section, atoms, part,
                           [&](FeatureKey, int number, FeatureCopy copy, int member) {
                             out.push_back(text.name(section, number) + ": " +
                                           text.values(section, number, copy, member, part));
                           });
  return out;
}

using Lines = std::vector<std::string>;

TEST(AtomText, IsWhatTheValueOfTheAtomIsMadeOf) {
  const WordClusters groups = clusters();
  PositionAtoms atoms;
  atoms.fill(words(), &groups);
  int present = 0;
  for (std::size_t k = 0; k < words().size(); ++k) {
    for (int a = 0; a < kPositionAtoms; ++a) {
      const auto atom = static_cast<PositionAtom>(a);
      SCOPED_TRACE(testing::Message() << words()[k].form << '.' << name_of(atom));
      const auto text = text_of(atom, words()[k], &groups);
      const AtomValue value = atoms.at(static_cast<int>(k) + 1)[a];
      EXPECT_EQ(text ? atom_of(*text) : kAbsent, value);
      present += text ? 1 : 0;
    }
  }
  EXPECT_GT(present, 40);
}

TEST(AtomText, IsAbsentWithoutClusters) {
  EXPECT_FALSE(text_of(PositionAtom::cluster4, words()[0], nullptr));
  const WordClusters groups = clusters();
  EXPECT_EQ(text_of(PositionAtom::cluster4, words()[4], &groups), "0011");
  EXPECT_EQ(text_of(PositionAtom::cluster, words()[0], &groups), "<unknown>");
}

TEST(FeatureText, NamesTheAtomsOfATemplateWithTheirValues) {
  const Part arc{.h = 5, .m = 2};
  EXPECT_EQ(texts("[dep]\ncopies = alone dir dist\npair = h.w m.w\n", 0, arc),
            (Lines{"dep pair: h.w=slept m.w=and", "dep pair: h.w=slept m.w=and dir=left",
                   "dep pair: h.w=slept m.w=and dist=left:3"}));
  EXPECT_EQ(texts("[dep]\ntag = h.T m.T\n", 0, arc),
            (Lines{"dep tag: h.t=VBD m.t=CC", "dep tag/coarse: h.c=VERB m.c=CCONJ"}));
}

TEST(FeatureText, NamesWhatLiesBeyondTheWords) {
  EXPECT_EQ(texts("[dep]\nx = h-1.t h.t h+1.t m-2.t m.p5 m+1.t\n", 0, {.h = 0, .m = 1}),
            (Lines{"dep x: h-1.t=<bos> h.t=<root> h+1.t=NNP m-2.t=<bos> m.p5=Élodi m+1.t=CC"}));
  EXPECT_EQ(texts("[sib]\nx = m+1.t s.w\n", static_cast<int>(PartFamily::sib),
                  {.family = PartFamily::sib, .h = 1, .m = 5}),
            (Lines{"sib x: m+1.t=<eos> s.w=<none>"}));
}

TEST(FeatureText, NamesTheMembersOfSets) {
  const Part arc{.h = 5, .m = 1};
  EXPECT_EQ(texts("[dep]\nx = h.c b.t\n", 0, arc),
            (Lines{"dep x: h.c=VERB b.t=CC", "dep x: h.c=VERB b.t=NNS"}));
  EXPECT_EQ(texts("[dep]\nx = h.attr m.c\n", 0, arc),
            (Lines{"dep x: h.Number=Plur m.c=PROPN", "dep x: h.VerbForm=Fin m.c=PROPN"}));
  EXPECT_EQ(texts("[dep]\nx = m.attr\n", 0, arc), (Lines{"dep x: m.Number=Sing"}));
  EXPECT_EQ(texts("[dep]\nx = agree\n", 0, arc), (Lines{"dep x: agree=Number:different"}));
  EXPECT_EQ(texts("[dep]\nx = agree\n", 0, {.h = 5, .m = 3}),
            (Lines{"dep x: agree=Number:same", "dep x: agree=Gender:only-m"}));
  EXPECT_EQ(texts("[dep]\nx = agree\n", 0, {.h = 3, .m = 4}),
            (Lines{"dep x: agree=Number:only-h", "dep x: agree=Gender:only-h"}));
}

TEST(FeatureText, NamesTheAtomsOfThePartItself) {
  EXPECT_EQ(texts("[dep]\nx = verbs commas conjunctions dir\n", 0, {.h = 1, .m = 4}),
            (Lines{"dep x: verbs=0 commas=0 conjunctions=1 dir=right"}));
  EXPECT_EQ(texts("[grand]\ncopies = dir\nx = g.t\n", static_cast<int>(PartFamily::grand),
                  {.family = PartFamily::grand, .g = 5, .h = 1, .m = 2}),
            (Lines{"grand x: g.t=VBD dir=left-right"}));
  EXPECT_EQ(texts("[stop]\ncopies = dir\nx = h.t\n", static_cast<int>(PartFamily::stop),
                  {.family = PartFamily::stop, .h = 1, .side = Side::left}),
            (Lines{"stop x: h.t=NNP dir=left-none"}));
}

TEST(FeatureText, DiffersForFeaturesThatDiffer) {
  const PartFeatures features(
      parse_part_templates("[dep]\ncopies = alone dir dist\na = h.w m.w\nb = b.t b.w\nc = verbs\n"
                           "d = h.attr\ne = agree m.c\nf = h+1.s3 m-1.sh\n",
                           "test"));
  PositionAtoms atoms;
  atoms.fill(words(), nullptr);
  const FeatureText text(features.templates(), words(), atoms, nullptr);
  std::set<FeatureKey> keys;
  std::set<std::string> names;
  for (int h = 0; h <= 5; ++h) {
    for (int m = 1; m <= 5; ++m) {
      if (h == m) continue;
      const Part part{.h = h, .m = m};
      features.for_each_member(
          0, atoms, part, [&](FeatureKey key, int number, FeatureCopy copy, int member) {
            keys.insert(key);
            names.insert(text.name(0, number) + text.values(0, number, copy, member, part));
          });
    }
  }
  EXPECT_EQ(keys.size(), names.size());
}

}  // namespace
}  // namespace copse
