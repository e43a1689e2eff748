// Why a word is adjoined where it is: sums, the other derivation against long lists, names.
#include "copse/constituency/spinal/explain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "copse/base/error.h"
#include "tests/constituency/spinal/spinal_testing.h"

namespace copse::spinal {
namespace {

using spinal_testing::parser;
using spinal_testing::some_trees;
using spinal_testing::words_and_tags;

const WordsToParse kSentence{{"The", "baker", "opens", "the", "shop", "."}, {}};

double tolerance(double score) {
  return 1e-4 * (1 + std::abs(score));
}

void ExpectSumsAddUp(const ArcExplanation& explained) {
  EXPECT_NEAR(explained.difference(), explained.best.score - explained.other.score, 1e-9);
  double templates = 0;
  for (const TemplateShare& share : shares_by_template(explained)) templates += share.difference();
  EXPECT_NEAR(templates, explained.difference(), 1e-9);
}

// The best of a list of derivations in which the word is adjoined otherwise.
double best_other(const WordsToParse& sentence, int word) {
  Workspace workspace;
  const PreparedSentence prepared = parser().prepare(sentence, workspace);
  const auto parts = parser().parts_on(Rung::asked, prepared, {}, workspace);
  parser().score(*parts, true, workspace);
  const SpinalList list = workspace.search.k_best(*parts, workspace.scores, 3000);
  const Analysis best = analysis_of(*parts, list.derivations.front());
  const auto m = static_cast<std::size_t>(word);
  for (const SpinalDerivation& each : list.derivations) {
    const Analysis analysis = analysis_of(*parts, each);
    const SpinalArc arc{analysis.head[m], word, analysis.adjunction[m]};
    if (!best.has(arc)) return each.score;
  }
  return std::nan("");
}

TEST(AttachmentExplainer, ComparesWithTheBestOtherAdjunction) {
  int compared = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    WordsToParse sentence = words_and_tags(some_trees()[i]);
    sentence.tags.clear();
    AttachmentExplainer explainer(parser(), sentence, {});
    EXPECT_EQ(explainer.note(), "");
    for (int m = 1; m <= static_cast<int>(sentence.words.size()); ++m) {
      SCOPED_TRACE(testing::Message() << "tree " << i << " word " << m);
      const ArcExplanation explained = explainer.explain(m);
      ASSERT_NE(explained.where, OtherTree::nowhere);
      ExpectSumsAddUp(explained);
      EXPECT_GE(explained.difference(), -tolerance(explained.best.score));
      const auto at = static_cast<std::size_t>(m);
      EXPECT_TRUE(explained.best.heads[at] != explained.other.heads[at] ||
                  explained.best.labels[at] != explained.other.labels[at]);
      if (explained.where != OtherTree::survived) continue;
      const double listed = best_other(sentence, m);
      if (std::isnan(listed)) continue;
      ++compared;
      EXPECT_NEAR(explained.other.score, listed, tolerance(listed));
    }
  }
  EXPECT_GT(compared, 5);
}

TEST(AttachmentExplainer, AgainstAHeadOfOnesChoice) {
  const WordsToParse sentence{{"The", "baker", "opens", "the", "shop", "at", "six", "."}, {}};
  AttachmentExplainer explainer(parser(), sentence, {});
  int found = 0;
  for (int m = 1; m <= 8; ++m) {
    for (int head = 0; head <= 8; ++head) {
      if (head == m || head == explainer.best().heads[static_cast<std::size_t>(m)]) continue;
      SCOPED_TRACE(testing::Message() << m << " on " << head);
      std::optional<ArcExplanation> explained;
      try {
        explained = explainer.explain(m, head);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);  // no derivation has it
        continue;
      }
      ++found;
      EXPECT_EQ(explained->other_head(), head);
      ExpectSumsAddUp(*explained);
      EXPECT_GE(explained->difference(), -tolerance(explained->best.score));
    }
  }
  EXPECT_GT(found, 0);  // "at six" may hang on the shop
  const int chosen = explainer.best().heads[5];
  EXPECT_THROW(explainer.explain(5, chosen), Error);
  EXPECT_THROW(explainer.explain(5, 5), Error);
  EXPECT_THROW(explainer.explain(9), Error);
  EXPECT_THROW(explainer.explain(0), Error);
}

TEST(AttachmentExplainer, NamesPartsAndFeatures) {
  AttachmentExplainer explainer(parser(), kSentence, {});
  const ArcExplanation explained = explainer.explain(5);
  std::set<std::string> parts, features;
  for (const ExplainedPart& part : explained.parts) {
    if (part.chosen) parts.insert(part.name);
    for (const ExplainedFeature& feature : part.features) {
      if (part.chosen) features.insert(feature.name + ": " + feature.values);
    }
  }
  for (const char* name : {"dep(opens,shop) VP/VBZ/NP:s", "sib(opens,shop,-) VP/VBZ/NP:s",
                           "grand(opens,shop,the) VP/VBZ/NP:s", "begin(shop,the) VP/VBZ/NP:s",
                           "end(shop,shop) VP/VBZ/NP:s"}) {
    EXPECT_TRUE(parts.contains(name)) << name;
  }
  for (const char* name :
       {"dep tags: h.t=VBZ m.t=NN dir=right", "dep tags: h.t=VBZ m.t=NN dir=right label=VP:s",
        "dep tags: h.t=VBZ m.t=NN dir=right label=VP/NP:s",
        "dep tags: h.t=VBZ m.t=NN dir=right label=VP/VBZ/NP:s",
        "begin begin-tag: h.t=DT label=VP/NP:s dir=right"}) {
    EXPECT_TRUE(features.contains(name)) << name;
  }
}

// Another chain of phrases for a word shows as another spine.
TEST(AttachmentExplainer, SpinesAreParts) {
  AttachmentExplainer explainer(parser(), kSentence, {});
  std::set<std::string> spines;
  for (int m = 1; m <= 6; ++m) {
    for (const ExplainedPart& part : explainer.explain(m).parts) {
      if (part.name.starts_with("spine(") && part.chosen) spines.insert(part.name);
    }
  }
  for (const std::string& each : spines) {
    EXPECT_TRUE(each == "spine(The) -" || each == "spine(baker) NP" ||
                each == "spine(opens) VP/S" || each == "spine(the) -" || each == "spine(shop) NP" ||
                each == "spine(.) -")
        << each;
  }
  EXPECT_FALSE(spines.empty());
}

TEST(AttachmentExplainer, OfOneWordAndOfNone) {
  AttachmentExplainer one(parser(), {{"rain"}, {}}, {});
  const ArcExplanation explained = one.explain(1);
  EXPECT_EQ(explained.head(), 0);
  EXPECT_THROW(AttachmentExplainer(parser(), {}, {}), Error);
  SearchOptions none;
  none.max_items = 1;
  EXPECT_THROW(AttachmentExplainer(parser(), kSentence, none), Error);
  SearchOptions first;
  first.max_second_order = 0;
  AttachmentExplainer lower(parser(), kSentence, first);
  EXPECT_FALSE(lower.note().empty() && lower.best().heads.empty());
  ExpectSumsAddUp(lower.explain(2));
}

TEST(PhraseParser, ExplainsThroughItsDoor) {
  const ModelFile file =
      ModelFile::from_bytes(write_parser(parser(), nlohmann::json::object()).bytes(), "test");
  const auto door = load_phrase_parser(file);
  const PhraseExplanation all = door->explain(kSentence);
  ASSERT_EQ(all.words.size(), 6U);
  const auto label = static_cast<std::size_t>(all.words[4].best.labels[5]);
  EXPECT_EQ(all.labels[label], "VP/VBZ/NP:s");
  EXPECT_EQ(door->explain(kSentence, 5).words.size(), 1U);
}

}  // namespace
}  // namespace copse::spinal
