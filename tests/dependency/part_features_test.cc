// Which features a part has, by name, copy and what they join.
#include "copse/dependency/part_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/dependency/dependency_testing.h"
#include "tests/source_dir.h"

namespace copse {
namespace {

// "We saw old trees , and bees in May": a hand-made sentence with all that templates look at.
const std::vector<ParserWord> kWords{
    {"We", "we", "PRON", "PRP", "Case=Nom|Number=Plur|Person=1", true},
    {"saw", "see", "VERB", "VBD", "Tense=Past", true},
    {"ancient", "ancient", "ADJ", "JJ", "_", true},
    {"trees", "tree", "NOUN", "NNS", "Number=Plur", true},
    {",", "_", "PUNCT", ",", "_", true},
    {"and", "and", "CCONJ", "CC", "_", true},
    {"bees", "bee", "NOUN", "NNS", "Number=Plur", false},
    {"in", "in", "ADP", "_", "_", true},
    {"May", "May", "PROPN", "NNP", "Number=Sing", true}};

PositionAtoms sentence_atoms() {
  PositionAtoms atoms;
  atoms.fill(kWords, nullptr);
  return atoms;
}

const char* name_of(FeatureCopy copy) {
  switch (copy) {
    case FeatureCopy::alone:
      return "alone";
    case FeatureCopy::direction:
      return "dir";
    case FeatureCopy::distance:
      return "dist";
  }
  return "";
}

// "name copy" of every feature of a part, sorted; equal ones as often as they come.
std::vector<std::string> list(const PartFeatures& features, const Part& part) {
  const PositionAtoms atoms = sentence_atoms();
  std::vector<std::string> found;
  features.for_each(atoms, part, [&](FeatureKey, int number, FeatureCopy copy) {
    const auto& rows = features.templates().of(part.family);
    found.push_back(rows[static_cast<std::size_t>(number)].name + ' ' + name_of(copy));
  });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<FeatureKey> keys(const PartFeatures& features, const Part& part) {
  const PositionAtoms atoms = sentence_atoms();
  std::vector<FeatureKey> found;
  features.for_each(atoms, part, [&](FeatureKey key, int, FeatureCopy) { found.push_back(key); });
  return found;
}

PartFeatures features_of(std::string_view text) {
  return PartFeatures(parse_part_templates(text, "test"));
}

FeatureKey joined(std::string_view section, std::string_view name,
                  const std::vector<AtomValue>& values) {
  FeatureKey key = join(atom_of(name), atom_of(section));
  for (const AtomValue value : values) key = join(key, value);
  return key;
}

AtomValue number(std::uint64_t value) {
  return atom_of(value);
}

constexpr Part dep(int h, int m) {
  return {.family = PartFamily::dep, .h = h, .m = m};
}

TEST(PartFeatures, KeysJoinNameAndAtomsInOrder) {
  const PartFeatures features = features_of("[dep]\npair = h.w m.t\n");
  EXPECT_EQ(keys(features, dep(2, 4)),
            std::vector<FeatureKey>{joined("dep", "pair", {atom_of("saw"), atom_of("NNS")})});
  EXPECT_EQ(keys(features, dep(0, 2)),
            std::vector<FeatureKey>{joined("dep", "pair", {atom_of("<root>"), atom_of("VBD")})});
}

TEST(PartFeatures, SummedKeysAreSeedsAndAtomsTimesOddFactors) {
  const PartFeatures features(
      parse_part_templates("[dep]\ncopies = alone dir dist\npair = h.w m.t\n", "test"),
      KeyScheme::summed);
  const std::uint64_t seed = join(atom_of("pair"), atom_of("dep"));
  const std::uint64_t sum =
      seed + (scramble(seed) | 1U) * atom_of("saw") + (scramble(seed + 1) | 1U) * atom_of("NNS");
  const auto found = keys(features, {.h = 2, .m = 4});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], sum);
  EXPECT_EQ(found[1], sum + number(1));  // to the right
  EXPECT_EQ(found[2] >> 32, found[1] >> 32);
  EXPECT_NE(found[2], found[1]);
}

// Whatever is one feature by chained keys is one by summed keys, and the other way round.
TEST(PartFeatures, BothKindsOfKeysTellTheSameFeaturesApart) {
  const auto templates = dependency_testing::built_in_templates("default");
  const PartFeatures chained(templates), summed(templates, KeyScheme::summed);
  std::map<FeatureKey, FeatureKey> there, back;
  std::size_t features = 0;
  for (const PartFamily family : {PartFamily::dep, PartFamily::sib, PartFamily::grand,
                                  PartFamily::gsib, PartFamily::tsib, PartFamily::stop}) {
    for (int h = 1; h <= 9; ++h) {
      for (int m = 1; m <= 9; ++m) {
        if (h == m) continue;
        const Part part{.family = family,
                        .g = (h + m) % 3 == 0 ? 0 : h % 9,
                        .h = h,
                        .m = m,
                        .s = m > h + 1 ? h + 1 : kNobody,
                        .t = kNobody};
        const auto a = keys(chained, part), b = keys(summed, part);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t k = 0; k < a.size(); ++k) {
          EXPECT_EQ(there.emplace(a[k], b[k]).first->second, b[k]) << str(part);
          EXPECT_EQ(back.emplace(b[k], a[k]).first->second, a[k]) << str(part);
        }
        features += a.size();
      }
    }
  }
  EXPECT_GT(features, 8'000U);
}

TEST(PartFeatures, CopiesAddDirectionAndDistance) {
  const PartFeatures features = features_of("[dep]\ncopies = alone dir dist\na = m.c\n");
  const auto expected = [](std::string_view tag, std::uint64_t direction, std::uint64_t bin) {
    const FeatureKey alone = joined("dep", "a", {atom_of(tag)});
    const FeatureKey directed = join(alone, number(direction));
    return std::vector<FeatureKey>{alone, directed,
                                   copy_of(directed, number(16 + direction * 16 + bin))};
  };
  EXPECT_EQ(keys(features, dep(2, 4)), expected("NOUN", 1, 2));
  EXPECT_EQ(keys(features, dep(4, 2)), expected("VERB", 0, 2));
  EXPECT_EQ(keys(features, dep(2, 7)), expected("NOUN", 1, 5));
  EXPECT_EQ(keys(features, dep(2, 8)), expected("ADP", 1, 6));
  EXPECT_EQ(keys(features, dep(0, 9)), expected("PROPN", 1, 6));
}

TEST(PartFeatures, LongDistancesShareTheirBins) {
  PositionAtoms atoms;
  atoms.fill(std::vector<ParserWord>(60, {"w", "_", "N", "N", "_", true}), nullptr);
  const PartFeatures features = features_of("[dep]\ncopies = dist\na = dir\n");
  std::map<FeatureKey, std::vector<int>> lengths;
  for (int m = 2; m <= 60; ++m) {
    features.for_each(atoms, dep(1, m),
                      [&](FeatureKey key, int, FeatureCopy) { lengths[key].push_back(m - 1); });
  }
  std::vector<std::vector<int>> bins;
  bins.reserve(lengths.size());
  for (const auto& [key, bin] : lengths) bins.push_back({bin.front(), bin.back()});
  std::sort(bins.begin(), bins.end());
  const std::vector<std::vector<int>> expected{{1, 1}, {2, 2},  {3, 3},   {4, 4},
                                               {5, 5}, {6, 10}, {11, 20}, {21, 59}};
  EXPECT_EQ(bins, expected);
}

TEST(PartFeatures, AbsentAtomsAndGuardsSilenceATemplate) {
  const PartFeatures features = features_of(
      "[dep]\nform = m.w\nprefix = m.p5\nwhen = m.t when h.p5\nfine = m.t\ncoarse = m.c\n");
  EXPECT_EQ(list(features, dep(2, 3)),
            (std::vector<std::string>{"coarse alone", "fine alone", "form alone", "prefix alone"}));
  // bees: beyond the lexical limit; ancient is a head with a beginning.
  EXPECT_EQ(list(features, dep(3, 7)),
            (std::vector<std::string>{"coarse alone", "fine alone", "when alone"}));
  // in: no fine tag.
  EXPECT_EQ(list(features, dep(3, 8)), (std::vector<std::string>{"coarse alone", "form alone"}));
}

TEST(PartFeatures, GuardsDoNotEnterTheKey) {
  const PartFeatures guarded = features_of("[dep]\na = m.t when h.p5\n");
  const PartFeatures plain = features_of("[dep]\na = m.t\n");
  EXPECT_EQ(keys(guarded, dep(3, 4)), keys(plain, dep(3, 4)));
}

TEST(PartFeatures, WordsBetweenCountOncePerTagOrForm) {
  const PartFeatures tags = features_of("[dep]\nbetween = h.c b.c m.c\n");
  // saw .. May: ancient trees , and bees in; by fine tags: JJ NNS , CC (NNS again) and none.
  const auto key = [](std::string_view h, std::string_view b, std::string_view m) {
    return joined("dep", "between", {atom_of(h), atom_of(b), atom_of(m)});
  };
  EXPECT_EQ(keys(tags, dep(2, 9)),
            (std::vector<FeatureKey>{key("VERB", "ADJ", "PROPN"), key("VERB", "NOUN", "PROPN"),
                                     key("VERB", "PUNCT", "PROPN"), key("VERB", "CCONJ", "PROPN"),
                                     key("VERB", "ADP", "PROPN")}));
  EXPECT_EQ(keys(tags, dep(5, 3)), (std::vector<FeatureKey>{key("PUNCT", "NOUN", "ADJ")}));
  EXPECT_TRUE(keys(tags, dep(2, 3)).empty());
  // The tag of the only word in between was met before it, but not between these two.
  EXPECT_EQ(keys(tags, dep(6, 8)), (std::vector<FeatureKey>{key("CCONJ", "NOUN", "ADP")}));
  const PartFeatures forms = features_of("[dep]\nform = b.w\n");
  EXPECT_EQ(keys(forms, dep(2, 5)),
            (std::vector<FeatureKey>{joined("dep", "form", {atom_of("ancient")}),
                                     joined("dep", "form", {atom_of("trees")})}));
  const PartFeatures conjunctions = features_of("[dep]\nconjunction = b.cc\n");
  EXPECT_EQ(keys(conjunctions, dep(2, 9)),
            (std::vector<FeatureKey>{joined("dep", "conjunction", {atom_of("and")})}));
}

TEST(PartFeatures, CountsBetweenAreCutAtThree) {
  const PartFeatures features = features_of("[dep]\na = verbs commas conjunctions\n");
  const auto key = [](std::uint64_t verbs, std::uint64_t commas, std::uint64_t conjunctions) {
    return std::vector<FeatureKey>{
        joined("dep", "a", {number(verbs), number(commas), number(conjunctions)})};
  };
  EXPECT_EQ(keys(features, dep(1, 9)), key(1, 1, 1));
  EXPECT_EQ(keys(features, dep(2, 5)), key(0, 0, 0));  // neither end counts
  EXPECT_EQ(keys(features, dep(0, 3)), key(1, 0, 0));
  PositionAtoms atoms;
  atoms.fill(std::vector<ParserWord>(9, {",", "_", "VERB", "CC", "_", true}), nullptr);
  features.for_each(atoms, dep(1, 9), [&](FeatureKey found, int, FeatureCopy) {
    EXPECT_EQ(found, key(3, 3, 3).front());
  });
}

TEST(PartFeatures, AttributesAndAgreementGiveOneFeatureEach) {
  const PartFeatures features =
      features_of("[dep]\nhead = h.attr m.c\nmodifier = h.c m.attr\nagreement = h.c m.c agree\n");
  const auto noun = atom_of("NOUN");
  const auto pronoun = atom_of("PRON");
  // We -> trees: Case on one side only, Number the same, Person on one side only.
  const std::vector<FeatureKey> expected{
      joined("dep", "head", {atom_of("Case=Nom"), noun}),
      joined("dep", "head", {atom_of("Number=Plur"), noun}),
      joined("dep", "head", {atom_of("Person=1"), noun}),
      joined("dep", "modifier", {pronoun, atom_of("Number=Plur")}),
      joined("dep", "agreement", {pronoun, noun, number(4 * 0 + 1)}),
      joined("dep", "agreement", {pronoun, noun, number(4 * 1 + 2)}),
      joined("dep", "agreement", {pronoun, noun, number(4 * 3 + 1)})};
  EXPECT_EQ(keys(features, dep(1, 4)), expected);
  // trees -> May: different numbers; saw -> May: the head has none.
  EXPECT_EQ(keys(features, dep(4, 9)).back(),
            joined("dep", "agreement", {noun, atom_of("PROPN"), number(4 * 1 + 3)}));
  EXPECT_EQ(keys(features, dep(2, 9)).back(),
            joined("dep", "agreement", {atom_of("VERB"), atom_of("PROPN"), number(4 * 1 + 0)}));
  EXPECT_TRUE(keys(features, dep(0, 3)).empty());
}

TEST(PartFeatures, DirectionsTellTheHeadsSideToo) {
  const PartFeatures features =
      features_of("[grand]\ncopies = dir\na = m.t\n[stop]\ncopies = dir\na = h.c\n");
  const auto grand = [&](int g, int h, int m) {
    return keys(features, Part{.family = PartFamily::grand, .g = g, .h = h, .m = m}).front();
  };
  const auto key = [](std::string_view tag, std::uint64_t direction) {
    return joined("grand", "a", {atom_of(tag), number(direction)});
  };
  EXPECT_EQ(grand(2, 4, 3), key("JJ", 4));
  EXPECT_EQ(grand(4, 2, 1), key("PRP", 2));
  EXPECT_EQ(grand(4, 2, 3), key("JJ", 3));
  EXPECT_EQ(grand(1, 2, 3), key("JJ", 5));
  const auto stop = [&](Side side) {
    return keys(features, Part{.family = PartFamily::stop, .h = 2, .side = side}).front();
  };
  EXPECT_EQ(stop(Side::right), joined("stop", "a", {atom_of("VERB"), number(6)}));
  EXPECT_EQ(stop(Side::left), joined("stop", "a", {atom_of("VERB"), number(7)}));
}

TEST(PartFeatures, SiblingsThatAreNotThereAreNone) {
  const PartFeatures features = features_of("[sib]\na = m.t s.t s+1.w\n");
  EXPECT_EQ(keys(features, Part{.family = PartFamily::sib, .h = 2, .m = 4}),
            std::vector<FeatureKey>{
                joined("sib", "a", {atom_of("NNS"), atom_of("<none>"), atom_of("<none>")})});
}

TEST(PartFeatures, SiblingDistancesAreBetweenTheModifiers) {
  const PartFeatures features = features_of("[sib]\ncopies = dist\na = dir\n");
  const auto key = [](std::uint64_t bin) {
    const FeatureKey directed = joined("sib", "a", {number(1), number(1)});
    return std::vector<FeatureKey>{copy_of(directed, number(16 + 16 + bin))};
  };
  EXPECT_EQ(keys(features, Part{.family = PartFamily::sib, .h = 2, .m = 9, .s = 8}), key(1));
  EXPECT_EQ(keys(features, Part{.family = PartFamily::sib, .h = 2, .m = 9}), key(6));
}

// Templates whose s comes last, first, in the middle, not at all, in a condition only, beside a set.
TEST(PartFeatures, SiblingsOneByOneAndTogetherHaveTheSameFeatures) {
  const PositionAtoms atoms = sentence_atoms();
  const std::vector<int> siblings{kNobody, 3, 4, 6, 7, 8};
  std::vector<const AtomValue*> rows;
  for (const int s : siblings) rows.push_back(atoms.at(s));
  const std::string own =
      "[gsib]\ncopies = alone dir dist\na = g.t h.w m.t s.w\nb = s.w g.t\nc = g.w s.T m.w\n"
      "d = g.t m.t\ne = g.w m.w when s.cc\nf = h.w s.p5 when m.cc\ng = s+1.t s-1.w h.attr\n";
  for (const PartFeatures& features :
       {features_of(own), PartFeatures(dependency_testing::built_in_templates("default"))}) {
    for (const int g : {0, 1, 9}) {
      for (const int m : {5, 9}) {
        Part part{.family = PartFamily::gsib, .g = g, .h = 2, .m = m};
        std::vector<std::vector<FeatureKey>> together(siblings.size());
        features.for_each_sibling(
            atoms, part, rows, [&](std::size_t k, FeatureKey key) { together[k].push_back(key); });
        for (std::size_t k = 0; k < siblings.size(); ++k) {
          part.s = siblings[k];
          auto alone = keys(features, part);
          ASSERT_FALSE(alone.empty());
          std::sort(alone.begin(), alone.end());
          std::sort(together[k].begin(), together[k].end());
          EXPECT_EQ(together[k], alone) << str(part);
        }
      }
    }
  }
}

TEST(PartFeatures, EqualTemplatesOfDifferentSectionsHaveDifferentKeys) {
  const PartFeatures features =
      features_of("[dep]\ntags = h.t m.t\n[stop]\ntags = h.t m.t\n[sib]\ntags = h.t m.t\n");
  const FeatureKey arc = keys(features, dep(2, 4)).front();
  const FeatureKey stop = keys(features, Part{.family = PartFamily::stop, .h = 2, .m = 4}).front();
  const FeatureKey sibling =
      keys(features, Part{.family = PartFamily::sib, .h = 2, .m = 4}).front();
  EXPECT_NE(arc, stop);
  EXPECT_NE(arc, sibling);
  EXPECT_NE(stop, sibling);
}

TEST(PartFeatures, LabelsHaveTheirOwnSection) {
  const PartFeatures features = features_of("[dep]\na = h.w\n[label]\nb = m.w dir\nc = b.c\n");
  const PositionAtoms atoms = sentence_atoms();
  std::vector<FeatureKey> found;
  features.for_each_of_label(atoms, 2, 4,
                             [&](FeatureKey key, int, FeatureCopy) { found.push_back(key); });
  EXPECT_EQ(found, (std::vector<FeatureKey>{joined("label", "b", {atom_of("trees"), number(1)}),
                                            joined("label", "c", {atom_of("ADJ")})}));
}

// All features of the built-in table for one part of each family, by name: a changed template is a
// visible difference. Written anew with COPSE_UPDATE_GOLDEN=1.
TEST(PartFeatures, OfTheBuiltInTableAreThoseOfTheGoldenFile) {
  const PartFeatures features(dependency_testing::built_in_templates("default"));
  const std::vector<Part> parts{dep(2, 4),
                                dep(0, 2),
                                {.family = PartFamily::stop, .h = 4, .m = 7},
                                {.family = PartFamily::stop, .h = 4, .side = Side::left},
                                {.family = PartFamily::sib, .h = 2, .m = 9, .s = 4},
                                {.family = PartFamily::sib, .h = 2, .m = 4},
                                {.family = PartFamily::grand, .g = 2, .h = 4, .m = 6},
                                {.family = PartFamily::gsib, .g = 2, .h = 4, .m = 7, .s = 6},
                                {.family = PartFamily::gsib, .g = 0, .h = 2, .m = 1},
                                {.family = PartFamily::tsib, .h = 2, .m = 9, .s = 5, .t = 4}};
  std::ostringstream text;
  for (const Part& part : parts) {
    text << str(part) << '\n';
    for (const std::string& each : list(features, part)) text << "  " << each << '\n';
  }
  const std::string path = source_dir() + "/tests/dependency/golden/features.txt";
  if (std::getenv("COPSE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text.str();
  std::ifstream file(path);
  const std::string golden((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text.str(), golden);
}

}  // namespace
}  // namespace copse
