// Chains, triples and the beam: against the worked example of the specification, against the features
// of finished trees, against the enumeration of all trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>

#include "copse/base/random.h"
#include "copse/constituency/incremental/learner.h"
#include "copse/constituency/incremental/node_keys.h"
#include "copse/constituency/incremental/search.h"
#include "tests/constituency/incremental/incremental_testing.h"
#include "tests/constituency/incremental/slow_features.h"
#include "tests/repeats.h"
#include "tests/treebank/tree_testing.h"

namespace copse::incremental {
namespace {

using incremental_testing::prepared;
using incremental_testing::SlowFeature;
using incremental_testing::SlowFeatures;
using incremental_testing::some_trees;

const HeadRules& heads() {
  static const HeadRules rules = HeadRules::builtin("collins");
  return rules;
}

// A sentence with the words and tags of a tree.
struct Sentence {
  explicit Sentence(const PhraseTree& tree) {
    for (int i = 0; i < tree.words(); ++i) {
      words.emplace_back(tree.word_at(i));
      tags.emplace_back(tree.tag(i));
    }
    views = std::make_unique<WordViews>(words, tags, lexicon);
    atoms.fill(views->words(), nullptr);
  }
  Lexicon lexicon;
  std::vector<std::string> words, tags;
  std::unique_ptr<WordViews> views;
  SentenceWords atoms;
};

FeatureOptions everything() {
  FeatureOptions options;
  options.clusters = true;
  return options;
}

// Of every third feature of the trees, whole numbers.
TrainingWeights random_weights(const std::vector<std::vector<SlowFeature>>& features,
                               const Grammar& grammar, std::uint64_t seed) {
  Random random(seed);
  TrainingWeights weights;
  for (const auto& tree : features) {
    for (const SlowFeature& each : tree) {
      if (random.below(3) != 0) continue;
      weights.update(weights.intern(each.key), grammar.find(each.label), random.between(-9, 9));
    }
  }
  return weights;
}

double slow_score(const std::vector<SlowFeature>& features, const Grammar& grammar,
                  const TrainingWeights& weights) {
  double sum = 0;
  for (const SlowFeature& each : features) {
    const auto row = weights.find(each.key);
    if (row != TrainingWeights::kNoRow) sum += weights.weight(row, grammar.find(each.label));
  }
  return sum;
}

TEST(IncrementalGrammar, HasTheSuccessorsOfTheWorkedExample) {
  const std::vector<std::string> names = {" null", " begin", " end", "TOP", "S",
                                          "NP",    "VP",     "NN",   "MD"};
  const LabelId s = 4, np = 5, vp = 6, nn = 7, md = 8;
  const std::vector<std::uint8_t> in_use(4, 1);
  const std::vector<Triple> triples = {
      {kTop, kBegin, s}, {s, np, vp}, {np, nn, nn}, {np, nn, kEnd}};
  const Grammar grammar(names, {{s, np, nn}, {nn}, {vp, md}, {vp, vp, md}}, in_use, triples);
  const Sentence sentence(tree_testing::tree_of("(TOP (S (NP (NN Trash)) (VP (MD can))))"));
  const Features features(builtin_templates({}), grammar, "");
  const TrainingWeights weights;
  Search<TrainingWeights> search;
  search.start({&grammar, &heads(), &features, &weights}, sentence.atoms, {});
  const std::vector<TagReading> trash = {{nn, 0}}, can = {{nn, 0}, {md, 0}};
  search.advance(trash);
  ASSERT_EQ(search.beam().size(), 1U);
  search.advance(can);
  std::set<std::pair<int, int>> moves;
  for (const Hypothesis& each : search.beam()) moves.insert({each.move.closes, each.move.chain});
  EXPECT_EQ(moves, (std::set<std::pair<int, int>>{{0, 1}, {1, 2}, {1, 3}}));
  EXPECT_EQ(search.relaxed(), 0);
}

TEST(IncrementalGrammar, MovesRebuildEveryTree) {
  Grammar grammar;
  for (const Entry& entry : some_trees()) {
    const PhraseTree gold = prepared(entry.tree);
    const PhraseTree transformed = left_corner_transform(gold);
    const std::vector<Move> moves = grammar.add(transformed);
    ASSERT_EQ(static_cast<int>(moves.size()), gold.words());
    const Sentence sentence(gold);
    const PhraseTree again = grammar.tree_of(moves, sentence.words);
    EXPECT_EQ(again.str(), transformed.str());
    EXPECT_EQ(undo_left_corner_transform(again).str(), gold.str());
  }
  grammar.finish();
  EXPECT_GT(grammar.chains().size(), grammar.chains_in_use());
  for (std::size_t i = 0; i < grammar.chains().size(); ++i) {
    EXPECT_TRUE(grammar.in_use(static_cast<int>(i)) || grammar.chains()[i].size() > 2);
  }
}

// Groups of templates: together they have the keys of the whole table, and each sees nothing of a
// context but what its mask has.
TEST(IncrementalSearch, GroupsOfTemplatesAreTheTable) {
  Grammar grammar;
  const PhraseTree tree = left_corner_transform(prepared(some_trees()[0].tree));
  const std::vector<Move> moves = grammar.add(tree);
  grammar.finish();
  const Sentence sentence(tree);
  const Features features(builtin_templates(everything()), grammar, "");
  std::vector<int> fires(features.node_table().size(), 0);
  for (const TemplateGroup& group : features.node_groups()) {
    for (const auto& line : group.lines) fires[line.number] += line.fires ? 1 : 0;
  }
  EXPECT_EQ(fires, std::vector<int>(fires.size(), 1));
  EXPECT_LT(features.node_groups().size(), 20U);

  Spines spines;
  spines.start(grammar, heads());
  NodeKeys maker;
  const Cell* top = spines.root();
  Random random(1);
  for (int position = 0; position < sentence.atoms.words(); ++position) {
    const Move& move = moves[static_cast<std::size_t>(position)];
    const LabelId tag = grammar.chain(move.chain).back();
    maker.set_position(features, sentence.atoms, position);
    for (const Cell* cell = top; cell != nullptr; cell = cell->up) {
      const NodeContext context = features.context(*cell, sentence.atoms, position, tag);
      Features::Keys all, together;
      features.node_keys(context, sentence.atoms, position, all);
      maker.set_context(context);
      for (const TemplateGroup& group : features.node_groups()) maker.add(group, together);
      std::ranges::sort(all);
      std::ranges::sort(together);
      EXPECT_EQ(together, all);
      for (const TemplateGroup& group : features.node_groups()) {
        // Another context that the group cannot tell from this one.
        auto bits = bits_of(context);
        for (std::size_t i = 0; i < bits.size(); ++i) {
          bits[i] = (bits[i] & group.mask[i]) | (random.below(2) == 0 ? 0 : bits[i]);
        }
        EXPECT_EQ(group.hash(bits, 1), group.hash(bits_of(context), 1));
        Features::Keys here, there;
        maker.set_context(context);
        maker.add(group, here);
        maker.set_context(std::bit_cast<NodeContext>(bits));
        maker.add(group, there);
        EXPECT_EQ(here, there);
      }
    }
    for (int k = 0; k < move.closes; ++k) top = spines.close(top);
    top = spines.attach(top, grammar.chain(move.chain), position);
  }
}

// Gold moves scored step by step are the finished tree scored as a whole.
TEST(IncrementalSearch, ScoresAreThoseOfFinishedTrees) {
  Grammar grammar;
  std::vector<std::vector<Move>> moves;
  std::vector<PhraseTree> trees;
  std::vector<std::unique_ptr<Sentence>> sentences;
  for (const Entry& entry : std::span(some_trees()).first(std::size_t{20})) {
    trees.push_back(left_corner_transform(prepared(entry.tree)));
    moves.push_back(grammar.add(trees.back()));
    sentences.push_back(std::make_unique<Sentence>(trees.back()));
  }
  grammar.finish();
  const Features features(builtin_templates(everything()), grammar, "");
  std::vector<std::vector<SlowFeature>> slow;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    slow.push_back(SlowFeatures(trees[i], sentences[i]->atoms, heads(), features.texts()).all());
  }
  const TrainingWeights weights = random_weights(slow, grammar, 1);
  Search<TrainingWeights> search;
  SearchOptions options;
  options.beam = 4;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    search.start({&grammar, &heads(), &features, &weights}, sentences[i]->atoms, options);
    for (std::size_t k = 0; k < moves[i].size(); ++k) {
      const TagReading reading{grammar.find(sentences[i]->tags[k]), 0};
      search.advance(std::span(&reading, 1), &moves[i][k]);
    }
    search.finish(true);
    EXPECT_EQ(search.gold()->score.total, slow_score(slow[i], grammar, weights)) << i;
    // What the beam found, too: its trees are other ones.
    const Hypothesis& best = search.beam()[0];
    std::vector<Move> found;
    for (const Hypothesis* h : search.path(best)) {
      if (h->move.chain >= 0) found.push_back(h->move);
    }
    const PhraseTree tree = grammar.tree_of(found, sentences[i]->words);
    const auto of_best = SlowFeatures(tree, sentences[i]->atoms, heads(), features.texts()).all();
    EXPECT_EQ(best.score.total, slow_score(of_best, grammar, weights)) << i;
    // And what is learnt from them.
    double difference = 0;
    for (const KeyCount& each : feature_difference(*search.gold(), best, grammar, features,
                                                   sentences[i]->atoms, search.spines())) {
      const auto row = weights.find(each.key);
      if (row != TrainingWeights::kNoRow)
        difference += each.count * weights.weight(row, each.label);
    }
    EXPECT_EQ(difference, search.gold()->score.total - best.score.total) << i;
  }
}

// Every tree that the grammar has for some tags.
void enumerate(const Grammar& grammar, const std::vector<LabelId>& tags,
               const std::function<void(const std::vector<Move>&)>& visit) {
  struct Open {
    LabelId label, last;
  };
  std::vector<Move> moves;
  const std::function<void(std::vector<Open>)> go = [&](const std::vector<Open>& open) {
    const std::size_t word = moves.size();
    if (word == tags.size()) {
      std::vector<Open> rest = open;
      while (!rest.empty()) {
        const Open top = rest.back();
        if (!grammar.follows(top.label, top.last, kEnd)) return;
        rest.pop_back();
        if (!rest.empty()) rest.back().last = top.label;
      }
      visit(moves);
      return;
    }
    std::vector<Open> site = open;
    for (int closes = 0;; ++closes) {
      for (std::size_t c = 0; c < grammar.chains().size(); ++c) {
        const Chain& chain = grammar.chains()[c];
        if (chain.back() != tags[word] || !grammar.in_use(static_cast<int>(c))) continue;
        if (!grammar.follows(site.back().label, site.back().last, chain.front())) continue;
        std::vector<Open> next = site;
        for (std::size_t k = 0; k + 1 < chain.size(); ++k) next.push_back({chain[k], kBegin});
        next.back().last = chain.back();
        moves.push_back({closes, static_cast<int>(c)});
        go(next);
        moves.pop_back();
      }
      const Open top = site.back();
      if (site.size() == 1 || !grammar.follows(top.label, top.last, kEnd)) return;
      site.pop_back();
      site.back().last = top.label;
    }
  };
  go({{kTop, kBegin}});
}

// A grammar with several trees for one sentence, all of them and their features.
struct AllTrees {
  AllTrees() {
    for (const char* text :
         {"(TOP (S (NP (NN a)) (VP (VB b))))", "(TOP (S (NP (QP (NN a))) (VP (VB b))))",
          "(TOP (S (NP (NN a) (NN b)) (VP (VB c) (NP (NN d)))))",
          "(TOP (S (NP (NN a)) (VP (VB b) (NP (NN c)) (PP (IN d) (NP (NN e))))))",
          "(TOP (S (NP (NN a)) (VP (VB b) (NP (NN c)) (PP (IN d) (NP (NN e))) (PP (IN f) (NP (NN "
          "g))))))",
          "(TOP (NP (NP (NN a)) (PP (IN b) (NP (NN c)))))",
          "(TOP (S (NP (NP (NN a)) (PP (IN b) (NP (NN c)))) (VP (VB d))))"}) {
      const PhraseTree tree = left_corner_transform(tree_testing::tree_of(text));
      grammar.add(tree);
      grammar.add(tree);
    }
    grammar.finish();
    features = Features(builtin_templates({}), grammar, "");
    for (const std::string& tag : sentence.tags) tags.push_back(grammar.find(tag));
    enumerate(grammar, tags, [&](const std::vector<Move>& moves) {
      const PhraseTree tree = grammar.tree_of(moves, sentence.words);
      slow.push_back(SlowFeatures(tree, sentence.atoms, heads(), features.texts()).all());
    });
  }
  std::vector<double> scores(const TrainingWeights& weights) const {  // best first
    std::vector<double> out;
    for (const auto& each : slow) out.push_back(slow_score(each, grammar, weights));
    std::ranges::sort(out, std::greater<>());
    return out;
  }
  // visit() after each word.
  template <class Visit>
  void search_all(Search<TrainingWeights>& search, const TrainingWeights& weights,
                  SearchOptions options, Visit visit) const {
    options.beam = 1'000'000;
    options.chain_beam = 0;
    search.start({&grammar, &heads(), &features, &weights}, sentence.atoms, options);
    for (const LabelId tag : tags) {
      const TagReading reading{tag, 0};
      search.advance(std::span(&reading, 1));
      visit(search.beam());
    }
    search.finish();
  }
  Grammar grammar;
  Features features;
  Sentence sentence{tree_testing::tree_of("(X (NN a) (VB b) (NN c) (IN d) (NN e) (IN f) (NN g))")};
  std::vector<LabelId> tags;
  std::vector<std::vector<SlowFeature>> slow;
};

TEST(IncrementalSearch, AnUnlimitedBeamFindsTheBestOfAllTrees) {
  const AllTrees all;
  ASSERT_GT(all.slow.size(), 3U);
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(repeats(20, 3)); ++seed) {
    const TrainingWeights weights = random_weights(all.slow, all.grammar, seed);
    const std::vector<double> scores = all.scores(weights);
    Search<TrainingWeights> search;
    all.search_all(search, weights, {}, [](auto) {});
    ASSERT_EQ(search.beam().size(), scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      EXPECT_EQ(search.beam()[i].score.total, scores[i]) << "seed " << seed;
    }
  }
}

// Merged, the beam has the best hypothesis of each state, and at the end the best tree of all.
TEST(IncrementalSearch, MergingKeepsTheBestOfEachState) {
  const AllTrees all;
  SearchOptions merged;
  merged.merge = true;
  using Best = std::map<std::uint64_t, double>;
  const auto add = [](std::vector<Best>& steps, std::span<const Hypothesis> beam) {
    Best& best = steps.emplace_back();
    for (const Hypothesis& each : beam) {
      const auto [where, is_new] = best.emplace(each.top->state, each.score.total);
      if (!is_new) where->second = std::max(where->second, each.score.total);
    }
  };
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(repeats(20, 3)); ++seed) {
    const TrainingWeights weights = random_weights(all.slow, all.grammar, seed);
    std::vector<Best> with, without;
    std::size_t less = 0;
    Search<TrainingWeights> search;
    all.search_all(search, weights, {}, [&](auto beam) {
      add(without, beam);
      less += beam.size();
    });
    all.search_all(search, weights, merged, [&](auto beam) {
      add(with, beam);
      EXPECT_EQ(with.back().size(), beam.size());
      less -= beam.size();
    });
    EXPECT_EQ(with, without) << "seed " << seed;
    EXPECT_GT(less, 0U);
    EXPECT_EQ(search.beam()[0].score.total, all.scores(weights)[0]) << "seed " << seed;
  }
}

// Words with several tags: the best of the searches for each sequence of tags.
TEST(IncrementalSearch, SeveralTagsAreTriedTogether) {
  const AllTrees all;
  const LabelId nn = all.grammar.find("NN"), vb = all.grammar.find("VB");
  const std::vector<Readings> readings = {{{nn, 0}}, {{vb, 0}, {nn, -4}}, {{nn, 0}, {vb, -1}}};
  SearchOptions options;
  options.beam = 1'000'000;
  options.chain_beam = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(repeats(20, 3)); ++seed) {
    const TrainingWeights weights = random_weights(all.slow, all.grammar, seed);
    Search<TrainingWeights> search;
    const ScoringModel<TrainingWeights> model{&all.grammar, &heads(), &all.features, &weights};
    const auto best = [&](std::span<const Readings> steps) {
      search.start(model, all.sentence.atoms, options);
      for (const Readings& step : steps) search.advance(step);
      return search.relaxed() > 0 ? -1e9 : search.beam()[0].score.total;
    };
    double apart = -1e9;
    for (const TagReading& second : readings[1]) {
      for (const TagReading& third : readings[2]) {
        const std::vector<Readings> one = {readings[0], {{second.tag, 0}}, {{third.tag, 0}}};
        apart = std::max(apart, best(one) + second.score + third.score);
      }
    }
    EXPECT_EQ(best(readings), apart) << "seed " << seed;
  }
}

// With room for one beginning of each length, all chains of a step begin alike; their scores are
// those of the search that looks at everything, and a wide enough beam is that search.
TEST(IncrementalSearch, AChainBeamIsOfBeginningsOfOneLength) {
  Grammar grammar;
  for (const Entry& entry : some_trees()) grammar.add(left_corner_transform(prepared(entry.tree)));
  grammar.finish();
  const Features features(builtin_templates({}), grammar, "");
  const PhraseTree tree = left_corner_transform(prepared(some_trees()[0].tree));
  const Sentence sentence(tree);
  const TrainingWeights weights = random_weights(
      {SlowFeatures(tree, sentence.atoms, heads(), features.texts()).all()}, grammar, 7);
  const auto first_word = [&](LabelId tag, int chain_beam) {
    SearchOptions options;
    options.beam = 1'000'000;
    options.chain_beam = chain_beam;
    Search<TrainingWeights> search;
    search.start({&grammar, &heads(), &features, &weights}, sentence.atoms, options);
    const TagReading reading{tag, 0};
    search.advance(std::span(&reading, 1));
    std::map<Chain, double> out;
    if (search.relaxed() > 0) return out;  // relaxed searches look at everything
    for (const Hypothesis& each : search.beam()) {
      out[grammar.chain(each.move.chain)] = each.score.total;
    }
    return out;
  };
  std::size_t narrower = 0;
  for (LabelId tag = 0; tag < grammar.labels(); ++tag) {
    if (!grammar.is_tag(tag)) continue;
    const auto all = first_word(tag, 0), one = first_word(tag, 1);
    EXPECT_EQ(first_word(tag, 1000), all);
    narrower += one.size() < all.size() ? 1 : 0;
    Chain longest;
    for (const auto& [chain, score] : one) {
      EXPECT_EQ(score, all.at(chain));
      if (chain.size() > longest.size()) longest = chain;
    }
    for (const auto& [chain, score] : one) {
      EXPECT_TRUE(std::equal(chain.begin(), chain.end() - 1, longest.begin()));
    }
  }
  EXPECT_GT(narrower, 1U);
}

TEST(IncrementalSearch, BeamRulesKeepWhatTheySay) {
  // Margins of the k-th hypothesis: 100 / k^3 and 100 - 3 ln k.
  Grammar grammar;
  for (const Entry& entry : some_trees()) grammar.add(left_corner_transform(prepared(entry.tree)));
  grammar.finish();
  const Features features(builtin_templates({}), grammar, "");
  const PhraseTree tree = prepared(some_trees()[0].tree);
  const Sentence sentence(tree);
  const auto slow =
      SlowFeatures(left_corner_transform(tree), sentence.atoms, heads(), features.texts()).all();
  const TrainingWeights weights = random_weights({slow}, grammar, 5);
  const auto beam_of = [&](BeamRule rule, double gamma) {
    Search<TrainingWeights> search;
    SearchOptions options;
    options.rule = rule;
    options.gamma = gamma;
    search.start({&grammar, &heads(), &features, &weights}, sentence.atoms, options);
    std::vector<TagReading> readings;  // every tag, so that one step has many successors
    for (LabelId tag = 0; tag < grammar.labels(); ++tag) {
      if (grammar.is_tag(tag)) readings.push_back({tag, -0.5 * tag});
    }
    search.advance(readings);
    std::vector<double> scores;
    for (const Hypothesis& each : search.beam()) scores.push_back(each.score.total);
    return scores;
  };
  const auto all = beam_of(BeamRule::fixed, 0);
  ASSERT_GT(all.size(), 2U);
  for (const double gamma : {0.5, 5.0, 50.0, 500.0}) {
    std::size_t cubic = 1, log_cubic = 1;
    while (cubic < all.size() &&
           all[cubic] >= all[0] - gamma / static_cast<double>(cubic * cubic * cubic)) {
      ++cubic;
    }
    while (log_cubic < all.size() &&
           all[log_cubic] >= all[0] - (gamma - 3 * std::log(static_cast<double>(log_cubic)))) {
      ++log_cubic;
    }
    EXPECT_EQ(beam_of(BeamRule::cubic, gamma).size(), cubic) << gamma;
    EXPECT_EQ(beam_of(BeamRule::log_cubic, gamma).size(), log_cubic) << gamma;
  }
}

}  // namespace
}  // namespace copse::incremental
