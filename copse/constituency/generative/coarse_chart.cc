#include "copse/constituency/generative/coarse_chart.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace copse::generative {
namespace {

constexpr int kClasses = CoarseGrammar::kClasses;
constexpr int kMostPower = 126;  // of a float that is a number and whose inverse is one
constexpr int kDropped = -100;   // powers of two below the largest that add nothing to a float

// to += factor * a * b, rows of floats.
inline void add_product(float* to, const float* a, const float* b, float factor, std::size_t row) {
  for (std::size_t p = 0; p < row; ++p) to[p] += factor * a[p] * b[p];
}

float largest(const float* values, std::size_t count) {
  float best = 0;
  for (std::size_t i = 0; i < count; ++i) best = std::max(best, values[i]);
  return best;
}

// The power of two that makes a value about one; no larger than a float can be multiplied by.
int power_of(float value) {
  int power = 0;
  std::frexp(value, &power);
  return std::max(power, -kMostPower);
}

void multiply(float* values, std::size_t count, float factor) {
  for (std::size_t i = 0; i < count; ++i) values[i] *= factor;
}

}  // namespace

bool CoarseChart::run(const CoarseGrammar& grammar, std::span<const WordReading> words,
                      double threshold, const DemandedPhrases& demands, const Stop& stop,
                      std::span<const float> span_bonus) {
  grammar_ = &grammar;
  n_ = static_cast<int>(words.size());
  row_ = static_cast<std::size_t>(grammar.row());
  tags_ = static_cast<std::size_t>(grammar.tags());
  const std::size_t cells = words.size() * (words.size() + 1) / 2;
  complete_.assign(cells * row_, 0);
  turned_.assign(cells * row_, 0);
  right_.assign(cells * kStates * row_, 0);
  left_.assign(cells * kStates * row_, 0);
  use_right_.assign(cells * kUses * row_, 0);
  use_left_.assign(cells * kUses * row_, 0);
  rows_.assign(cells, {});
  scale_.assign(cells, 0);
  empty_.assign(cells, 1);
  chained_.resize(row_);
  level_.resize(row_);
  next_.resize(row_);
  set_boost(span_bonus);
  inside(words, demands, stop);
  if (!(total_ > 0)) return false;
  out_complete_.assign(cells * row_, 0);
  out_turned_.assign(cells * row_, 0);
  out_right_.assign(cells * kStates * row_, 0);
  out_left_.assign(cells * kStates * row_, 0);
  out_scale_.assign(cells, 0);
  out_empty_.assign(cells, 1);
  pulled_right_.resize(kUses * row_);
  pulled_left_.resize(kUses * row_);
  kept_tag_.assign(words.size() * tags_, kPruned);
  any_.assign(cells, 0);
  outside(words, stop);
  for (int i = 0; i < n_; ++i) {
    for (int j = i + 1; j <= n_; ++j) keep(i, j, threshold, words);
  }
  return true;
}

void CoarseChart::inside(std::span<const WordReading> words, const DemandedPhrases& demands,
                         const Stop& stop) {
  for (int width = 1; width <= n_; ++width) {
    stop.check();
    for (int i = 0; i + width <= n_; ++i) {
      const int j = i + width;
      if (demands.crosses(i, j)) continue;
      if (width > 1) join(i, j);
      if (width > 1 && empty_[cell(i, j)]) continue;
      close(i, j, words);
      scale_inside(i, j);
    }
  }
  total_ = 0;
  const std::size_t whole = cell(0, n_);
  for (std::size_t p = 0; p < static_cast<std::size_t>(grammar_->phrases()); ++p) {
    total_ += double{grammar_->top(tags_ + p)} * complete_[whole * row_ + p];
  }
  total_scale_ = scale_[whole];
  if (n_ > 1) return;
  for (const TagCandidate& tag : words[0].tags) {
    total_ += std::ldexp(grammar_->top(tag.tag) * tag.emission, -scale_[whole]);
  }
}

void CoarseChart::set_boost(std::span<const float> span_bonus) {
  const auto phrases = static_cast<std::size_t>(grammar_->phrases());
  boost_.assign(scale_.size() * row_, 1.0F);
  if (span_bonus.empty()) return;
  for (int i = 0; i < n_; ++i) {
    for (int j = i + 1; j <= n_; ++j) {
      const auto given = static_cast<std::size_t>(i * n_ + j - 1) * phrases;
      for (std::size_t p = 0; p < phrases; ++p) {
        boost_[cell(i, j) * row_ + p] = std::exp(span_bonus[given + p]);
      }
    }
  }
}

void CoarseChart::join(int i, int j) {
  const std::size_t here = cell(i, j);
  int scale = INT_MIN;
  for (int k = i + 1; k < j; ++k) {
    if (empty_[cell(i, k)] || empty_[cell(k, j)]) continue;
    scale = std::max(scale, scale_[cell(i, k)] + scale_[cell(k, j)]);
  }
  if (scale == INT_MIN) return;
  empty_[here] = 0;
  scale_[here] = scale;
  float* right = state(right_, i, j);
  float* left = state(left_, i, j);
  for (int k = i + 1; k < j; ++k) {
    if (empty_[cell(i, k)] || empty_[cell(k, j)]) continue;
    const int power = scale_[cell(i, k)] + scale_[cell(k, j)] - scale;
    if (power < kDropped) continue;
    const float factor = std::ldexp(1.0F, power);
    const float* open_right = state(right_, i, k);
    const float* use_right = uses(use_right_, k, j);
    const float* open_left = state(left_, k, j);
    const float* use_left = uses(use_left_, i, k);
    const Rows& first = rows_[cell(i, k)];
    const Rows& second = rows_[cell(k, j)];
    for (std::size_t c = 0; c < kStates; ++c) {
      for (std::size_t d = 0; d < kClasses; ++d) {
        const std::size_t use = c * kClasses + d;
        if (has(first.right, c) && has(second.use_right, use)) {
          add_product(right + (d + 1) * row_, open_right + c * row_, use_right + use * row_, factor,
                      row_);
        }
        if (has(second.left, c) && has(first.use_left, use)) {
          add_product(left + (d + 1) * row_, open_left + c * row_, use_left + use * row_, factor,
                      row_);
        }
      }
    }
  }
}

// From items with modifiers to complete ones, chains over them, and what these can begin or modify.
void CoarseChart::close(int i, int j, std::span<const WordReading> words) {
  const std::size_t here = cell(i, j);
  empty_[here] = 0;
  float* complete = complete_.data() + here * row_;
  float* right = state(right_, i, j);
  float* left = state(left_, i, j);
  float* use_right = uses(use_right_, i, j);
  float* use_left = uses(use_left_, i, j);
  float* turned = turned_.data() + here * row_;
  for (int c = 1; c < kStates; ++c) {
    const auto previous = static_cast<Previous>(c);
    const std::size_t at = static_cast<std::size_t>(c) * row_;
    add_product(turned, right + at, grammar_->stops(Side::right, previous), 1, row_);
    add_product(complete, left + at, grammar_->stops(Side::left, previous), 1, row_);
  }
  add_product(complete, turned, grammar_->stops(Side::left, Previous::start), 1, row_);

  const auto use = [&](std::size_t label, float value) {
    for (const auto& rule : grammar_->openings(label))
      right[rule.target] += value * rule.probability;
    for (const auto& rule : grammar_->modifiers(Side::right, label)) {
      use_right[rule.target] += value * rule.probability;
    }
    for (const auto& rule : grammar_->modifiers(Side::left, label)) {
      use_left[rule.target] += value * rule.probability;
    }
  };
  const auto phrases = static_cast<std::size_t>(grammar_->phrases());
  const float* boost = boost_.data() + here * row_;
  for (std::size_t p = 0; p < row_; ++p) level_[p] = complete[p] * boost[p];
  if (j == i + 1) {
    for (const TagCandidate& tag : words[static_cast<std::size_t>(i)].tags) {
      const auto value = static_cast<float>(tag.emission);
      for (const auto& rule : grammar_->steps(tag.tag)) {
        level_[rule.target] += value * rule.probability * boost[rule.target];
      }
      use(tag.tag, value);
    }
  }
  std::copy(level_.begin(), level_.end(), complete);
  for (int length = 1; length <= CoarseGrammar::kLongestChain; ++length) {
    std::fill(next_.begin(), next_.end(), 0.0F);
    for (std::size_t p = 0; p < phrases; ++p) {
      if (level_[p] == 0) continue;
      for (const auto& rule : grammar_->steps(tags_ + p)) {
        next_[rule.target] += level_[p] * rule.probability;
      }
    }
    for (std::size_t p = 0; p < row_; ++p) complete[p] += next_[p] *= boost[p];
    level_.swap(next_);
  }
  for (std::size_t p = 0; p < phrases; ++p) {
    if (complete[p] > 0) use(tags_ + p, complete[p]);
  }
  std::copy(turned, turned + row_, left);
  add_product(left, right, grammar_->stops(Side::right, Previous::start), 1, row_);
  note_rows(i, j);
}

std::uint16_t CoarseChart::rows_of(const float* rows, int count) const {
  unsigned bits = 0;
  for (int r = 0; r < count; ++r) {
    if (largest(rows + static_cast<std::size_t>(r) * row_, row_) > 0) bits |= 1U << r;
  }
  return static_cast<std::uint16_t>(bits);
}

void CoarseChart::note_rows(int i, int j) {
  rows_[cell(i, j)] = {rows_of(state(right_, i, j), kStates), rows_of(state(left_, i, j), kStates),
                       rows_of(uses(use_right_, i, j), kUses),
                       rows_of(uses(use_left_, i, j), kUses)};
}

void CoarseChart::scale_inside(int i, int j) {
  const std::size_t here = cell(i, j);
  float* right = state(right_, i, j);
  float* left = state(left_, i, j);
  const float best = std::max({largest(complete_.data() + here * row_, row_),
                               largest(right, kStates * row_), largest(left, kStates * row_)});
  if (!(best > 0)) {
    empty_[here] = j > i + 1 ? 1 : 0;
    return;
  }
  const int power = power_of(best);
  const float factor = std::ldexp(1.0F, -power);
  multiply(complete_.data() + here * row_, row_, factor);
  multiply(turned_.data() + here * row_, row_, factor);
  multiply(right, kStates * row_, factor);
  multiply(left, kStates * row_, factor);
  multiply(uses(use_right_, i, j), kUses * row_, factor);
  multiply(uses(use_left_, i, j), kUses * row_, factor);
  scale_[here] += power;
}

void CoarseChart::outside(std::span<const WordReading> words, const Stop& stop) {
  for (int width = n_; width >= 1; --width) {
    stop.check();
    for (int i = 0; i + width <= n_; ++i) {
      if (empty_[cell(i, i + width)]) continue;
      pull(i, i + width);
      open(i, i + width, words);
    }
  }
}

// The power of two by which the outside sums of a span are scaled: that of the largest product of a
// neighbour and a larger span. INT_MIN if there is none.
int CoarseChart::pulled_scale(int i, int j) const {
  if (i == 0 && j == n_) return 0;
  int scale = INT_MIN;
  const auto consider = [&](std::size_t part, std::size_t larger) {
    if (!empty_[part] && !out_empty_[larger]) {
      scale = std::max(scale, scale_[part] + out_scale_[larger]);
    }
  };
  for (int k = 0; k < i; ++k) consider(cell(k, i), cell(k, j));
  for (int k = j + 1; k <= n_; ++k) consider(cell(j, k), cell(i, k));
  return scale;
}

// What that product counts against the scale; 0: nothing.
float CoarseChart::pulled_factor(std::size_t part, std::size_t larger, int scale) const {
  if (empty_[part] || out_empty_[larger]) return 0;
  const int power = scale_[part] + out_scale_[larger] - scale;
  return power < kDropped ? 0.0F : std::ldexp(1.0F, power);
}

// What the larger spans that this one is a part of give it.
void CoarseChart::pull(int i, int j) {
  const int scale = pulled_scale(i, j);
  if (scale == INT_MIN) return;
  const std::size_t here = cell(i, j);
  out_empty_[here] = 0;
  out_scale_[here] = scale;
  std::fill(pulled_right_.begin(), pulled_right_.end(), 0.0F);
  std::fill(pulled_left_.begin(), pulled_left_.end(), 0.0F);
  const Rows& rows = rows_[here];
  for (int k = 0; k < i; ++k) {  // as a right modifier, or as the head part with left modifiers
    const float factor = pulled_factor(cell(k, i), cell(k, j), scale);
    if (factor == 0) continue;
    const Rows& near = rows_[cell(k, i)];
    const Rows& larger = rows_[cell(k, j)];
    pull_modified(state(right_, k, i), state(out_right_, k, j), factor,
                  pairs(near.right, rows.use_right, larger.right), pulled_right_.data());
    pull_head(uses(use_left_, k, i), state(out_left_, k, j), factor,
              pairs(rows.left, near.use_left, larger.left), state(out_left_, i, j));
  }
  for (int k = j + 1; k <= n_; ++k) {  // as a left modifier, or as the head part with right ones
    const float factor = pulled_factor(cell(j, k), cell(i, k), scale);
    if (factor == 0) continue;
    const Rows& near = rows_[cell(j, k)];
    const Rows& larger = rows_[cell(i, k)];
    pull_modified(state(left_, j, k), state(out_left_, i, k), factor,
                  pairs(near.left, rows.use_left, larger.left), pulled_left_.data());
    pull_head(uses(use_right_, j, k), state(out_right_, i, k), factor,
              pairs(rows.right, near.use_right, larger.right), state(out_right_, i, j));
  }
}

// A part with its head in state c and a modifier of class c' make a larger one in state c'.
std::uint16_t CoarseChart::pairs(std::uint16_t states, std::uint16_t uses,
                                 std::uint16_t larger) const {
  unsigned bits = 0;
  for (std::size_t c = 0; c < kStates; ++c) {
    for (std::size_t d = 0; d < kClasses; ++d) {
      const std::size_t pair = c * kClasses + d;
      if (has(states, c) && has(uses, pair) && has(larger, d + 1)) bits |= 1U << pair;
    }
  }
  return static_cast<std::uint16_t>(bits);
}

// What is around the span as a modifier of its neighbour.
void CoarseChart::pull_modified(const float* open, const float* around, float factor,
                                std::uint16_t pairs, float* pulled) const {
  for (std::size_t pair = 0; pair < kUses; ++pair) {
    if (!has(pairs, pair)) continue;
    add_product(pulled + pair * row_, open + pair / kClasses * row_,
                around + (pair % kClasses + 1) * row_, factor, row_);
  }
}

// ... and as the part with the head, which its neighbour modifies.
void CoarseChart::pull_head(const float* use, const float* around, float factor,
                            std::uint16_t pairs, float* head) const {
  for (std::size_t pair = 0; pair < kUses; ++pair) {
    if (!has(pairs, pair)) continue;
    add_product(head + pair / kClasses * row_, use + pair * row_,
                around + (pair % kClasses + 1) * row_, factor, row_);
  }
}

// What is outside a label of the span [i,j) that stands as a head child, a modifier or the root.
float CoarseChart::used(std::size_t label, const float* out_right, bool whole) const {
  float sum = whole ? grammar_->top(label) : 0.0F;
  for (const auto& rule : grammar_->openings(label)) {
    sum += out_right[rule.target] * rule.probability;
  }
  for (const auto& rule : grammar_->modifiers(Side::right, label)) {
    sum += pulled_right_[rule.target] * rule.probability;
  }
  for (const auto& rule : grammar_->modifiers(Side::left, label)) {
    sum += pulled_left_[rule.target] * rule.probability;
  }
  return sum;
}

// Down the chains of single children: complete phrases, and tags over one word.
void CoarseChart::open_chains(int i, int j, std::span<const WordReading> words) {
  const std::size_t here = cell(i, j);
  const float* out_right = state(out_right_, i, j);
  const bool whole = i == 0 && j == n_;
  const float* boost = boost_.data() + here * row_;
  // One step up, to what is outside the phrases that are a step up.
  const auto step = [&](std::size_t label, const std::vector<float>& above) {
    float sum = 0;
    for (const auto& rule : grammar_->steps(label)) {
      sum += above[rule.target] * boost[rule.target] * rule.probability;
    }
    return sum;
  };
  const auto phrases = static_cast<std::size_t>(grammar_->phrases());
  std::fill(chained_.begin(), chained_.end(), 0.0F);
  for (std::size_t p = 0; p < phrases; ++p) {
    if (complete_[here * row_ + p] > 0) chained_[p] = used(tags_ + p, out_right, whole);
  }
  level_ = chained_;
  for (int length = 1; length <= CoarseGrammar::kLongestChain; ++length) {
    for (std::size_t p = 0; p < phrases; ++p) next_[p] = chained_[p] + step(tags_ + p, level_);
    level_.swap(next_);
  }
  std::copy(level_.begin(), level_.end(),
            out_complete_.begin() + static_cast<std::ptrdiff_t>(here * row_));
  if (j > i + 1) return;
  for (const TagCandidate& tag : words[static_cast<std::size_t>(i)].tags) {
    kept_tag_[static_cast<std::size_t>(i) * tags_ + tag.tag] =
        used(tag.tag, out_right, whole) + step(tag.tag, level_);
  }
}

// close() backwards.
void CoarseChart::open(int i, int j, std::span<const WordReading> words) {
  const std::size_t here = cell(i, j);
  if (out_empty_[here]) return;
  float* out_complete = out_complete_.data() + here * row_;
  float* out_right = state(out_right_, i, j);
  float* out_left = state(out_left_, i, j);
  float* out_turned = out_turned_.data() + here * row_;
  std::copy(out_left, out_left + row_, out_turned);
  add_product(out_right, out_left, grammar_->stops(Side::right, Previous::start), 1, row_);
  open_chains(i, j, words);
  const float* boost = boost_.data() + here * row_;
  for (std::size_t p = 0; p < row_; ++p) chained_[p] = out_complete[p] * boost[p];
  add_product(out_turned, chained_.data(), grammar_->stops(Side::left, Previous::start), 1, row_);
  for (int c = 1; c < kStates; ++c) {
    const auto previous = static_cast<Previous>(c);
    const std::size_t at = static_cast<std::size_t>(c) * row_;
    add_product(out_left + at, chained_.data(), grammar_->stops(Side::left, previous), 1, row_);
    add_product(out_right + at, out_turned, grammar_->stops(Side::right, previous), 1, row_);
  }
  scale_outside(i, j);
}

void CoarseChart::scale_outside(int i, int j) {
  const std::size_t here = cell(i, j);
  float* out_complete = out_complete_.data() + here * row_;
  float* out_right = state(out_right_, i, j);
  float* out_left = state(out_left_, i, j);
  float* tags = kept_tag_.data() + static_cast<std::size_t>(i) * tags_;
  const bool word = j == i + 1;  // perhaps one over which no phrase stands
  const float best = std::max({largest(out_complete, row_), largest(out_right, kStates * row_),
                               largest(out_left, kStates * row_), word ? largest(tags, tags_) : 0});
  if (!(best > 0)) {
    out_empty_[here] = 1;
    return;
  }
  const int power = power_of(best);
  const float factor = std::ldexp(1.0F, -power);
  multiply(out_complete, row_, factor);
  multiply(out_turned_.data() + here * row_, row_, factor);
  multiply(out_right, kStates * row_, factor);
  multiply(out_left, kStates * row_, factor);
  if (word) multiply(tags, tags_, factor);
  out_scale_[here] += power;
}

void CoarseChart::keep(int i, int j, double threshold, std::span<const WordReading> words) {
  const std::size_t here = cell(i, j);
  const bool dead = empty_[here] || out_empty_[here];
  const double least =
      dead ? 0
           : threshold * total_ * std::ldexp(1.0, total_scale_ - scale_[here] - out_scale_[here]);
  const float log_scale = dead ? 0 : static_cast<float>(out_scale_[here] * std::log(2.0));
  const auto kept = [&](float in, float out) {
    const bool good = !dead && out > 0 && double{in} * out >= least;
    if (good) any_[here] = 1;
    return good ? std::log(out) + log_scale : kPruned;
  };
  if (j == i + 1) {
    float* outs = kept_tag_.data() + static_cast<std::size_t>(i) * tags_;
    std::vector<float> old(outs, outs + tags_);
    std::fill(outs, outs + tags_, kPruned);
    for (const TagCandidate& tag : words[static_cast<std::size_t>(i)].tags) {
      const auto in = static_cast<float>(std::ldexp(tag.emission, -scale_[here]));
      outs[tag.tag] = kept(in, old[tag.tag]);
    }
  }
  const auto keep_rows = [&](const std::vector<float>& in, std::vector<float>& out,
                             std::size_t width) {
    for (std::size_t p = here * width; p < (here + 1) * width; ++p) out[p] = kept(in[p], out[p]);
  };
  keep_rows(complete_, out_complete_, row_);
  keep_rows(turned_, out_turned_, row_);
  keep_rows(right_, out_right_, kStates * row_);
  keep_rows(left_, out_left_, kStates * row_);
}

}  // namespace copse::generative
