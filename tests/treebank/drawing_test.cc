// The drawing writers: golden drawings, escaping, and any input whatever.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "copse/base/utf8.h"
#include "copse/treebank/drawing/dot.h"
#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/html.h"
#include "copse/treebank/drawing/latex.h"
#include "copse/treebank/drawing/relation_class.h"
#include "copse/treebank/drawing/scene.h"
#include "copse/treebank/drawing/svg.h"
#include "copse/treebank/drawing/terminal.h"
#include "tests/repeats.h"
#include "tests/source_dir.h"
#include "tests/treebank/drawing_testing.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using drawing_testing::document;
using drawing_testing::entry_of;
using drawing_testing::xml_complaint;

struct NamedWriter {
  std::string name;
  std::unique_ptr<Writer> writer;
};

std::vector<NamedWriter> all_writers(const DrawingOptions& options = {}) {
  std::vector<NamedWriter> writers;
  writers.push_back({"svg", make_svg_writer(options)});
  writers.push_back({"html", make_html_writer(options)});
  writers.push_back({"latex", make_latex_writer(options)});
  writers.push_back({"dot", make_dot_writer(options)});
  writers.push_back({"terminal", make_terminal_writer(options)});
  return writers;
}

// "The hungry cat sat on it." with a surface token and a probability.
Entry cat_entry() {
  Entry entry = entry_of({{"The", "DET", 3, "det"},
                          {"hungry", "ADJ", 3, "amod"},
                          {"cat", "NOUN", 5, "nsubj"},
                          {"did", "AUX", 5, "aux"},
                          {"sit", "VERB", 0, "root"},
                          {"on", "ADP", 7, "case", "on't"},
                          {"it", "PRON", 5, "obl"},
                          {".", "PUNCT", 5, "punct"}});
  entry.sentence.set(7, Column::misc, "Prob=0.875");
  return entry;
}

// A crossing: "yesterday" stands between "saw" and what belongs to "book".
Entry crossing_entry() {
  return entry_of({{"I", "PRON", 2, "nsubj"},
                   {"saw", "VERB", 0, "root"},
                   {"books", "NOUN", 2, "obj"},
                   {"yesterday", "NOUN", 2, "obl"},
                   {"about", "ADP", 6, "case"},
                   {"owls", "NOUN", 3, "nmod"}});
}

Entry phrase_entry() {
  Entry entry;
  entry.tree = tree_testing::tree_of(
      "( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD tried) (S (NP-SBJ (-NONE- *)) (VP (TO to) "
      "(VP (VB sit))))) (. .)) )");
  return entry;
}

DrawingOptions with_width(int width) {
  DrawingOptions options;
  options.width = width;
  return options;
}

// Compares with a file of tests/treebank/golden; COPSE_UPDATE_GOLDEN=1 writes it anew.
void ExpectGolden(const std::string& name, const std::string& actual) {
  const std::string path = source_dir() + "/tests/treebank/golden/" + name;
  if (std::getenv("COPSE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << actual;
  }
  EXPECT_EQ(actual, tree_testing::file_bytes(path)) << "see " << path;
}

TEST(Drawing, TerminalArcsAboveWords) {
  ExpectGolden("arcs_above.txt",
               document(*make_terminal_writer(), {cat_entry(), crossing_entry()}));
}

TEST(Drawing, TerminalArcsBesideWordsWhenTheLineIsTooShort) {
  ExpectGolden("arcs_beside.txt",
               document(*make_terminal_writer(with_width(40)), {cat_entry(), crossing_entry()}));
}

TEST(Drawing, TerminalInAsciiAndColour) {
  DrawingOptions ascii = with_width(40);
  ascii.unicode = false;
  const std::string drawn = document(*make_terminal_writer(ascii), {cat_entry(), phrase_entry()});
  EXPECT_TRUE(std::all_of(drawn.begin(), drawn.end(), [](char c) {
    return c == '\n' || (c >= ' ' && c <= '~');
  })) << drawn;
  DrawingOptions color;
  color.color = true;
  ExpectGolden("arcs_color.txt", document(*make_terminal_writer(color), {crossing_entry()}));
}

TEST(Drawing, TerminalPhraseTreesUprightAndSideways) {
  ExpectGolden("phrases_upright.txt", document(*make_terminal_writer(), {phrase_entry()}));
  ExpectGolden("phrases_sideways.txt",
               document(*make_terminal_writer(with_width(32)), {phrase_entry()}));
  ExpectGolden("phrases_in_pieces.txt",
               document(*make_terminal_writer(with_width(20)), {phrase_entry()}));
}

TEST(Drawing, SvgOfBothKindsOfTree) {
  Entry entry = cat_entry();
  entry.tree = phrase_entry().tree;
  ExpectGolden("both.svg", document(*make_svg_writer(), {entry}));
}

TEST(Drawing, LatexAndGraphviz) {
  Entry entry = cat_entry();
  entry.tree = phrase_entry().tree;
  ExpectGolden("both.tex", document(*make_latex_writer(), {entry}));
  ExpectGolden("both.dot", document(*make_dot_writer(), {entry}));
}

TEST(Drawing, SeveralSentencesAreStackedInOneSvg) {
  const auto writer = make_svg_writer();
  for (const std::size_t count : {0U, 1U, 2U, 5U}) {
    const std::vector<Entry> entries(count, cat_entry());
    const std::string svg = document(*writer, entries);
    EXPECT_EQ(xml_complaint(svg), "");
    EXPECT_EQ(svg.find("<svg xmlns"), 0U);
    EXPECT_EQ(svg.find("<svg xmlns", 1), std::string::npos) << "one document element";
    std::size_t roots = 0;
    for (auto at = svg.find(">root<"); at != std::string::npos; at = svg.find(">root<", at + 1)) {
      ++roots;
    }
    EXPECT_EQ(roots, count);
  }
}

TEST(Drawing, MarkupInWordsIsEscaped) {
  const Entry entry = entry_of({{"<a&b>\"", "X<Y", 0, "r&t"}, {"'\x01\x7f", "]]>", 1, "--"}});
  for (const auto& writer : {make_svg_writer(), make_html_writer()}) {
    const std::string xml = document(*writer, {entry});
    EXPECT_EQ(xml_complaint(xml), "");
    EXPECT_NE(xml.find("&lt;a&amp;b&gt;&quot;"), std::string::npos);
    EXPECT_NE(xml.find("\u2401\u2421"), std::string::npos) << "controls are made visible";
  }
}

TEST(Drawing, XmlComplaintSeesWhatIsWrong) {
  EXPECT_EQ(xml_complaint("<a><b/>x &amp; y</a>"), "");
  EXPECT_NE(xml_complaint("<a><b></a>"), "");
  EXPECT_NE(xml_complaint("<a>"), "");
  EXPECT_NE(xml_complaint("<a>x & y</a>"), "");
  EXPECT_NE(xml_complaint("<a>\x01</a>"), "");
}

TEST(Drawing, LatexSpecialsAreEscaped) {
  EXPECT_EQ(latex_escape("a_b"), "a\\_b");
  EXPECT_EQ(latex_escape("{$5}"), "\\{\\$5\\}");
  EXPECT_EQ(latex_escape("#%&"), "\\#\\%\\&");
  EXPECT_EQ(latex_escape("~^\\"), "\\textasciitilde{}\\textasciicircum{}\\textbackslash{}");
  EXPECT_EQ(latex_escape("\x01"), "\\fbox{\\tiny 01}");
  EXPECT_EQ(latex_escape("\xff"), "\\fbox{?}");
}

TEST(Drawing, GraphvizStringsAreQuoted) {
  const std::string dot = document(*make_dot_writer(), {entry_of({{"\"\\n\"", "X", 0, "r"}})});
  EXPECT_NE(dot.find("label=\"\\\"\\\\n\\\"\\nX\""), std::string::npos) << dot;
}

TEST(Drawing, ProbabilitiesComeFromMiscAndFadeArcs) {
  const std::string svg = document(*make_svg_writer(), {cat_entry()});
  EXPECT_NE(svg.find(">obl 0.88<"), std::string::npos);
  EXPECT_NE(svg.find("opacity=\"0.92\""), std::string::npos);
  Entry wrong = cat_entry();
  for (const std::string_view misc : {"Prob=1.5", "Prob=x", "Prob=", "Prob=nan", "XProb=0.5"}) {
    wrong.sentence.set(7, Column::misc, misc);
    EXPECT_EQ(document(*make_svg_writer(), {wrong}).find("opacity="), std::string::npos) << misc;
  }
}

TEST(Drawing, OptionsLeaveThingsOut) {
  DrawingOptions options;
  options.show_tags = options.show_labels = options.show_tokens = false;
  options.show_probabilities = false;
  for (const auto& [name, writer] : all_writers(options)) {
    std::string drawn;
    writer->write(cat_entry(), drawn);
    for (const std::string_view hidden : {"nsubj", "0.88", "class=\"token\""}) {
      EXPECT_EQ(drawn.find(hidden), std::string::npos) << name << " shows " << hidden;
    }
  }
  DrawingOptions shown;
  shown.show_labels = false;
  const std::string svg = document(*make_svg_writer(shown), {cat_entry()});
  EXPECT_NE(svg.find("<text class=\"token\""), std::string::npos);
}

TEST(Drawing, HeadsOutsideTheSentenceAreShownAsSuch) {
  const Entry entry = entry_of({{"a", "X", 9, "dep"}, {"b", "X", 1, "dep"}});
  const drawing::Scene scene = drawing::make_scene(entry.sentence, {});
  ASSERT_EQ(scene.arcs.size(), 2U);
  EXPECT_EQ(scene.arcs[0].head, 0);
  EXPECT_EQ(scene.arcs[0].label, "dep from 9?");
}

TEST(Drawing, EmptyNodesAreSkippedAndWordsWithoutHeadsStay) {
  Entry entry = entry_of({{"a", "X", -1, "_"}, {"b", "X", -1, "_"}});
  entry.sentence.add_empty_node(2, 1, "ghost");
  for (const auto& [name, writer] : all_writers()) {
    std::string drawn;
    writer->write(entry, drawn);
    EXPECT_EQ(drawn.find("ghost"), std::string::npos) << name;
    EXPECT_NE(drawn.find('b'), std::string::npos) << name;
  }
}

TEST(Drawing, RightToLeftSentencesRunFromTheRight) {
  const Entry entry = entry_of({{"ראשון", "X", 0, "root"}, {"שני", "X", 1, "dep"}});
  const std::string svg = document(*make_svg_writer(), {entry});
  const auto x_of = [&](std::string_view form) {
    const auto end = svg.rfind("x=\"", svg.find(form, svg.find("class=\"form\"")));
    return std::atoi(svg.c_str() + svg.rfind("x=\"", end) + 3);
  };
  EXPECT_GT(x_of(">ראשון<"), x_of(">שני<"));
}

std::string random_text(Random& random) {
  static const std::vector<std::string> pieces = {
      "a",      "word",   "\xff", "\xe2\x82", "\x01", "\n",    "\t",      "\x1b[31m",
      "<",      "&",      "\"",   "]]>",      "漢字", "é",     "e\u0301", "👩‍👩‍👧",
      "🇩🇪",     "\u202e", "שלום", "\\",       "{",    "%",     " ",       "\u2028",
      "\uFFFE", "-->",    "$",    "_",        "~",    "\u0300"};
  std::string text;
  for (int i = random.between(0, 6); i > 0; --i) text += pieces[random.below(pieces.size())];
  return text;
}

Entry random_entry(Random& random) {
  Entry entry;
  const int words = random.between(0, 30);
  const auto heads = drawing_testing::random_heads(random, words);
  for (int i = 1; i <= words; ++i) {
    entry.sentence.add_word(random_text(random));
    entry.sentence.set(i, Column::upos, random_text(random));
    entry.sentence.set(i, Column::deprel, random_text(random));
    entry.sentence.set_head(i, random.chance(0.02) ? 99 : heads[static_cast<std::size_t>(i) - 1]);
    if (random.chance(0.2)) entry.sentence.set(i, Column::misc, "Prob=0.5");
  }
  if (random.chance(0.3)) {
    entry.sentence.add_multiword(random.between(-1, 3), random.between(0, 40), random_text(random));
  }
  if (random.chance(0.5)) {
    tree_testing::RandomTreeShape shape;
    shape.labels = {random_text(random), random_text(random), "NP"};
    shape.tags = {random_text(random), "NN"};
    entry.tree = tree_testing::random_tree(random, shape);
  }
  return entry;
}

TEST(Drawing, AnyInputGivesCleanOutput) {
  for (int seed = 0; seed < repeats(300); ++seed) {
    SCOPED_TRACE(fmt::format("seed={}", seed));
    Random random(static_cast<std::uint64_t>(seed));
    const std::vector<Entry> entries{random_entry(random), random_entry(random)};
    DrawingOptions options;
    options.width = random.between(0, 300);
    options.unicode = random.chance(0.5);
    for (const auto& [name, writer] : all_writers(options)) {
      const std::string drawn = document(*writer, entries);
      EXPECT_EQ(find_invalid_utf8(drawn), std::string::npos) << name;
      EXPECT_TRUE(std::none_of(drawn.begin(), drawn.end(), [](char c) {
        return (static_cast<unsigned char>(c) < ' ' && c != '\n') || c == '\x7f';
      })) << name;
      if (name == "svg" || name == "html") {
        EXPECT_EQ(xml_complaint(drawn), "") << name;
      }
    }
  }
}

int longest_line(std::string_view text) {
  int longest = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    longest = std::max(longest, drawing::cell_width(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

TEST(Drawing, TerminalDrawingsOfLongSentencesStayNarrow) {
  for (int seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed={}", seed));
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<drawing_testing::TestWord> words;
    for (const int head : drawing_testing::random_projective_heads(random, 300)) {
      words.push_back({"word", "NOUN", head, "nsubj:pass"});
    }
    const std::string drawn = document(*make_terminal_writer(with_width(90)), {entry_of(words)});
    EXPECT_LE(longest_line(drawn), 90);
    EXPECT_LE(std::count(drawn.begin(), drawn.end(), '\n'), 330);
  }
}

TEST(Drawing, VeryDeepTreesAreDrawnWithoutRecursion) {
  constexpr int depth = 10'000;
  PhraseTreeBuilder builder;
  for (int i = 0; i < depth; ++i) {
    builder.open("VP");
    builder.leaf("VB", "go");
  }
  for (int i = 0; i < depth; ++i) builder.close();
  Entry entry;
  entry.tree = std::move(builder).finish();
  for (int i = 1; i <= depth; ++i) {
    entry.sentence.add_word("go");
    entry.sentence.set_head(i, i - 1);
  }
  for (const auto& [name, writer] : all_writers()) {
    const std::string drawn = document(*writer, {entry});
    EXPECT_GT(drawn.size(), 100'000U) << name;
    EXPECT_LT(drawn.size(), 20'000'000U) << name << ": grows faster than the tree";
    if (name == "terminal") {
      EXPECT_LE(longest_line(drawn), 120);
    }
  }
}

TEST(Drawing, LongWordsAreAbbreviated) {
  const Entry entry = entry_of({{std::string(5000, 'x'), "X", 0, "root"}});
  EXPECT_LE(longest_line(document(*make_terminal_writer(), {entry})), 60);
}

TEST(Drawable, WidthsFollowTheCharacters) {
  EXPECT_EQ(drawing::cell_width("abc"), 3);
  EXPECT_EQ(drawing::cell_width("漢字"), 4);
  EXPECT_EQ(drawing::cell_width("e\u0301"), 1);
  EXPECT_EQ(drawing::cell_width("👩‍👩‍👧"), 2);
  EXPECT_EQ(drawing::cell_width("🇩🇪"), 2);
  EXPECT_EQ(drawing::type_width("iiii"), 4 * 222);
  EXPECT_EQ(drawing::type_width("é"), drawing::type_width("e"));
  EXPECT_EQ(drawing::type_width("漢"), 1000);
  EXPECT_GT(drawing::type_width("Ж"), drawing::type_width("i"));
}

TEST(Drawable, AbbreviationsKeepWholeCharacters) {
  EXPECT_EQ(drawing::abbreviate("short", 5), "short");
  EXPECT_EQ(drawing::abbreviate("longer", 5), "long\u2026");
  EXPECT_EQ(drawing::abbreviate("漢字漢字", 5), "漢字\u2026");
  EXPECT_EQ(drawing::abbreviate("e\u0301e\u0301e\u0301", 2), "e\u0301\u2026");
}

TEST(RelationClass, GoesByTheRelationWithoutItsSubtype) {
  using drawing::relation_class;
  using drawing::RelationClass;
  EXPECT_EQ(relation_class("nsubj:pass"), RelationClass::core);
  EXPECT_EQ(relation_class("NMOD"), RelationClass::modifier);
  EXPECT_EQ(relation_class("acl"), RelationClass::modifier);
  EXPECT_EQ(relation_class("xcomp"), RelationClass::core);
  EXPECT_EQ(relation_class("punct"), RelationClass::other);
  EXPECT_EQ(relation_class(""), RelationClass::other);
}

}  // namespace
}  // namespace copse
