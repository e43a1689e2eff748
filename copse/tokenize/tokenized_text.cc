#include "copse/tokenize/tokenized_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>

#include "copse/base/utf8.h"
#include "copse/tokenize/multiword.h"
#include "copse/tokenize/space_escapes.h"

namespace copse {
namespace {

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
}

bool is_line_break_or_tab(char c) {
  return c >= '\t' && c <= '\r';
}

// A token as a cell of CoNLL-U: valid UTF-8, each run of white space one blank.
std::string as_cell(std::string_view form) {
  std::string out;
  for_each_code_point(form, [&](char32_t point) {
    if (!is_white_space(point)) {
      append_utf8(point, out);
    } else if (!out.ends_with(' ')) {
      out += ' ';
    }
  });
  return out;
}

// Text under construction; most of what is written goes through here. Room is made once per line,
// so that the pieces of a line are plain copies.
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t room)
      : bytes_(std::make_unique_for_overwrite<char[]>(room)), room_(room) {}

  void make_room(std::size_t bytes) {
    if (room_ - size_ < bytes) grow(bytes);
  }
  // These need the room.
  void put(std::string_view text) {
    std::memcpy(bytes_.get() + size_, text.data(), text.size());
    size_ += text.size();
  }
  template <std::size_t kSize>
  void put(const char (&literal)[kSize]) {
    std::memcpy(bytes_.get() + size_, literal, kSize - 1);
    size_ += kSize - 1;
  }
  void put(std::uint64_t number) {
    char* const begin = bytes_.get() + size_;
    const char* const end = std::to_chars(begin, begin + kLongestNumber, number).ptr;
    size_ += static_cast<std::size_t>(end - begin);
  }
  // This makes it.
  void append(std::string_view text) {
    make_room(text.size());
    put(text);
  }

  void drop_last() { --size_; }

  std::size_t size() const { return size_; }
  std::unique_ptr<char[]> take() { return std::move(bytes_); }

  static constexpr std::size_t kLongestNumber = 20;

 private:
  void grow(std::size_t bytes) {
    const std::size_t room = std::max(room_ * 2, size_ + bytes);
    auto larger = std::make_unique_for_overwrite<char[]>(room);
    std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    room_ = room;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t room_;
  std::size_t size_ = 0;
};

constexpr std::string_view kByteOrderMark = "\uFEFF";

// Of a line, beside the form and unusual white space.
constexpr std::size_t kLineRoom = 160;
constexpr char kEmptyColumns[] = "\t_\t_\t_\t_\t_\t_\t_\t";

class BlockWriter {
 public:
  BlockWriter(const Tokenizer& tokenizer, const TextBlock& block,
              const TokenizedTextOptions& options)
      : tokenizer_(tokenizer),
        options_(options),
        out_(block.bytes.size() * (options.plain_text ? 2 : 10) + kLineRoom) {}

  TokenizedBlock write(const TextBlock& block, const std::string& document) {
    next_point_ = block.first_point;
    if (block.begins_text) {
      comments_ = document.empty() ? "# newdoc\n" : fmt::format("# newdoc id = {}\n", document);
    }
    if (block.begins_paragraph) comments_ += "# newpar\n";
    std::string_view rest = block.bytes;
    if (block.begins_text && rest.starts_with(kByteOrderMark)) {
      before_ = kByteOrderMark;  // goes with the white space in front of the text
      rest.remove_prefix(kByteOrderMark.size());
      ++next_point_;
    }
    while (!rest.empty()) {
      const TextUnit unit = first_unit(rest, options_.line_ends);
      write_unit(rest.substr(0, unit.size));
      if (unit.ends_paragraph && comments_.empty()) comments_ = "# newpar\n";
      rest.remove_prefix(unit.size);
    }
    done_.size = out_.size();
    done_.bytes = out_.take();
    return std::move(done_);
  }

 private:
  void write_unit(std::string_view text) {
    tokenizer_.segment(text, scratch_, found_);
    done_.tokens += found_.tokens.size();
    if (options_.line_ends == LineEnds::sentences && !found_.tokens.empty()) {
      found_.sentence_ends.assign(1, static_cast<std::uint32_t>(found_.tokens.size()));
    }
    text_ = text;
    ascii_ = is_ascii(text);
    valid_ = ascii_ || find_invalid_utf8(text) == std::string_view::npos;
    byte_ = 0;
    std::size_t begin = 0;
    for (const std::uint32_t end : found_.sentence_ends) {
      write_sentence(begin, end);
      begin = end;
    }
    point_at(text.size());
  }

  void write_sentence(std::size_t begin, std::size_t end) {
    for (std::size_t stop = longest_end(begin, end); stop < end; stop = longest_end(begin, end)) {
      ++done_.cut_sentences;
      write_whole_sentence(begin, stop);
      begin = stop;
    }
    write_whole_sentence(begin, end);
  }

  // As far as a sentence from `begin` to `end` may go.
  std::size_t longest_end(std::size_t begin, std::size_t end) {
    constexpr std::size_t kWordsPerToken = 8;
    const auto most = static_cast<std::size_t>(options_.max_words);
    if ((end - begin) * kWordsPerToken <= most) return end;
    const MultiwordExpander* expander = tokenizer_.expander();
    std::size_t words = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const bool multiword =
          expander != nullptr && expander->expand(as_cell(spelling(found_.tokens[i])), words_);
      words += multiword ? words_.size() : 1;
      if (words > most && i > begin) return i;
    }
    return end;
  }

  void write_whole_sentence(std::size_t begin, std::size_t end) {
    if (options_.plain_text) {
      write_plain(begin, end);
      return;
    }
    out_.append(comments_);
    comments_.clear();
    out_.append("# sent_id = ");
    done_.id_places.push_back(out_.size());
    out_.append("\n# text = ");
    write_surface(begin, end);
    out_.append("\n");
    std::uint64_t word = 1;
    for (std::size_t i = begin; i < end; ++i) word = write_token(i, word);
    out_.append("\n");
  }

  std::string_view surface(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }
  // What follows token i; for the last one, all that is left.
  std::string_view gap_after(std::size_t i) const {
    const std::size_t begin = found_.tokens[i].end;
    const std::size_t end =
        i + 1 < found_.tokens.size() ? found_.tokens[i + 1].begin : text_.size();
    return text_.substr(begin, end - begin);
  }

  // Tokens with one blank where the text has any white space.
  void write_surface(std::size_t begin, std::size_t end) {
    const auto blank_or_nothing = [](std::string_view gap) { return gap.empty() || gap == " "; };
    bool simple = valid_;
    for (std::size_t i = begin; simple && i + 1 < end; ++i) simple = blank_or_nothing(gap_after(i));
    const std::size_t first = found_.tokens[begin].begin;
    const std::string_view all = text_.substr(first, found_.tokens[end - 1].end - first);
    if (simple && std::ranges::none_of(all, is_line_break_or_tab)) {
      out_.append(all);
      return;
    }
    for (std::size_t i = begin; i < end; ++i) {
      out_.append(as_cell(surface(found_.tokens[i])));
      if (i + 1 < end && !gap_after(i).empty()) out_.append(" ");
    }
  }

  // Code points before byte `at` of the unit's text, in the whole text. Needs `at` not to fall.
  std::uint64_t point_at(std::size_t at) {
    const std::string_view passed = text_.substr(byte_, at - byte_);
    byte_ = at;
    if (ascii_) return next_point_ += passed.size();
    if (!valid_) return next_point_ += count_code_points(passed);
    for (const char c : passed) {
      if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++next_point_;
    }
    return next_point_;
  }

  std::string_view spelling(const Token& token) const {
    return token.spelling == 0 ? surface(token) : tokenizer_.spellings()[token.spelling];
  }

  // Whether the token cannot be written as it stands.
  bool is_odd(std::string_view form) const {
    bool high = false;
    bool blank = false;
    for (const char c : form) {
      high = high || static_cast<signed char>(c) < 0;
      blank = blank || (c >= '\t' && c <= ' ');
    }
    if (high && valid_) {
      for_each_code_point(form, [&](char32_t point) { blank = blank || is_white_space(point); });
    }
    return (blank || (high && !valid_)) && as_cell(form) != form;
  }

  // The items of MISC that are seldom there, each ended by "|".
  const std::string& unusual_misc(std::size_t i, bool odd, std::string_view gap) {
    const Token& token = found_.tokens[i];
    unusual_.clear();
    const auto add = [&](std::string_view key, std::string_view value) {
      unusual_ += key;
      append_escaped(value, unusual_);
      unusual_ += '|';
    };
    if (i == 0) before_ += text_.substr(0, token.begin);
    if (!before_.empty()) add("SpacesBefore=", before_);
    before_.clear();
    if (odd || token.spelling != 0) add("RawForm=", surface(token));
    if (gap.size() > 1 || (gap.size() == 1 && gap[0] != ' ')) add("SpacesAfter=", gap);
    return unusual_;
  }

  void write_misc(std::size_t i, bool odd) {
    const Token& token = found_.tokens[i];
    const std::string_view gap = gap_after(i);
    const bool usual = !odd && token.spelling == 0 && i > 0 && (gap.empty() || gap == " ");
    if (!usual) out_.append(unusual_misc(i, odd, gap));
    out_.make_room(kLineRoom);
    if (options_.ranges) {
      if (gap.empty()) out_.put("SpaceAfter=No|");
      out_.put("TokenRange=");
      out_.put(point_at(token.begin));
      out_.put(":");
      out_.put(point_at(token.end));
    } else if (gap.empty()) {
      out_.put("SpaceAfter=No");
    } else if (usual || unusual_.empty()) {
      out_.put("_");
    } else {
      out_.drop_last();  // the "|" after the last item
    }
    out_.put("\n");
  }

  // Returns the number of the next word.
  std::uint64_t write_token(std::size_t i, std::uint64_t word) {
    std::string_view form = spelling(found_.tokens[i]);
    const bool odd = is_odd(form);
    const std::string clean = odd ? as_cell(form) : std::string();
    if (odd) form = clean;
    const MultiwordExpander* expander = tokenizer_.expander();
    const bool multiword = expander != nullptr && expander->expand(form, words_);
    out_.make_room(form.size() + kLineRoom);
    out_.put(word);
    if (multiword) {
      out_.put("-");
      out_.put(word + words_.size() - 1);
    }
    out_.put("\t");
    out_.put(form);
    out_.put(kEmptyColumns);
    write_misc(i, odd);
    if (!multiword) return word + 1;
    for (const std::string& piece : words_) {
      out_.make_room(piece.size() + kLineRoom);
      out_.put(word++);
      out_.put("\t");
      out_.put(piece);
      out_.put(kEmptyColumns);
      out_.put("_\n");
    }
    return word;
  }

  void write_plain(std::size_t begin, std::size_t end) {
    const MultiwordExpander* expander = tokenizer_.expander();
    for (std::size_t i = begin; i < end; ++i) {
      if (i > begin) out_.append(" ");
      const std::string form = as_cell(spelling(found_.tokens[i]));
      if (expander != nullptr && expander->expand(form, words_)) {
        out_.append(fmt::format("{}", fmt::join(words_, " ")));
      } else {
        out_.append(form);
      }
    }
    out_.append("\n");
  }

  const Tokenizer& tokenizer_;
  const TokenizedTextOptions& options_;
  Tokenizer::Scratch scratch_;
  Segmentation found_;  // in text_
  std::string_view text_;
  bool ascii_ = true;
  bool valid_ = true;
  std::size_t byte_ = 0;  // next_point_ is the number of code points before this byte
  std::uint64_t next_point_ = 0;
  std::string comments_;  // before the next sentence
  std::string before_;    // white space in front of the next token
  std::string unusual_;
  std::vector<std::string> words_;
  TokenizedBlock done_;
  LineBuffer out_;
};

}  // namespace

std::string TokenizedBlock::numbered(std::uint64_t first_id) const {
  const std::string_view text(bytes.get(), size);
  std::string out;
  out.reserve(size + id_places.size() * 8);
  std::size_t done = 0;
  for (const std::size_t place : id_places) {
    out += text.substr(done, place - done);
    out += fmt::to_string(first_id++);
    done = place;
  }
  out += text.substr(done);
  return out;
}

TokenizedBlock tokenize_block(const Tokenizer& tokenizer, const TextBlock& block,
                              const std::string& document, const TokenizedTextOptions& options) {
  return BlockWriter(tokenizer, block, options).write(block, document);
}

std::string tokenize_text(const Tokenizer& tokenizer, std::string text,
                          const TokenizedTextOptions& options) {
  Input input = Input::from_memory(std::move(text), "text");
  TextBlockReader blocks(input, {.line_ends = options.line_ends});
  std::string out;
  std::uint64_t next_id = 1;
  while (const auto block = blocks.next()) {
    const TokenizedBlock done = tokenize_block(tokenizer, *block, "", options);
    out += done.numbered(next_id);
    next_id += done.id_places.size();
  }
  return out;
}

}  // namespace copse
