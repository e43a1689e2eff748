// The cheapest pruning: for each pair of coarse tags and each direction, how long an arc training
// has ever seen. Longer ones are left out; so are pairs that never occurred. The arcs of the
// training data all pass.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/dependency/position_atoms.h"
#include "copse/inference/arc_mask.h"
#include "copse/model/model_file.h"

namespace copse {

class LengthFilter {
 public:
  // Lets everything pass.
  LengthFilter() = default;

  // heads[m] for m = 1..n.
  void learn(std::span<const ParserWord> words, std::span<const int> heads);

  // Arcs of words whose tag was never seen all pass.
  ArcMask mask(std::span<const ParserWord> words) const;

  void save(ModelWriter& writer) const;
  static LengthFilter load(const ModelFile& file);

 private:
  static constexpr int kUnknown = -1;

  int tag_number(std::string_view tag) const;
  int add_tag(std::string_view tag);
  std::size_t index(int head, int modifier, bool right) const {
    const std::size_t side = tags_.size();
    return (static_cast<std::size_t>(head) * side + static_cast<std::size_t>(modifier)) * 2 +
           (right ? 1 : 0);
  }

  std::vector<std::string> tags_;       // in order of appearance; the first stands for the root
  std::vector<std::uint16_t> longest_;  // [head tag][modifier tag][direction]
};

}  // namespace copse
