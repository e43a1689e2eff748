#include "copse/inference/arc_scores.h"

#include "copse/inference/part.h"
#include "copse/inference/status.h"

namespace copse {
namespace {

// Written so that NaN fails the first comparison.
template <class Real>
bool is_good(Real score) {
  const auto largest = static_cast<Real>(kLargestScore);
  return score <= largest && (score >= -largest || score == -std::numeric_limits<Real>::infinity());
}

std::string name_of(int h, int m, int label, int labels) {
  const std::string arc = str(Part{.family = PartFamily::dep, .h = h, .m = m});
  return labels == 1 ? arc : "label " + std::to_string(label) + " of " + arc;
}

}  // namespace

template <class Real>
std::optional<std::string> find_bad_score(const ArcTable<Real>& scores, const ArcMask& mask) {
  for (int m = 1; m <= scores.words(); ++m) {
    // The whole row first: forbidden arcs hold good scores almost always.
    bool row_is_good = true;
    for (const Real score : scores.heads(m)) row_is_good &= is_good(score);
    if (row_is_good) continue;
    for (int h = 0; h <= scores.words(); ++h) {
      if (!mask.allowed(h, m)) continue;
      for (int l = 0; l < scores.labels(); ++l)
        if (!is_good(scores(h, m, l))) return name_of(h, m, l, scores.labels());
    }
  }
  return std::nullopt;
}

template std::optional<std::string> find_bad_score(const ArcTable<double>&, const ArcMask&);
template std::optional<std::string> find_bad_score(const ArcTable<float>&, const ArcMask&);

}  // namespace copse
