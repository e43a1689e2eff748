#include "copse/rerank/kernel_rows.h"

#include <algorithm>
#include <map>

#include "copse/rerank/tree_kernel.h"

namespace copse {

KernelRows::KernelRows(std::span<const TreeForest> lists, double lambda) : lambda_(lambda) {
  check_lambda(lambda);
  // Shared sub-trees, and how often each tree has them.
  SequenceIds shared;
  std::vector<std::vector<Posting>> by_node;
  std::vector<std::uint32_t> number, sequence;
  for (const TreeForest& list : lists) {
    number.assign(list.nodes(), 0);
    for (std::size_t node = 0; node < list.nodes(); ++node) {
      sequence.assign(1, list.production[node]);
      for (const std::uint32_t child : list.children(node)) sequence.push_back(number[child]);
      number[node] = shared.add(sequence);
    }
    by_node.resize(shared.size());
    for (std::size_t j = 0; j < list.size(); ++j, ++trees_) {
      for (const std::uint32_t node : list.nodes_of(j)) {
        auto& postings = by_node[number[node]];
        const auto tree = static_cast<std::uint32_t>(trees_);
        if (postings.empty() || postings.back().tree != tree) postings.push_back({tree, 0});
        ++postings.back().count;
      }
    }
  }
  // Groups.
  std::vector<std::vector<std::uint32_t>> members;
  std::vector<std::uint32_t> slot(shared.size());
  for (std::uint32_t node = 0; node < shared.size(); ++node) {
    const std::uint32_t production = shared.sequence(node)[0];
    if (production >= members.size()) members.resize(production + std::size_t{1});
    slot[node] = static_cast<std::uint32_t>(members[production].size());
    members[production].push_back(node);
  }
  groups_.resize(members.size());
  for (std::uint32_t p = 0; p < members.size(); ++p) {
    Group& group = groups_[p];
    group.nodes.begin = node_postings_.size();
    std::map<std::uint32_t, float> per_tree;
    std::map<std::pair<std::size_t, std::uint32_t>, std::vector<Child>> below;
    for (const std::uint32_t node : members[p]) {
      node_postings_.push_back({postings_.size(), postings_.size() + by_node[node].size()});
      for (const Posting& posting : by_node[node]) {
        postings_.push_back(posting);
        per_tree[posting.tree] += posting.count;
      }
      const auto parts = shared.sequence(node);
      for (std::size_t c = 1; c < parts.size(); ++c) {
        below[{c - 1, shared.sequence(parts[c])[0]}].push_back({slot[node], slot[parts[c]]});
      }
    }
    group.nodes.end = node_postings_.size();
    group.trees.begin = tree_postings_.size();
    for (const auto& [tree, count] : per_tree) tree_postings_.push_back({tree, count});
    group.trees.end = tree_postings_.size();
    for (const auto& [place, entries] : below) {
      below_[{p, static_cast<std::uint32_t>(place.first), place.second}] = {
          children_.size(), children_.size() + entries.size()};
      children_.insert(children_.end(), entries.begin(), entries.end());
    }
  }
}

void KernelRows::row(const TreeForest& list, std::size_t candidate, std::span<double> out,
                     Scratch& scratch) const {
  std::ranges::fill(out, 0.0);
  scratch.count.assign(list.nodes(), 0.0);
  for (const std::uint32_t node : list.nodes_of(candidate)) ++scratch.count[node];
  constexpr std::uint64_t kNoRow = UINT64_MAX;
  scratch.row.assign(list.nodes(), kNoRow);
  std::uint64_t used = 0;
  for (std::size_t node = 0; node < list.nodes(); ++node) {
    const double count = scratch.count[node];
    const std::uint32_t production = list.production[node];
    if (count == 0 || production >= groups_.size()) continue;
    const Group& group = groups_[production];
    const std::uint64_t size = group.nodes.end - group.nodes.begin;
    if (size == 0) continue;
    for (std::uint64_t i = group.trees.begin; i < group.trees.end; ++i) {
      out[tree_postings_[i].tree] += count * lambda_ * static_cast<double>(tree_postings_[i].count);
    }
    scratch.row[node] = used;
    if (scratch.rows.size() < used + size) scratch.rows.resize(used + size);
    double* row = scratch.rows.data() + used;
    used += size;
    std::fill_n(row, size, lambda_);
    scratch.touched.clear();
    const auto children = list.children(node);
    for (std::size_t c = 0; c < children.size(); ++c) {
      if (children[c] == TreeForest::kNone || scratch.row[children[c]] == kNoRow) continue;
      const auto found =
          below_.find({production, static_cast<std::uint32_t>(c), list.production[children[c]]});
      if (found == below_.end()) continue;
      const double* below = scratch.rows.data() + scratch.row[children[c]];
      for (std::uint64_t i = found->second.begin; i < found->second.end; ++i) {
        const Child& child = children_[i];
        // Every factor is above 1 unless lambda is 0, where nothing matters.
        if (row[child.slot] == lambda_) scratch.touched.push_back(child.slot);
        row[child.slot] *= 1 + below[child.entry];
      }
    }
    for (const std::uint32_t touched : scratch.touched) {
      const double more = count * (row[touched] - lambda_);
      const Range& range = node_postings_[group.nodes.begin + touched];
      for (std::uint64_t i = range.begin; i < range.end; ++i) {
        out[postings_[i].tree] += more * static_cast<double>(postings_[i].count);
      }
    }
  }
}

}  // namespace copse
