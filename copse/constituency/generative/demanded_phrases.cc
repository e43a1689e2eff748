#include "copse/constituency/generative/demanded_phrases.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "copse/base/error.h"
#include "copse/constituency/generative/preparation.h"

namespace copse::generative {
namespace {

// The phrases whose treebank label it is. Throws data_error if there is none.
std::vector<LabelId> phrases_named(std::string_view name, const LabelSet& labels) {
  std::vector<LabelId> out;
  for (int p = 0; p < labels.phrases(); ++p) {
    const LabelId label = labels.phrase_at(p);
    if (treebank_label(labels.name(label)) == name) out.push_back(label);
  }
  if (out.empty()) throw data_error(fmt::format("the model has no phrases labelled {}", name));
  return out;
}

}  // namespace

DemandedPhrases::DemandedPhrases(std::span<const SpanDemand> spans, std::span<const int> tokens,
                                 const LabelSet& labels) {
  for (const SpanDemand& span : spans) {
    const auto first = std::lower_bound(tokens.begin(), tokens.end(), span.first - 1);
    const auto end = std::lower_bound(first, tokens.end(), span.last);
    if (first == end) {
      throw data_error(span.str() + ": the model leaves punctuation out of phrases");
    }
    Rules& rules =
        rules_at(static_cast<int>(first - tokens.begin()), static_cast<int>(end - tokens.begin()));
    rules.bits.resize(static_cast<std::size_t>(labels.size()));
    rules.barred.resize(static_cast<std::size_t>(labels.size()));
    rules.demanded |= !span.forbidden;
    if (span.label.empty()) {
      rules.forbidden |= span.forbidden;
      continue;
    }
    const auto bit = static_cast<Labels>(rules.wanted + 1U);  // the lowest that is free
    if (!span.forbidden && bit == 0) throw data_error(span.str() + ": too many labels");
    for (const LabelId label : phrases_named(span.label, labels)) {
      if (span.forbidden) {
        rules.barred[label] = 1;
      } else {
        rules.bits[label] |= bit;
      }
    }
    if (!span.forbidden) rules.wanted |= bit;
  }
}

DemandedPhrases::Rules& DemandedPhrases::rules_at(int i, int j) {
  for (Place& place : places_) {
    if (place.begin == i && place.end == j) return place.rules;
  }
  return places_.emplace_back(Place{i, j, {}}).rules;
}

bool DemandedPhrases::crosses(int i, int j) const {
  return std::ranges::any_of(places_, [&](const Place& place) {
    if (!place.rules.demanded) return false;
    return (place.begin < i && i < place.end && place.end < j) ||
           (i < place.begin && place.begin < j && j < place.end);
  });
}

const DemandedPhrases::Rules* DemandedPhrases::at(int i, int j) const {
  for (const Place& place : places_) {
    if (place.begin == i && place.end == j) return &place.rules;
  }
  return nullptr;
}

}  // namespace copse::generative
