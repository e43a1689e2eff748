// Which format a file has, when its name does not tell: only what its first lines are sure of.
#include <fmt/core.h>

#include <algorithm>

#include "copse/base/input.h"
#include "copse/treebank/bracket_scan.h"
#include "copse/treebank/columns.h"
#include "copse/treebank/formats.h"

namespace copse {
namespace {

constexpr std::size_t kLook = std::size_t{1} << 16;
constexpr std::string_view kBlanks = " \t\v\f\r\n";
constexpr std::size_t kFewestConllColumns = 8;

// "(S (NP", "( (S", or a whole tree with another or nothing behind it; "(in 1999) he" is prose.
bool looks_like_brackets(std::string_view beginning) {
  BracketScanner scanner(beginning);
  BracketPiece piece{};
  if (!scanner.next(piece) || beginning[piece.begin] != '(') return false;
  if (piece.kind == PieceKind::tree) {
    const std::size_t behind = skip_outside_trees(beginning, piece.end);
    if (behind < beginning.size() && beginning[behind] == '(') return true;
    if (behind < beginning.size() && beginning[behind] != ')') return false;
  }
  const std::size_t label = beginning.find_first_not_of(kBlanks, piece.begin + 1);
  const std::size_t behind_label = beginning.find_first_of(" \t\r\n()", label);
  const std::size_t next = beginning.find_first_not_of(kBlanks, behind_label);
  if (next == std::string_view::npos) return false;
  return beginning[next] == '(' || piece.kind == PieceKind::tree;
}

bool looks_like_json(std::string_view beginning) {
  if (!beginning.starts_with('{')) return false;
  const std::size_t next = beginning.find_first_not_of(kBlanks, 1);
  return next != std::string_view::npos && (beginning[next] == '"' || beginning[next] == '}');
}

std::size_t count_fields(std::string_view line, std::string_view separators) {
  std::size_t fields = 1;
  for (std::size_t at = 0; (at = line.find_first_of(separators, at)) != std::string_view::npos;) {
    ++fields;
    at = separators == "\t" ? at + 1 : line.find_first_not_of(separators, at);
    if (at == std::string_view::npos) break;
  }
  return fields;
}

// A row of columns that begins with the number of its word: "1<tab>The<tab>...", even if there are
// too few of them or blanks for tabs; the reader then says what is wrong with it.
bool looks_like_conll(std::string_view line) {
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits == 0 || digits == line.size()) return false;
  const std::size_t id_end = std::min(line.find_first_of(" \t"), line.size());
  if (line.substr(0, id_end).find_first_not_of("0123456789.-") != std::string_view::npos) {
    return false;
  }
  constexpr std::size_t kNumberedRow = 5;
  if (line.find('\t') != std::string_view::npos) return count_fields(line, "\t") >= kNumberedRow;
  return count_fields(line, " ") >= kFewestConllColumns;
}

// The first line that is neither empty nor a comment; comments alone are told by their "# ".
std::string_view first_row(std::string_view beginning, bool& comments) {
  while (!beginning.empty()) {
    const std::size_t end = std::min(beginning.find('\n'), beginning.size());
    const std::string_view line = beginning.substr(0, end);
    beginning.remove_prefix(std::min(end + 1, beginning.size()));
    if (line.find_first_not_of(kBlanks) == std::string_view::npos) continue;
    if (!line.starts_with('#')) return line;
    comments = true;
  }
  return {};
}

}  // namespace

std::optional<Format> format_of_bytes(std::string_view beginning) {
  if (beginning.starts_with("\xEF\xBB\xBF")) beginning.remove_prefix(3);
  const std::size_t first = beginning.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return Format::conllu;  // nothing, in whichever format
  const std::string_view text = beginning.substr(first);
  if (text.starts_with("*x*") || looks_like_brackets(text)) return Format::ptb;
  if (looks_like_json(text)) return Format::json;
  bool comments = false;
  const std::string_view row = first_row(beginning, comments);
  if (looks_like_conll(row) || (comments && row.empty())) return Format::conllu;
  if (looks_like_columns(beginning)) return Format::columns;
  if (count_fields(row, "\t") >= kFewestConllColumns) return Format::conllu;
  return std::nullopt;
}

Format guess_format(Input& input, bool wait_for_more) {
  if (const auto format = format_of_file(input.name())) return *format;
  const std::string_view beginning = wait_for_more ? input.peek(kLook) : input.peek_line(kLook);
  if (const auto format = format_of_bytes(beginning)) return *format;
  throw usage_error(
      fmt::format("{}: cannot tell the format: the first lines are neither brackets nor JSON nor "
                  "columns separated by tabs",
                  input.name()));
}

}  // namespace copse
