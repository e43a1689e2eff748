#include "copse/pipeline/variation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace copse {
namespace {

// Two words of a sentence, left < right, with their neighbours.
struct Pair {
  std::size_t sentence;
  int left, right;
};

// The forms from the word before `left` to the word after `right`; ends of the sentence count.
std::string context(const Sentence& sentence, int left, int right) {
  std::string key;
  for (int word = left - 1; word <= right + 1; ++word) {
    const bool inside = word >= 1 && word <= sentence.words();
    key += inside ? sentence.form(word) : std::string_view("\x01");
    key += '\t';
  }
  return key;
}

std::string way_of(const Sentence& sentence, int left, int right) {
  if (sentence.head(left) == right) return fmt::format("< {}", sentence.deprel(left));
  if (sentence.head(right) == left) return fmt::format("> {}", sentence.deprel(right));
  return "no arc";
}

std::string shown(const std::string& way) {
  return way == "no arc" ? way : way.substr(2);
}

template <class Visit>
void for_each_arc(const Sentence& sentence, int longest, Visit&& visit) {
  for (int word = 1; word <= sentence.words(); ++word) {
    const int head = sentence.head(word);
    if (head < 1) continue;
    const auto [left, right] = std::minmax(word, head);
    if (right - left + 3 <= longest) visit(left, right);
  }
}

}  // namespace

std::vector<Variation> find_variations(std::span<const Sentence> sentences, int longest) {
  std::unordered_map<std::string, std::vector<Pair>> places;
  for (const Sentence& sentence : sentences) {
    for_each_arc(sentence, longest,
                 [&](int left, int right) { places.try_emplace(context(sentence, left, right)); });
  }
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const int n = sentences[s].words();
    for (int left = 1; left < n; ++left) {
      for (int right = left + 1; right <= n && right - left + 3 <= longest; ++right) {
        const auto found = places.find(context(sentences[s], left, right));
        if (found != places.end()) found->second.push_back({s, left, right});
      }
    }
  }
  std::map<std::pair<std::size_t, int>, Variation> doubtful;
  for (const auto& [key, pairs] : places) {
    if (pairs.size() < 2) continue;
    std::map<std::string, std::size_t> ways;
    for (const Pair& pair : pairs) {
      ++ways[way_of(sentences[pair.sentence], pair.left, pair.right)];
    }
    if (ways.size() < 2) continue;
    const auto most = std::ranges::max_element(
        ways, [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const Pair& pair : pairs) {
      const Sentence& sentence = sentences[pair.sentence];
      const std::string way = way_of(sentence, pair.left, pair.right);
      if (way == most->first || ways[way] >= most->second) continue;
      // The word that has, or should have, the other one for its head.
      const std::string& arc = way == "no arc" ? most->first : way;
      const int word = arc.front() == '<' ? pair.left : pair.right;
      Variation& kept = doubtful[{pair.sentence, word}];
      if (kept.times >= most->second) continue;
      kept = {pair.sentence, word, shown(way), shown(most->first), most->second, pairs.size()};
    }
  }
  std::vector<Variation> out;
  out.reserve(doubtful.size());
  for (auto& [place, variation] : doubtful) out.push_back(std::move(variation));
  return out;
}

}  // namespace copse
