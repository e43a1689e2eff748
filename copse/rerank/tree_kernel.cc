#include "copse/rerank/tree_kernel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "copse/base/error.h"

namespace copse {

void check_lambda(double lambda) {
  if (!(lambda >= 0 && lambda <= 1)) throw usage_error("lambda must be between 0 and 1");
}

KernelTree::KernelTree(const TreeForest& list, std::size_t candidate) {
  const auto occurrences = list.nodes_of(candidate);
  std::vector<std::uint32_t> nodes(occurrences.begin(), occurrences.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::ranges::stable_sort(nodes, {}, [&](std::uint32_t node) { return list.production[node]; });
  std::vector<std::uint32_t> number(list.nodes(), TreeForest::kNone);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) number[nodes[i]] = i;
  count.assign(nodes.size(), 0.0);
  for (const std::uint32_t node : occurrences) ++count[number[node]];
  child_begin.push_back(0);
  for (const std::uint32_t node : nodes) {
    production.push_back(list.production[node]);
    for (const std::uint32_t c : list.children(node)) {
      child.push_back(c == TreeForest::kNone ? c : number[c]);
    }
    child_begin.push_back(static_cast<std::uint32_t>(child.size()));
  }
  order.resize(nodes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return nodes[i]; });
}

double tree_kernel(const KernelTree& x, const KernelTree& y, double lambda,
                   TreeKernelScratch& scratch) {
  const std::size_t width = y.nodes();
  if (scratch.common.size() < x.nodes() * width) scratch.common.resize(x.nodes() * width);
  scratch.run.assign(x.nodes() * 2, 0);
  // Runs of equal productions.
  for (std::size_t i = 0, j = 0; i < x.nodes() && j < width;) {
    if (x.production[i] < y.production[j]) {
      ++i;
    } else if (y.production[j] < x.production[i]) {
      ++j;
    } else {
      std::size_t end = j + 1;
      while (end < width && y.production[end] == y.production[j]) ++end;
      for (const std::uint32_t same = x.production[i]; i < x.nodes() && x.production[i] == same;
           ++i) {
        scratch.run[std::size_t{2} * i] = static_cast<std::uint32_t>(j);
        scratch.run[std::size_t{2} * i + 1] = static_cast<std::uint32_t>(end);
      }
      j = end;
    }
  }
  double sum = 0;
  for (const std::uint32_t i : x.order) {
    const std::uint32_t* children = x.child.data() + x.child_begin[i];
    const std::size_t arity = x.child_begin[i + 1] - x.child_begin[i];
    for (std::uint32_t j = scratch.run[std::size_t{2} * i]; j < scratch.run[std::size_t{2} * i + 1];
         ++j) {
      const std::uint32_t* others = y.child.data() + y.child_begin[j];
      double value = lambda;
      for (std::size_t c = 0; c < arity; ++c) {
        const std::uint32_t a = children[c], b = others[c];
        // Children of one production were met before: their value is of this evaluation.
        if (a != TreeForest::kNone && b != TreeForest::kNone &&
            x.production[a] == y.production[b]) {
          value *= scratch.common[a * width + b];
        }
      }
      scratch.common[i * width + j] = 1 + value;
      sum += x.count[i] * y.count[j] * value;
    }
  }
  return sum;
}

double normalised_tree_kernel(const KernelTree& x, const KernelTree& y, double lambda,
                              TreeKernelScratch& scratch) {
  const double xx = tree_kernel(x, x, lambda, scratch);
  const double yy = tree_kernel(y, y, lambda, scratch);
  if (!(xx > 0 && yy > 0)) return 0;
  return tree_kernel(x, y, lambda, scratch) / std::sqrt(xx) / std::sqrt(yy);
}

ListKernels::ListKernels(const TreeForest& list, double lambda)
    : list_(list),
      by_production_(list.nodes()),
      run_begin_(list.nodes()),
      run_end_(list.nodes()),
      row_(list.nodes()) {
  std::iota(by_production_.begin(), by_production_.end(), 0U);
  std::ranges::stable_sort(by_production_, {}, [&](auto node) { return list.production[node]; });
  std::vector<std::uint32_t> place(list.nodes());
  for (std::uint32_t begin = 0; begin < by_production_.size();) {
    std::uint32_t end = begin;
    const std::uint32_t production = list.production[by_production_[begin]];
    while (end < by_production_.size() && list.production[by_production_[end]] == production) ++end;
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t node = by_production_[i];
      run_begin_[node] = begin;
      run_end_[node] = end;
      place[node] = i - begin;
    }
    begin = end;
  }
  for (std::size_t node = 0; node < list.nodes(); ++node) {
    row_[node] = common_.size();
    const auto children = list.children(node);
    for (std::uint32_t i = run_begin_[node]; i < run_end_[node]; ++i) {
      const std::uint32_t other = by_production_[i];
      // Symmetric, and of two different nodes the later one may not have its children done yet.
      if (other > node) {
        common_.push_back(0);
        continue;
      }
      const auto others = list.children(other);
      double value = lambda;
      for (std::size_t c = 0; c < children.size(); ++c) {
        std::uint32_t a = children[c], b = others[c];
        if (a == TreeForest::kNone || b == TreeForest::kNone) continue;
        if (list.production[a] != list.production[b]) continue;
        if (a < b) std::swap(a, b);
        value *= 1 + common_[row_[a] + place[b]];
      }
      common_.push_back(value);
    }
  }
}

double ListKernels::product(std::span<const double> a, std::span<const double> b) const {
  double sum = 0;
  for (std::size_t node = 0; node < list_.nodes(); ++node) {
    if (a[node] == 0 && b[node] == 0) continue;
    for (std::uint32_t i = run_begin_[node]; i < run_end_[node]; ++i) {
      const std::uint32_t other = by_production_[i];
      if (other > node) continue;
      const double value = common_[row_[node] + (i - run_begin_[node])];
      sum += (other == node ? a[node] * b[node] : a[node] * b[other] + a[other] * b[node]) * value;
    }
  }
  return sum;
}

std::vector<double> ListKernels::self() const {
  std::vector<double> result;
  std::vector<double> count(list_.nodes());
  for (std::size_t j = 0; j < list_.size(); ++j) {
    std::ranges::fill(count, 0.0);
    for (const std::uint32_t node : list_.nodes_of(j)) ++count[node];
    result.push_back(product(count, count));
  }
  return result;
}

}  // namespace copse
