#include "copse/constituency/incremental/companion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "constituency/incremental_companion_node_templates.h"
#include "constituency/incremental_companion_word_templates.h"
#include "copse/base/error.h"
#include "copse/constituency/incremental/steps.h"
#include "copse/model/every_weight.h"
#include "copse/model/training_weights.h"

namespace copse::incremental {
namespace {

constexpr Label kAll = 0, kKinds = 1;
constexpr std::size_t kWordLabels = 2;
constexpr FreezeOptions kCounts{Precision::float32, 0};
constexpr std::size_t kMostLevels = 32;
constexpr float kMostTimes = 1e12F;

TemplateTexts builtin_contexts() {
  return {std::string(embedded::incremental_companion_node_templates),
          std::string(embedded::incremental_companion_word_templates)};
}

FeatureKey word_key(FeatureKey context, const SentenceWords& words, int position) {
  return join(context, words.at(position)[static_cast<int>(PositionAtom::lemma)]);
}

// Logarithms of anything else would be no numbers.
bool has_counts(const FrozenWeights& table) {
  bool good = true;
  for_each_weight(table, [&](Label, float count) { good &= count >= 1 && count <= kMostTimes; });
  return good;
}

// What a row counts of one label.
double count_of(const FrozenWeights& table, FeatureKey key, Label label) {
  double found = 0;
  table.for_each(table.find(key), [&](Label each, float count) {
    if (each == label) found = count;
  });
  return found;
}

class Counter {
 public:
  Counter(const Grammar& grammar, const HeadRules& heads, const Features& contexts)
      : grammar_(grammar), heads_(heads), contexts_(contexts) {}

  void add(const CountedTree& tree) {
    words_.fill(tree.words, nullptr);
    spines_.start(grammar_, heads_);
    const Cell* top = spines_.root();
    int position = 0;
    const auto node = [&](const Cell& cell, LabelId label) { add_node(cell, label, position); };
    for (const Move& move : tree.moves) {
      const LabelId tag = grammar_.chain(move.chain).back();
      top = walk_step(top, move, position, grammar_, spines_, node,
                      [&](const Cell& cell) { add_word(cell, tag, position); });
      ++position;
    }
    walk_end(top, spines_, node);
  }
  std::string nodes() const { return freeze(node_counts_.current(), grammar_.labels(), kCounts); }
  std::string words() const { return freeze(word_counts_.current(), kWordLabels, kCounts); }

 private:
  void add_node(const Cell& cell, LabelId label, int position) {
    contexts_.node_keys(contexts_.context(cell, words_, position, kNull), words_, position, keys_);
    for (const FeatureKey key : keys_) node_counts_.update(node_counts_.intern(key), label, 1);
  }
  void add_word(const Cell& cell, LabelId tag, int position) {
    WordContext context = Features::word_context(cell, tag);
    contexts_.word_keys(context, words_, position, keys_);
    for (const FeatureKey each : keys_) {
      const FeatureKey key = join(each, atom_of(std::uint64_t{tag}));
      const auto joint = word_counts_.intern(word_key(key, words_, position));
      const bool is_new = word_counts_.weight(joint, kAll) == 0;
      word_counts_.update(joint, kAll, 1);
      const auto row = word_counts_.intern(key);
      word_counts_.update(row, kAll, 1);
      if (is_new) word_counts_.update(row, kKinds, 1);
    }
  }

  const Grammar& grammar_;
  const HeadRules& heads_;
  const Features& contexts_;
  SentenceWords words_;
  Spines spines_;
  Features::Keys keys_;
  TrainingWeights node_counts_, word_counts_;
};

}  // namespace

Companion::Companion(const CompanionOptions& options, const TemplateTexts& texts, std::string nodes,
                     std::string words, const Grammar& grammar, const spinal::Lexicon& lexicon,
                     const std::string& file)
    : options_(options),
      contexts_(texts, grammar, file),
      node_bytes_(std::move(nodes)),
      word_bytes_(std::move(words)),
      node_table_(std::as_bytes(std::span(node_bytes_))),
      word_table_(std::as_bytes(std::span(word_bytes_))),
      nodes_(FrozenWeights::view(node_table_.bytes())),
      words_(FrozenWeights::view(word_table_.bytes())) {
  if (nodes_.labels() != grammar.labels() || words_.labels() != kWordLabels) {
    throw data_error("has other labels");
  }
  if (contexts_.node_table().size() > kMostLevels || contexts_.word_table().size() > kMostLevels) {
    throw data_error("has too many levels");
  }
  if (!has_counts(nodes_) || !has_counts(words_)) throw data_error("counts what cannot be counted");
  count_spellings(lexicon);
}

Companion Companion::count(std::span<const CountedTree> trees, const Grammar& grammar,
                           const HeadRules& heads, const spinal::Lexicon& lexicon,
                           const CompanionOptions& options) {
  const TemplateTexts texts = builtin_contexts();
  const Features contexts(texts, grammar, "");
  Counter counter(grammar, heads, contexts);
  for (const CountedTree& tree : trees) counter.add(tree);
  return {options, texts, counter.nodes(), counter.words(), grammar, lexicon, ""};
}

void Companion::count_spellings(const spinal::Lexicon& lexicon) {
  std::size_t frequent = 0;
  for (Symbols::Id id = 0; id < lexicon.words().size(); ++id) {
    const std::string word(lexicon.words().text(id));
    const std::string form = lexicon.form(word);
    if (form == word) {
      ++frequent;
      continue;
    }
    Shape& shape = shapes_[form];
    shape.words += lexicon.times(id);
    shape.kinds += 1;
  }
  classes_ = static_cast<double>(frequent + shapes_.size() + 1);
  kinds_ = static_cast<double>(lexicon.words().size() + 1);
}

void Companion::save(ModelWriter& writer, const std::string& prefix) const {
  writer.add(prefix + "nodes", node_bytes_);
  writer.add(prefix + "words", word_bytes_);
  writer.add(prefix + "node.templates", contexts_.texts().node);
  writer.add(prefix + "word.templates", contexts_.texts().word);
  writer.add_array<double>(prefix + "diversity",
                           std::array{options_.node_diversity, options_.word_diversity});
}

Companion Companion::load(const ModelFile& file, const std::string& prefix, const Grammar& grammar,
                          const spinal::Lexicon& lexicon) {
  const auto text = [&](const char* name) { return std::string(file.text(prefix + name)); };
  const auto diversity = file.array<double>(prefix + "diversity");
  const auto is_good = [](double value) { return value > 0 && value < 1e6; };
  if (diversity.size() != 2 || !is_good(diversity[0]) || !is_good(diversity[1])) {
    throw file.damaged(prefix + "diversity", "has bad numbers");
  }
  try {
    return {{diversity[0], diversity[1]},
            {text("node.templates"), text("word.templates")},
            text("nodes"),
            text("words"),
            grammar,
            lexicon,
            file.name() + ": "};
  } catch (const Error& error) {
    throw file.damaged(prefix + "nodes", error.message());
  }
}

void Companion::node(const NodeContext& context, const SentenceWords& words, int position,
                     Features::Keys& keys, std::span<float> out) const {
  contexts_.node_keys(context, words, position, keys);
  std::fill(out.begin(), out.end(), 1.0F / static_cast<float>(out.size()));
  for (const FeatureKey key : keys) {
    const auto row = nodes_.find(key);
    if (row == FrozenWeights::kNoRow) break;  // nor are longer contexts known
    float all = 0, kinds = 0;
    nodes_.for_each(row, [&](Label, float count) {
      all += count;
      kinds += 1;
    });
    const float total = all + static_cast<float>(options_.node_diversity) * kinds;
    const float rest = 1 - all / total;
    for (float& each : out) each *= rest;
    nodes_.for_each(row, [&](Label label, float count) { out[label] += count / total; });
  }
  for (float& each : out) each = std::max(each, std::numeric_limits<float>::min());
}

double Companion::word(const WordContext& context, const SentenceWords& words, int position,
                       Features::Keys& keys) const {
  contexts_.word_keys(context, words, position, keys);
  double probability = 1 / classes_;
  for (const FeatureKey each : keys) {
    const FeatureKey key = join(each, atom_of(std::uint64_t{context.tag}));
    double all = 0, kinds = 0;
    words_.for_each(words_.find(key),
                    [&](Label label, float count) { (label == kAll ? all : kinds) = count; });
    if (all == 0) break;
    const double total = all + options_.word_diversity * kinds;
    probability = count_of(words_, word_key(key, words, position), kAll) / total +
                  (1 - all / total) * probability;
  }
  return std::log(std::max(probability, std::numeric_limits<double>::min()));
}

double Companion::spelling(std::string_view word, const spinal::Lexicon& lexicon) const {
  const std::string form = lexicon.form(word);
  if (form == word) return 0;
  const auto found = shapes_.find(form);
  const Shape shape = found == shapes_.end() ? Shape{} : found->second;
  const Symbols::Id id = lexicon.words().find(word);
  // Words never seen share the mass of one more of each kind.
  const double all = shape.words + shape.kinds + 1;
  if (id != Symbols::kUnknown) return std::log(lexicon.times(id) / all);
  return std::log((shape.kinds + 1) / all / kinds_);
}

}  // namespace copse::incremental
