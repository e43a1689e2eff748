#include "copse/cli/explain_reranker.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/base/stream.h"
#include "copse/rerank/explain_choice.h"
#include "copse/rerank/fragment_features.h"
#include "copse/rerank/hidden/value_counts.h"

namespace copse {
namespace {

Candidates read_list(const ExplainRerankerOptions& options) {
  CandidateReader reader(Input::open(options.lists));
  std::size_t seen = 0;
  while (auto list = reader.next()) {
    if (++seen == options.list) return std::move(*list);
  }
  throw data_error(fmt::format("there is no list {}; the input has {}", options.list, seen),
                   {reader.name()});
}

// The most probable values of the words of the chosen candidate.
std::string values_page(const Reranker& reranker, const Candidates& list, std::size_t chosen) {
  std::string out;
  for (const auto& [name, member] : hidden::hidden_members(reranker)) {
    out += fmt::format("\nhidden values of the chosen one{}\n",
                       name.empty() ? "" : fmt::format(", {}", name));
    for (const hidden::WordValue& word : member->values(list, chosen)) {
      out += fmt::format("{:>9.4f}  {:<20} {} {}\n", word.probability, word.value, word.word,
                         word.tag);
    }
  }
  return out;
}

nlohmann::json values_json(const Reranker& reranker, const Candidates& list, std::size_t chosen) {
  nlohmann::json members = nlohmann::json::array();
  for (const auto& [name, member] : hidden::hidden_members(reranker)) {
    nlohmann::json words = nlohmann::json::array();
    for (const hidden::WordValue& word : member->values(list, chosen)) {
      words.push_back({{"word", word.word},
                       {"tag", word.tag},
                       {"value", word.value},
                       {"probability", word.probability}});
    }
    members.push_back({{"member", name}, {"words", std::move(words)}});
  }
  return members;
}

// What every hidden value stands for in the winners of all lists.
std::string values_of_lists(const Reranker& reranker, const ExplainRerankerOptions& options) {
  const auto members = hidden::hidden_members(reranker);
  if (members.empty()) {
    throw usage_error("--values is for rerankers with hidden values",
                      fmt::format("this one was learnt by {}", reranker.method()));
  }
  CandidateReader reader(Input::open(options.lists));
  std::vector<hidden::ValueCounts> counts(members.size());
  using Counted = std::vector<hidden::ValueCounts>;
  stream_in_order<Candidates, Counted>(
      options.threads, [&] { return reader.next(); },
      [&](Candidates&& list) {
        Counted found(members.size());
        if (list.items.empty()) return found;
        const std::size_t winner = ranking(list, reranker.scores(list))[0];
        for (std::size_t m = 0; m < members.size(); ++m) {
          found[m].add(*members[m].reranker, list, winner);
        }
        return found;
      },
      [&](Counted&& found) {
        for (std::size_t m = 0; m < members.size(); ++m) counts[m].add(found[m]);
      });
  std::string out;
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (options.json) {
      all.push_back({{"member", members[m].name}, {"values", counts[m].json(options.top)}});
    } else {
      if (!members[m].name.empty()) out += fmt::format("{}\n", members[m].name);
      out += counts[m].page(options.top);
    }
  }
  if (!options.json) return out;
  return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string page(const Candidates& list, const ChoiceExplanation& why, std::size_t top) {
  std::string out =
      fmt::format("list {}: {} candidates\nchosen {:>4}  {}\nnot    {:>4}  {}\n\n", list.id,
                  list.items.size(), why.chosen + 1, text_of(list.items[why.chosen]), why.other + 1,
                  text_of(list.items[why.other]));
  out += fmt::format("{:>9} {:>9} {:>11}  feature\n", "chosen", "other", "difference");
  double rest = 0;
  for (std::size_t i = 0; i < why.reasons.size(); ++i) {
    const ReasonPair& reason = why.reasons[i];
    if (i >= top) {
      rest += reason.difference();
      continue;
    }
    out += fmt::format("{:>9.4f} {:>9.4f} {:>+11.4f}  {}\n", reason.chosen, reason.other,
                       reason.difference(), reason.name);
  }
  if (why.reasons.size() > top) {
    out += fmt::format("{:>31.4f}  {} more\n", rest, why.reasons.size() - top);
  }
  return out + fmt::format("{:>9.4f} {:>9.4f} {:>+11.4f}  score\n", why.chosen_score,
                           why.other_score, why.difference());
}

nlohmann::json json(const Candidates& list, const ChoiceExplanation& why) {
  nlohmann::json reasons = nlohmann::json::array();
  for (const ReasonPair& reason : why.reasons) {
    reasons.push_back({{"feature", reason.name},
                       {"chosen", reason.chosen},
                       {"other", reason.other},
                       {"difference", reason.difference()}});
  }
  const auto candidate = [&](std::size_t number, double score) {
    return nlohmann::json{{"number", number + 1},
                          {"log_probability", list.items[number].log_probability},
                          {"score", score},
                          {"text", text_of(list.items[number])}};
  };
  return {{"list", list.id},
          {"chosen", candidate(why.chosen, why.chosen_score)},
          {"other", candidate(why.other, why.other_score)},
          {"difference", why.difference()},
          {"features", std::move(reasons)}};
}

}  // namespace

std::string explain_reranker(const ModelFile& model, const ExplainRerankerOptions& options) {
  const auto reranker = load_reranker(model);
  if (options.heaviest) {
    std::string out;
    for (const Reason& reason : heaviest_reasons(*reranker, options.top)) {
      out += fmt::format("{:>+12.5g}  {}\n", reason.share, reason.name);
    }
    return out;
  }
  if (options.values) return values_of_lists(*reranker, options);
  const Candidates list = read_list(options);
  const auto other =
      options.other == 0 ? std::nullopt : std::optional<std::size_t>(options.other - 1);
  const auto why = explain_choice(*reranker, list, other);
  if (!why) return options.json ? "{}\n" : "the list leaves no choice\n";
  if (!options.json) {
    return page(list, *why, options.top) + values_page(*reranker, list, why->chosen);
  }
  nlohmann::json all = json(list, *why);
  if (nlohmann::json values = values_json(*reranker, list, why->chosen); !values.empty()) {
    all["hidden_values"] = std::move(values);
  }
  return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace copse
