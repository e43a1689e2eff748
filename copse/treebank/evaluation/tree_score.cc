#include "copse/treebank/evaluation/tree_score.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "copse/treebank/label.h"
#include "copse/treebank/ptb.h"

namespace copse {
namespace {

bool contains(const std::vector<std::uint64_t>& list, std::uint64_t item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string_view cut(std::string_view label) {
  return label.substr(0, label.find_first_of("-="));
}

std::vector<std::vector<std::int32_t>> range_maxima(std::vector<std::int32_t> values) {
  std::vector<std::vector<std::int32_t>> rows{std::move(values)};
  for (std::size_t width = 1; 2 * width <= rows[0].size(); width *= 2) {
    const auto& below = rows.back();
    std::vector<std::int32_t> row(rows[0].size() - 2 * width + 1);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::max(below[i], below[i + width]);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Over [begin, end), which must not be empty.
std::int32_t maximum(const std::vector<std::vector<std::int32_t>>& rows, std::size_t begin,
                     std::size_t end) {
  std::size_t k = 0;
  while ((std::size_t{2} << k) <= end - begin) ++k;
  return std::max(rows[k][begin], rows[k][end - (std::size_t{1} << k)]);
}

}  // namespace

std::optional<std::uint64_t> LabelClasses::pack(std::string_view label) {
  if (label.size() > 7) return std::nullopt;
  std::uint64_t packed = label.size();
  for (const char c : label) packed = packed << 8 | static_cast<unsigned char>(c);
  return packed;
}

LabelClasses::LabelClasses(EvalbParameters parameters) : parameters_(std::move(parameters)) {
  simple_ = parameters_.quotes.empty();
  const auto packed = [&](std::string_view label) {
    const auto number = pack(label);
    simple_ = simple_ && number;
    return number.value_or(0);
  };
  for (const auto& [a, b] : parameters_.equal_labels) {
    for (const std::string& label : {a, b}) {
      // The first label of the table that counts as the same names the class.
      std::uint64_t first = packed(label);
      for (const auto& [c, d] : parameters_.equal_labels) {
        for (const std::string& other : {d, c}) {
          if (parameters_.same_label(label, other)) first = std::min(first, packed(other));
        }
      }
      classes_.emplace_back(packed(label), first);
    }
  }
  // An equivalence: any two labels of one class count as the same.
  for (const auto& [a, b] : parameters_.equal_labels) {
    for (const auto& [c, d] : parameters_.equal_labels) {
      for (const std::string& x : {a, b}) {
        for (const std::string& y : {c, d}) {
          const bool same_class = class_of(packed(x)) == class_of(packed(y));
          simple_ = simple_ && same_class == parameters_.same_label(x, y);
        }
      }
    }
  }
  for (const std::string& label : parameters_.deleted) {
    if (const auto number = pack(label)) {
      deleted_tags_.push_back(*number);
      deleted_phrases_.push_back(class_of(*number));
    }
  }
  for (const std::string& label : parameters_.deleted_for_length) {
    if (const auto number = pack(label)) not_for_length_.push_back(*number);
  }
}

std::uint64_t LabelClasses::class_of(std::uint64_t packed) const {
  for (const auto& [label, first] : classes_) {
    if (label == packed) return first;
  }
  return packed;
}

std::optional<std::uint64_t> LabelClasses::of(std::string_view label) const {
  const auto packed = pack(label);
  if (!packed) return std::nullopt;
  return class_of(*packed);
}

bool LabelClasses::deletes_tag(std::uint64_t packed) const {
  return contains(deleted_tags_, packed);
}
bool LabelClasses::deletes_phrase(std::uint64_t label_class) const {
  return contains(deleted_phrases_, label_class);
}
bool LabelClasses::for_length(std::uint64_t packed) const {
  return !contains(not_for_length_, packed);
}

struct TreeScorer::Side {
  struct Bracket {
    std::int32_t begin, end;
    std::uint64_t label;
  };
  std::vector<std::string_view> words;
  std::vector<std::uint64_t> tags;        // classes
  std::vector<std::int32_t> kept_before;  // of word i, and of the end
  std::vector<Bracket> brackets;          // counted ones
  std::vector<std::int32_t> free;         // places left in each slot of gold
  int length = 0;
};

// False when a label is too long to be compared as a number.
bool TreeScorer::read(const PhraseTree& tree, Side& side) const {
  side.words.clear();
  side.tags.clear();
  side.kept_before.clear();
  side.brackets.clear();
  side.length = 0;
  for (const int leaf : tree.leaves()) {
    side.kept_before.push_back(static_cast<std::int32_t>(side.words.size()));
    const auto tag = LabelClasses::pack(tree.label(leaf));
    if (!tag) return false;
    if (classes_.for_length(*tag)) ++side.length;
    if (classes_.deletes_tag(*tag)) continue;
    side.words.push_back(tree.word(leaf));
    side.tags.push_back(*classes_.of(tree.label(leaf)));
  }
  side.kept_before.push_back(static_cast<std::int32_t>(side.words.size()));
  const auto kept = [&](int word) { return side.kept_before[static_cast<std::size_t>(word)]; };
  const bool labeled = classes_.parameters().labeled;
  for (int node = 0; node < tree.size(); ++node) {
    if (tree.is_leaf(node)) continue;
    const std::int32_t begin = kept(tree.begin(node));
    const std::int32_t end = kept(tree.end(node));
    if (begin == end) continue;
    const bool outer = node == 0 && is_outer_label(tree.label(0));
    const auto label = classes_.of(outer ? "TOP" : cut(tree.label(node)));
    if (!label) return false;
    if (classes_.deletes_phrase(*label)) continue;
    side.brackets.push_back({begin, end, labeled ? *label : 0});
  }
  return true;
}

TreeScorer::TreeScorer(const PhraseTree& gold, const LabelClasses& classes)
    : gold_(gold), classes_(classes), simple_(classes.simple()) {
  Side side;
  simple_ = simple_ && read(gold, side);
  if (!simple_) return;
  length_ = side.length;
  brackets_ = static_cast<int>(side.brackets.size());
  make_slots(side);
  make_crossing(side);
  words_ = std::move(side.words);
  tags_ = std::move(side.tags);
}

void TreeScorer::make_slots(const Side& gold) {
  auto sorted = gold.brackets;
  const auto key = [](const Side::Bracket& b) { return std::tuple(b.begin, b.end, b.label); };
  std::sort(sorted.begin(), sorted.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  slots_from_.assign(gold.words.size() + 1, 0);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && key(sorted[i]) == key(sorted[i - 1])) {
      ++slots_.back().places;
      continue;
    }
    slots_.push_back({sorted[i].end, 1, sorted[i].label});
    ++slots_from_[static_cast<std::size_t>(sorted[i].begin) + 1];
  }
  for (std::size_t i = 1; i < slots_from_.size(); ++i) slots_from_[i] += slots_from_[i - 1];
}

void TreeScorer::make_crossing(const Side& gold) {
  const std::size_t positions = gold.words.size() + 1;
  std::vector<std::int32_t> farthest(positions, -1);
  std::vector<std::int32_t> first(positions, std::numeric_limits<std::int32_t>::min());
  for (const Side::Bracket& bracket : gold.brackets) {
    auto& end = farthest[static_cast<std::size_t>(bracket.begin)];
    auto& begin = first[static_cast<std::size_t>(bracket.end)];
    end = std::max(end, bracket.end);
    begin = std::max(begin, -bracket.begin);
  }
  farthest_end_ = range_maxima(std::move(farthest));
  minus_first_begin_ = range_maxima(std::move(first));
}

bool TreeScorer::same_words(const Side& system) const {
  if (words_.size() != system.words.size()) return false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i] == system.words[i]) continue;
    // Trees from brackets hold "-LRB-" where trees of a parser may hold "(".
    if (!classes_.parameters().same_word(ptb_token(words_[i]), ptb_token(system.words[i]))) {
      return false;
    }
  }
  return true;
}

bool TreeScorer::crosses(int begin, int end) const {
  if (end - begin < 2) return false;
  const auto inside = static_cast<std::size_t>(begin) + 1;
  const auto stop = static_cast<std::size_t>(end);
  return maximum(farthest_end_, inside, stop) > end ||
         maximum(minus_first_begin_, inside, stop) > -begin;
}

EvalbSentence TreeScorer::score(const PhraseTree& system) const {
  thread_local Side side;  // scratch memory only: nothing is carried from call to call
  if (!simple_ || !read(system, side)) return score_lines(system);
  EvalbSentence sentence;
  sentence.length = length_;
  if (side.words.empty()) {
    sentence.status = EvalbStatus::skipped;
    return sentence;
  }
  if (!same_words(side)) {
    sentence.status = EvalbStatus::error;
    return sentence;
  }
  sentence.words = static_cast<int>(words_.size());
  sentence.gold = brackets_;
  sentence.system = static_cast<int>(side.brackets.size());
  for (std::size_t i = 0; i < tags_.size(); ++i) sentence.correct_tags += tags_[i] == side.tags[i];
  side.free.assign(slots_.size(), 0);
  for (std::size_t i = 0; i < slots_.size(); ++i) side.free[i] = slots_[i].places;
  for (const Side::Bracket& bracket : side.brackets) {
    if (crosses(bracket.begin, bracket.end)) ++sentence.crossing;
    const auto begin = static_cast<std::size_t>(bracket.begin);
    for (auto i = static_cast<std::size_t>(slots_from_[begin]);
         i < static_cast<std::size_t>(slots_from_[begin + 1]); ++i) {
      if (slots_[i].end != bracket.end || slots_[i].label != bracket.label) continue;
      if (side.free[i] > 0) {
        --side.free[i];
        ++sentence.matched;
      }
      break;
    }
  }
  return sentence;
}

EvalbSentence TreeScorer::score_lines(const PhraseTree& system) const {
  EvalbOptions options;
  options.parameters = classes_.parameters();
  options.parameters.max_errors = std::numeric_limits<int>::max() - 2;
  options.outer = EvalbOuter::top;
  EvalbSentence sentence =
      evaluate_constituency(ptb_line(gold_) + "\n", ptb_line(system) + "\n", options)
          .sentences.at(0);
  sentence.line = 0;
  return sentence;
}

EvalbSentence score_trees(const PhraseTree& gold, const PhraseTree& system,
                          const EvalbParameters& parameters) {
  const LabelClasses classes(parameters);
  return TreeScorer(gold, classes).score(system);
}

}  // namespace copse
