#include "copse/treebank/head_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "copse/base/error.h"
#include "copse/base/utf8.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/label.h"

namespace copse {
namespace {

constexpr double kStrong = 0.2;  // share of the largest strength
constexpr double kEverywhere =
    0.1;  // what being in every phrase counts against standing alone once
constexpr double kMostly = 0.5;
constexpr std::string_view kNounPhrase = "NP", kBaseNounPhrase = "NPB";

// A label in a table is one word without these.
bool can_be_written(std::string_view label) {
  return !label.empty() && label.front() != '#' &&
         label.find_first_of(" \t\r\n,|:") == std::string_view::npos;
}

class HeadCounts {
 public:
  void add(const PhraseTree& tree) {
    for (int node = 0; node < tree.size(); ++node) {
      if (tree.is_leaf(node)) {
        count_word(tree, node);
      } else {
        count_phrase(tree, node);
      }
    }
  }

  std::string table() const {
    const auto signs = mostly(signs_, words_);
    std::string text = "table auto\ndefault left\n";
    if (!signs.empty()) {
      text += fmt::format("punctuation {}\nskip-punctuation on\n", fmt::join(signs, " "));
    }
    auto conjunctions = mostly(between_, placed_);
    std::erase_if(conjunctions, [&](const std::string& tag) {
      return std::find(signs.begin(), signs.end(), tag) != signs.end();
    });
    if (!conjunctions.empty()) {
      text += fmt::format("coordination {}\n", fmt::join(conjunctions, " "));
    }
    for (const auto& [label, phrase] : phrases_) {
      if (can_be_written(label) && label != kBaseNounPhrase) text += row(label, phrase, signs);
    }
    return text;
  }

 private:
  struct Phrase {
    double all = 0;
    std::map<std::string, double> with, alone, first, last;  // phrases, by label of the child
  };

  void count_word(const PhraseTree& tree, int leaf) {
    const std::string tag(tree.label(leaf));
    words_[tag] += 1;
    if (is_all_punctuation(tree.word(leaf))) signs_[tag] += 1;
  }

  void count_phrase(const PhraseTree& tree, int node) {
    std::vector<std::string> labels;
    std::vector<bool> leaf;
    for (const int child : tree.children(node)) {
      if (tree.is_leaf(child) && is_all_punctuation(tree.word(child))) continue;
      labels.emplace_back(tree.is_leaf(child) ? tree.label(child) : base_label(tree.label(child)));
      leaf.push_back(tree.is_leaf(child));
    }
    if (labels.empty()) return;
    Phrase& phrase = phrases_[std::string(base_label(tree.label(node)))];
    phrase.all += 1;
    for (const std::string& label : std::set<std::string>(labels.begin(), labels.end())) {
      phrase.with[label] += 1;
    }
    if (labels.size() == 1) phrase.alone[labels[0]] += 1;
    phrase.first[labels.front()] += 1;
    phrase.last[labels.back()] += 1;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (!leaf[i]) continue;
      placed_[labels[i]] += 1;
      const bool inside = i > 0 && i + 1 < labels.size();
      if (inside && labels[i - 1] == labels[i + 1]) between_[labels[i]] += 1;
    }
  }

  static std::vector<std::string> mostly(const std::map<std::string, double>& some,
                                         const std::map<std::string, double>& all) {
    std::vector<std::string> tags;
    for (const auto& [tag, count] : some) {
      if (can_be_written(tag) && count > kMostly * all.at(tag)) tags.push_back(tag);
    }
    return tags;
  }

  static std::string row(const std::string& label, const Phrase& phrase,
                         const std::vector<std::string>& signs) {
    std::map<std::string, double> strength;
    double best = 0;
    for (const auto& [child, with] : phrase.with) {
      const auto alone = phrase.alone.find(child);
      const double seen = alone == phrase.alone.end() ? 0 : alone->second;
      const bool sign = std::find(signs.begin(), signs.end(), child) != signs.end();
      if (sign || child == label) continue;
      strength[child] = (seen + kEverywhere * with / phrase.all) / (with + 1);
      best = std::max(best, strength[child]);
    }
    const auto mass = [&](const std::map<std::string, double>& at_end) {
      double sum = 0;
      for (const auto& [child, count] : at_end) {
        if (const auto known = strength.find(child); known != strength.end()) {
          sum += count * known->second;
        }
      }
      return sum;
    };
    std::vector<std::string> strong, weak;
    for (const auto& [child, value] : strength) {
      if (can_be_written(child)) (value >= kStrong * best ? strong : weak).push_back(child);
    }
    std::stable_sort(weak.begin(), weak.end(), [&](const std::string& a, const std::string& b) {
      return strength[a] > strength[b];
    });
    // What the generative parser makes of noun phrases without noun phrases in them.
    const bool noun = label == kNounPhrase;
    const std::string own = noun ? "NP|NPB" : label;
    std::string text = fmt::format("{} {}", noun ? "NP,NPB" : label,
                                   mass(phrase.last) > mass(phrase.first) ? "right" : "left");
    if (!strong.empty()) text += fmt::format(" {}", fmt::join(strong, "|"));
    if (noun || phrase.with.contains(label)) text += fmt::format(" left:{}", own);
    if (!weak.empty()) text += fmt::format(" {}", fmt::join(weak, " "));
    return text + '\n';
  }

  std::map<std::string, Phrase> phrases_;
  std::map<std::string, double> words_, signs_;     // by tag
  std::map<std::string, double> placed_, between_;  // by tag
};

}  // namespace

HeadRules guess_heads(std::span<const std::span<const Entry>> trees) {
  HeadCounts counts;
  bool any = false;
  for (const std::span<const Entry> run : trees) {
    for (const Entry& entry : run) {
      if (entry.tree.empty()) continue;
      const PhraseTree tree = remove_traces(entry.tree);
      if (tree.empty()) continue;
      counts.add(tree);
      any = true;
    }
  }
  if (!any) throw data_error("there is no tree to guess heads from");
  return HeadRules::parse(counts.table(), "auto");
}

}  // namespace copse
