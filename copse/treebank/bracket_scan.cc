#include "copse/treebank/bracket_scan.h"

#include <algorithm>

#include "copse/treebank/label.h"

namespace copse {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kHeaderLine = "*x*";
// Trees that swallow others, and the lines that show it, stay together as long as this takes no more.
constexpr std::size_t kMostTogether = std::size_t{1} << 19;

std::size_t line_end(std::string_view bytes, std::size_t position) {
  return std::min(bytes.find('\n', position), bytes.size());
}

std::size_t resume_after(std::string_view bytes, std::size_t position) {
  return std::min(find_line_with_bracket(bytes, position), bytes.size());
}

// The last line in (first, end) that begins with '(', or 0.
std::size_t last_line_with_bracket(std::string_view bytes, std::size_t first) {
  const std::size_t found = bytes.rfind("\n(");
  return found == std::string_view::npos || found <= first ? 0 : found + 1;
}

// Behind the blanks that follow a tree, up to and including the end of its line.
std::size_t after_line_of(std::string_view bytes, std::size_t position) {
  while (position < bytes.size() && is_bracket_blank(bytes[position])) {
    if (bytes[position++] == '\n') break;
  }
  return position;
}

// From `begin`, inside `depth` brackets, to behind the ')' that closes the outermost; npos if none
// does, and `depth` is then that at the end.
std::size_t scan_brackets(std::string_view bytes, std::size_t begin, std::size_t& depth) {
  // Runs serially over every byte of a file, so it counts brackets a chunk at a time (loops of
  // fixed length, which the compiler vectorises) and looks closer only where depth may reach 0.
  constexpr std::size_t kChunk = 32;
  std::size_t i = begin;
  const auto closes_at = [&](std::size_t end) {
    for (; i < end; ++i) {
      if (bytes[i] == '(') ++depth;
      if (bytes[i] == ')' && --depth == 0) return true;
    }
    return false;
  };
  while (i + kChunk <= bytes.size()) {
    const char* chunk = bytes.data() + i;
    std::uint8_t opened = 0;
    std::uint8_t closed = 0;
    for (std::size_t k = 0; k < kChunk; ++k) opened += chunk[k] == '(' ? 1 : 0;
    for (std::size_t k = 0; k < kChunk; ++k) closed += chunk[k] == ')' ? 1 : 0;
    if (depth <= closed) {
      if (closes_at(i + kChunk)) return i + 1;
    } else {
      depth = depth + opened - closed;
      i += kChunk;
    }
  }
  return closes_at(bytes.size()) ? i + 1 : BracketScanner::kNone;
}

// The token behind the '(' at `open`; empty where a bracket follows.
std::string_view label_at(std::string_view bytes, std::size_t open) {
  std::size_t begin = open + 1;
  while (begin < bytes.size() && is_bracket_blank(bytes[begin])) ++begin;
  std::size_t end = begin;
  while (end < bytes.size() && bytes[end] != '(' && bytes[end] != ')' &&
         !is_bracket_blank(bytes[end])) {
    ++end;
  }
  return bytes.substr(begin, end - begin);
}

bool has_indented_line(std::string_view tree) {
  for (const std::string_view indent : {"\n (", "\n  ", "\n\t"}) {
    if (tree.find(indent) != std::string_view::npos) return true;
  }
  return false;
}

// Does the line at `begin` hold one whole tree and nothing else?
bool is_tree_line(std::string_view bytes, std::size_t begin) {
  const std::string_view line = bytes.substr(begin, line_end(bytes, begin) - begin);
  const std::size_t end = find_bracket_end(line, 0);
  if (end == BracketScanner::kNone) return false;
  const auto rest = line.substr(end);
  return std::all_of(rest.begin(), rest.end(), is_bracket_blank);
}

}  // namespace

std::size_t find_bracket_end(std::string_view bytes, std::size_t open) {
  std::size_t depth = 1;
  return scan_brackets(bytes, open + 1, depth);
}

std::size_t find_line_with_bracket(std::string_view bytes, std::size_t position) {
  const std::size_t found = bytes.find("\n(", position);
  return found == std::string_view::npos ? found : found + 1;
}

std::size_t skip_outside_trees(std::string_view bytes, std::size_t position) {
  while (position < bytes.size()) {
    const std::string_view rest = bytes.substr(position);
    if (is_bracket_blank(rest.front())) {
      ++position;
    } else if (rest.starts_with(kByteOrderMark)) {
      position += kByteOrderMark.size();
    } else if (rest.starts_with(kHeaderLine)) {
      position = line_end(bytes, position);
    } else {
      break;
    }
  }
  return position;
}

bool BracketScanner::is_known_unclosed(std::size_t open) const {
  return open >= unclosed_from_ && unclosed_[open - unclosed_from_];
}

void BracketScanner::find_unclosed_brackets(std::size_t from) {
  // From the right, every ')' closes one '(' further left; a '(' that finds none is unclosed.
  unclosed_from_ = from;
  unclosed_.assign(bytes_.size() - from, false);
  std::size_t closers = 0;
  for (std::size_t i = bytes_.size(); i-- > from;) {
    if (bytes_[i] == ')') ++closers;
    if (bytes_[i] != '(') continue;
    if (closers > 0) {
      --closers;
    } else {
      unclosed_[i - from] = true;
    }
  }
}

// The first line behind `position` that begins with '(' and that label, or npos.
std::size_t OuterLines::line_of(std::string_view label, std::size_t position) const {
  const auto begins = [&](std::size_t line) {
    const std::string_view found = label_at(bytes_, line);
    const bool is_whole =
        text_ == Text::ends || found.data() + found.size() != bytes_.data() + bytes_.size();
    return is_whole && found == label;
  };
  std::size_t line = find_line_with_bracket(bytes_, position);
  while (line != BracketScanner::kNone && !begins(line)) {
    line = find_line_with_bracket(bytes_, line);
  }
  return line;
}

std::size_t OuterLines::after(std::size_t open) {
  const std::string_view label = label_at(bytes_, open);
  if (!is_outer_label(label)) return std::string_view::npos;
  const auto [found, is_new] = found_.try_emplace(label, 0);
  if (is_new || found->second <= open) found->second = line_of(label, open);
  return found->second;
}

// Under an outer label a tree goes no further than to the next line of that label.
void BracketScanner::find_end(BracketPiece& piece) {
  const std::size_t limit = outer_lines_.after(piece.begin);
  const std::size_t end = is_known_unclosed(piece.begin)
                              ? kNone
                              : find_bracket_end(bytes_.substr(0, limit), piece.begin);
  if (end != kNone) {
    piece.end = end;
    look_for_doubtful_line(piece);
  } else if (limit != kNone) {
    piece.kind = PieceKind::swallowing;
    piece.end = limit;
  } else {
    end_unclosed(piece);
  }
}

void BracketScanner::end_unclosed(BracketPiece& piece) {
  if (unclosed_from_ == kNone) find_unclosed_brackets(piece.begin);
  piece.kind = PieceKind::unclosed;
  piece.end = resume_after(bytes_, piece.begin);
  if (++unclosed_pieces_ < kUnclosedApart) return;
  while (piece.end < bytes_.size() && is_known_unclosed(piece.end) &&
         !is_outer_label(label_at(bytes_, piece.end))) {
    piece.end = resume_after(bytes_, piece.end);
    ++piece.trees;
  }
}

void BracketScanner::look_for_doubtful_line(BracketPiece& piece) const {
  const std::string_view label = label_at(bytes_, piece.begin);
  const std::string_view tree = bytes_.substr(0, piece.end);
  std::size_t line = find_line_with_bracket(tree, piece.begin);
  if (line == kNone || is_outer_label(label)) return;
  const bool indented = has_indented_line(tree.substr(piece.begin));
  for (; line != kNone; line = find_line_with_bracket(tree, line)) {
    if (!indented && (label_at(tree, line) != label || !is_tree_line(tree, line))) continue;
    piece.doubtful_line = line;
    return;
  }
}

bool BracketScanner::next(BracketPiece& piece) {
  position_ = skip_outside_trees(bytes_, position_);
  if (position_ >= bytes_.size()) return false;
  piece = {PieceKind::tree, position_, position_};
  if (bytes_[position_] != '(') {
    piece.kind = bytes_[position_] == ')' ? PieceKind::stray_close : PieceKind::stray_text;
    piece.end = resume_after(bytes_, position_);
  } else {
    find_end(piece);
  }
  position_ = piece.end;
  return true;
}

std::size_t cut_whole_trees(std::string_view bytes, std::size_t max_tree_bytes) {
  std::size_t at_line_end = 0;
  std::size_t anywhere = 0;
  std::size_t shown = 0;  // behind a tree that swallows others
  std::size_t position = 0;
  OuterLines outer_lines(bytes, OuterLines::Text::goes_on);
  while ((position = skip_outside_trees(bytes, position)) < bytes.size()) {
    const std::size_t begin = position;
    if (bytes[begin] == '(') {
      const std::size_t next = outer_lines.after(begin);
      position = find_bracket_end(bytes.substr(0, next), begin);
      if (position == BracketScanner::kNone && next != BracketScanner::kNone) {
        shown = position = next;
        continue;  // without that line nothing shows that the tree swallows others
      }
    } else {
      position = find_line_with_bracket(bytes, begin);
    }
    if (position == BracketScanner::kNone) break;
    position = after_line_of(bytes, position);
    if (bytes[position - 1] == '\n') {
      at_line_end = position;
    } else if (at_line_end == 0) {
      anywhere = position;
    }
  }
  const std::size_t whole = std::max(at_line_end, anywhere);
  if (whole == 0 && bytes.size() > kMostTogether && shown > 0) return shown;
  return whole == 0 && bytes.size() > max_tree_bytes ? last_line_with_bracket(bytes, 0) : whole;
}

std::vector<std::size_t> cuts_between_pieces(std::string_view bytes, std::size_t wanted) {
  std::vector<std::size_t> cuts;
  std::size_t begin = 0;
  BracketScanner scanner(bytes);
  for (BracketPiece piece{}; scanner.next(piece);) {
    // What shows that a tree swallows others is the line behind it.
    const bool shows = piece.kind == PieceKind::swallowing;
    if (piece.end - begin < (shows ? std::max(wanted, kMostTogether) : wanted)) continue;
    const std::size_t end = after_line_of(bytes, piece.end);
    if (bytes[end - 1] != '\n' && end - begin < 2 * wanted) continue;
    begin = end;
    cuts.push_back(end);
  }
  if (begin < bytes.size()) cuts.push_back(bytes.size());
  return cuts;
}

}  // namespace copse
