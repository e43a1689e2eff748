#include <utility>

#include "copse/constituency/generative/preparation.h"

namespace copse::generative {
namespace {

// An NP over a single NPB is one NP of the treebank.
bool is_extra_level(const PhraseTree& tree, int node) {
  if (treebank_label(tree.label(node)) != "NP" || tree.is_leaf(node)) return false;
  const int child = tree.first_child(node);
  return tree.next(child) == tree.next(node) && !tree.is_leaf(child) &&
         tree.label(child) == kBaseNounPhrase;
}

// Writes the tree of labels and, between its leaves, the tokens it lacks.
class Restorer {
 public:
  Restorer(const PhraseTree& tree, const std::vector<int>& tokens,
           const std::vector<std::string>& words, const std::vector<std::string>& tags)
      : tree_(tree), tokens_(tokens), words_(words), tags_(tags) {}

  PhraseTree run() {
    builder_.open("TOP");
    const int root = is_extra_level(tree_, 0) ? 1 : 0;
    std::vector<int> ends;
    for (int node = root; node < tree_.size(); ++node) {
      close_until(ends, node);
      // What is missing before this word goes into the node that also covers the word before it;
      // before the first word, into the root.
      if (node > root || tree_.is_leaf(node)) put_until(tokens_[first_word(node)]);
      if (tree_.is_leaf(node)) {
        const std::size_t token = static_cast<std::size_t>(tokens_[first_word(node)]);
        builder_.leaf(tree_.label(node), words_[token]);
        next_ = static_cast<int>(token) + 1;
      } else if (!is_extra_level(tree_, node)) {
        builder_.open(treebank_label(tree_.label(node)));
        ends.push_back(tree_.next(node));
      }
    }
    close_until(ends, -1);
    put_until(static_cast<int>(words_.size()));
    for (; !ends.empty(); ends.pop_back()) builder_.close();
    builder_.close();
    return std::move(builder_).finish();
  }

 private:
  std::size_t first_word(int node) const { return static_cast<std::size_t>(tree_.begin(node)); }

  // Closes phrases that end before `node`; -1: all but the root.
  void close_until(std::vector<int>& ends, int node) {
    while (ends.size() > (node < 0 ? 1U : 0U) && (node < 0 || ends.back() == node)) {
      builder_.close();
      ends.pop_back();
    }
  }

  void put_until(int token) {
    for (; next_ < token; ++next_) {
      const auto i = static_cast<std::size_t>(next_);
      builder_.leaf(tags_[i], words_[i]);
    }
  }

  const PhraseTree& tree_;
  const std::vector<int>& tokens_;
  const std::vector<std::string>& words_;
  const std::vector<std::string>& tags_;
  PhraseTreeBuilder builder_;
  int next_ = 0;  // first token not yet written
};

}  // namespace

PhraseTree restore(const PhraseTree& tree, const std::vector<int>& tokens,
                   const std::vector<std::string>& words, const std::vector<std::string>& tags) {
  return Restorer(tree, tokens, words, tags).run();
}

}  // namespace copse::generative
