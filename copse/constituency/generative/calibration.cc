#include "copse/constituency/generative/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "copse/base/utf8.h"
#include "copse/constituency/gold_line.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/label.h"

namespace copse::generative {
namespace {

constexpr double kLeast = 1e-4;  // probability of a bracket that the parser does not name
constexpr std::array<double, 10> kGrid = {1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.15, 1.3};

using Key = std::tuple<int, int, std::string>;  // begin, end among words, label

// How many of the first words are no punctuation.
std::vector<int> words_before(const PhraseTree& tree) {
  std::vector<int> before{0};
  for (int i = 0; i < tree.words(); ++i) {
    before.push_back(before.back() + (is_all_punctuation(tree.word_at(i)) ? 0 : 1));
  }
  return before;
}

}  // namespace

double bracket_loss(std::span<const Bracket> found, const PhraseTree& gold, std::size_t& brackets) {
  const std::vector<int> before = words_before(gold);
  const auto key = [&](int begin, int end, std::string_view label) {
    return Key{before[static_cast<std::size_t>(begin)], before[static_cast<std::size_t>(end)],
               std::string(label)};
  };
  std::map<Key, double> believed;
  for (const Bracket& bracket : found) {
    double& value = believed[key(bracket.begin, bracket.end, bracket.label)];
    value = std::max(value, bracket.probability);
  }
  std::map<Key, double> truth;
  for (int node = 0; node < gold.size(); ++node) {
    if (gold.is_leaf(node) || (node == 0 && is_outer_label(gold.label(0)))) continue;
    const Key place = key(gold.begin(node), gold.end(node), base_label(gold.label(node)));
    if (std::get<0>(place) < std::get<1>(place)) truth[place] = 1;
  }
  double loss = 0;
  for (const auto& [place, probability] : believed) {
    const double p = std::clamp(probability, kLeast, 1 - kLeast);
    loss -= truth.contains(place) ? std::log(p) : std::log1p(-p);
  }
  std::size_t missed = 0;
  for (const auto& [place, ignored] : truth) missed += believed.contains(place) ? 0 : 1;
  brackets += believed.size() + missed;
  return loss - static_cast<double>(missed) * std::log(kLeast);
}

double tag_loss(std::span<const Bracket> found, const PhraseTree& gold, std::size_t& words) {
  double loss = 0;
  for (auto at = found.begin(); at != found.end();) {
    const int word = at->begin;
    double right = 0;
    for (; at != found.end() && at->begin == word; ++at) {
      if (at->label == gold.tag(word)) right = at->probability;
    }
    loss -= std::log(std::max(right, kLeast));
    ++words;
  }
  return loss;
}

namespace {

// Log loss at each value of the grid, of the odd and of the even sentences.
struct Losses {
  std::array<std::array<double, kGrid.size()>, 2> loss{};
  std::array<std::size_t, 2> compared{};

  FittedSharpness fitted() const {
    const auto& chooses = loss[compared[1] > 0 ? 1 : 0];
    const auto best = static_cast<std::size_t>(std::min_element(chooses.begin(), chooses.end()) -
                                               chooses.begin());
    const auto all = static_cast<double>(std::max<std::size_t>(1, compared[0]));
    return {kGrid[best], loss[0][0] / all, loss[0][best] / all};
  }
};

std::string line_of(std::string_view what, const FittedSharpness& fitted, std::string_view each) {
  return fmt::format(
      "{} probabilities: sharpness {:.2f}, log loss {:.4f} instead of {:.4f} per {} on the half "
      "that did not choose\n",
      what, fitted.value, fitted.after, fitted.before, each);
}

}  // namespace

std::string Calibration::str() const {
  if (sentences == 0) return {};
  return line_of("bracket", brackets, "bracket") + line_of("tag", tags, "word");
}

Calibration calibrate(const GenerativeParser& parser, std::span<const Entry> gold,
                      const SearchOptions& search, std::size_t most) {
  Losses brackets, tags;
  Calibration result;
  ParserWorkspace workspace;
  for (std::size_t i = 0; i < std::min(most, gold.size()); ++i) {
    const PhraseTree tree = gold[i].tree.empty() ? PhraseTree{} : clean(gold[i].tree).tree;
    if (tree.empty()) continue;
    const auto found = parser.beliefs_at({words_of(tree)}, search, kGrid, workspace);
    if (found.empty()) continue;
    ++result.sentences;
    const std::size_t half = i % 2;  // 0: odd
    for (std::size_t s = 0; s < kGrid.size(); ++s) {
      std::size_t of_brackets = 0, of_tags = 0;
      brackets.loss[half][s] += bracket_loss(found[s].brackets, tree, of_brackets);
      tags.loss[half][s] += tag_loss(found[s].tags, tree, of_tags);
      if (s > 0) continue;
      brackets.compared[half] += of_brackets;
      tags.compared[half] += of_tags;
    }
  }
  if (result.sentences == 0) return result;
  result.brackets = brackets.fitted();
  result.tags = tags.fitted();
  return result;
}

}  // namespace copse::generative
