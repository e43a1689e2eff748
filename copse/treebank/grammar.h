// A probabilistic grammar with heads and relations, from which treebanks are sampled. The
// comments of data/english.grammar describe the format and the meaning of symbols.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace copse {

class Grammar {
 public:
  using Symbol = std::uint32_t;

  struct Child {
    Symbol symbol = 0;
    std::string relation;  // to the head child; empty for the head child itself
  };
  struct Rule {
    std::vector<Child> children;
    int head = 0;  // index of the head child
  };
  struct Word {
    std::string form, lemma, upos, feats;
  };
  // A symbol is a phrase with rules or a tag with words, never both.
  struct Expansion {
    std::vector<Rule> rules;
    std::vector<Word> words;
    std::vector<double> weights;  // of the rules or of the words
  };

  // The grammar that comes with the program.
  static Grammar english();
  // Errors name `file` and the line: no head, no weight, a symbol that nothing expands.
  static Grammar parse(std::string_view text, const std::string& file);

  Symbol start() const { return start_; }
  // What `symbol` expands to, its own rules or those of the symbol with fewer suffixes.
  const Expansion& expansion(Symbol symbol) const { return expansions_[resolved_[symbol]]; }
  // As it stands in the tree: selecting suffixes (lower case) taken off.
  const std::string& label(Symbol symbol) const { return labels_[symbol]; }

 private:
  friend class GrammarParser;

  Symbol start_ = 0;
  std::vector<std::string> names_;
  std::vector<std::string> labels_;
  std::vector<Expansion> expansions_;
  std::vector<Symbol> resolved_;
};

}  // namespace copse
