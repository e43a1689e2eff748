// The way through a block of text that every form of tokenised text shares: sentences, tokens, the
// white space around them and their places.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/utf8.h"
#include "copse/tokenize/line_buffer.h"
#include "copse/tokenize/multiword.h"
#include "copse/tokenize/space_escapes.h"
#include "copse/tokenize/tokenized_text.h"

namespace copse {
namespace detail {

inline bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
}

inline bool is_line_break_or_tab(char c) {
  return c >= '\t' && c <= '\r';
}

// A token as a cell of CoNLL-U: valid UTF-8, each run of white space one blank.
inline std::string as_cell(std::string_view form) {
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

inline constexpr std::string_view kByteOrderMark = "\uFEFF";

// Room for a line, beside the form and unusual white space.
inline constexpr std::size_t kLineRoom = 160;

}  // namespace detail

// Goes through a block sentence by sentence and token by token. What is found is told to a sink;
// text of some length (the surface of a sentence, the MISC of a token) is written to its buffer:
//
//   begin_sentence(comments), the surface, end_surface()
//   for each token: begin_token(first word, words, form), MISC, end_token(), word(number, form) for
//   each word of a multiword token
//   end_sentence()
template <class Sink>
class BlockWalk {
 public:
  BlockWalk(const Tokenizer& tokenizer, const TokenizedTextOptions& options, Sink& sink)
      : tokenizer_(tokenizer), options_(options), sink_(sink), out_(sink.buffer()) {
    scratch_.stop = options.stop;
  }

  void walk(const TextBlock& block, const std::string& document) {
    next_point_ = block.first_point;
    if (block.begins_text) {
      comments_ = document.empty() ? "# newdoc\n" : fmt::format("# newdoc id = {}\n", document);
    }
    if (block.begins_paragraph) comments_ += "# newpar\n";
    std::string_view rest = block.bytes;
    if (block.begins_text && rest.starts_with(detail::kByteOrderMark)) {
      before_ = detail::kByteOrderMark;  // goes with the white space in front of the text
      rest.remove_prefix(detail::kByteOrderMark.size());
      ++next_point_;
    }
    while (!rest.empty()) {
      const TextUnit unit = first_unit(rest, options_.line_ends);
      walk_unit(rest.substr(0, unit.size));
      if (unit.ends_paragraph && comments_.empty()) comments_ = "# newpar\n";
      rest.remove_prefix(unit.size);
    }
  }

  std::size_t tokens() const { return tokens_; }
  std::size_t cut_sentences() const { return cut_sentences_; }

 private:
  void walk_unit(std::string_view text) {
    tokenizer_.segment(text, scratch_, found_);
    tokens_ += found_.tokens.size();
    if (options_.line_ends == LineEnds::sentences && !found_.tokens.empty()) {
      found_.sentence_ends.assign(1, static_cast<std::uint32_t>(found_.tokens.size()));
    }
    text_ = text;
    ascii_ = detail::is_ascii(text);
    valid_ = ascii_ || find_invalid_utf8(text) == std::string_view::npos;
    byte_ = 0;
    std::size_t begin = 0;
    for (const std::uint32_t end : found_.sentence_ends) {
      walk_sentence(begin, end);
      begin = end;
    }
    point_at(text.size());
  }

  void walk_sentence(std::size_t begin, std::size_t end) {
    for (std::size_t stop = longest_end(begin, end); stop < end; stop = longest_end(begin, end)) {
      ++cut_sentences_;
      walk_whole_sentence(begin, stop);
      begin = stop;
    }
    walk_whole_sentence(begin, end);
  }

  // As far as a sentence from `begin` to `end` may go.
  std::size_t longest_end(std::size_t begin, std::size_t end) {
    constexpr std::size_t kWordsPerToken = 8;
    const auto most = static_cast<std::size_t>(options_.max_words);
    if ((end - begin) * kWordsPerToken <= most) return end;
    const MultiwordExpander* expander = tokenizer_.expander();
    std::size_t words = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const bool multiword = expander != nullptr &&
                             expander->expand(detail::as_cell(spelling(found_.tokens[i])), words_);
      words += multiword ? words_.size() : 1;
      if (words > most && i > begin) return i;
    }
    return end;
  }

  void walk_whole_sentence(std::size_t begin, std::size_t end) {
    if (options_.plain_text) {
      write_plain(begin, end);
      return;
    }
    sink_.begin_sentence(comments_);
    comments_.clear();
    write_surface(begin, end);
    sink_.end_surface();
    int word = 1;
    for (std::size_t i = begin; i < end; ++i) {
      if ((i - begin) % kTokensPerLook == 0) options_.stop.check();
      word = walk_token(i, word);
    }
    sink_.end_sentence();
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
    if (simple && std::ranges::none_of(all, detail::is_line_break_or_tab)) {
      out_.append(all);
      return;
    }
    for (std::size_t i = begin; i < end; ++i) {
      out_.append(detail::as_cell(surface(found_.tokens[i])));
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
    return (blank || (high && !valid_)) && detail::as_cell(form) != form;
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
    out_.make_room(detail::kLineRoom);
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
  }

  // Returns the number of the next word.
  int walk_token(std::size_t i, int word) {
    std::string_view form = spelling(found_.tokens[i]);
    const bool odd = is_odd(form);
    const std::string clean = odd ? detail::as_cell(form) : std::string();
    if (odd) form = clean;
    const MultiwordExpander* expander = tokenizer_.expander();
    const bool multiword = expander != nullptr && expander->expand(form, words_);
    sink_.begin_token(word, multiword ? static_cast<int>(words_.size()) : 1, form);
    write_misc(i, odd);
    sink_.end_token();
    if (!multiword) return word + 1;
    for (const std::string& piece : words_) sink_.word(word++, piece);
    return word;
  }

  void write_plain(std::size_t begin, std::size_t end) {
    const MultiwordExpander* expander = tokenizer_.expander();
    for (std::size_t i = begin; i < end; ++i) {
      if (i > begin) out_.append(" ");
      const std::string form = detail::as_cell(spelling(found_.tokens[i]));
      if (expander != nullptr && expander->expand(form, words_)) {
        out_.append(fmt::format("{}", fmt::join(words_, " ")));
      } else {
        out_.append(form);
      }
    }
    out_.append("\n");
  }

  static constexpr std::size_t kTokensPerLook = 1024;

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
  Sink& sink_;
  LineBuffer& out_;
  std::size_t tokens_ = 0;
  std::size_t cut_sentences_ = 0;
};

}  // namespace copse
