// Everything a tagger fills in for a sentence: UPOS, XPOS, FEATS by one or more sequence taggers,
// LEMMA by rule; or entity labels. Immutable, shared by threads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/model_file.h"
#include "copse/tag/lemmatizer.h"
#include "copse/tag/sequence_tagger.h"
#include "copse/tag/tag_options.h"
#include "copse/treebank/sentence.h"

namespace copse {

// A sequence tagger and the columns its labels stand for; several columns are joined by a tab.
struct TaggerPart {
  std::vector<Column> columns;
  SequenceTagger tagger;
};

class Tagger {
 public:
  static constexpr std::string_view kKind = "tagger";

  Tagger(std::vector<TaggerPart> parts, std::optional<Lemmatizer> lemmatizer, bool entities);
  static Tagger load(const ModelFile& file);
  // One whose tags a parser is to see: throws data_error for a model of entity labels too.
  static Tagger load_for_parser(const ModelFile& file);
  void save(ModelWriter& writer) const;
  // What load() needs to know, for the config of the model file.
  nlohmann::json config() const;

  const std::vector<TaggerPart>& parts() const { return parts_; }
  std::vector<TaggerPart>& parts() { return parts_; }
  bool lemmas() const { return lemmatizer_.has_value(); }
  bool entities() const { return entities_; }

  // Fills the columns. Throws data_error naming the word when a tag to be kept was never seen; the
  // sentence is then as it was.
  void tag(Sentence& sentence, TagScratch& scratch, const TagOptions& options = {}) const;
  // The same, and the probability of each tag in MISC.
  void tag_with_marginals(Sentence& sentence, TagScratch& scratch,
                          const TagOptions& options = {}) const;

 private:
  void fill_lemmas(Sentence& sentence) const;

  std::vector<TaggerPart> parts_;
  std::optional<Lemmatizer> lemmatizer_;
  bool entities_;
};

// The words of a sentence, and its XPOS column for entity taggers.
class SentenceWords {
 public:
  SentenceWords(const Sentence& sentence, bool parts_of_speech);
  TagInput input() const { return {words_, parts_of_speech_}; }

 private:
  std::vector<std::string_view> words_, parts_of_speech_;
};

// The label of a word: its columns joined by tabs.
std::string joint_label(const Sentence& sentence, int word, std::span<const Column> columns);
// The piece of a joint label that belongs to column number `index`.
std::string_view label_piece(std::string_view label, std::size_t index);

// "upos", "xpos", "feats", "lemma", "misc"; nothing for other names.
std::optional<Column> tag_column_named(std::string_view name);
std::string_view name_of_tag_column(Column column);

}  // namespace copse
