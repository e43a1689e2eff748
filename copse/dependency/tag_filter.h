// Between the length filter and the pruner: what tags alone say of an arc. The heads of a word share
// a probability,
//
//   P(h | m) ~ exp( pair + m's neighbours + h's neighbours + what stands between )
//
// where each summand is a cell of a dense table over the tags of h and m and one thing more, so that
// an arc costs seven loads and no keys. Kept is what comes near enough to the word's best head; how
// near is learnt on sentences that the tables have not seen (tag_filter_training.h). The first
// level of a cascade (Weiss & Taskar 2010; Rush & Petrov 2012).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "copse/dependency/position_atoms.h"
#include "copse/inference/arc_mask.h"
#include "copse/model/model_file.h"

namespace copse {

// Tags as small numbers: the root, then those of the training data in the order of their bytes.
class TagNumbers {
 public:
  static constexpr int kRoot = 0, kUnknown = 1, kFirst = 2;

  TagNumbers() = default;
  explicit TagNumbers(std::vector<std::string> names);

  int size() const { return kFirst + static_cast<int>(names_.size()); }
  int of(std::string_view tag) const {
    const auto found = numbers_.find(tag);
    return found == numbers_.end() ? kUnknown : found->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, int, Hash, std::equal_to<>> numbers_;
};

class TagFilter {
 public:
  // Tables grow with the third power of the tags.
  static constexpr std::size_t kMostTags = 64;
  static constexpr std::size_t kTables = 7;
  using Cells = std::array<std::uint32_t, kTables>;
  // A sentence as the tables see it; scratch memory.
  struct Tagged {
    std::vector<int> tags;    // of positions 0..n
    std::vector<int> coarse;  // of positions -1..n+1
    // [position][tag]: how many words up to there have it.
    std::vector<int> counts;
  };

  // Lets everything pass.
  TagFilter() = default;
  // Tables of zeros. `fine`: the tags of head and modifier are the fine ones.
  TagFilter(bool fine, TagNumbers tags, TagNumbers coarse);

  bool is_empty() const { return weights_.empty(); }
  // Of the arcs of the mask leaves those near enough to the best one of their word, and all arcs of
  // tags that were never seen.
  void apply(std::span<const ParserWord> words, const PositionAtoms& atoms, ArcMask& mask) const;

  // For learning.
  std::size_t cells() const { return weights_.size(); }
  void read(std::span<const ParserWord> words, Tagged& out) const;
  Cells cells_of(const Tagged& sentence, const PositionAtoms& atoms, int h, int m) const;
  int score(const Cells& cells) const {
    int sum = 0;
    for (const std::uint32_t cell : cells) sum += weights_[cell];
    return sum;
  }
  // Rounded to units.
  void set_weights(std::span<const float> weights);
  // How far from the best score, in units, an arc may be; more than one can be: everything passes.
  void set_margin(int margin) { margin_ = margin; }

  // A file may have none.
  void save(ModelWriter& writer) const;
  static TagFilter load(const ModelFile& file);

 private:
  std::size_t side() const { return static_cast<std::size_t>(tags_.size()); }
  std::size_t square() const { return side() * side(); }

  bool fine_ = false;
  TagNumbers tags_, coarse_;
  int margin_ = 0;
  std::vector<std::int16_t> weights_;
};

}  // namespace copse
