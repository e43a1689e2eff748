#include "copse/rerank/tagging_kernel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "copse/base/error.h"
#include "copse/rerank/tree_kernel.h"

namespace copse {
namespace {

constexpr std::size_t kBlock = 512;  // rows of a block and their successors stay in the cache
constexpr double kNoWord = -1;       // a word or label that is not known equals nothing

double as_double(std::uint32_t number) {
  return number == TagList::kNone ? kNoWord : static_cast<double>(number);
}

// row[u] = [label[u] = wanted] similar[u] (1 + lambda before[u]); `before` is the row of the next
// node moved by one.
void fill_row(const double* label, double wanted, const double* similar, const double* before,
              double lambda, std::size_t size, double* row) {
  for (std::size_t u = 0; u < size; ++u) {
    const double value = similar[u] * (1 + lambda * before[u]);
    row[u] = label[u] == wanted ? value : 0.0;
  }
}

void fill_similar(const double* word, const double* kind, double wanted_word, double wanted_kind,
                  const TagSimilarity& similarity, std::size_t size, double* similar) {
  for (std::size_t u = 0; u < size; ++u) {
    similar[u] = 1 + (word[u] == wanted_word ? similarity.word : 0.0) +
                 (kind[u] == wanted_kind ? similarity.shape : 0.0);
  }
}

// A fixed order of summation, four sums side by side.
double dot(const double* a, const double* b, std::size_t size) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t u = 0;
  for (; u + 4 <= size; u += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += a[u + k] * b[u + k];
  }
  double rest = 0;
  for (; u < size; ++u) rest += a[u] * b[u];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
}

}  // namespace

double tagging_kernel(const TagList& x, std::size_t i, const TagList& y, std::size_t j,
                      double lambda, const TagSimilarity& similarity) {
  std::vector<std::uint32_t> a, b;
  x.for_each_node(i, [&](std::uint32_t node) { a.push_back(node); });
  y.for_each_node(j, [&](std::uint32_t node) { b.push_back(node); });
  std::vector<double> after(b.size() + 1, 0.0);
  double sum = 0;
  for (std::size_t k = a.size(); k-- > 0;) {
    for (std::size_t l = 0; l < b.size(); ++l) {  // after[l + 1] is still of the position before
      double value = 0;
      if (x.label[a[k]] != TagList::kNone && x.label[a[k]] == y.label[b[l]]) {
        const bool words = x.word[k] != TagList::kNone && x.word[k] == y.word[l];
        value = (1 + (words ? similarity.word : 0) +
                 (x.word_class[k] == y.word_class[l] ? similarity.shape : 0)) *
                (1 + lambda * after[l + 1]);
      }
      after[l] = value;
      sum += value;
    }
  }
  return sum;
}

MergedTags::MergedTags(double lambda, const TagSimilarity& similarity)
    : lambda_(lambda), similarity_(similarity) {
  check_lambda(lambda);
  if (!(similarity.word >= 0 && similarity.shape >= 0)) {
    throw usage_error("the weights of similar words must not be negative");
  }
}

void MergedTags::push(std::uint32_t label, std::uint32_t word, std::uint8_t word_class,
                      std::uint32_t next, double weight) {
  const auto node = static_cast<std::uint32_t>(weight_.size());
  if (next == TagList::kNone || next + 1 != node) exceptions_.push_back({node, next});
  label_.push_back(as_double(label));
  word_.push_back(as_double(word));
  class_.push_back(static_cast<double>(word_class));
  weight_.push_back(weight);
}

void MergedTags::end_piece(std::size_t begin, std::size_t first_exception) {
  const std::size_t end = weight_.size();
  piece_end_.push_back(end);
  if (blocks_.empty() || end - blocks_.back().begin > kBlock) {
    blocks_.push_back({begin, end, first_exception, exceptions_.size()});
  } else {
    blocks_.back().end = end;
    blocks_.back().last = exceptions_.size();
  }
}

void MergedTags::add(const TagList& list, std::span<const RankingCoefficient> coefficients,
                     std::span<const double> scales) {
  std::vector<double> change(list.nodes(), 0.0);
  for (const auto& c : coefficients) {
    const double weight = c.weight * (scales.empty() ? 1.0 : scales[c.candidate]);
    list.for_each_node(c.candidate, [&](std::uint32_t node) { change[node] += weight; });
  }
  std::vector<char> needed(list.nodes(), 0);
  for (std::size_t node = list.nodes(); node-- > 0;) {
    if (change[node] != 0) needed[node] = 1;
    if (needed[node] && list.next[node] != TagList::kNone) needed[list.next[node]] = 1;
  }
  const std::size_t begin = weight_.size(), first_exception = exceptions_.size();
  std::vector<std::uint32_t> number(list.nodes(), TagList::kNone);
  for (std::size_t node = 0; node < list.nodes(); ++node) {
    if (!needed[node]) continue;
    number[node] = static_cast<std::uint32_t>(weight_.size());
    const std::uint32_t next = list.next[node], position = list.position[node];
    push(list.label[node], list.word[position], list.word_class[position],
         next == TagList::kNone ? next : number[next], change[node]);
  }
  end_piece(begin, first_exception);
}

template <class Visit>
void MergedTags::for_each_row(const TagList& list, const Block& block, Scratch& scratch,
                              Visit visit) const {
  const std::size_t size = block.end - block.begin;
  const std::size_t stride = size + 1;  // entry 0 of a row stands before the first node
  // Two generations: rows of a position and of the one to its right; row 0 is that of no node.
  std::size_t widest = 0;
  for (std::size_t i = 0; i < scratch.order.size();) {
    std::size_t end = i;
    while (end < scratch.order.size() &&
           list.position[scratch.order[end]] == list.position[scratch.order[i]]) {
      ++end;
    }
    widest = std::max(widest, end - i);
    i = end;
  }
  // The first node of a block ends a sentence: what stands before it is never used.
  if (scratch.rows.size() < (2 * widest + 1) * stride) {
    scratch.rows.resize((2 * widest + 1) * stride);
  }
  std::fill_n(scratch.rows.begin(), stride, 0.0);
  scratch.similar.resize(size);
  scratch.row.resize(list.nodes());
  std::size_t generation = 0;
  for (std::size_t i = 0; i < scratch.order.size(); generation ^= 1) {
    const std::uint32_t position = list.position[scratch.order[i]];
    fill_similar(word_.data() + block.begin, class_.data() + block.begin,
                 list.word[position] == TagList::kNone ? -2 : as_double(list.word[position]),
                 static_cast<double>(list.word_class[position]), similarity_, size,
                 scratch.similar.data());
    for (std::size_t k = 0; i < scratch.order.size() && list.position[scratch.order[i]] == position;
         ++i, ++k) {
      const std::uint32_t node = scratch.order[i];
      scratch.row[node] = static_cast<std::uint32_t>(1 + generation * widest + k);
      double* row = scratch.rows.data() + scratch.row[node] * stride;
      const std::uint32_t next = list.next[node];
      const double* before =
          scratch.rows.data() + (next == TagList::kNone ? 0 : scratch.row[next]) * stride;
      const double wanted = list.label[node] == TagList::kNone ? -2 : as_double(list.label[node]);
      fill_row(label_.data() + block.begin, wanted, scratch.similar.data(), before, lambda_, size,
               row + 1);
      for (std::size_t e = block.first; e < block.last; ++e) {
        const Exception& exception = exceptions_[e];
        const std::size_t u = exception.node - block.begin;
        const double after =
            exception.next == TagList::kNone ? 0 : before[exception.next - block.begin + 1];
        row[u + 1] =
            label_[exception.node] == wanted ? scratch.similar[u] * (1 + lambda_ * after) : 0.0;
      }
      visit(node, row + 1);
    }
  }
}

namespace {

// Nodes by position, the last first.
void order_nodes(const TagList& list, std::vector<std::uint32_t>& order) {
  order.resize(list.nodes());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater(), [&](auto node) { return list.position[node]; });
}

}  // namespace

void MergedTags::score_nodes(const TagList& list, Scratch& scratch) const {
  order_nodes(list, scratch.order);
  scratch.node_scores.assign(list.nodes(), 0.0);
  for (const Block& block : blocks_) {
    for_each_row(list, block, scratch, [&](std::uint32_t node, const double* row) {
      scratch.node_scores[node] += dot(weight_.data() + block.begin, row, block.end - block.begin);
    });
  }
}

void MergedTags::score(const TagList& list, std::span<double> out, Scratch& scratch) const {
  score_nodes(list, scratch);
  for (std::size_t j = 0; j < list.size(); ++j) {
    double sum = 0;
    list.for_each_node(j, [&](std::uint32_t node) { sum += scratch.node_scores[node]; });
    out[j] = sum;
  }
}

std::vector<double> MergedTags::score_updates(const TagList& list, Scratch& scratch) const {
  order_nodes(list, scratch.order);
  std::vector<std::vector<std::uint32_t>> owners(list.nodes());
  for (std::uint32_t j = 0; j < list.size(); ++j) {
    list.for_each_node(j, [&](std::uint32_t node) { owners[node].push_back(j); });
  }
  std::vector<double> out(updates() * list.size(), 0.0);
  std::size_t piece = 0;
  for (const Block& block : blocks_) {
    const std::size_t first = piece;
    while (piece < updates() && piece_end_[piece] <= block.end) ++piece;
    for_each_row(list, block, scratch, [&](std::uint32_t node, const double* row) {
      std::size_t begin = block.begin;
      for (std::size_t m = first; m < piece; ++m) {
        const std::size_t end = piece_end_[m];
        const double value = dot(weight_.data() + begin, row + (begin - block.begin), end - begin);
        for (const std::uint32_t j : owners[node]) out[m * list.size() + j] += value;
        begin = end;
      }
    });
  }
  return out;
}

void MergedTags::scale_weights(double factor) {
  for (double& weight : weight_) weight *= factor;
}

MergedTags::Columns MergedTags::columns() const {
  const auto number = [](double value) {
    return value < 0 ? TagList::kNone : static_cast<std::uint32_t>(value);
  };
  Columns columns;
  for (std::size_t u = 0; u < weight_.size(); ++u) {
    columns.label.push_back(number(label_[u]));
    columns.word.push_back(number(word_[u]));
    columns.word_class.push_back(static_cast<std::uint8_t>(class_[u]));
    columns.next.push_back(static_cast<std::uint32_t>(u - 1));
  }
  for (const Exception& exception : exceptions_) columns.next[exception.node] = exception.next;
  columns.weight = weight_;
  columns.piece_end = piece_end_;
  return columns;
}

MergedTags MergedTags::from(const Columns& columns, double lambda,
                            const TagSimilarity& similarity) {
  MergedTags result(lambda, similarity);
  const std::size_t size = columns.weight.size();
  if (columns.label.size() != size || columns.word.size() != size || columns.next.size() != size ||
      columns.word_class.size() != size ||
      (columns.piece_end.empty() ? size != 0 : columns.piece_end.back() != size)) {
    throw data_error("the columns of the tag sequences are not equally long");
  }
  std::size_t begin = 0;
  for (const std::uint64_t end : columns.piece_end) {
    if (end < begin || end > size) throw data_error("the pieces of the tag sequences do not rise");
    const std::size_t first_exception = result.exceptions_.size();
    for (std::size_t u = begin; u < end; ++u) {
      const std::uint32_t next = columns.next[u];
      if (!std::isfinite(columns.weight[u]) ||
          (next != TagList::kNone && (next < begin || next >= u))) {
        throw data_error("a tag sequence goes on where there is nothing");
      }
      result.push(columns.label[u], columns.word[u], columns.word_class[u], next,
                  columns.weight[u]);
    }
    result.end_piece(begin, first_exception);
    begin = end;
  }
  return result;
}

void MergedTags::keep_within(double least) {
  const Columns all = columns();
  std::vector<double> self(all.weight.size());
  for (std::size_t u = 0; u < self.size(); ++u) {
    const double after = all.next[u] == TagList::kNone ? 0 : self[all.next[u]];
    self[u] = (1 + similarity_.word + similarity_.shape) * (1 + lambda_ * after);
  }
  std::vector<char> kept(self.size(), 0), needed(self.size(), 0);
  for (std::size_t u = self.size(); u-- > 0;) {
    kept[u] = all.weight[u] != 0 && std::abs(all.weight[u]) * self[u] >= least ? 1 : 0;
    if (kept[u]) needed[u] = 1;
    if (needed[u] && all.next[u] != TagList::kNone) needed[all.next[u]] = 1;
  }
  MergedTags smaller(lambda_, similarity_);
  std::vector<std::uint32_t> number(self.size(), TagList::kNone);
  std::size_t u = 0;
  for (const std::uint64_t end : all.piece_end) {
    const std::size_t begin = smaller.weight_.size();
    const std::size_t first_exception = smaller.exceptions_.size();
    for (; u < end; ++u) {
      if (!needed[u]) continue;
      number[u] = static_cast<std::uint32_t>(smaller.weight_.size());
      const std::uint32_t next = all.next[u];
      smaller.push(all.label[u], all.word[u], all.word_class[u],
                   next == TagList::kNone ? next : number[next], kept[u] ? all.weight[u] : 0.0);
    }
    smaller.end_piece(begin, first_exception);
  }
  *this = std::move(smaller);
}

}  // namespace copse
