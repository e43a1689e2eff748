#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "copse/treebank/bracket_scan.h"
#include "copse/treebank/label.h"
#include "copse/treebank/ptb.h"

namespace copse {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 6> kBracketNames = {{
    {"-LRB-", '('},
    {"-RRB-", ')'},
    {"-LCB-", '{'},
    {"-RCB-", '}'},
    {"-LSB-", '['},
    {"-RSB-", ']'},
}};

std::string_view bracket_name(char bracket) {
  for (const auto& [name, character] : kBracketNames)
    if (character == bracket) return name;
  return {};
}

bool needs_care(char c) {
  return c == '(' || c == ')' || is_bracket_blank(c);
}

// A label or word so that a reader takes it for one token.
void append_token(std::string_view token, std::string& out) {
  if (std::none_of(token.begin(), token.end(), needs_care)) {
    out += token;
    return;
  }
  for (char c : token) {
    if (is_bracket_blank(c)) {
      out += '_';
    } else if (needs_care(c)) {
      out += bracket_name(c);
    } else {
      out += c;
    }
  }
}

std::string_view outer_label(OuterBracket outer) {
  switch (outer) {
    case OuterBracket::top:
      return "TOP";
    case OuterBracket::root:
      return "ROOT";
    case OuterBracket::s1:
      return "S1";
    default:
      return "";
  }
}

// Which node to write as the outermost one, under which label, inside which additional bracket.
struct Outside {
  int node = 0;
  bool relabel = false;
  bool wrap = false;
  std::string_view label = {};
};

Outside plan_outside(const PhraseTree& tree, OuterBracket outer) {
  const bool has_outer = !tree.is_leaf(0) && is_outer_label(tree.label(0));
  if (outer == OuterBracket::keep || (outer == OuterBracket::none && !has_outer)) return {};
  if (outer == OuterBracket::none && tree.child_count(0) == 1) return {.node = 1};
  return {.relabel = has_outer, .wrap = !has_outer, .label = outer_label(outer)};
}

class TreeText {
 public:
  TreeText(const PhraseTree& tree, const PtbWriteOptions& options, std::string& out)
      : tree_(tree), options_(options), out_(out), outside_(plan_outside(tree, options.outer)) {
    if (options.indent) measure();
  }

  void write() {
    // Iterative, since trees may be 10,000 levels deep.
    if (outside_.wrap) open_outer(outside_.label);
    const int root = outside_.node;
    std::vector<int> ends;  // next() of the open phrases, outermost first
    for (int node = root; node < tree_.next(root); ++node) {
      for (; !ends.empty() && ends.back() == node; ends.pop_back()) close(ends.size());
      if (node != root || outside_.wrap) separate(ends.size() + base_depth());
      open(node, ends.size());
      if (tree_.is_leaf(node)) {
        out_ += ')';
      } else {
        ends.push_back(tree_.next(node));
      }
    }
    for (; !ends.empty(); ends.pop_back()) close(ends.size());
    if (outside_.wrap) out_ += ')';
    out_ += '\n';
  }

 private:
  void open_outer(std::string_view label) {
    out_ += '(';
    append_token(label, out_);
  }

  void open(int node, std::size_t depth) {
    const bool relabel = outside_.relabel && node == outside_.node;
    out_ += '(';
    append_token(relabel ? outside_.label : tree_.label(node), out_);
    if (tree_.is_leaf(node)) {
      out_ += ' ';
      append_token(tree_.word(node), out_);
    } else if (options_.indent && flat_since_ == kNotFlat && fits(node, depth + base_depth())) {
      flat_since_ = depth;
    }
  }

  void close(std::size_t depth) {
    out_ += ')';
    if (flat_since_ == depth - 1) flat_since_ = kNotFlat;
  }

  std::size_t base_depth() const { return outside_.wrap ? 1 : 0; }

  // Between one bracket and the next: a blank, or a new line outside the phrases that fit on one.
  void separate(std::size_t depth) {
    if (!options_.indent || flat_since_ != kNotFlat) {
      out_ += ' ';
    } else {
      out_ += '\n';
      out_.append(indentation(depth), ' ');
    }
  }

  // Very deep trees stop moving to the right, or the blanks alone would grow quadratically.
  static std::size_t indentation(std::size_t depth) {
    return 2 * std::min<std::size_t>(depth, 100);
  }

  void measure() {
    width_before_.resize(static_cast<std::size_t>(tree_.size()) + 1, 0);
    for (int node = 0; node < tree_.size(); ++node) {
      const auto i = static_cast<std::size_t>(node);
      const std::size_t word = tree_.is_leaf(node) ? tree_.word(node).size() + 1 : 0;
      width_before_[i + 1] = width_before_[i] + tree_.label(node).size() + word + 3;
    }
  }

  bool fits(int node, std::size_t depth) const {
    const std::size_t width = width_before_[static_cast<std::size_t>(tree_.next(node))] -
                              width_before_[static_cast<std::size_t>(node)];
    return indentation(depth) + width <= static_cast<std::size_t>(std::max(options_.width, 0));
  }

  static constexpr std::size_t kNotFlat = static_cast<std::size_t>(-1);

  const PhraseTree& tree_;
  const PtbWriteOptions& options_;
  std::string& out_;
  Outside outside_;
  std::vector<std::size_t> width_before_;  // columns of all nodes before this one
  std::size_t flat_since_ = kNotFlat;      // depth of the phrase being written on one line
};

void check_writable(const PhraseTree& tree) {
  if (tree.empty()) {
    throw data_error("there is no phrase-structure tree to write", {},
                     "brackets show trees; parse the sentence or choose a column format");
  }
  for (int leaf : tree.leaves()) {
    if (tree.label(leaf).empty() || tree.word(leaf).empty()) {
      throw data_error("a leaf without a tag or without a word cannot be written in brackets");
    }
  }
}

class PtbWriter : public Writer {
 public:
  explicit PtbWriter(const PtbWriteOptions& options) : options_(options) {}

  void write(const Entry& entry, std::string& out) const override {
    check_writable(entry.tree);
    TreeText(entry.tree, options_, out).write();
  }

 private:
  PtbWriteOptions options_;
};

}  // namespace

OuterBracket parse_outer_bracket(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, OuterBracket>, 6> kNames = {{
      {"keep", OuterBracket::keep},
      {"empty", OuterBracket::empty},
      {"TOP", OuterBracket::top},
      {"ROOT", OuterBracket::root},
      {"S1", OuterBracket::s1},
      {"none", OuterBracket::none},
  }};
  for (const auto& [known, outer] : kNames)
    if (known == name) return outer;
  throw usage_error(fmt::format("unknown outer bracket \"{}\"", name),
                    "expected keep, empty, TOP, ROOT, S1 or none");
}

std::unique_ptr<Writer> make_ptb_writer(const PtbWriteOptions& options) {
  return std::make_unique<PtbWriter>(options);
}

std::string ptb_token(std::string_view token) {
  std::string out;
  append_token(token, out);
  return out;
}

std::string ptb_line(const PhraseTree& tree) {
  std::string out;
  if (tree.empty()) return out;
  TreeText(tree, {}, out).write();
  out.pop_back();  // the line end
  return out;
}

std::string unescape_ptb_word(std::string_view word) {
  std::string out;
  while (!word.empty()) {
    const auto name = std::find_if(kBracketNames.begin(), kBracketNames.end(),
                                   [&](const auto& n) { return word.starts_with(n.first); });
    if (name != kBracketNames.end()) {
      out += name->second;
      word.remove_prefix(name->first.size());
      continue;
    }
    if (word.starts_with("\\/") || word.starts_with("\\*")) word.remove_prefix(1);
    out += word.front();
    word.remove_prefix(1);
  }
  return out;
}

std::string escape_ptb_word(std::string_view word) {
  std::string out;
  for (char c : word) {
    if (const std::string_view name = bracket_name(c); !name.empty()) {
      out += name;
    } else {
      if (c == '/' || c == '*') out += '\\';
      out += c;
    }
  }
  return out;
}

}  // namespace copse
