#include "copse/dependency/length_filter.h"

#include <algorithm>
#include <limits>

namespace copse {
namespace {

constexpr std::string_view kRoot = "<root>";
constexpr std::size_t kMostTags = 4096;

}  // namespace

int LengthFilter::tag_number(std::string_view tag) const {
  const auto found = std::find(tags_.begin(), tags_.end(), tag);
  return found == tags_.end() ? kUnknown : static_cast<int>(found - tags_.begin());
}

int LengthFilter::add_tag(std::string_view tag) {
  if (const int number = tag_number(tag); number != kUnknown) return number;
  const std::size_t before = tags_.size();
  const std::vector<std::uint16_t> old = std::move(longest_);
  tags_.emplace_back(tag);
  longest_.assign(tags_.size() * tags_.size() * 2, 0);
  for (std::size_t h = 0; h < before; ++h) {
    std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(h * before * 2), before * 2,
                longest_.begin() + static_cast<std::ptrdiff_t>(h * tags_.size() * 2));
  }
  return static_cast<int>(before);
}

void LengthFilter::learn(std::span<const ParserWord> words, std::span<const int> heads) {
  if (tags_.empty()) add_tag(kRoot);
  std::vector<int> tags{0};
  for (const ParserWord& word : words) tags.push_back(add_tag(word.coarse));
  for (std::size_t m = 1; m < heads.size(); ++m) {
    const int h = heads[m];
    const int length = std::abs(h - static_cast<int>(m));
    std::uint16_t& longest =
        longest_[index(tags[static_cast<std::size_t>(h)], tags[m], static_cast<int>(m) > h)];
    longest = static_cast<std::uint16_t>(
        std::clamp(length, int{longest}, int{std::numeric_limits<std::uint16_t>::max()}));
  }
}

ArcMask LengthFilter::mask(std::span<const ParserWord> words) const {
  const int n = static_cast<int>(words.size());
  if (tags_.empty()) return ArcMask(n);
  ArcMask mask = ArcMask::none(n);
  std::vector<int> tags{0};
  for (const ParserWord& word : words) tags.push_back(tag_number(word.coarse));
  for (int m = 1; m <= n; ++m) {
    const int modifier = tags[static_cast<std::size_t>(m)];
    for (int h = 0; h <= n; ++h) {
      if (h == m) continue;
      const int head = tags[static_cast<std::size_t>(h)];
      if (head == kUnknown || modifier == kUnknown) {
        mask.allow(h, m);
        continue;
      }
      const int longest = longest_[index(head, modifier, m > h)];
      // How far the root is away means nothing.
      if (h == 0 ? longest > 0 : std::abs(h - m) <= longest) mask.allow(h, m);
    }
  }
  return mask;
}

void LengthFilter::save(ModelWriter& writer) const {
  writer.add_strings("filter.tags", tags_);
  writer.add_array("filter.longest", std::span<const std::uint16_t>(longest_));
}

LengthFilter LengthFilter::load(const ModelFile& file) {
  LengthFilter filter;
  filter.tags_ = file.strings("filter.tags");
  const auto longest = file.array<std::uint16_t>("filter.longest");
  if (filter.tags_.size() > kMostTags ||
      longest.size() != filter.tags_.size() * filter.tags_.size() * 2) {
    throw file.damaged("filter.longest", "does not fit the number of tags");
  }
  filter.longest_.assign(longest.begin(), longest.end());
  return filter;
}

}  // namespace copse
