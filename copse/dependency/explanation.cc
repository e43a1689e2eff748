#include "copse/dependency/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "copse/base/error.h"
#include "copse/dependency/part_templates.h"

namespace copse {

double ArcExplanation::difference() const {
  double sum = 0;
  for (const ExplainedPart& part : parts) sum += part.chosen ? part.score : -part.score;
  return sum;
}

std::vector<TemplateShare> shares_by_template(const ArcExplanation& explanation) {
  std::map<std::string, std::map<std::string, FeatureShare>> sums;
  for (const ExplainedPart& part : explanation.parts) {
    for (const ExplainedFeature& feature : part.features) {
      FeatureShare& share = sums[feature.name][feature.values];
      (part.chosen ? share.chosen : share.other) += feature.weight;
    }
  }
  const auto larger = [](const auto& a, const auto& b) {
    return std::abs(a.difference()) > std::abs(b.difference());
  };
  std::vector<TemplateShare> out;
  for (auto& [name, features] : sums) {
    TemplateShare row{name, 0, 0, {}};
    for (auto& [values, share] : features) {
      if (share.difference() == 0) continue;
      share.values = values;
      row.chosen += share.chosen;
      row.other += share.other;
      row.features.push_back(share);
    }
    if (row.features.empty()) continue;
    std::stable_sort(row.features.begin(), row.features.end(), larger);
    out.push_back(std::move(row));
  }
  std::stable_sort(out.begin(), out.end(), larger);
  return out;
}

std::string word_text(int position, const std::function<std::string_view(int)>& form) {
  if (position == kNobody) return "-";
  return position == 0 ? "root" : std::string(form(position));
}

std::string part_text(const Part& part, const std::function<std::string(int)>& word) {
  std::string family = name_of_section(static_cast<int>(part.family));
  switch (part.family) {
    case PartFamily::dep:
      return fmt::format("{}({},{})", family, word(part.h), word(part.m));
    case PartFamily::stop:
      return fmt::format("{}({},{},{})", family, word(part.h),
                         part.side == Side::left ? "left" : "right", word(part.m));
    case PartFamily::sib:
      return fmt::format("{}({},{},{})", family, word(part.h), word(part.m), word(part.s));
    case PartFamily::grand:
      return fmt::format("{}({},{},{})", family, word(part.g), word(part.h), word(part.m));
    case PartFamily::gsib:
      return fmt::format("{}({},{},{},{})", family, word(part.g), word(part.h), word(part.m),
                         word(part.s));
    case PartFamily::tsib:
      return fmt::format("{}({},{},{},{})", family, word(part.h), word(part.m), word(part.s),
                         word(part.t));
  }
  return family;
}

void check_question(const std::vector<int>& best_heads, int word, std::optional<int> head) {
  const int n = static_cast<int>(best_heads.size()) - 1;
  if (word < 1 || word > n) {
    throw usage_error(fmt::format("there is no word {}; the sentence has {}", word, n));
  }
  if (!head) return;
  if (*head < 0 || *head > n || *head == word) {
    throw usage_error(fmt::format("{} cannot be the head of word {}", *head, word),
                      fmt::format("expected 0 for the root, or another word of 1 to {}", n));
  }
  if (*head == best_heads[static_cast<std::size_t>(word)]) {
    throw usage_error(fmt::format("word {} hangs on {} already", word, *head),
                      "name another head to compare with");
  }
}

}  // namespace copse
