// Sums of the weights of groups of keys, for many groups at once. Each key is looked for in two
// places that are far from the processor, first in the filter, then in the table: both are asked for
// ahead, so that keys of one group wait while those of others are worked on.
//
//   keys come -> their bits of the filter are asked for -> those that pass; their buckets are asked
//   for -> sums
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/model/key_buffer.h"
#include "copse/model/key_filter.h"
#include "copse/model/scalar_table.h"

namespace copse {

class WeightSums {
 public:
  // Groups are numbers below `groups`. Table and filter must outlive the sums.
  void begin(const ScalarTable& table, const KeyFilter& filter, std::size_t groups) {
    table_ = &table;
    filter_ = &filter;
    sums_.assign(groups, 0);
    fresh_.clear();
    known_.clear();
  }

  // Where keys are put; the group of those that came since the last one. A group may come more than
  // once. True now and then: some hundred keys have been looked up.
  KeyBuffer& keys() { return fresh_.keys; }
  bool end_group(std::size_t group);

  // Of all groups, once everything has come, in units of the table's scale().
  std::span<const std::int64_t> finish();

 private:
  // Enough to hide the memory's latency, few enough to stay near.
  static constexpr std::size_t kKeysInFlight = 256;
  struct Group {
    std::size_t number, end;  // of its keys
  };
  struct Waiting {
    KeyBuffer keys;
    std::vector<Group> groups;
    void clear() {
      keys.clear();
      groups.clear();
    }
  };

  void advance();
  void sum_known();
  void filter_fresh();

  const ScalarTable* table_ = nullptr;
  const KeyFilter* filter_ = nullptr;
  Waiting fresh_, known_;
  std::vector<std::int64_t> sums_;
};

}  // namespace copse
