// A model whose one template joins the forms of head and modifier: in a sentence of different
// words every arc has a score of its own, chosen at will.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "copse/dependency/part_scorer.h"

namespace copse::dependency_testing {

class PairModel {
 public:
  // score(h, m) for words 1..n named by their numbers; 0 is the root.
  template <class Score>
  PairModel(int words, Score&& score) {
    for (int m = 1; m <= words; ++m) names_.push_back(std::to_string(m));
    for (const std::string& name : names_) words_.push_back({name, "_", "N", "N", "_", true});
    atoms_.fill(words_, nullptr);
    PartFeatures features(parse_part_templates("[dep]\npair = h.w m.w\n", "test"));
    std::vector<KeyWeight> weights;
    for (int m = 1; m <= words; ++m) {
      for (int h = 0; h <= words; ++h) {
        if (h == m) continue;
        features.for_each(atoms_, Part{.h = h, .m = m}, [&](FeatureKey key, int, FeatureCopy) {
          weights.push_back({key, static_cast<float>(score(h, m))});
        });
      }
    }
    const std::string bytes = freeze_scalars(weights);
    lines_.resize(bytes.size() / sizeof(Line));
    std::memcpy(lines_.data(), bytes.data(), bytes.size());
    scorer_ = PartScorer(std::move(features), ScalarTable::view(std::as_bytes(std::span(lines_))),
                         FrozenWeights(), 0);
  }
  PairModel(const PairModel&) = delete;
  PairModel& operator=(const PairModel&) = delete;

  std::span<const ParserWord> words() const { return words_; }
  const PositionAtoms& atoms() const { return atoms_; }
  const PartScorer& scorer() const { return scorer_; }

 private:
  struct alignas(64) Line {
    std::array<std::byte, 64> bytes;
  };
  std::vector<std::string> names_;
  std::vector<ParserWord> words_;
  PositionAtoms atoms_;
  std::vector<Line> lines_;
  PartScorer scorer_;
};

}  // namespace copse::dependency_testing
