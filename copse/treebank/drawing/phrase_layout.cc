#include "copse/treebank/drawing/phrase_layout.h"

#include <algorithm>

namespace copse::drawing {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

bool is_terminal(const PhraseTree& tree, int node) {
  return tree.first_child(node) == tree.next(node);
}

// Midway between the first and the last child. Children follow their parents in the array, so a
// walk from its end meets them first. `clamp` has the last word on the centre of a phrase.
template <class Clamp>
void centre_phrases(const PhraseTree& tree, PhraseLayout& layout, const Clamp& clamp) {
  std::vector<int> last_child(at(tree.size()), -1);
  for (int node = tree.size() - 1; node >= 0; --node) {
    if (!is_terminal(tree, node)) {
      const int first = layout.nodes[at(node + 1)].centre;
      const int last = layout.nodes[at(last_child[at(node)])].centre;
      layout.nodes[at(node)].centre = clamp(node, first + (last - first) / 2);
    }
    const int parent = tree.parent(node);
    if (parent >= 0 && last_child[at(parent)] < 0) last_child[at(parent)] = node;
  }
}

// Widths of the terminals' columns, such that no phrase label is wider than the columns under it
// and touches the labels beside it: the terminals under it share the missing width.
std::vector<int> widen_terminals(const PhraseTree& tree, std::span<const int> widths, int gap) {
  std::vector<int> own(widths.begin(), widths.end());
  std::vector<int> below(own.size(), 0);  // width of all terminals under a node, gaps included
  std::vector<int> terminals(own.size(), 0);
  for (int node = tree.size() - 1; node >= 0; --node) {
    if (is_terminal(tree, node)) {
      below[at(node)] = own[at(node)] + gap;
      terminals[at(node)] = 1;
    }
    const int parent = tree.parent(node);
    if (parent >= 0) {
      below[at(parent)] += below[at(node)];
      terminals[at(parent)] += terminals[at(node)];
    }
  }
  // Phrases give what they lack to their terminals, top down: extra[node] goes to each terminal.
  std::vector<int> extra(own.size(), 0);
  for (int node = 0; node < tree.size(); ++node) {
    const int parent = tree.parent(node);
    if (parent >= 0) extra[at(node)] = extra[at(parent)];
    const int lacking =
        own[at(node)] + gap - below[at(node)] - extra[at(node)] * terminals[at(node)];
    if (lacking > 0) extra[at(node)] += (lacking + terminals[at(node)] - 1) / terminals[at(node)];
    if (is_terminal(tree, node)) own[at(node)] += extra[at(node)];
  }
  return own;
}

}  // namespace

PhraseLayout lay_out_upright(const PhraseTree& tree, std::span<const int> widths, int gap) {
  PhraseLayout layout;
  layout.nodes.resize(at(tree.size()));
  const std::vector<int> columns = widen_terminals(tree, widths, gap);
  int x = 0;
  std::vector<int> left(columns.size());  // of everything under a node
  for (int node = 0; node < tree.size(); ++node) {
    left[at(node)] = x;
    if (!is_terminal(tree, node)) continue;
    layout.nodes[at(node)].centre = x + columns[at(node)] / 2;
    x += columns[at(node)] + gap;
  }
  layout.extent = std::max(0, x - gap);
  left.push_back(x);
  centre_phrases(tree, layout, [&](int node, int centre) {
    const int half = widths[at(node)] / 2;
    const int right = left[at(tree.next(node))] - gap;
    return std::clamp(centre, left[at(node)] + half,
                      std::max(left[at(node)] + half, right - (widths[at(node)] - half)));
  });
  for (int node = tree.size() - 1; node > 0; --node) {
    PlacedNode& parent = layout.nodes[at(tree.parent(node))];
    parent.level = std::max(parent.level, layout.nodes[at(node)].level + 1);
  }
  if (!tree.empty()) layout.levels = layout.nodes[0].level + 1;
  return layout;
}

PhraseLayout lay_out_sideways(const PhraseTree& tree, int pitch) {
  PhraseLayout layout;
  layout.nodes.resize(at(tree.size()));
  for (int node = 0; node < tree.size(); ++node) {
    PlacedNode& placed = layout.nodes[at(node)];
    if (node > 0) placed.level = layout.nodes[at(tree.parent(node))].level + 1;
    layout.levels = std::max(layout.levels, placed.level + 1);
    if (!is_terminal(tree, node)) continue;
    placed.centre = layout.extent + pitch / 2;
    layout.extent += pitch;
  }
  centre_phrases(tree, layout, [](int, int centre) { return centre; });
  return layout;
}

}  // namespace copse::drawing
