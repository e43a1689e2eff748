#include "copse/dependency/parser_demands.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "copse/base/error.h"
#include "copse/dependency/position_atoms.h"
#include "copse/treebank/dependency_tree.h"

namespace copse {
namespace {

bool is_inside(const SpanDemand& span, int word) {
  return span.first <= word && word <= span.last;
}

std::string place_of(int head) {
  return head == 0 ? "the root" : fmt::format("word {}", head);
}

[[noreturn]] void contradict(const std::string& what) {
  throw data_error("the demands contradict each other: " + what);
}

}  // namespace

ParserDemands::ParserDemands(const Sentence& sentence, const TreeKind& kind,
                             std::span<const std::string> labels)
    : words_(sentence.words()), demands_(tree_demands(sentence)) {
  take_heads(sentence, kind);
  take_labels(sentence, labels);
  take_spans();
}

ArcMask& ParserDemands::arcs() {
  if (!mask_) mask_.emplace(words_);
  return *mask_;
}

void ParserDemands::take_heads(const Sentence& sentence, const TreeKind& kind) {
  heads_.assign(static_cast<std::size_t>(words_) + 1, DependencyTree::kNoHead);
  int root = 0;
  for (int m = 1; m <= words_; ++m) {
    const int head = heads_[static_cast<std::size_t>(m)] = sentence.head(m);
    if (head == DependencyTree::kNoHead) continue;
    if (head == 0 && root > 0 && kind.root == RootRule::single) {
      contradict(
          fmt::format("words {} and {} are both to hang on the root, and the parser makes "
                      "trees with one such word",
                      root, m));
    }
    if (head == 0) root = m;
    arcs().require(head, m);
  }
  if (const auto [a, b] = crossing_words(heads_); kind.projective && a > 0) {
    throw data_error(
        fmt::format("the heads given to words {} and {} cross, and the parser makes "
                    "projective trees only",
                    a, b));
  }
  for (int m = 1; m < static_cast<int>(demands_.not_heads.size()); ++m) {
    for (const int head : demands_.not_heads[static_cast<std::size_t>(m)]) {
      if (head == heads_[static_cast<std::size_t>(m)]) {
        contradict(fmt::format("word {} must and must not hang on {}", m, place_of(head)));
      }
      if (head != m) arcs().forbid(head, m);
    }
    if (mask_ && mask_->heads(m).empty()) contradict(fmt::format("word {} has no head left", m));
  }
}

void ParserDemands::take_labels(const Sentence& sentence, std::span<const std::string> labels) {
  if (labels.empty()) return;
  const auto number_of = [&](std::string_view label) {
    return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) -
                                    labels.begin());
  };
  const auto row = [&](int m) -> std::vector<char>& {
    may_.resize(static_cast<std::size_t>(words_) + 1);
    auto& may = may_[static_cast<std::size_t>(m)];
    if (may.empty()) may.assign(labels.size(), 1);
    return may;
  };
  for (int m = 1; m <= words_; ++m) {
    const std::string_view given = sentence.deprel(m);
    if (!is_missing(given)) {
      const std::size_t label = number_of(given);
      if (label == labels.size()) {
        throw data_error(fmt::format(
            "word {}: the label \"{}\" to be kept was never seen in training", m, given));
      }
      auto& may = row(m);
      std::fill(may.begin(), may.end(), char{0});
      may[label] = 1;
    }
    if (static_cast<std::size_t>(m) >= demands_.not_labels.size()) continue;
    for (const std::string& forbidden : demands_.not_labels[static_cast<std::size_t>(m)]) {
      if (forbidden == given) {
        contradict(fmt::format("word {} must and must not have the label {}", m, given));
      }
      const std::size_t label = number_of(forbidden);
      if (label < labels.size()) row(m)[label] = 0;
    }
    if (may_.empty() || may_[static_cast<std::size_t>(m)].empty()) continue;
    const auto& may = row(m);
    if (std::find(may.begin(), may.end(), 1) == may.end()) {
      contradict(fmt::format("word {} has no label left", m));
    }
  }
}

// No word outside of a phrase hangs on one inside. That only one inside hangs on one outside cannot
// be said by a mask: the search makes it so.
void ParserDemands::take_spans() {
  for (const SpanDemand& span : demands_.spans) {
    if (!span.label.empty()) {
      throw data_error(fmt::format("{}: a phrase of a dependency tree has no label \"{}\"",
                                   span.str(), span.label));
    }
    if (span.forbidden) continue;
    int outside = 0;  // a word inside whose given head is outside
    for (int m = 1; m <= words_; ++m) {
      const int head = heads_[static_cast<std::size_t>(m)];
      if (head == DependencyTree::kNoHead) continue;
      if (!is_inside(span, m) && head > 0 && is_inside(span, head)) {
        contradict(
            fmt::format("word {} is to hang on word {} inside of {}, which are to be a phrase", m,
                        head, span.str()));
      }
      if (!is_inside(span, m) || is_inside(span, head)) continue;
      if (outside > 0) {
        contradict(
            fmt::format("words {} and {} are both to hang on words outside of {}, which are "
                        "to be a phrase",
                        outside, m, span.str()));
      }
      outside = m;
    }
    for (int m = 1; m <= words_; ++m) {
      if (is_inside(span, m)) continue;
      for (int h = span.first; h <= span.last; ++h) arcs().forbid(h, m);
    }
  }
}

void ParserDemands::restrict_labels(const PartIndex& index, PartScores& scores) const {
  for (int a = 0; !may_.empty() && a < index.arcs(); ++a) {
    const auto& may = may_[static_cast<std::size_t>(index.arc(a).m)];
    const auto row = scores.label_row(a);
    for (std::size_t label = 0; label < may.size(); ++label) {
      if (may[label] == 0) row[label] = -std::numeric_limits<float>::infinity();
    }
  }
}

std::string words_with_demands(const ArcMask& mask) {
  std::vector<int> words;
  for (int m = 1; m <= mask.words(); ++m) {
    if (static_cast<int>(mask.heads(m).size()) < mask.words()) words.push_back(m);
  }
  constexpr std::size_t kMost = 8;
  std::string out = words.size() == 1 ? "word " : "words ";
  for (std::size_t i = 0; i < std::min(words.size(), kMost); ++i) {
    const bool last = i + 1 == words.size();
    out += fmt::format("{}{}", i == 0 ? "" : last ? " and " : ", ", words[i]);
  }
  return words.size() > kMost ? out + ", ..." : out;
}

std::vector<int> tops_of(const SpanDemand& span, std::span<const int> heads) {
  std::vector<int> tops;
  for (int m = span.first; m <= span.last; ++m) {
    const int head = heads[static_cast<std::size_t>(m)];
    if (head < span.first || head > span.last) tops.push_back(m);
  }
  return tops;
}

bool is_phrase(const SpanDemand& span, std::span<const int> heads) {
  if (tops_of(span, heads).size() != 1) return false;
  for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
    const int head = heads[static_cast<std::size_t>(m)];
    if (!is_inside(span, m) && head > 0 && is_inside(span, head)) return false;
  }
  return true;
}

}  // namespace copse
