#include "copse/rerank/hidden/descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "copse/learning/pass_order.h"

namespace copse::hidden {

std::vector<double> noise_of(const Blocks& blocks, double size, std::uint64_t seed) {
  std::vector<double> noise(blocks.weights());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const AtomValue start = join(blocks.key(b), atom_of(seed));
    for (std::uint32_t i = 0; i < blocks.block_size(b); ++i) {
      const double uniform = static_cast<double>(scramble(join(start, i)) >> 11) * 0x1.0p-53;
      noise[blocks.begin(b) + i] = size * (2 * uniform - 1);
    }
  }
  return noise;
}

Descent::Descent(const HiddenData& data, const DescentOptions& options, DecayedWeights weights,
                 ThreadTeam& team)
    : data_(data),
      options_(options),
      weights_(std::move(weights)),
      team_(team),
      works_(static_cast<std::size_t>(std::max(1, options.batch))) {}

double Descent::run_epoch(std::uint64_t epoch, std::size_t seen, bool tied, std::size_t lists,
                          const WorkDone& during) {
  const std::size_t size = lists == 0 ? data_.lists.size() : std::min(lists, data_.lists.size());
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  pass_order(options_.seed, epoch).shuffle(std::span(order));
  double loss = 0;
  const auto count = static_cast<double>(size);
  for (std::size_t at = 0; at < size; at += works_.size()) {
    const auto batch = std::span(order).subspan(at, std::min(works_.size(), size - at));
    const double rate = options_.rate / (1 + static_cast<double>(seen + at) / count);
    loss += step(batch, rate, count, tied);
    if (during) during(std::min(size, at + works_.size()), size);
  }
  return size == 0 ? 0 : loss / count;
}

double Descent::step(std::span<const std::size_t> batch, double rate, double lists, bool tied) {
  const std::span<const double> values = weights_.values();
  const double scale = weights_.scale();
  team_.for_each(batch.size(), [&](std::size_t b) {
    const std::size_t i = batch[b];
    if (data_.lists[i].candidates() < 2) return;
    work_on_list(data_.lists[i], values, scale, options_.base,
                 {data_.best[i], data_.quality[i], options_.temperature}, options_.loss, works_[b]);
  });
  double factor = 1;
  if (options_.variance > 0) {
    const double shrink = 1 - std::min(0.5, rate / (lists * options_.variance));
    for (std::size_t b = 0; b < batch.size(); ++b) factor *= shrink;
  }
  weights_.shrink(factor);
  double loss = 0;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    const HiddenList& list = data_.lists[batch[b]];
    if (list.candidates() < 2) continue;
    const ListWork& work = works_[b];
    loss += work.loss;
    weights_.change(-rate, [&](double by, std::span<double> out) {
      if (tied) {
        list.scatter_tied(work.potentials, work.slopes, by, out);
      } else {
        list.scatter(work.potentials, work.slopes, by, out);
      }
    });
  }
  weights_.end_step();
  return loss;
}

std::vector<float> Descent::rounded() const {
  std::vector<float> result(weights_.size());
  const bool average = weights_.averaging();
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<float>(average ? weights_.average(i) : weights_.weight(i));
  }
  return result;
}

}  // namespace copse::hidden
