// Head tables: which child of a phrase is its head.
//
// A table is data (copse/treebank/data/*.heads, whose comments describe the format; users may
// bring their own). For each phrase label it lists steps in order of priority; each step scans
// the children from one end for one of its labels. Labels of children are compared without
// function tags. Remove traces before asking for heads, or a trace may be one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "copse/treebank/phrase_tree.h"

namespace copse {

class HeadRules {
 public:
  // A table that comes with the program: "collins" or "yamada-matsumoto".
  static HeadRules builtin(std::string_view name);
  // A table from its text. Errors name `file` and the line: unknown directions, a label with two
  // rows, a step that can never be reached because an earlier one takes its label.
  static HeadRules parse(std::string_view text, const std::string& file);
  // The name of a built-in table or else the path of a file.
  static HeadRules load(const std::string& name_or_path);

  const std::string& name() const { return name_; }
  // Of what the table says, not of its layout and comments; the same on every machine.
  std::uint64_t hash() const;
  // "collins 0123456789abcdef": what converters write into their output and trainers into models.
  std::string provenance() const;
  // The table in its own format, without comments.
  std::string str() const;

  // False: the default rule is used for phrases of that label.
  bool has_rule(std::string_view label) const { return rules_.find(label) != rules_.end(); }

  // The original tables let punctuation be a head when no step matches; see collins.heads.
  void set_skip_punctuation(bool skip) { skip_punctuation_ = skip; }

  // The head among the children of a phrase: a node of the tree. A leaf or a phrase without
  // children is its own head.
  int head_child(const PhraseTree& tree, int node) const;
  // For every node the word (0-based, as in tree.word_at()) that heads it; -1 for phrases without
  // words. Linear in the tree for a given table.
  std::vector<int> head_words(const PhraseTree& tree) const;

 private:
  friend class HeadTableParser;

  enum class Scan : std::uint8_t { from_left, from_right, first_only, last_only };
  struct Step {
    Scan scan;
    std::vector<std::string> labels;
  };
  struct Rule {
    Scan end = Scan::from_left;  // where to look when no step matches
    std::vector<Step> steps;
  };
  using Labels = std::vector<std::string_view>;
  struct Children {
    Labels labels;
    std::vector<int> nodes;
  };
  struct TransparentHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  bool is_punctuation(std::string_view tag) const;
  int head_child(const PhraseTree& tree, int node, Children& scratch) const;
  int choose(std::string_view label, const Labels& children) const;
  int fall_back(Scan end, const Labels& children) const;
  int before_conjunction(std::string_view label, const Labels& children, int head) const;

  static int match(const Step& step, const Labels& children);
  static std::string str(const Rule& rule);
  static std::string_view scan_name(Scan scan);

  std::string name_;
  Rule default_;
  std::vector<std::string> punctuation_;
  bool skip_punctuation_ = false;
  std::vector<std::string> conjunctions_;          // empty: no coordination step
  std::vector<std::string> without_coordination_;  // labels it does not apply to
  std::unordered_map<std::string, Rule, TransparentHash, std::equal_to<>> rules_;
};

}  // namespace copse
