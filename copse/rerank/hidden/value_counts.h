// What hidden values came to stand for: how often each is the most probable one of a word in the
// candidates that a reranker chooses, and beside what.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "copse/rerank/hidden/hidden_reranker.h"

namespace copse::hidden {

// A reranker with hidden values, by itself or in a mixture.
struct HiddenMember {
  std::string name;  // empty unless it is a member
  const HiddenReranker* reranker = nullptr;
};
// None for other rerankers.
std::vector<HiddenMember> hidden_members(const Reranker& reranker);

class ValueCounts {
 public:
  // The values of a candidate; those of the best assignment.
  void add(const HiddenReranker& reranker, const Candidates& list, std::size_t candidate);
  void add(const ValueCounts& more);

  // By family, then value: "NNS_3  12,664: heads of 9,001, is 633, ...", the `top` most frequent of
  // heads, parents, rules and words each.
  std::string page(std::size_t top) const;
  nlohmann::json json(std::size_t top) const;

 private:
  using Counts = std::map<std::string, std::size_t>;
  struct Use {
    std::size_t times = 0;
    Counts heads, parents, rules, words;
  };
  std::map<std::string, Use> uses_;  // by value
};

}  // namespace copse::hidden
