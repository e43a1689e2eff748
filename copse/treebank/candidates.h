// Alternatives for one input, to choose among: parses, tag sequences, translations, any strings.
//
// A file of candidates is text, one block per input, a blank line between blocks:
//     # id = NAME                 } optional, before the candidates of a block; other lines that
//     # words = WORD WORD ...     } begin with '#' are comments
//     SCORE <TAB> LOG-PROBABILITY <TAB> FEATURE FEATURE:VALUE ... [<TAB> TEXT]
// SCORE is the quality against gold, larger is better, or '-', or counts that make it, CORRECT/GOLD/
// FOUND (counted_quality.h). The log probability is the base model's; a finite number. Features have
// blanks between; without a value one is there once; values of a name given twice add up. What stands
// behind the last ':' of a feature is its value if it is a number, else part of the name. TEXT is
// the candidate itself. With "# words" it is a tag sequence: as many tags as there are words.
//
// Lists of parses (n_best_list.h) are candidates as well, with a tree each and no features yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/input.h"
#include "copse/treebank/evaluation/significance.h"
#include "copse/treebank/n_best_list.h"
#include "copse/treebank/phrase_tree.h"

namespace copse {

struct SparseEntry {
  std::uint32_t name = 0;  // of Candidates::names
  double value = 1;        // never 0

  bool operator==(const SparseEntry&) const = default;
};

struct Candidate {
  double log_probability = 0;
  std::optional<double> score;          // quality against gold
  std::optional<StratumCounts> counts;  // what the quality is made of, where it was counted
  PhraseTree tree;                      // empty unless it is a parse
  std::string text;                   // empty for a parse; tags, blanks between, if there are words
  std::vector<SparseEntry> features;  // by rising name, each name once
};

struct Candidates {
  std::string id;                  // without blanks; may be empty
  std::vector<std::string> words;  // of the input, where the file has them
  std::vector<Candidate> items;    // in the order of the file
  std::vector<std::string> names;  // of the features of all candidates
};

// The candidate as text: its tree on one line, or its text.
std::string text_of(const Candidate& candidate);
// The tags of a candidate whose list has words.
std::vector<std::string_view> tags_of(const Candidate& candidate);
// Parses as candidates, in their order.
Candidates candidates_from(NBestList&& list);
// And back. Throws data_error for a candidate without a tree.
NBestList n_best_from(Candidates&& list);

// The list in the form above; the text of a parse is its tree.
void append_candidates(const Candidates& list, std::string& out);

// Reads lists one after the other: files of candidates, and both forms of n-best lists; which it
// is, the first line tells. Memory is that of one list.
class CandidateReader {
 public:
  explicit CandidateReader(Input input);
  ~CandidateReader();
  CandidateReader(CandidateReader&&) noexcept;

  const std::string& name() const { return name_; }
  // The lists are parses, in this form; nothing for a file of candidates.
  std::optional<NBestForm> parses() const;
  // Nothing at the end. Throws data_error with the line for anything that is not as above.
  std::optional<Candidates> next();

 private:
  class Lines;

  std::string name_;
  std::unique_ptr<Lines> lines_;  // one of the two
  std::unique_ptr<NBestReader> n_best_;
};

}  // namespace copse
