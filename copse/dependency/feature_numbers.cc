#include "copse/dependency/feature_numbers.h"

namespace copse {

FeatureCollector::FeatureCollector(const FeatureSelection& selection, int labels)
    : selection_(selection), labels_(labels) {
  if (!counts_) throw std::bad_alloc();
}

void FeatureCollector::count_label(FeatureKey key, int label) {
  const auto [number, is_new] = out_->labels_.add(key);
  if (is_new) {
    out_->label_keys_.push_back(key);
    seen_.emplace_back();
    label_counts_.push_back(0);
  }
  ++label_counts_[number];
  if (label < 0) return;
  auto& labels = seen_[number];
  const auto value = static_cast<std::uint16_t>(label);
  const auto at = std::lower_bound(labels.begin(), labels.end(), value);
  if (at == labels.end() || *at != value) labels.insert(at, value);
}

FeatureId FeatureCollector::number(FeatureKey key) {
  if (counter_of(key) < selection_.min_count) return FeatureNumbers::kNone;
  const auto [id, is_new] = out_->parts_.add(key);
  if (is_new) out_->part_keys_.push_back(key);
  return id;
}

void FeatureCollector::lay_out_labels() {
  for (std::size_t b = 0; b < seen_.size(); ++b) {
    if (label_counts_[b] >= selection_.full_label_row) {
      for (int l = 0; l < labels_; ++l) {
        out_->cell_labels_.push_back(static_cast<std::uint16_t>(l));
      }
    } else {
      out_->cell_labels_.insert(out_->cell_labels_.end(), seen_[b].begin(), seen_[b].end());
    }
    out_->first_cell_.push_back(static_cast<std::uint32_t>(out_->cell_labels_.size()));
  }
  seen_ = {};
}

}  // namespace copse
