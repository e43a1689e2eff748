#include "copse/constituency/incremental/passes.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/stream.h"

namespace copse::incremental {
namespace {

const std::string kPrefix = "incremental/";
constexpr std::size_t kEpochNumbers = 7;

std::string epoch_text(const Epoch& epoch, std::size_t number, bool several) {
  std::string text = several ? fmt::format("mix {:g}, ", epoch.mix) : std::string();
  text += fmt::format("epoch {}: {} wrong, {} lost from the beam, {} features", number, epoch.wrong,
                      epoch.lost, epoch.features);
  if (epoch.dev.all >= 0) text += fmt::format(", dev {:.2f}", epoch.dev.all);
  return text;
}

std::vector<double> numbers_of(const std::vector<Epoch>& epochs) {
  std::vector<double> out;
  for (const Epoch& each : epochs) {
    out.insert(out.end(), {static_cast<double>(each.run), static_cast<double>(each.wrong),
                           static_cast<double>(each.lost), static_cast<double>(each.features),
                           each.dev.all, each.dev.odd, each.dev.even});
  }
  return out;
}

}  // namespace

Passes::Passes(std::span<const LearningExample> examples, const IncrementalParser::Parts& parts,
               std::span<const std::shared_ptr<const Companion>> companions,
               const TrainingOptions& options, const Measure& measure,
               const CheckpointFile& checkpoint, const std::function<void(const std::string&)>& say)
    : examples_(examples),
      parts_(parts),
      companions_(companions),
      options_(options),
      measure_(measure),
      checkpoint_(checkpoint),
      say_(say),
      team_(resolve_threads(options.threads)),
      mixes_(options.mixes()) {}

std::size_t Passes::passes_of(std::size_t run) const {
  return static_cast<std::size_t>(std::ranges::count(epochs_, run, &Epoch::run));
}

// All passes, or some without gain on other trees.
bool Passes::is_done(std::size_t run) const {
  const std::size_t passes = passes_of(run);
  if (passes >= static_cast<std::size_t>(options_.epochs)) return true;
  if (!measure_.judge || passes == 0) return false;
  const auto of_run = std::ranges::find(epochs_, run, &Epoch::run);
  const auto best = std::max_element(
      of_run, of_run + static_cast<std::ptrdiff_t>(passes),
      [](const Epoch& left, const Epoch& right) { return left.dev.all < right.dev.all; });
  return passes - static_cast<std::size_t>(best - of_run) >
         static_cast<std::size_t>(options_.patience);
}

void Passes::run() {
  std::optional<ModelFile> file = checkpoint_.open();
  if (file) load(*file);
  for (std::size_t run = 0; run < mixes_.size(); ++run) {
    if (is_done(run)) continue;
    learn(run, passes_of(run) > 0 ? &*file : nullptr);
  }
}

void Passes::learn(std::size_t run, const ModelFile* from) {
  const double mix = mixes_[run];
  Learner learner(examples_, parts_,
                  mix > 0 ? companions_ : std::span<const std::shared_ptr<const Companion>>(), mix,
                  options_, team_);
  if (from != nullptr) learner.load(*from, kPrefix);
  while (!is_done(run)) {
    Epoch epoch = learner.run_epoch(static_cast<int>(passes_of(run)));
    epoch.run = run;
    epoch.mix = mix;
    judge(learner, epoch);
    save(learner);
    say_(epoch_text(epoch, passes_of(run), mixes_.size() > 1));
  }
}

// Keeps the weights if they are the best so far; without a measure the last are.
void Passes::judge(const Learner& learner, Epoch& epoch) {
  const bool last = passes_of(epoch.run) + 1 >= static_cast<std::size_t>(options_.epochs);
  if (measure_.judge || last || checkpoint_.is_wanted()) {
    const WeightRows averaged = learner.weights().averaged();
    std::string weights = freeze(averaged, parts_.grammar->labels());
    if (measure_.judge) {
      IncrementalParser::Parts now = parts_;
      now.options.generative_weight = epoch.mix;
      now.weights = weights;
      epoch.dev = measure_.judge(IncrementalParser(std::move(now)));
    }
    if (epochs_.empty() || !measure_.judge || epoch.dev.all > epochs_[best_].dev.all) {
      weights_ = std::move(weights);
      features_ = averaged.weights();
      best_ = epochs_.size();
    }
  }
  epochs_.push_back(epoch);
}

void Passes::save(const Learner& learner) const {
  if (!checkpoint_.is_wanted()) return;
  ModelWriter writer = checkpoint_.begin(nlohmann::json::object());
  learner.save(writer, kPrefix);
  writer.add_array<double>(kPrefix + "epochs", numbers_of(epochs_));
  writer.add_array<std::uint64_t>(kPrefix + "best", std::vector<std::uint64_t>{best_, features_});
  writer.add(kPrefix + "best-weights", weights_);
  checkpoint_.save(writer);
}

void Passes::load(const ModelFile& file) {
  const auto numbers = file.array<double>(kPrefix + "epochs");
  const auto best = file.array<std::uint64_t>(kPrefix + "best");
  const auto whole = [](double number) { return number >= 0 && number < 1e15; };
  bool good = numbers.size() % kEpochNumbers == 0 && !numbers.empty() && best.size() == 2 &&
              best[0] < numbers.size() / kEpochNumbers;
  for (std::size_t i = 0; good && i < numbers.size(); i += kEpochNumbers) {
    good = std::ranges::all_of(numbers.subspan(i, 4), whole) &&
           numbers[i] < static_cast<double>(mixes_.size());
    if (!good) break;
    Epoch epoch;
    epoch.run = static_cast<std::size_t>(numbers[i]);
    epoch.mix = mixes_[epoch.run];
    epoch.wrong = static_cast<std::size_t>(numbers[i + 1]);
    epoch.lost = static_cast<std::size_t>(numbers[i + 2]);
    epoch.features = static_cast<std::size_t>(numbers[i + 3]);
    epoch.dev = {numbers[i + 4], numbers[i + 5], numbers[i + 6]};
    epochs_.push_back(epoch);
  }
  if (!good) throw file.damaged(kPrefix + "epochs", "has bad numbers");
  best_ = best[0];
  features_ = best[1];
  weights_ = std::string(file.text(kPrefix + "best-weights"));
  const std::size_t passes = passes_of(epochs_.back().run);
  if (passes <= static_cast<std::size_t>(options_.epochs)) return;
  throw usage_error(fmt::format("{} is after {} passes", options_.checkpoint, passes),
                    "ask for at least as many, or remove it to begin anew");
}

}  // namespace copse::incremental
