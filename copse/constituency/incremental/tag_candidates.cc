#include "copse/constituency/incremental/tag_candidates.h"

#include <algorithm>
#include <cmath>

namespace copse::incremental {

std::vector<TagCandidates> tag_candidates(const SequenceTagger& tagger, const TagInput& input,
                                          std::span<const Label> chosen, double share,
                                          TagScratch& scratch) {
  std::vector<TagCandidates> out;
  for (const Label label : chosen) out.push_back({{tagger.label(label), 0}});
  if (share <= 0) return out;
  using LabelProbability = SequenceTagger::LabelProbability;
  const auto marginals = tagger.marginals(input, scratch);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto best = std::ranges::find(marginals[i], chosen[i], &LabelProbability::label);
    if (best == marginals[i].end() || best->probability <= 0) continue;
    for (const auto& [label, probability] : marginals[i]) {
      const double ratio = probability / best->probability;
      if (label == chosen[i] || ratio < share) continue;
      out[i].push_back({tagger.label(label), std::log(ratio)});
    }
  }
  return out;
}

Readings readings_of(const TagCandidates& candidates, const Grammar& grammar, double weight) {
  Readings out;
  for (const TagCandidate& each : candidates) {
    const LabelId tag = out.empty() ? grammar.usual_tag(each.tag) : grammar.find(each.tag);
    if (tag != kNull && grammar.is_tag(tag)) out.push_back({tag, weight * each.log_ratio});
  }
  return out;
}

}  // namespace copse::incremental
