// The generative companion: probabilities counted by hand, and sums over all outcomes.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/constituency/incremental/companion.h"
#include "copse/constituency/incremental/parser.h"
#include "copse/treebank/left_corner.h"
#include "tests/model/edited_model.h"
#include "tests/treebank/tree_testing.h"

namespace copse::incremental {
namespace {

struct World {
  World() {
    for (const char* text : {"(TOP (S (N a) (V b)))", "(TOP (S (N a) (V b)))",
                             "(TOP (S (N c) (V b)))", "(TOP (N c))"}) {
      const PhraseTree tree = tree_testing::tree_of(text);
      moves.push_back(grammar.add(tree));
      std::vector<std::string> words, tags;
      for (int i = 0; i < tree.words(); ++i) {
        words.emplace_back(tree.word_at(i));
        tags.emplace_back(tree.tag(i));
        for (int k = 0; k < 3; ++k) lexicon.count(words.back());  // none is rare
      }
      sentences.push_back({words, tags});
    }
    grammar.finish();
    for (const auto& [words, tags] : sentences) {
      views.push_back(std::make_unique<WordViews>(words, tags, lexicon));
    }
    for (std::size_t i = 0; i < moves.size(); ++i) trees.push_back({views[i]->words(), moves[i]});
    atoms.fill(views[0]->words(), nullptr);
    spines.start(grammar, heads);
  }
  Grammar grammar;
  HeadRules heads = HeadRules::builtin("collins");
  Lexicon lexicon;
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> sentences;
  std::vector<std::vector<Move>> moves;
  std::vector<std::unique_ptr<WordViews>> views;
  std::vector<CountedTree> trees;
  SentenceWords atoms;
  Spines spines;
};

TEST(IncrementalCompanion, ProbabilitiesAreThoseCountedByHand) {
  World world;
  const CompanionOptions options{2, 2};
  const Companion model =
      Companion::count(world.trees, world.grammar, world.heads, world.lexicon, options);
  const Features features(builtin_templates({}), world.grammar, "");
  const Cell* root = world.spines.root();
  std::vector<float> probabilities(world.grammar.labels());
  Features::Keys keys;
  model.node(features.context(*root, world.atoms, 0, kNull), world.atoms, 0, keys, probabilities);
  // Under TOP: S 3, N 1, ends 4: n 8, u 3, l = 8/14. At its beginning, for all longer contexts: S 3,
  // N 1: n 4, u 2, l = 4/8, eight levels.
  const double uniform = 1 / static_cast<double>(world.grammar.labels());
  double s = 8.0 / 14 * 3 / 8 + 6.0 / 14 * uniform;
  double n = 8.0 / 14 * 1 / 8 + 6.0 / 14 * uniform;
  for (int level = 1; level <= 8; ++level) {
    s = 0.5 * 3 / 4 + 0.5 * s;
    n = 0.5 * 1 / 4 + 0.5 * n;
  }
  EXPECT_NEAR(probabilities[world.grammar.find("S")], s, 1e-6);
  EXPECT_NEAR(probabilities[world.grammar.find("N")], n, 1e-6);
  double sum = 0;
  for (const float each : probabilities) sum += each;
  EXPECT_NEAR(sum, 1, 1e-5);

  // The word "a" under N under S at the beginning: N has a 2, c 2; under S a 2, c 1, also for all
  // longer contexts. Three words and one that is unknown.
  const Cell* clause = world.spines.open(root, world.grammar.find("S"));
  const WordContext context = Features::word_context(*clause, world.grammar.find("N"));
  double a = 4.0 / 8 * 2 / 4 + 4.0 / 8 / 4;
  for (int level = 1; level <= 4; ++level) a = 3.0 / 7 * 2 / 3 + 4.0 / 7 * a;
  EXPECT_NEAR(model.word(context, world.atoms, 0, keys), std::log(a), 1e-6);
  EXPECT_EQ(model.spelling("a", world.lexicon), 0);
  EXPECT_LT(model.spelling("unheard", world.lexicon), 0);
}

// A checksum tells of accidents, not of intent: the last weight of a table becomes a number that is no count.
TEST(IncrementalCompanion, NumbersThatAreNoCountsAreRefused) {
  World world;
  ModelWriter writer("test", nlohmann::json::object());
  Companion::count(world.trees, world.grammar, world.heads, world.lexicon, {}).save(writer, "");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "m.copse");
  EXPECT_NO_THROW(Companion::load(file, "", world.grammar, world.lexicon));
  for (const std::string table : {"nodes", "words"}) {
    const std::size_t last = file.array<float>(table).size() - 1;
    for (const float number : {-1.0F, 0.0F, 0.5F, 1e30F}) {
      const ModelFile damaged = ModelFile::from_bytes(
          model_testing::with_element(writer.bytes(), table, last, number), "m.copse");
      EXPECT_THROW(Companion::load(damaged, "", world.grammar, world.lexicon), Error)
          << table << ' ' << number;
    }
  }
}

}  // namespace
}  // namespace copse::incremental
