#include "copse/constituency/history/learner.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "copse/learning/pass_order.h"
#include "copse/model/finite_array.h"

namespace copse::history {
namespace {

// Pieces of a batch, each with a gradient of its own: more cost memory, fewer leave cores idle.
constexpr std::size_t kShardCount = 4, kShardSize = 4;
constexpr std::size_t kPool = 16;  // batches that are made of sentences of like lengths
constexpr int kHalvings = 4;
constexpr double kLastRate = 0.05;  // adam: share of the rate at the end
constexpr float kFirst = 0.9F, kSecond = 0.98F, kSmall = 1e-8F;
constexpr std::size_t kPiece = 1 << 15;  // weights that a thread takes at once

}  // namespace

Learner::Learner(const LearningData& data, const NetworkShape& shape,
                 const TrainingOptions& options, std::uint64_t seed, ThreadTeam& team)
    : data_(data),
      options_(options),
      seed_(seed),
      team_(team),
      network_(shape),
      rate_(options.start_rate()),
      decay_(options.start_decay()) {
  network_.start(seed, is_online() ? 0.1 : 0);
  const std::size_t count = network_.weights().size();
  const std::size_t batch = is_online() ? 1 : static_cast<std::size_t>(options.batch);
  shards_.resize(std::clamp<std::size_t>(batch / kShardSize, 1, kShardCount));
  for (Shard& each : shards_) each.gradient.assign(count, 0.0F);
  if (!is_online()) {
    first_.assign(count, 0.0F);
    second_.assign(count, 0.0F);
    if (options.averaging > 0) mean_.assign(count, 0.0F);
  }
  const std::size_t passes = (data.histories.size() + batch - 1) / batch;
  all_steps_ = std::max<std::size_t>(1, passes * static_cast<std::size_t>(options.epochs));
}

bool Learner::done() const {
  return passes_ >= options_.epochs || (is_online() && halvings_ >= kHalvings);
}

// Drawn anew for each pass: sentences of like lengths together, as they go side by side.
std::vector<std::vector<std::size_t>> Learner::batches() const {
  std::vector<std::size_t> order(data_.histories.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random = pass_order(seed_, static_cast<std::uint64_t>(passes_));
  random.shuffle(std::span(order));
  std::vector<std::vector<std::size_t>> out;
  if (is_online()) {
    for (const std::size_t each : order) out.push_back({each});
    return out;
  }
  const auto size = static_cast<std::size_t>(options_.batch);
  for (std::size_t from = 0; from < order.size(); from += size * kPool) {
    const auto pool = std::span(order).subspan(from, std::min(size * kPool, order.size() - from));
    std::ranges::stable_sort(pool, {}, [&](std::size_t i) { return data_.histories[i].steps(); });
    for (std::size_t at = 0; at < pool.size(); at += size) {
      const auto piece = pool.subspan(at, std::min(size, pool.size() - at));
      out.emplace_back(piece.begin(), piece.end());
    }
  }
  random.shuffle(std::span(out));
  return out;
}

double Learner::step(std::span<const std::size_t> batch, std::uint64_t dropout_seed) {
  transposed_.make(network_);
  const std::size_t shards = std::min(shards_.size(), batch.size());
  team_.for_each(shards, [&](std::size_t k) {
    Shard& shard = shards_[k];
    std::ranges::fill(shard.gradient, 0.0F);
    const std::size_t begin = batch.size() * k / shards, end = batch.size() * (k + 1) / shards;
    std::vector<const DecisionSteps*> histories;
    for (std::size_t i = begin; i < end; ++i) histories.push_back(&data_.histories[batch[i]]);
    shard.loss = shard.pass.run(
        network_, histories, &transposed_, shard.gradient,
        {options_.dropout, dropout_seed + begin, options_.trait_dropout, options_.role_dropout});
  });
  double loss = 0;
  for (std::size_t k = 0; k < shards; ++k) loss += shards_[k].loss;
  descend(1.0 / static_cast<double>(batch.size()), shards);
  return loss;
}

// Adds up the shards in order, cuts long gradients and moves the weights.
void Learner::descend(double scale, std::size_t shards) {
  const std::size_t count = network_.weights().size();
  const std::size_t pieces = (count + kPiece - 1) / kPiece;
  std::vector<double> squares(pieces, 0.0);
  team_.for_each(pieces, [&](std::size_t p) {
    std::vector<float>& sum = shards_[0].gradient;
    for (std::size_t i = p * kPiece; i < std::min(count, (p + 1) * kPiece); ++i) {
      for (std::size_t k = 1; k < shards; ++k) sum[i] += shards_[k].gradient[i];
      squares[p] += static_cast<double>(sum[i]) * sum[i];
    }
  });
  const double length = scale * std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
  if (length > options_.clip) scale *= options_.clip / length;
  ++steps_;
  team_.for_each(pieces, [&](std::size_t p) {
    update(p * kPiece, std::min(count, (p + 1) * kPiece), static_cast<float>(scale));
  });
}

void Learner::update(std::size_t begin, std::size_t end, float scale) {
  const std::span<float> weights = network_.weights();
  const std::vector<float>& gradient = shards_[0].gradient;
  if (is_online()) {
    const auto rate = static_cast<float>(rate_), kept = static_cast<float>(1 - rate_ * decay_);
    for (std::size_t i = begin; i < end; ++i) {
      weights[i] = weights[i] * kept - rate * scale * gradient[i];
    }
    return;
  }
  const double part = static_cast<double>(steps_ - 1) / static_cast<double>(all_steps_);
  const double rate = rate_ * std::max(kLastRate, 1 - (1 - kLastRate) * part);
  const auto times = static_cast<double>(steps_);
  // The moments begin with 0; this makes up for it.
  const auto step = static_cast<float>(rate * std::sqrt(1 - std::pow(kSecond, times)) /
                                       (1 - std::pow(kFirst, times)));
  // The mean forgets its beginning.
  const auto stays = static_cast<float>(std::min(options_.averaging, (times - 1) / (times + 9)));
  const bool has_mean = !mean_.empty();
  const auto kept = static_cast<float>(1 - rate * decay_);  // Loshchilov & Hutter 2019
  for (std::size_t i = begin; i < end; ++i) {
    const float slope = gradient[i] * scale;
    first_[i] = kFirst * first_[i] + (1 - kFirst) * slope;
    second_[i] = kSecond * second_[i] + (1 - kSecond) * slope * slope;
    weights[i] = kept * weights[i] - step * first_[i] / (std::sqrt(second_[i]) + kSmall);
  }
  for (std::size_t i = begin; has_mean && i < end; ++i) {
    mean_[i] = stays * mean_[i] + (1 - stays) * weights[i];
  }
}

std::shared_ptr<const DecisionNetwork<float>> Learner::network() const {
  const auto out = std::make_shared<DecisionNetwork<float>>(network_);
  if (!mean_.empty() && steps_ > 0) std::ranges::copy(mean_, out->weights().begin());
  return out;
}

double Learner::other_loss() {
  if (data_.others.empty()) return -1;
  const auto now = network();
  constexpr std::size_t kTogether = 8;
  const std::size_t pieces = (data_.others.size() + kTogether - 1) / kTogether;
  std::vector<double> losses(pieces);
  team_.for_each(
      pieces, [] { return DecisionPass<float>(); },
      [&](std::size_t p, DecisionPass<float>& pass) {
        std::vector<const DecisionSteps*> histories;
        for (std::size_t i = p * kTogether; i < std::min(data_.others.size(), (p + 1) * kTogether);
             ++i) {
          histories.push_back(&data_.others[i]);
        }
        losses[p] = pass.run(*now, histories);
      });
  return std::accumulate(losses.begin(), losses.end(), 0.0) /
         static_cast<double>(data_.other_words);
}

Epoch Learner::run_epoch() {
  Epoch epoch;
  epoch.rate = rate_;
  // Seeds of what is left out, far apart from those of other passes.
  Random random = pass_order(seed_ + 0x9E3779B9ULL, static_cast<std::uint64_t>(passes_));
  for (const auto& batch : batches()) epoch.loss += step(batch, random.next());
  epoch.loss /= static_cast<double>(data_.words);
  epoch.other_loss = other_loss();
  ++passes_;
  if (is_online() && least_loss_ >= 0 && epoch.other_loss >= least_loss_) {
    rate_ /= 2;
    decay_ /= 2;
    ++halvings_;
  }
  if (least_loss_ < 0 || epoch.other_loss < least_loss_) least_loss_ = epoch.other_loss;
  return epoch;
}

void Learner::save(ModelWriter& writer, const std::string& prefix) const {
  const std::vector<double> numbers{static_cast<double>(passes_),
                                    static_cast<double>(halvings_),
                                    static_cast<double>(steps_),
                                    rate_,
                                    decay_,
                                    least_loss_};
  writer.add_array<double>(prefix + "state", numbers);
  writer.add_array<float>(prefix + "now", network_.weights());
  writer.add_array<float>(prefix + "mean", mean_);
  writer.add_array<float>(prefix + "first", first_);
  writer.add_array<float>(prefix + "second", second_);
}

void Learner::load(const ModelFile& file, const std::string& prefix) {
  const auto numbers = file.array<double>(prefix + "state");
  constexpr std::size_t kNumbers = 6;
  const auto whole = [](double number) { return number >= 0 && number < 1e9; };
  if (numbers.size() != kNumbers || !std::ranges::all_of(numbers.first(3), whole) ||
      !std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); })) {
    throw file.damaged(prefix + "state", "has bad numbers");
  }
  passes_ = static_cast<int>(numbers[0]);
  halvings_ = static_cast<int>(numbers[1]);
  steps_ = static_cast<std::uint64_t>(numbers[2]);
  rate_ = numbers[3];
  decay_ = numbers[4];
  least_loss_ = numbers[5];
  const auto read = [&](const char* name, std::span<float> to) {
    const auto from = finite_array<float>(file, prefix + name);
    if (from.size() != to.size()) throw file.damaged(prefix + name, "is of another network");
    std::ranges::copy(from, to.begin());
  };
  read("now", network_.weights());
  read("mean", mean_);
  read("first", first_);
  read("second", second_);
}

}  // namespace copse::history
