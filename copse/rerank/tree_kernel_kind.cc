#include "copse/rerank/tree_kernel_kind.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "copse/base/error.h"

namespace copse {
namespace {

template <class Words>
TreeForest make_list(const Candidates& list, Words& vocabulary) {
  TreeListBuilder builder(vocabulary);
  for (const Candidate& candidate : list.items) {
    if (candidate.tree.empty()) {
      throw data_error("the tree kernel needs parses");
    }
    vocabulary.views.add(candidate.tree, builder);
  }
  return builder.finish();
}

}  // namespace

TreeVocabulary TreeKernelKind::vocabulary(const KernelOptions& options) {
  std::vector<TreeView> views;
  for (const std::string& name : options.views) views.push_back(tree_view(name));
  return {{}, TreeViews(std::move(views), options.head_table)};
}

TreeForest TreeKernelKind::make(const Candidates& list, Vocabulary& vocabulary) {
  return make_list(list, vocabulary);
}
TreeForest TreeKernelKind::make(const Candidates& list, const Vocabulary& vocabulary) {
  return make_list(list, vocabulary);
}

double TreeKernelKind::squared_norm(const List& list,
                                    std::span<const RankingCoefficient> coefficients,
                                    std::span<const double> scales, const KernelOptions& options) {
  std::vector<double> weights(list.nodes(), 0.0);
  for (const auto& c : coefficients) {
    const double weight = c.weight * (scales.empty() ? 1.0 : scales[c.candidate]);
    for (const std::uint32_t node : list.nodes_of(c.candidate)) weights[node] += weight;
  }
  return ListKernels(list, options.lambda).product(weights, weights);
}

void TreeKernelKind::Sum::add(const List& list, std::span<const RankingCoefficient> coefficients,
                              std::span<const double> scales) {
  trees_.add(list, coefficients, scales, keeps_ ? &changes_ : nullptr);
  if (keeps_) ends_.push_back(changes_.size());
}

std::vector<double> TreeKernelKind::Sum::score_updates(const List& list, Scratch& scratch) const {
  trees_.score_nodes(list, scratch);
  // Which nodes of the list have a production, and which candidates a node.
  std::vector<std::uint32_t> nodes(list.nodes());
  std::iota(nodes.begin(), nodes.end(), 0U);
  const auto production = [&](std::uint32_t node) { return list.production[node]; };
  std::ranges::stable_sort(nodes, {}, production);
  std::vector<std::vector<std::uint32_t>> owners(list.nodes());
  for (std::uint32_t j = 0; j < list.size(); ++j) {
    for (const std::uint32_t node : list.nodes_of(j)) owners[node].push_back(j);
  }
  std::vector<double> out(updates() * list.size(), 0.0);
  std::uint64_t change = 0;
  for (std::size_t m = 0; m < updates(); ++m) {
    double* row = out.data() + m * list.size();
    for (; change < ends_[m]; ++change) {
      const auto [u, weight] = changes_[change];
      const auto same = trees_.production(u);
      for (auto node = std::ranges::lower_bound(nodes, same, {}, production);
           node != nodes.end() && production(*node) == same; ++node) {
        const double value = weight * trees_.common(scratch, *node, u);
        for (const std::uint32_t j : owners[*node]) row[j] += value;
      }
    }
  }
  return out;
}

void TreeKernelKind::Sum::save(ModelWriter& writer) const {
  writer.add_array("subtree-items", trees_.shared().items());
  writer.add_array("subtree-ends", trees_.shared().ends());
  std::vector<double> weights;
  for (std::uint32_t node = 0; node < trees_.nodes(); ++node)
    weights.push_back(trees_.weight(node));
  writer.add_array<double>("subtree-weights", weights);
  if (!keeps_) return;
  std::vector<std::uint32_t> nodes;
  weights.clear();
  for (const NodeWeight& change : changes_) {
    nodes.push_back(change.node);
    weights.push_back(change.weight);
  }
  writer.add_array<std::uint32_t>("update-nodes", nodes);
  writer.add_array<double>("update-weights", weights);
  writer.add_array<std::uint64_t>("update-ends", ends_);
}

TreeKernelKind::Sum TreeKernelKind::Sum::load(const ModelFile& file, const KernelOptions& options,
                                              bool updates, const Vocabulary& vocabulary) {
  Sum sum(options, updates);
  const auto items = file.array<std::uint32_t>("subtree-items");
  const auto ends = file.array<std::uint64_t>("subtree-ends");
  const auto weights = file.array<double>("subtree-weights");
  const auto damaged = [&](const char* section, const char* what) {
    return file.damaged(section, what);
  };
  if (ends.size() != weights.size() + 1 || ends.front() != 0 || ends.back() != items.size()) {
    throw damaged("subtree-ends", "does not fit the sub-trees");
  }
  for (std::uint32_t node = 0; node < weights.size(); ++node) {
    if (ends[node] >= ends[node + 1] || ends[node + 1] > items.size()) {
      throw damaged("subtree-ends", "does not rise");
    }
    const auto sequence = items.subspan(ends[node], ends[node + 1] - ends[node]);
    if (sequence[0] >= vocabulary.size() || vocabulary.arity(sequence[0]) != sequence.size() - 1 ||
        std::ranges::any_of(sequence.subspan(1), [&](auto child) { return child >= node; })) {
      throw damaged("subtree-items", "has a sub-tree that does not fit its production");
    }
    if (!std::isfinite(weights[node]))
      throw damaged("subtree-weights", "has a weight that is none");
    if (sum.trees_.intern(sequence) != node) {
      throw damaged("subtree-items", "has a sub-tree twice");
    }
    sum.trees_.add_weight(node, weights[node]);
  }
  if (!updates) return sum;
  const auto nodes = file.array<std::uint32_t>("update-nodes");
  const auto changes = file.array<double>("update-weights");
  const auto update_ends = file.array<std::uint64_t>("update-ends");
  if (nodes.size() != changes.size() || !std::ranges::is_sorted(update_ends) ||
      (update_ends.empty() ? !nodes.empty() : update_ends.back() != nodes.size())) {
    throw damaged("update-ends", "does not fit the updates");
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] >= weights.size() || !std::isfinite(changes[i])) {
      throw damaged("update-nodes", "has a sub-tree that is not there");
    }
    sum.changes_.push_back({nodes[i], changes[i]});
  }
  sum.ends_.assign(update_ends.begin(), update_ends.end());
  return sum;
}

void TreeKernelKind::save(const Vocabulary& vocabulary, ModelWriter& writer) {
  std::vector<std::string> names;
  for (Symbols::Id id = 0; id < vocabulary.names().size(); ++id) {
    names.emplace_back(vocabulary.names().text(id));
  }
  writer.add_strings("names", names);
  writer.add_strings("views", vocabulary.views.names());
  writer.add("heads", vocabulary.views.heads().str());
  writer.add_array("production-items", vocabulary.sequences().items());
  writer.add_array("production-ends", vocabulary.sequences().ends());
}

TreeVocabulary TreeKernelKind::load_vocabulary(const ModelFile& file) {
  TreeVocabulary vocabulary;
  // Models of before there were views compare the trees themselves.
  if (file.has("views")) {
    try {
      vocabulary.views = TreeViews::from(file.strings("views"), std::string(file.text("heads")));
    } catch (const Error& error) {
      throw file.damaged("views", error.message());
    }
  }
  try {
    static_cast<Productions&>(vocabulary) =
        Productions::from(file.strings("names"), file.array<std::uint32_t>("production-items"),
                          file.array<std::uint64_t>("production-ends"));
  } catch (const Error& error) {
    throw file.damaged("production-items", error.message());
  }
  return vocabulary;
}

}  // namespace copse
