#include "copse/constituency/generative/event_counts.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "copse/base/error.h"

namespace copse {

EventCounts::EventCounts(std::vector<Entry> entries) : entries_(std::move(entries)) {
  used_ = static_cast<std::size_t>(
      std::count_if(entries_.begin(), entries_.end(), [](const Entry& e) { return e.key != 0; }));
  if (!std::has_single_bit(entries_.size()) || used_ >= entries_.size()) {
    throw data_error("the table of event counts is damaged");
  }
}

EventCounts::Entry& EventCounts::at(EventKey key) {
  for (std::size_t i = slot(key);; i = (i + 1) & (entries_.size() - 1)) {
    if (entries_[i].key == key) return entries_[i];
    if (entries_[i].key == 0) {
      if (2 * (used_ + 1) > entries_.size()) {
        grow();
        return at(key);
      }
      ++used_;
      entries_[i].key = key;
      return entries_[i];
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
  std::vector<Entry> old(entries_.size() * 2);
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.key == 0) continue;
    std::size_t i = slot(entry.key);
    while (entries_[i].key != 0) i = (i + 1) & (entries_.size() - 1);
    entries_[i] = entry;
  }
}

}  // namespace copse
