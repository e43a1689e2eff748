// Tables of templates: what they mean, and what is wrong with them, by file and line.
#include "copse/dependency/part_templates.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

using dependency_testing::failure_of;

const PartTemplate* find(const PartTemplates& templates, int section, std::string_view name) {
  for (const PartTemplate& row : templates.sections[static_cast<std::size_t>(section)]) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

PartTemplates parse(std::string_view text) {
  return parse_part_templates(text, "t.templates");
}
std::string failure(std::string_view text) {
  return failure_of([&] { parse(text); });
}

TEST(PartTemplates, TheBuiltInTablesAreWellFormed) {
  const PartTemplates full = dependency_testing::built_in_templates("default");
  for (const auto& section : full.sections) EXPECT_FALSE(section.empty());
  const PartTemplates paper = dependency_testing::built_in_templates("paper");
  for (int f = 0; f < kPartFamilies; ++f)
    EXPECT_FALSE(paper.of(static_cast<PartFamily>(f)).empty());
  const PartTemplates pruner = dependency_testing::built_in_templates("pruner");
  EXPECT_FALSE(pruner.of(PartFamily::dep).empty());
  EXPECT_TRUE(pruner.of(PartFamily::sib).empty());
}

TEST(PartTemplates, SeedsOfTwoTemplatesDiffer) {
  const PartTemplates full = dependency_testing::built_in_templates("default");
  std::set<std::uint64_t> seeds;
  std::size_t rows = 0;
  // In the whole file: all sections share one table of weights.
  for (const auto& section : full.sections) {
    rows += section.size();
    for (const PartTemplate& row : section) seeds.insert(row.seed);
  }
  EXPECT_EQ(seeds.size(), rows);
}

TEST(PartTemplates, CopiesHoldUntilTheNextLineOfCopiesOrSection) {
  const PartTemplates t =
      parse("[dep]\na = h.w\ncopies = dir dist\nb = h.w\ncopies = dist\nc = h.w\n[sib]\nd = h.w\n");
  const auto copies_of = [&](int section, std::string_view name) {
    const PartTemplate* const row = find(t, section, name);
    std::string text;
    if (row == nullptr) return text;
    if (row->alone) text += "alone ";
    if (row->with_direction) text += "dir ";
    if (row->with_distance) text += "dist ";
    return text;
  };
  EXPECT_EQ(copies_of(0, "a"), "alone ");
  EXPECT_EQ(copies_of(0, "b"), "dir dist ");
  EXPECT_EQ(copies_of(0, "c"), "dist ");
  EXPECT_EQ(copies_of(static_cast<int>(PartFamily::sib), "d"), "alone ");
}

TEST(PartTemplates, BigTStandsForFineAndForCoarseTags) {
  const PartTemplates t = parse("[dep]\ntags = h.T m-1.T\nplain = h.t\n");
  ASSERT_EQ(t.of(PartFamily::dep).size(), 3U);
  const PartTemplate* const fine = find(t, 0, "tags");
  const PartTemplate* const coarse = find(t, 0, "tags/coarse");
  ASSERT_NE(fine, nullptr);
  ASSERT_NE(coarse, nullptr);
  EXPECT_EQ(fine->atoms[0].offset, 2);
  EXPECT_EQ(coarse->atoms[0].offset, 3);
  EXPECT_EQ(fine->atoms[1].offset, 2 - 12);
  EXPECT_EQ(coarse->atoms[1].offset, 3 - 12);
  EXPECT_EQ(fine->atoms[1].place, AtomPlace::m);
  EXPECT_EQ(find(t, 0, "plain/coarse"), nullptr);
}

TEST(PartTemplates, NeighboursReachTwoWordsToEitherSide) {
  const PartTemplates t = parse("[dep]\na = h-2.w h-1.w h+1.w h+2.w\n");
  const auto& atoms = t.of(PartFamily::dep).front().atoms;
  ASSERT_EQ(atoms.size(), 4U);
  const std::vector<int> offsets{-24, -12, 12, 24};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(atoms[k].offset, offsets[k]);
}

TEST(PartTemplates, SetsAreRecognised) {
  const PartTemplates t = parse(
      "[dep]\ntag = h.t b.t\nform = h.t b.w b.t\nhead = h.attr m.t\nmod = m.attr\nagree = agree "
      "h.c\nnone = h.t verbs\n[label]\nlemma = b.l\n");
  EXPECT_EQ(find(t, 0, "tag")->each, EachOf::word_between);
  EXPECT_EQ(find(t, 0, "form")->each, EachOf::word_between);
  EXPECT_EQ(find(t, 0, "head")->each, EachOf::head_attribute);
  EXPECT_EQ(find(t, 0, "mod")->each, EachOf::modifier_attribute);
  EXPECT_EQ(find(t, 0, "agree")->each, EachOf::agreement);
  EXPECT_EQ(find(t, 0, "none")->each, EachOf::nothing);
  EXPECT_EQ(t.labels().front().each, EachOf::word_between);
}

TEST(PartTemplates, GuardsAreKeptApart) {
  const PartTemplates t = parse("[gsib]\nc = g.w m.w when s.cc h.k4\n");
  const PartTemplate& row = t.of(PartFamily::gsib).front();
  ASSERT_EQ(row.atoms.size(), 2U);
  ASSERT_EQ(row.guards.size(), 2U);
  EXPECT_EQ(row.guards[0].place, AtomPlace::s);
  EXPECT_EQ(row.guards[1].place, AtomPlace::h);
}

TEST(PartTemplates, CommentsBlankLinesAndCarriageReturnsMeanNothing) {
  const PartTemplates t =
      parse("# first\r\n\r\n[dep] # here\r\n  a = h.w   # [sib]\r\n\t\r\ncopies = dir\r\nb = m.w");
  ASSERT_EQ(t.of(PartFamily::dep).size(), 2U);
  EXPECT_TRUE(find(t, 0, "b")->with_direction);
  EXPECT_TRUE(parse("").of(PartFamily::dep).empty());
}

TEST(PartTemplates, EveryErrorNamesFileAndLine) {
  EXPECT_EQ(failure("a = h.w\n"),
            "data: t.templates:1: a line before the first section; expected [dep] or the like");
  EXPECT_EQ(failure("\n[arc]\n"),
            "data: t.templates:2: no section [arc]; expected one of: dep stop sib grand gsib tsib "
            "label");
  EXPECT_EQ(failure("[dep]\ncopies = dir wide\n"),
            "data: t.templates:2: no copies 'wide'; expected some of: alone dir dist");
  EXPECT_EQ(failure("[dep]\ncopies =\n"),
            "data: t.templates:2: no copies named; expected some of: alone dir dist");
  const std::string malformed =
      "data: t.templates:3: not a template; expected 'name = atom atom ...'";
  for (const std::string line :
       {"a", "a =", "a=h.w", "a h.w", "x.T", "= h.w m.w", "[dep", "a.T="}) {
    EXPECT_EQ(failure("[dep]\n\n" + line + "\n"), malformed) << line;
  }
  EXPECT_EQ(failure("[dep]\na = when h.w\n"),
            "data: t.templates:2: template 'a' has no atom before 'when'");
  EXPECT_EQ(failure("[dep]\na = h.w when\n"),
            "data: t.templates:2: template 'a': nothing follows 'when'");
  EXPECT_EQ(failure("[dep]\nok = h.w\ncopies = dir\n\ntwo = h.attr m.attr\n"),
            "data: t.templates:5: template 'two' runs through two sets");
  EXPECT_EQ(failure("[dep]\ntwo = b.t when agree\n"),
            "data: t.templates:2: template 'two' runs through two sets");
}

TEST(PartTemplates, UnknownAtomsAreNamedWithTheirLine) {
  for (const std::string atom : {"g.w",
                                 "s.w",
                                 "t.t",
                                 "x.w",
                                 "h.x",
                                 "h",
                                 ".w",
                                 "h.",
                                 "h+0.w",
                                 "h-0.w",
                                 "h+3.w",
                                 "h-3.w",
                                 "h1.w",
                                 "h+-1.w",
                                 "h-+1.w",
                                 "h+1x.w",
                                 "h+.w",
                                 "hm.w",
                                 "dirs",
                                 "b.attr",
                                 "h.attrs",
                                 "h++1.w",
                                 "h-99999999999999999999.w",
                                 "H.w",
                                 "h.W"}) {
    EXPECT_EQ(failure("[dep]\nx = m.w " + atom + "\n"),
              "data: t.templates:2: template 'x': no atom '" + atom + "'");
  }
  // Which positions there are depends on the section.
  EXPECT_EQ(failure("[grand]\nx = g.w h.w m.w\n"), "");
  EXPECT_EQ(failure("[gsib]\nx = g.w h.w m.w s.w\n"), "");
  EXPECT_EQ(failure("[tsib]\nx = h.w m.w s.w t.w\n"), "");
  for (const std::string text : {"[grand]\nx = s.w", "[tsib]\nx = g.w", "[sib]\nx = b.w",
                                 "[stop]\nx = s.w", "[label]\nx = g.w", "[gsib]\nx = t.w"}) {
    EXPECT_NE(failure(text).find("t.templates:2: template 'x': no atom"), std::string::npos)
        << text;
  }
}

TEST(PartTemplates, NamesUsedTwiceInASectionAreRefused) {
  EXPECT_EQ(failure("[dep]\na = h.w\na = m.w\n"),
            "data: t.templates:3: a second template named 'a' in [dep]");
  EXPECT_EQ(failure("[dep]\na = h.w\ncopies = dir\na = m.w\n"),
            "data: t.templates:4: a second template named 'a' in [dep]");
  EXPECT_EQ(failure("[dep]\na/coarse = h.w\n[sib]\n[dep]\na = m.T\n"),
            "data: t.templates:5: a second template named 'a/coarse' in [dep]");
  EXPECT_EQ(failure("[dep]\na = h.w\n[sib]\na = m.w\n"), "");
}

TEST(PartTemplates, ATemplateHasAtMost64Atoms) {
  const auto table = [](int atoms) {
    std::string text = "[dep]\nlong =";
    for (int k = 0; k < atoms; ++k) text += " h.w";
    return text;
  };
  EXPECT_EQ(failure(table(64)), "");
  EXPECT_EQ(failure(table(65)), "data: t.templates:2: template 'long' has more than 64 atoms");
  EXPECT_EQ(failure(table(300)), "data: t.templates:2: template 'long' has more than 64 atoms");
}

TEST(PartTemplates, LinesMayBeMovedWithoutAnotherMeaning) {
  const PartTemplates a = parse("[dep]\na = h.w\nb = m.w\n[sib]\nc = s.w\n");
  const PartTemplates b = parse("[sib]\nc = s.w\n[dep]\nb = m.w\na = h.w\n");
  for (const std::string_view name : {"a", "b"}) {
    EXPECT_EQ(find(a, 0, name)->seed, find(b, 0, name)->seed);
  }
}

}  // namespace
}  // namespace copse
