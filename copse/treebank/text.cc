#include "copse/treebank/text.h"

#include <fmt/core.h>

#include "copse/base/utf8.h"
#include "copse/treebank/lines.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

constexpr std::string_view kBlanks = " \t\v\f\r";

class TextReader : public Reader {
 public:
  explicit TextReader(const Limits& limits) : limits_(limits) {}

  std::size_t cut(std::string_view buffer, std::size_t searched) const override {
    return whole_lines(buffer, searched);
  }

  Parsed parse(const Block& block) const override {
    Parsed parsed;
    for_each_line(block.bytes, block.first_line, [&](std::string_view line, std::size_t number) {
      if (line.find_first_not_of(kBlanks) == std::string_view::npos) return;
      ReadItem& item = parsed.items.emplace_back();
      item.first_line = number;
      item.begin = static_cast<std::size_t>(line.data() - block.bytes.data());
      item.end = after_line(block.bytes, line);
      try {
        item.entry.sentence = parse_line(line);
      } catch (const Error& error) {
        const std::size_t column = error.place().column;
        item.error = data_error(error.message(), {block.file, number, column}, error.hint());
      }
    });
    return parsed;
  }

 private:
  Sentence parse_line(std::string_view line) const {
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
    Sentence sentence;
    std::size_t start = line.find_first_not_of(kBlanks);
    while (start != std::string_view::npos) {
      const std::size_t stop = std::min(line.find_first_of(kBlanks, start), line.size());
      if (sentence.words() == limits_.max_words) {
        throw data_error(
            fmt::format("the sentence has more than {} words, the limit", limits_.max_words), {},
            "raise max_words");
      }
      sentence.add_word(line.substr(start, stop - start));
      start = line.find_first_not_of(kBlanks, stop);
    }
    return sentence;
  }

  Limits limits_;
};

class TextWriter : public Writer {
 public:
  explicit TextWriter(const TextWriteOptions& options) : options_(options) {}

  void write(const Entry& entry, std::string& out) const override {
    if (entry.sentence.empty() && !entry.tree.empty()) {
      write_words(sentence_from_tree(entry.tree), out);
    } else {
      write_words(entry.sentence, out);
    }
  }

 private:
  void write_words(const Sentence& sentence, std::string& out) const {
    if (sentence.words() == 0) return;
    if (options_.surface) {
      out += sentence.surface_text();
    } else {
      for (int word = 1; word <= sentence.words(); ++word) {
        if (word > 1) out += ' ';
        out += sentence.form(word);
      }
    }
    out += '\n';
  }

  TextWriteOptions options_;
};

}  // namespace

std::unique_ptr<Reader> make_text_reader(const Limits& limits) {
  return std::make_unique<TextReader>(limits);
}

std::unique_ptr<Writer> make_text_writer(const TextWriteOptions& options) {
  return std::make_unique<TextWriter>(options);
}

}  // namespace copse
