#include "copse/constituency/history/training.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "copse/base/data_source.h"
#include "copse/base/error.h"
#include "copse/base/stream.h"
#include "copse/cluster/word_clusters.h"
#include "copse/constituency/history/learner.h"
#include "copse/constituency/history/parser_file.h"
#include "copse/constituency/tagged_trees.h"
#include "copse/model/checkpoint_file.h"
#include "copse/model/finite_array.h"

namespace copse::history {
namespace {

using Progress = std::function<void(const std::string&)>;

const std::string kPrefix = "history/";
constexpr std::size_t kEpochNumbers = 7;
constexpr std::size_t kHeldOut = 20;  // one of so many trees, if there are no others

// Of trees and options: who may go on from whose checkpoint. The rate of Adam falls over all passes,
// so that their number belongs to it.
std::string identity_of(std::span<const std::span<const Entry>> runs, std::span<const Entry> others,
                        const TrainingOptions& options, const Measure& measure) {
  if (options.checkpoint.empty()) return {};
  nlohmann::json record = to_json(options);
  record["measure"] = measure.identity;
  record["cluster_words"] = options.clusters ? checksum_text(options.clusters->bytes()) : "";
  std::string text = record.dump();
  const auto add = [&](std::span<const Entry> run) {
    for (const Entry& entry : run) text += entry.tree.empty() ? "\n" : entry.tree.str() + '\n';
  };
  for (const std::span<const Entry> run : runs) add(run);
  text += '\n';
  add(others);
  return checksum_text(text);
}

std::string epoch_text(const Epoch& epoch, std::size_t number, bool several) {
  std::string text = several ? fmt::format("network {}, ", epoch.network + 1) : std::string();
  text += fmt::format("epoch {}: loss {:.4f} a word", number, epoch.loss);
  if (epoch.other_loss >= 0) text += fmt::format(", of other trees {:.4f}", epoch.other_loss);
  if (epoch.dev.all >= 0) text += fmt::format(", dev {:.2f}", epoch.dev.all);
  return text;
}

// Histories of trees that have known labels only.
void add_histories(const TaggedTrees& trees, std::span<const std::vector<std::string>> tags,
                   const StepMaker& steps, const Vocabulary& vocabulary,
                   const WordClusters* clusters, TrainingReport& report,
                   std::vector<DecisionSteps>& out, std::size_t& words) {
  for (std::size_t i = 0; i < trees.trees.size(); ++i) {
    try {
      const auto actions = actions_of(trees.trees[i], vocabulary.labels());
      const auto symbols = steps.symbols(tags[i], trees.words[i].words, clusters);
      out.push_back(steps.history(actions, symbols));
      words += trees.words[i].words.size();
    } catch (const Error&) {
      ++report.other_left_out;
    }
  }
}

// All networks, one after the other, each pass measured and saved.
class Passes {
 public:
  Passes(const LearningData& data, const NetworkShape& shape, const HistoryParser::Parts& parts,
         const TrainingOptions& options, const Measure& measure, const CheckpointFile& checkpoint,
         const Progress& say)
      : data_(data),
        shape_(shape),
        parts_(parts),
        options_(options),
        measure_(measure),
        checkpoint_(checkpoint),
        say_(say),
        team_(resolve_threads(options.threads)) {}

  void run() {
    const std::optional<ModelFile> file = checkpoint_.open();
    if (file) load(*file);
    const std::size_t begun = epochs_.empty() ? 0 : epochs_.back().network;
    for (std::size_t n = begun; n < static_cast<std::size_t>(options_.networks); ++n) {
      Learner learner(data_, shape_, options_, options_.seed + n, team_);
      if (file && !epochs_.empty() && n == begun) learner.load(*file, kPrefix);
      while (!learner.done()) {
        Epoch epoch = learner.run_epoch();
        epoch.network = n;
        judge(learner, epoch);
        save(learner);
        say_(epoch_text(epoch, static_cast<std::size_t>(learner.passes()), options_.networks > 1));
      }
    }
  }

  const std::vector<Epoch>& epochs() const { return epochs_; }
  const std::vector<std::size_t>& best() const { return best_; }
  const Networks& networks() const { return networks_; }

 private:
  // Keeps the network if it is the best so far; without a measure the last is.
  void judge(const Learner& learner, Epoch& epoch) {
    const auto now = learner.network();
    if (measure_.judge) {
      HistoryParser::Parts parts = parts_;
      parts.networks = {now};
      epoch.dev = measure_.judge(HistoryParser(std::move(parts)));
    }
    if (networks_.size() == epoch.network) {
      networks_.push_back(now);
      best_.push_back(epochs_.size());
    } else if (!measure_.judge || epoch.dev.all > epochs_[best_.back()].dev.all) {
      networks_.back() = now;
      best_.back() = epochs_.size();
    }
    epochs_.push_back(epoch);
  }

  void save(const Learner& learner) const {
    if (!checkpoint_.is_wanted()) return;
    ModelWriter writer = checkpoint_.begin(nlohmann::json::object());
    learner.save(writer, kPrefix);
    std::vector<double> numbers;
    for (const Epoch& each : epochs_) {
      numbers.insert(numbers.end(), {static_cast<double>(each.network), each.rate, each.loss,
                                     each.other_loss, each.dev.all, each.dev.odd, each.dev.even});
    }
    writer.add_array<double>(kPrefix + "epochs", numbers);
    writer.add_array<std::uint64_t>(kPrefix + "best",
                                    std::vector<std::uint64_t>(best_.begin(), best_.end()));
    for (std::size_t n = 0; n < networks_.size(); ++n) {
      writer.add_array<float>(fmt::format("{}kept{}", kPrefix, n), networks_[n]->weights());
    }
    checkpoint_.save(writer);
  }

  void load(const ModelFile& file) {
    const auto numbers = file.array<double>(kPrefix + "epochs");
    const auto best = file.array<std::uint64_t>(kPrefix + "best");
    const std::size_t count = numbers.size() / kEpochNumbers;
    bool good = numbers.size() % kEpochNumbers == 0 && count > 0 && !best.empty() &&
                best.size() <= static_cast<std::size_t>(options_.networks);
    for (const std::uint64_t each : best) good = good && each < count;
    for (std::size_t i = 0; good && i < numbers.size(); i += kEpochNumbers) {
      good = numbers[i] >= 0 && numbers[i] < static_cast<double>(best.size());
      if (!good) break;
      epochs_.push_back({static_cast<std::size_t>(numbers[i]),
                         numbers[i + 1],
                         numbers[i + 2],
                         numbers[i + 3],
                         {numbers[i + 4], numbers[i + 5], numbers[i + 6]}});
    }
    good = good && epochs_.back().network + 1 == best.size();
    if (!good) throw file.damaged(kPrefix + "epochs", "has bad numbers");
    best_.assign(best.begin(), best.end());
    for (std::size_t n = 0; n < best.size(); ++n) {
      const auto network = std::make_shared<DecisionNetwork<float>>(shape_);
      const std::string name = fmt::format("{}kept{}", kPrefix, n);
      const auto weights = finite_array<float>(file, name);
      if (weights.size() != network->weights().size()) {
        throw file.damaged(name, "is of another network");
      }
      std::ranges::copy(weights, network->weights().begin());
      networks_.push_back(network);
    }
  }

  const LearningData& data_;
  const NetworkShape& shape_;
  const HistoryParser::Parts& parts_;
  const TrainingOptions& options_;
  const Measure& measure_;
  const CheckpointFile& checkpoint_;
  const Progress& say_;
  ThreadTeam team_;
  std::vector<Epoch> epochs_;
  std::vector<std::size_t> best_;
  Networks networks_;
};

void check(const TrainingOptions& options) {
  if (options.optimiser != "adam" && options.optimiser != "sgd") {
    throw usage_error(fmt::format("unknown optimiser \"{}\"", options.optimiser),
                      "expected adam or sgd");
  }
}

}  // namespace

std::string TrainingReport::str() const {
  std::string text = fmt::format(
      "{} trees, {} words; {} labels, {} tags, {} pairs, {} traits; at most {} phrases in a row; "
      "{} "
      "weights\n",
      trees, words, labels, tags, pairs, traits, longest_chain, weights);
  if (left_out > 0) text += fmt::format("left out {} without words or too long\n", left_out);
  if (other_left_out > 0) {
    text += fmt::format("{} other trees have labels that are not known\n", other_left_out);
  }
  for (std::size_t n = 0; n < best.size(); ++n) {
    const auto first = std::ranges::find(epochs, n, &Epoch::network);
    text += fmt::format("network {}: epoch {} of {}\n", n + 1,
                        best[n] + 1 - static_cast<std::size_t>(first - epochs.begin()),
                        std::ranges::count(epochs, n, &Epoch::network));
  }
  return text;
}

Trained train(std::span<const std::span<const Entry>> runs, std::span<const Entry> others,
              const TrainingOptions& options, const Measure& measure, const Progress& progress) {
  const Progress say = progress ? progress : [](const std::string&) {};
  check(options);
  const CheckpointFile checkpoint(options.checkpoint, "history-checkpoint",
                                  identity_of(runs, others, options, measure));
  checkpoint.open();  // refused now, and not after the taggers
  const TaggedTrees trees = tagged_trees(runs, kLongest);
  if (trees.trees.empty()) throw data_error("there is no tree to learn from");
  TrainingReport report;
  report.trees = trees.trees.size();
  report.words = trees.word_count;
  report.left_out = trees.left_out;
  say("tagger");
  const ParserTagging tagging{options.tag_folds, options.tagger_epochs, options.clusters};
  HistoryParser::Parts parts{
      options.steps, 1, nullptr, {}, train_parser_tagger(trees.words, kNoFold, tagging)};
  const auto tags = unseen_tags(trees.words, tagging);
  const auto vocabulary = std::make_shared<Vocabulary>(options.vocabulary);
  for (std::size_t i = 0; i < trees.trees.size(); ++i) {
    const auto actions = actions_of(trees.trees[i], vocabulary->labels());
    parts.longest_chain = std::max(parts.longest_chain, longest_chain(actions) + 1);
    vocabulary->count(tags[i], trees.words[i].words, options.clusters.get());
  }
  for (const std::string& tag : parts.tagger.model().labels) vocabulary->add_tag(tag);
  vocabulary->finish();
  if (vocabulary->labels().size() == 0) throw data_error("the trees have no phrases to learn");
  parts.vocabulary = vocabulary;
  const StepMaker steps(*vocabulary, options.steps, parts.longest_chain);
  NetworkShape shape;
  shape.hidden = static_cast<std::size_t>(options.hidden);
  shape.gated = options.gated;
  shape.embedding = static_cast<std::size_t>(options.embedding);
  steps.fill(shape);
  LearningData data;
  add_histories(trees, tags, steps, *vocabulary, options.clusters.get(), report, data.histories,
                data.words);
  if (others.empty() && options.optimiser == "sgd") {
    std::vector<DecisionSteps> kept;
    for (std::size_t i = 0; i < data.histories.size(); ++i) {
      (i % kHeldOut == kHeldOut - 1 ? data.others : kept).push_back(std::move(data.histories[i]));
    }
    data.histories = std::move(kept);
    data.other_words = std::max<std::size_t>(1, data.words / kHeldOut);
  } else if (!others.empty()) {
    const TaggedTrees other_trees = tagged_trees(std::span(&others, 1), kLongest);
    std::vector<std::vector<std::string>> other_tags;
    TagScratch scratch;
    for (const TagExample& each : other_trees.words) {
      other_tags.push_back(tags_to_parse(parts.tagger, {each.words}, scratch));
    }
    add_histories(other_trees, other_tags, steps, *vocabulary, options.clusters.get(), report,
                  data.others, data.other_words);
  }
  report.others = data.others.size();
  report.labels = vocabulary->labels().size();
  report.tags = vocabulary->tags().size();
  report.pairs = vocabulary->pairs();
  report.traits = vocabulary->traits();
  report.longest_chain = parts.longest_chain - 1;
  report.weights = NetworkLayout(shape).size;
  say(fmt::format("{} weights", report.weights));
  Passes passes(data, shape, parts, options, measure, checkpoint, say);
  passes.run();
  report.epochs = passes.epochs();
  report.best = passes.best();
  parts.networks = passes.networks();
  return {HistoryParser(std::move(parts)), std::move(report)};
}

}  // namespace copse::history
