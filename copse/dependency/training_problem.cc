#include "copse/dependency/training_problem.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

#include "copse/base/error.h"
#include "copse/inference/tree_parts.h"

namespace copse {

// Counts keys, roughly and in little memory, then numbers those that are frequent enough.
class FeatureCollector {
 public:
  FeatureCollector(const FeatureSelection& selection, int labels)
      : selection_(selection), labels_(labels) {
    if (!counts_) throw std::bad_alloc();
  }

  void count(FeatureKey key, int weight) {
    std::uint8_t& counter = counter_of(key);
    counter = static_cast<std::uint8_t>(std::min(255, counter + weight));
  }
  void count_label(FeatureKey key, int label) {
    const auto [number, is_new] = out_->labels_.add(key);
    if (is_new) {
      out_->label_keys_.push_back(key);
      seen_.emplace_back();
      label_counts_.push_back(0);
    }
    ++label_counts_[number];
    if (label < 0) return;
    auto& labels = seen_[number];
    const auto value = static_cast<std::uint16_t>(label);
    const auto at = std::lower_bound(labels.begin(), labels.end(), value);
    if (at == labels.end() || *at != value) labels.insert(at, value);
  }
  FeatureId number(FeatureKey key) {
    if (counter_of(key) < selection_.min_count) return FeatureNumbers::kNone;
    const auto [id, is_new] = out_->parts_.add(key);
    if (is_new) out_->part_keys_.push_back(key);
    return id;
  }
  void lay_out_labels() {
    for (std::size_t b = 0; b < seen_.size(); ++b) {
      if (label_counts_[b] >= selection_.full_label_row) {
        for (int l = 0; l < labels_; ++l) {
          out_->cell_labels_.push_back(static_cast<std::uint16_t>(l));
        }
      } else {
        out_->cell_labels_.insert(out_->cell_labels_.end(), seen_[b].begin(), seen_[b].end());
      }
      out_->first_cell_.push_back(static_cast<std::uint32_t>(out_->cell_labels_.size()));
    }
    seen_ = {};
  }
  std::shared_ptr<FeatureNumbers> finish() { return out_; }

 private:
  static constexpr int kCounterBits = 27;
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };

  FeatureSelection selection_;
  int labels_;
  // Copies of a feature differ in the low half of their keys only.
  std::uint8_t& counter_of(FeatureKey key) { return counts_[scramble(key) >> (64 - kCounterBits)]; }

  // Pages of zeros that a small treebank never touches cost nothing
  // when they come from calloc.
  std::unique_ptr<std::uint8_t[], Free> counts_{
      static_cast<std::uint8_t*>(std::calloc(std::size_t{1} << kCounterBits, 1))};
  std::vector<std::vector<std::uint16_t>> seen_;  // labels by label feature
  std::vector<int> label_counts_;
  std::shared_ptr<FeatureNumbers> out_ = std::make_shared<FeatureNumbers>();
};

namespace {

// The keys of all parts of a sentence, in the order of the parts, then of all label rows.
struct KeyList {
  std::vector<FeatureKey> keys;
  std::vector<std::uint32_t> begin;
};

void list_keys(const PartIndex& index, const PartFeatures& features, const PositionAtoms& atoms,
               bool labels, KeyList& out) {
  out.keys.clear();
  out.begin.clear();
  const auto take = [&](FeatureKey key, int, FeatureCopy) { out.keys.push_back(key); };
  for (int f = 0; f < kPartFamilies; ++f) {
    const auto family = static_cast<PartFamily>(f);
    PartIndex::Id next = index.first(family);
    index.for_each(family, [&](PartIndex::Id id, const Part& part) {
      for (; next <= id; ++next) out.begin.push_back(static_cast<std::uint32_t>(out.keys.size()));
      features.for_each(atoms, part, take);
    });
    const PartIndex::Id end = index.first(family) + index.count(family);
    for (; next < end; ++next) out.begin.push_back(static_cast<std::uint32_t>(out.keys.size()));
  }
  for (int a = 0; labels && a < index.arcs(); ++a) {
    out.begin.push_back(static_cast<std::uint32_t>(out.keys.size()));
    features.for_each_of_label(atoms, index.arc(a).h, index.arc(a).m, take);
  }
  out.begin.push_back(static_cast<std::uint32_t>(out.keys.size()));
}

constexpr std::size_t kBlock = 64;  // sentences whose keys are held at a time

}  // namespace

TrainingProblem::TrainingProblem(std::vector<ProblemSentence> sentences,
                                 const PartFeatures& features, const WordClusters* clusters,
                                 int labels, const TreeKind& kind,
                                 const FeatureSelection& selection,
                                 std::shared_ptr<FeatureNumbers> numbers, ThreadTeam& team)
    : kind_(kind), labels_(labels), numbers_(std::move(numbers)), examples_(sentences.size()) {
  Pool<PositionAtoms> atoms;
  const auto in_blocks = [&](auto&& make, auto&& use) {
    std::vector<KeyList> lists(kBlock);
    for (std::size_t begin = 0; begin < sentences.size(); begin += kBlock) {
      const std::size_t size = std::min(kBlock, sentences.size() - begin);
      std::atomic<std::size_t> next = 0;
      team.run([&](int) {
        for (std::size_t k = next++; k < size; k = next++) make(begin + k, lists[k]);
      });
      for (std::size_t k = 0; k < size; ++k) use(begin + k, lists[k]);
    }
  };
  const auto list = [&](std::size_t i, KeyList& keys) {
    if (!examples_[i].index) prepare(sentences[i], examples_[i]);
    const auto lease = atoms.take();
    lease->fill(sentences[i].words, clusters);
    list_keys(*examples_[i].index, features, *lease, labels_ > 0, keys);
  };
  std::optional<FeatureCollector> collector;
  if (!numbers_) {
    collector.emplace(selection, labels_);
    in_blocks(list, [&](std::size_t i, const KeyList& keys) {
      const PartIndex& index = *examples_[i].index;
      const auto parts = static_cast<std::size_t>(index.size());
      for (std::size_t p = 0; p < parts; ++p) {
        const int weight = examples_[i].gold[p] > 0 ? selection.gold_weight : 1;
        for (std::size_t k = keys.begin[p]; k < keys.begin[p + 1]; ++k) {
          collector->count(keys.keys[k], weight);
        }
      }
      if (labels_ == 0) return;
      for (int m = 1; m <= index.words(); ++m) {
        const int a = index.find_arc(sentences[i].heads[static_cast<std::size_t>(m)], m);
        if (a == PartIndex::kNone) continue;
        const std::size_t row = parts + static_cast<std::size_t>(a);
        for (std::size_t k = keys.begin[row]; k < keys.begin[row + 1]; ++k) {
          collector->count_label(keys.keys[k], sentences[i].labels[static_cast<std::size_t>(m)]);
        }
      }
    });
    collector->lay_out_labels();
    numbers_ = collector->finish();
  }
  in_blocks(list, [&](std::size_t i, const KeyList& keys) {
    Example& example = examples_[i];
    const auto parts = static_cast<std::size_t>(example.index->size());
    example.begin.reserve(keys.begin.size());
    example.ids.reserve(keys.keys.size());
    for (std::size_t p = 0; p + 1 < keys.begin.size(); ++p) {
      example.begin.push_back(static_cast<std::uint32_t>(example.ids.size()));
      for (std::size_t k = keys.begin[p]; k < keys.begin[p + 1]; ++k) {
        const FeatureKey key = keys.keys[k];
        const FeatureId id = p >= parts  ? numbers_->label(key)
                             : collector ? collector->number(key)
                                         : numbers_->part(key);
        if (id != FeatureNumbers::kNone) example.ids.push_back(id);
      }
    }
    example.begin.push_back(static_cast<std::uint32_t>(example.ids.size()));
    example.ids.shrink_to_fit();
  });
}

void TrainingProblem::prepare(const ProblemSentence& sentence, Example& example) const {
  example.index = std::make_unique<PartIndex>(kind_.index(sentence.mask));
  mark_gold(sentence, example);
}

void TrainingProblem::mark_gold(const ProblemSentence& sentence, Example& example) const {
  const auto size = static_cast<std::size_t>(example.index->size());
  example.gold.assign(size + label_parts(example), 0.0F);
  std::vector<PartIndex::Id> parts;
  if (sentence.heads.empty()) return;
  append_parts_of_tree(*example.index, sentence.heads, parts);
  for (const PartIndex::Id part : parts) example.gold[static_cast<std::size_t>(part)] = 1;
  for (int m = 1; labels_ > 0 && m <= example.index->words(); ++m) {
    const int a = example.index->find_arc(sentence.heads[static_cast<std::size_t>(m)], m);
    const int label = sentence.labels[static_cast<std::size_t>(m)];
    if (a == PartIndex::kNone || label < 0) continue;
    example.gold[size + static_cast<std::size_t>(a) * static_cast<std::size_t>(labels_) +
                 static_cast<std::size_t>(label)] = 1;
  }
}

void TrainingProblem::cost(std::size_t i, std::span<float> out) const {
  const Example& example = examples_[i];
  std::fill(out.begin(), out.end(), 0.0F);
  for (int a = 0; a < example.index->arcs(); ++a) {
    const auto at = static_cast<std::size_t>(a);
    out[at] = 1 - example.gold[at];
  }
  for (std::size_t p = static_cast<std::size_t>(example.index->size()); p < out.size(); ++p) {
    out[p] = 1 - example.gold[p];
  }
}

void TrainingProblem::score(std::size_t i, std::span<const float> w, std::span<float> out) const {
  const Example& example = examples_[i];
  const auto parts = static_cast<std::size_t>(example.index->size());
  const FeatureId* id = example.ids.data();
  for (std::size_t p = 0; p < parts; ++p) {
    float sum = 0;
    for (const FeatureId* const end = example.ids.data() + example.begin[p + 1]; id != end; ++id) {
      sum += w[*id];
    }
    out[p] = sum;
  }
  if (labels_ == 0) return;
  const auto width = static_cast<std::size_t>(labels_);
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(parts), out.end(), 0.0F);
  for (std::size_t a = 0; a < static_cast<std::size_t>(example.index->arcs()); ++a) {
    float* const row = out.data() + parts + a * width;
    for (const FeatureId* const end = example.ids.data() + example.begin[parts + a + 1]; id != end;
         ++id) {
      const auto labels = numbers_->labels_of(*id);
      const float* const weight = w.data() + numbers_->first_weight(*id);
      for (std::size_t cell = 0; cell < labels.size(); ++cell) row[labels[cell]] += weight[cell];
    }
  }
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

ProjectiveTree TrainingProblem::best_tree(std::size_t i, std::span<const float> scores) const {
  const Example& example = examples_[i];
  const auto scratch = scratch_.take();
  fill_part_scores(example, scores, scratch->part_scores);
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

void TrainingProblem::best(std::size_t i, std::span<const float> scores,
                           std::span<float> out) const {
  const ProjectiveTree tree = best_tree(i, scores);
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
    sum += 4 * (example.gold.capacity() + example.begin.capacity() + example.ids.capacity());
  }
  return sum;
}

}  // namespace copse
