#include "copse/treebank/evaluation/evalb.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "copse/treebank/evaluation/evalb_line.h"
#include "copse/treebank/evaluation/lines.h"
#include "copse/treebank/label.h"

namespace copse {
namespace {

using Bracket = EvalbLine::Bracket;
using Quote = EvalbLine::Quote;

double percentage(long part, long whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

// Puts a deleted quote sign back into its sentence.
void reinsert(EvalbLine& line, const Quote& quote) {
  line.words.insert(line.words.begin() + quote.position, quote.word);
  for (std::size_t b = quote.next_bracket; b < line.brackets.size(); ++b) {
    ++line.brackets[b].begin;
    ++line.brackets[b].end;
  }
  for (const std::size_t b : quote.open) ++line.brackets[b].end;
}

void shift_from(std::vector<Quote>& quotes, std::size_t first) {
  for (std::size_t k = first; k < quotes.size(); ++k) ++quotes[k].position;
}

// The QUOTE_LABEL extension: where one side has a quote sign under a deleted tag and the other,
// at the same position, under a kept one ('' against POS), the deleted one comes back.
void fix_quotes(EvalbLine& gold, EvalbLine& system, const EvalbParameters& parameters) {
  for (std::size_t s = 0; s < system.quotes.size(); ++s) {
    const int position = system.quotes[s].position;
    for (std::size_t g = 0; g < gold.quotes.size(); ++g) {
      if (gold.quotes[g].position != position) continue;
      const bool gold_deleted = parameters.is_deleted(gold.quotes[g].word.tag);
      const bool system_deleted = parameters.is_deleted(system.quotes[s].word.tag);
      if (gold_deleted && !system_deleted) {
        reinsert(gold, gold.quotes[g]);
        shift_from(gold.quotes, g);
      } else if (system_deleted && !gold_deleted) {
        reinsert(system, system.quotes[s]);
        shift_from(system.quotes, s);
      }
    }
  }
}

// Cuts labels, marks the brackets that count and returns how many do.
int count_brackets(EvalbLine& line, const EvalbParameters& parameters) {
  int counted = 0;
  for (Bracket& bracket : line.brackets) {
    bracket.counted = bracket.begin != bracket.end;
    if (!bracket.counted) continue;
    bracket.label = bracket.label.substr(0, bracket.label.find_first_of("-="));
    bracket.counted = std::none_of(
        parameters.deleted.begin(), parameters.deleted.end(),
        [&](const auto& label) { return parameters.same_label(bracket.label, label); });
    if (bracket.counted) ++counted;
  }
  return counted;
}

std::uint64_t span_key(const Bracket& bracket) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(bracket.begin)) << 32 |
         static_cast<std::uint32_t>(bracket.end);
}

// Pairs of gold and system brackets; each gold bracket in order takes the first that fits.
std::vector<std::pair<std::size_t, std::size_t>> match_brackets(const EvalbLine& gold,
                                                                const EvalbLine& system,
                                                                const EvalbParameters& parameters) {
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> free;  // by span, in order
  for (std::size_t j = 0; j < system.brackets.size(); ++j) {
    if (system.brackets[j].counted) free[span_key(system.brackets[j])].push_back(j);
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < gold.brackets.size(); ++i) {
    const Bracket& bracket = gold.brackets[i];
    if (!bracket.counted) continue;
    const auto candidates = free.find(span_key(bracket));
    if (candidates == free.end()) continue;
    auto& list = candidates->second;
    const auto taken = std::find_if(list.begin(), list.end(), [&](std::size_t j) {
      return !parameters.labeled || parameters.same_label(bracket.label, system.brackets[j].label);
    });
    if (taken == list.end()) continue;
    pairs.emplace_back(i, *taken);
    list.erase(taken);
  }
  return pairs;
}

// Largest value over ranges of an array that no longer changes: row k holds the maxima of runs of
// 2^k elements, so two overlapping runs answer any range. O(n log n) to build, O(1) to ask.
class RangeMaximum {
 public:
  explicit RangeMaximum(std::vector<int> values) : rows_{std::move(values)} {
    for (std::size_t width = 1; 2 * width <= rows_[0].size(); width *= 2) {
      const std::vector<int>& below = rows_.back();
      std::vector<int> row(rows_[0].size() - 2 * width + 1);
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::max(below[i], below[i + width]);
      rows_.push_back(std::move(row));
    }
  }
  // Over [begin, end), which must not be empty.
  int operator()(std::size_t begin, std::size_t end) const {
    std::size_t k = 0;
    while ((std::size_t{2} << k) <= end - begin) ++k;
    return std::max(rows_[k][begin], rows_[k][end - (std::size_t{1} << k)]);
  }

 private:
  std::vector<std::vector<int>> rows_;
};

// System brackets that cross at least one gold bracket. [s, e) is crossed by a gold bracket that
// begins strictly inside and ends beyond e, or ends strictly inside and begins before s: the
// farthest end per beginning and the nearest beginning per end answer that for any gold tree.
int count_crossing(const EvalbLine& gold, const EvalbLine& system) {
  const std::size_t positions = gold.words.size() + 1;
  std::vector<int> farthest_end(positions, -1);
  std::vector<int> minus_first_begin(positions, std::numeric_limits<int>::min());
  for (const Bracket& bracket : gold.brackets) {
    if (!bracket.counted || bracket.end == Bracket::kOpen) continue;
    int& end = farthest_end[static_cast<std::size_t>(bracket.begin)];
    int& begin = minus_first_begin[static_cast<std::size_t>(bracket.end)];
    end = std::max(end, bracket.end);
    begin = std::max(begin, -bracket.begin);
  }
  const RangeMaximum end_beyond(std::move(farthest_end));
  const RangeMaximum begin_before(std::move(minus_first_begin));
  return static_cast<int>(
      std::count_if(system.brackets.begin(), system.brackets.end(), [&](const Bracket& bracket) {
        if (!bracket.counted || bracket.end - bracket.begin < 2) return false;
        const auto inside = static_cast<std::size_t>(bracket.begin) + 1;
        const auto end = static_cast<std::size_t>(bracket.end);
        return end_beyond(inside, end) > bracket.end || begin_before(inside, end) > -bracket.begin;
      }));
}

int count_correct_tags(const EvalbLine& gold, const EvalbLine& system,
                       const EvalbParameters& parameters) {
  int correct = 0;
  for (std::size_t i = 0; i < gold.words.size(); ++i) {
    if (parameters.same_label(gold.words[i].tag, system.words[i].tag)) ++correct;
  }
  return correct;
}

class Evaluation {
 public:
  explicit Evaluation(const EvalbOptions& options) : options_(options) {
    report_.parameters = options.parameters;
  }

  EvalbReport run(std::string_view gold_text, std::string_view system_text) && {
    Lines gold_lines(gold_text);
    Lines system_lines(system_text);
    while (const auto gold_line = gold_lines.next()) {
      const auto system_line = system_lines.next();
      if (!system_line) {
        report_.missing = gold_lines.remaining() + 1;
        return std::move(report_);
      }
      line_ = gold_lines.number();
      compare(parse_evalb_line(*gold_line, options_.parameters, options_.limits),
              parse_evalb_line(*system_line, options_.parameters, options_.limits));
      if (report_.stopped) return std::move(report_);
    }
    report_.extra = system_lines.remaining();
    return std::move(report_);
  }

 private:
  static bool has_unlabelled_outer(const EvalbLine& line) {
    return std::any_of(line.brackets.begin(), line.brackets.end(), [](const Bracket& bracket) {
      return bracket.outermost && bracket.label.empty();
    });
  }

  static void read_outer_as_top(EvalbLine& line) {
    for (Bracket& bracket : line.brackets) {
      if (bracket.outermost && is_outer_label(bracket.label)) bracket.label = "TOP";
    }
  }

  void settle_outer_brackets(EvalbLine& gold, EvalbLine& system) {
    const bool in_gold = has_unlabelled_outer(gold);
    const bool in_system = has_unlabelled_outer(system);
    if (in_gold) ++report_.gold_unlabelled_outer;
    if (in_system) ++report_.system_unlabelled_outer;
    const bool differ = in_gold != in_system && !gold.brackets.empty() && !system.brackets.empty();
    if (options_.outer == EvalbOuter::as_evalb) return;
    if (options_.outer == EvalbOuter::agree && !differ) return;
    read_outer_as_top(gold);
    read_outer_as_top(system);
    if (differ) ++report_.outer_read_as_top;
  }

  void compare(EvalbLine gold, EvalbLine system) {
    settle_outer_brackets(gold, system);
    EvalbSentence sentence;
    sentence.line = line_;
    sentence.length = gold.length;
    for (const std::string& problem : gold.problems) error(sentence, "gold: " + problem);
    for (const std::string& problem : system.problems) error(sentence, "system: " + problem);
    if (!report_.stopped) score(gold, system, sentence);
    if (report_.stopped) return;
    report_.sentences.push_back(sentence);
    report_.all.add(sentence);
    if (sentence.length <= options_.parameters.cutoff) report_.up_to_cutoff.add(sentence);
  }

  void score(EvalbLine& gold, EvalbLine& system, EvalbSentence& sentence) {
    const EvalbParameters& parameters = options_.parameters;
    if (gold.unreadable || system.unreadable) return;
    if (system.words.empty()) {
      sentence.status = EvalbStatus::skipped;
      return;
    }
    if (gold.words.size() != system.words.size()) fix_quotes(gold, system, parameters);
    if (gold.words.size() != system.words.size()) {
      error(sentence,
            fmt::format("{} words in gold, {} in system", gold.words.size(), system.words.size()));
      return;
    }
    for (std::size_t i = 0; i < gold.words.size(); ++i) {
      if (parameters.same_word(gold.words[i].word, system.words[i].word)) continue;
      error(sentence, fmt::format("word {} is '{}' in gold, '{}' in system", i + 1,
                                  gold.words[i].word, system.words[i].word));
      return;
    }
    sentence.words = static_cast<int>(gold.words.size());
    sentence.gold = count_brackets(gold, parameters);
    sentence.system = count_brackets(system, parameters);
    const auto pairs = match_brackets(gold, system, parameters);
    sentence.matched = static_cast<int>(pairs.size());
    sentence.crossing = count_crossing(gold, system);
    sentence.correct_tags = count_correct_tags(gold, system, parameters);
    if (sentence.status == EvalbStatus::valid) count_labels(gold, system, pairs);
  }

  void count_labels(const EvalbLine& gold, const EvalbLine& system,
                    const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    const auto counts = [&](const Bracket& bracket) -> EvalbLabelCounts& {
      return report_.labels[std::string(bracket.label)];
    };
    for (const Bracket& bracket : gold.brackets) {
      if (bracket.counted) ++counts(bracket).gold;
    }
    for (const Bracket& bracket : system.brackets) {
      if (bracket.counted) ++counts(bracket).system;
    }
    for (const auto& [i, j] : pairs) {
      ++counts(gold.brackets[i]).gold_matched;
      ++counts(system.brackets[j]).system_matched;
    }
  }

  // EVALB leaves at the error that finds more than MAX_ERROR before it, and that test comes
  // before the error is counted: error number MAX_ERROR + 2 ends the run.
  void error(EvalbSentence& sentence, const std::string& message) {
    sentence.status = EvalbStatus::error;
    report_.messages.push_back(fmt::format("line {}: {}", line_, message));
    if (static_cast<long>(report_.messages.size()) >
        static_cast<long>(options_.parameters.max_errors) + 1) {
      report_.stopped = true;
    }
  }

  const EvalbOptions& options_;
  EvalbReport report_;
  std::size_t line_ = 0;
};

}  // namespace

void EvalbTotals::add(const EvalbSentence& sentence) {
  ++sentences;
  if (sentence.status == EvalbStatus::error) ++errors;
  if (sentence.status == EvalbStatus::skipped) ++skipped;
  if (sentence.status != EvalbStatus::valid) return;
  matched += sentence.matched;
  gold += sentence.gold;
  system += sentence.system;
  if (sentence.matched == sentence.gold && sentence.matched == sentence.system) ++complete;
  crossing += sentence.crossing;
  if (sentence.crossing == 0) ++without_crossing;
  if (sentence.crossing <= 2) ++at_most_two_crossing;
  words += sentence.words;
  correct_tags += sentence.correct_tags;
}

double EvalbTotals::recall() const {
  return percentage(matched, gold);
}
double EvalbTotals::precision() const {
  return percentage(matched, system);
}
double EvalbTotals::f1() const {
  const double p = precision();
  const double r = recall();
  return p + r > 0 ? 2 * p * r / (p + r) : 0.0;
}
double EvalbTotals::complete_match() const {
  return percentage(complete, valid());
}
double EvalbTotals::average_crossing() const {
  return valid() > 0 ? static_cast<double>(crossing) / static_cast<double>(valid()) : 0.0;
}
double EvalbTotals::no_crossing() const {
  return percentage(without_crossing, valid());
}
double EvalbTotals::two_or_less_crossing() const {
  return percentage(at_most_two_crossing, valid());
}
double EvalbTotals::tagging_accuracy() const {
  return percentage(correct_tags, words);
}

EvalbReport evaluate_constituency(std::string_view gold_text, std::string_view system_text,
                                  const EvalbOptions& options) {
  return Evaluation(options).run(gold_text, system_text);
}

}  // namespace copse
