// A text with its analysis: sentences, words with their places in the text, dependency and
// phrase-structure trees, alternatives and probabilities where they were asked for.
//
//   for (const ParsedSentence& sentence : nlp("She saw the man with the telescope."))
//     for (const DocumentWord word : sentence.words())
//       std::cout << word.form() << ' ' << word.head() << ' ' << word.relation() << '\n';
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/error.h"
#include "copse/constituency/phrase_parser.h"
#include "copse/dependency/parser.h"
#include "copse/treebank/format.h"

namespace copse {

// A stretch of the text, [begin, end): in bytes and in code points.
struct TextPlace {
  std::size_t byte_begin = 0, byte_end = 0;
  std::size_t point_begin = 0, point_end = 0;

  bool operator==(const TextPlace&) const = default;
};

// A dependency tree of a sentence.
struct ScoredDependencies {
  DependencyTree tree;
  double score = 0;
  // With marginals only: of the tree, and for each word ([0] unused) of its arc and of the arc with
  // its relation.
  double probability = 0;
  std::vector<double> arc_probability, relation_probability;
};

class DocumentWord;

// A token of the text: one word, or several words that are written as one ("don't").
struct DocumentToken {
  std::string_view form;    // as the sentence has it, which must outlive this
  int first = 0, last = 0;  // words, both inside
  TextPlace place;
};

struct ParsedSentence {
  Sentence columns;  // tags, lemmas, the best heads and relations
  PhraseTree tree;   // the best; empty without a phrase-structure parser
  // The columns are nothing but the words of a tree that came without any; until something is added.
  bool only_tree = false;
  TextPlace place;                // from the first word to the last
  std::vector<TextPlace> places;  // of each word, [0] unused; words of one token share its place

  // Best first; empty without a dependency parser. As many as were asked for, if there are.
  std::vector<ScoredDependencies> dependencies;
  std::optional<DualCertificate> certificate;  // as in Parse
  std::string degraded;                        // as in Parse
  // With marginals: of every arc that the search looked at, by word, most probable first.
  std::vector<ArcProbability> arcs;
  // Best first; brackets and their probabilities with marginals, where the model has them.
  PhraseAnswer phrases;
  std::vector<double> reranker_scores;  // of phrases.trees, where a reranker put them in order
  // Why the sentence could not be analysed as asked; what was found before stays.
  std::optional<Error> problem;

  // For to_string() and write_treebank(): what came in comes out.
  Entry entry() const { return {only_tree ? Sentence() : columns, tree}; }
  std::string text() const;  // "# text", or made from the words
  int size() const { return columns.words(); }
  DocumentWord word(int number) const;  // 1..size()
  std::vector<DocumentWord> words() const;
  std::vector<DocumentToken> tokens() const;
};

// A view of a word; the sentence must outlive it.
class DocumentWord {
 public:
  DocumentWord(const ParsedSentence& sentence, int number)
      : sentence_(&sentence), number_(number) {}

  int number() const { return number_; }
  std::string_view form() const { return sentence_->columns.form(number_); }
  std::string_view lemma() const { return sentence_->columns.lemma(number_); }
  std::string_view upos() const { return sentence_->columns.upos(number_); }
  std::string_view xpos() const { return sentence_->columns.xpos(number_); }
  std::string_view feats() const { return sentence_->columns.feats(number_); }
  int head() const { return sentence_->columns.head(number_); }  // 0: the root; -1: none
  std::string_view relation() const { return sentence_->columns.deprel(number_); }
  const TextPlace& place() const { return sentence_->places[static_cast<std::size_t>(number_)]; }

 private:
  const ParsedSentence* sentence_;
  int number_;
};

class Document {
 public:
  // The sentences of a text, as a tokeniser made them: with TokenRange in MISC, which counts from
  // `first_point` on.
  Document(std::string text, std::vector<Sentence> sentences, std::size_t first_point = 0);
  // Sentences that came without a text; it is made from their words and white space.
  explicit Document(std::vector<Entry> entries);

  const std::string& text() const { return text_; }
  std::string_view text(const TextPlace& place) const {
    return std::string_view(text_).substr(place.byte_begin, place.byte_end - place.byte_begin);
  }
  const std::vector<ParsedSentence>& sentences() const { return sentences_; }
  std::vector<ParsedSentence>& sentences() { return sentences_; }
  std::size_t size() const { return sentences_.size(); }
  const ParsedSentence& operator[](std::size_t i) const { return sentences_[i]; }
  auto begin() const { return sentences_.begin(); }
  auto end() const { return sentences_.end(); }

  // Throws the first problem of a sentence, if there is one.
  void require_no_problem() const;
  std::vector<Entry> entries() const;

 private:
  std::string text_;
  std::vector<ParsedSentence> sentences_;
};

}  // namespace copse
