#include "copse/treebank/binarise.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "copse/base/error.h"
#include "copse/treebank/label_escape.h"
#include "copse/treebank/rewrite.h"

namespace copse {
namespace {

constexpr char kNew = '@';

// The children in the order in which they join the tower; the first is its foot.
struct Attachment {
  int node;
  bool on_the_left;
};

std::vector<Attachment> attachments(const PhraseTree& tree, int phrase,
                                    const BinariseOptions& options) {
  std::vector<int> children;
  for (int child : tree.children(phrase)) children.push_back(child);
  std::size_t foot = options.factor == Factor::left ? 0 : children.size() - 1;
  if (options.factor == Factor::head) {
    const int head = options.heads->head_child(tree, phrase);
    foot = static_cast<std::size_t>(std::find(children.begin(), children.end(), head) -
                                    children.begin());
  }
  std::vector<Attachment> order = {{children[foot], false}};
  for (std::size_t i = foot + 1; i < children.size(); ++i) order.push_back({children[i], false});
  for (std::size_t i = foot; i-- > 0;) order.push_back({children[i], true});
  return order;
}

// The label of the phrase that covers the first `count` attachments; children in their order.
std::string new_label(const PhraseTree& tree, int phrase, const std::vector<Attachment>& order,
                      std::size_t count, int markov_order) {
  const std::size_t shown = std::min(count, static_cast<std::size_t>(markov_order));
  std::vector<int> nodes;
  for (std::size_t i = count - shown; i < count; ++i) nodes.push_back(order[i].node);
  std::sort(nodes.begin(), nodes.end());
  std::string label = kNew + std::string(tree.label(phrase));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    label += i == 0 ? '[' : ',';
    label += tree.label(nodes[i]);
  }
  if (!nodes.empty()) label += ']';
  return label;
}

}  // namespace

PhraseTree binarise(const PhraseTree& tree, const BinariseOptions& options) {
  if (options.order < 0 || options.order > kMaxMarkovOrder) {
    throw usage_error(
        fmt::format("the Markov order is {}; expected 0 to {}", options.order, kMaxMarkovOrder));
  }
  if (options.factor == Factor::head && options.heads == nullptr) {
    throw usage_error("head-driven binarisation needs a head table");
  }
  return rewrite_tree(tree, [&](int phrase, Replacement& replacement) {
    replacement.open(escape_label(tree.label(phrase), std::string_view(&kNew, 1)));
    if (tree.first_child(phrase) != tree.next(phrase)) {
      const std::vector<Attachment> order = attachments(tree, phrase, options);
      // From the outside in: what opens before and stands to the left of the foot.
      for (std::size_t i = order.size(); i-- > 1;) {
        if (i + 1 < order.size()) {
          replacement.open(new_label(tree, phrase, order, i + 1, options.order));
        }
        if (order[i].on_the_left) replacement.node(order[i].node);
      }
      replacement.node(order[0].node);
      for (std::size_t i = 1; i < order.size(); ++i) {
        if (!order[i].on_the_left) replacement.node(order[i].node);
        if (i + 1 < order.size()) replacement.close();
      }
    }
    replacement.close();
  });
}

PhraseTree debinarise(const PhraseTree& tree) {
  return rewrite_tree(tree, [&](int phrase, Replacement& replacement) {
    const bool is_new = phrase != 0 && tree.label(phrase).starts_with(kNew);
    if (!is_new) replacement.open(unescape_label(tree.label(phrase)));
    for (int child : tree.children(phrase)) replacement.node(child);
    if (!is_new) replacement.close();
  });
}

}  // namespace copse
