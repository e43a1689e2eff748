#include "copse/treebank/columns.h"

#include <fmt/core.h>

#include <vector>

#include "copse/base/utf8.h"
#include "copse/treebank/lines.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

constexpr std::string_view kBlanks = " \t\v\f\r";
constexpr std::size_t kFewestConllColumns = 8;

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(kBlanks) == std::string_view::npos;
}

// At tabs if there are any, so that words may contain blanks; else at runs of blanks.
std::vector<std::string_view> split_fields(std::string_view line) {
  const bool tabs = line.find('\t') != std::string_view::npos;
  const std::string_view separators = tabs ? "\t" : kBlanks;
  std::vector<std::string_view> fields;
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    if (tabs || end > begin) fields.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

class ColumnsReader : public Reader {
 public:
  explicit ColumnsReader(const Limits& limits) : limits_(limits) {}

  std::size_t cut(std::string_view buffer, std::size_t searched) const override {
    // Up to the last empty line that another line follows.
    const std::size_t from = searched > 3 ? searched - 3 : 0;
    for (std::size_t end = buffer.size(); end > from;) {
      const std::size_t newline = buffer.rfind('\n', end - 1);
      if (newline == std::string_view::npos || newline < from || newline == 0) return 0;
      const bool empty_before =
          buffer[newline - 1] == '\n' || (newline >= 2 && buffer.substr(newline - 2, 2) == "\n\r");
      if (empty_before) return newline + 1;
      end = newline;
    }
    return 0;
  }

  std::size_t cut_now(std::string_view buffer) const override {
    return ends_with_empty_line(buffer) ? buffer.size() : cut(buffer, 0);
  }

  Parsed parse(const Block& block) const override {
    Parsed parsed;
    bool inside = false;
    for_each_line(block.bytes, block.first_line, [&](std::string_view line, std::size_t number) {
      if (is_blank_line(line)) {
        // The empty line that ends a sentence belongs to it; those behind it to nobody.
        if (inside) parsed.items.back().end = after_line(block.bytes, line);
        inside = false;
        return;
      }
      if (!inside) {
        parsed.items.emplace_back().first_line = number;
        parsed.items.back().begin = static_cast<std::size_t>(line.data() - block.bytes.data());
      }
      inside = true;
      ReadItem& item = parsed.items.back();
      item.end = after_line(block.bytes, line);
      if (item.error) return;
      try {
        add_word(line, item.entry.sentence);
      } catch (const Error& error) {
        item.error =
            data_error(error.message(), {block.file, number, error.place().column}, error.hint());
      }
    });
    return parsed;
  }

 private:
  void add_word(std::string_view line, Sentence& sentence) const {
    if (line.size() > limits_.max_line_bytes) {
      throw data_error(fmt::format("the line has {} bytes; the limit is {}", line.size(),
                                   limits_.max_line_bytes),
                       {}, "raise max_line_bytes");
    }
    if (const auto bad = find_invalid_utf8(line); bad != std::string_view::npos) {
      throw data_error(
          fmt::format("byte 0x{:02X} is not valid UTF-8", static_cast<unsigned char>(line[bad])),
          {"", 1, bad + 1}, "convert the file to UTF-8, for example with iconv");
    }
    if (sentence.words() == limits_.max_words) {
      throw data_error(
          fmt::format("the sentence has more than {} words, the limit", limits_.max_words), {},
          "raise max_words");
    }
    const auto fields = split_fields(line);
    if (fields[0].empty()) throw data_error("the first column, the word, is empty");
    sentence.add_word(fields[0]);
    const int word = sentence.words();
    if (fields.size() >= 2) sentence.set(word, Column::xpos, fields[1]);
    if (fields.size() >= 3) {
      std::string rest(fields[2]);
      for (std::size_t i = 3; i < fields.size(); ++i) rest += fmt::format(" {}", fields[i]);
      sentence.set(word, Column::misc, rest);
    }
  }

  Limits limits_;
};

class ColumnsWriter : public Writer {
 public:
  void write(const Entry& entry, std::string& out) const override {
    if (entry.sentence.empty() && !entry.tree.empty()) {
      write_words(sentence_from_tree(entry.tree), out);
    } else {
      write_words(entry.sentence, out);
    }
  }

 private:
  static void write_words(const Sentence& sentence, std::string& out) {
    if (sentence.words() == 0) return;
    for (int word = 1; word <= sentence.words(); ++word) {
      out += sentence.form(word);
      out += '\t';
      out += sentence.xpos(word);
      if (const auto misc = sentence.misc(word); misc != "_" && !misc.empty()) {
        out += '\t';
        out += misc;
      }
      out += '\n';
    }
    out += '\n';
  }
};

}  // namespace

std::unique_ptr<Reader> make_columns_reader(const Limits& limits) {
  return std::make_unique<ColumnsReader>(limits);
}

std::unique_ptr<Writer> make_columns_writer() {
  return std::make_unique<ColumnsWriter>();
}

namespace {

bool is_chunk_label(std::string_view field) {
  if (field == "O") return true;
  return field.size() > 2 && field[1] == '-' &&
         std::string_view("BIESLU").find(field[0]) != std::string_view::npos;
}

}  // namespace

bool looks_like_columns(std::string_view beginning) {
  std::size_t lines = 0;
  std::size_t columns = 0;
  bool tabs = true;
  bool labels = true;
  while (!beginning.empty()) {
    const auto newline = beginning.find('\n');
    if (newline == std::string_view::npos) break;  // possibly cut off
    const std::string_view line = beginning.substr(0, newline);
    beginning.remove_prefix(newline + 1);
    if (is_blank_line(line)) {
      if (lines > 0) break;
      continue;
    }
    const auto fields = split_fields(line);
    if (fields.size() < 2 || fields.size() >= kFewestConllColumns ||
        (lines > 0 && fields.size() != columns)) {
      return false;
    }
    columns = fields.size();
    tabs = tabs && line.find('\t') != std::string_view::npos;
    labels = labels && is_chunk_label(fields.back());
    ++lines;
  }
  return (tabs && lines >= 1) || (labels && lines >= 2);
}

}  // namespace copse
