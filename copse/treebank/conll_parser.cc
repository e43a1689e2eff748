#include "copse/treebank/conll_parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "copse/base/utf8.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, kColumns> kColumnNames = {
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};
constexpr int kFewestConllxColumns = 8;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// A whole number without sign; false when `text` is anything else or too large.
bool parse_number(std::string_view text, int& value) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return false;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size();
}

bool is_blank(std::string_view content) {
  return content.find_first_not_of(" \t\r") == std::string_view::npos;
}

// What a message shows of the input: short, printable.
std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown = replace_invalid_utf8(text.substr(0, kShown));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return fmt::format("'{}{}'", shown, text.size() > kShown ? "..." : "");
}

}  // namespace

void ConllParser::fail(std::string message, std::size_t column, std::string hint) const {
  throw data_error(std::move(message), {"", line_, column}, std::move(hint));
}

Slice ConllParser::slice_of(const Sentence& sentence, std::string_view part) {
  return {static_cast<std::uint32_t>(part.data() - sentence.text_.data()),
          static_cast<std::uint32_t>(part.size())};
}

Sentence ConllParser::parse(std::string_view bytes, std::size_t first_line,
                            std::vector<Warning>& warnings) {
  line_ = first_line;
  words_ = range_end_ = last_empty_ = 0;
  word_lines_.clear();
  if (bytes.size() > limits_.max_sentence_bytes) {
    fail(fmt::format("the sentence has {} bytes; the limit is {}", bytes.size(),
                     limits_.max_sentence_bytes),
         0, "raise max_sentence_bytes");
  }
  Sentence sentence(dialect_);
  sentence.text_.assign(bytes);
  const auto lines = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  sentence.rows_.reserve(lines + 1);
  sentence.word_rows_.reserve(lines + 1);
  const std::string_view text = sentence.text_;
  for (std::size_t offset = 0; offset < text.size(); ++line_) {
    const std::size_t end = std::min(text.find('\n', offset), text.size() - 1) + 1;
    add_line(sentence, text.substr(offset, end - offset));
    if (sentence.rows_.back().kind == RowKind::comment && words_ > 0) {
      warnings.push_back({{"", line_}, "a comment between words; expected before the first word"});
    }
    offset = end;
  }
  check_whole(sentence);
  return sentence;
}

void ConllParser::add_line(Sentence& sentence, std::string_view line) {
  if (line.size() > limits_.max_line_bytes) {
    fail(fmt::format("the line has {} bytes; the limit is {}", line.size(), limits_.max_line_bytes),
         0, "raise max_line_bytes");
  }
  std::string_view content = line;
  if (line_ == 1 && content.starts_with(kByteOrderMark)) {
    content.remove_prefix(kByteOrderMark.size());
  }
  if (content.ends_with('\n')) content.remove_suffix(1);
  if (content.ends_with('\r')) {
    content.remove_suffix(1);
    sentence.crlf_ = true;
  }
  if (const auto bad = find_invalid_utf8(content); bad != std::string_view::npos) {
    fail(fmt::format("byte 0x{:02X} is not valid UTF-8", static_cast<unsigned char>(content[bad])),
         bad + 1, "convert the file to UTF-8, for example with iconv");
  }
  if (const auto bare = content.find('\r'); bare != std::string_view::npos && !is_blank(content)) {
    fail("a carriage return inside the line; expected it at the end, if at all", bare + 1);
  }
  Row& row = sentence.rows_.emplace_back();
  row.line = slice_of(sentence, line);
  if (content.starts_with('#')) {
    row.kind = RowKind::comment;
  } else if (is_blank(content)) {
    row.kind = RowKind::blank;
  } else {
    split_columns(sentence, row, content);
    read_id(sentence, row);
  }
}

void ConllParser::split_columns(const Sentence& sentence, Row& row,
                                std::string_view content) const {
  int count = 0;
  std::size_t start = 0;
  for (std::size_t stop = 0; stop < content.size(); ++count, start = stop + 1) {
    stop = std::min(content.find('\t', start), content.size());
    if (count == kColumns) row.extra = slice_of(sentence, content.substr(start - 1));
    if (count >= kColumns) continue;
    const auto column = static_cast<std::size_t>(count);
    row.columns[column] = slice_of(sentence, content.substr(start, stop - start));
    if (start == stop) {
      fail(fmt::format("column {} ({}) is empty; expected a value or _", count + 1,
                       kColumnNames[column]));
    }
  }
  row.column_count = static_cast<std::uint8_t>(std::min(count, kColumns));
  const bool conllx = dialect_ == Dialect::conllx;
  if (conllx ? count >= kFewestConllxColumns : count == kColumns) return;
  fail(fmt::format("found {} {}; expected {}", count, count == 1 ? "column" : "columns",
                   conllx ? "8 to 10" : "10"),
       0, count == 1 ? "columns are separated by tabs, not by spaces" : "");
}

void ConllParser::read_id(Sentence& sentence, Row& row) {
  const std::string_view id = sentence.get(row, Column::id);
  int number = 0;
  if (parse_number(id, number)) {
    if (number != words_ + 1) {
      fail(fmt::format("ID is {}; expected {}", number, words_ + 1), 1);
    }
    if (words_ == limits_.max_words) {
      fail(fmt::format("the sentence has more than {} words, the limit", limits_.max_words), 0,
           "raise max_words");
    }
    row.kind = RowKind::word;
    row.id = row.last = ++words_;
    last_empty_ = 0;
    read_head(sentence, row);
    word_lines_.push_back(line_);
    // The row was just appended, so it is the last one.
    sentence.word_rows_.push_back(static_cast<std::uint32_t>(sentence.rows_.size() - 1));
    return;
  }
  const auto separator = id.find_first_of("-.");
  if (dialect_ == Dialect::conllx || separator == std::string_view::npos ||
      !parse_number(id.substr(0, separator), row.id) ||
      !parse_number(id.substr(separator + 1), row.last)) {
    fail(fmt::format(
             "ID is {}; expected a whole number{}", quoted(id),
             dialect_ == Dialect::conllx ? "" : ", a range like 3-4 or an empty node like 3.1"),
         1);
  }
  if (id[separator] == '-') {
    row.kind = RowKind::multiword;
    if (row.id != words_ + 1 || row.last <= row.id || row.id <= range_end_) {
      fail(fmt::format("range {} does not fit here; expected one that starts at {}, ends later "
                       "and overlaps no other",
                       id, std::max(words_, range_end_) + 1),
           1);
    }
    range_end_ = row.last;
    range_line_ = line_;
  } else {
    row.kind = RowKind::empty;
    if (row.id != words_ || row.last != last_empty_ + 1) {
      fail(fmt::format("empty node {} does not fit here; expected {}.{}", id, words_,
                       last_empty_ + 1),
           1);
    }
    last_empty_ = row.last;
  }
}

void ConllParser::read_head(const Sentence& sentence, Row& row) const {
  const std::string_view head = sentence.get(row, Column::head);
  if (head == "_" || heads_ == HeadColumn::passed_over) return;
  if (!parse_number(head, row.head)) {
    fail(fmt::format("HEAD is {}; expected a whole number or _", quoted(head)));
  }
}

std::string ConllParser::name_of(const Sentence& sentence) {
  const auto id = sentence.comment("sent_id");
  return id ? fmt::format(" (sent_id {})", *id) : "";
}

void ConllParser::check_whole(const Sentence& sentence) {
  if (range_end_ > words_) {
    line_ = range_line_;
    fail(fmt::format("a range ends at word {} but the sentence has {} words{}", range_end_, words_,
                     name_of(sentence)));
  }
  for (int word = 1; word <= words_; ++word) {
    const int head = sentence.head(word);
    if (head <= words_ && head != word) continue;
    line_ = word_lines_[static_cast<std::size_t>(word) - 1];
    if (head == word) fail(fmt::format("word {} is its own head{}", word, name_of(sentence)));
    fail(fmt::format("HEAD is {} but the sentence has {} words; expected 0 to {}{}", head, words_,
                     words_, name_of(sentence)));
  }
  check_cycles(sentence);
}

void ConllParser::check_cycles(const Sentence& sentence) {
  // As DependencyTree::word_on_cycle, without making the tree: this runs for every sentence read.
  walk_.assign(static_cast<std::size_t>(words_) + 1, 0);
  for (int start = 1; start <= words_; ++start) {
    int word = start;
    while (word > 0 && walk_[static_cast<std::size_t>(word)] == 0) {
      walk_[static_cast<std::size_t>(word)] = start;
      word = sentence.head(word);
    }
    if (word <= 0 || walk_[static_cast<std::size_t>(word)] != start) continue;
    line_ = word_lines_[static_cast<std::size_t>(word) - 1];
    fail(fmt::format("word {} is on a cycle of heads: it is its own ancestor{}", word,
                     name_of(sentence)));
  }
}

}  // namespace copse
