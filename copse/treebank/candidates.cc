#include "copse/treebank/candidates.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/symbols.h"
#include "copse/treebank/counted_quality.h"
#include "copse/treebank/ptb.h"
#include "copse/treebank/tree_candidates.h"

namespace copse {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of a line
constexpr std::size_t kMostCandidates = 1'000'000;        // of one list

// A finite number and nothing else.
std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// A number of things.
std::optional<std::int64_t> count_of(std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000'000;
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end || value < 0 || value > kMost) return std::nullopt;
  return value;
}

// What stands before the first `mark`, which leaves `text` with it.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t at = std::min(text.find(mark), text.size());
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return head;
}

template <class Visit>
void for_each_field(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::string_view field = take_until(text, ' ');
    if (!field.empty()) visit(field);
  }
}

// The value behind the last ':', if it is one: [name, value].
std::pair<std::string_view, std::optional<double>> split_value(std::string_view field) {
  const std::size_t colon = field.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return {field, std::nullopt};
  const auto value = number_of(field.substr(colon + 1));
  return {value ? field.substr(0, colon) : field, value};
}

void add_features(std::string_view text, Symbols& names, std::vector<SparseEntry>& features) {
  for_each_field(text, [&](std::string_view field) {
    const auto [name, value] = split_value(field);
    features.push_back({names.add(name), value.value_or(1)});
  });
  std::stable_sort(features.begin(), features.end(),
                   [](const SparseEntry& a, const SparseEntry& b) { return a.name < b.name; });
  std::size_t kept = 0;
  for (const SparseEntry& entry : features) {
    if (kept > 0 && features[kept - 1].name == entry.name) {
      features[kept - 1].value += entry.value;
    } else {
      features[kept++] = entry;
    }
  }
  features.resize(kept);
  std::erase_if(features, [](const SparseEntry& entry) { return entry.value == 0; });
}

void append_feature(std::string_view name, double value, std::string& out) {
  out += name;
  // A name that ends like a value gets one, so that it is read as a name.
  if (value != 1 || split_value(name).second) out += fmt::format(":{:.17g}", value);
}

bool begins_candidates(std::string_view bytes) {
  if (bytes.starts_with(n_best_begin(NBestForm::binary))) return false;
  while (bytes.starts_with('\n') || bytes.starts_with('\r')) bytes.remove_prefix(1);
  if (bytes.starts_with('#')) return true;
  return take_until(bytes, '\n').find('\t') != std::string_view::npos;
}

}  // namespace

double quality_of(const StratumCounts& counts) {
  if (counts.gold == 0 && counts.system == 0) return 1;
  return f1_of(counts) / 100 * static_cast<double>(std::max<std::int64_t>(1, counts.gold));
}

std::string text_of(const Candidate& candidate) {
  return candidate.tree.empty() ? candidate.text : ptb_line(candidate.tree);
}

std::vector<std::string_view> tags_of(const Candidate& candidate) {
  std::vector<std::string_view> tags;
  for_each_field(candidate.text, [&](std::string_view tag) { tags.push_back(tag); });
  return tags;
}

Candidates candidates_from(NBestList&& list) {
  Candidates result;
  result.id = std::move(list.id);
  result.items.reserve(list.parses.size());
  for (ScoredTree& parse : list.parses) {
    Candidate candidate;
    candidate.log_probability = parse.log_probability;
    candidate.tree = std::move(parse.tree);
    result.items.push_back(std::move(candidate));
  }
  return result;
}

NBestList n_best_from(Candidates&& list) {
  NBestList result;
  result.id = std::move(list.id);
  for (Candidate& candidate : list.items) {
    if (candidate.tree.empty()) {
      throw data_error(fmt::format("a candidate of list {} is not a tree", result.id));
    }
    result.parses.push_back({candidate.log_probability, std::move(candidate.tree)});
  }
  return result;
}

void append_candidates(const Candidates& list, std::string& out) {
  if (!list.id.empty()) out += fmt::format("# id = {}\n", list.id);
  if (!list.words.empty()) {
    out += "# words =";
    for (const std::string& word : list.words) out += " " + word;
    out += '\n';
  }
  for (const Candidate& candidate : list.items) {
    if (const auto& counts = candidate.counts) {
      out += fmt::format("{}/{}/{}", counts->correct, counts->gold, counts->system);
    } else {
      out += candidate.score ? fmt::format("{:.17g}", *candidate.score) : "-";
    }
    out += fmt::format("\t{:.17g}\t", candidate.log_probability);
    bool first = true;
    for (const SparseEntry& entry : candidate.features) {
      if (!std::exchange(first, false)) out += ' ';
      append_feature(list.names[entry.name], entry.value, out);
    }
    if (const std::string text = text_of(candidate); !text.empty()) out += "\t" + text;
    out += '\n';
  }
  out += '\n';
}

// Lines of a file, and blocks of them.
class CandidateReader::Lines {
 public:
  Lines(Input input, std::string begun, bool ended)
      : input_(std::move(input)),
        buffer_(std::move(begun)),
        ended_(ended),
        holds_trees_(std::string_view(buffer_).starts_with(kHoldsTrees)) {}

  bool holds_trees() const { return holds_trees_; }

  std::optional<Candidates> next_list() {
    std::optional<std::string_view> text = line();
    while (text && text->empty()) text = line();
    if (!text) return std::nullopt;
    Candidates list;
    Symbols names;
    for (; text && !text->empty(); text = line()) {
      if (text->starts_with('#')) {
        header(*text, list);
      } else {
        candidate(*text, names, list);
      }
    }
    for (Symbols::Id id = 0; id < names.size(); ++id) list.names.emplace_back(names.text(id));
    return list;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw data_error(message, {input_.name(), line_, 0});
  }

  bool fill() {
    if (ended_) return false;
    buffer_.erase(0, at_);
    at_ = 0;
    if (buffer_.size() > kMostBytes) fail("the line is longer than a gigabyte");
    const std::size_t old = buffer_.size();
    buffer_.resize(old + kChunk);
    const std::size_t got = input_.read({buffer_.data() + old, kChunk});
    buffer_.resize(old + got);
    ended_ = got < kChunk;
    return got > 0;
  }

  std::optional<std::string_view> line() {
    std::size_t end = buffer_.find('\n', at_);
    while (end == std::string::npos) {
      const std::size_t searched = buffer_.size() - at_;
      if (!fill()) break;
      end = buffer_.find('\n', at_ + searched);
    }
    if (end == std::string::npos && at_ == buffer_.size()) return std::nullopt;
    end = std::min(end, buffer_.size());
    std::string_view result = std::string_view(buffer_).substr(at_, end - at_);
    at_ = std::min(end + 1, buffer_.size());
    ++line_;
    if (result.ends_with('\r')) result.remove_suffix(1);
    return result;
  }

  void header(std::string_view text, Candidates& list) const {
    constexpr std::string_view kId = "# id = ", kWords = "# words = ";
    if (text.starts_with(kId)) {
      expect_before_candidates(list);
      list.id = text.substr(kId.size());
      if (list.id.empty() || list.id.find_first_of(" \t") != std::string::npos) {
        fail("expected an id without blanks behind \"# id =\"");
      }
    } else if (text.starts_with(kWords)) {
      expect_before_candidates(list);
      list.words.clear();
      for_each_field(text.substr(kWords.size()),
                     [&](std::string_view word) { list.words.emplace_back(word); });
    }
  }

  void expect_before_candidates(const Candidates& list) const {
    if (!list.items.empty()) {
      fail("this line belongs before the first candidate; a blank line separates the lists");
    }
  }

  void candidate(std::string_view text, Symbols& names, Candidates& list) {
    const std::string_view whole = text;
    const auto columns = std::count(whole.begin(), whole.end(), '\t') + 1;
    if (columns != 3 && columns != 4) {
      fail(
          fmt::format("found {} columns; expected score, log probability, features and perhaps "
                      "the text, separated by tabs",
                      columns));
    }
    if (list.items.size() == kMostCandidates) {
      fail(fmt::format("the list has more than {} candidates", kMostCandidates));
    }
    Candidate result;
    if (const std::string_view score = take_until(text, '\t'); score != "-") {
      grade(score, result);
    }
    result.log_probability = finite(take_until(text, '\t'), "the log probability", "");
    add_features(take_until(text, '\t'), names, result.features);
    for (const SparseEntry& entry : result.features) {
      if (!std::isfinite(entry.value)) {
        fail(fmt::format("the values of feature {} add up to no finite number",
                         names.text(entry.name)));
      }
    }
    if (holds_trees_) {
      result.tree = tree_of_line(text, input_.name(), line_);
    } else {
      result.text = text;
    }
    if (const auto tags = tags_of(result).size();
        !list.words.empty() && tags != list.words.size()) {
      fail(fmt::format("found {} tags; the list has {} words", tags, list.words.size()));
    }
    list.items.push_back(std::move(result));
  }

  // A number, or counts.
  void grade(std::string_view score, Candidate& result) {
    const bool counted = score.find('/') != std::string_view::npos;
    if (counted_.value_or(counted) != counted) {
      fail("some scores are numbers and some are counts; expected one of them in all lists");
    }
    counted_ = counted;
    if (!counted) {
      result.score = finite(score, "the score", ", counts or '-'");
      return;
    }
    std::string_view text = score;
    const auto correct = count_of(take_until(text, '/')), gold = count_of(take_until(text, '/')),
               found = count_of(text);
    if (!correct || !gold || !found || *correct > std::min(*gold, *found)) {
      fail(
          fmt::format("the score is \"{}\"; expected CORRECT/GOLD/FOUND, whole numbers of which "
                      "the first is not the largest",
                      score));
    }
    result.counts = {*correct, *gold, *found};
    result.score = quality_of(*result.counts);
  }

  double finite(std::string_view text, std::string_view what, std::string_view other) const {
    const auto value = number_of(text);
    if (!value) fail(fmt::format("{} is \"{}\"; expected a finite number{}", what, text, other));
    return *value;
  }

  Input input_;
  std::string buffer_;
  std::size_t at_ = 0;  // of buffer_, everything before was handed out
  std::size_t line_ = 0;
  bool ended_;
  bool holds_trees_;
  std::optional<bool> counted_;  // scores are counts; nothing until one was read
};

CandidateReader::CandidateReader(Input input) : name_(input.name()) {
  std::string begun(kChunk, '\0');
  begun.resize(input.read(begun));
  const bool ended = begun.size() < kChunk;
  if (begins_candidates(begun)) {
    lines_ = std::make_unique<Lines>(std::move(input), std::move(begun), ended);
  } else {
    n_best_ = std::make_unique<NBestReader>(std::move(input), std::move(begun));
  }
}

CandidateReader::~CandidateReader() = default;
CandidateReader::CandidateReader(CandidateReader&&) noexcept = default;

std::optional<NBestForm> CandidateReader::parses() const {
  if (n_best_) return n_best_->form();
  if (lines_->holds_trees()) return NBestForm::text;
  return std::nullopt;
}

std::optional<Candidates> CandidateReader::next() {
  if (lines_) return lines_->next_list();
  std::optional<NBestList> list = n_best_->next();
  if (!list) return std::nullopt;
  for (const ScoredTree& parse : list->parses) {
    if (!std::isfinite(parse.log_probability)) {
      throw data_error(fmt::format("list {}: a log probability is not finite", list->id), {name_});
    }
  }
  return candidates_from(std::move(*list));
}

}  // namespace copse
