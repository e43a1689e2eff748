#include "copse/rerank/hidden/value_counts.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/rerank/mixture.h"

namespace copse::hidden {
namespace {

using Counted = std::pair<std::string, std::size_t>;

// By falling count, then by name.
std::vector<Counted> most_frequent(const std::map<std::string, std::size_t>& counts,
                                   std::size_t top) {
  std::vector<Counted> all(counts.begin(), counts.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Counted& a, const Counted& b) { return a.second > b.second; });
  all.resize(std::min(all.size(), top));
  return all;
}

}  // namespace

std::vector<HiddenMember> hidden_members(const Reranker& reranker) {
  if (const auto* alone = dynamic_cast<const HiddenReranker*>(&reranker)) return {{"", alone}};
  std::vector<HiddenMember> members;
  if (const auto* mixture = dynamic_cast<const MixtureReranker*>(&reranker)) {
    for (const MixtureReranker::Member& member : mixture->members()) {
      const auto* hidden = dynamic_cast<const HiddenReranker*>(member.reranker.get());
      if (hidden != nullptr) members.push_back({member.name, hidden});
    }
  }
  return members;
}

void ValueCounts::add(const HiddenReranker& reranker, const Candidates& list,
                      std::size_t candidate) {
  const std::vector<WordValue> values = reranker.values(list, candidate);
  Contexts contexts(reranker.setting().heads, reranker.setting().graph);
  contexts.set(list, list.items[candidate]);
  for (std::size_t w = 0; w < values.size(); ++w) {
    const Contexts::Surroundings around = contexts.surroundings(w);
    Use& use = uses_[values[w].value];
    ++use.times;
    ++use.words[values[w].word];
    if (!around.head.empty()) ++use.heads[around.head];
    if (!around.parent.empty()) ++use.parents[around.parent];
    if (!around.rule.empty()) ++use.rules[around.rule];
  }
}

void ValueCounts::add(const ValueCounts& more) {
  for (const auto& [value, use] : more.uses_) {
    Use& here = uses_[value];
    here.times += use.times;
    for (const auto field : {&Use::heads, &Use::parents, &Use::rules, &Use::words}) {
      for (const auto& [name, count] : use.*field) (here.*field)[name] += count;
    }
  }
}

std::string ValueCounts::page(std::size_t top) const {
  std::string out;
  for (const auto& [value, use] : uses_) {
    out += fmt::format("{}  {}\n", value, use.times);
    const std::array<std::pair<const char*, const Counts*>, 4> rows = {{{"words", &use.words},
                                                                        {"heads", &use.heads},
                                                                        {"parents", &use.parents},
                                                                        {"rules", &use.rules}}};
    for (const auto& [name, counts] : rows) {
      if (counts->empty()) continue;
      out += fmt::format("  {:<8}", name);
      std::string separator;
      for (const auto& [text, count] : most_frequent(*counts, top)) {
        out += fmt::format("{}{} {}", separator, text, count);
        separator = ", ";
      }
      out += "\n";
    }
  }
  return out;
}

nlohmann::json ValueCounts::json(std::size_t top) const {
  nlohmann::json values = nlohmann::json::array();
  for (const auto& [value, use] : uses_) {
    nlohmann::json each = {{"value", value}, {"times", use.times}};
    const std::array<std::pair<const char*, const Counts*>, 4> rows = {{{"words", &use.words},
                                                                        {"heads", &use.heads},
                                                                        {"parents", &use.parents},
                                                                        {"rules", &use.rules}}};
    for (const auto& [name, counts] : rows) {
      nlohmann::json list = nlohmann::json::array();
      for (const auto& [text, count] : most_frequent(*counts, top)) {
        list.push_back({{"text", text}, {"times", count}});
      }
      each[name] = std::move(list);
    }
    values.push_back(std::move(each));
  }
  return values;
}

}  // namespace copse::hidden
