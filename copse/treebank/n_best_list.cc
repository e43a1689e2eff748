#include "copse/treebank/n_best_list.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "copse/base/error.h"
#include "copse/treebank/n_best_binary.h"
#include "copse/treebank/ptb.h"
#include "copse/treebank/tree_candidates.h"

namespace copse {
namespace {

constexpr int kMostParses = 1'000'000;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of a line or of one binary sentence
constexpr std::string_view kMagic = "NBL1";

template <class T>
bool read_number(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  return problem == std::errc{} && stop == end;
}

// Splits off the text before the first blank.
std::string_view take_field(std::string_view& text) {
  const std::size_t blank = std::min(text.find(' '), text.size());
  const std::string_view field = text.substr(0, blank);
  text.remove_prefix(std::min(blank + 1, text.size()));
  return field;
}

void append_text(const NBestList& list, std::string& out) {
  out += fmt::format("{} {}", list.parses.size(), n_best_id(list.id));
  if (list.oracle) out += fmt::format(" {}", *list.oracle);
  out += '\n';
  for (const ScoredTree& parse : list.parses) {
    fmt::format_to(std::back_inserter(out), "{:.17g}\n{}\n", parse.log_probability,
                   ptb_line(parse.tree));
  }
  out += '\n';
}

void check_writable(const NBestList& list) {
  for (const ScoredTree& parse : list.parses) {
    if (parse.tree.words() == 0) throw data_error("a parse has no words");
    if (!std::isfinite(parse.log_probability)) {
      throw data_error(fmt::format("the log probability of a parse is {}", parse.log_probability));
    }
    for (const int leaf : parse.tree.leaves()) {
      if (parse.tree.label(leaf).empty() || parse.tree.word(leaf).empty()) {
        throw data_error("a parse has a leaf without a tag or without a word");
      }
    }
  }
}

}  // namespace

std::string_view n_best_begin(NBestForm form) {
  return form == NBestForm::binary ? kMagic : std::string_view();
}

std::string_view n_best_end(NBestForm form) {
  return form == NBestForm::binary ? std::string_view("\0", 1) : std::string_view();
}

void append_n_best(const NBestList& list, NBestForm form, std::string& out) {
  check_writable(list);
  if (form == NBestForm::binary) {
    append_n_best_record(list, out);
  } else {
    append_text(list, out);
  }
}

NBestReader::NBestReader(Input input, std::string begun)
    : input_(std::move(input)), buffer_(std::move(begun)) {
  while (buffer_.size() < kMagic.size() && fill()) {
  }
  if (buffer_.starts_with(kMagic)) {
    form_ = NBestForm::binary;
    at_ = kMagic.size();
  }
}

bool NBestReader::fill() {
  constexpr std::size_t kChunk = std::size_t{1} << 18;
  if (ended_) return false;
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.size() > kMostBytes) fail("a line or a list is larger than a gigabyte");
  const std::size_t old = buffer_.size();
  buffer_.resize(old + kChunk);
  const std::size_t got = input_.read({buffer_.data() + old, kChunk});
  buffer_.resize(old + got);
  ended_ = got < kChunk;
  return got > 0;
}

std::optional<NBestList> NBestReader::next() {
  return form_ == NBestForm::binary ? next_binary() : next_text();
}

void NBestReader::fail(const std::string& message) const {
  if (form_ == NBestForm::text) throw data_error(message, {input_.name(), line_, 0});
  throw data_error(fmt::format("list {}: {}", line_, message), {input_.name(), 0, 0});
}

// Where the line at at_ ends, npos if it ends with the input; each byte is looked at once.
std::size_t NBestReader::line_end() {
  std::size_t end = buffer_.find('\n', at_);
  while (end == std::string::npos) {
    const std::size_t searched = buffer_.size() - at_;
    if (!fill()) break;
    end = buffer_.find('\n', at_ + searched);
  }
  return end;
}

std::optional<std::string_view> NBestReader::line() {
  std::size_t end = line_end();
  if (end == std::string::npos && at_ == buffer_.size()) return std::nullopt;
  end = std::min(end, buffer_.size());
  std::string_view result = std::string_view(buffer_).substr(at_, end - at_);
  at_ = std::min(end + 1, buffer_.size());
  ++line_;
  if (result.ends_with('\r')) result.remove_suffix(1);
  return result;
}

PhraseTree NBestReader::tree(std::string_view text) const {
  return tree_of_line(text, input_.name(), line_);
}

std::optional<NBestList> NBestReader::next_text() {
  std::optional<std::string_view> header = line();
  while (header && header->empty()) header = line();
  if (!header) return std::nullopt;
  NBestList list;
  int count = 0;
  if (!read_number(take_field(*header), count) || count < 0) {
    fail("expected the number of parses and the id of the sentence");
  }
  if (count > kMostParses) {
    fail(fmt::format("the list has {} parses; at most {} can be read", count, kMostParses));
  }
  list.id = take_field(*header);
  if (list.id.empty()) fail("the sentence has no id");
  if (!header->empty()) {
    int oracle = 0;
    if (!read_number(*header, oracle) || oracle < 0 || oracle >= count) {
      fail(fmt::format("found \"{}\"; expected the number of the oracle parse", *header));
    }
    list.oracle = oracle;
  }
  for (int i = 0; i < count; ++i) {
    ScoredTree parse;
    const auto score = line();
    if (!score) fail(fmt::format("the list ends after {} of {} parses", i, count));
    if (!read_number(*score, parse.log_probability) || !std::isfinite(parse.log_probability)) {
      fail(fmt::format("found \"{}\"; expected a log probability", score->substr(0, 40)));
    }
    const auto text = line();
    if (!text) fail(fmt::format("the list ends after {} of {} parses", i, count));
    parse.tree = tree(*text);
    list.parses.push_back(std::move(parse));
  }
  return list;
}

std::string_view NBestReader::take(std::size_t bytes) {
  while (buffer_.size() - at_ < bytes && fill()) {
  }
  if (buffer_.size() - at_ < bytes) fail("the file ends in the middle of it");
  const std::string_view taken = std::string_view(buffer_).substr(at_, bytes);
  at_ += bytes;
  return taken;
}

std::optional<NBestList> NBestReader::next_binary() {
  ++line_;
  std::uint64_t size = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(take(1)[0]);
    if (shift > 28) fail("its size cannot be right");
    size |= std::uint64_t{byte & 127U} << shift;
    if (byte < 128) break;
  }
  if (size == 0) return std::nullopt;
  if (size > kMostBytes) fail("its size cannot be right");
  const std::string_view record = take(size + kNBestChecksumBytes);
  try {
    return read_n_best_record(record);
  } catch (const Error& error) {
    fail(error.message());
  }
}

}  // namespace copse
