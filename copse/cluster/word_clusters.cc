#include "copse/cluster/word_clusters.h"

#include <fmt/core.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <tuple>

#include "copse/base/error.h"

namespace copse {
namespace {

constexpr std::uint64_t kLargestCount = INT64_MAX;
constexpr const char* kLineHint = "expected bits TAB word TAB count";

std::uint64_t parse_count(std::string_view text, const Place& place) {
  std::uint64_t count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool whole = end == text.data() + text.size();
  if (problem == std::errc::invalid_argument || !whole) {
    throw data_error("the count is not a number", place, kLineHint);
  }
  if (problem != std::errc{} || count > kLargestCount) {
    throw data_error("the count is larger than 2^63 - 1", place);
  }
  return count;
}

WordClusters::Line parse_line(std::string_view line, const Place& place) {
  const auto tabs = std::count(line.begin(), line.end(), '\t');
  if (tabs != 2) {
    throw data_error(
        fmt::format("found {} {} instead of 3", tabs + 1, tabs == 0 ? "column" : "columns"), place,
        kLineHint);
  }
  const auto first = line.find('\t');
  const auto second = line.find('\t', first + 1);
  const std::string_view bits = line.substr(0, first);
  const std::string_view word = line.substr(first + 1, second - first - 1);
  if (bits.find_first_not_of("01") != std::string_view::npos) {
    throw data_error("the first column is not a string of 0 and 1", place, kLineHint);
  }
  if (word.empty()) throw data_error("the word is empty", place, kLineHint);
  if (!WordClusters::is_word(word)) {
    throw data_error("the word contains a blank", place, "words are separated by blanks in text");
  }
  return {bits, word, parse_count(line.substr(second + 1), place)};
}

std::uint32_t shared_bits(std::string_view a, std::string_view b) {
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return static_cast<std::uint32_t>(differ - a.begin());
}

// Keeps the first of each word; returns how many went.
std::size_t drop_duplicates(std::vector<WordClusters::Line>& lines) {
  tsl::robin_set<std::string_view> seen;
  seen.reserve(lines.size());
  return std::erase_if(lines, [&](const auto& line) { return !seen.insert(line.text).second; });
}

}  // namespace

WordClusters::WordClusters(std::vector<Line> lines) : duplicates_(drop_duplicates(lines)) {
  const auto before = [](const Line& a, const Line& b) {
    return std::tie(a.bits, b.count, a.text) < std::tie(b.bits, a.count, b.text);
  };
  // Models and our own files have them in order.
  if (!std::is_sorted(lines.begin(), lines.end(), before)) {
    std::sort(lines.begin(), lines.end(), before);
  }
  bits_begin_.push_back(0);
  text_begin_.push_back(0);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == 0 || lines[i - 1].bits != lines[i].bits) add_cluster(lines[i].bits);
    add_word(lines[i]);
  }
  first_word_.push_back(words());
  make_index();
  make_prefix_table();
}

WordClusters WordClusters::read(Input& input) {
  constexpr std::size_t kLargestFile = std::size_t{2} << 30;
  const std::string bytes = input.read_all(kLargestFile);
  std::string_view rest = bytes;
  std::vector<Line> lines;
  for (Place place{input.name(), 1}; !rest.empty(); ++place.line) {
    const auto end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() && rest.empty()) break;
    lines.push_back(parse_line(line, place));
  }
  return WordClusters(std::move(lines));
}

void WordClusters::add_cluster(std::string_view bits) {
  const auto clusters = static_cast<Id>(first_word_.size());
  shared_.push_back(clusters == 0 ? 0 : shared_bits(this->bits(clusters - 1), bits));
  bits_.insert(bits_.end(), bits.begin(), bits.end());
  bits_begin_.push_back(bits_.size());
  first_word_.push_back(words());
}

void WordClusters::add_word(const Line& line) {
  text_.insert(text_.end(), line.text.begin(), line.text.end());
  text_begin_.push_back(text_.size());
  counts_.push_back(line.count);
}

void WordClusters::make_index() {
  index_.reserve(words());
  for (Id cluster = 0; cluster < clusters(); ++cluster) {
    const Range range = words_of(cluster);
    for (std::uint32_t i = range.first; i < range.last; ++i) index_.emplace(word(i).text, cluster);
  }
}

// In lexicographic order equal prefixes stand together, and one differs from the one before it
// exactly where fewer than `length` bits are shared.
void WordClusters::make_prefix_table() {
  std::size_t longest = 0;
  for (Id cluster = 0; cluster < clusters(); ++cluster) {
    longest = std::max(longest, bits(cluster).size());
  }
  tabled_ = static_cast<int>(std::min<std::size_t>(longest, kTabledPrefix));
  prefix_table_.reserve(static_cast<std::size_t>(tabled_) * clusters());
  for (int length = 1; length <= tabled_; ++length) {
    Id number = 0;
    for (Id cluster = 0; cluster < clusters(); ++cluster) {
      if (cluster > 0 && shared_[cluster] < static_cast<std::uint32_t>(length)) ++number;
      prefix_table_.push_back(number);
    }
  }
  longest_ = static_cast<int>(longest);
}

WordClusters::Id WordClusters::prefix(Id cluster, int length) const {
  if (length <= 0) return 0;
  if (length >= longest_) return cluster;  // whole strings, which all differ
  if (length <= tabled_) {
    return prefix_table_[static_cast<std::size_t>(length - 1) * clusters() + cluster];
  }
  return static_cast<Id>(std::count_if(
      shared_.begin() + 1, shared_.begin() + 1 + cluster,
      [&](std::uint32_t shared) { return shared < static_cast<std::uint32_t>(length); }));
}

int WordClusters::length_with_prefixes(Id wanted) const {
  const auto distance = [&](int length) {
    return std::abs(static_cast<std::int64_t>(prefixes(length)) -
                    static_cast<std::int64_t>(wanted));
  };
  int best = 1;
  for (int length = 2; length <= longest_; ++length) {
    if (distance(length) < distance(best)) best = length;
    if (prefixes(length) >= wanted) break;  // there are only more further on
  }
  return best;
}

WordClusters::Range WordClusters::clusters_below(std::string_view start) const {
  Id first = 0;
  while (first < clusters() && !bits(first).starts_with(start)) ++first;
  Id last = first;
  while (last < clusters() && bits(last).starts_with(start)) ++last;
  return {first, last};
}

std::string WordClusters::paths() const {
  std::string out;
  for (Id cluster = 0; cluster < clusters(); ++cluster) {
    const Range range = words_of(cluster);
    for (std::uint32_t i = range.first; i < range.last; ++i) {
      out += bits(cluster);
      out += '\t';
      out += word(i).text;
      out += fmt::format("\t{}\n", word(i).count);
    }
  }
  return out;
}

}  // namespace copse
