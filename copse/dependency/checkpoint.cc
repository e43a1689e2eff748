#include "copse/dependency/checkpoint.h"

#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/model/finite_array.h"

namespace copse {
namespace {

TrainingHistory read_history(const ModelFile& file, std::size_t dimension) {
  TrainingHistory history;
  const nlohmann::json& config = file.config();
  const auto best = finite_array<float>(file, "best.weights");
  if (best.size() != dimension) {
    throw file.damaged("best.weights", "has another number of weights");
  }
  history.best_weights.assign(best.begin(), best.end());
  history.chosen = config.value("chosen", 0);
  for (const auto& each : config.at("history")) {
    history.passes.push_back(
        {each.at(0), each.at(1), {each.at(2), each.at(3), each.at(4)}, each.at(5)});
    if (history.passes.back().pass == history.chosen) history.best = history.passes.back().dev;
  }
  return history;
}

}  // namespace

// Other machines may see another disk, or a file that is not yet there.
std::optional<ModelFile> TrainingCheckpoint::open_for_all() const {
  if (group_ == nullptr || group_->size() == 1) return file_.open();
  std::string bytes;
  if (group_->leads()) {
    const std::optional<ModelFile> file = file_.open();
    if (file) bytes = file->bytes();
  }
  broadcast(*group_, bytes);
  if (bytes.empty()) return std::nullopt;
  return ModelFile::from_bytes(bytes, "the checkpoint");
}

std::optional<ModelFile> TrainingCheckpoint::open(std::size_t dimension,
                                                  TrainingHistory& history) const {
  std::optional<ModelFile> file = open_for_all();
  if (!file) return file;
  try {
    if (file->config().value("dimension", std::size_t{0}) != dimension) throw file_.refusal();
    history = read_history(*file, dimension);
  } catch (const nlohmann::json::exception&) {
    throw file->damaged("config", "is not that of a checkpoint");
  }
  return file;
}

void TrainingCheckpoint::save(const TrainingHistory& history, const PassDone& done) const {
  if (!file_.is_wanted()) return;
  nlohmann::json passes = nlohmann::json::array();
  for (const TrainingPass& pass : history.passes) {
    passes.push_back(
        {pass.pass, pass.loss, pass.dev.words, pass.dev.heads, pass.dev.labels, pass.seconds});
  }
  ModelWriter writer = file_.begin({{"dimension", history.best_weights.size()},
                                    {"passes", done.pass},
                                    {"chosen", history.chosen},
                                    {"history", passes}});
  writer.add_array("best.weights", std::span<const float>(history.best_weights));
  done.save(writer);
  if (group_ == nullptr || group_->leads()) file_.save(writer);
}

}  // namespace copse
