#include "copse/rerank/hidden/dev_selection.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/error.h"
#include "copse/model/finite_array.h"
#include "copse/rerank/hidden/objective.h"

namespace copse::hidden {
namespace {

ListScores log_sums_of(const HiddenData& data, std::span<const float> weights, ThreadTeam& team) {
  ListScores scores(data.lists.size());
  team.for_each(
      scores.size(), [] { return ListWork{}; },
      [&](std::size_t i, ListWork& work) {
        sum_candidates(data.lists[i], weights, 1.0, work);
        scores[i] = work.log_sums;
      });
  return scores;
}

}  // namespace

DevSelection::DevSelection(const HiddenData* dev, double base_weight)
    : dev_(dev), base_weight_(base_weight) {}

bool DevSelection::offer(std::vector<float> weights, const nlohmann::json& choice,
                         ThreadTeam& team) {
  if (dev_ == nullptr) {
    weights_ = std::move(weights);
    choice_ = choice.dump();
    return true;
  }
  const ListScores sums = log_sums_of(*dev_, weights, team);
  bool best = false;
  for (std::size_t part = 0; part < kListParts.size(); ++part) {
    const LineChoice line = best_on_line(*dev_, sums, dev_->base, kListParts[part]);
    ChosenCandidates chosen = choose(*dev_, sums, line.weight);
    const ChoiceFigures figures = choice_figures(*dev_, chosen, kListParts[part]);
    if (part == kAllLists) {
      last_line_ = fmt::format("{} with {:.3g} log probability", figures.str("dev"), line.weight);
    }
    if (!kept_[part].chosen.empty() && figures.chosen <= kept_[part].figure) continue;
    kept_[part] = {figures.chosen, std::move(chosen)};
    if (part != kAllLists) continue;
    best = true;
    base_weight_ = line.weight;
    choice_ = choice.dump();
  }
  if (best) weights_ = std::move(weights);
  return best;
}

ChoiceFigures DevSelection::figures() const {
  return choice_figures(*dev_, kept_[kAllLists].chosen, kListParts[kAllLists]);
}

CrossFigures DevSelection::crossed() const {
  return crossed_choice(*dev_, kept_[kEvenLists].chosen, kept_[kOddLists].chosen);
}

void DevSelection::save(ModelWriter& writer) const {
  writer.add("selection",
             nlohmann::json{{"base_weight", base_weight_},
                            {"choice", choice_},
                            {"figures", {kept_[0].figure, kept_[1].figure, kept_[2].figure}}}
                 .dump());
  writer.add_array<float>("selection-weights", weights_);
  for (std::size_t part = 0; part < kept_.size(); ++part) {
    writer.add_array<std::uint32_t>(fmt::format("selection-{}", part), kept_[part].chosen);
  }
}

void DevSelection::load(const ModelFile& file, std::size_t weights) {
  const nlohmann::json state = nlohmann::json::parse(file.text("selection"), nullptr, false);
  const auto best = finite_array<float>(file, "selection-weights");
  const auto is_number = [](const nlohmann::json& value) { return value.is_number(); };
  if (!state.is_object() || !state.contains("choice") || !state["choice"].is_string() ||
      !state.contains("base_weight") || !state["base_weight"].is_number() ||
      !state.contains("figures") || !state["figures"].is_array() ||
      state["figures"].size() != kept_.size() ||
      !std::all_of(state["figures"].begin(), state["figures"].end(), is_number) ||
      (!best.empty() && best.size() != weights)) {
    throw file.damaged("selection", "is not what training keeps");
  }
  weights_.assign(best.begin(), best.end());
  base_weight_ = state["base_weight"].get<double>();
  choice_ = state["choice"].get<std::string>();
  for (std::size_t part = 0; part < kept_.size(); ++part) {
    const std::string name = fmt::format("selection-{}", part);
    const auto chosen = file.array<std::uint32_t>(name);
    kept_[part] = {state["figures"][part].get<double>(), {chosen.begin(), chosen.end()}};
    if (chosen.empty()) continue;
    bool fits = dev_ != nullptr && chosen.size() == dev_->lists.size();
    for (std::size_t i = 0; fits && i < chosen.size(); ++i) {
      fits = chosen[i] < std::max<std::size_t>(1, dev_->lists[i].candidates());
    }
    if (!fits) throw file.damaged(name, "does not fit the development lists");
  }
}

}  // namespace copse::hidden
