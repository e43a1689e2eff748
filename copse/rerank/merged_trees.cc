#include "copse/rerank/merged_trees.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "copse/base/error.h"
#include "copse/rerank/tree_kernel.h"

namespace copse {
namespace {

// A child of the node that is scored: its production and its row.
struct ListChild {
  std::uint32_t production;
  const double* row;
};

}  // namespace

MergedTrees::MergedTrees(double lambda) : lambda_(lambda) {
  check_lambda(lambda);
}

double MergedTrees::weight(std::uint32_t node) const {
  return groups_[production(node)].weights[slot_[node]];
}

std::span<const std::uint32_t> MergedTrees::nodes_of(std::uint32_t production) const {
  const Group* found = group(production);
  return found ? std::span<const std::uint32_t>(found->nodes) : std::span<const std::uint32_t>();
}

std::uint32_t MergedTrees::intern(std::span<const std::uint32_t> sequence) {
  const std::uint32_t before = shared_.size();
  const auto arity = static_cast<std::uint32_t>(sequence.size() - 1);
  const std::uint32_t production = sequence[0];
  if (production >= groups_.size()) groups_.resize(production + std::size_t{1});
  Group& group = groups_[production];
  if ((!group.nodes.empty() && group.arity != arity) ||
      std::ranges::any_of(sequence.subspan(1), [&](auto child) { return child >= before; })) {
    throw data_error("a sub-tree has children that are not there");
  }
  const std::uint32_t node = shared_.add(sequence);
  if (node < before) return node;
  slot_.push_back(static_cast<std::uint32_t>(group.nodes.size()));
  group.arity = arity;
  group.nodes.push_back(node);
  group.weights.push_back(0.0);
  for (const std::uint32_t child : sequence.subspan(1)) {
    group.children.push_back({this->production(child), slot_[child] + 1});
  }
  return node;
}

void MergedTrees::add_weight(std::uint32_t node, double weight) {
  groups_[production(node)].weights[slot_[node]] += weight;
}

void MergedTrees::scale_weights(double factor) {
  for (Group& group : groups_) {
    for (double& weight : group.weights) weight *= factor;
  }
}

void MergedTrees::add(const TreeForest& list, std::span<const RankingCoefficient> coefficients,
                      std::span<const double> scales, std::vector<NodeWeight>* changes) {
  std::vector<double> change(list.nodes(), 0.0);
  for (const auto& c : coefficients) {
    const double weight = c.weight * (scales.empty() ? 1.0 : scales[c.candidate]);
    for (const std::uint32_t node : list.nodes_of(c.candidate)) change[node] += weight;
  }
  std::vector<char> needed(list.nodes(), 0);
  for (std::size_t node = list.nodes(); node-- > 0;) {
    if (change[node] != 0) needed[node] = 1;
    if (!needed[node]) continue;
    for (const std::uint32_t child : list.children(node)) needed[child] = 1;
  }
  std::vector<std::uint32_t> number(list.nodes(), 0), sequence;
  for (std::size_t node = 0; node < list.nodes(); ++node) {
    if (!needed[node]) continue;
    sequence.assign(1, list.production[node]);
    for (const std::uint32_t child : list.children(node)) sequence.push_back(number[child]);
    number[node] = intern(sequence);
    if (change[node] == 0) continue;
    add_weight(number[node], change[node]);
    if (changes) changes->push_back({number[node], change[node]});
  }
}

namespace {

// The rows of one group against one node; with the number of children known the loop unrolls.
template <std::size_t kArity, class Child>
double fill(std::span<const Child> children, std::span<const double> weights,
            std::span<const ListChild> list_children, double lambda, double* row) {
  const std::size_t arity = kArity == 0 ? list_children.size() : kArity;
  double sum = 0;
  const Child* child = children.data();
  for (std::size_t u = 0; u < weights.size(); ++u, child += arity) {
    double value = lambda;
    for (std::size_t c = 0; c < arity; ++c) {
      const ListChild& other = list_children[c];
      // Entry 0 of a row is 1: no branch for children that differ.
      value *= other.row[child[c].production == other.production ? child[c].entry : 0];
    }
    row[u + 1] = 1 + value;
    sum += weights[u] * value;
  }
  return sum;
}

constexpr double kOne = 1;

}  // namespace

double MergedTrees::fill_row(const Group& group, const TreeForest& list, std::size_t node,
                             Scratch& scratch) const {
  double* row = scratch.rows.data() + scratch.row[node];
  if (group.arity == 0) {  // at most one sub-tree
    double sum = 0;
    for (std::size_t u = 0; u < group.nodes.size(); ++u) {
      row[u + 1] = 1 + lambda_;
      sum += group.weights[u] * lambda_;
    }
    return sum;
  }
  constexpr std::size_t kFew = 16;
  std::array<ListChild, kFew> few;
  std::vector<ListChild> many;
  const auto children = list.children(node);
  if (children.size() > kFew) many.resize(children.size());
  const std::span<ListChild> list_children =
      children.size() > kFew ? std::span(many) : std::span(few).first(children.size());
  for (std::size_t c = 0; c < children.size(); ++c) {
    const std::uint32_t child = children[c];
    list_children[c] =
        child == TreeForest::kNone
            ? ListChild{UINT32_MAX, &kOne}
            : ListChild{list.production[child], scratch.rows.data() + scratch.row[child]};
  }
  const std::span<const Child> refs = group.children;
  const std::span<const double> weights = group.weights;
  switch (group.arity) {
    case 1:
      return fill<1>(refs, weights, list_children, lambda_, row);
    case 2:
      return fill<2>(refs, weights, list_children, lambda_, row);
    case 3:
      return fill<3>(refs, weights, list_children, lambda_, row);
    default:
      return fill<0>(refs, weights, list_children, lambda_, row);
  }
}

void MergedTrees::score_nodes(const TreeForest& list, Scratch& scratch) const {
  scratch.row.resize(list.nodes());
  scratch.node_scores.assign(list.nodes(), 0.0);
  std::uint64_t size = 0;
  for (std::size_t node = 0; node < list.nodes(); ++node) {
    scratch.row[node] = size;
    const Group* found = group(list.production[node]);
    size += 1 + (found ? found->nodes.size() : 0);
  }
  if (scratch.rows.size() < size) scratch.rows.resize(size);
  for (std::size_t node = 0; node < list.nodes(); ++node) {
    scratch.rows[scratch.row[node]] = 1;
    const Group* found = group(list.production[node]);
    if (!found || found->nodes.empty()) continue;
    if (found->arity != list.children(node).size()) {
      throw data_error("a production has another number of children than in the model");
    }
    scratch.node_scores[node] = fill_row(*found, list, node, scratch);
  }
}

void MergedTrees::score(const TreeForest& list, std::span<double> out, Scratch& scratch) const {
  score_nodes(list, scratch);
  for (std::size_t j = 0; j < list.size(); ++j) {
    double sum = 0;
    for (const std::uint32_t node : list.nodes_of(j)) sum += scratch.node_scores[node];
    out[j] = sum;
  }
}

std::vector<double> MergedTrees::self() const {
  std::vector<double> result(nodes());
  for (std::uint32_t node = 0; node < nodes(); ++node) {
    double value = lambda_;
    for (const std::uint32_t child : children(node)) value *= 1 + result[child];
    result[node] = value;
  }
  return result;
}

std::size_t MergedTrees::weighted_nodes() const {
  std::size_t count = 0;
  for (const Group& group : groups_) {
    count += static_cast<std::size_t>(
        std::ranges::count_if(group.weights, [](double weight) { return weight != 0; }));
  }
  return count;
}

MergedTrees MergedTrees::within_budget(double least) const {
  const std::vector<double> common = self();
  std::vector<char> kept(nodes(), 0), needed(nodes(), 0);
  for (std::uint32_t node = nodes(); node-- > 0;) {
    const double weight = this->weight(node);
    kept[node] = weight != 0 && std::abs(weight) * common[node] >= least ? 1 : 0;
    if (kept[node]) needed[node] = 1;
    if (!needed[node]) continue;
    for (const std::uint32_t child : children(node)) needed[child] = 1;
  }
  MergedTrees result(lambda_);
  std::vector<std::uint32_t> number(nodes(), 0), sequence;
  for (std::uint32_t node = 0; node < nodes(); ++node) {
    if (!needed[node]) continue;
    sequence.assign(1, production(node));
    for (const std::uint32_t child : children(node)) sequence.push_back(number[child]);
    number[node] = result.intern(sequence);
    if (kept[node]) result.add_weight(number[node], weight(node));
  }
  return result;
}

}  // namespace copse
