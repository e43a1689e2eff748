#include "copse/treebank/sampler.h"

#include <fmt/core.h>

#include <array>
#include <optional>

#include "copse/base/random.h"

namespace copse {
namespace {

// A node of the derivation, in preorder.
struct Node {
  Grammar::Symbol symbol = 0;
  int parent = -1;
  const std::string* relation = nullptr;  // to the parent's head; null for the head child
  const Grammar::Word* word = nullptr;    // of a leaf
  int head_word = 0;                      // 1-based
};

// Draws rules top-down, left to right; nothing if the sentence grows beyond `max_words`.
std::optional<std::vector<Node>> derive(const Grammar& grammar, Random& random, int max_words) {
  const auto max_nodes = static_cast<std::size_t>(max_words) * 20;
  std::vector<Node> nodes;
  std::vector<Node> todo{{grammar.start()}};
  int words = 0;
  while (!todo.empty()) {
    Node node = todo.back();
    todo.pop_back();
    const int index = static_cast<int>(nodes.size());
    const Grammar::Expansion& expansion = grammar.expansion(node.symbol);
    const std::size_t choice = random.draw(expansion.weights);
    if (!expansion.words.empty()) {
      node.word = &expansion.words[choice];
      node.head_word = ++words;
    } else {
      const Grammar::Rule& rule = expansion.rules[choice];
      for (std::size_t i = rule.children.size(); i-- > 0;) {
        const Grammar::Child& child = rule.children[i];
        const bool head = static_cast<int>(i) == rule.head;
        todo.push_back({child.symbol, index, head ? nullptr : &child.relation});
      }
    }
    nodes.push_back(node);
    if (words > max_words || nodes.size() > max_nodes) return std::nullopt;
  }
  return nodes;
}

// Lexical heads travel from the leaves up along the head children.
void find_heads(std::vector<Node>& nodes) {
  for (std::size_t i = nodes.size(); i-- > 1;) {
    if (nodes[i].relation == nullptr) {
      nodes[static_cast<std::size_t>(nodes[i].parent)].head_word = nodes[i].head_word;
    }
  }
}

DependencyTree dependencies(const std::vector<Node>& nodes, int words) {
  DependencyTree tree(words);
  tree.set_head(nodes[0].head_word, 0);
  tree.set_label(nodes[0].head_word, "root");
  for (const Node& node : nodes) {
    if (node.relation == nullptr) continue;
    tree.set_head(node.head_word, nodes[static_cast<std::size_t>(node.parent)].head_word);
    tree.set_label(node.head_word, *node.relation);
  }
  return tree;
}

PhraseTree phrase_tree(const Grammar& grammar, const std::vector<Node>& nodes,
                       const Sentence& sentence) {
  PhraseTreeBuilder builder;
  std::vector<int> open;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (; !open.empty() && open.back() != nodes[i].parent; open.pop_back()) builder.close();
    if (nodes[i].word != nullptr) {
      builder.leaf(grammar.label(nodes[i].symbol), sentence.form(nodes[i].head_word));
    } else {
      builder.open(grammar.label(nodes[i].symbol));
      open.push_back(static_cast<int>(i));
    }
  }
  for (; !open.empty(); open.pop_back()) builder.close();
  return std::move(builder).finish();
}

bool joins_left(std::string_view form) {
  constexpr std::array<std::string_view, 10> kMarks = {".",  ",", "?", "!",     ";",
                                                       "''", ":", ")", "-RRB-", "n't"};
  for (const std::string_view mark : kMarks)
    if (form == mark) return true;
  return form.starts_with('\'');
}

bool joins_right(std::string_view form) {
  return form == "``" || form == "-LRB-" || form == "(";
}

std::string with_capital(const std::string& form) {
  std::string copy = form;
  if (copy[0] >= 'a' && copy[0] <= 'z') copy[0] = static_cast<char>(copy[0] - 'a' + 'A');
  return copy;
}

Sentence columns(const Grammar& grammar, const std::vector<Node>& nodes) {
  Sentence sentence;
  bool capital = true;  // the first word that starts with a letter gets a capital
  for (const Node& node : nodes) {
    if (node.word == nullptr) continue;
    const std::string& form = node.word->form;
    sentence.add_word(capital ? with_capital(form) : form);
    capital = capital && joins_right(form);
    const int word = sentence.words();
    sentence.set(word, Column::lemma, node.word->lemma);
    sentence.set(word, Column::upos, node.word->upos);
    sentence.set(word, Column::xpos, grammar.label(node.symbol));
    sentence.set(word, Column::feats, node.word->feats);
  }
  for (int word = 1; word <= sentence.words(); ++word) {
    const bool joined = joins_right(sentence.form(word)) ||
                        (word < sentence.words() && joins_left(sentence.form(word + 1)));
    if (joined) sentence.set(word, Column::misc, "SpaceAfter=No");
  }
  return sentence;
}

}  // namespace

Entry sample_sentence(const Grammar& grammar, const SamplerOptions& options, std::uint64_t number) {
  constexpr int kAttempts = 1000;
  Random random(options.seed * 0x9e3779b97f4a7c15ULL + number);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto nodes = derive(grammar, random, options.max_words);
    if (!nodes) continue;
    find_heads(*nodes);
    Entry entry;
    entry.sentence = columns(grammar, *nodes);
    entry.sentence.set_tree(dependencies(*nodes, entry.sentence.words()));
    entry.tree = phrase_tree(grammar, *nodes, entry.sentence);
    entry.sentence.set_comment("sent_id", fmt::format("sample-{}-{}", options.seed, number + 1));
    entry.sentence.set_comment("text", entry.sentence.surface_text());
    return entry;
  }
  throw data_error(
      fmt::format("{} sentences in a row were longer than {} words", kAttempts, options.max_words),
      {}, "raise the longest sentence allowed or make the grammar's recursive rules less likely");
}

}  // namespace copse
