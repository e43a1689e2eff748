#include "copse/constituency/incremental/grammar.h"

#include <algorithm>
#include <array>

#include "copse/base/error.h"
#include "copse/treebank/label.h"
#include "copse/treebank/label_escape.h"

namespace copse::incremental {
namespace {

// Names with a blank: no label of a file is one of them.
constexpr std::array<std::string_view, 4> kReserved = {" null", " begin", " end", kTopName};

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

// The chain that begins at a word: from its top phrase, which is the first child of none but the
// root, down to the leaf.
std::vector<int> chain_nodes(const PhraseTree& tree, int leaf) {
  std::vector<int> nodes{leaf};
  for (int node = leaf;;) {
    const int parent = tree.parent(node);
    if (parent <= 0 || tree.first_child(parent) != node) break;
    nodes.push_back(node = parent);
  }
  std::ranges::reverse(nodes);
  return nodes;
}

std::vector<int> depths(const PhraseTree& tree) {
  std::vector<int> out(at(tree.size()), 0);
  for (int node = 1; node < tree.size(); ++node) out[at(node)] = out[at(tree.parent(node))] + 1;
  return out;
}

// A tree rebuilt node by node: name(node) and tag(word).
template <class Name, class Tag>
void copy_tree(const PhraseTree& tree, PhraseTreeBuilder& builder, Name name, Tag tag) {
  std::vector<int> ends;
  for (int node = 0; node < tree.size(); ++node) {
    for (; !ends.empty() && ends.back() == node; ends.pop_back()) builder.close();
    if (tree.is_leaf(node)) {
      builder.leaf(tag(node), tree.word(node));
    } else {
      builder.open(name(node));
      ends.push_back(tree.next(node));
    }
  }
  for (; !ends.empty(); ends.pop_back()) builder.close();
}

}  // namespace

PhraseTree under_top(const PhraseTree& tree) {
  PhraseTreeBuilder builder;
  const bool outer = !tree.is_leaf(0) && is_outer_label(tree.label(0));
  if (!outer) builder.open(kTopName);
  copy_tree(
      tree, builder,
      [&](int node) {
        return is_outer_label(tree.label(node)) ? kTopName : std::string_view(tree.label(node));
      },
      [&](int leaf) { return tree.label(leaf); });
  if (!outer) builder.close();
  return std::move(builder).finish();
}

PhraseTree with_tags(const PhraseTree& tree, std::span<const std::string> tags) {
  PhraseTreeBuilder builder;
  copy_tree(
      tree, builder, [&](int node) { return tree.label(node); },
      [&](int leaf) { return std::string_view(tags[at(tree.begin(leaf))]); });
  return std::move(builder).finish();
}

Grammar::Grammar() {
  for (const std::string_view name : kReserved) names_.add(name);
}

Grammar::Grammar(std::span<const std::string> names, std::vector<Chain> chains,
                 std::span<const std::uint8_t> in_use, std::span<const Triple> triples)
    : chains_(std::move(chains)), in_use_(in_use.begin(), in_use.end()) {
  for (const std::string& name : names) names_.add(name);
  if (names_.size() != names.size() || names.size() < kReserved.size() ||
      names.size() > std::size_t{kMostLabels}) {
    throw data_error("has a label twice, too few or too many");
  }
  for (std::size_t i = 0; i < kReserved.size(); ++i) {
    if (names[i] != kReserved[i]) throw data_error("lacks the labels of the parser");
  }
  if (in_use_.size() != chains_.size()) throw data_error("does not fit its chains");
  const auto is_known = [&](LabelId label) { return label > kEnd && label < labels(); };
  for (const Chain& chain : chains_) {
    if (chain.empty() || !std::ranges::all_of(chain, is_known)) {
      throw data_error("has a chain of unknown labels");
    }
  }
  for (const Triple& each : triples) {
    if (each.parent >= labels() || each.before >= labels() || each.child >= labels()) {
      throw data_error("has a triple of unknown labels");
    }
  }
  fill_bits(triples);
  finish();
}

LabelId Grammar::usual_tag(std::string_view name) const {
  for (const std::string_view each : {name, std::string_view("NNP"), std::string_view("NN")}) {
    const LabelId label = find(each);
    if (label != kNull && is_tag(label)) return label;
  }
  return chains().front().back();
}

LabelId Grammar::find(std::string_view name) const {
  const Symbols::Id id = names_.find(name);
  return id == Symbols::kUnknown ? kNull : static_cast<LabelId>(id);
}

LabelId Grammar::number(std::string_view name) {
  const Symbols::Id id = names_.add(name);
  if (id >= kMostLabels) {
    throw data_error("the trees have too many labels for the incremental parser");
  }
  return static_cast<LabelId>(id);
}

int Grammar::number(Chain chain) {
  const auto [where, is_new] = numbers_.emplace(chain, static_cast<int>(chains_.size()));
  if (is_new) {
    chains_.push_back(std::move(chain));
    in_use_.push_back(0);
    seen_.push_back(0);
  }
  return where->second;
}

std::vector<Move> Grammar::add(const PhraseTree& tree) {
  const std::vector<int> depth = depths(tree);
  std::vector<Move> moves;
  int open = 0;  // depth of the deepest phrase that is open
  for (const int leaf : tree.leaves()) {
    const std::vector<int> nodes = chain_nodes(tree, leaf);
    Chain chain;
    for (const int node : nodes) chain.push_back(number(tree.label(node)));
    const int id = number(std::move(chain));
    ++seen_[at(id)];
    moves.push_back({open - (depth[at(nodes.front())] - 1), id});
    open = depth[at(leaf)] - 1;
  }
  for (int node = 0; node < tree.size(); ++node) {
    if (tree.is_leaf(node)) continue;
    const LabelId parent = node == 0 ? kTop : number(tree.label(node));
    LabelId before = kBegin;
    for (const int child : tree.children(node)) {
      const LabelId label = number(tree.label(child));
      if (before != kBegin || node == 0) ++triple_seen_[{parent, before, label}];
      before = label;
    }
    ++triple_seen_[{parent, before, kEnd}];
  }
  return moves;
}

void Grammar::fill_bits(std::span<const Triple> triples) {
  words_ = (labels() + 63) / 64;
  bits_.assign(labels() * labels() * words_, 0);
  for (const Triple& each : triples) {
    bits_[(std::size_t{each.parent} * labels() + each.before) * words_ + each.child / 64] |=
        std::uint64_t{1} << (each.child % 64);
  }
}

std::vector<ChainNode> Grammar::tree_of_chains(const std::vector<int>& sorted) const {
  std::vector<ChainNode> nodes{{}};
  std::vector<int> path{0};
  for (const int id : sorted) {
    const Chain& chain = chains_[at(id)];
    const std::size_t phrases = chain.size() - 1;
    std::size_t same = 0;
    while (same < phrases && same + 1 < path.size() &&
           nodes[at(path[same + 1])].label == chain[same]) {
      ++same;
    }
    for (; path.size() > same + 1; path.pop_back()) {
      nodes[at(path.back())].next = static_cast<int>(nodes.size());
    }
    for (; same < phrases; ++same) {
      const int parent = path.back();
      path.push_back(static_cast<int>(nodes.size()));
      nodes.push_back({chain[same], parent, 0, -1});
    }
    nodes[at(path.back())].chain = id;
  }
  for (; !path.empty(); path.pop_back()) {
    nodes[at(path.back())].next = static_cast<int>(nodes.size());
  }
  return nodes;
}

void Grammar::finish() {
  base_.clear();
  for (LabelId label = 0; label < end_label(); ++label) {
    const auto parts = split_escaped_label(names_.text(label), '/');
    // A tag such as "/" is no A/A.
    const LabelId base = parts.size() == 2 && parts[0] == parts[1] ? find(parts[0]) : kNull;
    base_.push_back(base != kNull ? base : label);
  }
  if (!triple_seen_.empty()) {
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      in_use_[i] = chains_[i].size() <= kAlwaysKept || seen_[i] > 1 ? 1 : 0;
    }
    // A word of any tag can be attached where everything else fails.
    for (std::size_t i = 0, n = chains_.size(); i < n; ++i) {
      in_use_[at(number(Chain{chains_[i].back()}))] = 1;
    }
    std::vector<Triple> triples;
    for (const auto& [triple, times] : triple_seen_) triples.push_back(triple);
    fill_bits(triples);
  }
  std::vector<int> sorted;
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    if (in_use_[i] != 0) sorted.push_back(static_cast<int>(i));
  }
  // By phrases alone: a chain comes before those that go on from it.
  std::ranges::sort(sorted, [&](int a, int b) {
    const Chain &left = chains_[at(a)], &right = chains_[at(b)];
    return std::lexicographical_compare(left.begin(), left.end() - 1, right.begin(),
                                        right.end() - 1);
  });
  std::map<LabelId, std::vector<int>> lists;
  for (const int id : sorted) lists[chains_[at(id)].back()].push_back(id);
  by_tag_.assign(labels(), {});
  for (const auto& [tag, list] : lists) by_tag_[tag] = tree_of_chains(list);
}

std::size_t Grammar::chains_in_use() const {
  return static_cast<std::size_t>(std::ranges::count(in_use_, 1));
}

std::vector<Triple> Grammar::triples() const {
  std::vector<Triple> out;
  for (LabelId x = 0; x < end_label(); ++x) {
    for (LabelId y = 0; y < end_label(); ++y) {
      for (LabelId z = 0; z < end_label(); ++z) {
        if (follows(x, y, z)) out.push_back({x, y, z});
      }
    }
  }
  return out;
}

PhraseTree Grammar::tree_of(std::span<const Move> moves, std::span<const std::string> words) const {
  PhraseTreeBuilder builder;
  builder.open(kTopName);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    for (int k = 0; k < moves[i].closes; ++k) builder.close();
    const Chain& labels = chain(moves[i].chain);
    for (std::size_t k = 0; k + 1 < labels.size(); ++k) builder.open(names_.text(labels[k]));
    builder.leaf(names_.text(labels.back()), words[i]);
  }
  while (builder.depth() > 0) builder.close();
  return std::move(builder).finish();
}

}  // namespace copse::incremental
