// What stands at each position: words, the places beside them, and odd bytes.
#include "copse/dependency/position_atoms.h"

#include <gtest/gtest.h>

#include <set>

#include "copse/base/random.h"
#include "copse/cluster/word_clusters.h"

namespace copse {
namespace {

using enum PositionAtom;

AtomValue atom(const PositionAtoms& atoms, int position, PositionAtom which, int away = 0) {
  return atoms.at(position)[away * kPositionAtoms + static_cast<int>(which)];
}

PositionAtoms atoms_of(const std::vector<ParserWord>& words,
                       const WordClusters* clusters = nullptr) {
  PositionAtoms atoms;
  atoms.fill(words, clusters);
  return atoms;
}

PositionAtoms atoms_of_form(std::string_view form_of_word) {
  return atoms_of({{form_of_word, "_", "_", "_", "_", true}});
}

constexpr std::array kSpecial = {form, lemma, fine, coarse, shape, feats};

void ExpectSpecial(const PositionAtoms& atoms, int position, int away, std::string_view value) {
  for (const PositionAtom which : kSpecial) {
    EXPECT_EQ(atom(atoms, position, which, away), atom_of(value))
        << value << ", atom " << static_cast<int>(which);
  }
  for (const PositionAtom which : {prefix5, suffix3, conjunction, cluster4, cluster6, cluster}) {
    EXPECT_EQ(atom(atoms, position, which, away), kAbsent) << value;
  }
}

TEST(PositionAtoms, NamesAreThoseOfTheTemplates) {
  const std::vector<std::string_view> names{"w",  "l", "t",  "c",  "p5", "s3",
                                            "sh", "f", "cc", "k4", "k6", "k"};
  ASSERT_EQ(names.size(), static_cast<std::size_t>(kPositionAtoms));
  for (std::size_t k = 0; k < names.size(); ++k) {
    ASSERT_TRUE(position_atom_named(names[k]).has_value()) << names[k];
    EXPECT_EQ(static_cast<std::size_t>(*position_atom_named(names[k])), k);
  }
  for (const std::string_view none : {"", "W", "T", "p", "attr", "w "}) {
    EXPECT_FALSE(position_atom_named(none).has_value()) << none;
  }
}

TEST(PositionAtoms, BosEosRootAndNoneStandWhereTheyShould) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
    const std::vector<ParserWord> words(n, {"word", "word", "NOUN", "NN", "_", true});
    const PositionAtoms atoms = atoms_of(words);
    const int last = static_cast<int>(n);
    for (const int away : {1, 2}) {
      ExpectSpecial(atoms, 1, -away, "<bos>");
      ExpectSpecial(atoms, last, away, "<eos>");
      ExpectSpecial(atoms, 0, -away, "<bos>");
      ExpectSpecial(atoms, kNobody, away, "<none>");
      ExpectSpecial(atoms, kNobody, -away, "<none>");
    }
    ExpectSpecial(atoms, 0, 0, "<root>");
    ExpectSpecial(atoms, kNobody, 0, "<none>");
    // The root stands before the first word.
    EXPECT_EQ(atom(atoms, 0, fine, 1), atom_of("NN"));
    EXPECT_EQ(atom(atoms, 0, fine, 2), atom_of(n == 1 ? "<eos>" : "NN"));
  }
}

TEST(PositionAtoms, NeighboursOfWordsAreTheWordsBesideThem) {
  const PositionAtoms atoms = atoms_of({{"a", "_", "A", "aa", "_", true},
                                        {"b", "_", "B", "bb", "_", true},
                                        {"c", "_", "C", "cc", "_", true}});
  EXPECT_EQ(atom(atoms, 2, form, -1), atom_of("a"));
  EXPECT_EQ(atom(atoms, 2, fine, 1), atom_of("cc"));
  EXPECT_EQ(atom(atoms, 1, coarse, 2), atom_of("C"));
  EXPECT_EQ(atom(atoms, 3, coarse, -2), atom_of("A"));
}

TEST(PositionAtoms, ASentenceWithoutWordsHasARootAmongItsEnds) {
  const PositionAtoms atoms = atoms_of({});
  ExpectSpecial(atoms, 0, 0, "<root>");
  ExpectSpecial(atoms, 0, 1, "<eos>");
  EXPECT_EQ(atoms.words(), 0);
}

TEST(PositionAtoms, MissingColumnsAreAbsentAndMissingLemmasAreLowerCase) {
  const PositionAtoms atoms = atoms_of({{"\xC3\x84PFEL", "_", "_", "", "_", true},
                                        {"Went", "go", "VERB", "VBD", "Tense=Past", true}});
  EXPECT_EQ(atom(atoms, 1, fine), kAbsent);
  EXPECT_EQ(atom(atoms, 1, coarse), kAbsent);
  EXPECT_EQ(atom(atoms, 1, feats), kAbsent);
  EXPECT_EQ(atom(atoms, 1, lemma), atom_of("\xC3\xA4pfel"));
  EXPECT_EQ(atom(atoms, 2, lemma), atom_of("go"));
  EXPECT_EQ(atom(atoms, 2, fine), atom_of("VBD"));
  EXPECT_EQ(atom(atoms, 2, coarse), atom_of("VERB"));
  EXPECT_EQ(atom(atoms, 2, feats), atom_of("Tense=Past"));
}

TEST(PositionAtoms, WordsBeyondTheLexicalLimitHaveNoFormLemmaOrPrefix) {
  const PositionAtoms atoms = atoms_of({{"Gardening", "garden", "NOUN", "NN", "_", false}});
  EXPECT_EQ(atom(atoms, 1, form), kAbsent);
  EXPECT_EQ(atom(atoms, 1, lemma), kAbsent);
  EXPECT_EQ(atom(atoms, 1, prefix5), kAbsent);
  EXPECT_EQ(atom(atoms, 1, suffix3), atom_of("ing"));
  EXPECT_EQ(atom(atoms, 1, shape), atom_of("Xxx"));
  EXPECT_EQ(atom(atoms, 1, fine), atom_of("NN"));
}

TEST(PositionAtoms, BeginningsAndEndsAreCutBetweenCharacters) {
  const std::string cyrillic = "\xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB0\xD0\xBC\xD0\xB8";  // 7
  const PositionAtoms atoms = atoms_of_form(cyrillic);
  EXPECT_EQ(atom(atoms, 1, prefix5), atom_of(cyrillic.substr(0, 10)));
  EXPECT_EQ(atom(atoms, 1, suffix3), atom_of(cyrillic.substr(8)));
  EXPECT_EQ(atom(atoms_of_form("abcde"), 1, prefix5), kAbsent);
  EXPECT_EQ(atom(atoms_of_form("abcdef"), 1, prefix5), atom_of("abcde"));
  EXPECT_EQ(atom(atoms_of_form("abc"), 1, suffix3), kAbsent);
  EXPECT_EQ(atom(atoms_of_form("abcd"), 1, suffix3), atom_of("bcd"));
}

TEST(PositionAtoms, OddBytesAreCutWithinTheForm) {
  // Continuations without a beginning, and a beginning without its continuation.
  EXPECT_EQ(atom(atoms_of_form("\x80\x80\x80\x80\x80\x80\x80"), 1, prefix5), kAbsent);
  EXPECT_EQ(atom(atoms_of_form("\x80\x80\x80\x80\x80\x80\x80"), 1, suffix3), kAbsent);
  EXPECT_EQ(atom(atoms_of_form("\xF0\xF0\xF0\xF0\xF0\xF0"), 1, prefix5),
            atom_of("\xF0\xF0\xF0\xF0\xF0"));
  Random random(1);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    std::string bytes(random.below(12), ' ');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    const PositionAtoms atoms = atoms_of_form(bytes);
    std::set<AtomValue> beginnings{kAbsent}, ends{kAbsent};
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      beginnings.insert(atom_of(std::string_view(bytes).substr(0, k)));
      ends.insert(atom_of(std::string_view(bytes).substr(k)));
    }
    ASSERT_TRUE(beginnings.contains(atom(atoms, 1, prefix5)));
    ASSERT_TRUE(ends.contains(atom(atoms, 1, suffix3)));
  }
}

TEST(PositionAtoms, ShapesShortenRunsToTwo) {
  const auto shape_of = [](std::string_view word) { return atom(atoms_of_form(word), 1, shape); };
  EXPECT_EQ(shape_of("Pell"), atom_of("Xxx"));
  EXPECT_EQ(shape_of("IBM"), atom_of("XX"));
  EXPECT_EQ(shape_of("1984"), atom_of("dd"));
  EXPECT_EQ(shape_of("U.S.-based"), atom_of("X.X.-xx"));
  EXPECT_EQ(shape_of("\xC3\xA4h"), atom_of("uux"));
  // Long words of changing kinds end somewhere.
  EXPECT_EQ(shape_of("aA1aA1aA1aA1aA1aA1aA1"), atom_of("xXdxXdxXdxXdxXdx"));
}

TEST(PositionAtoms, ClustersGiveTheBeginningsOfTheirBits) {
  const WordClusters clusters({{"0110101", "rain", 3}, {"01", "sun", 1}});
  const PositionAtoms atoms = atoms_of({{"rain", "_", "_", "_", "_", true},
                                        {"sun", "_", "_", "_", "_", false},
                                        {"snow", "_", "_", "_", "_", true}},
                                       &clusters);
  EXPECT_EQ(atom(atoms, 1, cluster4), atom_of("0110"));
  EXPECT_EQ(atom(atoms, 1, cluster6), atom_of("011010"));
  EXPECT_EQ(atom(atoms, 1, cluster), atom_of("0110101"));
  for (const PositionAtom which : {cluster4, cluster6, cluster}) {
    EXPECT_EQ(atom(atoms, 2, which), atom_of("01"));
    EXPECT_EQ(atom(atoms, 3, which), atom_of("<unknown>"));
    EXPECT_EQ(atom(atoms, 0, which), atom_of("<root>"));
    EXPECT_EQ(atom(atoms, kNobody, which), atom_of("<none>"));
    EXPECT_EQ(atom(atoms, 1, which, -1), atom_of("<bos>"));
    EXPECT_EQ(atom(atoms, 3, which, 1), atom_of("<eos>"));
  }
}

TEST(PositionAtoms, ConjunctionsAreKnownByEitherTag) {
  const PositionAtoms atoms = atoms_of({{"And", "_", "CCONJ", "_", "_", true},
                                        {"or", "_", "_", "CC", "_", true},
                                        {"und", "_", "CONJ", "KON", "_", false},
                                        {"and", "_", "NOUN", "NN", "_", true}});
  EXPECT_EQ(atom(atoms, 1, conjunction), atom_of("and"));
  EXPECT_EQ(atom(atoms, 2, conjunction), atom_of("or"));
  EXPECT_EQ(atom(atoms, 3, conjunction), atom_of("und"));
  EXPECT_EQ(atom(atoms, 4, conjunction), kAbsent);
  EXPECT_EQ(atoms.counts_up_to(4).conjunctions, 3);
}

TEST(PositionAtoms, AttributesAreListedUpToEightAndComparedAll) {
  const PositionAtoms atoms = atoms_of(
      {{"x", "_", "_", "_", "A=1|B=2|C=3|D=4|E=5|F=6|G=7|H=8|I=9|Number=Plur|Person=3", true},
       {"y", "_", "_", "_", "Case=|Number|Gender=Fem||Gender=Masc", true},
       {"z", "_", "_", "_", "_", true}});
  ASSERT_EQ(atoms.attributes(1).size(), 8U);
  EXPECT_EQ(atoms.attributes(1)[0], atom_of("A=1"));
  EXPECT_EQ(atoms.attributes(1)[7], atom_of("H=8"));
  EXPECT_EQ(atoms.compared(1, 0), kAbsent);
  EXPECT_EQ(atoms.compared(1, 1), atom_of("Plur"));
  EXPECT_EQ(atoms.compared(1, 3), atom_of("3"));
  EXPECT_EQ(atoms.compared(2, 0), atom_of(""));
  EXPECT_EQ(atoms.compared(2, 1), kAbsent);  // a name without a value
  EXPECT_EQ(atoms.compared(2, 2), atom_of("Masc"));
  for (const int position : {kNobody, 0, 3}) {
    EXPECT_EQ(atoms.attributes(position).size(), 0U);
    for (int k = 0; k < PositionAtoms::kCompared; ++k) {
      EXPECT_EQ(atoms.compared(position, k), kAbsent);
    }
  }
}

TEST(PositionAtoms, CountsGrowWithThePosition) {
  const PositionAtoms atoms = atoms_of({{"runs", "_", "VERB", "_", "_", true},
                                        {",", "_", "PUNCT", ",", "_", true},
                                        {"is", "_", "AUX", "_", "_", true},
                                        {"ran", "_", "_", "VBD", "_", true},
                                        {"and", "_", "CCONJ", "_", "_", true}});
  EXPECT_EQ(atoms.counts_up_to(0).verbs, 0);
  EXPECT_EQ(atoms.counts_up_to(1).verbs, 1);
  EXPECT_EQ(atoms.counts_up_to(2).commas, 1);
  EXPECT_EQ(atoms.counts_up_to(4).verbs, 3);
  EXPECT_EQ(atoms.counts_up_to(4).conjunctions, 0);
  EXPECT_EQ(atoms.counts_up_to(5).conjunctions, 1);
}

TEST(PositionAtoms, WordsAreLinkedToTheirNeighboursWithTheSameAtom) {
  const WordClusters clusters({{"0110", "a", 3}, {"0111", "b", 2}, {"0110", "c", 1}});
  const PositionAtoms atoms = atoms_of({{"a", "_", "N", "X", "_", true},
                                        {"b", "_", "_", "Y", "_", false},
                                        {"c", "_", "N", "Y", "_", false},
                                        {"a", "_", "M", "X", "_", true},
                                        {"b", "_", "_", "_", "_", false}},
                                       &clusters);
  const auto before = [&](PositionAtom atom) {
    std::vector<int> out;
    for (int m = 1; m <= 5; ++m) out.push_back(atoms.same_before(m, atom));
    return out;
  };
  EXPECT_EQ(before(PositionAtom::form), (std::vector<int>{0, 0, 0, 1, 0}));
  EXPECT_EQ(before(PositionAtom::fine), (std::vector<int>{0, 0, 2, 1, 0}));
  EXPECT_EQ(before(PositionAtom::coarse), (std::vector<int>{0, 0, 1, 0, 0}));
  EXPECT_EQ(before(PositionAtom::cluster4), (std::vector<int>{0, 0, 1, 3, 2}));
  const auto after = [&](PositionAtom atom) {
    std::vector<int> out;
    for (int m = 1; m <= 5; ++m) out.push_back(atoms.same_after(m, atom));
    return out;
  };
  EXPECT_EQ(after(PositionAtom::form), (std::vector<int>{4, 6, 6, 6, 6}));
  EXPECT_EQ(after(PositionAtom::fine), (std::vector<int>{4, 3, 6, 6, 6}));
  EXPECT_EQ(after(PositionAtom::coarse), (std::vector<int>{3, 6, 6, 6, 6}));
  EXPECT_EQ(after(PositionAtom::cluster4), (std::vector<int>{3, 5, 4, 6, 6}));
}

TEST(PositionAtoms, FillingAgainForgetsTheSentenceBefore) {
  PositionAtoms atoms;
  const WordClusters clusters({{"0110101", "rain", 3}});
  atoms.fill(std::vector<ParserWord>(9, {"rain", "_", "X", "Y", "A=1", true}), &clusters);
  atoms.fill(std::vector<ParserWord>(1, {"b", "_", "_", "_", "_", true}), nullptr);
  EXPECT_EQ(atom(atoms, 1, cluster), kAbsent);
  EXPECT_EQ(atom(atoms, 1, fine), kAbsent);
  EXPECT_EQ(atoms.attributes(1).size(), 0U);
  ExpectSpecial(atoms, 1, 1, "<eos>");
  ExpectSpecial(atoms, 0, 0, "<root>");
}

}  // namespace
}  // namespace copse
