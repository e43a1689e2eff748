#include "copse/constituency/generative/event_counts.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "copse/base/error.h"

namespace copse::generative {

EventCounts::EventCounts(std::span<const Entry> entries, std::shared_ptr<const void> owner)
    : entries_(entries), owner_(std::move(owner)) {
  used_ = static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(), [](const Entry& e) { return e.key != 0; }));
  if (!std::has_single_bit(entries.size()) || used_ >= entries.size()) {
    throw data_error("the table of event counts is damaged");
  }
}

EventCounts::Entry& EventCounts::at(EventKey key) {
  for (std::size_t i = key & (own_.size() - 1);; i = (i + 1) & (own_.size() - 1)) {
    if (own_[i].key == key) return own_[i];
    if (own_[i].key == 0) {
      if (2 * (used_ + 1) > own_.size()) {
        grow();
        return at(key);
      }
      ++used_;
      own_[i].key = key;
      return own_[i];
    }
  }
}

void EventCounts::add(EventKey history, EventKey event) {
  const bool is_new = at(event).count++ == 0;
  Entry& entry = at(history);
  ++entry.count;
  entry.futures += is_new ? 1 : 0;
}

void EventCounts::grow() {
  std::vector<Entry> old(own_.size() * 2);
  old.swap(own_);
  entries_ = own_;
  for (const Entry& entry : old) {
    if (entry.key == 0) continue;
    std::size_t i = entry.key & (own_.size() - 1);
    while (own_[i].key != 0) i = (i + 1) & (own_.size() - 1);
    own_[i] = entry;
  }
}

}  // namespace copse::generative
