#include "copse/rerank/graded_lists.h"

#include <fmt/core.h>

#include <limits>
#include <string>
#include <unordered_set>
#include <utility>

#include "copse/base/error.h"
#include "copse/constituency/gold_line.h"
#include "copse/treebank/evaluation/evalb.h"
#include "copse/treebank/treebank.h"

namespace copse {
namespace {

std::string identity(const Candidate& candidate) {
  std::string text = text_of(candidate);
  if (!text.empty()) return text;
  for (const SparseEntry& entry : candidate.features) {
    text += fmt::format("{}:{} ", entry.name, entry.value);
  }
  return text + fmt::format("{}", candidate.log_probability);
}

}  // namespace

std::size_t drop_duplicates(Candidates& list) {
  std::unordered_set<std::string> seen;
  return std::erase_if(list.items, [&](const Candidate& candidate) {
    return !seen.insert(identity(candidate)).second;
  });
}

void grade_parses(Candidates& list, const std::string& gold) {
  std::string gold_text, parses;
  for (const Candidate& candidate : list.items) {
    gold_text += gold + '\n';
    parses += candidate.tree.str() + '\n';
  }
  EvalbOptions options;
  options.parameters.max_errors = std::numeric_limits<int>::max() - 2;
  const EvalbReport report = evaluate_constituency(gold_text, parses, options);
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const EvalbSentence& counted = report.sentences.at(i);
    StratumCounts counts{0, counted.gold, 0};
    if (counted.status == EvalbStatus::valid)
      counts = {counted.matched, counted.gold, counted.system};
    list.items[i].counts = counts;
    list.items[i].score = f1_of(counts) / 100 * static_cast<double>(counts.gold);
  }
}

GradedLists::GradedLists(GradedListOptions options)
    : options_(std::move(options)), reader_(Input::open(options_.lists)) {
  if (options_.gold.empty()) return;
  if (!has_parses()) {
    throw usage_error(fmt::format("{} holds candidates that bring their scores", options_.lists),
                      "gold trees are for lists of parses");
  }
  for (const Entry& entry : read_treebank(options_.gold, Format::ptb)) {
    gold_.push_back(gold_line(entry.tree));
  }
}

std::optional<GradedLists::Item> GradedLists::next() {
  std::optional<Candidates> list = reader_.next();
  const bool enough =
      options_.gold.empty() || (list ? lists_ < gold_.size() : lists_ == gold_.size());
  if (!enough) {
    throw data_error(
        fmt::format("{} lists but {} trees in {}; expected one for each",
                    list ? fmt::format("more than {}", lists_) : fmt::format("{}", lists_),
                    gold_.size(), options_.gold),
        {options_.lists, 0, 0});
  }
  if (!list) return std::nullopt;
  if (options_.max_candidates > 0 && list->items.size() > options_.max_candidates) {
    list->items.resize(options_.max_candidates);
  }
  candidates_ += list->items.size();
  std::string seen = checksum_ + list->id;
  for (const Candidate& candidate : list->items)
    seen += fmt::format(" {}", candidate.log_probability);
  checksum_ = checksum_text(seen);
  return Item{std::move(*list), lists_++};
}

Candidates GradedLists::graded(Item&& item) const {
  if (!options_.gold.empty()) {
    grade_parses(item.list, gold_[item.number]);
    return std::move(item.list);
  }
  for (const Candidate& candidate : item.list.items) {
    if (candidate.score) continue;
    throw data_error(fmt::format("list {}{}: a candidate has no score", item.number + 1,
                                 item.list.id.empty() ? "" : " (" + item.list.id + ")"),
                     {options_.lists, 0, 0},
                     has_parses() ? "give the gold trees" : "learning needs a score, not '-'");
  }
  return std::move(item.list);
}

DataSource GradedLists::source() const {
  return {options_.role, file_name(options_.lists), checksum_, static_cast<long>(lists_),
          static_cast<long>(candidates_)};
}

}  // namespace copse
