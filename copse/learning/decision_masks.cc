#include "copse/learning/decision_masks.h"

#include "copse/base/random.h"

namespace copse {

template <class T>
void DecisionMasks<T>::draw(std::span<const DecisionSteps* const> histories,
                            const NetworkShape& shape, const Dropout& dropout) {
  for (std::vector<T>* each : {&items, &hidden, &rows, &roles}) each->clear();
  for (std::size_t b = 0; b < histories.size(); ++b) {
    const DecisionSteps& history = *histories[b];
    Random random(dropout.seed + b);
    const auto draw_more = [&](double share, std::vector<T>& mask, std::size_t count) {
      if (share <= 0) return;
      const T kept = static_cast<T>(1 / (1 - share));
      for (; count > 0; --count) mask.push_back(random.chance(share) ? T{0} : kept);
    };
    draw_more(dropout.share, items, history.items() * shape.embedding);
    draw_more(dropout.share, hidden, history.steps() * shape.hidden);
    draw_more(dropout.rows, rows, history.item_rows.size());
    draw_more(dropout.roles, roles, shape.roles * shape.hidden);
  }
}

template struct DecisionMasks<float>;
template struct DecisionMasks<double>;

}  // namespace copse
