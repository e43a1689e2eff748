#include "copse/tag/tagger_training.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "copse/base/block_sum.h"
#include "copse/base/error.h"
#include "copse/base/pace.h"
#include "copse/base/stream.h"
#include "copse/tag/entity_labels.h"
#include "copse/tag/tag_lists.h"

namespace copse {
namespace {

constexpr std::array<Column, 4> kTagColumns = {Column::upos, Column::xpos, Column::feats,
                                               Column::lemma};

bool has_column(std::span<const Sentence> sentences, Column column) {
  for (const Sentence& sentence : sentences) {
    for (int word = 1; word <= sentence.words(); ++word) {
      if (sentence.get(word, column) != "_") return true;
    }
  }
  return false;
}

std::vector<Column> columns_to_learn(std::span<const Sentence> train,
                                     const std::vector<Column>& wanted) {
  std::vector<Column> columns;
  for (const Column column : kTagColumns) {
    const bool asked = std::ranges::find(wanted, column) != wanted.end();
    if (!wanted.empty() && !asked) continue;
    if (has_column(train, column)) {
      columns.push_back(column);
    } else if (asked) {
      throw data_error(
          fmt::format("the training data has nothing in column {}", name_of_tag_column(column)));
    }
  }
  if (columns.empty())
    throw data_error("the training data has no tags: UPOS, XPOS and FEATS are empty");
  return columns;
}

std::size_t count_labels(std::span<const Sentence> train, std::span<const Column> columns) {
  std::set<std::string> labels;
  for (const Sentence& sentence : train) {
    for (int word = 1; word <= sentence.words(); ++word) {
      labels.insert(joint_label(sentence, word, columns));
    }
  }
  return labels.size();
}

// All but lemmas.
std::vector<Column> sequence_columns(const std::vector<Column>& columns) {
  std::vector<Column> result = columns;
  std::erase(result, Column::lemma);
  return result;
}

// Which columns one sequence tagger fills together, of taggers that do not fill all. FEATS goes with
// UPOS, so that only pairs seen in training are given.
std::vector<std::vector<Column>> group_columns(std::span<const Sentence> train,
                                               const std::vector<Column>& columns,
                                               std::size_t max_joint) {
  const auto has = [&](Column column) {
    return std::ranges::find(columns, column) != columns.end();
  };
  std::vector<std::vector<Column>> groups;
  if (has(Column::upos) && has(Column::feats)) {
    groups.push_back({Column::upos, Column::feats});
    if (has(Column::xpos)) groups.push_back({Column::xpos});
    return groups;
  }
  const std::vector<Column> both = {Column::upos, Column::xpos};
  if (has(Column::upos) && has(Column::xpos) && count_labels(train, both) <= max_joint) {
    groups.push_back(both);
  } else {
    for (const Column column : both) {
      if (has(column)) groups.push_back({column});
    }
  }
  if (has(Column::feats)) groups.push_back({Column::feats});
  return groups;
}

std::vector<TagExample> examples_of(std::span<const Sentence> sentences,
                                    std::span<const Column> columns) {
  std::vector<TagExample> examples;
  for (const Sentence& sentence : sentences) {
    if (sentence.words() == 0) continue;
    TagExample& example = examples.emplace_back();
    for (int word = 1; word <= sentence.words(); ++word) {
      example.words.emplace_back(sentence.form(word));
      example.labels.push_back(joint_label(sentence, word, columns));
    }
  }
  return examples;
}

std::vector<TagExample> entity_examples(std::span<const Sentence> sentences) {
  std::vector<TagExample> examples;
  for (const Sentence& sentence : sentences) {
    if (sentence.words() == 0) continue;
    TagExample& example = examples.emplace_back();
    example.labels = labels_of_sentence(sentence);
    const bool tagged = has_parts_of_speech(sentence);
    for (int word = 1; word <= sentence.words(); ++word) {
      example.words.emplace_back(sentence.form(word));
      if (tagged) example.parts_of_speech.emplace_back(sentence.xpos(word));
    }
  }
  return examples;
}

// F1 of exact spans with types.
double span_f1(const SequenceTagger& tagger, const std::vector<TagExample>& gold) {
  TagScratch scratch;
  long found = 0;
  long wanted = 0;
  long right = 0;
  for (const TagExample& example : gold) {
    const std::vector<std::string_view> words(example.words.begin(), example.words.end());
    const std::vector<std::string_view> pos(example.parts_of_speech.begin(),
                                            example.parts_of_speech.end());
    std::vector<std::string> labels;
    for (const Label label : tagger.tag({words, pos}, scratch))
      labels.push_back(tagger.label(label));
    const auto system = entity_spans(labels);
    const auto truth = entity_spans(example.labels);
    found += static_cast<long>(system.size());
    wanted += static_cast<long>(truth.size());
    for (const EntitySpan& span : system) {
      right += std::ranges::find(truth, span) != truth.end() ? 1 : 0;
    }
  }
  return found + wanted == 0
             ? 100
             : 200.0 * static_cast<double>(right) / static_cast<double>(found + wanted);
}

std::string part_name(std::span<const Column> columns, bool entities) {
  if (entities) return "entities";
  std::string name;
  for (const Column column : columns) {
    if (!name.empty()) name += '+';
    name += name_of_tag_column(column);
  }
  return name;
}

// Trains one sequence tagger; `log` may be called from several threads at once.
class PartTrainer {
 public:
  PartTrainer(const TaggerTrainingOptions& options, std::mutex& log_lock)
      : options_(options), log_lock_(log_lock) {}

  TrainedTagger train(const std::string& name, const std::vector<TagExample>& train,
                      const std::vector<TagExample>& dev, std::vector<TagEpoch>* curve) {
    TagMeasure measure;
    if (!dev.empty()) {
      measure = [&](const SequenceTagger& tagger) {
        return options_.entities ? span_f1(tagger, dev) : tag_accuracy(tagger, dev);
      };
    }
    TrainedTagger trained = options_.learner == TagLearner::perceptron
                                ? by_perceptron(name, train, measure, curve)
                                : by_maxent(name, train, measure);
    if (trained.tagger.scores() == TagScores::margins) {
      trained.tagger.set_sharpness(fit_sharpness(trained.tagger, dev));
    }
    return trained;
  }

 private:
  TrainedTagger by_perceptron(const std::string& name, const std::vector<TagExample>& train,
                              const TagMeasure& measure, std::vector<TagEpoch>* curve) {
    Pace pace(static_cast<std::size_t>(options_.sequence.epochs), "words");
    return train_perceptron_tagger(train, options_.sequence, measure, [&](const TagEpoch& epoch) {
      if (curve != nullptr) curve->push_back(epoch);
      std::string line = fmt::format(
          "{}: epoch {}, {:.2f} % of the training words wrong", name, epoch.epoch,
          100.0 * static_cast<double>(epoch.mistakes) / static_cast<double>(epoch.words));
      if (epoch.dev_score >= 0) line += fmt::format(", dev {:.2f}", epoch.dev_score);
      log(line + ", " + pace.after(static_cast<std::size_t>(epoch.epoch), epoch.words));
    });
  }

  TrainedTagger by_maxent(const std::string& name, const std::vector<TagExample>& train,
                          const TagMeasure& measure) {
    Pace pace(static_cast<std::size_t>(options_.lbfgs.max_iterations), "sentences");
    MaxentTaggerOptions options{options_.sequence, options_.min_count, options_.lbfgs};
    options.lbfgs.progress = [&](int iteration, double value) {
      if (iteration % 10 != 0) return;
      log(fmt::format("{}: iteration {}, loss {:.1f}, {}", name, iteration, value,
                      pace.after(static_cast<std::size_t>(iteration), 10 * train.size())));
    };
    TrainedTagger trained = train_maxent_tagger(train, options, measure);
    if (trained.dev_score >= 0) {
      log(fmt::format("{}: {} iterations, dev {:.2f}", name, trained.best_epoch,
                      trained.dev_score));
    }
    return trained;
  }

  void log(const std::string& line) {
    if (!options_.log) return;
    const std::lock_guard guard(log_lock_);
    options_.log(line);
  }

  const TaggerTrainingOptions& options_;
  std::mutex& log_lock_;
};

// Many labels, most of them rare: every one is tried for unknown words, and common words get no
// others than they were seen with.
void learn_together(PerceptronTaggerOptions& options) {
  options.traits = true;
  options.dictionary.open_class_types = 1;
  options.candidates.sure_from = std::min(options.candidates.sure_from, 100);
}

Lemmatizer train_lemmas(std::span<const Sentence> train, const LemmatizerOptions& options) {
  std::vector<LemmaExample> examples;
  for (const Sentence& sentence : train) {
    for (int word = 1; word <= sentence.words(); ++word) {
      examples.push_back(
          {sentence.form(word), sentence.upos(word), sentence.feats(word), sentence.lemma(word)});
    }
  }
  return Lemmatizer::train(examples, options);
}

void check_sentences(std::span<const Sentence> train) {
  const auto filled =
      std::ranges::count_if(train, [](const Sentence& sentence) { return sentence.words() > 0; });
  if (filled < 2) {
    throw data_error(
        fmt::format("the training data has {} sentence(s); expected at least 2", filled));
  }
}

}  // namespace

TaggerTraining train_tagger(std::span<const Sentence> train, std::span<const Sentence> dev,
                            const TaggerTrainingOptions& given) {
  check_sentences(train);
  TaggerTrainingOptions options = given;
  std::vector<Column> columns;
  std::vector<std::vector<Column>> groups;
  if (options.entities) {
    groups.push_back({Column::misc});
    options.sequence.may_follow = entity_label_may_follow;
    options.sequence.candidates.reach = 0;  // labels are few
    options.sequence.background = std::string(1, 'O');
  } else {
    columns = columns_to_learn(train, options.columns);
    groups = group_columns(train, columns, options.max_joint_labels);
    const std::vector<Column> tags = sequence_columns(columns);
    const bool several = tags.size() > 1 || tags == std::vector<Column>{Column::feats};
    if (several && options.together && options.learner == TagLearner::perceptron) {
      groups = {tags};
      learn_together(options.sequence);
    }
  }
  std::mutex log_lock;
  PartTrainer trainer(options, log_lock);
  std::vector<TagEpoch> curve;
  std::vector<TaggerPart> parts;
  std::size_t next = 0;
  stream_in_order<std::size_t, TrainedTagger>(
      std::min<int>(resolve_threads(options.threads), static_cast<int>(groups.size())),
      [&]() -> std::optional<std::size_t> {
        if (next == groups.size()) return std::nullopt;
        return next++;
      },
      [&](std::size_t group) {
        const auto examples =
            options.entities ? entity_examples(train) : examples_of(train, groups[group]);
        const auto held_out =
            options.entities ? entity_examples(dev) : examples_of(dev, groups[group]);
        return trainer.train(part_name(groups[group], options.entities), examples, held_out,
                             group == 0 ? &curve : nullptr);
      },
      [&](TrainedTagger&& trained) {
        parts.push_back({groups[parts.size()], std::move(trained.tagger)});
      });
  std::optional<Lemmatizer> lemmatizer;
  if (std::ranges::find(columns, Column::lemma) != columns.end()) {
    lemmatizer = train_lemmas(train, options.lemma);
  }
  return {Tagger(std::move(parts), std::move(lemmatizer), options.entities), std::move(curve)};
}

nlohmann::json tagger_figures(const Tagger& tagger, std::span<const Sentence> gold, int threads) {
  if (tagger.entities()) {
    return {{"f1", span_f1(tagger.parts().front().tagger, entity_examples(gold))}};
  }
  std::vector<Column> columns;
  for (const TaggerPart& part : tagger.parts()) {
    columns.insert(columns.end(), part.columns.begin(), part.columns.end());
  }
  if (tagger.lemmas()) columns.push_back(Column::lemma);
  struct Counts {
    long words = 0;
    std::vector<long> right;
  };
  constexpr std::size_t kChunk = 64;
  Counts total{0, std::vector<long>(columns.size(), 0)};
  std::size_t next = 0;
  stream_in_order<std::size_t, Counts>(
      threads,
      [&]() -> std::optional<std::size_t> {
        if (next >= gold.size()) return std::nullopt;
        return std::exchange(next, next + kChunk);
      },
      [&](std::size_t begin) {
        Counts counts{0, std::vector<long>(columns.size(), 0)};
        TagScratch scratch;
        for (const Sentence& truth : gold.subspan(begin, std::min(kChunk, gold.size() - begin))) {
          Sentence system = truth;
          tagger.tag(system, scratch);
          counts.words += truth.words();
          for (int word = 1; word <= truth.words(); ++word) {
            for (std::size_t k = 0; k < columns.size(); ++k) {
              counts.right[k] +=
                  system.get(word, columns[k]) == truth.get(word, columns[k]) ? 1 : 0;
            }
          }
        }
        return counts;
      },
      [&](Counts&& counts) {
        total.words += counts.words;
        for (std::size_t k = 0; k < columns.size(); ++k) total.right[k] += counts.right[k];
      });
  nlohmann::json figures = nlohmann::json::object();
  for (std::size_t k = 0; k < columns.size() && total.words > 0; ++k) {
    const double share =
        100.0 * static_cast<double>(total.right[k]) / static_cast<double>(total.words);
    figures[std::string(name_of_tag_column(columns[k]))] = share;
  }
  return figures;
}

namespace {

template <class Result>
struct Fold {
  std::vector<Result> results;
  nlohmann::json figures;
};

void check_folds(std::size_t sentences, int folds) {
  if (folds >= 2 && static_cast<std::size_t>(folds) <= sentences) return;
  throw usage_error(fmt::format("cannot cut {} sentences into {} folds", sentences, folds));
}

// Folds are done side by side, each by one thread.
TaggerTrainingOptions options_of_fold(TaggerTrainingOptions options) {
  options.threads = 1;
  options.lbfgs.threads = 1;
  options.log = nullptr;
  return options;
}

// work(tagger, fold) for one of the contiguous folds with a tagger trained on the others.
template <class Result, class Work>
Fold<Result> in_fold(std::span<const Sentence> sentences, std::size_t fold, std::size_t count,
                     const TaggerTrainingOptions& options, Work work) {
  const Range own = part_of(sentences.size(), fold, count);
  std::vector<Sentence> others(sentences.begin(),
                               sentences.begin() + static_cast<std::ptrdiff_t>(own.begin));
  others.insert(others.end(), sentences.begin() + static_cast<std::ptrdiff_t>(own.end),
                sentences.end());
  const Tagger tagger = train_tagger(others, {}, options).tagger;
  const auto gold = sentences.subspan(own.begin, own.size());
  Fold<Result> done;
  done.figures = tagger_figures(tagger, gold, 1);
  done.results = work(tagger, gold);
  return done;
}

// All folds; the results, several per fold, one after the other.
template <class Result, class Work>
std::vector<Result> in_folds(std::span<const Sentence> sentences, int folds,
                             const TaggerTrainingOptions& options, const FoldReport& report,
                             Work work) {
  check_folds(sentences.size(), folds);
  const auto count = static_cast<std::size_t>(folds);
  const TaggerTrainingOptions inner = options_of_fold(options);
  std::vector<Result> result;
  std::size_t next = 0;
  int reported = 0;
  stream_in_order<std::size_t, Fold<Result>>(
      options.threads,
      [&]() -> std::optional<std::size_t> {
        if (next == count) return std::nullopt;
        return next++;
      },
      [&](std::size_t fold) { return in_fold<Result>(sentences, fold, count, inner, work); },
      [&](Fold<Result>&& fold) {
        ++reported;
        if (report) report(reported, fold.results.size(), fold.figures);
        std::ranges::move(fold.results, std::back_inserter(result));
      });
  return result;
}

std::vector<Sentence> tagged(const Tagger& tagger, std::span<const Sentence> gold) {
  std::vector<Sentence> out(gold.begin(), gold.end());
  TagScratch scratch;
  for (Sentence& sentence : out) tagger.tag(sentence, scratch);
  return out;
}

constexpr std::array kTaggedColumns = {Column::lemma, Column::upos, Column::xpos, Column::feats,
                                       Column::misc};

// A fold on its way to other processes: its figures, then the columns that taggers fill, a line each.
std::string packed_fold(const Fold<Sentence>& fold) {
  std::string out = fold.figures.dump() + '\n';
  for (const Sentence& sentence : fold.results) {
    for (int word = 1; word <= sentence.words(); ++word) {
      for (const Column column : kTaggedColumns) (out += sentence.get(word, column)) += '\n';
    }
  }
  return out;
}

Fold<Sentence> unpacked_fold(std::string_view packed, std::span<const Sentence> gold) {
  const auto line = [&packed] {
    const std::size_t end = packed.find('\n');
    const std::string_view out = packed.substr(0, end);
    packed.remove_prefix(end + 1);
    return out;
  };
  Fold<Sentence> fold;
  fold.figures = nlohmann::json::parse(line());
  fold.results.assign(gold.begin(), gold.end());
  for (Sentence& sentence : fold.results) {
    for (int word = 1; word <= sentence.words(); ++word) {
      for (const Column column : kTaggedColumns) {
        if (const auto value = line(); value != sentence.get(word, column)) {
          sentence.set(word, column, value);
        }
      }
    }
  }
  return fold;
}

std::vector<Sentence> share_jackknife(std::span<const Sentence> sentences, int folds,
                                      const TaggerTrainingOptions& options,
                                      const FoldReport& report, Group& group) {
  check_folds(sentences.size(), folds);
  const auto count = static_cast<std::size_t>(folds);
  const TaggerTrainingOptions inner = options_of_fold(options);
  const auto answers = share_jobs(group, count, [&](std::size_t fold) {
    return packed_fold(in_fold<Sentence>(sentences, fold, count, inner, tagged));
  });
  std::vector<Sentence> out;
  for (std::size_t fold = 0; fold < count; ++fold) {
    const Range own = part_of(sentences.size(), fold, count);
    Fold<Sentence> done = unpacked_fold(answers[fold], sentences.subspan(own.begin, own.size()));
    if (report) report(static_cast<int>(fold) + 1, done.results.size(), done.figures);
    std::ranges::move(done.results, std::back_inserter(out));
  }
  return out;
}

}  // namespace

std::vector<Sentence> jackknife(std::span<const Sentence> sentences, int folds,
                                const TaggerTrainingOptions& options, const FoldReport& report,
                                Group* group) {
  if (group != nullptr && group->size() > 1) {
    return share_jackknife(sentences, folds, options, report, *group);
  }
  return in_folds<Sentence>(sentences, folds, options, report, tagged);
}

std::vector<Candidates> jackknife_lists(std::span<const Sentence> sentences, int folds, int k,
                                        const TaggerTrainingOptions& options,
                                        const FoldReport& report) {
  return in_folds<Candidates>(
      sentences, folds, options, report, [k](const Tagger& tagger, std::span<const Sentence> gold) {
        if (tagger.parts().size() != 1) {
          throw usage_error("lists are of one column", "name the one column to learn");
        }
        std::vector<Candidates> lists;
        TagScratch scratch;
        for (const Sentence& sentence : gold) {
          lists.push_back(
              tag_candidates(tagger.parts().front(), sentence, tagger.entities(), k, scratch));
          grade_tags(lists.back(), tagger.parts().front(), sentence, tagger.entities());
        }
        return lists;
      });
}

}  // namespace copse
