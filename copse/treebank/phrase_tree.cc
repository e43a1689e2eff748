#include "copse/treebank/phrase_tree.h"

#include "copse/base/error.h"

namespace copse {

int PhraseTree::child_count(int node) const {
  int count = 0;
  for ([[maybe_unused]] int child : children(node)) ++count;
  return count;
}

std::string PhraseTree::str(int node) const {
  // Iterative: trees may be 10,000 levels deep.
  std::string out;
  std::vector<int> ends;  // next() of the open phrases, outermost first
  for (int i = node; i < next(node); ++i) {
    for (; !ends.empty() && ends.back() == i; ends.pop_back()) out += ')';
    if (i != node) out += ' ';
    out += '(';
    out += label(i);
    if (is_leaf(i)) {
      out += ' ';
      out += word(i);
      out += ')';
    } else {
      ends.push_back(next(i));
    }
  }
  out.append(ends.size(), ')');
  return out;
}

bool PhraseTree::operator==(const PhraseTree& other) const {
  if (size() != other.size()) return false;
  for (int i = 0; i < size(); ++i) {
    if (next(i) != other.next(i) || is_leaf(i) != other.is_leaf(i) || label(i) != other.label(i) ||
        word(i) != other.word(i)) {
      return false;
    }
  }
  return true;
}

int PhraseTreeBuilder::add(std::string_view label) {
  if (open_.empty() && !tree_.nodes_.empty()) {
    throw data_error("a second root in one tree; expected exactly one");
  }
  const int number = tree_.size();
  PhraseTree::Node node;
  node.label = append_slice(tree_.text_, label);
  node.parent = open_.empty() ? -1 : open_.back();
  node.next = number + 1;
  node.begin = node.end = tree_.words();
  tree_.nodes_.push_back(node);
  return number;
}

int PhraseTreeBuilder::open(std::string_view label) {
  const int number = add(label);
  open_.push_back(number);
  return number;
}

int PhraseTreeBuilder::leaf(std::string_view tag, std::string_view word) {
  const int number = add(tag);
  auto& node = tree_.nodes_.back();
  node.word = append_slice(tree_.text_, word);
  node.leaf = true;
  node.end = node.begin + 1;
  tree_.leaves_.push_back(number);
  return number;
}

void PhraseTreeBuilder::close() {
  if (open_.empty()) throw data_error("a phrase is closed that was never opened");
  auto& node = tree_.nodes_[static_cast<std::size_t>(open_.back())];
  node.next = tree_.size();
  node.end = tree_.words();
  open_.pop_back();
}

void PhraseTreeBuilder::copy(const PhraseTree& tree, int node) {
  std::vector<int> ends;
  const auto close_until = [&](int position) {
    for (; !ends.empty() && ends.back() == position; ends.pop_back()) close();
  };
  for (int i = node; i < tree.next(node); ++i) {
    close_until(i);
    if (tree.is_leaf(i)) {
      leaf(tree.label(i), tree.word(i));
    } else {
      open(tree.label(i));
      ends.push_back(tree.next(i));
    }
  }
  close_until(tree.next(node));
}

void PhraseTreeBuilder::reserve(std::size_t nodes, std::size_t words, std::size_t text_bytes) {
  constexpr std::size_t kUsualDepth = 32;
  tree_.nodes_.reserve(nodes);
  tree_.leaves_.reserve(words);
  tree_.text_.reserve(text_bytes);
  open_.reserve(kUsualDepth);
}

PhraseTree PhraseTreeBuilder::finish() && {
  if (!complete()) throw data_error("an unfinished tree; expected every phrase to be closed");
  return std::move(tree_);
}

}  // namespace copse
