#include "copse/dependency/tag_filter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "copse/dependency/part_features.h"

namespace copse {
namespace {

constexpr float kUnits = 256;  // to one of the exponent
constexpr std::size_t kSides = 2, kCounts = 4;

// The planes of [tag][tag] that a table has, one for each value of the thing more.
constexpr std::size_t kPairPlanes = kSides * (1 + kDistanceBins);  // the root is at no distance
constexpr std::size_t kCountPlanes = kSides * kCounts * kCounts;

std::size_t neighbour_planes(const TagNumbers& coarse) {
  return kSides * static_cast<std::size_t>(coarse.size());
}

}  // namespace

TagNumbers::TagNumbers(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::size_t k = 0; k < names_.size(); ++k) {
    numbers_.emplace(names_[k], kFirst + static_cast<int>(k));
  }
}

TagFilter::TagFilter(bool fine, TagNumbers tags, TagNumbers coarse)
    : fine_(fine), tags_(std::move(tags)), coarse_(std::move(coarse)) {
  weights_.assign(square() * (kPairPlanes + 4 * neighbour_planes(coarse_) + 2 * kCountPlanes), 0);
}

void TagFilter::read(std::span<const ParserWord> words, Tagged& out) const {
  out.tags.assign(1, TagNumbers::kRoot);
  out.coarse.assign(2, TagNumbers::kRoot);  // before the sentence, as beyond it
  out.counts.assign(side() * (words.size() + 1), 0);
  for (const ParserWord& word : words) {
    const auto counts = out.counts.begin() + static_cast<std::ptrdiff_t>(side() * out.tags.size());
    out.tags.push_back(tags_.of(fine_ ? word.fine : word.coarse));
    out.coarse.push_back(coarse_.of(word.coarse));
    std::copy_n(counts - static_cast<std::ptrdiff_t>(side()), side(), counts);
    ++counts[out.tags.back()];
  }
  out.coarse.push_back(TagNumbers::kRoot);
}

TagFilter::Cells TagFilter::cells_of(const Tagged& sentence, const PositionAtoms& atoms, int h,
                                     int m) const {
  const auto head = static_cast<std::size_t>(h), modifier = static_cast<std::size_t>(m);
  const std::size_t right = m > h ? 1 : 0;
  const auto head_tag = static_cast<std::size_t>(sentence.tags[head]);
  const auto modifier_tag = static_cast<std::size_t>(sentence.tags[modifier]);
  const auto bin = [](int count) { return static_cast<std::size_t>(count_bin(count)); };
  const auto between = [&](std::size_t tag) {
    const auto [first, last] = std::minmax(head, modifier);
    return bin(sentence.counts[side() * (last - 1) + tag] - sentence.counts[side() * first + tag]);
  };
  const std::size_t distance = h == 0 ? 0 : static_cast<std::size_t>(distance_bin(std::abs(h - m)));
  const PositionAtoms::Counts counts = atoms.counts_between(h, m);
  const std::size_t pair = head_tag * side() + modifier_tag;
  const std::size_t turned =
      modifier_tag * side() + head_tag;  // what one modifier reads lies together
  const std::size_t neighbours = neighbour_planes(coarse_);
  const auto coarse = [&](std::size_t position) {
    return right * neighbours / kSides + static_cast<std::size_t>(sentence.coarse[position]);
  };
  std::size_t first = 0;  // plane of the table
  const auto next = [&](std::size_t planes, std::size_t plane, std::size_t cell) {
    first += planes;
    return static_cast<std::uint32_t>((first - planes + plane) * square() + cell);
  };
  return {next(kPairPlanes, right * (1 + kDistanceBins) + distance, pair),
          next(neighbours, coarse(modifier), turned),
          next(neighbours, coarse(modifier + 2), turned),
          next(neighbours, coarse(head), pair),
          next(neighbours, coarse(head + 2), pair),
          next(kCountPlanes, (right * kCounts + bin(counts.verbs)) * kCounts + bin(counts.commas),
               pair),
          next(kCountPlanes,
               (right * kCounts + between(head_tag)) * kCounts + between(modifier_tag), pair)};
}

void TagFilter::set_weights(std::span<const float> weights) {
  constexpr float kMost = std::numeric_limits<std::int16_t>::max();
  std::ranges::transform(weights, weights_.begin(), [kMost](float weight) {
    return static_cast<std::int16_t>(std::lround(std::clamp(kUnits * weight, -kMost, kMost)));
  });
}

void TagFilter::apply(std::span<const ParserWord> words, const PositionAtoms& atoms,
                      ArcMask& mask) const {
  if (is_empty()) return;
  struct Scored {
    int h, score;
  };
  Tagged sentence;
  read(words, sentence);
  std::vector<Scored> heads;
  for (int m = 1; m <= mask.words(); ++m) {
    if (sentence.tags[static_cast<std::size_t>(m)] == TagNumbers::kUnknown) continue;
    heads.clear();
    int best = std::numeric_limits<int>::min();
    for (int h = 0; h <= mask.words(); ++h) {
      if (!mask.allowed(h, m) ||
          sentence.tags[static_cast<std::size_t>(h)] == TagNumbers::kUnknown) {
        continue;
      }
      heads.push_back({h, score(cells_of(sentence, atoms, h, m))});
      best = std::max(best, heads.back().score);
    }
    for (const Scored& each : heads) {
      if (best - each.score > margin_) mask.forbid(each.h, m);
    }
  }
}

void TagFilter::save(ModelWriter& writer) const {
  if (is_empty()) return;
  const std::array<std::int32_t, 2> numbers{fine_ ? 1 : 0, margin_};
  writer.add_strings("tagfilter.tags", tags_.names());
  writer.add_strings("tagfilter.coarse", coarse_.names());
  writer.add_array("tagfilter.margin", std::span<const std::int32_t>(numbers));
  writer.add_array("tagfilter.weights", std::span<const std::int16_t>(weights_));
}

TagFilter TagFilter::load(const ModelFile& file) {
  if (!file.has("tagfilter.weights")) return {};
  const auto names = [&](const char* section) {
    std::vector<std::string> out = file.strings(section);
    if (out.size() > kMostTags) throw file.damaged(section, "has too many tags");
    return TagNumbers(std::move(out));
  };
  const auto numbers = file.array<std::int32_t>("tagfilter.margin");
  if (numbers.size() != 2 || numbers[0] < 0 || numbers[0] > 1 || numbers[1] < 0) {
    throw file.damaged("tagfilter.margin", "has impossible numbers");
  }
  TagFilter filter(numbers[0] == 1, names("tagfilter.tags"), names("tagfilter.coarse"));
  const auto weights = file.array<std::int16_t>("tagfilter.weights");
  if (weights.size() != filter.cells()) {
    throw file.damaged("tagfilter.weights", "does not fit the number of tags");
  }
  filter.margin_ = numbers[1];
  filter.weights_.assign(weights.begin(), weights.end());
  return filter;
}

}  // namespace copse
