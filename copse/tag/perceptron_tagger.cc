#include "copse/tag/perceptron_tagger.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/learning/perceptron.h"
#include "copse/model/training_weights.h"

namespace copse {
namespace {

std::vector<std::string_view> views(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

// The training data with everything that does not depend on weights looked up once: the rows of
// local features, the keys of history features, dictionary rows.
class TaggingProblem {
 public:
  using Row = TrainingWeights::Row;

  TaggingProblem(const TagModel& model, const std::vector<TagExample>& examples,
                 const PerceptronTaggerOptions& options, TrainingWeights& weights)
      : model_(model),
        options_(options),
        pair_rows_(model, [&](FeatureKey key) { return weights.intern(key); }),
        interning_(weights) {
    std::unordered_map<std::string_view, Label> numbers;
    for (std::size_t i = 0; i < model.labels.size(); ++i) {
      numbers.emplace(model.labels[i], static_cast<Label>(i));
    }
    SentenceAtoms atoms;
    for (const TagExample& example : examples) add(example, numbers, atoms);
  }

  std::size_t size() const { return sentences_.size(); }
  long words() const { return static_cast<long>(row_begins_.size()) - 1; }
  long mistakes() const { return mistakes_; }
  void forget_mistakes() { mistakes_ = 0; }

  double decode(std::size_t index, const TrainingWeights& weights, FeatureDifference& difference) {
    const Example& example = sentences_[index];
    const TagScorer<TrainingWeights> scorer(model_, weights, pair_rows_);
    const auto add_local = [&](int word, std::span<float> scores) {
      for (const Row row : local_rows(example, word)) weights.add_to(row, scores);
    };
    scorer.choose(example.sentence, add_local, scratch_);
    add_costs(example);
    const TagSequence best = search(scorer, example.sentence);
    predicted_.clear();
    for (int i = 0; i < example.sentence.words(); ++i) {
      predicted_.push_back(
          scratch_.candidates_of(i)[static_cast<std::size_t>(best[static_cast<std::size_t>(i)])]);
    }
    return compare(example, difference);
  }

 private:
  struct Example {
    TagSentence sentence;
    std::vector<Label> gold;
    std::size_t first_word = 0;  // among the words of all sentences
  };

  // Right labels start behind, so that they learn to win by a margin.
  void add_costs(const Example& example) {
    if (options_.margin == 0) return;
    for (int i = 0; i < example.sentence.words(); ++i) {
      const Label gold = example.gold[static_cast<std::size_t>(i)];
      if (model_.labels[gold] == options_.background) continue;
      scratch_.local_of(i, model_.outputs())[gold] -= options_.margin;
    }
  }

  TagSequence search(const TagScorer<TrainingWeights>& scorer, const TagSentence& sentence) {
    if (options_.beam > 0) return scorer.beam(sentence, options_.beam, scratch_);
    scorer.fill_lattice(sentence, scratch_);
    return best_tags(scratch_.lattice, scratch_.search).item;
  }

  void add(const TagExample& example, const std::unordered_map<std::string_view, Label>& numbers,
           SentenceAtoms& atoms) {
    fill_atoms(views(example.words), views(example.parts_of_speech), model_.sources(), atoms);
    Example result;
    result.sentence.fill(model_, atoms);
    result.first_word = row_begins_.size() - 1;
    for (const std::string& label : example.labels) result.gold.push_back(numbers.at(label));
    for (int i = 0; i < atoms.words(); ++i) {
      add_rows(atoms.origin(i), true);
      around_begins_.push_back(rows_.size());
      add_rows(atoms.origin(i), false);
      row_begins_.push_back(rows_.size());
    }
    sentences_.push_back(std::move(result));
  }

  void add_rows(const AtomValue* origin, bool of_word) {
    for (const Template& row : model_.features.local) {
      if (TagFeatures::sees_word(row) != of_word) continue;
      const FeatureKey key = key_of(row, origin);
      if (key != kAbsent) rows_.push_back(interning_.intern(key));
    }
  }

  // Those of the templates that see the word, then the others.
  std::span<const Row> local_rows(const Example& example, int word) const {
    const std::size_t at = example.first_word + static_cast<std::size_t>(word);
    return std::span(rows_).subspan(row_begins_[at], row_begins_[at + 1] - row_begins_[at]);
  }

  double compare(const Example& example, FeatureDifference& difference) {
    double loss = 0;
    for (int i = 0; i < example.sentence.words(); ++i) {
      const auto history = [i](const std::vector<Label>& tags, int back, Label beginning) {
        return i >= back ? tags[static_cast<std::size_t>(i - back)] : beginning;
      };
      const Label start = model_.beginning();
      const Label gold = history(example.gold, 0, start);
      const Label predicted = history(predicted_, 0, start);
      const Label gold_last = history(example.gold, 1, start);
      const Label last = history(predicted_, 1, start);
      const Label gold_before = history(example.gold, 2, start);
      const Label before = history(predicted_, 2, start);
      if (gold != predicted) {
        ++loss;
        compare_traits(gold, predicted);
        // What stands around a word tells of traits alone: that keeps long rows short.
        const std::size_t at = example.first_word + static_cast<std::size_t>(i);
        const std::size_t with_labels =
            model_.traits.count() == 0 ? row_begins_[at + 1] : around_begins_[at];
        std::size_t number = row_begins_[at];
        for (const Row row : local_rows(example, i)) {
          if (number++ < with_labels) {
            difference.add(row, gold, 1);
            difference.add(row, predicted, -1);
          }
          for (const Label trait : lost_) difference.add(row, trait, 1);
          for (const Label trait : wrong_) difference.add(row, trait, -1);
        }
      }
      if (gold != predicted || gold_last != last || gold_before != before) {
        add_history(example, i, gold_before, gold_last, gold, 1, difference);
        add_history(example, i, before, last, predicted, -1, difference);
      }
    }
    mistakes_ += static_cast<long>(loss);
    return loss;
  }

  // The traits that one of them has and the other lacks.
  void compare_traits(Label gold, Label predicted) {
    const auto right = model_.traits.of(gold);
    const auto given = model_.traits.of(predicted);
    lost_.clear();
    wrong_.clear();
    std::ranges::set_difference(right, given, std::back_inserter(lost_));
    std::ranges::set_difference(given, right, std::back_inserter(wrong_));
  }

  void add_history(const Example& example, int i, Label before, Label last, Label label,
                   float delta, FeatureDifference& difference) {
    for (std::size_t number = 0; number < model_.features.history.size(); ++number) {
      const FeatureKey key = TagScorer<TrainingWeights>::history_key(model_, example.sentence, i,
                                                                     number, before, last);
      if (key == kAbsent) continue;
      const Row row = interning_.intern(key);
      difference.add(row, label, delta);
      for (const Label trait : model_.traits.of(label)) difference.add(row, trait, delta);
    }
  }

  const TagModel& model_;
  const PerceptronTaggerOptions& options_;
  TagPairRows<TrainingWeights> pair_rows_;
  TrainingWeights& interning_;
  std::vector<Example> sentences_;
  std::vector<Row> rows_;
  std::vector<std::size_t> row_begins_{0};
  std::vector<std::size_t> around_begins_;  // where the rows begin that do not see the word
  TagScratch scratch_;
  std::vector<Label> predicted_, lost_, wrong_;
  long mistakes_ = 0;
};

std::vector<std::string> label_names(const std::vector<TagExample>& examples) {
  std::set<std::string> names;
  for (const TagExample& example : examples)
    names.insert(example.labels.begin(), example.labels.end());
  return {names.begin(), names.end()};
}

void check_examples(const std::vector<TagExample>& examples, std::size_t labels) {
  if (examples.empty()) throw data_error("there is no sentence to learn from");
  if (labels < 2) {
    throw data_error(
        fmt::format("the training data has {} different label(s); expected at least 2", labels));
  }
  if (labels >= std::numeric_limits<Label>::max()) {
    throw data_error(
        fmt::format("the training data has {} different labels; at most 65534 can be "
                    "told apart",
                    labels));
  }
}

std::vector<std::uint8_t> allowed_pairs(const TagModel& model,
                                        const PerceptronTaggerOptions& options) {
  std::vector<std::uint8_t> allowed;
  if (!options.may_follow) return allowed;
  for (std::size_t before = 0; before <= model.labels.size(); ++before) {
    for (const std::string& label : model.labels) {
      const std::string name = before == model.labels.size() ? "" : model.labels[before];
      allowed.push_back(options.may_follow(name, label) ? 1 : 0);
    }
  }
  return allowed;
}

}  // namespace

std::shared_ptr<TagModel> make_tag_model(const std::vector<TagExample>& examples,
                                         const PerceptronTaggerOptions& options) {
  auto model = std::make_shared<TagModel>();
  model->labels = label_names(examples);
  check_examples(examples, model->labels.size());
  model->make_histories();
  if (options.traits) model->traits = LabelTraits(model->labels);
  const std::string_view own = tag_feature_table(options.traits ? "joint" : "b");
  model->table = options.table.empty() ? std::string(own) : options.table;
  model->features = parse_tag_features(
      model->table, options.table.empty() ? "built-in table" : options.table_name);
  model->candidates = options.candidates;
  model->clusters = options.clusters;
  model->allowed = allowed_pairs(*model, options);
  std::vector<TagDictionary::Seen> seen;
  for (const TagExample& example : examples) {
    for (std::size_t i = 0; i < example.words.size(); ++i) {
      const auto at = std::ranges::lower_bound(model->labels, example.labels[i]);
      seen.push_back({example.words[i], static_cast<Label>(at - model->labels.begin())});
    }
  }
  model->dictionary = TagDictionary::build(seen, model->labels.size(), options.dictionary);
  return model;
}

TrainedTagger train_perceptron_tagger(const std::vector<TagExample>& examples,
                                      const PerceptronTaggerOptions& options,
                                      const TagMeasure& measure,
                                      const std::function<void(const TagEpoch&)>& progress) {
  const auto model = make_tag_model(examples, options);
  TrainingWeights weights;
  TaggingProblem problem(*model, examples, options, weights);
  std::vector<std::uint32_t> order(problem.size());
  std::iota(order.begin(), order.end(), 0U);
  Random random(options.seed);
  std::optional<TrainedTagger> best;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    random.shuffle(std::span(order));
    problem.forget_mistakes();
    perceptron_epoch(problem, order, weights);
    TagEpoch report{epoch, problem.words(), problem.mistakes(), -1};
    if (measure || epoch == options.epochs) {
      SequenceTagger tagger(model, freeze(weights.averaged(), model->outputs(), options.freeze));
      tagger.set_search({options.beam});
      if (measure) report.dev_score = measure(tagger);
      if (!best || report.dev_score > best->dev_score || !measure) {
        const std::size_t features = tagger.weights().rows();
        best = TrainedTagger{std::move(tagger), epoch, report.dev_score, features};
      }
    }
    if (progress) progress(report);
  }
  return std::move(*best);
}

double fit_sharpness(const SequenceTagger& tagger, const std::vector<TagExample>& examples) {
  constexpr std::size_t kMaxSentences = 300;
  constexpr double kWithoutExamples = 0.05;
  // The lattices, and in each the gold sequence; sentences whose gold is not in it tell nothing.
  std::vector<std::pair<TagLattice, double>> lattices;
  TagScratch scratch;
  for (const TagExample& example : examples) {
    if (lattices.size() == kMaxSentences) break;
    const auto words = views(example.words);
    const auto pos = views(example.parts_of_speech);
    tagger.fill_lattice({words, pos}, scratch);
    TagSequence gold;
    for (int i = 0; i < scratch.lattice.size(); ++i) {
      const auto candidates = scratch.candidates_of(i);
      const auto right = [&](Label label) {
        return tagger.label(label) == example.labels[static_cast<std::size_t>(i)];
      };
      const auto found = std::ranges::find_if(candidates, right);
      if (found == candidates.end()) break;
      gold.push_back(static_cast<int>(found - candidates.begin()));
    }
    if (gold.empty() || gold.size() != example.words.size()) continue;
    lattices.emplace_back(scratch.lattice, scratch.lattice.score(gold));
  }
  if (lattices.empty()) return kWithoutExamples;
  const auto log_likelihood = [&](double log_factor) {
    const double factor = std::exp(log_factor);
    double sum = 0;
    for (const auto& [lattice, gold] : lattices) {
      TagLattice scaled = lattice;
      scaled.scale(static_cast<float>(factor));
      sum += factor * gold - log_sum_tags(scaled, scratch.search);
    }
    return sum;
  };
  // Concave in the factor: golden-section search over its logarithm.
  double low = std::log(1e-4);
  double high = std::log(10.0);
  constexpr double kGolden = 0.6180339887498949;
  for (int step = 0; step < 30; ++step) {
    const double left = high - kGolden * (high - low);
    const double right = low + kGolden * (high - low);
    if (log_likelihood(left) < log_likelihood(right)) {
      low = left;
    } else {
      high = right;
    }
  }
  return std::exp((low + high) / 2);
}

double tag_accuracy(const SequenceTagger& tagger, const std::vector<TagExample>& examples) {
  TagScratch scratch;
  long words = 0;
  long right = 0;
  for (const TagExample& example : examples) {
    const auto forms = views(example.words);
    const auto pos = views(example.parts_of_speech);
    const auto labels = tagger.tag({forms, pos}, scratch);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      ++words;
      right += tagger.label(labels[i]) == example.labels[i] ? 1 : 0;
    }
  }
  return words == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(words);
}

}  // namespace copse
