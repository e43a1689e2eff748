#include "copse/treebank/evaluation/evalb_line.h"

#include <fmt/core.h>

#include "copse/treebank/evaluation/lines.h"

namespace copse {
namespace {

class LineParser {
 public:
  LineParser(std::string_view line, const EvalbParameters& parameters)
      : line_(line), parameters_(parameters) {}

  EvalbLine parse() && {
    while (true) {
      skip_blanks();
      if (at_ == line_.size() || result_.unreadable) break;
      if (line_[at_] == '(') {
        open();
      } else if (line_[at_] == ')') {
        close();
      } else {
        fail(fmt::format("'{}' stands where a bracket was expected", token()));
      }
    }
    if (!result_.unreadable && !open_.empty()) {
      result_.problems.push_back(
          fmt::format("brackets do not balance: {} not closed", open_.size()));
    }
    return std::move(result_);
  }

 private:
  void skip_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
  }

  std::string_view token() {
    const std::size_t begin = at_;
    while (at_ < line_.size() && !is_blank(line_[at_]) && line_[at_] != '(' && line_[at_] != ')') {
      ++at_;
    }
    return line_.substr(begin, at_ - begin);
  }

  void fail(std::string problem) {
    result_.problems.push_back(std::move(problem));
    result_.unreadable = true;
  }

  void open() {
    ++at_;
    const std::string_view label = token();
    const std::size_t after_label = at_;
    skip_blanks();
    // "(NP )" is a word without letters but "(NP)" a phrase without words: blanks decide.
    if (at_ > after_label && at_ < line_.size() && line_[at_] != '(') {
      const std::string_view word = token();
      skip_blanks();
      if (at_ == line_.size() || line_[at_] != ')') {
        fail(fmt::format("more than a tag and a word in the bracket of '{}'", word));
        return;
      }
      ++at_;
      add_word({word, label});
      return;
    }
    at_ = after_label;
    result_.brackets.push_back({kept(), EvalbLine::Bracket::kOpen, label, open_.empty(), true});
    open_.push_back(result_.brackets.size() - 1);
  }

  void add_word(const EvalbLine::Word& word) {
    if (!parameters_.is_deleted_for_length(word.tag)) ++result_.length;
    if (parameters_.is_quote(word.tag, word.word)) {
      result_.quotes.push_back({word, kept(), result_.brackets.size(), open_});
    }
    if (!parameters_.is_deleted(word.tag)) result_.words.push_back(word);
  }

  void close() {
    ++at_;
    if (open_.empty()) {
      result_.problems.emplace_back("brackets do not balance: closed once too often");
      return;
    }
    result_.brackets[open_.back()].end = kept();
    open_.pop_back();
  }

  int kept() const { return static_cast<int>(result_.words.size()); }

  std::string_view line_;
  const EvalbParameters& parameters_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;
  EvalbLine result_;
};

}  // namespace

EvalbLine parse_evalb_line(std::string_view line, const EvalbParameters& parameters) {
  return LineParser(line, parameters).parse();
}

}  // namespace copse
