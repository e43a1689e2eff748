#include "copse/treebank/tree_demands.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "copse/treebank/json.h"

namespace copse {
namespace {

Sentence words(int count) {
  Sentence sentence;
  for (int i = 0; i < count; ++i) sentence.add_word("w");
  return sentence;
}

TEST(TreeDemands, AreItemsOfMisc) {
  Sentence sentence = words(4);
  EXPECT_TRUE(tree_demands(sentence).empty());
  sentence.set(2, Column::misc, "SpaceAfter=No|NotHead=0,4|NotDeprel=obj,nsubj:pass|SpanTo=3:NP");
  sentence.set(1, Column::misc, "NotSpanTo=2");
  const TreeDemands found = tree_demands(sentence);
  EXPECT_EQ(found.not_heads[2], (std::vector<int>{0, 4}));
  EXPECT_EQ(found.not_labels[2], (std::vector<std::string>{"obj", "nsubj:pass"}));
  EXPECT_EQ(found.spans, (std::vector<SpanDemand>{{1, 2, "", true}, {2, 3, "NP", false}}));
}

TEST(TreeDemands, AreFieldsOfJsonAsWell) {
  const std::string line =
      R"({"tokens": [{"id": 1, "form": "a", "misc": "X=Y", "not_head": [0, 2], "span_to": "2:NP"},)"
      R"( {"id": 2, "form": "b", "not_deprel": "obj", "not_span_to": 2}]})";
  const Parsed parsed = make_json_reader()->parse({line + "\n", "t.json", 1});
  ASSERT_FALSE(parsed.items.at(0).error) << parsed.items[0].error->what();
  const Sentence& sentence = parsed.items[0].entry.sentence;
  EXPECT_EQ(sentence.misc(1), "X=Y|NotHead=0,2|SpanTo=2:NP");
  EXPECT_EQ(sentence.misc(2), "NotDeprel=obj|NotSpanTo=2");
  const auto bad =
      make_json_reader()->parse({R"({"tokens": [{"id": 1, "form": "a", "not_head": [[1]]}]})"
                                 "\n",
                                 "t.json", 1});
  ASSERT_TRUE(bad.items.at(0).error);
  EXPECT_EQ(bad.items[0].error->message(), "\"not_head\" is not a string or a whole number");
}

TEST(TreeDemands, WhatCannotBeIsSaid) {
  const auto failure = [](int word, const char* misc) {
    Sentence sentence = words(3);
    sentence.set(word, Column::misc, misc);
    try {
      tree_demands(sentence);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(failure(2, "NotHead=4"), "word 2: NotHead=4; expected the number of a word, 0 to 3");
  EXPECT_EQ(failure(2, "NotHead=-1"), "word 2: NotHead=-1; expected the number of a word, 0 to 3");
  EXPECT_EQ(failure(2, "SpanTo=1"), "word 2: SpanTo=1; expected the number of a word, 2 to 3");
  EXPECT_EQ(failure(2, "SpanTo=99999999999"),
            "word 2: SpanTo=99999999999; expected the number of a word, 2 to 3");
  EXPECT_EQ(failure(2, "SpanTo=3|NotSpanTo=3"),
            "the demands contradict each other: words 2 to 3 must and must not be a phrase");
  EXPECT_EQ(failure(2, "SpanTo=3:NP|NotSpanTo=3:VP"), "");
  EXPECT_EQ(failure(2, "NotHead="), "");
}

TEST(TreeDemands, CrossingArcsAreThoseOfBruteForce) {
  const auto cross = [](int a, int b, int c, int d) {  // arcs a-b and c-d
    if (a > b) std::swap(a, b);
    if (c > d) std::swap(c, d);
    return (a < c && c < b && b < d) || (c < a && a < d && d < b);
  };
  std::vector<int> heads(6, -1);
  int some = 0;
  for (int code = 0; code < 7 * 7 * 7 * 7 * 7; ++code) {
    bool own = false;
    for (int m = 1, rest = code; m <= 5; ++m, rest /= 7) {
      heads[static_cast<std::size_t>(m)] = rest % 7 - 1;
      own = own || rest % 7 - 1 == m;
    }
    if (own) continue;
    bool any = false;
    for (int a = 1; a <= 5; ++a) {
      for (int b = a + 1; b <= 5; ++b) {
        const int x = heads[static_cast<std::size_t>(a)], y = heads[static_cast<std::size_t>(b)];
        any = any || (x >= 0 && y >= 0 && cross(a, x, b, y));
      }
    }
    const auto [a, b] = crossing_words(heads);
    ASSERT_EQ(a > 0, any) << code;
    if (a > 0) {
      ++some;
      ASSERT_TRUE(
          cross(a, heads[static_cast<std::size_t>(a)], b, heads[static_cast<std::size_t>(b)]));
    }
  }
  EXPECT_GT(some, 1000);
}

}  // namespace
}  // namespace copse
