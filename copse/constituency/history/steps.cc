#include "copse/constituency/history/steps.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>

#include "copse/base/error.h"

namespace copse::history {
namespace {

constexpr std::uint32_t kNone = 0, kRoot = 1;  // symbols
constexpr std::uint32_t kMostCounted = 4;
constexpr std::uint32_t kCounts = kMostCounted + 1;

}  // namespace

TopView StackState::view() const {
  return {top.leaf, top.below == nullptr, top.below != nullptr && top.below->below == nullptr,
          chain};
}

StepMaker::StepMaker(const Vocabulary& vocabulary, const StepOptions& options, int longest_chain)
    : vocabulary_(&vocabulary),
      options_(options),
      longest_chain_(longest_chain),
      labels_(vocabulary.labels().size()),
      tags_(vocabulary.tags().size()),
      symbols_(2 + labels_ + tags_) {
  if (!conditional()) flat_project_ = static_cast<std::uint32_t>(vocabulary.pairs());
}

std::size_t StepMaker::places() const {
  if (!vocabulary_->options().traits) return 0;
  return kOwnPlaces + static_cast<std::size_t>(options_.lookahead);
}

void StepMaker::fill(NetworkShape& shape) const {
  const std::size_t lookahead = static_cast<std::size_t>(options_.lookahead);
  shape.roles = kRoles;
  shape.features = 3 + labels_ + std::size_t{4} * symbols_;
  if (options_.more) shape.features += std::size_t{2} * symbols_ + std::size_t{2} * kCounts;
  const bool traits = vocabulary_->options().traits;
  if (!traits) shape.features += (2 + lookahead) * vocabulary_->pairs();
  shape.places = places();
  shape.table = traits ? vocabulary_->traits() : 0;
  if (!traits) shape.embedding = 0;
  shape.factors.clear();
  if (options_.flat) {
    shape.factors.push_back({flat_project_, labels_, 1});
    return;
  }
  shape.factors.push_back({1, 1, 1});
  shape.factors.push_back({labels_});
  if (conditional()) return;
  shape.factors.push_back({tags_});
  for (std::uint32_t t = 0; t < tags_; ++t) shape.factors.push_back({vocabulary_->words_of(t)});
}

SentenceSymbols StepMaker::symbols(std::span<const std::string> tags,
                                   std::span<const std::string> words,
                                   const WordClusters* clusters) const {
  SentenceSymbols out;
  DecisionSteps& items = out.items;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Symbols::Id tag = vocabulary_->tags().find(tags[i]);
    if (tag == Symbols::kUnknown) {
      throw data_error(fmt::format("the tag \"{}\" is new to the model", tags[i]));
    }
    out.tags.push_back(tag);
    out.rows.push_back(vocabulary_->word_row(tag, words[i]));
    if (!vocabulary_->options().traits) continue;
    vocabulary_->add_traits(tags[i], words[i], clusters, items.item_rows);
    items.item_end.push_back(static_cast<std::uint32_t>(items.item_rows.size()));
  }
  if (vocabulary_->options().traits) {
    vocabulary_->add_end(items.item_rows);
    items.item_end.push_back(static_cast<std::uint32_t>(items.item_rows.size()));
  }
  return out;
}

StackState StepMaker::shifted(const StackNode* top, const StackState& before,
                              std::uint32_t tag) const {
  StackState out;
  out.top.below = top;
  out.top.symbol = tag_symbol(tag);
  out.top.leaf = true;
  out.top.left_corner = before.words;
  out.last = {Kind::shift, 0};
  out.begun = true;
  out.words = before.words + 1;
  return out;
}

StackState StepMaker::projected(const StackState& before, std::uint32_t label) const {
  const StackNode& child = before.top;
  StackState out;
  out.top.below = child.below;
  out.top.symbol = label_symbol(label);
  out.top.first_symbol = out.top.last_symbol = child.symbol;
  out.top.first_vector = out.top.last_vector = child.latest;
  out.top.left_corner = child.left_corner;
  out.top.children = 1;
  out.last = {Kind::project, label};
  out.begun = true;
  out.words = before.words;
  out.chain = before.chain + 1;
  return out;
}

StackState StepMaker::attached(const StackState& before) {
  const StackNode& child = before.top;
  StackState out;
  out.top = *child.below;
  out.top.sister_symbol = out.top.last_symbol;
  out.top.last_symbol = child.symbol;
  out.top.last_vector = child.latest;
  if (out.top.children == 0) {  // ROOT
    out.top.first_symbol = child.symbol;
    out.top.first_vector = child.latest;
  }
  ++out.top.children;
  out.last = {Kind::attach, 0};
  out.begun = true;
  out.words = before.words;
  return out;
}

StepMaker::Input StepMaker::input(const StackState& state, const SentenceSymbols& sentence) const {
  Input out;
  const StackNode& top = state.top;
  const StackNode* below = top.below;
  out.roles = {top.latest, below == nullptr ? kNoStep : below->latest, top.first_vector,
               top.last_vector};
  std::uint32_t base = 0;
  const auto add = [&](std::uint32_t value, std::uint32_t values) {
    out.features[out.feature_count++] = base + value;
    base += values;
  };
  const auto symbol_of = [](const StackNode* node) {
    return node == nullptr ? kNone : node->below == nullptr ? kRoot : node->symbol;
  };
  const std::uint32_t last = !state.begun                      ? 0
                             : state.last.kind == Kind::shift  ? 1
                             : state.last.kind == Kind::attach ? 2
                                                               : 3 + state.last.label;
  add(last, 3 + labels_);
  add(symbol_of(&top), symbols_);
  add(symbol_of(below), symbols_);
  add(top.first_symbol, symbols_);
  add(top.last_symbol, symbols_);
  if (options_.more) {
    add(symbol_of(below == nullptr ? nullptr : below->below), symbols_);
    add(top.sister_symbol, symbols_);
    add(std::min(top.children, kMostCounted), kCounts);
    add(std::min(static_cast<std::uint32_t>(state.chain), kMostCounted), kCounts);
  }
  const auto ahead = [&](int k) {
    return std::min(state.words + k, static_cast<int>(sentence.words()));
  };
  if (vocabulary_->options().traits) {
    out.places[0] = state.words - 1;  // kNoStep before the first
    out.places[1] = top.left_corner;
    out.places[2] = below == nullptr ? kNoStep : below->left_corner;
    for (int k = 0; k < options_.lookahead; ++k) {
      out.places[kOwnPlaces + static_cast<std::size_t>(k)] = ahead(k);
    }
    return out;
  }
  // Words by pairs: the one of the last SHIFT, if that is the last action, and the left corner.
  const auto pairs = static_cast<std::uint32_t>(vocabulary_->pairs());
  const auto add_pair = [&](std::int32_t word) {
    if (word != kNoStep && word < static_cast<std::int32_t>(sentence.words())) {
      out.features[out.feature_count++] =
          base + flat_shift(sentence, static_cast<std::size_t>(word));
    }
    base += pairs;
  };
  add_pair(state.begun && state.last.kind == Kind::shift ? state.words - 1 : kNoStep);
  add_pair(top.left_corner);
  for (int k = 0; k < options_.lookahead; ++k) add_pair(ahead(k));
  return out;
}

std::uint32_t StepMaker::flat_shift(const SentenceSymbols& sentence, std::size_t word) const {
  return vocabulary_->pair_begin(sentence.tags[word]) + sentence.rows[word];
}

std::uint32_t StepMaker::allowed(const StackState& state, std::size_t words) const {
  const WordsLeft left = !conditional()                                  ? WordsLeft::unknown
                         : static_cast<std::size_t>(state.words) < words ? WordsLeft::some
                                                                         : WordsLeft::none;
  return allowed_kinds(state.view(), longest_chain_, left);
}

void StepMaker::add_decisions(const StackState& state, const Action& action,
                              const SentenceSymbols& sentence, std::uint32_t step,
                              std::vector<StepDecision>& out) const {
  const std::uint32_t kinds = allowed(state, sentence.words());
  if ((kinds & bit(action.kind)) == 0) throw data_error("an action that is not allowed");
  const auto word = static_cast<std::size_t>(state.words);
  if (options_.flat) {
    const std::uint32_t row = action.kind == Kind::project  ? flat_project_ + action.label
                              : action.kind == Kind::attach ? flat_attach()
                              : conditional()               ? 0
                                                            : flat_shift(sentence, word);
    out.push_back({step, 0, row, kinds});
    return;
  }
  out.push_back({step, kKindFactor, static_cast<std::uint32_t>(action.kind), kinds});
  if (action.kind == Kind::project) {
    out.push_back({step, kLabelFactor, action.label, 1});
  } else if (action.kind == Kind::shift && !conditional()) {
    const std::uint32_t tag = sentence.tags[word];
    out.push_back({step, kTagFactor, tag, 1});
    out.push_back({step, kWordFactor + tag, sentence.rows[word], 1});
  }
}

DecisionSteps StepMaker::history(std::span<const Action> actions,
                                 const SentenceSymbols& sentence) const {
  DecisionSteps out = sentence.items;
  std::deque<StackNode> nodes;  // do not move
  StackState state = start();
  for (const Action& action : actions) {
    const auto step = static_cast<std::uint32_t>(out.steps());
    const Input in = input(state, sentence);
    out.roles.insert(out.roles.end(), in.roles.begin(), in.roles.end());
    out.places.insert(out.places.end(), in.places.begin(),
                      in.places.begin() + static_cast<std::ptrdiff_t>(places()));
    out.features.insert(out.features.end(), in.features.begin(),
                        in.features.begin() + static_cast<std::ptrdiff_t>(in.feature_count));
    out.feature_end.push_back(static_cast<std::uint32_t>(out.features.size()));
    add_decisions(state, action, sentence, step, out.decisions);
    if (action.kind == Kind::shift && static_cast<std::size_t>(state.words) >= sentence.words()) {
      throw data_error("SHIFT without a word");
    }
    state.top.latest = static_cast<std::int32_t>(step);
    if (action.kind == Kind::shift) {
      nodes.push_back(state.top);
      state = shifted(&nodes.back(), state, sentence.tags[static_cast<std::size_t>(state.words)]);
    } else {
      state = action.kind == Kind::project ? projected(state, action.label) : attached(state);
    }
  }
  return out;
}

}  // namespace copse::history
