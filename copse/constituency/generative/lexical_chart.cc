#include "copse/constituency/generative/lexical_chart.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

namespace copse::generative {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr std::uint8_t kLongestChain = 5;
constexpr std::int32_t kNone = Hyperedge::kNone;

}  // namespace

LexicalChart::Outcome LexicalChart::run(const GenerativeModel& model, const CoarseChart& coarse,
                                        std::span<const WordReading> words,
                                        const ChartOptions& options) {
  model_ = &model;
  coarse_ = &coarse;
  words_ = words;
  options_ = options;
  items_.clear();
  edges_.clear();
  goal_edges_.clear();
  forest_.clear();
  infos_.clear();
  weights_.start(model);
  const auto n = words.size();
  cells_.assign(n * n, {});
  priors_.assign(n * static_cast<std::size_t>(model.labels().tags()) *
                     static_cast<std::size_t>(model.labels().size()),
                 std::numeric_limits<double>::quiet_NaN());
  if (slots_.empty()) slots_.assign(1024, kNone);
  const int length = static_cast<int>(n);
  for (int width = 1; width <= length; ++width) {
    options_.stop.check();
    for (int i = 0; i + width <= length; ++i) {
      if (!coarse.any(i, i + width)) continue;
      fill(i, i + width);
      if (edges_.size() > options.max_edges) return Outcome::too_large;
    }
  }
  link_goal();
  if (goal_edges_.empty()) return Outcome::no_parse;
  build_forest();
  return Outcome::parsed;
}

void LexicalChart::fill(int i, int j) {
  begin_ = i;
  end_ = j;
  best_merit_ = kImpossible;
  Cell& here = cell(i, j);
  for (int k = i + 1; k < j; ++k) join_right(i, k, j);
  here.joined_right = commit();
  for (int k = i + 1; k < j; ++k) join_left(i, k, j);
  turn(here.joined_right, /*bare=*/false);
  here.joined_left = commit();

  const auto first_stopped = static_cast<std::int32_t>(items_.size());
  if (j == i + 1) seed(i);
  stop(here.joined_left);
  Range level = commit();
  for (std::uint8_t chain = 1; chain <= kLongestChain && level.begin < level.end; ++chain) {
    chain_up(level, chain);
    level = commit();
  }
  close({first_stopped, static_cast<std::int32_t>(items_.size())});
  here.closed = commit();
  if (i == 0 && j == static_cast<int>(words_.size())) return;  // nothing can be added
  open(here.closed);
  here.fresh_right = commit();
  turn(here.fresh_right, /*bare=*/true);
  here.bare_left = commit();
}

void LexicalChart::join_right(int i, int k, int j) {
  const Cell& left = cell(i, k);
  const Cell& right = cell(k, j);
  if (right.closed.begin == right.closed.end) return;
  if (!options_.demands.demands(i, k)) join(left.joined_right, right.closed, Side::right);
  join(left.fresh_right, right.closed, Side::right);
}

void LexicalChart::join_left(int i, int k, int j) {
  const Cell& left = cell(i, k);
  const Cell& right = cell(k, j);
  if (left.closed.begin == left.closed.end) return;
  if (!options_.demands.demands(k, j)) join(right.joined_left, left.closed, Side::left);
  join(right.bare_left, left.closed, Side::left);
}

// Every phrase with every modifier that the coarse grammar leaves; what depends on the phrase alone
// is looked up once.
void LexicalChart::join(Range phrases, Range modifiers, Side side) {
  const LabelSet& labels = model_->labels();
  for (std::int32_t a = phrases.begin; a < phrases.end; ++a) {
    const Key& phrase = items_[static_cast<std::size_t>(a)].key;
    const int p = labels.phrase_index(phrase.label);
    std::optional<ModifierWeights::Context> history;
    for (std::int32_t m = modifiers.begin; m < modifiers.end; ++m) {
      const Previous kind = labels.previous_class(items_[static_cast<std::size_t>(m)].key.label);
      const float estimate = side == Side::right ? coarse_->right(begin_, end_, kind, p)
                                                 : coarse_->left(begin_, end_, kind, p);
      if (estimate == CoarseChart::kPruned) continue;
      if (!history) history.emplace(*model_, context(phrase, side));
      attach(a, *history, m, side);
    }
  }
}

ModifierContext LexicalChart::context(const Key& key, Side side) const {
  ModifierContext context;
  context.parent = key.label;
  context.side = side;
  if (model_->labels().is_base_noun_phrase(key.label)) {
    context.head = key.last_label;
    context.word = words_[key.last_word].word;
    context.tag = key.last_tag;
  } else {
    context.head = key.head_label;
    context.word = words_[key.head].word;
    context.tag = key.tag;
    context.subcat = key.subcat;
    context.verb = key.verb;
    context.previous = key.previous;
  }
  return context;
}

void LexicalChart::attach(std::int32_t open, ModifierWeights::Context& history, std::int32_t closed,
                          Side side) {
  const LabelSet& labels = model_->labels();
  const Key& phrase = items_[static_cast<std::size_t>(open)].key;
  const Key& child = items_[static_cast<std::size_t>(closed)].key;
  const Previous kind = labels.previous_class(child.label);
  const bool base = labels.is_base_noun_phrase(phrase.label);
  const ModifierWeight& weights =
      weights_.of(history, child.label, child.tag, words_[child.head].future);
  for (const bool complement : {false, true}) {
    const double weight = complement ? weights.complement : weights.adjunct;
    if (weight == kImpossible) continue;
    Key key = phrase;
    key.kind = side == Side::right ? kRight : kLeft;
    key.has_verb |= child.has_verb && !base;
    key.bare = false;
    if (base) {
      key.previous = kind;  // the coarse grammar knows it
      key.last_label = child.label;
      key.last_word = child.head;
      key.last_tag = child.tag;
    } else {
      key.previous = kind;
      key.verb |= child.has_verb;
      if (complement) {
        const Subcat met = subcat_of_slot(labels.subcat_slot(child.label));
        key.subcat = static_cast<Subcat>(key.subcat - met);
      }
    }
    if (side == Side::right) {
      offer(key, weight, open, closed, ChartRule::right);
    } else {
      offer(key, weight, closed, open, ChartRule::left);
    }
  }
}

void LexicalChart::turn(Range from, bool bare) {
  const LabelSet& labels = model_->labels();
  for (std::int32_t a = from.begin; a < from.end; ++a) {
    const Key phrase = items_[static_cast<std::size_t>(a)].key;
    if (phrase.subcat != 0) continue;
    const int p = labels.phrase_index(phrase.label);
    const float estimate =
        bare ? coarse_->left(begin_, end_, Previous::start, p) : coarse_->turned(begin_, end_, p);
    if (estimate == CoarseChart::kPruned) continue;
    const double stop = model_->modifier(context(phrase, Side::right), kStop, 0);
    if (stop == 0) continue;
    Key key = phrase;
    key.kind = kLeft;
    key.previous = Previous::start;
    key.verb = false;
    key.bare = bare;
    const bool base = labels.is_base_noun_phrase(phrase.label);
    if (base) {
      key.last_label = key.head_label;
      key.last_word = key.head;
      key.last_tag = key.tag;
    }
    for (const Subcat bag : model_->bags(Side::left, phrase.label, phrase.head_label)) {
      key.subcat = bag;
      const double frame = base ? 1
                                : model_->subcat(Side::left, phrase.label, phrase.head_label,
                                                 words_[phrase.head].word, phrase.tag, bag);
      if (frame > 0) offer(key, std::log(stop * frame), a, kNone, ChartRule::turn);
    }
  }
}

void LexicalChart::stop(Range from) {
  const LabelSet& labels = model_->labels();
  for (std::int32_t a = from.begin; a < from.end; ++a) {
    const Key phrase = items_[static_cast<std::size_t>(a)].key;
    if (phrase.subcat != 0) continue;
    if (coarse_->complete(begin_, end_, labels.phrase_index(phrase.label)) ==
        CoarseChart::kPruned) {
      continue;
    }
    const double stop = model_->modifier(context(phrase, Side::left), kStop, 0);
    if (stop == 0) continue;
    Key key;
    key.label = phrase.label;
    key.head = phrase.head;
    key.tag = phrase.tag;
    key.has_verb = phrase.has_verb;
    if (!meets_demands(key, 0)) continue;
    offer(key, std::log(stop) + span_bonus(key.label), a, kNone, ChartRule::stop);
  }
}

void LexicalChart::seed(int word) {
  for (const TagCandidate& candidate : words_[static_cast<std::size_t>(word)].tags) {
    if (coarse_->tag(word, candidate.tag) == CoarseChart::kPruned) continue;
    Key key;
    key.label = key.tag = candidate.tag;
    key.head = static_cast<std::uint16_t>(word);
    key.has_verb = model_->labels().is_verb(candidate.tag);
    offer(key, candidate.log_spelling, kNone, kNone, ChartRule::seed);
  }
}

void LexicalChart::chain_up(Range from, std::uint8_t chain) {
  const LabelSet& labels = model_->labels();
  for (std::int32_t a = from.begin; a < from.end; ++a) {
    const Key child = items_[static_cast<std::size_t>(a)].key;
    const WordId word = words_[child.head].word;
    for (const LabelId parent : model_->parents_of(child.label)) {
      if (parent == child.label) continue;
      if (coarse_->complete(begin_, end_, labels.phrase_index(parent)) == CoarseChart::kPruned) {
        continue;
      }
      double probability = model_->head(parent, word, child.tag, child.label);
      const bool base = labels.is_base_noun_phrase(parent);
      for (const Side side : {Side::right, Side::left}) {
        if (probability == 0) break;
        if (!base) probability *= model_->subcat(side, parent, child.label, word, child.tag, 0);
        ModifierContext history{parent, child.label, word,  child.tag,
                                side,   0,           false, Previous::start};
        probability *= model_->modifier(history, kStop, 0);
      }
      if (probability == 0) continue;
      Key key;
      key.label = parent;
      key.head = child.head;
      key.tag = child.tag;
      key.has_verb = child.has_verb && !base;
      key.chain = chain;
      if (!meets_demands(key, child.met)) continue;
      offer(key, std::log(probability) + span_bonus(parent), a, kNone, ChartRule::unary);
    }
  }
}

bool LexicalChart::meets_demands(Key& key, DemandedPhrases::Labels below) const {
  const DemandedPhrases::Rules* const rules = options_.demands.at(begin_, end_);
  if (rules == nullptr) return true;
  key.met = below | rules->bits[key.label];
  return !rules->forbidden && !rules->barred[key.label];
}

void LexicalChart::close(Range from) {
  const DemandedPhrases::Rules* const rules = options_.demands.at(begin_, end_);
  for (std::int32_t a = from.begin; a < from.end; ++a) {
    Key key = items_[static_cast<std::size_t>(a)].key;
    if (rules != nullptr) {
      if (rules->demanded && model_->labels().is_tag(key.label)) continue;
      if (key.met != rules->wanted) continue;
    }
    key.kind = kClosed;
    key.chain = 0;
    key.met = 0;
    offer(key, 0, a, kNone, ChartRule::close);
  }
}

void LexicalChart::open(Range from) {
  const LabelSet& labels = model_->labels();
  for (std::int32_t a = from.begin; a < from.end; ++a) {
    const Key child = items_[static_cast<std::size_t>(a)].key;
    const WordId word = words_[child.head].word;
    for (const LabelId parent : model_->parents_of(child.label)) {
      if (coarse_->right(begin_, end_, Previous::start, labels.phrase_index(parent)) ==
          CoarseChart::kPruned) {
        continue;
      }
      const double head = model_->head(parent, word, child.tag, child.label);
      if (head == 0) continue;
      Key key;
      key.kind = kRight;
      key.label = parent;
      key.head_label = child.label;
      key.head = child.head;
      key.tag = child.tag;
      const bool base = labels.is_base_noun_phrase(parent);
      key.has_verb = child.has_verb && !base;
      if (base) {
        key.last_label = child.label;
        key.last_word = child.head;
        key.last_tag = child.tag;
      }
      for (const Subcat bag : model_->bags(Side::right, parent, child.label)) {
        key.subcat = bag;
        const double frame =
            base ? 1 : model_->subcat(Side::right, parent, child.label, word, child.tag, bag);
        if (frame > 0) offer(key, std::log(head * frame), a, kNone, ChartRule::open);
      }
    }
  }
}

double LexicalChart::lexical_prior(LabelId label, int word, LabelId tag) {
  const LabelSet& labels = model_->labels();
  double& known =
      priors_[(static_cast<std::size_t>(word) * static_cast<std::size_t>(labels.tags()) + tag) *
                  static_cast<std::size_t>(labels.size()) +
              label];
  if (!std::isnan(known)) return known;
  const WordReading& reading = words_[static_cast<std::size_t>(word)];
  const double floor = 1e-19;
  if (labels.is_tag(label)) {
    known = std::log(std::max(floor, model_->lexicon().emission(reading.future, tag)));
  } else {
    known = std::log(std::max(floor, model_->word_prior(reading.future, tag))) +
            std::log(std::max(floor, model_->label_prior(label, reading.word, tag))) -
            std::log(model_->label_share(label));
  }
  return known;
}

double LexicalChart::merit(const Key& key, double inside) {
  const LabelSet& labels = model_->labels();
  float outside = 0;
  if (labels.is_tag(key.label)) {
    outside = coarse_->tag(begin_, key.label);
  } else {
    const int p = labels.phrase_index(key.label);
    switch (key.kind) {
      case kRight:
        outside = coarse_->right(begin_, end_, key.previous, p);
        break;
      case kLeft:
        outside = key.previous == Previous::start && !key.bare
                      ? coarse_->turned(begin_, end_, p)
                      : coarse_->left(begin_, end_, key.previous, p);
        break;
      default:
        outside = coarse_->complete(begin_, end_, p);
    }
  }
  return inside + outside + lexical_prior(key.label, key.head, key.tag);
}

// Adds a derivation of an item; items are found by key among those not yet committed.
void LexicalChart::offer(const Key& key, double weight, std::int32_t left, std::int32_t right,
                         ChartRule rule) {
  double inside = weight;
  if (left != kNone) inside += items_[static_cast<std::size_t>(left)].inside;
  if (right != kNone) inside += items_[static_cast<std::size_t>(right)].inside;
  Item& item = offered_[find_or_add(key)];
  edges_.push_back({weight, left, right, item.first_edge, rule});
  item.first_edge = static_cast<std::int32_t>(edges_.size()) - 1;
  item.inside = std::max(item.inside, inside);
}

std::uint64_t LexicalChart::hash(const Key& key) {
  const auto pack = [](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    return (a << 48) | (b << 32) | (c << 16) | d;
  };
  const auto flags = static_cast<std::uint64_t>(key.previous) * 64 + (key.verb ? 1U : 0U) +
                     (key.has_verb ? 2U : 0U) + (key.bare ? 4U : 0U) +
                     std::uint64_t{key.chain} * 8 + std::uint64_t{key.met} * 512;
  EventKey hash = extend_key(flags, pack(key.label, key.head_label, key.head, key.tag));
  return extend_key(hash, pack(key.subcat, key.last_label, key.last_word, key.last_tag));
}

std::size_t LexicalChart::find_or_add(const Key& key) {
  if (2 * (offered_.size() + 1) > slots_.size()) {
    slots_.assign(slots_.size() * 2, kNone);
    for (std::size_t i = 0; i < offered_.size(); ++i) {
      std::size_t slot = hash(offered_[i].key) & (slots_.size() - 1);
      while (slots_[slot] != kNone) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::int32_t>(i);
    }
  }
  std::size_t slot = hash(key) & (slots_.size() - 1);
  for (; slots_[slot] != kNone; slot = (slot + 1) & (slots_.size() - 1)) {
    const auto found = static_cast<std::size_t>(slots_[slot]);
    if (offered_[found].key == key) return found;
  }
  slots_[slot] = static_cast<std::int32_t>(offered_.size());
  Item item;
  item.key = key;
  item.inside = kImpossible;
  item.begin = static_cast<std::uint16_t>(begin_);
  item.end = static_cast<std::uint16_t>(end_);
  offered_.push_back(item);
  return offered_.size() - 1;
}

// Under the beam, or with as many better ones as may be kept, an item is dropped.
double LexicalChart::least_merit() {
  const double beam = best_merit_ - options_.log_beam;
  if (offered_.size() <= options_.most_items) return beam;
  merits_.clear();
  for (const Item& item : offered_) merits_.push_back(item.merit);
  const auto last = merits_.begin() + static_cast<std::ptrdiff_t>(options_.most_items) - 1;
  std::nth_element(merits_.begin(), last, merits_.end(), std::greater<>());
  return std::max(beam, *last);
}

LexicalChart::Range LexicalChart::commit() {
  const auto begin = static_cast<std::int32_t>(items_.size());
  for (Item& item : offered_) {
    item.merit = merit(item.key, item.inside);
    best_merit_ = std::max(best_merit_, item.merit);
  }
  const double least = least_merit();
  for (const Item& item : offered_) {
    if (item.merit >= least) items_.push_back(item);
  }
  for (const Item& item : offered_) {  // forget the keys, without touching the whole table
    std::size_t slot = hash(item.key) & (slots_.size() - 1);
    for (; slots_[slot] != kNone; slot = (slot + 1) & (slots_.size() - 1)) slots_[slot] = kNone;
  }
  offered_.clear();
  return {begin, static_cast<std::int32_t>(items_.size())};
}

void LexicalChart::link_goal() {
  const Cell& whole = cell(0, static_cast<int>(words_.size()));
  for (std::int32_t a = whole.closed.begin; a < whole.closed.end; ++a) {
    const Key& key = items_[static_cast<std::size_t>(a)].key;
    const double top = model_->top(key.label, key.tag) *
                       model_->top_word(key.label, key.tag, words_[key.head].future);
    if (top == 0) continue;
    double weight = std::log(top);
    if (!options_.root_bonus.empty() && !model_->labels().is_tag(key.label)) {
      const int phrase = model_->labels().phrase_index(key.label);
      weight += options_.root_bonus[static_cast<std::size_t>(phrase)];
    }
    goal_edges_.push_back({weight, a, kNone, kNone, ChartRule::goal});
  }
}

void LexicalChart::build_forest() {
  std::vector<std::int32_t> node(items_.size(), kNone);  // >= 0: reachable
  std::vector<std::int32_t> todo;
  const auto reach = [&](std::int32_t item) {
    if (item != kNone && node[static_cast<std::size_t>(item)] == kNone) {
      node[static_cast<std::size_t>(item)] = 0;
      todo.push_back(item);
    }
  };
  for (const Edge& edge : goal_edges_) reach(edge.left);
  while (!todo.empty()) {
    const Item& item = items_[static_cast<std::size_t>(todo.back())];
    todo.pop_back();
    for (std::int32_t e = item.first_edge; e != kNone;
         e = edges_[static_cast<std::size_t>(e)].next) {
      reach(edges_[static_cast<std::size_t>(e)].left);
      reach(edges_[static_cast<std::size_t>(e)].right);
    }
  }
  const auto add = [&](const Edge& edge) {
    Hyperedge made;
    made.weight = edge.weight;
    made.tag = static_cast<std::uint32_t>(edge.rule);
    if (edge.left != kNone) made.tails[0] = node[static_cast<std::size_t>(edge.left)];
    if (edge.right != kNone) made.tails[1] = node[static_cast<std::size_t>(edge.right)];
    forest_.add_edge(made);
  };
  // Items are made after their parts, so their order is that of the forest.
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (node[i] == kNone) continue;
    const Item& item = items_[i];
    node[i] = forest_.add_node();
    infos_.push_back({item.key.label, item.begin, item.end, item.key.head, item.key.chain});
    for (std::int32_t e = item.first_edge; e != kNone;
         e = edges_[static_cast<std::size_t>(e)].next) {
      add(edges_[static_cast<std::size_t>(e)]);
    }
  }
  forest_.add_node();
  infos_.push_back({kNoLabel, 0, static_cast<std::uint16_t>(words_.size()), 0, 0});
  for (const Edge& edge : goal_edges_) add(edge);
}

}  // namespace copse::generative
