// The features of the incremental parser: tables of templates (templates/*.templates) over what a
// phrase that is open has, joined with what is built in it.
//
// An event is a phrase, a tag or the end of a phrase built under a cell, or a word under its tag. Its
// features are the keys of a context and the label of what is built; the weights of a key are a row,
// one for each label, so that a context is looked up once for everything that can be built in it.
// Scoring and learning walk the same lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "copse/constituency/incremental/contexts.h"
#include "copse/constituency/incremental/grammar.h"
#include "copse/constituency/incremental/spine.h"
#include "copse/constituency/incremental/template_groups.h"
#include "copse/dependency/position_atoms.h"
#include "copse/model/templates.h"

namespace copse::incremental {

// Which tables are read.
struct FeatureOptions {
  bool punctuation = true;
  bool more = true;
  int lookahead = 1;  // words after the one to be attached that may be looked at
  bool clusters = false;
  bool operator==(const FeatureOptions&) const = default;
};

// The tables as text, as they are saved.
struct TemplateTexts {
  std::string node, word;
};
TemplateTexts builtin_templates(const FeatureOptions& options);

// The words of a sentence for features. Positions count from 0; that after the last is the end.
class SentenceWords {
 public:
  void fill(std::span<const ParserWord> words, const WordClusters* clusters);

  int words() const { return atoms_.words(); }
  // The atoms of a position; -1 and the two behind the last word are there, too. kNoWord: nothing.
  const AtomValue* at(int position) const;
  const AtomValue* none() const { return atoms_.at(kNobody); }
  bool is_question() const { return is_question_; }
  bool is_punctuation(int position) const {
    return punctuation_[static_cast<std::size_t>(position)];
  }
  bool is_conjunction(int position) const {
    return conjunction_[static_cast<std::size_t>(position)];
  }

 private:
  PositionAtoms atoms_;
  std::vector<bool> punctuation_, conjunction_;
  bool is_question_ = false;
};

class Features {
 public:
  using Keys = std::vector<FeatureKey>;
  static constexpr std::size_t kMostTemplates = 200;  // of a table

  Features() = default;
  // Throws data_error for tables that cannot be read; `file` names them.
  Features(const TemplateTexts& texts, const Grammar& grammar, const std::string& file);

  const TemplateTexts& texts() const { return texts_; }
  const std::vector<Template>& node_table() const { return node_; }
  const std::vector<Template>& word_table() const { return word_; }
  // Every line of the node table fires in one of them.
  const std::vector<TemplateGroup>& node_groups() const { return groups_; }
  // All lines as one group.
  const TemplateGroup& all_node_lines() const { return all_; }
  AtomValue label_atom(LabelId label) const { return label_atoms_[label]; }

  // Of a cell while the word at `position` with a tag is attached; the end has the tag kEnd.
  NodeContext context(const Cell& cell, const SentenceWords& words, int position,
                      LabelId tag) const;
  // Of the word under its tag under a cell.
  static WordContext word_context(const Cell& cell, LabelId tag);

  // Keys of all templates that fire; what was in `out` is replaced.
  void node_keys(const NodeContext& context, const SentenceWords& words, int position,
                 Keys& out) const;
  void word_keys(const WordContext& context, const SentenceWords& words, int position,
                 Keys& out) const;

 private:
  // Groups of fields that some template reads.
  struct Uses {
    bool child = false, over = false, first = false, after = false;
    bool far = false;  // L30, L21
  };
  void find_uses();

  TemplateTexts texts_;
  std::vector<Template> node_, word_;
  std::vector<AtomValue> label_atoms_;
  Uses uses_;
  TemplateGroup all_;
  std::vector<TemplateGroup> groups_;
};

}  // namespace copse::incremental
