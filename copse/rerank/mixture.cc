#include "copse/rerank/mixture.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/stream.h"
#include "copse/model/provenance.h"
#include "copse/model/settings.h"
#include "copse/rerank/expected_brackets.h"
#include "copse/rerank/graded_lists.h"

namespace copse {
namespace {

constexpr double kLargestWeight = 1e12;
constexpr int kMostMembers = 100;
constexpr std::string_view kExactly = "f1";

std::string section_of(std::size_t member) {
  return fmt::format("member-{}", member + 1);
}

std::vector<double> base_scores(const Candidates& list) {
  std::vector<double> base;
  base.reserve(list.items.size());
  for (const Candidate& candidate : list.items) base.push_back(candidate.log_probability);
  return base;
}

// A reranker, or a parser, whose brackets speak for or against a candidate.
std::unique_ptr<Reranker> load_member(const ModelFile& file) {
  if (file.kind() == kConstituencyKind) return ExpectedBrackets::load(file);
  return load_reranker(file);
}

// What stands in a model, for a line: "hidden supersense sibling", "boost", "generative".
std::string name_of_model(const ModelFile& file) {
  std::string name;
  for (const char* key : {"model", "method", "domain", "graph"}) {
    const auto at = file.config().find(key);
    if (at == file.config().end() || !at->is_string()) continue;
    name += (name.empty() ? "" : " ") + at->get<std::string>();
  }
  return name;
}

// Lists with the scores of every member.
struct MemberScores : GradedNumbers {
  std::vector<ListScores> members;  // the log probability first
  DataSource source;
};

MemberScores read_scores(const std::string& lists, const std::string& gold, const std::string& role,
                         const MixtureTrainingOptions& options,
                         const std::vector<std::shared_ptr<const Reranker>>& rerankers) {
  GradedLists reader({lists, gold, role, options.max_candidates});
  MemberScores data;
  data.members.resize(rerankers.size() + 1);
  struct Scored {
    Candidates list;
    std::vector<std::vector<double>> scores;
  };
  stream_in_order<GradedLists::Item, Scored>(
      options.threads, [&] { return reader.next(); },
      [&](GradedLists::Item&& item) {
        Scored scored;
        const std::size_t number = item.number + 1;
        scored.list = reader.graded(std::move(item));
        scored.scores.push_back(base_scores(scored.list));
        try {
          for (const auto& reranker : rerankers) {
            scored.scores.push_back(reranker->scores(scored.list));
          }
        } catch (const Error& error) {
          throw Error(error.kind(), fmt::format("list {}: {}", number, error.message()),
                      {lists, 0, 0}, error.hint());
        }
        return scored;
      },
      [&](Scored&& scored) {
        auto& quality = data.quality.emplace_back();
        auto& counts = data.counts.emplace_back();
        for (const Candidate& candidate : scored.list.items) {
          quality.push_back(*candidate.score);
          if (candidate.counts) counts.push_back(*candidate.counts);
        }
        data.base.push_back(scored.scores[0]);
        for (std::size_t m = 0; m < scored.scores.size(); ++m) {
          data.members[m].push_back(std::move(scored.scores[m]));
        }
      });
  data.source = reader.source();
  return data;
}

std::vector<double> weights_of(const MemberScores& data, const ListPart& part,
                               const MixtureTrainingOptions& options) {
  if (options.exactly_on_f1) return mixture_weights(data, data.members, part, options.search);
  return smooth_weights(data, data.members, part, options.smooth);
}

nlohmann::json options_json(const MixtureTrainingOptions& options) {
  nlohmann::json json = {{"method", kMixtureMethod}, {"max_candidates", options.max_candidates}};
  if (options.exactly_on_f1) {
    json["weigh"] = kExactly;
    json["starts"] = options.search.starts;
    json["seed"] = options.search.seed;
  } else {
    json["weigh"] = name_of(options.smooth.loss);
    json["temperature"] = options.smooth.temperature;
    json["weight_variance"] = options.smooth.variance;
  }
  return json;
}

ChosenCandidates chosen_by(const MemberScores& data, std::span<const double> weights) {
  return choose(data, mixed_scores(data.members, weights), 0);
}

nlohmann::json figures_json(const ChoiceFigures& figures) {
  return {{"lists", figures.lists},
          {"most_probable", figures.base},
          {"chosen", figures.chosen},
          {"best", figures.best}};
}

}  // namespace

std::unique_ptr<MixtureReranker> MixtureReranker::load(const ModelFile& file) {
  const Settings settings(file, "config", file.config());
  const auto weights = file.array<double>("weights");
  const auto names = file.strings("names");
  const int count = settings.whole("members", 1, kMostMembers);
  if (weights.size() != static_cast<std::size_t>(count) || names.size() != weights.size()) {
    throw file.damaged("weights", "has another number of weights than there are members");
  }
  std::vector<Member> members;
  for (std::size_t m = 0; m < weights.size(); ++m) {
    if (!(std::abs(weights[m]) <= kLargestWeight)) {
      throw file.damaged("weights", "has a weight that is no number, or too large");
    }
    const ModelFile member = file.nested(section_of(m));
    if (member.config().value("method", nlohmann::json()) == kMixtureMethod) {
      throw file.damaged(section_of(m), "is a mixture itself");
    }
    members.push_back({names[m], weights[m], load_member(member)});
  }
  return std::make_unique<MixtureReranker>(
      settings.number("base_weight", -kLargestWeight, kLargestWeight), std::move(members));
}

std::vector<double> MixtureReranker::scores(const Candidates& list) const {
  std::vector<double> sums = base_scores(list);
  for (double& sum : sums) sum *= base_weight_;
  for (const Member& member : members_) {
    const std::vector<double> scores = member.reranker->scores(list);
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += member.weight * scores[j];
  }
  return sums;
}

std::vector<Reason> MixtureReranker::reasons(const Candidates& list, std::size_t candidate) const {
  const double log_probability = list.items[candidate].log_probability;
  std::vector<Reason> reasons = {
      {std::string(kLogProbabilityReason), log_probability, base_weight_ * log_probability}};
  for (const Member& member : members_) {
    const double score = member.reranker->scores(list)[candidate];
    reasons.push_back({member.name, score, member.weight * score});
  }
  return reasons;
}

void MixtureTrainingOptions::weigh_by(std::string_view name) {
  exactly_on_f1 = name == kExactly;
  if (!exactly_on_f1) smooth.loss = loss_of(name);
}

ModelWriter train_mixture(const RerankerPaths& paths, const MixtureTrainingOptions& options,
                          const std::function<void(const std::string& line)>& report) {
  if (options.members.empty() || options.members.size() > std::size_t{kMostMembers}) {
    throw usage_error(fmt::format("a mixture of {} rerankers", options.members.size()),
                      fmt::format("name 1 to {} members", kMostMembers));
  }
  std::vector<ModelFile> files;
  std::vector<std::shared_ptr<const Reranker>> rerankers;
  std::vector<std::string> names;
  for (const std::string& path : options.members) {
    files.push_back(ModelFile::open(path));
    rerankers.push_back(load_member(files.back()));
    if (rerankers.back()->method() == kMixtureMethod) {
      throw usage_error(path + " is a mixture itself", "give its members");
    }
    names.push_back(fmt::format("{} {}", names.size() + 1, name_of_model(files.back())));
  }
  const MemberScores data = read_scores(paths.lists, paths.gold, "train", options, rerankers);
  std::array<ChosenCandidates, kListParts.size()> chosen;
  std::vector<double> weights;
  for (std::size_t part = kListParts.size(); part-- > 0;) {  // all lists last
    weights = weights_of(data, kListParts[part], options);
    chosen[part] = chosen_by(data, weights);
  }
  std::string line = fmt::format("weights: {:.4g} log probability", weights[0]);
  for (std::size_t m = 0; m < names.size(); ++m) {
    line += fmt::format(", {:.4g} {}", weights[m + 1], names[m]);
  }
  report(line);
  const ChoiceFigures all = choice_figures(data, chosen[kAllLists], kListParts[kAllLists]);
  const CrossFigures crossed = crossed_choice(data, chosen[kEvenLists], chosen[kOddLists]);
  report(all.str("lists"));
  report(crossed.str());
  nlohmann::json figures = {{"lists", figures_json(all)}, {"lists_crossed", crossed.json()}};
  std::vector<DataSource> sources = {data.source};
  if (!paths.dev_lists.empty()) {
    const MemberScores dev =
        read_scores(paths.dev_lists, paths.dev_gold, "dev", options, rerankers);
    const ChoiceFigures there = choice_figures(dev, chosen_by(dev, weights), kListParts[kAllLists]);
    report(there.str("dev"));
    figures["dev"] = figures_json(there);
    sources.push_back(dev.source);
  }
  ModelWriter writer(kRerankerKind,
                     {{"method", kMixtureMethod},
                      {"members", options.members.size()},
                      {"base_weight", weights[0]},
                      {"provenance", provenance(options_json(options), sources, figures)}});
  writer.add_array<double>("weights", std::span(std::as_const(weights)).subspan(1));
  writer.add_strings("names", names);
  for (std::size_t m = 0; m < files.size(); ++m) {
    writer.add(section_of(m), std::string(files[m].bytes()));
  }
  return writer;
}

}  // namespace copse
