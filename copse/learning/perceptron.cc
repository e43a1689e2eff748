#include "copse/learning/perceptron.h"

namespace copse {

void FeatureDifference::simplify() {
  std::ranges::stable_sort(entries_, {}, &Entry::place);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size();) {
    Entry sum = entries_[i];
    for (++i; i < entries_.size() && entries_[i].place == sum.place; ++i) {
      sum.value += entries_[i].value;
    }
    if (sum.value != 0) entries_[kept++] = sum;
  }
  entries_.resize(kept);
}

}  // namespace copse
