// Lists to learn from: every candidate with its quality.
//
// The quality of a parse is F1 against the gold tree times the number of gold constituents
// (Collins & Koo 2005, section 5.1), counted as EVALB does; lists of other things bring theirs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "copse/model/provenance.h"
#include "copse/treebank/candidates.h"

namespace copse {

// Sets score and counts of every candidate; `gold` is a tree on one line (gold_line()). A parse
// that has no constituents or cannot be compared has score 0.
void grade_parses(Candidates& list, const std::string& gold);

// Leaves out candidates equal to an earlier one of their list, and says how many: they say nothing
// new. Two candidates differ in their text, or, without one, in features or log probability.
std::size_t drop_duplicates(Candidates& list);

struct GradedListOptions {
  std::string lists;  // path
  std::string gold;   // path of trees, in the order of the lists; empty: scores are given
  std::string role;   // "train", "dev": for the model's record
  std::size_t max_candidates = 0;  // only the first so many of each list; 0: all
};

// Reads lists in order; not yet graded, so that threads can do that.
class GradedLists {
 public:
  explicit GradedLists(GradedListOptions options);

  struct Item {
    Candidates list;
    std::size_t number = 0;  // from 0
  };
  // Nothing at the end. Throws data_error when there is not one gold tree for each list.
  std::optional<Item> next();
  // The list with its grades; thread-safe. Throws data_error when a candidate has none.
  Candidates graded(Item&& item) const;

  bool has_parses() const { return reader_.parses().has_value(); }
  // Name, checksum of ids and log probabilities, number of lists and candidates so far.
  DataSource source() const;

 private:
  GradedListOptions options_;
  CandidateReader reader_;
  std::vector<std::string> gold_;  // lines
  std::size_t lists_ = 0, candidates_ = 0;
  std::string checksum_;
};

}  // namespace copse
