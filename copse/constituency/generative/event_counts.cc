#include "copse/constituency/generative/event_counts.h"

#include <bit>
#include <utility>

#include "copse/base/error.h"
#include "copse/model/probe_runs.h"

namespace copse::generative {

EventCounts::EventCounts(std::span<const Entry> entries, std::shared_ptr<const void> owner)
    : entries_(entries), owner_(std::move(owner)) {
  ProbeRuns runs;
  for (const Entry& entry : entries) {
    runs.add(entry.key != 0);
    if (entry.key == 0 && (entry.count != 0 || entry.futures != 0)) {
      throw data_error("the table of event counts has counts of nothing");
    }
    if (entry.futures > entry.count) {
      throw data_error("the table of event counts has more futures than events");
    }
  }
  if (!std::has_single_bit(entries.size()) || !runs.good()) {
    throw data_error("the table of event counts has too few free slots");
  }
  used_ = runs.taken();
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
