// Derivations of real treebanks and back: what the specification of the encoding promises.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "copse/constituency/spinal/derivation.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/treebank.h"
#include "tests/treebank/tree_testing.h"

namespace copse::spinal {
namespace {

struct Recovered {
  long gold = 0, back = 0, matched = 0;
  long trees = 0, exact = 0;
  long same_derivation = 0;  // what comes back has the derivation that it came from
  std::map<std::string, long> wrong_brackets;  // by label: those that no gold tree has
  long words = 0, sisters = 0;
  std::set<std::vector<LabelId>> spines;
  std::map<int, long> heights;

  double precision() const {
    return 100.0 * static_cast<double>(matched) / static_cast<double>(back);
  }
  double recall() const { return 100.0 * static_cast<double>(matched) / static_cast<double>(gold); }
};

using Brackets = std::map<std::tuple<std::string, int, int>, long>;

Brackets brackets_of(const PhraseTree& tree) {
  Brackets out;
  for (int node = 0; node < tree.size(); ++node) {
    if (tree.is_leaf(node)) continue;
    ++out[{std::string(tree.label(node)), tree.begin(node), tree.end(node)}];
  }
  return out;
}

Recovered recover(const std::vector<std::string>& files, Levels levels, bool collapse) {
  Recovered out;
  Symbols labels;
  const HeadRules heads = HeadRules::builtin("collins");
  for (const std::string& file : files) {
    for (const Entry& entry : read_treebank(file, Format::ptb)) {
      PhraseTree gold = clean(entry.tree, {true, true, collapse}).tree;
      if (gold.empty()) continue;
      const Derivation derivation = derivation_of(gold, heads, levels, labels);
      std::vector<std::string> words;
      for (int i = 0; i < gold.words(); ++i) words.emplace_back(gold.word_at(i));
      const PhraseTree back = tree_of(derivation, words, labels);
      // The outer bracket is not compared.
      Brackets want = brackets_of(gold), got = brackets_of(back);
      for (auto* side : {&want, &got}) {
        side->erase({"", 0, gold.words()});
        side->erase({"TOP", 0, gold.words()});
      }
      for (const auto& [bracket, count] : want) out.gold += count;
      for (const auto& [bracket, count] : got) {
        out.back += count;
        const auto found = want.find(bracket);
        const long matched = found == want.end() ? 0 : std::min(count, found->second);
        out.matched += matched;
        if (count > matched) out.wrong_brackets[std::get<0>(bracket)] += count - matched;
      }
      out.same_derivation += derivation_of(back, heads, levels, labels) == derivation ? 1 : 0;
      ++out.trees;
      out.exact += want == got ? 1 : 0;
      for (int m = 1; m <= derivation.words(); ++m) {
        const auto at = static_cast<std::size_t>(m);
        std::vector<LabelId> spine = derivation.spines[at].phrases;
        ++out.heights[static_cast<int>(spine.size())];
        spine.push_back(derivation.spines[at].tag);
        out.spines.insert(std::move(spine));
        ++out.words;
        out.sisters += derivation.adjunctions[at].rise == 0 ? 1 : 0;
      }
    }
  }
  return out;
}

void show(const std::string& name, const Recovered& r) {
  fmt::print("{}: {} trees, {} exact, precision {:.3f}, recall {:.3f}, {} spines, {:.1f}% sisters",
             name, r.trees, r.exact, r.precision(), r.recall(), r.spines.size(),
             100.0 * static_cast<double>(r.sisters) / static_cast<double>(r.words));
  for (const auto& [height, count] : r.heights) {
    fmt::print(" {}:{:.2f}%", height,
               100.0 * static_cast<double>(count) / static_cast<double>(r.words));
  }
  for (const auto& [label, count] : r.wrong_brackets) fmt::print(" wrong {}:{}", label, count);
  fmt::print("\n");
}

class SpinalData : public testing::TestWithParam<const char*> {};

TEST_P(SpinalData, TreesComeBackFromTheirDerivations) {
  const std::string folder = tree_testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << "COPSE_DATA is not set";
  const std::string set = folder + "/" + GetParam();
  const std::vector<std::string> files = {set + "/train.mrg", set + "/dev.mrg"};
  const Recovered kept = recover(files, Levels::merged, false);
  show("X -> X kept", kept);
  // Biomedical noun phrases grow a bracket more often: levels on the left below the first one on the
  // right. Both trees have one derivation, so no way back can tell them apart.
  const double precision = std::string_view(GetParam()) == "craft" ? 99.9 : 99.95;
  EXPECT_GE(kept.precision(), precision);
  EXPECT_GE(kept.recall(), 99.7);
  const Recovered collapsed = recover(files, Levels::merged, true);
  show("X -> X collapsed", collapsed);
  EXPECT_GE(collapsed.precision(), precision);
  EXPECT_GE(collapsed.recall(), 99.7);
  EXPECT_EQ(collapsed.same_derivation, collapsed.trees);
  const Recovered exact = recover(files, Levels::exact, true);
  show("exact levels", exact);
  EXPECT_EQ(exact.exact, exact.trees);
}

INSTANTIATE_TEST_SUITE_P(Sets, SpinalData, testing::Values("wsj-sample", "craft"));

}  // namespace
}  // namespace copse::spinal
