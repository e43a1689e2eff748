#include "copse/constituency/spinal/training.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/pool.h"
#include "copse/learning/pass_order.h"
#include "copse/tag/perceptron_tagger.h"
#include "copse/treebank/clean.h"

namespace copse::spinal {
namespace {

using Progress = std::function<void(const std::string&)>;

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

struct Example {
  std::vector<std::string> words, tags;
  Derivation derivation;
};

std::vector<Example> read_examples(std::span<const std::span<const Entry>> runs,
                                   const HeadRules& heads, Levels levels, Symbols& labels,
                                   TrainingReport& report) {
  std::vector<Example> out;
  for (const std::span<const Entry> run : runs) {
    for (const Entry& entry : run) {
      const PhraseTree tree = entry.tree.empty() ? PhraseTree() : clean(entry.tree).tree;
      if (tree.empty() || tree.words() == 0) {
        ++report.left_out;
        continue;
      }
      Example example{{}, {}, derivation_of(tree, heads, levels, labels)};
      for (int i = 0; i < tree.words(); ++i) {
        example.words.emplace_back(tree.word_at(i));
        example.tags.emplace_back(tree.tag(i));
      }
      report.words += example.words.size();
      out.push_back(std::move(example));
    }
  }
  report.trees = out.size();
  return out;
}

// The examples [first, second) of one of several folds.
std::pair<std::size_t, std::size_t> fold_of(std::size_t examples, int fold, int folds) {
  return {examples * at(fold) / at(folds), examples * at(fold + 1) / at(folds)};
}

SequenceTagger train_tagger(const std::vector<Example>& examples, std::size_t leave_begin,
                            std::size_t leave_end, const TrainingOptions& training) {
  std::vector<TagExample> learn;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (i >= leave_begin && i < leave_end) continue;
    learn.push_back({examples[i].words, examples[i].tags});
  }
  PerceptronTaggerOptions options;
  options.epochs = training.tagger_epochs;
  options.clusters = training.clusters;
  return train_perceptron_tagger(learn, options).tagger;
}

// Tags by taggers that have not seen the sentence; those that the trees have no label for stay.
std::vector<std::vector<std::string>> unseen_tags(const std::vector<Example>& examples,
                                                  const TrainingOptions& options) {
  const int folds = options.tag_folds;
  std::vector<std::vector<std::string>> out;
  if (folds < 2 || examples.size() < at(folds)) {
    for (const Example& each : examples) out.push_back(each.tags);
    return out;
  }
  TagScratch scratch;
  for (int fold = 0; fold < folds; ++fold) {
    const auto [begin, end] = fold_of(examples.size(), fold, folds);
    const SequenceTagger tagger = train_tagger(examples, begin, end, options);
    for (std::size_t i = begin; i < end; ++i) {
      const std::vector<std::string_view> views(examples[i].words.begin(), examples[i].words.end());
      auto& tags = out.emplace_back();
      for (const Label label : tagger.tag({views}, scratch)) tags.push_back(tagger.label(label));
    }
  }
  return out;
}

// A surviving adjunction, kept for all sentences and all epochs.
struct PackedArc {
  std::uint16_t h, m, label;
};

class Learner {
 public:
  Learner(const std::vector<Example>& examples, const TrainingOptions& options, ThreadTeam& team)
      : examples_(examples), options_(options), team_(team) {}

  // Fills in what the parser needs.
  void run(SpinalParser::Parts& parts, TrainingReport& report, const Progress& say) {
    inventory_ = parts.inventory.get();
    features_ = &parts.features;
    prepare(parts.lexicon);
    say("pruner");
    parts.pruner = learn_pruner(examples_.size(), examples_.size());
    arcs_.resize(examples_.size());
    kept_.resize(examples_.size());
    const int folds = std::max(1, options_.pruner_folds);
    for (int fold = 0; fold < folds; ++fold) {
      const auto [begin, end] = fold_of(examples_.size(), fold, folds);
      if (folds == 1) {
        prune(parts.pruner, begin, end);
      } else {
        say(fmt::format("pruner of fold {}", fold + 1));
        prune(learn_pruner(begin, end), begin, end);
      }
    }
    count_survivors(report);
    say(fmt::format("{:.2f}% of the right adjunctions survive, {:.1f} for each word",
                    report.coverage, report.active));
    for (int epoch = 0; epoch < options_.epochs; ++epoch) {
      report.mistakes.push_back(run_epoch(epoch));
      say(fmt::format("epoch {}: {:.2f}% wrong adjunctions, {} features", epoch + 1,
                      report.mistakes.back(), weights_.rows()));
    }
    const WeightRows averaged = weights_.averaged();
    report.features = averaged.weights();
    parts.weights = freeze(averaged, features_->labels());
  }

 private:
  struct Memory {
    PositionAtoms atoms;
    Pruner::Scratch pruner;
    ScorerScratch scorer;
    SpinalScores scores;
    SpinalSearch search;
  };
  struct Answer {
    std::vector<KeyCount> difference;
    std::size_t wrong = 0;
  };

  void prepare(const Lexicon& lexicon) {
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      std::vector<std::string> tags;
      for (int m = 1; m <= examples_[i].derivation.words(); ++m) {
        tags.emplace_back(inventory_->labels().text(examples_[i].derivation.spines[at(m)].tag));
      }
      views_.push_back(std::make_unique<WordViews>(examples_[i].words, tags, lexicon));
      gold_.push_back(analysis_of(examples_[i].derivation, *inventory_));
    }
  }
  // Of all examples but those of a fold.
  Pruner learn_pruner(std::size_t leave_begin, std::size_t leave_end) {
    std::vector<PrunerExample> from;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      if (i >= leave_begin && i < leave_end) continue;
      if (is_learnt(i)) from.push_back({views_[i]->words(), &gold_[i]});
    }
    return Pruner::train(from, *inventory_, options_.pruner, team_);
  }
  bool is_learnt(std::size_t i) const {
    return examples_[i].words.size() <= at(options_.max_length);
  }

  // What survives of the examples [begin, end), and the right adjunctions.
  void prune(const Pruner& pruner, std::size_t begin, std::size_t end) {
    team_.for_each(end - begin, [&](std::size_t k) {
      const std::size_t i = begin + k;
      if (!is_learnt(i)) return;
      const auto memory = memory_.take();
      memory->atoms.fill(views_[i]->words(), options_.clusters.get());
      auto arcs =
          pruner.prune(views_[i]->words(), memory->atoms, options_.training_alpha, memory->pruner);
      const Analysis& gold = gold_[i];
      std::vector<bool> found(at(gold.words()) + 1);
      for (const SpinalArc& arc : arcs) {
        arcs_[i].push_back({static_cast<std::uint16_t>(arc.h), static_cast<std::uint16_t>(arc.m),
                            static_cast<std::uint16_t>(arc.label)});
        if (gold.head[at(arc.m)] == arc.h && gold.adjunction[at(arc.m)] == arc.label) {
          found[at(arc.m)] = true;
          ++kept_[i];
        }
      }
      for (int m = 1; m <= gold.words(); ++m) {
        if (found[at(m)]) continue;
        arcs_[i].push_back({static_cast<std::uint16_t>(gold.head[at(m)]),
                            static_cast<std::uint16_t>(m),
                            static_cast<std::uint16_t>(gold.adjunction[at(m)])});
      }
    });
  }
  void count_survivors(TrainingReport& report) const {
    std::size_t words = 0, active = 0;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      if (!is_learnt(i)) continue;
      words += examples_[i].words.size();
      active += arcs_[i].size();
    }
    const double all = std::max<double>(1, static_cast<double>(words));
    report.coverage =
        100 * static_cast<double>(std::accumulate(kept_.begin(), kept_.end(), std::size_t{0})) /
        all;
    report.active = static_cast<double>(active) / all;
  }

  SpinalParts parts_of(std::size_t i) const {
    std::vector<SpinalArc> arcs;
    for (const PackedArc& arc : arcs_[i]) arcs.push_back({arc.h, arc.m, arc.label});
    auto spines = spines_of(*inventory_, examples_[i].words, views_[i]->tags());
    for (int m = 1; m <= gold_[i].words(); ++m) {
      add_spine(*inventory_, views_[i]->tags()[at(m) - 1], gold_[i].chain[at(m)], spines[at(m)]);
    }
    return {inventory_->adjunctions(), std::move(spines), std::move(arcs)};
  }

  void add_cost(const SpinalParts& parts, const Analysis& gold, SpinalScores& scores) const {
    for (int a = 0; a < parts.arcs(); ++a) {
      const SpinalArc& arc = parts.arc(a);
      if (gold.head[at(arc.m)] != arc.h || gold.adjunction[at(arc.m)] != arc.label) {
        scores.dep[at(a)] += static_cast<float>(options_.cost);
      }
    }
  }

  void answer(std::size_t i, Answer& out) {
    out = {};
    const auto memory = memory_.take();
    memory->atoms.fill(views_[i]->words(), options_.clusters.get());
    const SpinalParts parts = parts_of(i);
    Scorer<TrainingWeights>(*features_, weights_, memory->atoms, memory->scorer)
        .score(parts, options_.model.second_order, memory->scores);
    if (options_.cost > 0) add_cost(parts, gold_[i], memory->scores);
    const SpinalAnswer best = memory->search.best(parts, memory->scores);
    if (best.status != SearchStatus::ok) return;  // larger than the limits
    const Analysis found = analysis_of(parts, best.derivation);
    for (int m = 1; m <= found.words(); ++m) {
      const bool right = found.head[at(m)] == gold_[i].head[at(m)] &&
                         found.adjunction[at(m)] == gold_[i].adjunction[at(m)];
      out.wrong += right ? 0 : 1;
    }
    out.difference =
        feature_difference(*features_, memory->atoms, gold_[i], found, options_.model.second_order);
  }

  // The cost of an answer less what gold is ahead by, over the squared length of the difference: the
  // step after which it is ahead by the cost.
  double step_of(const Answer& answer) const {
    if (!options_.mira) return 1;
    double margin = 0, length = 0;
    for (const KeyCount& each : answer.difference) {
      length += double{each.count} * each.count;
      const auto row = weights_.find(each.key);
      if (row != TrainingWeights::kNoRow) margin += each.count * weights_.weight(row, each.label);
    }
    if (length == 0) return 0;
    const double wanted = options_.cost * static_cast<double>(answer.wrong);
    return std::clamp((wanted - margin) / length, 0.0, options_.aggressiveness);
  }
  void learn(const Answer& answer) {
    const double step = step_of(answer);
    if (step == 0) return;
    for (const KeyCount& each : answer.difference) {
      weights_.update(weights_.intern(each.key), each.label, step * each.count);
    }
  }

  // The share of wrong adjunctions.
  double run_epoch(int epoch) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < examples_.size(); ++i) {
      if (is_learnt(i)) order.push_back(i);
    }
    pass_order(options_.seed, static_cast<std::uint32_t>(epoch)).shuffle(std::span(order));
    std::vector<Answer> answers(at(options_.batch));
    std::size_t wrong = 0, words = 0;
    for (std::size_t begin = 0; begin < order.size(); begin += answers.size()) {
      const std::size_t size = std::min(answers.size(), order.size() - begin);
      team_.for_each(size, [&](std::size_t k) { answer(order[begin + k], answers[k]); });
      for (std::size_t k = 0; k < size; ++k) {
        learn(answers[k]);
        weights_.end_step();
        wrong += answers[k].wrong;
        words += examples_[order[begin + k]].words.size();
      }
    }
    return 100 * static_cast<double>(wrong) / std::max<double>(1, static_cast<double>(words));
  }

  const std::vector<Example>& examples_;
  const TrainingOptions& options_;
  ThreadTeam& team_;
  const Inventory* inventory_ = nullptr;
  const Features* features_ = nullptr;
  std::vector<std::unique_ptr<WordViews>> views_;
  std::vector<Analysis> gold_;
  std::vector<std::vector<PackedArc>> arcs_;
  std::vector<std::size_t> kept_;  // right adjunctions that survive, by example
  TrainingWeights weights_;
  Pool<Memory> memory_;
};

int thread_count(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

std::string TrainingReport::str() const {
  std::string text =
      fmt::format("{} trees, {} words; {} labels, {} chains of phrases, {} kinds of adjunction\n",
                  trees, words, labels, chains, adjunctions);
  if (left_out > 0) text += fmt::format("left out {} without words\n", left_out);
  text += fmt::format("pruner: {:.2f}% of the right adjunctions survive, {:.1f} for each word\n",
                      coverage, active);
  text += fmt::format("{} features\n", features);
  return text;
}

Trained train(std::span<const std::span<const Entry>> trees, const TrainingOptions& options,
              const std::function<void(const std::string&)>& progress) {
  const Progress say = progress ? progress : [](const std::string&) {};
  const HeadRules heads = HeadRules::load(options.heads);
  TrainingReport report;
  Symbols labels;
  std::vector<Example> examples = read_examples(
      trees, heads, options.model.exact_levels ? Levels::exact : Levels::merged, labels, report);
  if (examples.empty()) throw data_error("there is no tree to learn from");
  say("tagger");
  SequenceTagger tagger = train_tagger(examples, 0, 0, options);
  const auto tags = unseen_tags(examples, options);
  SpinalParser::Parts parts{options.model, nullptr, {}, {}, {}, std::move(tagger), {}};
  std::vector<Derivation> derivations;
  std::vector<std::vector<std::string>> words;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    for (std::size_t k = 0; k < tags[i].size(); ++k) {
      examples[i].derivation.spines[k + 1].tag = static_cast<LabelId>(labels.add(tags[i][k]));
    }
    derivations.push_back(examples[i].derivation);
    words.push_back(examples[i].words);
    for (const std::string& word : examples[i].words) parts.lexicon.count(word);
  }
  const auto inventory = std::make_shared<Inventory>(std::move(labels), derivations, words);
  report.labels = inventory->labels().size();
  report.chains = inventory->chains().size();
  report.adjunctions = inventory->adjunctions().size();
  parts.inventory = inventory;
  parts.features = Features(builtin_templates(options.clusters != nullptr), *inventory, "");
  ThreadTeam team(thread_count(options.threads));
  Learner(examples, options, team).run(parts, report, say);
  return {SpinalParser(std::move(parts)), std::move(report), heads.provenance()};
}

}  // namespace copse::spinal
