#include "copse/treebank/tree_demands.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>

#include "copse/base/error.h"

namespace copse {
namespace {

// Calls visit(key, value) for the items of MISC that have both.
void for_each_item(std::string_view misc,
                   const std::function<void(std::string_view, std::string_view)>& visit) {
  while (!misc.empty()) {
    const std::string_view item = misc.substr(0, misc.find('|'));
    misc.remove_prefix(std::min(item.size() + 1, misc.size()));
    const std::size_t equals = item.find('=');
    if (equals != std::string_view::npos) visit(item.substr(0, equals), item.substr(equals + 1));
  }
}

void for_each_value(std::string_view values, const std::function<void(std::string_view)>& visit) {
  while (!values.empty()) {
    const std::string_view value = values.substr(0, values.find(','));
    values.remove_prefix(std::min(value.size() + 1, values.size()));
    visit(value);
  }
}

// A number from `least` to the last word.
int word_number(const Sentence& sentence, int word, std::string_view key, std::string_view value,
                int least) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < least ||
      number > sentence.words()) {
    throw data_error(fmt::format("word {}: {}={}; expected the number of a word, {} to {}", word,
                                 key, value, least, sentence.words()));
  }
  return number;
}

SpanDemand span_of(const Sentence& sentence, int word, std::string_view key,
                   std::string_view value) {
  const std::size_t colon = value.find(':');
  SpanDemand span{word, word_number(sentence, word, key, value.substr(0, colon), word), {}, false};
  if (colon != std::string_view::npos) span.label = value.substr(colon + 1);
  span.forbidden = key == "NotSpanTo";
  return span;
}

bool cross(const SpanDemand& a, const SpanDemand& b) {
  return (a.first < b.first && b.first <= a.last && a.last < b.last) ||
         (b.first < a.first && a.first <= b.last && b.last < a.last);
}

void check_spans(const std::vector<SpanDemand>& spans) {
  for (std::size_t i = 0; i < spans.size(); ++i) {
    for (std::size_t j = i + 1; j < spans.size(); ++j) {
      const SpanDemand& a = spans[i];
      const SpanDemand& b = spans[j];
      if (!a.forbidden && !b.forbidden && cross(a, b)) {
        throw data_error(
            fmt::format("the demands contradict each other: {} and {} cannot both be "
                        "a phrase",
                        a.str(), b.str()));
      }
      const bool same = a.first == b.first && a.last == b.last;
      const SpanDemand& no = a.forbidden ? a : b;
      const SpanDemand& yes = a.forbidden ? b : a;
      if (same && a.forbidden != b.forbidden && (no.label.empty() || no.label == yes.label)) {
        throw data_error(fmt::format(
            "the demands contradict each other: {} must and must not be a phrase", a.str()));
      }
    }
  }
}

}  // namespace

std::string SpanDemand::str() const {
  return first == last ? fmt::format("word {}", first) : fmt::format("words {} to {}", first, last);
}

TreeDemands tree_demands(const Sentence& sentence) {
  TreeDemands out;
  const auto row = [&](auto& rows, int word) -> auto& {
    rows.resize(static_cast<std::size_t>(sentence.words()) + 1);
    return rows[static_cast<std::size_t>(word)];
  };
  for (int word = 1; word <= sentence.words(); ++word) {
    for_each_item(sentence.misc(word), [&](std::string_view key, std::string_view values) {
      for_each_value(values, [&](std::string_view value) {
        if (key == "NotHead") {
          row(out.not_heads, word).push_back(word_number(sentence, word, key, value, 0));
        } else if (key == "NotDeprel") {
          row(out.not_labels, word).emplace_back(value);
        } else if (key == "SpanTo" || key == "NotSpanTo") {
          out.spans.push_back(span_of(sentence, word, key, value));
        }
      });
    });
  }
  check_spans(out.spans);
  return out;
}

std::string no_tree_with(std::span<const SpanDemand> spans) {
  std::string names;
  for (const SpanDemand& span : spans) {
    names += fmt::format("{}{}{}{}", names.empty() ? "" : ", ", span.str(),
                         span.label.empty() ? "" : " as " + span.label,
                         span.forbidden ? " (forbidden)" : "");
  }
  return "no tree was found with the phrases demanded: " + names;
}

std::pair<int, int> crossing_words(std::span<const int> heads) {
  struct Arc {
    int left, right, word;
  };
  std::vector<Arc> arcs;
  for (int word = 1; word < static_cast<int>(heads.size()); ++word) {
    const int head = heads[static_cast<std::size_t>(word)];
    if (head >= 0) arcs.push_back({std::min(word, head), std::max(word, head), word});
  }
  std::sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
    return a.left != b.left ? a.left < b.left : a.right > b.right;
  });
  // Arcs around the place where the next one begins, each inside of the one before.
  std::vector<Arc> open;
  for (const Arc& arc : arcs) {
    while (!open.empty() && open.back().right <= arc.left) open.pop_back();
    if (!open.empty() && open.back().left < arc.left && open.back().right < arc.right) {
      return {std::min(arc.word, open.back().word), std::max(arc.word, open.back().word)};
    }
    open.push_back(arc);
  }
  return {0, 0};
}

}  // namespace copse
