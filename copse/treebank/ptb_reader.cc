#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "copse/base/utf8.h"
#include "copse/treebank/bracket_scan.h"
#include "copse/treebank/ptb.h"

namespace copse {
namespace {

enum class CharKind : std::uint8_t { token, blank, open, close };

constexpr auto kCharKinds = [] {
  std::array<CharKind, 256> kinds{};
  for (std::size_t c = 0; c < kinds.size(); ++c)
    if (is_bracket_blank(static_cast<char>(c))) kinds[c] = CharKind::blank;
  kinds['('] = CharKind::open;
  kinds[')'] = CharKind::close;
  return kinds;
}();

CharKind kind_of(char c) {
  return kCharKinds[static_cast<unsigned char>(c)];
}

// A token as an error message shows it.
std::string quoted(std::string_view token) {
  constexpr std::size_t kShown = 40;
  std::string shown = replace_invalid_utf8(token.substr(0, kShown));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c >= 0 && c < ' '; }, '?');
  return fmt::format("\"{}{}\"", shown, token.size() > kShown ? "..." : "");
}

// Line and column of positions in a block; fast when asked for in ascending order.
class PlaceFinder {
 public:
  explicit PlaceFinder(const Block& block) : block_(block), line_(block.first_line) {}

  Place at(std::size_t position) {
    if (position < counted_) {
      counted_ = 0;
      line_ = block_.first_line;
    }
    const std::string_view bytes = block_.bytes;
    for (std::size_t end; (end = bytes.find('\n', counted_)) < position; counted_ = end + 1) {
      ++line_;
    }
    return Place{block_.file, line_, position - counted_ + 1};
  }

 private:
  const Block& block_;
  std::size_t counted_ = 0;  // begins line line_
  std::size_t line_;
};

// What is wrong with a tree, and where.
struct Fault {
  std::size_t position;
  std::string message;
};

// Builds one tree from bytes whose brackets are known to match. Phrases are handed to the builder
// only when the first word below them turns up, so those without any never reach it.
class TreeParser {
 public:
  TreeParser(std::string_view bytes, const Limits& limits) : bytes_(bytes), limits_(limits) {}

  // Throws Fault. The tree is empty when it has no word.
  PhraseTree parse(const BracketPiece& piece) {
    position_ = piece.begin;
    words_ = 0;
    first_dropped_ = BracketScanner::kNone;
    builder_ = PhraseTreeBuilder();
    reserve(bytes_.substr(piece.begin, piece.end - piece.begin));
    waiting_.clear();
    do {
      step();
    } while (builder_.depth() > 0 || !waiting_.empty());
    return builder_.complete() ? std::move(builder_).finish() : PhraseTree();
  }

  std::size_t dropped() const { return dropped_; }  // over all trees so far
  std::size_t first_dropped() const { return first_dropped_; }

 private:
  void reserve(std::string_view tree) {
    // Half of the nodes are leaves or so. Capped: brackets without words never become nodes.
    constexpr std::size_t kMost = std::size_t{1} << 16;
    const auto brackets = static_cast<std::size_t>(std::count(tree.begin(), tree.end(), '('));
    const std::size_t nodes = std::min(brackets, kMost);
    builder_.reserve(nodes, nodes / 2 + 1, std::min(tree.size() - 2 * brackets, 16 * kMost));
  }

  void step() {
    skip_blanks();
    switch (kind_of(bytes_[position_])) {
      case CharKind::open:
        return open_bracket();
      case CharKind::close:
        return close_bracket();
      default:
        throw Fault{position_,
                    fmt::format("the word {} stands beside phrases; expected brackets with either "
                                "one word or phrases in them",
                                quoted(token()))};
    }
  }

  void open_bracket() {
    const std::size_t open = position_++;
    skip_blanks();
    const std::string_view label = token();
    skip_blanks();
    const CharKind follows = kind_of(bytes_[position_]);
    if (follows == CharKind::open) {
      wait(open, label);
    } else if (follows == CharKind::close) {
      ++position_;
      drop(open);
    } else {
      leaf(label);
    }
  }

  void wait(std::size_t open, std::string_view label) {
    if (builder_.depth() + static_cast<int>(waiting_.size()) >= limits_.max_depth) {
      throw Fault{open, fmt::format("brackets are nested more than {} deep", limits_.max_depth)};
    }
    waiting_.push_back({open, label});
  }

  void leaf(std::string_view tag) {
    const std::size_t begin = position_;
    const std::string_view word = token();
    skip_blanks();
    if (kind_of(bytes_[position_]) != CharKind::close) {
      throw Fault{position_, fmt::format("the brackets of {} have more in them than one word; "
                                         "expected \")\" after the word {}",
                                         quoted(tag), quoted(word))};
    }
    if (++words_ > limits_.max_words) {
      throw Fault{begin, fmt::format("the tree has more than {} words", limits_.max_words)};
    }
    ++position_;
    for (const Waiting& phrase : waiting_) builder_.open(phrase.label);
    waiting_.clear();
    builder_.leaf(tag, word);
  }

  void close_bracket() {
    ++position_;
    if (waiting_.empty()) {
      builder_.close();
    } else {
      drop(waiting_.back().open);
      waiting_.pop_back();
    }
  }

  void drop(std::size_t open) {
    ++dropped_;
    first_dropped_ = std::min(first_dropped_, open);
  }

  // The brackets match, so a ')' ends every run before the bytes do.
  void skip_blanks() {
    while (kind_of(bytes_[position_]) == CharKind::blank) ++position_;
  }
  std::string_view token() {
    const std::size_t begin = position_;
    while (kind_of(bytes_[position_]) == CharKind::token) ++position_;
    const std::string_view run = bytes_.substr(begin, position_ - begin);
    if (run.size() > limits_.max_line_bytes) {
      throw Fault{begin, fmt::format("the word {} has more than {} bytes", quoted(run),
                                     limits_.max_line_bytes)};
    }
    return run;
  }

  struct Waiting {
    std::size_t open;
    std::string_view label;
  };

  std::string_view bytes_;
  const Limits& limits_;
  std::size_t position_ = 0;
  int words_ = 0;
  std::size_t dropped_ = 0;
  std::size_t first_dropped_ = BracketScanner::kNone;
  PhraseTreeBuilder builder_;
  std::vector<Waiting> waiting_;  // open phrases without a word so far, outermost first
};

// One warning per kind and block, at its first place, with a count.
struct Tally {
  std::size_t count = 0;
  Place first;

  void add(std::size_t times, const Place& place) {
    if (count == 0) first = place;
    count += times;
  }
};

class BlockParser {
 public:
  BlockParser(const Block& block, const Limits& limits, const PtbReadOptions& options)
      : bytes_(block.bytes),
        limits_(limits),
        options_(options),
        places_(block),
        trees_(bytes_, limits),
        invalid_(find_invalid_utf8(bytes_)) {}

  Parsed parse() {
    BracketScanner scanner(bytes_);
    for (BracketPiece piece{}; scanner.next(piece);) {
      if (piece.kind == PieceKind::tree) {
        add_tree(piece);
      } else {
        add_error(piece, stray_fault(piece), stray_hint(piece));
      }
    }
    add_warnings();
    return std::move(parsed_);
  }

 private:
  void add_tree(const BracketPiece& piece) {
    try {
      check_bytes(piece);
      const std::size_t dropped_before = trees_.dropped();
      ReadItem item;
      item.first_line = places_.at(piece.begin).line;
      item.begin = piece.begin;
      item.end = piece.end;
      item.entry.tree = trees_.parse(piece);
      if (trees_.dropped() > dropped_before) {
        dropped_.add(trees_.dropped() - dropped_before, places_.at(trees_.first_dropped()));
      }
      if (piece.doubtful_line != BracketScanner::kNone) {
        doubtful_.add(1, places_.at(piece.doubtful_line));
      }
      const PhraseTree& tree = item.entry.tree;
      if (tree.empty() && !options_.keep_empty_trees) return;
      if (!tree.empty() && tree.label(0).empty() && tree.child_count(0) > 1) {
        several_.add(1, places_.at(piece.begin));
      }
      parsed_.items.push_back(std::move(item));
    } catch (const Fault& fault) {
      add_error(piece, fault, {});
    }
  }

  void check_bytes(const BracketPiece& piece) {
    if (piece.end - piece.begin > limits_.max_sentence_bytes) {
      throw Fault{piece.begin,
                  fmt::format("the tree has more than {} bytes", limits_.max_sentence_bytes)};
    }
    if (invalid_ < piece.begin) {
      const std::size_t found = find_invalid_utf8(bytes_.substr(piece.begin));
      invalid_ = found == std::string_view::npos ? found : piece.begin + found;
    }
    if (invalid_ < piece.end) {
      throw Fault{invalid_, fmt::format("the byte 0x{:02X} is not UTF-8",
                                        static_cast<unsigned char>(bytes_[invalid_]))};
    }
  }

  Fault stray_fault(const BracketPiece& piece) const {
    if (piece.kind == PieceKind::unclosed && piece.trees > 1) {
      const std::string others =
          piece.trees == 2 ? "is the one" : fmt::format("are the {}", piece.trees - 1);
      return {piece.begin,
              fmt::format("the tree that begins here is never closed, nor {} behind it", others)};
    }
    if (piece.kind == PieceKind::unclosed) {
      return {piece.begin, "the tree that begins here is never closed; a \")\" is missing"};
    }
    if (piece.kind == PieceKind::stray_close) {
      return {piece.begin, "a \")\" without its \"(\""};
    }
    if (piece.kind == PieceKind::swallowing) {
      return {piece.begin,
              "the tree that begins here goes on over the line of another one; a \")\" is missing"};
    }
    std::size_t end = piece.begin;
    while (end < piece.end && kind_of(bytes_[end]) == CharKind::token) ++end;
    return {piece.begin, fmt::format("the text {} stands outside any tree; expected \"(\"",
                                     quoted(bytes_.substr(piece.begin, end - piece.begin)))};
  }

  std::string stray_hint(const BracketPiece& piece) const {
    return piece.end < bytes_.size() ? "reading goes on at the next line that begins with \"(\""
                                     : std::string();
  }

  void add_error(const BracketPiece& piece, const Fault& fault, std::string hint) {
    ReadItem item;
    item.first_line = places_.at(piece.begin).line;
    item.error = data_error(fault.message, places_.at(fault.position), std::move(hint));
    item.begin = piece.begin;
    item.end = piece.end;
    parsed_.items.push_back(std::move(item));
  }

  void add_warnings() {
    if (doubtful_.count > 0) {
      parsed_.warnings.push_back(
          {doubtful_.first,
           fmt::format(
               "{} over a line that looks like the next tree; is a \")\" missing before it?",
               doubtful_.count == 1 ? "a tree goes on"
                                    : fmt::format("{} trees go on", doubtful_.count))});
    }
    if (dropped_.count > 0) {
      parsed_.warnings.push_back(
          {dropped_.first,
           fmt::format("{} without a word dropped", count_of(dropped_.count, "bracket"))});
    }
    if (several_.count > 0) {
      parsed_.warnings.push_back(
          {several_.first, fmt::format("{} with several trees inside kept as one tree",
                                       count_of(several_.count, "outer bracket"))});
    }
  }

  static std::string count_of(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  }

  std::string_view bytes_;
  const Limits& limits_;
  const PtbReadOptions& options_;
  PlaceFinder places_;
  TreeParser trees_;
  std::size_t invalid_;  // first byte that is not UTF-8, at or after the tree being read
  Parsed parsed_;
  Tally dropped_;
  Tally several_;
  Tally doubtful_;
};

class PtbReader : public Reader {
 public:
  PtbReader(const Limits& limits, const PtbReadOptions& options)
      : limits_(limits), options_(options) {}

  std::size_t cut(std::string_view buffer, std::size_t /*searched*/) const override {
    // The depth at `searched` is not known, so the count starts again; that is cheap.
    return cut_whole_trees(buffer, limits_.max_sentence_bytes);
  }

  std::vector<std::size_t> cuts(std::string_view bytes, std::size_t wanted) const override {
    return cuts_between_pieces(bytes, wanted);
  }

  Parsed parse(const Block& block) const override {
    return BlockParser(block, limits_, options_).parse();
  }

 private:
  Limits limits_;
  PtbReadOptions options_;
};

}  // namespace

std::unique_ptr<Reader> make_ptb_reader(const Limits& limits, const PtbReadOptions& options) {
  return std::make_unique<PtbReader>(limits, options);
}

}  // namespace copse
