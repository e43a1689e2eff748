#include "copse/constituency/history/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace copse::history {
namespace {

constexpr std::size_t kBatch = 24;
constexpr int kMoreSteps = 4000;  // beyond the limit, when nothing new is begun
constexpr double kSmallest = 1e-30;

// The worst in front.
constexpr auto kBetter = [](const auto& a, const auto& b) { return b < a; };

}  // namespace

std::vector<Action> actions_of(const Derivation& last) {
  std::vector<Action> out;
  for (const Derivation* d = &last; d != nullptr && d->state.begun; d = d->before) {
    out.push_back(d->state.last);
  }
  std::ranges::reverse(out);
  return out;
}

void Search::start(const StepMaker& steps, const Networks& networks,
                   const SentenceSymbols& sentence, const SearchOptions& options) {
  steps_ = &steps;
  networks_ = &networks;
  sentence_ = &sentence;
  options_ = options;
  states_.resize(networks.size());
  for (std::size_t n = 0; n < networks.size(); ++n) states_[n].start(*networks[n], sentence.items);
  arena_.reset();
  order_ = 0;
  limited_ = 0;
  const std::span<Derivation> first = arena_.make<Derivation>(1);
  first[0].state = StepMaker::start();
  beam_.assign(1, first.data());
}

void Search::push(double log_probability, const Derivation* from, const Action& action,
                  Stage stage) {
  queue_.push({log_probability, order_++, from, action, stage});
}

// Worse derivations need not be looked at.
double Search::cut(std::size_t wanted) const {
  double out = -std::numeric_limits<double>::infinity();
  if (results_.size() >= wanted) out = results_.front().log_probability;
  if (options_.within > 0 && !results_.empty()) {
    double best = results_.front().log_probability;
    for (const Entry& each : results_) best = std::max(best, each.log_probability);
    out = std::max(out, best - options_.within);
  }
  return out;
}

// The limit is reached: of what is in the queue, derivations that are done and some of the best others
// stay, and those make no more phrases than they must.
void Search::hurry(std::size_t wanted) {
  hurried_ = true;
  ++limited_;
  std::vector<Entry> kept;
  std::size_t growing = 0;
  for (; !queue_.empty(); queue_.pop()) {
    const Entry& each = queue_.top();
    if (each.stage != Stage::grow || growing++ < wanted) kept.push_back(each);
  }
  queue_ = std::priority_queue<Entry>({}, std::move(kept));
}

// Fills growing_ and shifting_; false when the best results are all found.
bool Search::take_batch(std::size_t wanted) {
  growing_.clear();
  shifting_.clear();
  while (growing_.size() + shifting_.size() < kBatch && !queue_.empty()) {
    const Entry entry = queue_.top();
    if (entry.log_probability <= cut(wanted)) break;
    if (taken_ >= options_.most_steps && !hurried_) hurry(wanted);
    if (taken_ >= options_.most_steps + kMoreSteps) break;
    queue_.pop();
    ++taken_;
    if (entry.stage == Stage::grow) {
      growing_.push_back(entry);
    } else if (entry.stage == Stage::bound) {
      shifting_.push_back(entry);
    } else {
      if (results_.size() == wanted) {
        std::ranges::pop_heap(results_, kBetter);
        results_.pop_back();
      }
      results_.push_back(entry);
      std::ranges::push_heap(results_, kBetter);
    }
  }
  return !growing_.empty() || !shifting_.empty();
}

Derivation* Search::apply(const Entry& entry) {
  Derivation* made = arena_.make<Derivation>(1).data();
  const StackState& before = entry.from->state;
  made->before = entry.from;
  made->log_probability = entry.log_probability;
  switch (entry.action.kind) {
    case Kind::shift:
      made->state = steps_->shifted(&before.top, before,
                                    sentence_->tags[static_cast<std::size_t>(before.words)]);
      break;
    case Kind::project:
      made->state = steps_->projected(before, entry.action.label);
      break;
    case Kind::attach:
      made->state = StepMaker::attached(before);
      break;
  }
  return made;
}

void Search::probabilities(std::uint32_t factor, std::span<const std::int32_t> vectors,
                           std::span<const std::uint32_t> groups, std::vector<float>& out) {
  const NetworkShape& shape = networks_->front()->shape();
  const std::size_t rows = shape.rows(factor);
  const auto normalise = [&](std::vector<float>& scores) {
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      softmax<float>(shape.factors[factor], groups.empty() ? 1 : groups[i],
                     std::span(scores).subspan(i * rows, rows));
    }
  };
  states_[0].scores(factor, vectors, out);
  normalise(out);
  if (states_.size() == 1) return;
  for (std::size_t n = 1; n < states_.size(); ++n) {
    states_[n].scores(factor, vectors, other_);
    normalise(other_);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += other_[i];
  }
  const float share = 1.0F / static_cast<float>(states_.size());
  for (float& each : out) each *= share;
}

// Makes the vectors of growing derivations and puts what they may do next into the queue.
void Search::grow() {
  const std::size_t count = growing_.size();
  if (count == 0) return;
  std::vector<StepMaker::Input> inputs;
  inputs.reserve(count);
  std::vector<StepInput> views;
  allowed_.clear();
  for (Derivation* each : grown_) {
    inputs.push_back(steps_->input(each->state, *sentence_));
    const StepMaker::Input& in = inputs.back();
    views.push_back({std::span(in.features).first(in.feature_count),
                     std::span(in.places).first(steps_->places()), in.roles});
    allowed_.push_back(steps_->allowed(each->state, sentence_->words()));
  }
  for (auto& states : states_) states.add(views, numbers_);
  for (std::size_t i = 0; i < count; ++i) grown_[i]->state.top.latest = numbers_[i];
  probabilities(StepMaker::kKindFactor, numbers_, allowed_, kinds_);
  if (!steps_->options().flat) probabilities(StepMaker::kLabelFactor, numbers_, {}, labels_);
  for (std::size_t i = 0; i < count; ++i) grow_one(i);
}

void Search::grow_one(std::size_t i) {
  const Derivation* d = grown_[i];
  const bool flat = steps_->options().flat, conditional = steps_->conditional();
  const NetworkShape& shape = networks_->front()->shape();
  const float* kinds = kinds_.data() + i * shape.rows(0);
  const auto word = static_cast<std::size_t>(d->state.words);
  const bool words_left = word < sentence_->words();
  const auto weigh = [&](double p) { return d->log_probability + std::log(p); };
  const auto kind_row = [&](Kind kind) {
    if (!flat) return static_cast<std::size_t>(kind);
    if (kind == Kind::attach) return std::size_t{steps_->flat_attach()};
    return conditional ? std::size_t{0} : std::size_t{steps_->flat_shift(*sentence_, word)};
  };
  const std::uint32_t allowed = allowed_[i];
  if ((allowed & bit(Kind::shift)) != 0 && words_left) {
    const double p = kinds[kind_row(Kind::shift)];
    if (p > 0) {
      push(weigh(p), d, {Kind::shift, 0}, flat || conditional ? Stage::done : Stage::bound);
    }
  }
  const bool to_root = d->state.top.below != nullptr && d->state.top.below->below == nullptr;
  if ((allowed & bit(Kind::attach)) != 0 && (!to_root || !words_left)) {
    const double p = kinds[kind_row(Kind::attach)];
    if (p > 0) push(weigh(p), d, {Kind::attach, 0}, to_root ? Stage::done : Stage::grow);
  }
  if ((allowed & bit(Kind::project)) == 0) return;
  const std::uint32_t count = static_cast<std::uint32_t>(shape.factors[flat ? 0 : 1][flat ? 1 : 0]);
  const float* labels = flat ? kinds + steps_->flat_project() : labels_.data() + i * count;
  const double share = flat ? 1 : kinds[static_cast<std::size_t>(Kind::project)];
  if (hurried_) {
    if (!d->state.top.leaf) return;
    const auto best = static_cast<std::uint32_t>(std::max_element(labels, labels + count) - labels);
    push(weigh(std::max(share * labels[best], kSmallest)), d, {Kind::project, best}, Stage::grow);
    return;
  }
  for (std::uint32_t label = 0; label < count; ++label) {
    const double p = share * labels[label];
    if (p <= 0 || p < options_.least_label) continue;
    push(weigh(p), d, {Kind::project, label}, Stage::grow);
  }
}

// The exact probability of shifting the word that comes next.
void Search::weigh_shifts() {
  const std::size_t count = shifting_.size();
  if (count == 0) return;
  const auto word = static_cast<std::size_t>(shifting_[0].from->state.words);
  const std::uint32_t tag = sentence_->tags[word], row = sentence_->rows[word];
  numbers_.clear();
  for (const Entry& each : shifting_) numbers_.push_back(each.from->state.top.latest);
  probabilities(StepMaker::kTagFactor, numbers_, {}, tags_);
  probabilities(StepMaker::kWordFactor + tag, numbers_, {}, words_);
  const std::size_t tags = tags_.size() / count, words = words_.size() / count;
  for (std::size_t i = 0; i < count; ++i) {
    const double p = static_cast<double>(tags_[i * tags + tag]) * words_[i * words + row];
    if (!(p > 0)) continue;
    push(shifting_[i].log_probability + std::log(p), shifting_[i].from, {Kind::shift, 0},
         Stage::done);
  }
}

// Vectors that no derivation of the beam can ask for any more are given up.
void Search::drop_vectors() {
  numbers_.clear();
  for (const Derivation* each : beam_) {
    for (const StackNode* node = &each->state.top; node != nullptr; node = node->below) {
      numbers_.insert(numbers_.end(), {node->latest, node->first_vector, node->last_vector});
    }
  }
  for (auto& states : states_) states.keep(numbers_);
}

void Search::advance(std::size_t wanted, const Stop& stop) {
  queue_ = {};
  results_.clear();
  taken_ = 0;
  hurried_ = false;
  drop_vectors();
  // The beam itself: its derivations have no vectors yet.
  growing_.clear();
  grown_.clear();
  for (Derivation* each : beam_) {
    growing_.push_back({each->log_probability, 0, each, {}, Stage::grow});
    grown_.push_back(each);
  }
  grow();
  while (take_batch(wanted)) {
    stop.check();
    grown_.clear();
    for (const Entry& each : growing_) grown_.push_back(apply(each));
    grow();
    weigh_shifts();
  }
  std::ranges::sort(results_, [](const Entry& a, const Entry& b) { return b < a; });
  beam_.clear();
  for (const Entry& each : results_) beam_.push_back(apply(each));
}

std::vector<const Derivation*> Search::run(int k, const Stop& stop) {
  for (std::size_t word = 0; word <= sentence_->words(); ++word) {
    const bool last = word == sentence_->words();
    advance(static_cast<std::size_t>(last ? k : std::max(options_.beam, 1)), stop);
    if (beam_.empty()) break;
  }
  return {beam_.begin(), beam_.end()};
}

}  // namespace copse::history
