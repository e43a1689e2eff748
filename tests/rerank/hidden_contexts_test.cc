// Domains, trees over words, and the names and values of all features.
#include "copse/rerank/hidden/contexts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "copse/base/error.h"
#include "copse/inference/belief_propagation.h"
#include "tests/repeats.h"
#include "tests/rerank/hidden_testing.h"

namespace copse::hidden {
namespace {

using hidden_testing::all_blocks;
using hidden_testing::list_of;
using hidden_testing::setting_of;
using tree_testing::tree_of;

// The example of the article's figure 2, with a coordination.
constexpr const char* kBought =
    "(TOP (S (NP (NNP IBM)) (VP (VBD bought) (NP (CD 1.5) (CD m) (NNS shares)) (PP (IN in) (NP "
    "(NNP "
    "May))) (NP (NN yesterday)))))";

// Names of the features with how many weights of each the candidate has, "word: name" -> rows x
// columns.
using Named = std::multiset<std::string>;

// Features of words in which something stands; edges begin with "upper > lower".
Named features_of(const Setting& setting, const PhraseTree& tree, const std::string& word) {
  const std::vector<Candidates> lists = {list_of({tree})};
  const Blocks blocks = all_blocks(setting, lists);
  const NamedCandidate named = name_candidate(setting.extraction(), lists[0], 0, blocks.finder());
  // Tables by the word, or the edge, they belong to.
  std::map<std::uint32_t, std::string> owner;
  const auto form = [&](std::uint32_t node) {
    return std::string(tree.word_at(static_cast<int>(named.word_of[node])));
  };
  const BeliefGraph& graph = named.list.graph;
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    owner[graph.nodes[node].single] = form(node);
    for (const std::uint32_t edge : graph.children_of(node)) {
      owner[graph.edges[edge].pair] = form(node) + " > " + form(graph.edges[edge].node);
    }
  }
  Named result;
  std::size_t number = 0;
  named.list.for_each_segment(
      [&](std::uint32_t t, const HiddenList::Segment& segment, std::span<const std::uint32_t> of) {
        for (std::size_t k = 0; k < of.size(); ++k, ++number) {
          if (owner[t] != word) continue;
          result.insert(named.blocks[number].name + " = " + std::to_string(segment.rows) + "x" +
                        std::to_string(segment.columns));
        }
      });
  return result;
}

TEST(HiddenFeatures, TwentyOfASingleValue) {
  const auto setting = setting_of({DomainKind::pos});
  EXPECT_EQ(features_of(*setting, tree_of(kBought), "shares"),
            (Named{"value = 1x5",
                   "value/word shares = 1x5",
                   "pos NNS = 1x5",
                   "pos/word NNS shares = 1x5",
                   "highest NP = 1x5",
                   "highest/word NP shares = 1x5",
                   "pos-highest NNS NP = 1x5",
                   "pos-highest/word NNS NP shares = 1x5",
                   "up NP VP S = 1x5",
                   "up/word NP VP S shares = 1x5",
                   "down NP NNS = 1x5",
                   "down/word NP NNS shares = 1x5",
                   "head-rule NP -> CD CD NNS(head) = 1x5",
                   "head-rule/word NP -> CD CD NNS(head) shares = 1x5",
                   "mod-rule VP -> VBD(head) NP(mod) PP NP = 1x5",
                   "mod-rule/word VP -> VBD(head) NP(mod) PP NP shares = 1x5",
                   "head-rule-above NP -> CD CD NNS(head) VP = 1x5",
                   "head-rule-above/word NP -> CD CD NNS(head) VP shares = 1x5",
                   "mod-rule-above VP -> VBD(head) NP(mod) PP NP S = 1x5",
                   "mod-rule-above/word VP -> VBD(head) NP(mod) PP NP S shares = 1x5"}));
  std::size_t lines = 0;
  for (const Unit unit : {Unit::word, Unit::head_rule, Unit::mod_rule}) {
    lines += setting->templates[static_cast<std::size_t>(unit)].size();
  }
  EXPECT_EQ(lines, 20U);
}

TEST(HiddenFeatures, AWordHasAFeatureForEachRuleThatItHeads) {
  const auto setting = setting_of({DomainKind::lexical});
  const Named all = features_of(*setting, tree_of(kBought), "bought");
  EXPECT_EQ(all.count("head-rule VP -> VBD(head) NP PP NP = 1x3"), 1U);
  EXPECT_EQ(all.count("head-rule S -> NP VP(head) = 1x3"), 1U);
  EXPECT_EQ(all.count("head-rule-above S -> NP VP(head) TOP = 1x3"), 1U);
  EXPECT_EQ(all.count("up S = 1x3"), 1U);
  EXPECT_EQ(all.count("down S VP VBD = 1x3"), 1U);
  for (const std::string& name : all) EXPECT_FALSE(name.starts_with("mod-rule")) << name;
}

TEST(HiddenFeatures, ThreeOfAPairOfHeadAndModifier) {
  const auto setting = setting_of({DomainKind::pos});
  EXPECT_EQ(features_of(*setting, tree_of(kBought), "bought > shares"),
            (Named{"edge VBD NP VP R 1 0 = 5x5", "edge-rule VP -> VBD(head) NP(mod) PP NP = 5x5",
                   "edge-rule-above VP -> VBD(head) NP(mod) PP NP S = 5x5"}));
  EXPECT_EQ(features_of(*setting, tree_of(kBought), "bought > IBM"),
            (Named{"edge VP NP S L 1 0 = 5x5", "edge-rule S -> NP(mod) VP(head) = 5x5",
                   "edge-rule-above S -> NP(mod) VP(head) TOP = 5x5"}));
  EXPECT_EQ(
      features_of(*setting, tree_of(kBought), "bought > in").count("edge VBD PP VP R 0 0 = 5x5"),
      1U);
  const PhraseTree pair = tree_of("(TOP (NP (NN cats) (CC and) (NN dogs)))");
  const Named cc = features_of(*setting, pair, "cats > dogs");
  const Named other = features_of(*setting, pair, "dogs > cats");
  EXPECT_EQ(cc.count("edge NN NN NP R 0 1 = 5x5") + other.count("edge NN NN NP L 0 1 = 5x5"), 1U);
}

TEST(HiddenFeatures, ThreeOfAPairOfSiblings) {
  const auto setting = setting_of({DomainKind::pos}, GraphKind::sibling);
  EXPECT_EQ(
      features_of(*setting, tree_of(kBought), "shares > in"),
      (Named{"edge NP PP VP R 0 0 = 5x5", "edge-rule VP -> VBD(head) NP(left) PP(right) NP = 5x5",
             "edge-rule-above VP -> VBD(head) NP(left) PP(right) NP S = 5x5"}));
  EXPECT_EQ(
      features_of(*setting, tree_of(kBought), "bought > shares"),
      (Named{"edge VBD NP VP R 1 0 = 5x5", "edge-rule VP -> VBD(head)(left) NP(right) PP NP = 5x5",
             "edge-rule-above VP -> VBD(head)(left) NP(right) PP NP S = 5x5"}));
}

// Two candidates with the same name for a feature have the same block, others have others.
TEST(HiddenFeatures, NamesAndKeysBelongTogether) {
  Random random(5);
  for (const GraphKind graph : {GraphKind::dependency, GraphKind::sibling}) {
    const auto setting = setting_of({DomainKind::highest_nt}, graph);
    std::map<std::string, FeatureKey> key_of;
    std::map<FeatureKey, std::string> name_of;
    for (int repeat = 0; repeat < repeats(60, 6); ++repeat) {
      const std::vector<Candidates> lists = {hidden_testing::random_list(random, 1, 5)};
      const Blocks blocks = all_blocks(*setting, lists);
      const NamedCandidate named =
          name_candidate(setting->extraction(), lists[0], 0, blocks.finder());
      std::vector<std::string> owner(named.list.tables.size());
      const BeliefGraph& g = named.list.graph;
      for (std::uint32_t node = 0; node < g.nodes.size(); ++node) {
        owner[g.nodes[node].single] = named.families[named.word_of[node]][0];
        for (const std::uint32_t edge : g.children_of(node)) {
          owner[g.edges[edge].pair] = named.families[named.word_of[node]][0] + " " +
                                      named.families[named.word_of[g.edges[edge].node]][0];
        }
      }
      std::size_t number = 0;
      named.list.for_each_segment(
          [&](std::uint32_t t, const HiddenList::Segment&, std::span<const std::uint32_t> of) {
            for (std::size_t k = 0; k < of.size(); ++k, ++number) {
              const std::string name = named.blocks[number].name + " | " + owner[t];
              const FeatureKey key = named.blocks[number].key;
              EXPECT_EQ(key_of.emplace(name, key).first->second, key) << name;
              EXPECT_EQ(name_of.emplace(key, name).first->second, name);
            }
          });
    }
  }
}

TEST(HiddenGraphs, EdgesOfTheExample) {
  const Candidates list = list_of({tree_of(kBought)});
  const auto edges = [&](GraphKind graph) {
    const HeadRules heads = HeadRules::builtin("collins");
    Contexts contexts(heads, graph);
    contexts.set(list, list.items[0]);
    std::set<std::string> result;
    for (const Contexts::Place& place : contexts.order()) {
      if (place.above == Contexts::kTop) continue;
      result.insert(std::string(contexts.word(contexts.order()[place.above].word).form) + "-" +
                    std::string(contexts.word(place.word).form));
    }
    return result;
  };
  EXPECT_EQ(edges(GraphKind::dependency),
            (std::set<std::string>{"bought-IBM", "bought-shares", "bought-in", "bought-yesterday",
                                   "shares-1.5", "shares-m", "in-May"}));
  EXPECT_EQ(edges(GraphKind::sibling),
            (std::set<std::string>{"bought-IBM", "bought-shares", "shares-in", "in-yesterday",
                                   "shares-m", "m-1.5", "in-May"}));
}

TEST(HiddenGraphs, AreTreesOverAllWords) {
  Random random(6);
  const HeadRules heads = HeadRules::builtin("collins");
  for (int repeat = 0; repeat < repeats(200, 20); ++repeat) {
    const int words = random.between(1, 9);
    const Candidates list = hidden_testing::random_list(random, 1, words);
    for (const GraphKind graph : {GraphKind::dependency, GraphKind::sibling}) {
      Contexts contexts(heads, graph);
      contexts.set(list, list.items[0]);
      std::set<std::uint32_t> seen;
      for (std::size_t i = 0; i < contexts.order().size(); ++i) {
        const Contexts::Place& place = contexts.order()[i];
        EXPECT_TRUE(seen.insert(place.word).second);
        EXPECT_EQ(place.above == Contexts::kTop, i == 0);
        if (i > 0) {
          EXPECT_LT(place.above, i);
        }
      }
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(words));
    }
  }
}

TEST(HiddenGraphs, TagSequencesAreChains) {
  Candidates list;
  list.words = {"Bob", "sees", "Ann"};
  list.items.emplace_back();
  list.items[0].text = "N V N";
  const auto setting = setting_of({DomainKind::pos});
  const Blocks blocks = all_blocks(*setting, {list});
  const NamedCandidate named = name_candidate(setting->extraction(), list, 0, blocks.finder());
  EXPECT_EQ(named.list.graph.edges.size(), 2U);
  std::multiset<std::string> names;
  for (const NamedBlock& block : named.blocks) names.insert(block.name);
  EXPECT_EQ(names, (std::multiset<std::string>{
                       "value", "value/word Bob", "pos N", "pos/word N Bob", "value",
                       "value/word sees", "pos V", "pos/word V sees", "edge-tags N V", "value",
                       "value/word Ann", "pos N", "pos/word N Ann", "edge-tags V N"}));
  list.items[0].text = "N V";
  EXPECT_THROW(make_hidden_list(setting->extraction(), list, blocks.finder()), Error);
}

// --- domains

std::vector<std::string> family_names(const Domains& domains, const DomainWord& word) {
  std::vector<std::string> names;
  std::vector<Family> families;
  domains.names(word, names);
  domains.families(word, families);
  EXPECT_EQ(names.size(), families.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] += "*" + std::to_string(families[i].values);
  }
  return names;
}

using Names = std::vector<std::string>;
constexpr DomainWord kShares = {"shares", "NNS", "NP"};

TEST(HiddenDomains, WordsTagsAndPhrases) {
  EXPECT_EQ(family_names(Domains({DomainKind::pos}, {}), kShares), Names{"NNS*5"});
  EXPECT_EQ(family_names(Domains({DomainKind::highest_nt}, {}), kShares), Names{"NP*5"});
  EXPECT_EQ(family_names(Domains({DomainKind::pos, 2}, {}), kShares), Names{"NNS*2"});
  EXPECT_EQ(family_names(Domains({DomainKind::lexical}, {{"shares"}, {}, {}}), kShares),
            Names{"shares*3"});
  EXPECT_EQ(family_names(Domains({DomainKind::lexical}, {{"share"}, {}, {}}), kShares),
            Names{"UNK_NNS*3"});
  EXPECT_EQ(family_names(Domains({DomainKind::mixed}, {{"shares"}, {}, {}}), kShares),
            (Names{"shares*3", "NNS*3"}));
  EXPECT_THROW(Domains({DomainKind::pos, 17}, {}), Error);
  EXPECT_THROW(Domains({DomainKind::cluster}, {}), Error);
  EXPECT_THROW(domain_kind("word"), Error);
}

TEST(HiddenDomains, PrefixesOfClusters) {
  Domains::Resources resources;
  resources.clusters = std::make_shared<const WordClusters>(
      std::vector<WordClusters::Line>{{"0110", "shares", 3}, {"0", "the", 9}});
  const Domains domains({DomainKind::cluster, 0, 5, 3}, resources);
  EXPECT_EQ(family_names(domains, kShares), Names{"011*3"});
  EXPECT_EQ(family_names(domains, {"the", "DT", "DT"}), Names{"0*3"});
  EXPECT_EQ(family_names(domains, {"never", "RB", "ADVP"}), Names{"RB*5"});
}

// A folder in the form of WordNet's files; offsets are made up.
class WordNetFolder {
 public:
  WordNetFolder()
      : path_(testing::TempDir() + "/wordnet-" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(path_);
    write("data.noun",
          "  1 a licence\n"
          "00000010 21 n 01 share 0 000 | a part\n"
          "00000020 04 n 01 share 1 000 | a taking part\n"
          "00000030 06 n 02 share 2 plowshare 0 000 | a blade\n"
          "00000040 18 n 01 man 0 000 | a person\n"
          "00000050 23 n 01 boxful 0 000 | as much as a box has\n");
    write("index.noun",
          "  1 a licence\n"
          "share n 3 1 @ 3 1 00000010 00000020 00000030  \n"
          "man n 1 1 @ 1 1 00000040  \n"
          "boxful n 1 0 1 0 00000050  \n"
          "ice_cream n 1 0 1 0 00000050  \n");
    write("noun.exc", "geese goose\nmen man\n");
    write("data.verb",
          "00000010 40 v 01 share 0 000 | use jointly\n00000020 38 v 01 go 0 000 | move\n");
    write("index.verb", "share v 1 0 1 0 00000010\ngo v 1 0 1 0 00000020\n");
    write("verb.exc", "went go\n");
    write("data.adj",
          "00000010 00 a 01 nice 0 000 | good\n00000020 44 a 01 bought 0 000 | not made\n");
    write("index.adj", "nice a 1 0 1 0 00000010\nbought a 1 0 1 0 00000020\n");
    write("data.adv", "00000010 02 r 01 well 0 000 | good\n");
    write("index.adv", "well r 1 0 1 0 00000010\n");
    write("adv.exc", "better well\n");
  }
  WordNetFolder(const WordNetFolder&) = delete;
  WordNetFolder& operator=(const WordNetFolder&) = delete;
  ~WordNetFolder() { std::filesystem::remove_all(path_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name) << text;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Names supersenses(const Supersenses& all, std::string_view form, std::string_view tag) {
  Names names;
  for (const auto number : all.find(form, tag)) names.emplace_back(supersense_name(number));
  return names;
}

TEST(Supersenses, FollowWordNetsMorphology) {
  const WordNetFolder folder;
  const auto read = Supersenses::read(folder.path());
  ASSERT_TRUE(read);
  const Supersenses copy = Supersenses::parse(read->str(), "model");
  for (const Supersenses* all : {&*read, &copy}) {
    // As in the article.
    EXPECT_EQ(supersenses(*all, "Shares", "NNS"),
              (Names{"noun.act", "noun.artifact", "noun.possession"}));
    EXPECT_EQ(supersenses(*all, "shares", "VBZ"), Names{"verb.possession"});
    EXPECT_EQ(supersenses(*all, "shared", "VBN"), Names{"verb.possession"});
    EXPECT_EQ(supersenses(*all, "sharing", "VBG"), Names{"verb.possession"});
    EXPECT_EQ(supersenses(*all, "went", "VBD"), Names{"verb.motion"});
    EXPECT_EQ(supersenses(*all, "men", "NNS"), Names{"noun.person"});
    EXPECT_EQ(supersenses(*all, "boxesful", "NN"), Names{"noun.quantity"});
    EXPECT_EQ(supersenses(*all, "nicest", "JJS"), Names{"adj.all"});
    EXPECT_EQ(supersenses(*all, "better", "RBR"), Names{"adv.all"});
    EXPECT_EQ(supersenses(*all, "bought", "JJ"), Names{"adj.ppl"});
    EXPECT_EQ(supersenses(*all, "shares", "DT"), Names{});
    EXPECT_EQ(supersenses(*all, "geese", "NNS"), Names{});  // its lemma is not there
    EXPECT_EQ(supersenses(*all, "ice_cream", "NN"), Names{});
  }
  EXPECT_EQ(copy.str(), read->str());
  const Domains domains({DomainKind::supersense},
                        {{}, std::make_shared<const Supersenses>(*read), {}});
  EXPECT_EQ(family_names(domains, kShares),
            (Names{"noun.act*3", "noun.artifact*3", "noun.possession*3"}));
  EXPECT_EQ(family_names(domains, {"of", "IN", "PP"}), Names{"IN*5"});
  EXPECT_EQ(family_names(Domains({DomainKind::supersense}, {}), kShares), Names{"NNS*5"});
}

TEST(Supersenses, BadFilesAreNamed) {
  const WordNetFolder folder;
  EXPECT_FALSE(Supersenses::read(folder.path() + "/nowhere"));
  folder.write("index.verb", "go v 1 0 1 0 00000099\n");
  try {
    Supersenses::read(folder.path());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "there is no synset at 00000099");
    EXPECT_EQ(error.place().line, 1U);
    EXPECT_TRUE(error.place().file.ends_with("index.verb"));
  }
  folder.write("data.verb", "00000010 45 v 01 share 0 000 | no such file\n");
  EXPECT_THROW(Supersenses::read(folder.path()), Error);
  for (const char* text : {"x share 4", "n share", "n share 45", "n share 4 4", "n! men"}) {
    EXPECT_THROW(Supersenses::parse(text, "model"), Error) << text;
  }
}

TEST(Supersenses, TheNamesAreWordNets) {
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < kSupersenses; ++i) {
    const std::string name(supersense_name(i));
    ++counts[name.substr(0, name.find('.'))];
  }
  EXPECT_EQ(counts,
            (std::map<std::string, int>{{"noun", 26}, {"verb", 15}, {"adj", 3}, {"adv", 1}}));
}

TEST(HiddenTemplates, WrongTablesAreRefused) {
  for (const char* table : {"a = word\n", "a = v first\n", "a = u v pos\n", "a = v nothing\n"}) {
    EXPECT_THROW(parse_hidden_templates(table, "table"), Error) << table;
  }
}

}  // namespace
}  // namespace copse::hidden
