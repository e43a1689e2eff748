#include "copse/treebank/evaluation/evalb_line.h"

#include <fmt/core.h>

#include "copse/treebank/evaluation/lines.h"

namespace copse {
namespace {

class LineParser {
 public:
  LineParser(std::string_view line, const EvalbParameters& parameters, const Limits& limits)
      : line_(line), parameters_(parameters), limits_(limits) {}

  EvalbLine parse() && {
    if (line_.size() > limits_.max_line_bytes) {
      fail(fmt::format("the line has more than {} bytes", limits_.max_line_bytes));
    }
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
  static constexpr std::size_t kMostProblems = 100;  // of a line
  // Each quote sign keeps the brackets around it: 80 MB at most.
  static constexpr std::size_t kMostAroundQuotes = 10'000'000;

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
    if (open_.size() >= static_cast<std::size_t>(limits_.max_depth)) {
      fail(fmt::format("brackets are nested more than {} deep", limits_.max_depth));
      return;
    }
    result_.brackets.push_back({kept(), EvalbLine::Bracket::kOpen, label, open_.empty(), true});
    open_.push_back(result_.brackets.size() - 1);
  }

  void add_word(const EvalbLine::Word& word) {
    if (++all_words_ > limits_.max_words) {
      fail(fmt::format("the tree has more than {} words", limits_.max_words));
      return;
    }
    if (!parameters_.is_deleted_for_length(word.tag)) ++result_.length;
    if (parameters_.is_quote(word.tag, word.word)) {
      around_quotes_ += open_.size();
      if (around_quotes_ > kMostAroundQuotes) {
        fail("too many quote signs in brackets nested too deep");
        return;
      }
      result_.quotes.push_back({word, kept(), result_.brackets.size(), open_});
    }
    if (!parameters_.is_deleted(word.tag)) result_.words.push_back(word);
  }

  void close() {
    ++at_;
    if (open_.empty()) {
      if (result_.problems.size() < kMostProblems) {
        result_.problems.emplace_back("brackets do not balance: closed once too often");
      }
      return;
    }
    result_.brackets[open_.back()].end = kept();
    open_.pop_back();
  }

  int kept() const { return static_cast<int>(result_.words.size()); }

  std::string_view line_;
  const EvalbParameters& parameters_;
  const Limits& limits_;
  std::size_t at_ = 0;
  int all_words_ = 0;
  std::size_t around_quotes_ = 0;
  std::vector<std::size_t> open_;
  EvalbLine result_;
};

}  // namespace

EvalbLine parse_evalb_line(std::string_view line, const EvalbParameters& parameters,
                           const Limits& limits) {
  return LineParser(line, parameters, limits).parse();
}

}  // namespace copse
