#include "copse/treebank/evaluation/evalb_parameters.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "copse/base/error.h"
#include "copse/treebank/evaluation/lines.h"
#include "treebank/collins_parameters.h"

namespace copse {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool same(const Pairs& pairs, std::string_view a, std::string_view b) {
  if (a == b) return true;
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
    return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
  });
}

int number(std::string_view keyword, std::string_view value, const Place& place) {
  int result = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (code != std::errc() || end != value.data() + value.size()) {
    throw data_error(fmt::format("{} is '{}'; expected a whole number", keyword, value), place);
  }
  return result;
}

std::pair<std::string, std::string> two_values(std::string_view keyword, std::string_view value,
                                               const Place& place) {
  const auto fields = split_blanks(value);
  if (fields.size() != 2) {
    throw data_error(
        fmt::format("{} takes two values that count as the same; found {}", keyword, fields.size()),
        place);
  }
  return {std::string(fields[0]), std::string(fields[1])};
}

// False when nobody knows the keyword.
bool set(EvalbParameters& parameters, std::string_view keyword, std::string_view value,
         const Place& place) {
  const auto text = [&] { return std::string(value); };
  if (keyword == "DEBUG") {
    number(keyword, value, place);  // accepted; the details it asks for are in the JSON report
  } else if (keyword == "MAX_ERROR") {
    parameters.max_errors = number(keyword, value, place);
  } else if (keyword == "CUTOFF_LEN") {
    parameters.cutoff = number(keyword, value, place);
  } else if (keyword == "LABELED") {
    parameters.labeled = number(keyword, value, place) != 0;
  } else if (keyword == "DELETE_LABEL") {
    parameters.deleted.push_back(text());
  } else if (keyword == "DELETE_LABEL_FOR_LENGTH") {
    parameters.deleted_for_length.push_back(text());
  } else if (keyword == "QUOTE_LABEL") {
    parameters.quotes.push_back(text());
  } else if (keyword == "EQ_LABEL") {
    parameters.equal_labels.push_back(two_values(keyword, value, place));
  } else if (keyword == "EQ_WORD") {
    parameters.equal_words.push_back(two_values(keyword, value, place));
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool EvalbParameters::is_deleted(std::string_view label) const {
  return contains(deleted, label);
}

bool EvalbParameters::is_deleted_for_length(std::string_view label) const {
  return contains(deleted_for_length, label);
}

bool EvalbParameters::is_quote(std::string_view tag, std::string_view word) const {
  return contains(quotes, tag) && (word == "'" || word == "\"" || word == "/");
}

bool EvalbParameters::same_label(std::string_view a, std::string_view b) const {
  return same(equal_labels, a, b);
}

bool EvalbParameters::same_word(std::string_view a, std::string_view b) const {
  return same(equal_words, a, b);
}

EvalbParameters collins_parameters() {
  return parse_evalb_parameters(embedded::collins_parameters, "collins.prm");
}

EvalbParameters parse_evalb_parameters(std::string_view text, const std::string& file,
                                       std::vector<std::string>* warnings) {
  EvalbParameters parameters;
  const auto warn = [&](const Place& place, std::string_view message) {
    if (warnings != nullptr) warnings->push_back(fmt::format("{}: {}", place.str(), message));
  };
  Lines lines(text);
  while (const auto line = lines.next()) {
    if (line->starts_with('#')) continue;
    const auto fields = split_blanks(*line);
    if (fields.empty()) continue;
    const Place place{file, lines.number(), 0};
    const std::string_view keyword = fields.front();
    if (fields.size() == 1) {
      warn(place, fmt::format("{} has no value; line skipped", keyword));
      continue;
    }
    // The value is the rest of the line, inner blanks and all.
    const auto begin = static_cast<std::size_t>(fields[1].data() - line->data());
    const auto end = static_cast<std::size_t>(fields.back().data() - line->data());
    const std::string_view value = line->substr(begin, end + fields.back().size() - begin);
    if (!set(parameters, keyword, value, place)) {
      warn(place, fmt::format("unknown keyword {}; line skipped", keyword));
    }
  }
  return parameters;
}

}  // namespace copse
