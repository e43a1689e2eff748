// Feature keys and the template tables that make them.
#include "copse/model/templates.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "copse/base/error.h"
#include "copse/model/feature_table.h"

namespace copse {
namespace {

// Atoms a, b, c at slots 0, 1, 2, and "left" at -1.
std::optional<AtomSlot> toy_atoms(std::string_view name) {
  static const std::map<std::string_view, AtomSlot> kSlots = {
      {"a", 0}, {"b", 1}, {"c", 2}, {"left", -1}};
  const auto found = kSlots.find(name);
  if (found == kSlots.end()) return std::nullopt;
  return found->second;
}

std::vector<Template> parse(std::string_view text) {
  return parse_templates(text, "toy.templates", toy_atoms);
}

std::string error_of(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return {};
}

// A table as text, for golden comparisons.
std::string shown(const std::vector<Template>& rows) {
  std::string text;
  for (const Template& row : rows) {
    text += row.name + ":";
    for (const AtomSlot atom : row.atoms) text += " " + std::to_string(atom);
    if (!row.guards.empty()) text += " |";
    for (const AtomSlot guard : row.guards) text += " " + std::to_string(guard);
    text += "\n";
  }
  return text;
}

TEST(Templates, TablesReadAsTheyAreWritten) {
  const auto rows = parse(
      "# a table\n"
      "\n"
      "one    = a          # the word\n"
      "pair=x = left b\r\n"
      "\tguarded = a b c   when left c\n"
      "last = c");
  EXPECT_EQ(shown(rows),
            "one: 0\n"
            "pair=x: -1 1\n"
            "guarded: 0 1 2 | -1 2\n"
            "last: 2\n");
}

TEST(Templates, NothingIsATableWithoutRows) {
  EXPECT_TRUE(parse("").empty());
  EXPECT_TRUE(parse("# only a comment\n\n   \n").empty());
}

TEST(Templates, ErrorsNameFileAndLine) {
  EXPECT_EQ(error_of("one = a\n\ntwo a\n"),
            "toy.templates:3: not a template; expected 'name = atom atom ...'");
  EXPECT_EQ(error_of("one =\n"),
            "toy.templates:1: not a template; expected 'name = atom atom ...'");
  EXPECT_EQ(error_of("one = a d\n"), "toy.templates:1: template 'one': no atom 'd'");
  EXPECT_EQ(error_of("one = a\none = b"), "toy.templates:2: a second template named 'one'");
  EXPECT_EQ(error_of("one = when a\n"),
            "toy.templates:1: template 'one' has no atom before 'when'");
  EXPECT_EQ(error_of("one = a when\n"), "toy.templates:1: template 'one': nothing follows 'when'");
  EXPECT_EQ(error_of("one = a when b when c\n"), "toy.templates:1: template 'one': no atom 'when'");
}

class Keys : public testing::Test {
 protected:
  AtomValue* origin() { return values_ + 1; }
  AtomValue values_[4] = {11, 12, 13, 14};  // left, a, b, c
};

TEST_F(Keys, AbsentAtomsAndGuardsKeepATemplateFromFiring) {
  const auto rows = parse("both = a b\nguarded = a when c\n");
  EXPECT_NE(key_of(rows[0], origin()), kAbsent);
  EXPECT_NE(key_of(rows[1], origin()), kAbsent);
  origin()[1] = kAbsent;
  EXPECT_EQ(key_of(rows[0], origin()), kAbsent);
  EXPECT_NE(key_of(rows[1], origin()), kAbsent);
  origin()[2] = kAbsent;
  EXPECT_EQ(key_of(rows[1], origin()), kAbsent);
}

TEST_F(Keys, GuardsDoNotEnterTheKey) {
  const auto row = parse("one = a when c")[0];
  const FeatureKey before = key_of(row, origin());
  origin()[2] = 999;
  EXPECT_EQ(key_of(row, origin()), before);
}

TEST_F(Keys, DependOnNameAtomsAndTheirOrderButNotOnTheLine) {
  const auto rows = parse("one = a b\ntwo = a b\nswapped = b a\nshort = a");
  std::set<FeatureKey> keys;
  for (const Template& row : rows) keys.insert(key_of(row, origin()));
  EXPECT_EQ(keys.size(), 4U);
  const auto moved = parse("# moved\nshort = a\ntwo = a b\n");
  EXPECT_EQ(key_of(moved[1], origin()), key_of(rows[1], origin()));
  const auto same_name = parse("one = b a");
  EXPECT_NE(key_of(same_name[0], origin()), key_of(rows[0], origin()));
}

TEST_F(Keys, AreTheSameOnEveryMachine) {
  // Models hold keys: these numbers may only change together with the format of the model file.
  EXPECT_EQ(atom_of("the"), 14632902600990866813ULL);
  EXPECT_EQ(atom_of(std::uint64_t{0}), 16294208416658607535ULL);
  EXPECT_EQ(key_of(parse("pair = a b")[0], origin()), 5435596054510995216ULL);
}

TEST(FeatureKeys, AtomsAreNeverAbsent) {
  EXPECT_NE(atom_of(""), kAbsent);
  // The number that the finaliser maps to zero.
  EXPECT_NE(atom_of(std::uint64_t{0} - 0x9E3779B97F4A7C15ULL), kAbsent);
}

TEST(FeatureKeys, JoinKeepsSmallNumbersApart) {
  std::set<AtomValue> joined;
  for (AtomValue left = 0; left < 300; ++left) {
    for (AtomValue right = 0; right < 300; ++right) joined.insert(join(left * 977, right));
  }
  EXPECT_EQ(joined.size(), 300U * 300U);
}

TEST(FeatureTable, NumbersKeysInOrderOfAppearance) {
  FeatureTable table;
  EXPECT_EQ(table.find(5), FeatureTable::kNone);
  std::map<FeatureKey, std::uint32_t> reference;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const FeatureKey key = i % 3 == 0 ? i % 700 : scramble(i % 9000);  // small ones crowd together
    const bool is_new = reference.emplace(key, reference.size()).second;
    const auto added = table.add(key);
    ASSERT_EQ(added.is_new, is_new);
    ASSERT_EQ(added.number, reference[key]);
  }
  EXPECT_EQ(table.size(), reference.size());
  for (const auto& [key, number] : reference) ASSERT_EQ(table.find(key), number);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const FeatureKey unseen = scramble(i + 1'000'000);
    ASSERT_EQ(table.find(unseen),
              reference.contains(unseen) ? reference[unseen] : FeatureTable::kNone);
  }
}

}  // namespace
}  // namespace copse
