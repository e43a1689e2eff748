// The binary form of WordClusters. Numbers are in base 128, least significant digits first, the
// high bit of a byte set if more follow.
//
//   version (1)  clusters  cluster*
//   cluster:  bits in its string  the bits, 8 a byte, first bit highest  words  word*
//   word:     bytes in it  the bytes  count of the first, or how much less than the one before
#include <fmt/core.h>

#include <algorithm>
#include <deque>

#include "copse/base/error.h"
#include "copse/cluster/word_clusters.h"

namespace copse {
namespace {

constexpr std::uint64_t kVersion = 1;

void put_number(std::uint64_t number, std::string& out) {
  for (; number >= 128; number >>= 7) out += static_cast<char>(number | 128);
  out += static_cast<char>(number);
}

void put_bits(std::string_view bits, std::string& out) {
  put_number(bits.size(), out);
  for (std::size_t i = 0; i < bits.size(); i += 8) {
    int byte = 0;
    for (std::size_t k = i; k < std::min(i + 8, bits.size()); ++k) {
      if (bits[k] == '1') byte |= 128 >> (k - i);
    }
    out += static_cast<char>(byte);
  }
}

[[noreturn]] void fail(const char* what) {
  throw data_error(fmt::format("the word clusters are damaged: {}", what));
}

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      const std::uint64_t digit = byte & 127U;
      if (shift > 56) fail("a number is too large");
      value |= digit << shift;
      if (byte < 128) return value;
    }
  }

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) fail("they end early");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string bits() {
    const std::uint64_t size = number();
    const std::string_view packed = take(size / 8 + (size % 8 == 0 ? 0 : 1));
    std::string bits(size, '0');
    for (std::size_t i = 0; i < size; ++i) {
      if ((static_cast<unsigned char>(packed[i / 8]) & (128 >> (i % 8))) != 0) bits[i] = '1';
    }
    return bits;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace

std::string WordClusters::bytes() const {
  std::string out;
  put_number(kVersion, out);
  put_number(clusters(), out);
  for (Id cluster = 0; cluster < clusters(); ++cluster) {
    const Range range = words_of(cluster);
    put_bits(bits(cluster), out);
    put_number(range.last - range.first, out);
    for (std::uint32_t i = range.first; i < range.last; ++i) {
      const Word view = word(i);
      put_number(view.text.size(), out);
      out += view.text;
      put_number(i == range.first ? view.count : word(i - 1).count - view.count, out);
    }
  }
  return out;
}

WordClusters WordClusters::from_bytes(std::string_view bytes) {
  Decoder in(bytes);
  if (const auto version = in.number(); version != kVersion) {
    throw data_error(fmt::format("word clusters of version {}; this program reads version {}",
                                 version, kVersion));
  }
  std::deque<std::string> strings;  // what the lines point to
  std::vector<Line> lines;
  for (std::uint64_t clusters = in.number(); clusters > 0; --clusters) {
    const std::string& bits = strings.emplace_back(in.bits());
    std::uint64_t count = 0;
    const std::uint64_t size = in.number();
    if (size == 0) fail("a cluster has no word");
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::string_view text = in.take(in.number());
      if (!is_word(text)) fail("a word is empty or contains a blank");
      const std::uint64_t step = in.number();
      if (i > 0 && step > count) fail("a count is negative");
      count = i == 0 ? step : count - step;
      lines.push_back({bits, text, count});
    }
  }
  if (!in.at_end()) fail("something follows them");
  WordClusters clusters(std::move(lines));
  if (clusters.duplicates() > 0) fail("a word occurs twice");
  return clusters;
}

}  // namespace copse
