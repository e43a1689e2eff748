#include "copse/treebank/conll.h"

#include <algorithm>
#include <cstring>

#include "copse/treebank/conll_parser.h"
#include "copse/treebank/lines.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

// Does the line at `bytes` hold nothing but blanks? Its length with line end goes to `length`.
bool blank_line(std::string_view bytes, std::size_t& length) {
  const auto* newline = static_cast<const char*>(std::memchr(bytes.data(), '\n', bytes.size()));
  length = newline == nullptr ? bytes.size() : newline - bytes.data() + 1;
  const char first = bytes[0];
  if (first != '\n' && first != '\r' && first != ' ' && first != '\t') return false;
  return bytes.substr(0, length).find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Length of the first sentence of `bytes`: blank lines before it (only at the start of a
// file), its lines, and all the blank lines after it.
std::size_t sentence_length(std::string_view bytes) {
  std::size_t position = 0;
  std::size_t length = 0;
  bool seen_line = false;
  bool seen_end = false;
  while (position < bytes.size()) {
    const bool blank = blank_line(bytes.substr(position), length);
    if (!blank && seen_end) break;
    seen_end = blank && seen_line;
    seen_line = seen_line || !blank;
    position += length;
  }
  return position;
}

class ConllReader : public Reader {
 public:
  ConllReader(Dialect dialect, const Limits& limits, HeadColumn heads)
      : dialect_(dialect), limits_(limits), heads_(heads) {}

  std::size_t cut(std::string_view buffer, std::size_t searched) const override {
    // A sentence is whole when a blank line and the start of another line follow it.
    const std::size_t from = searched > 3 ? searched - 3 : 0;
    std::size_t end = buffer.size();
    while (end > from + 1) {
      const auto newline = buffer.rfind('\n', end - 2);
      if (newline == std::string_view::npos || newline < from) return 0;
      const char next = buffer[newline + 1];
      const bool line_before_is_blank =
          newline > 0 &&
          (buffer[newline - 1] == '\n' ||
           (buffer[newline - 1] == '\r' && newline > 1 && buffer[newline - 2] == '\n'));
      if (line_before_is_blank && next != '\n' && next != '\r') return newline + 1;
      end = newline + 1;
    }
    return 0;
  }

  std::size_t cut_now(std::string_view buffer) const override {
    return ends_with_empty_line(buffer) ? buffer.size() : cut(buffer, 0);
  }

  Parsed parse(const Block& block) const override {
    Parsed parsed;
    ConllParser parser(dialect_, limits_, heads_);
    std::string_view rest = block.bytes;
    std::size_t line = block.first_line;
    while (!rest.empty()) {
      const std::string_view bytes = rest.substr(0, sentence_length(rest));
      parse_sentence(parser, bytes, line, block.file, parsed);
      const auto begin = static_cast<std::size_t>(bytes.data() - block.bytes.data());
      parsed.items.back().begin = begin;
      parsed.items.back().end = begin + bytes.size();
      line += static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
      rest.remove_prefix(bytes.size());
    }
    return parsed;
  }

 private:
  static void parse_sentence(ConllParser& parser, std::string_view bytes, std::size_t line,
                             const std::string& file, Parsed& parsed) {
    ReadItem& item = parsed.items.emplace_back();
    item.first_line = line;
    const std::size_t known_warnings = parsed.warnings.size();
    try {
      item.entry.sentence = parser.parse(bytes, line, parsed.warnings);
    } catch (const Error& error) {
      item.error = error.at({file});
    }
    for (std::size_t i = known_warnings; i < parsed.warnings.size(); ++i) {
      parsed.warnings[i].place.file = file;
    }
  }

  Dialect dialect_;
  Limits limits_;
  HeadColumn heads_;
};

std::string_view line_end_of(std::string_view line) {
  if (line.ends_with("\r\n")) return "\r\n";
  return line.ends_with('\n') ? "\n" : "";
}

class ConllWriter : public Writer {
 public:
  explicit ConllWriter(Dialect dialect) : dialect_(dialect) {}

  void write(const Entry& entry, std::string& out) const override {
    if (entry.sentence.empty() && !entry.tree.empty()) {
      write_sentence(sentence_from_tree(entry.tree, dialect_), out);
    } else {
      write_sentence(entry.sentence, out);
    }
  }

 private:
  void write_sentence(const Sentence& sentence, std::string& out) const {
    const bool same_dialect = sentence.dialect() == dialect_;
    bool ended = false;      // by a blank line of its own
    bool made_here = false;  // some row was never read from a file
    for (const Row& row : sentence.rows()) {
      if (!same_dialect && row.kind == RowKind::blank) continue;
      if (dialect_ == Dialect::conllx && !same_dialect && row.kind != RowKind::word) continue;
      ended = row.kind == RowKind::blank;
      made_here = made_here || row.line.size == 0;
      const bool column_row = row.kind != RowKind::blank && row.kind != RowKind::comment;
      if (column_row && (row.edited || !same_dialect)) {
        write_columns(sentence, row, same_dialect, out);
      } else {
        out += sentence.line(row);
      }
    }
    if (!ended && (made_here || !same_dialect)) out += sentence.line_end();
  }

  void write_columns(const Sentence& sentence, const Row& row, bool same_dialect,
                     std::string& out) const {
    const int columns = same_dialect ? row.column_count : kColumns;
    for (int i = 0; i < columns; ++i) {
      if (i > 0) out += '\t';
      const auto column = static_cast<Column>(i);
      // DEPS and MISC are not PHEAD and PDEPREL: neither survives a change of dialect.
      const bool foreign = !same_dialect && (column == Column::deps || column == Column::misc);
      const std::string_view value = sentence.get(row, column);
      out += foreign || value.empty() ? std::string_view("_") : value;
    }
    if (same_dialect) out += sentence.extra(row);
    const bool read_from_file = row.line.size > 0;
    out += read_from_file && same_dialect ? line_end_of(sentence.line(row)) : sentence.line_end();
  }

  Dialect dialect_;
};

}  // namespace

std::unique_ptr<Reader> make_conll_reader(Dialect dialect, const Limits& limits, HeadColumn heads) {
  return std::make_unique<ConllReader>(dialect, limits, heads);
}

std::unique_ptr<Writer> make_conll_writer(Dialect dialect) {
  return std::make_unique<ConllWriter>(dialect);
}

}  // namespace copse
