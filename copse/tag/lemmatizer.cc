#include "copse/tag/lemmatizer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/base/utf8.h"
#include "copse/learning/perceptron.h"
#include "copse/model/training_weights.h"

namespace copse {
namespace {

FeatureKey dictionary_key(std::string_view form, std::string_view upos, std::string_view feats) {
  return join(join(atom_of(form), atom_of(upos)), atom_of(feats));
}
FeatureKey dictionary_key(std::string_view form, std::string_view upos) {
  return join(atom_of(form), atom_of(upos));
}

// Training data as types: every different example once, with its rule.
struct WordType {
  LemmaExample example;
  Label rule = 0;
};

using RuleCounts = std::map<FeatureKey, std::map<Label, int>>;

std::string freeze_counts(const RuleCounts& counts, std::size_t rules) {
  WeightRows rows;
  std::vector<LabelWeight> row;
  for (const auto& [key, by_rule] : counts) {
    row.clear();
    for (const auto& [rule, count] : by_rule) row.push_back({rule, static_cast<float>(count)});
    rows.add(key, row);
  }
  return freeze(rows, rules, {Precision::float32, 0});
}

// Multi-class perceptron over the general rules.
class RuleProblem {
 public:
  RuleProblem(std::vector<WordType> types, const std::vector<LemmaRule>& rules, std::size_t general,
              const FormsOfLemmas& forms, TrainingWeights& weights)
      : types_(std::move(types)),
        rules_(rules),
        general_(general),
        forms_(forms),
        interning_(weights),
        scores_(general + 1) {
    LemmaKeys keys;
    for (const WordType& type : types_) {
      auto& rows = rows_.emplace_back();
      const auto& [form, upos, feats, lemma] = type.example;
      for (const FeatureKey key : keys.of(form, upos, feats)) rows.push_back(weights.intern(key));
    }
  }

  std::size_t size() const { return types_.size(); }

  double decode(std::size_t i, const TrainingWeights& weights, FeatureDifference& difference) {
    std::ranges::fill(scores_, 0.0F);
    for (const auto row : rows_[i]) weights.add_to(row, scores_);
    const LemmaExample& example = types_[i].example;
    const Label gold = types_[i].rule;
    const std::span<const Label> tried = best_.choose(std::span(scores_).first(general_));
    result_of(example, example.lemma, weights);
    right_ = result_;
    Label best = gold;
    float top = scores_[gold] + result_score_;
    for (const Label rule : tried) {
      if (rule == gold) continue;
      const auto lemma = apply_rule(rules_[rule], example.form);
      if (!lemma) continue;
      result_of(example, *lemma, weights);
      const float score = scores_[rule] + result_score_ + kMargin;
      if (score > top) {
        best = rule;
        top = score;
        given_ = result_;
      }
    }
    if (best == gold) return 0;
    for (const auto row : rows_[i]) {
      difference.add(row, gold, 1);
      difference.add(row, best, -1);
    }
    const auto output = static_cast<Label>(general_);
    for (const auto row : right_) difference.add(row, output, 1);
    for (const auto row : given_) difference.add(row, output, -1);
    return 1;
  }

 private:
  static constexpr float kMargin = 5;

  // The rows of what comes out, and their score. The form itself does not make its lemma known.
  void result_of(const LemmaExample& example, std::string_view lemma,
                 const TrainingWeights& weights) {
    const int others = forms_.count(lemma, example.upos, example.form);
    result_.clear();
    result_score_ = 0;
    for (const FeatureKey key : result_keys(lemma, example.upos, others)) {
      const auto row = interning_.intern(key);
      result_.push_back(row);
      result_score_ += weights.weight(row, static_cast<Label>(general_));
    }
  }

  std::vector<WordType> types_;
  const std::vector<LemmaRule>& rules_;
  std::size_t general_;
  const FormsOfLemmas& forms_;
  TrainingWeights& interning_;
  std::vector<std::vector<TrainingWeights::Row>> rows_;
  std::vector<TrainingWeights::Row> result_, right_, given_;
  float result_score_ = 0;
  std::vector<float> scores_;
  BestRules best_;
};

// The rules of the examples: general ones first, each part in the order of its text.
struct RuleInventory {
  std::vector<LemmaRule> rules;
  std::size_t general = 0;
  std::map<std::string, Label> numbers;
};

RuleInventory collect_rules(std::span<const LemmaExample> examples, int min_words) {
  std::map<std::string, std::set<std::string>> forms;  // by rule
  for (const LemmaExample& example : examples) {
    forms[lemma_rule(example.form, example.lemma).str()].insert(lower_utf8(example.form));
  }
  RuleInventory inventory;
  for (const bool general : {true, false}) {
    for (const auto& [text, words] : forms) {
      const LemmaRule rule = *LemmaRule::parse(text);
      const bool is_general = !rule.absolute && static_cast<int>(words.size()) >= min_words;
      if (is_general != general) continue;
      if (inventory.rules.size() == std::numeric_limits<Label>::max()) break;
      inventory.numbers.emplace(text, static_cast<Label>(inventory.rules.size()));
      inventory.rules.push_back(rule);
    }
    if (general) inventory.general = inventory.rules.size();
  }
  return inventory;
}

}  // namespace

struct Lemmatizer::Tables {
  std::string dictionary;
  std::string weights;
  std::string known;
};

Lemmatizer Lemmatizer::train(std::span<const LemmaExample> examples,
                             const LemmatizerOptions& options) {
  RuleInventory inventory = collect_rules(examples, options.min_words);
  RuleCounts counts;
  std::map<std::array<std::string_view, 4>, Label> types;
  for (const LemmaExample& example : examples) {
    const auto found = inventory.numbers.find(lemma_rule(example.form, example.lemma).str());
    if (found == inventory.numbers.end()) continue;
    const auto& [form, upos, feats, lemma] = example;
    ++counts[dictionary_key(form, upos, feats)][found->second];
    ++counts[dictionary_key(form, upos)][found->second];
    if (const std::string lower = lower_utf8(form); lower != form) {
      // A capitalised form tells about the lower-case one only if its rule changes the case.
      if (inventory.rules[found->second].change == LemmaRule::Case::lower) {
        ++counts[dictionary_key(lower, upos)][found->second];
      }
    }
    if (found->second < inventory.general)
      types.emplace(std::array{form, upos, feats, lemma}, found->second);
  }
  std::vector<WordType> words;
  words.reserve(types.size());
  for (const auto& [key, rule] : types) words.push_back({{key[0], key[1], key[2], key[3]}, rule});
  TrainingWeights weights;
  const FormsOfLemmas forms(examples);
  RuleProblem problem(std::move(words), inventory.rules, inventory.general, forms, weights);
  std::vector<std::uint32_t> order(problem.size());
  std::iota(order.begin(), order.end(), 0U);
  Random random(options.seed);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    random.shuffle(std::span(order));
    perceptron_epoch(problem, order, weights);
  }
  auto tables = std::make_shared<Tables>();
  tables->dictionary = freeze_counts(counts, inventory.rules.size());
  tables->weights = freeze(weights.averaged(), inventory.general + 1);
  tables->known = forms.frozen();
  Lemmatizer lemmatizer;
  lemmatizer.rules_ = std::move(inventory.rules);
  lemmatizer.general_ = inventory.general;
  lemmatizer.dictionary_bytes_ = std::as_bytes(std::span(tables->dictionary));
  lemmatizer.weight_bytes_ = std::as_bytes(std::span(tables->weights));
  lemmatizer.known_bytes_ = std::as_bytes(std::span(tables->known));
  lemmatizer.owner_ = std::move(tables);
  lemmatizer.view_tables();
  return lemmatizer;
}

void Lemmatizer::view_tables() {
  dictionary_ = FrozenWeights::view(dictionary_bytes_);
  weights_ = FrozenWeights::view(weight_bytes_);
  if (!known_bytes_.empty()) known_ = KnownLemmas(FrozenWeights::view(known_bytes_));
}

void Lemmatizer::save(ModelWriter& writer, const std::string& prefix) const {
  std::vector<std::string> texts;
  for (const LemmaRule& rule : rules_) texts.push_back(rule.str());
  writer.add_strings(prefix + "rules", texts);
  writer.add(prefix + "config", nlohmann::json{{"general", general_}}.dump());
  writer.add_array(prefix + "dictionary", dictionary_bytes_);
  writer.add_array(prefix + "weights", weight_bytes_);
  if (!known_bytes_.empty()) writer.add_array(prefix + "known", known_bytes_);
}

Lemmatizer Lemmatizer::load(const ModelFile& file, const std::string& prefix) {
  Lemmatizer lemmatizer;
  for (const std::string& text : file.strings(prefix + "rules")) {
    const auto rule = LemmaRule::parse(text);
    if (!rule) throw file.damaged(prefix + "rules", "holds something that is no rule");
    lemmatizer.rules_.push_back(*rule);
  }
  const auto config = nlohmann::json::parse(file.text(prefix + "config"), nullptr, false);
  if (!config.is_object() || !config.contains("general") ||
      !config["general"].is_number_unsigned()) {
    throw file.damaged(prefix + "config", "lacks a setting");
  }
  lemmatizer.general_ = config["general"].get<std::size_t>();
  lemmatizer.dictionary_bytes_ = file.section(prefix + "dictionary");
  lemmatizer.weight_bytes_ = file.section(prefix + "weights");
  if (file.has(prefix + "known")) lemmatizer.known_bytes_ = file.section(prefix + "known");
  lemmatizer.owner_ = file.owner();
  lemmatizer.view_tables();
  const std::size_t rules = lemmatizer.rules_.size();
  if (lemmatizer.general_ > rules || lemmatizer.dictionary_.labels() != rules ||
      lemmatizer.weights_.labels() != lemmatizer.outputs()) {
    throw file.damaged(prefix + "rules", "does not fit the weights");
  }
  return lemmatizer;
}

std::string Lemmatizer::lemma(std::string_view form, std::string_view upos,
                              std::string_view feats) const {
  const auto most_frequent = [&](FeatureKey key) -> std::optional<std::string> {
    Label best = 0;
    float most = 0;
    dictionary_.for_each(dictionary_.find(key), [&](Label rule, float count) {
      if (count > most) {
        most = count;
        best = rule;
      }
    });
    return most > 0 ? apply_rule(rules_[best], form) : std::nullopt;
  };
  if (auto found = most_frequent(dictionary_key(form, upos, feats))) return *found;
  if (auto found = most_frequent(dictionary_key(form, upos))) return *found;
  if (auto found = most_frequent(dictionary_key(lower_utf8(form), upos))) return *found;
  return classify(form, upos, feats);
}

std::size_t Lemmatizer::outputs() const {
  return known_.empty() ? std::max<std::size_t>(general_, 1) : general_ + 1;
}

std::string Lemmatizer::classify(std::string_view form, std::string_view upos,
                                 std::string_view feats) const {
  LemmaKeys keys;
  std::vector<float> scores(outputs(), 0.0F);
  weights_.add_all_to(keys.of(form, upos, feats), scores);
  BestRules rules;
  std::optional<std::string> best;
  float top = 0;
  const std::size_t most = known_.empty() ? general_ : BestRules::kMost;
  for (const Label rule : rules.choose(std::span(scores).first(general_), most)) {
    auto lemma = apply_rule(rules_[rule], form);
    if (!lemma) continue;
    if (known_.empty()) return *lemma;
    const float score = scores[rule] + result_score(*lemma, upos);
    if (best && score <= top) continue;
    top = score;
    best = std::move(lemma);
  }
  return best.value_or(std::string(form));
}

float Lemmatizer::result_score(std::string_view lemma, std::string_view upos) const {
  float sum = 0;
  if (known_.empty()) return sum;
  for (const FeatureKey key : result_keys(lemma, upos, known_.forms(lemma, upos))) {
    weights_.for_each(weights_.find(key), [&](Label, float weight) { sum += weight; });
  }
  return sum;
}

}  // namespace copse
