// Spines and adjunctions: from trees, back to trees, and what is lost on the way.
#include "copse/constituency/spinal/derivation.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>

#include "copse/base/error.h"
#include "copse/treebank/clean.h"
#include "tests/treebank/tree_testing.h"

namespace copse::spinal {
namespace {

using tree_testing::tree_of;

std::vector<std::string> words_of(const PhraseTree& tree) {
  std::vector<std::string> words;
  for (int i = 0; i < tree.words(); ++i) words.emplace_back(tree.word_at(i));
  return words;
}

const HeadRules& collins() {
  static const HeadRules rules = HeadRules::builtin("collins");
  return rules;
}

struct Case {
  explicit Case(const std::string& text, Levels levels = Levels::merged)
      : tree(clean(tree_of(text)).tree),
        derivation(derivation_of(tree, collins(), levels, labels)) {}

  std::string spine(int word) const {
    const Spine& each = derivation.spines[static_cast<std::size_t>(word)];
    std::string text = std::string(labels.text(each.tag));
    for (const LabelId phrase : each.phrases) text += " " + std::string(labels.text(phrase));
    return text;
  }
  // "2:s1" is a sister at position 1 of word 2, "2:r1" a regular adjunction, "2:r1+2" two levels up.
  std::string arc(int word) const {
    const Adjunction& each = derivation.adjunctions[static_cast<std::size_t>(word)];
    return fmt::format("{}:{}{}{}", each.head, each.rise == 0 ? "s" : "r", each.position,
                       each.rise > 1 ? fmt::format("+{}", each.rise) : "");
  }
  std::vector<std::string> arcs() const {
    std::vector<std::string> out;
    for (int m = 1; m <= derivation.words(); ++m) out.push_back(arc(m));
    return out;
  }
  std::vector<std::string> grammar() const {
    std::vector<std::string> out;
    const auto all = grammar_of(derivation);
    for (std::size_t m = 1; m < all.size(); ++m) {
      out.push_back(fmt::format("{} {} {} {}", labels.text(all[m].x), labels.text(all[m].y),
                                labels.text(all[m].z), all[m].rise));
    }
    return out;
  }
  std::string back() const {
    return copse::spinal::tree_of(derivation, words_of(tree), labels).str();
  }

  Symbols labels;
  PhraseTree tree;
  Derivation derivation;
};

using Texts = std::vector<std::string>;

// The example of the paper's section 2.
const std::string kExample =
    "(S (NP (NNP John)) (VP (VP (ADVP (RB luckily)) (VP (VBD ate) (NP (NN cake))) (NP (NN today))) "
    "(ADVP (RB quickly))))";

TEST(SpinalDerivation, SpinesAndAdjunctionsOfTheExample) {
  const Case example(kExample);
  EXPECT_EQ(example.spine(0), "* TOP");
  EXPECT_EQ(example.spine(1), "NNP NP");
  EXPECT_EQ(example.spine(2), "RB ADVP");
  EXPECT_EQ(example.spine(3), "VBD VP S");
  EXPECT_EQ(example.arcs(), (Texts{"3:s2", "3:r1", "0:s1", "3:s1", "3:r1", "3:r1"}));
  EXPECT_EQ(example.back(), kExample);
}

TEST(SpinalDerivation, WhatTheModelSeesOfAnAdjunction) {
  const Case example(kExample);
  EXPECT_EQ(example.grammar(), (Texts{"S VP NP 0", "VP VP ADVP 1", "TOP * S 0", "VP VBD NP 0",
                                      "VP VP NP 1", "VP VP ADVP 1"}));
  // A sister of a level that was opened before looks like one of a copy.
  const Case later("(VP (VP (VBD ate)) (NP (NN cake)) (NP (NN today)))");
  EXPECT_EQ(later.arcs(), (Texts{"0:s1", "1:r1", "1:s1"}));
  EXPECT_EQ(later.grammar(), (Texts{"TOP * VP 0", "VP VP NP 1", "VP VP NP 0"}));
}

TEST(SpinalDerivation, LevelsOfTheTwoSidesAreMerged) {
  const std::string tree =
      "(VP (ADVP (RB luckily)) (VP (VP (VBD ate) (NP (NN cake))) (NP (NN today))))";
  const std::string flatter =
      "(VP (ADVP (RB luckily)) (VP (VBD ate) (NP (NN cake))) (NP (NN today)))";
  const Case merged(tree);
  EXPECT_EQ(merged.arcs(), (Texts{"2:r1", "0:s1", "2:s1", "2:r1"}));
  EXPECT_EQ(merged.back(), flatter);
  const Case exact(tree, Levels::exact);
  EXPECT_EQ(exact.arcs(), (Texts{"2:r1+2", "0:s1", "2:s1", "2:r1"}));
  EXPECT_EQ(exact.back(), tree);
  // The tree that is flat has the same derivation when merged and another one when exact.
  EXPECT_EQ(Case(flatter).arcs(), merged.arcs());
  EXPECT_EQ(Case(flatter, Levels::exact).arcs(), (Texts{"2:r1", "0:s1", "2:s1", "2:r1"}));
}

TEST(SpinalDerivation, SeveralPhrasesUnderTheOuterBracket) {
  const Case several("( (NP (NN cake)) (. .) )");
  EXPECT_EQ(several.spine(1), "NN NP TOP");
  EXPECT_EQ(several.back(), "(TOP (NP (NN cake)) (. .))");
  const Case one("( (NP (NN cake)) )");
  EXPECT_EQ(one.spine(1), "NN NP");
  EXPECT_EQ(one.back(), "(NP (NN cake))");
}

TEST(SpinalDerivation, OneWordAndOnlyPunctuation) {
  EXPECT_EQ(Case("(NN cake)").back(), "(NN cake)");
  EXPECT_EQ(Case("(FRAG (: --) (. .))").back(), "(FRAG (: --) (. .))");
}

TEST(SpinalDerivation, RandomTreesComeBackExactly) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed={}", seed));
    Random random(seed);
    // Trees over few labels, so that phrases stand over phrases of the same label.
    std::string text;
    int words = 0;
    const std::function<void(int)> grow = [&](int depth) {
      const std::vector<std::string> labels = {"NP", "VP", "S"};
      if (depth == 0 || random.below(4) == 0) {
        text += fmt::format("({} w{})", random.below(2) == 0 ? "NN" : "VB", words++);
        return;
      }
      text += "(" + labels[random.below(3)];
      for (std::uint64_t k = 1 + random.below(3); k > 0; --k) {
        text += ' ';
        grow(depth - 1);
      }
      text += ")";
    };
    grow(5);
    const Case exact(text, Levels::exact);
    EXPECT_EQ(exact.back(), exact.tree.str());
    const Case merged(text);
    // Nothing but the number of levels changes.
    const Case again(merged.back());
    EXPECT_EQ(again.derivation.adjunctions, merged.derivation.adjunctions);
    for (const auto& sides : merged.derivation.sides()) {
      for (const auto* side : {&sides.left, &sides.right}) {
        int last = 0;
        for (const int m : *side) {
          const int position = merged.derivation.adjunctions[static_cast<std::size_t>(m)].position;
          EXPECT_GE(position, last);
          last = position;
        }
      }
    }
  }
}

TEST(SpinalDerivation, WhatIsNoDerivationIsRefused) {
  Case example(kExample);
  const std::vector<std::string> words = words_of(example.tree);
  const auto message = [&](const std::function<void(Derivation&)>& damage) {
    Derivation damaged = example.derivation;
    damage(damaged);
    try {
      copse::spinal::tree_of(damaged, words, example.labels);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("nothing");
  };
  EXPECT_EQ(message([](Derivation&) {}), "nothing");
  EXPECT_EQ(message([](Derivation& d) { d.adjunctions[4].position = 3; }),
            "the derivation has a bad position at word 4");
  EXPECT_EQ(message([](Derivation& d) { d.adjunctions[4].position = 2; }),
            "the derivation has a bad position at word 5");
  EXPECT_EQ(message([](Derivation& d) { d.adjunctions[4].head = 4; }), "word 4 has no head");
  EXPECT_EQ(message([](Derivation& d) { d.adjunctions[3].head = 4; }),
            "the derivation has not one root at word 0");
  EXPECT_EQ(message([](Derivation& d) { d.adjunctions[6].head = 1; }),
            "the derivation has crossing arcs at word 6");
  EXPECT_EQ(message([](Derivation& d) { d.adjunctions[5].rise = -1; }),
            "the derivation has a bad rise at word 5");
}

}  // namespace
}  // namespace copse::spinal
