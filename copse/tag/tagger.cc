#include "copse/tag/tagger.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/tag/entity_labels.h"

namespace copse {
namespace {

struct NamedColumn {
  Column column;
  std::string_view name;
};
constexpr std::array<NamedColumn, 5> kColumnNames = {{{Column::upos, "upos"},
                                                      {Column::xpos, "xpos"},
                                                      {Column::feats, "feats"},
                                                      {Column::lemma, "lemma"},
                                                      {Column::misc, "misc"}}};

std::string prefix_of(std::size_t part) {
  return fmt::format("part{}/", part);
}

// How many pieces of a label are as the sentence has them.
int agreement(const TaggerPart& part, std::string_view label, const Sentence& sentence, int word) {
  int agreeing = 0;
  for (std::size_t k = 0; k < part.columns.size(); ++k) {
    const std::string_view there = sentence.get(word, part.columns[k]);
    agreeing += there != "_" && there == label_piece(label, k) ? 1 : 0;
  }
  return agreeing;
}

// Throws if a tag that is to be kept was never seen in its column.
void check_kept(const TaggerPart& part, const Sentence& sentence, int word) {
  for (std::size_t k = 0; k < part.columns.size(); ++k) {
    const std::string_view there = sentence.get(word, part.columns[k]);
    const auto has = [&](const std::string& label) { return label_piece(label, k) == there; };
    if (there == "_" || std::ranges::any_of(part.tagger.model().labels, has)) continue;
    throw data_error(fmt::format("word {} ('{}') has the tag '{}', which the model never saw", word,
                                 sentence.form(word), there),
                     {}, "leave the column '_', or have the tags replaced");
  }
}

// The labels that agree best with what the sentence has, in all pieces if there are such; none (any
// will do) when it has nothing.
std::vector<Label> labels_kept(const TaggerPart& part, const Sentence& sentence, int word) {
  std::vector<Label> kept;
  check_kept(part, sentence, word);
  const auto& labels = part.tagger.model().labels;
  int most = 0;
  for (std::size_t label = 0; label < labels.size(); ++label) {
    const int agreeing = agreement(part, labels[label], sentence, word);
    if (agreeing > most) kept.clear();
    most = std::max(most, agreeing);
    if (agreeing == most && most > 0) kept.push_back(static_cast<Label>(label));
  }
  return kept;
}

std::vector<std::vector<Label>> all_kept(const TaggerPart& part, const Sentence& sentence) {
  std::vector<std::vector<Label>> kept;
  for (int word = 1; word <= sentence.words(); ++word) {
    kept.push_back(labels_kept(part, sentence, word));
  }
  return kept;
}

// With `keep` what is there stays: training may not have had all of it together.
void fill_columns(const TaggerPart& part, const std::vector<Label>& labels, bool keep,
                  Sentence& sentence) {
  for (int word = 1; word <= sentence.words(); ++word) {
    const std::string& label = part.tagger.label(labels[static_cast<std::size_t>(word) - 1]);
    for (std::size_t k = 0; k < part.columns.size(); ++k) {
      if (keep && sentence.get(word, part.columns[k]) != "_") continue;
      sentence.set(word, part.columns[k], label_piece(label, k));
    }
  }
}

// "UposProb=NOUN:0.982/VERB:0.018": the tags of one column above a thousandth, most probable first.
void add_probabilities(const TaggerPart& part,
                       const std::vector<std::vector<SequenceTagger::LabelProbability>>& marginals,
                       Sentence& sentence) {
  for (std::size_t k = 0; k < part.columns.size(); ++k) {
    std::string name(name_of_tag_column(part.columns[k]));
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    name += "Prob";
    for (int word = 1; word <= sentence.words(); ++word) {
      std::map<std::string_view, double> sums;
      for (const auto& entry : marginals[static_cast<std::size_t>(word) - 1]) {
        sums[label_piece(part.tagger.label(entry.label), k)] += entry.probability;
      }
      if (part.columns[k] == Column::feats) {  // its values contain the separators of MISC
        sentence.set_misc(word, name, fmt::format("{:.4f}", sums[sentence.feats(word)]));
        continue;
      }
      std::vector<std::pair<std::string_view, double>> order(sums.begin(), sums.end());
      std::ranges::stable_sort(order, std::ranges::greater{},
                               [](const auto& entry) { return entry.second; });
      std::string text;
      for (const auto& [tag, probability] : order) {
        if (probability < 0.001 && !text.empty()) break;
        text += fmt::format("{}{}:{:.4f}", text.empty() ? "" : "/", tag, probability);
      }
      sentence.set_misc(word, name, text);
    }
  }
}

}  // namespace

std::optional<Column> tag_column_named(std::string_view name) {
  const auto found = std::ranges::find(kColumnNames, name, &NamedColumn::name);
  if (found == kColumnNames.end()) return std::nullopt;
  return found->column;
}

std::string_view name_of_tag_column(Column column) {
  return std::ranges::find(kColumnNames, column, &NamedColumn::column)->name;
}

std::string joint_label(const Sentence& sentence, int word, std::span<const Column> columns) {
  std::string label;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k > 0) label += '\t';
    label += sentence.get(word, columns[k]);
  }
  return label;
}

std::string_view label_piece(std::string_view label, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t tab = label.find('\t');
    if (tab == std::string_view::npos) return "_";
    label.remove_prefix(tab + 1);
  }
  return label.substr(0, label.find('\t'));
}

SentenceWords::SentenceWords(const Sentence& sentence, bool parts_of_speech) {
  for (int word = 1; word <= sentence.words(); ++word) {
    words_.push_back(sentence.form(word));
    if (parts_of_speech) parts_of_speech_.push_back(sentence.xpos(word));
  }
}

Tagger::Tagger(std::vector<TaggerPart> parts, std::optional<Lemmatizer> lemmatizer, bool entities)
    : parts_(std::move(parts)), lemmatizer_(std::move(lemmatizer)), entities_(entities) {}

nlohmann::json Tagger::config() const {
  nlohmann::json parts = nlohmann::json::array();
  for (const TaggerPart& part : parts_) {
    nlohmann::json columns = nlohmann::json::array();
    for (const Column column : part.columns) columns.push_back(name_of_tag_column(column));
    parts.push_back({{"columns", std::move(columns)},
                     {"labels", part.tagger.model().labels.size()},
                     {"features", part.tagger.weights().rows()},
                     {"weights", part.tagger.weights().weights()}});
  }
  return {{"parts", std::move(parts)}, {"lemmas", lemmas()}, {"entities", entities_}};
}

void Tagger::save(ModelWriter& writer) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].tagger.save(writer, prefix_of(i));
  if (lemmatizer_) lemmatizer_->save(writer, "lemma/");
}

Tagger Tagger::load(const ModelFile& file) {
  file.require_kind(kKind);
  std::vector<TaggerPart> parts;
  std::optional<Lemmatizer> lemmatizer;
  bool entities = false;
  try {
    const nlohmann::json& config = file.config();
    for (const auto& entry : config.at("parts")) {
      std::vector<Column> columns;
      for (const auto& name : entry.at("columns")) {
        const auto column = tag_column_named(name.get<std::string>());
        if (!column) throw file.damaged("config", "names an unknown column");
        columns.push_back(*column);
      }
      if (columns.empty()) throw file.damaged("config", "has a part without columns");
      parts.push_back({std::move(columns), SequenceTagger::load(file, prefix_of(parts.size()))});
    }
    entities = config.at("entities").get<bool>();
    if (config.at("lemmas").get<bool>()) lemmatizer = Lemmatizer::load(file, "lemma/");
  } catch (const nlohmann::json::exception&) {
    throw file.damaged("config", "lacks a setting");
  } catch (const Error& error) {
    throw error.at({file.name()});  // tables do not know where they lie
  }
  return Tagger(std::move(parts), std::move(lemmatizer), entities);
}

Tagger Tagger::load_for_parser(const ModelFile& file) {
  Tagger tagger = load(file);
  if (!tagger.entities()) return tagger;
  throw data_error("the model labels entities and gives no tags to parse with", {file.name(), 0, 0},
                   "expected a tagger of parts of speech");
}

void Tagger::tag(Sentence& sentence, TagScratch& scratch, const TagOptions& options) const {
  // What is to be kept is looked at before anything is filled in: a sentence that is refused stays
  // as it was.
  std::vector<std::vector<std::vector<Label>>> kept(parts_.size());
  for (std::size_t k = 0; options.keep && !entities_ && k < parts_.size(); ++k) {
    kept[k] = all_kept(parts_[k], sentence);
  }
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const TaggerPart& part = parts_[k];
    const SentenceWords words(sentence, entities_ && has_parts_of_speech(sentence));
    TagInput input = words.input();
    input.kept = kept[k];
    options.stop.check();
    const auto labels = part.tagger.tag(input, scratch);
    if (entities_) {
      std::vector<std::string> names;
      names.reserve(labels.size());
      for (const Label label : labels) names.push_back(part.tagger.label(label));
      set_entity_labels(sentence, names, options.plain_labels);
    } else {
      fill_columns(part, labels, options.keep, sentence);
    }
  }
  fill_lemmas(sentence);
}

void Tagger::tag_with_marginals(Sentence& sentence, TagScratch& scratch,
                                const TagOptions& options) const {
  tag(sentence, scratch, options);
  for (const TaggerPart& part : parts_) {
    const SentenceWords words(sentence, entities_ && has_parts_of_speech(sentence));
    add_probabilities(part, part.tagger.marginals(words.input(), scratch), sentence);
  }
}

void Tagger::fill_lemmas(Sentence& sentence) const {
  if (!lemmatizer_) return;
  for (int word = 1; word <= sentence.words(); ++word) {
    sentence.set(
        word, Column::lemma,
        lemmatizer_->lemma(sentence.form(word), sentence.upos(word), sentence.feats(word)));
  }
}

}  // namespace copse
