#include "copse/dependency/tag_filter_training.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "copse/learning/adagrad.h"
#include "copse/learning/pass_order.h"

namespace copse {
namespace {

std::vector<std::string> names_of(const std::vector<TrainingSentence>& sentences,
                                  std::string_view ParserWord::*column) {
  std::set<std::string, std::less<>> names;
  for (const TrainingSentence& each : sentences) {
    for (const ParserWord& word : each.words.words()) {
      if (!names.contains(word.*column)) names.emplace(word.*column);
    }
  }
  return {names.begin(), names.end()};
}

TagFilter tables_for(const std::vector<TrainingSentence>& sentences) {
  std::vector<std::string> coarse = names_of(sentences, &ParserWord::coarse);
  std::vector<std::string> fine = names_of(sentences, &ParserWord::fine);
  if (coarse.size() > TagFilter::kMostTags) return {};
  const bool by_fine = fine.size() <= TagFilter::kMostTags;
  TagNumbers neighbours(coarse);
  return {by_fine, TagNumbers(by_fine ? std::move(fine) : std::move(coarse)),
          std::move(neighbours)};
}

class TagFilterLearner {
 public:
  TagFilterLearner(const std::vector<TrainingSentence>& sentences, const LengthFilter& lengths,
                   const TagFilterTraining& training, TagFilter& filter)
      : sentences_(sentences), lengths_(lengths), training_(training), filter_(filter) {
    weights_.values.resize(filter.cells());
    sums_.resize(filter.cells());
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      if (sentences[i].heads.empty()) continue;
      (is_held_out(i) ? held_out_ : learnt_).push_back(static_cast<std::uint32_t>(i));
    }
  }

  // False if too little was held out.
  bool learn() {
    const AdaGrad rule(training_.rate, training_.variance, learnt_.size());
    for (int pass = 0; pass < training_.passes; ++pass) {
      pass_order(training_.seed, static_cast<std::uint64_t>(pass)).shuffle(std::span(learnt_));
      for (const std::uint32_t i : learnt_) {
        learn_from(sentences_[i], rule);
        ++weights_.ended;
      }
    }
    filter_.set_weights(weights_.values);
    return choose_margin();
  }

 private:
  struct Weights {
    std::vector<float> values;
    std::uint64_t ended = 0;
    float weight(std::uint32_t cell) const { return values[cell]; }
    void change(std::uint32_t cell, double by) { values[cell] += static_cast<float>(by); }
    std::uint64_t steps() const { return ended; }
  };
  struct Head {
    int h;
    TagFilter::Cells cells;
    double score;
  };

  bool is_held_out(std::size_t i) const {
    return i % static_cast<std::size_t>(training_.held_out) == 0;
  }

  // visit(place of the right head) for each word whose right head is among its heads.
  template <class Visit>
  void for_each_word(const TrainingSentence& sentence, Visit&& visit) {
    const auto words = sentence.words.words();
    atoms_.fill(words, nullptr);
    filter_.read(words, tagged_);
    const ArcMask mask = lengths_.mask(words);
    for (int m = 1; m <= mask.words(); ++m) {
      const int gold = sentence.heads[static_cast<std::size_t>(m)];
      if (!mask.allowed(gold, m)) continue;
      heads_.clear();
      std::size_t right = 0;
      for (int h = 0; h <= mask.words(); ++h) {
        if (!mask.allowed(h, m)) continue;
        if (h == gold) right = heads_.size();
        heads_.push_back({h, filter_.cells_of(tagged_, atoms_, h, m), 0});
      }
      visit(right);
    }
  }

  void learn_from(const TrainingSentence& sentence, const AdaGrad& rule) {
    constexpr double kLeastSlope = 1e-3;
    for_each_word(sentence, [&](std::size_t right) {
      double most = -std::numeric_limits<double>::infinity();
      for (Head& head : heads_) {
        head.score = 0;
        for (const std::uint32_t cell : head.cells) head.score += weights_.values[cell];
        most = std::max(most, head.score);
      }
      double sum = 0;
      for (Head& head : heads_) sum += head.score = std::exp(head.score - most);
      for (std::size_t k = 0; k < heads_.size(); ++k) {
        const double slope = (k == right ? 1 : 0) - heads_[k].score / sum;
        if (std::abs(slope) < kLeastSlope) continue;
        for (const std::uint32_t cell : heads_[k].cells) rule.step(weights_, sums_, cell, slope);
      }
    });
  }

  bool choose_margin() {
    std::vector<int> behind;  // the best head, of the right ones
    for (const std::uint32_t i : held_out_) {
      for_each_word(sentences_[i], [&](std::size_t right) {
        int best = std::numeric_limits<int>::min();
        for (const Head& head : heads_) best = std::max(best, filter_.score(head.cells));
        behind.push_back(best - filter_.score(heads_[right].cells));
      });
    }
    const auto lost = static_cast<std::size_t>(training_.lost * static_cast<double>(behind.size()));
    if (lost == 0) return false;
    std::ranges::nth_element(behind, behind.begin() + static_cast<std::ptrdiff_t>(lost),
                             std::greater<>());
    filter_.set_margin(behind[lost]);
    return true;
  }

  const std::vector<TrainingSentence>& sentences_;
  const LengthFilter& lengths_;
  const TagFilterTraining& training_;
  TagFilter& filter_;
  std::vector<std::uint32_t> learnt_, held_out_;
  Weights weights_;
  AdaGradSums sums_;
  PositionAtoms atoms_;
  TagFilter::Tagged tagged_;
  std::vector<Head> heads_;  // of the word in hand
};

}  // namespace

TagFilter learn_tag_filter(const std::vector<TrainingSentence>& sentences,
                           const LengthFilter& lengths, const TagFilterTraining& training) {
  TagFilter filter = tables_for(sentences);
  if (filter.is_empty()) return {};
  return TagFilterLearner(sentences, lengths, training, filter).learn() ? filter : TagFilter();
}

}  // namespace copse
