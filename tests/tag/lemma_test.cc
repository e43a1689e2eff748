#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "copse/base/random.h"
#include "copse/tag/lemma_rule.h"
#include "copse/tag/lemmatizer.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse {
namespace {

TEST(LemmaRule, SharesWhatWordsHaveInCommon) {
  EXPECT_EQ(lemma_rule("houses", "house").str(), "l/0//1/");
  EXPECT_EQ(lemma_rule("Houses", "house"), lemma_rule("houses", "house"));
  EXPECT_EQ(lemma_rule("walked", "walk"), lemma_rule("talked", "talk"));
  EXPECT_EQ(lemma_rule("gegangen", "gehen").absolute, false);
  EXPECT_EQ(lemma_rule("am", "be").str(), "=be");
  EXPECT_EQ(lemma_rule("WASHINGTON", "Washington").change, LemmaRule::Case::capital);
  EXPECT_EQ(lemma_rule("nato", "NATO").change, LemmaRule::Case::upper);
}

TEST(LemmaRule, AppliesToUnseenWords) {
  EXPECT_EQ(apply_rule(lemma_rule("studies", "study"), "Flies"), "fly");
  EXPECT_EQ(apply_rule(lemma_rule("walking", "walk"), "ing"), std::nullopt);
}

TEST(LemmaRule, AlwaysGivesTheLemmaBack) {
  Random random(11);
  const std::vector<std::string> letters = {"a", "B", "c",  "É",  "ß",    "İ",
                                            "ǅ", "/", "\\", "\n", "\xFF", "x"};
  const auto word = [&] {
    std::string text;
    for (int i = random.between(0, 7); i > 0; --i) text += letters[random.below(letters.size())];
    return text;
  };
  for (int round = 0; round < 20000; ++round) {
    const std::string form = word();
    const std::string lemma = word();
    const LemmaRule rule = lemma_rule(form, lemma);
    ASSERT_EQ(apply_rule(rule, form), lemma) << form << " -> " << lemma << ": " << rule.str();
    ASSERT_EQ(LemmaRule::parse(rule.str()), rule) << rule.str();
  }
}

TEST(LemmaRule, OtherTextIsNoRule) {
  for (const std::string_view text :
       {"", "x/0//0/", "k/0//0", "k/-1//0/", "k/a//0/", "=\\", "k/0/\\q/0/"}) {
    EXPECT_FALSE(LemmaRule::parse(text).has_value()) << text;
  }
}

TEST(Lemmatizer, KnowsWhatItSawAndGuessesTheRest) {
  const std::vector<LemmaExample> examples = {
      {"houses", "NOUN", "Number=Plur", "house"}, {"trees", "NOUN", "Number=Plur", "tree"},
      {"tables", "NOUN", "Number=Plur", "table"}, {"dog", "NOUN", "Number=Sing", "dog"},
      {"cat", "NOUN", "Number=Sing", "cat"},      {"walked", "VERB", "Tense=Past", "walk"},
      {"talked", "VERB", "Tense=Past", "talk"},   {"went", "VERB", "Tense=Past", "go"},
      {"saw", "VERB", "Tense=Past", "see"},       {"saw", "NOUN", "Number=Sing", "saw"},
  };
  const Lemmatizer lemmatizer = Lemmatizer::train(examples);
  for (const LemmaExample& example : examples) {
    EXPECT_EQ(lemmatizer.lemma(example.form, example.upos, example.feats), example.lemma);
  }
  EXPECT_EQ(lemmatizer.lemma("chairs", "NOUN", "Number=Plur"), "chair");
  EXPECT_EQ(lemmatizer.lemma("barked", "VERB", "Tense=Past"), "bark");
  EXPECT_EQ(lemmatizer.lemma("Went", "VERB", "Tense=Past"), "go");
  EXPECT_FALSE(lemmatizer.lemma("", "X", "_").size() > 100);
}

TEST(Lemmatizer, AFormDoesNotMakeItsOwnLemmaKnown) {
  const std::vector<LemmaExample> examples = {{"movies", "NOUN", "_", "movie"},
                                              {"movie", "NOUN", "_", "movie"},
                                              {"movies", "VERB", "_", "movie"}};
  const FormsOfLemmas forms(examples);
  EXPECT_EQ(forms.count("movie", "NOUN", "movies"), 1);
  EXPECT_EQ(forms.count("movie", "NOUN", "Movies"), 2);
  EXPECT_EQ(forms.count("movie", "VERB", "movies"), 0);
  EXPECT_EQ(forms.count("movy", "NOUN", "movies"), 0);
  const std::string bytes = forms.frozen();
  const KnownLemmas known(FrozenWeights::view(std::as_bytes(std::span(bytes))));
  EXPECT_EQ(known.forms("movie", "NOUN"), 2);
  EXPECT_EQ(known.forms("movy", "NOUN"), 0);
  EXPECT_NE(result_keys("movie", "NOUN", 0), result_keys("movie", "NOUN", 1));
  EXPECT_EQ(result_keys("movie", "NOUN", 7), result_keys("movie", "NOUN", 9));
}

// Both -ies -> -y and -ies -> -ie are rules; the lemma of which there is another form is right.
TEST(Lemmatizer, ALemmaThatIsKnownIsLikely) {
  std::vector<LemmaExample> examples;
  for (const auto& [plural, singular] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"studies", "study"},
                                                                  {"cookies", "cookie"},
                                                                  {"parties", "party"},
                                                                  {"movies", "movie"},
                                                                  {"ladies", "lady"},
                                                                  {"ties", "tie"},
                                                                  {"berries", "berry"},
                                                                  {"pies", "pie"}}) {
    examples.push_back({plural, "NOUN", "Number=Plur", singular});
    examples.push_back({singular, "NOUN", "Number=Sing", singular});
  }
  examples.push_back({"fairy", "NOUN", "Number=Sing", "fairy"});
  examples.push_back({"zombie", "NOUN", "Number=Sing", "zombie"});
  const Lemmatizer lemmatizer = Lemmatizer::train(examples);
  EXPECT_EQ(lemmatizer.lemma("fairies", "NOUN", "Number=Plur"), "fairy");
  EXPECT_EQ(lemmatizer.lemma("zombies", "NOUN", "Number=Plur"), "zombie");
}

TEST(Lemmatizer, SurvivesAModelFile) {
  const auto entries = read_treebank(source_dir() + "/fixtures/english.conllu");
  std::vector<LemmaExample> examples;
  for (const Entry& entry : entries) {
    for (int word = 1; word <= entry.sentence.words(); ++word) {
      const Sentence& s = entry.sentence;
      examples.push_back({s.form(word), s.upos(word), s.feats(word), s.lemma(word)});
    }
  }
  const Lemmatizer before = Lemmatizer::train(examples);
  ModelWriter writer("test", nlohmann::json::object());
  before.save(writer, "lemma/");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test");
  const Lemmatizer after = Lemmatizer::load(file, "lemma/");
  for (const std::string_view form : {"wandering", "Boxes", "xyzzy", "running", "was"}) {
    for (const std::string_view upos : {"NOUN", "VERB", "X"}) {
      EXPECT_EQ(before.lemma(form, upos, "_"), after.lemma(form, upos, "_"));
    }
  }
}

}  // namespace
}  // namespace copse
