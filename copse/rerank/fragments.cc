#include "copse/rerank/fragments.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <queue>

namespace copse {
namespace {

// Nodes with a weight each, and for each the nodes of the fragment that are still to be decided:
// the next one last.
struct Matches {
  std::vector<double> weights;
  std::vector<std::uint32_t> pending;  // `width` for each

  double total() const {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    return sum;
  }
  // The most that any of its subsets can sum to.
  double bound() const {
    double positive = 0, negative = 0;
    for (const double weight : weights) (weight > 0 ? positive : negative) += std::abs(weight);
    return std::max(positive, negative);
  }
};

struct State {
  std::vector<std::uint32_t> decisions;
  int productions = 0;
  std::size_t width = 0;  // nodes to be decided
  Matches model, list;    // the list's is not used where there is none
  double bound = 0;
};

// Splits matches by the production of the next node; `closed` gets those of which it stays a label.
template <class Trees>
std::map<std::uint32_t, Matches> expand(const Matches& matches, std::size_t width,
                                        const Trees& trees) {
  std::map<std::uint32_t, Matches> result;
  for (std::size_t i = 0; i < matches.weights.size(); ++i) {
    const auto pending = std::span(matches.pending).subspan(i * width, width);
    const std::uint32_t node = pending.back();
    if (node == TreeForest::kNone) continue;
    Matches& out = result[trees.production_of(node)];
    out.weights.push_back(matches.weights[i]);
    out.pending.insert(out.pending.end(), pending.begin(), pending.end() - 1);
    const auto children = trees.children_of(node);
    out.pending.insert(out.pending.end(), children.rbegin(), children.rend());
  }
  return result;
}

Matches close(const Matches& matches, std::size_t width) {
  Matches out;
  out.weights = matches.weights;
  for (std::size_t i = 0; i < matches.weights.size(); ++i) {
    const auto pending = std::span(matches.pending).subspan(i * width, width);
    out.pending.insert(out.pending.end(), pending.begin(), pending.end() - 1);
  }
  return out;
}

struct ModelTrees {
  const MergedTrees& trees;
  std::uint32_t production_of(std::uint32_t node) const { return trees.production(node); }
  std::span<const std::uint32_t> children_of(std::uint32_t node) const {
    return trees.children(node);
  }
};

struct ListTrees {
  const TreeForest& list;
  std::uint32_t production_of(std::uint32_t node) const { return list.production[node]; }
  std::span<const std::uint32_t> children_of(std::uint32_t node) const {
    return list.children(node);
  }
};

class Search {
 public:
  Search(const MergedTrees& model, const Productions& productions, const TreeForest* list)
      : model_{model}, productions_(productions), list_(list) {}

  // Fragments rooted at nodes of the model with these weights, and of the list with those.
  std::vector<Fragment> run(Matches model, Matches list, std::size_t count) {
    // The root is decided like every other node, except that it cannot stay a label.
    State start;
    start.width = 1;
    start.model = std::move(model);
    start.list = std::move(list);
    push_expanded(start);
    std::vector<Fragment> found;
    while (!queue_.empty() && found.size() < count) {
      const std::unique_ptr<State> state = pop();
      if (state->width == 0) {
        const double weight = scale(*state) * state->model.total();
        if (weight == 0) continue;
        found.push_back({state->decisions, state->productions, weight,
                         weight * (list_ ? state->list.total() : 1.0)});
        continue;
      }
      push_closed(*state);
      push_expanded(*state);
    }
    return found;
  }

 private:
  double scale(const State& state) const {
    return std::pow(model_.trees.lambda(), state.productions);
  }

  void push(State&& state) {
    if (state.width == 0) {
      state.bound =
          std::abs(scale(state) * state.model.total() * (list_ ? state.list.total() : 1.0));
    } else {
      state.bound = scale(state) * state.model.bound() * (list_ ? state.list.bound() : 1.0);
    }
    if (!(state.bound > 0)) return;
    queue_.push({state.bound, --number_, std::make_shared<State>(std::move(state))});
  }

  void push_closed(const State& state) {
    State next;
    next.decisions = state.decisions;
    next.decisions.push_back(Fragment::kOpen);
    next.productions = state.productions;
    next.width = state.width - 1;
    next.model = close(state.model, state.width);
    if (list_) next.list = close(state.list, state.width);
    push(std::move(next));
  }

  void push_expanded(const State& state) {
    auto by_production = expand(state.model, state.width, model_);
    std::map<std::uint32_t, Matches> in_list;
    if (list_) in_list = expand(state.list, state.width, ListTrees{*list_});
    for (auto& [production, matches] : by_production) {
      State next;
      if (list_) {
        const auto found = in_list.find(production);
        if (found == in_list.end()) continue;
        next.list = std::move(found->second);
      }
      next.decisions = state.decisions;
      next.decisions.push_back(production);
      next.productions = state.productions + 1;
      next.width = state.width - 1 + productions_.arity(production);
      next.model = std::move(matches);
      push(std::move(next));
    }
  }

  struct Entry {
    double bound;
    std::int64_t number;  // earlier first among equals
    std::shared_ptr<State> state;
    bool operator<(const Entry& other) const {
      return bound != other.bound ? bound < other.bound : number < other.number;
    }
  };
  std::unique_ptr<State> pop() {
    auto state = std::make_unique<State>(std::move(*queue_.top().state));
    queue_.pop();
    return state;
  }

  ModelTrees model_;
  const Productions& productions_;
  const TreeForest* list_;
  std::priority_queue<Entry> queue_;
  std::int64_t number_ = 0;
};

Matches weighted_nodes(const MergedTrees& model) {
  Matches matches;
  for (std::uint32_t node = 0; node < model.nodes(); ++node) {
    if (model.weight(node) == 0) continue;
    matches.weights.push_back(model.weight(node));
    matches.pending.push_back(node);
  }
  return matches;
}

}  // namespace

std::string fragment_text(const Fragment& fragment, const Productions& productions) {
  // The nodes still to be written: labels, or "" to close a bracket; the next one last.
  std::vector<std::string> pending{"?"};
  std::string text;
  std::size_t next = 0;
  while (!pending.empty()) {
    const std::string label = std::move(pending.back());
    pending.pop_back();
    if (label.empty()) {
      text += ")";
      continue;
    }
    if (!text.empty()) text += " ";
    const std::uint32_t production = fragment.decisions[next++];
    if (production == Fragment::kOpen) {
      text += "(" + label + ")";
      continue;
    }
    text += "(" + std::string(productions.label(production));
    pending.emplace_back();
    if (productions.is_leaf(production)) {
      text += " " + std::string(productions.right(production, 0));
      continue;
    }
    for (std::size_t c = productions.right_size(production); c-- > 0;) {
      pending.emplace_back(productions.right(production, c));
    }
  }
  return text;
}

std::vector<Fragment> heaviest_fragments(const MergedTrees& model, const Productions& productions,
                                         std::size_t count) {
  return Search(model, productions, nullptr).run(weighted_nodes(model), {}, count);
}

std::vector<Fragment> moving_fragments(const MergedTrees& model, const Productions& productions,
                                       const TreeForest& list, std::size_t candidate,
                                       std::size_t other, std::size_t count) {
  std::map<std::uint32_t, double> difference;
  for (const std::uint32_t node : list.nodes_of(candidate)) ++difference[node];
  for (const std::uint32_t node : list.nodes_of(other)) --difference[node];
  Matches nodes;
  for (const auto& [node, weight] : difference) {
    if (weight == 0) continue;
    nodes.weights.push_back(weight);
    nodes.pending.push_back(node);
  }
  return Search(model, productions, &list).run(weighted_nodes(model), nodes, count);
}

FragmentMatcher::FragmentMatcher(std::vector<Fragment> fragments)
    : fragments_(std::move(fragments)) {
  for (std::uint32_t f = 0; f < fragments_.size(); ++f) by_root_.push_back(f);
  std::ranges::stable_sort(by_root_, {}, [&](auto f) { return fragments_[f].decisions[0]; });
}

bool FragmentMatcher::matches(const Fragment& fragment, const TreeForest& list,
                              std::uint32_t node) const {
  std::vector<std::uint32_t> pending{node};
  for (const std::uint32_t decision : fragment.decisions) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    if (decision == Fragment::kOpen) continue;
    if (at == TreeForest::kNone || list.production[at] != decision) return false;
    const auto children = list.children(at);
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
  return true;
}

std::vector<std::vector<std::uint32_t>> FragmentMatcher::find(const TreeForest& list) const {
  std::vector<std::vector<std::uint32_t>> at_node(list.nodes());
  const auto root = [&](std::uint32_t f) { return fragments_[f].decisions[0]; };
  for (std::uint32_t node = 0; node < list.nodes(); ++node) {
    for (auto f = std::ranges::lower_bound(by_root_, list.production[node], {}, root);
         f != by_root_.end() && root(*f) == list.production[node]; ++f) {
      if (matches(fragments_[*f], list, node)) at_node[node].push_back(*f);
    }
  }
  std::vector<std::vector<std::uint32_t>> result(list.size());
  for (std::size_t j = 0; j < list.size(); ++j) {
    for (const std::uint32_t node : list.nodes_of(j)) {
      result[j].insert(result[j].end(), at_node[node].begin(), at_node[node].end());
    }
    std::ranges::sort(result[j]);
  }
  return result;
}

}  // namespace copse
