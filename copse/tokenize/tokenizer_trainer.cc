#include "copse/tokenize/tokenizer_trainer.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/base/utf8.h"
#include "copse/model/training_weights.h"
#include "copse/tokenize/boundary_features.h"
#include "copse/tokenize/boundary_walk.h"
#include "copse/tokenize/gold_text.h"
#include "copse/tokenize/model_sections.h"
#include "copse/tokenize/multiword.h"
#include "copse/tokenize/other_dress.h"
#include "copse/tokenize/spaced_forms.h"
#include "copse/tokenize/trained_tokenizer.h"

namespace copse {
namespace {

std::string_view text_of(const GoldText& paragraph, const Token& token) {
  return std::string_view(paragraph.text).substr(token.begin, token.end - token.begin);
}

// count(left, gap, right, boundary) for all places between two characters.
template <class Count>
void for_each_place(const GoldText& paragraph, Characters& text, Count count) {
  text.read(paragraph.text);
  const auto labels = labels_of_tokens(text, paragraph.gold);
  const auto& chunks = text.chunks();
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    for (int i = chunks[c].begin; i < chunks[c].end; ++i) {
      const bool at_end = i + 1 == chunks[c].end;
      if (at_end && c + 1 == chunks.size()) break;
      const int next = at_end ? chunks[c + 1].begin : i + 1;
      const Gap gap = at_end ? gap_of(text.cls(i + 1)) : Gap::none;
      count(text.base_cls(i), gap, text.cls(next),
            static_cast<Boundary>(labels[static_cast<std::size_t>(i)]));
    }
  }
}

// Numbers and dates that the training data lack shall be open questions at least.
BoundaryTable count_boundaries(std::span<const GoldText> paragraphs, std::string_view marks,
                               const TokenizerTrainingOptions& options) {
  BoundaryCounter counter;
  Characters text;
  Random random(options.seed);
  for (const GoldText& paragraph : paragraphs) {
    for_each_place(paragraph, text, [&](CharClass left, Gap gap, CharClass right, Boundary what) {
      counter.add(left, gap, right, what);
    });
    if (options.augment <= 0) continue;
    const GoldText numbers = with_other_numbers(paragraph, marks, random);
    for_each_place(numbers, text, [&](CharClass left, Gap gap, CharClass right, Boundary what) {
      const bool number = left == CharClass::digit || right == CharClass::digit;
      if (number && gap == Gap::none) counter.add(left, gap, right, what);
    });
  }
  return counter.table(options.boundaries);
}

// Words that were seen in lower case, at least twice.
std::vector<std::uint32_t> count_lower_words(std::span<const GoldText> paragraphs) {
  std::map<std::uint64_t, int> counts;
  for (const GoldText& paragraph : paragraphs) {
    for (const Token& token : paragraph.gold.tokens) {
      const std::string_view form = text_of(paragraph, token);
      if (class_of(decode_utf8(form, 0).value) == CharClass::lower) ++counts[lower_hash_of(form)];
    }
  }
  std::vector<std::uint64_t> kept;
  for (const auto& [hash, count] : counts) {
    if (count >= 2) kept.push_back(hash);
  }
  return WordSet::make(kept);
}

std::vector<std::string> forms_with_blanks(std::span<const GoldText> paragraphs) {
  std::set<std::string> forms;
  Characters text;
  for (const GoldText& paragraph : paragraphs) {
    for (const Token& token : paragraph.gold.tokens) {
      std::string form(text_of(paragraph, token));
      text.read(form);
      if (text.chunks().size() < 2) continue;
      std::ranges::replace(form, '\n', ' ');
      forms.insert(std::move(form));
    }
  }
  return {forms.begin(), forms.end()};
}

// The weights, and the walk that learns them.
class BoundaryLearner {
 public:
  BoundaryLearner(const BoundaryFeatures& features, const BoundaryTable& table,
                  const WordSet& lower_words, const SpacedForms& spaced_forms)
      : features_(features),
        table_(table),
        lower_words_(lower_words),
        spaced_forms_(spaced_forms) {}

  void learn(const GoldText& paragraph, TokenizerEpoch& counts) {
    text_.read(paragraph.text);
    const auto gold = labels_of_tokens(text_, paragraph.gold);
    const auto look = features_.look_at(text_);
    labels_.assign(static_cast<std::size_t>(text_.size()), kOpenBoundary);
    spaced_forms_.mark(text_, labels_);
    walk_boundaries(
        text_, table_, labels_, [&](const BoundaryState& state, const BoundaryPlace& place) {
          keys_.clear();
          features_.keys(text_, look, lower_words_, state, place.i, place.chunk, place.gap, keys_);
          const auto right = static_cast<Boundary>(gold[static_cast<std::size_t>(place.i)]);
          return decide(place.allowed, right, counts);
        });
  }

  WeightRows averaged() const { return weights_.averaged(); }

 private:
  Boundary decide(BoundarySet allowed, Boundary right, TokenizerEpoch& counts) {
    std::array<float, kBoundaries> scores{};
    rows_.clear();
    for (const FeatureKey key : keys_) {
      rows_.push_back(weights_.intern(key));
      weights_.add_to(rows_.back(), scores);
    }
    const Boundary answer = best_boundary(allowed, scores);
    ++counts.decisions;
    if (answer != right) ++counts.mistakes;
    // The right answer starts behind, so that it learns to win by a margin.
    scores[static_cast<std::size_t>(right)] -= kMargin;
    const Boundary rival = best_boundary(allowed, scores);
    if (rival != right) {
      if ((allowed & set_of(right)) != 0) {
        for (const auto row : rows_) {
          weights_.update(row, static_cast<Label>(right), 1);
          weights_.update(row, static_cast<Label>(rival), -1);
        }
      }
    }
    weights_.end_step();
    return answer;
  }

  static constexpr float kMargin = 10;  // updates are of size 1

  const BoundaryFeatures& features_;
  const BoundaryTable& table_;
  const WordSet& lower_words_;
  const SpacedForms& spaced_forms_;
  TrainingWeights weights_;
  Characters text_;
  std::vector<std::uint8_t> labels_;
  BoundaryFeatures::Keys keys_;
  std::vector<TrainingWeights::Row> rows_;
};

SegmentationScore score_on(const Tokenizer& tokenizer, std::span<const GoldText> paragraphs) {
  SegmentationScore score;
  Tokenizer::Scratch scratch;
  Segmentation system;
  for (const GoldText& paragraph : paragraphs) {
    tokenizer.segment(paragraph.text, scratch, system);
    score.add(paragraph.gold, system);
  }
  return score;
}

// What a model has beside its weights.
struct Tables {
  Tables(std::span<const Entry> train, std::span<const GoldText> paragraphs,
         const TokenizerTrainingOptions& options)
      : templates(options.templates.empty() ? std::string(BoundaryFeatures::standard())
                                            : options.templates),
        marks(number_marks(paragraphs)),
        boundaries(count_boundaries(paragraphs, marks, options)),
        lower_words(count_lower_words(paragraphs)),
        spaced_forms(forms_with_blanks(paragraphs)),
        expander(MultiwordExpander::learn(train)) {}

  ModelWriter model(const std::string& weights, const nlohmann::json& history) const {
    ModelWriter writer(kTokenizerKind, {{"provenance", history}});
    writer.add(sections::kTemplates, templates);
    writer.add_array(sections::kBoundaries, boundaries.bytes());
    writer.add_array(sections::kLowerWords, std::span<const std::uint32_t>(lower_words));
    writer.add(sections::kWeights, weights);
    writer.add_strings(sections::kMultiwords, expander.words());
    writer.add_strings(sections::kEndings, expander.endings());
    writer.add_strings(sections::kSpacedForms, spaced_forms.forms());
    return writer;
  }

  std::string templates;
  std::string marks;  // inside of numbers
  BoundaryTable boundaries;
  std::vector<std::uint32_t> lower_words;
  SpacedForms spaced_forms;
  MultiwordExpander expander;
};

nlohmann::json settings_of(const TokenizerTrainingOptions& options) {
  return {{"epochs", options.epochs},
          {"seed", options.seed},
          {"augment", options.augment},
          {"templates", options.templates.empty() ? "built in" : "given"},
          {"min_count", options.boundaries.min_count},
          {"min_share", options.boundaries.min_share},
          {"prune", options.freeze.prune}};
}

void check_data(std::span<const Entry> train, std::span<const GoldText> paragraphs,
                std::span<const GoldText> dev_paragraphs) {
  if (paragraphs.empty()) throw data_error("the training data has no sentences");
  if (!has_text(train)) {
    throw data_error("the training data has neither '# text' nor SpaceAfter=No", {},
                     "a tokeniser learns from text with its blanks; this treebank has only tokens");
  }
  if (dev_paragraphs.empty()) throw data_error("the development data has no sentences");
}

}  // namespace

ModelWriter train_tokenizer(std::span<const Entry> train, std::span<const Entry> dev,
                            const TokenizerTrainingOptions& options,
                            const std::vector<DataSource>& sources,
                            const std::function<void(const TokenizerEpoch&)>& report) {
  const auto paragraphs = gold_paragraphs(train);
  const auto dev_paragraphs = gold_paragraphs(dev);
  check_data(train, paragraphs, dev_paragraphs);
  const Tables tables(train, paragraphs, options);
  const BoundaryFeatures features(tables.templates, options.templates_name);
  const WordSet lower_words = WordSet::view(tables.lower_words);
  BoundaryLearner learner(features, tables.boundaries, lower_words, tables.spaced_forms);

  Random random(options.seed);
  std::vector<std::uint32_t> order(paragraphs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::string best_weights;
  nlohmann::json best_figures;
  double best_sum = -1;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    TokenizerEpoch now;
    now.epoch = epoch;
    random.shuffle(std::span(order));
    for (const std::uint32_t i : order) {
      if (random.chance(options.augment)) {
        learner.learn(in_other_dress(paragraphs, i, tables.marks, random), now);
      } else {
        learner.learn(paragraphs[i], now);
      }
    }
    std::string weights = freeze(learner.averaged(), kBoundaries, options.freeze);
    const ModelFile model = ModelFile::from_bytes(tables.model(weights, {}).bytes(), "new model");
    const auto score = score_on(TrainedTokenizer::from(model), dev_paragraphs);
    now.dev_tokens = score.tokens.f1();
    now.dev_sentences = score.sentences.f1();
    const double sum = now.dev_tokens + now.dev_sentences;
    now.best = sum > best_sum;
    if (now.best) {
      best_sum = sum;
      best_weights = std::move(weights);
      best_figures = {{"dev_tokens_f1", now.dev_tokens},
                      {"dev_sentences_f1", now.dev_sentences},
                      {"epoch", epoch}};
    }
    if (report) report(now);
  }
  return tables.model(best_weights, provenance(settings_of(options), sources, best_figures));
}

}  // namespace copse
