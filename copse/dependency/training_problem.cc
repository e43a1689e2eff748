#include "copse/dependency/training_problem.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "copse/base/error.h"
#include "copse/inference/tree_parts.h"

namespace copse {

namespace {

constexpr std::size_t kBlock = 64;  // sentences whose keys are held at a time

// A tree that is not proved to be the best one teaches as well; most are proved by then.
constexpr DualOptions kLearningDual{.iterations = 250};

}  // namespace

// The keys of all sentences, made by several threads and handed out in order.
class TrainingProblem::Keys {
 public:
  Keys(std::span<const ProblemSentence> sentences, const PartFeatures& features,
       const WordClusters* clusters, bool labels, ThreadTeam& team)
      : sentences_(sentences),
        features_(features),
        clusters_(clusters),
        labels_(labels),
        team_(team),
        lists_(kBlock) {}

  // use(i, keys) for every example of the range.
  template <class Use>
  void for_each(const std::vector<Example>& examples, Range range, Use&& use) {
    for (std::size_t begin = range.begin; begin < range.end; begin += kBlock) {
      const std::size_t size = std::min(kBlock, range.end - begin);
      std::atomic<std::size_t> next = 0;
      team_.run([&](int) {
        const auto atoms = atoms_.take();
        for (std::size_t k = next++; k < size; k = next++) {
          const std::size_t i = begin + k;
          atoms->fill(sentences_[i].words, clusters_);
          lists_[k].fill(*examples[i].index, features_, *atoms, labels_);
        }
      });
      for (std::size_t k = 0; k < size; ++k) use(begin + k, lists_[k]);
    }
  }

  const ProblemSentence& sentence(std::size_t i) const { return sentences_[i]; }

 private:
  std::span<const ProblemSentence> sentences_;
  const PartFeatures& features_;
  const WordClusters* clusters_;
  bool labels_;
  ThreadTeam& team_;
  Pool<PositionAtoms> atoms_;
  std::vector<PartKeys> lists_;
};

TrainingProblem::TrainingProblem(const std::vector<ProblemSentence>& sentences,
                                 const PartFeatures& features, const WordClusters* clusters,
                                 int labels, const TreeKind& kind,
                                 const FeatureSelection& selection,
                                 std::shared_ptr<FeatureNumbers> numbers, ThreadTeam& team,
                                 std::optional<Range> own)
    : kind_(kind),
      labels_(labels),
      numbers_(std::move(numbers)),
      own_(own.value_or(Range{0, sentences.size()})),
      examples_(sentences.size()) {
  std::atomic<std::size_t> next = 0;
  team.run([&](int) {
    for (std::size_t i = next++; i < examples_.size(); i = next++) {
      examples_[i].index = std::make_unique<PartIndex>(kind_.index(sentences[i].mask));
      mark_gold(sentences[i], examples_[i]);
    }
  });
  Keys keys(sentences, features, clusters, labels > 0, team);
  if (numbers_) {
    store(keys, own_, [&](FeatureKey key) { return numbers_->part(key); });
  } else {
    collect(keys, selection);
  }
}

void TrainingProblem::collect(Keys& keys, const FeatureSelection& selection) {
  const Range all{0, examples_.size()};
  FeatureCollector collector(selection, labels_);
  keys.for_each(examples_, all, [&](std::size_t i, const PartKeys& list) {
    count(keys.sentence(i), examples_[i], list, selection, collector);
  });
  collector.lay_out_labels();
  numbers_ = collector.finish();
  store(keys, all, [&](FeatureKey key) { return collector.number(key); });
}

void TrainingProblem::count(const ProblemSentence& sentence, const Example& example,
                            const PartKeys& keys, const FeatureSelection& selection,
                            FeatureCollector& collector) const {
  const PartIndex& index = *example.index;
  const auto parts = static_cast<std::size_t>(index.size());
  std::vector<int> weights(parts, 1);
  for (const std::uint32_t part : example.gold) {
    if (part < parts) weights[part] = selection.gold_weight;
  }
  for (std::size_t p = 0; p < parts; ++p) {
    for (const FeatureKey key : keys.of(p)) collector.count(key, weights[p]);
  }
  for (int m = 1; labels_ > 0 && m <= index.words(); ++m) {
    const int a = index.find_arc(sentence.heads[static_cast<std::size_t>(m)], m);
    if (a == PartIndex::kNone) continue;
    for (const FeatureKey key : keys.of(parts + static_cast<std::size_t>(a))) {
      collector.count_label(key, sentence.labels[static_cast<std::size_t>(m)]);
    }
  }
}

template <class Number>
void TrainingProblem::store(Keys& keys, Range range, Number&& number) {
  keys.for_each(examples_, range, [&](std::size_t i, const PartKeys& list) {
    Example& example = examples_[i];
    const auto parts = static_cast<std::size_t>(example.index->size());
    example.features.store(list, parts, *numbers_, number);
    if (!own_.has(i)) example = Example();
  });
}

void TrainingProblem::mark_gold(const ProblemSentence& sentence, Example& example) const {
  if (sentence.heads.empty()) return;
  std::vector<PartIndex::Id> parts;
  append_parts_of_tree(*example.index, sentence.heads, parts);
  example.gold.assign(parts.begin(), parts.end());
  const auto size = static_cast<std::size_t>(example.index->size());
  for (int m = 1; labels_ > 0 && m <= example.index->words(); ++m) {
    const int a = example.index->find_arc(sentence.heads[static_cast<std::size_t>(m)], m);
    const int label = sentence.labels[static_cast<std::size_t>(m)];
    if (a == PartIndex::kNone || label < 0) continue;
    example.gold.push_back(static_cast<std::uint32_t>(
        size + static_cast<std::size_t>(a) * static_cast<std::size_t>(labels_) +
        static_cast<std::size_t>(label)));
  }
}

std::vector<float> TrainingProblem::gold(std::size_t i) const {
  std::vector<float> out(parts(i), 0.0F);
  for (const std::uint32_t part : examples_[i].gold) out[part] = 1;
  return out;
}

void TrainingProblem::cost(std::size_t i, std::span<float> out) const {
  const Example& example = examples_[i];
  const auto begin = out.begin();
  std::fill(begin, out.end(), 0.0F);
  std::fill_n(begin, example.index->arcs(), 1.0F);
  std::fill(begin + example.index->size(), out.end(), 1.0F);
  for (const std::uint32_t part : example.gold) out[part] = 0;
}

void TrainingProblem::fill_part_scores(const Example& example, std::span<const float> scores,
                                       PartScores& out) const {
  out.reset(*example.index, labels_);
  const auto parts = static_cast<std::size_t>(example.index->size());
  std::copy_n(scores.begin(), parts, out.values().begin());
  const float* next = scores.data() + parts;
  for (int a = 0; labels_ > 0 && a < example.index->arcs(); ++a, next += labels_) {
    std::copy_n(next, labels_, out.label_row(a).begin());
  }
}

namespace {

void require_ok(SearchStatus status) {
  if (status == SearchStatus::ok) return;
  throw machine_error(status == SearchStatus::bad_score
                          ? "the weights have grown beyond all bounds; lower the step length"
                          : "a training sentence has no tree under its mask");
}

}  // namespace

ArcTree TrainingProblem::best_tree(std::size_t i, std::span<const float> scores) const {
  const Example& example = examples_[i];
  const auto scratch = scratch_.take();
  fill_part_scores(example, scores, scratch->part_scores);
  scratch->search.dual().set_options(kLearningDual);
  BestTree best = scratch->search.best(kind_, *example.index, scratch->part_scores);
  require_ok(best.status);
  return std::move(best.tree);
}

void TrainingProblem::mark(const Example& example, const std::vector<int>& heads,
                           const std::vector<int>& labels, Scratch& scratch,
                           std::span<float> out) const {
  std::fill(out.begin(), out.end(), 0.0F);
  scratch.tree_parts.clear();
  append_parts_of_tree(*example.index, heads, scratch.tree_parts);
  for (const PartIndex::Id part : scratch.tree_parts) out[static_cast<std::size_t>(part)] = 1;
  const auto parts = static_cast<std::size_t>(example.index->size());
  for (int m = 1; labels_ > 0 && m <= example.index->words(); ++m) {
    const int a = example.index->find_arc(heads[static_cast<std::size_t>(m)], m);
    out[parts + static_cast<std::size_t>(a) * static_cast<std::size_t>(labels_) +
        static_cast<std::size_t>(labels[static_cast<std::size_t>(m)])] = 1;
  }
}

void TrainingProblem::mark_choice(const Example& example, Scratch& scratch,
                                  std::span<float> out) const {
  const PartIndex& index = *example.index;
  compile_automata(index, scratch.part_scores, 1, scratch.automata);
  best_choice(index, scratch.automata, scratch.choice);
  std::fill(out.begin(), out.end(), 0.0F);
  scratch.tree_parts.clear();
  append_parts_of_choice(index, scratch.choice, scratch.tree_parts);
  for (const PartIndex::Id part : scratch.tree_parts) out[static_cast<std::size_t>(part)] = 1;
  const auto parts = static_cast<std::size_t>(index.size());
  const auto width = static_cast<std::size_t>(labels_);
  for (int a = 0; labels_ > 0 && a < index.arcs(); ++a) {
    if (out[static_cast<std::size_t>(index.dep(a))] == 0) continue;
    const auto row = scratch.part_scores.label_row(a);
    const auto best = std::max_element(row.begin(), row.end()) - row.begin();
    out[parts + static_cast<std::size_t>(a) * width + static_cast<std::size_t>(best)] = 1;
  }
}

void TrainingProblem::best(std::size_t i, std::span<const float> scores,
                           std::span<float> out) const {
  if (over_automata_) {
    const auto scratch = scratch_.take();
    fill_part_scores(examples_[i], scores, scratch->part_scores);
    mark_choice(examples_[i], *scratch, out);
    return;
  }
  const ArcTree tree = best_tree(i, scores);
  const auto scratch = scratch_.take();
  mark(examples_[i], tree.heads, tree.labels, *scratch, out);
}

double TrainingProblem::marginals(std::size_t i, std::span<const float> scores,
                                  std::span<float> out) const {
  const Example& example = examples_[i];
  const PartIndex& index = *example.index;
  const auto scratch = scratch_.take();
  const auto parts = static_cast<std::size_t>(index.size());
  fill_part_scores(example, scores, scratch->part_scores);
  const Marginals found = scratch->search.marginals(kind_, index, scratch->part_scores);
  require_ok(found.status);
  for (std::size_t p = 0; p < parts; ++p) {
    out[p] = static_cast<float>(found.mu[static_cast<PartIndex::Id>(p)]);
  }
  float* next = out.data() + parts;
  for (int a = 0; labels_ > 0 && a < index.arcs(); ++a) {
    for (const double mu : found.mu.label_row(a)) *next++ = static_cast<float>(mu);
  }
  return found.log_z;
}

void TrainingProblem::recentre(std::size_t i, std::span<float> scores) const {
  const PartIndex& index = *examples_[i].index;
  const auto words = static_cast<std::size_t>(index.words()) + 1;
  const auto width = static_cast<std::size_t>(labels_);
  float* const rows = scores.data() + index.size();
  std::vector<float> arc(words, -std::numeric_limits<float>::infinity());
  std::vector<float> label(arc);
  for (int pass = 0; pass < 2; ++pass) {
    for (int a = 0; a < index.arcs(); ++a) {
      const auto m = static_cast<std::size_t>(index.arc(a).m);
      float& score = scores[static_cast<std::size_t>(a)];
      float* const row = rows + static_cast<std::size_t>(a) * width;
      if (pass == 0) {
        arc[m] = std::max(arc[m], score);
        if (width > 0) label[m] = std::max(label[m], *std::max_element(row, row + width));
      } else {
        score -= arc[m];
        for (std::size_t l = 0; l < width; ++l) row[l] -= label[m];
      }
    }
  }
}

std::size_t TrainingProblem::bytes() const {
  std::size_t sum = 0;
  for (const Example& example : examples_) {
    sum += 4 * example.gold.capacity() + example.features.bytes();
  }
  return sum;
}

}  // namespace copse
