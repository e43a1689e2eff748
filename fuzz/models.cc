// Model files and the tables inside them.
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "copse/base/error.h"
#include "copse/model/frozen_weights.h"
#include "copse/model/model_file.h"
#include "copse/model/scalar_table.h"
#include "fuzz/promise.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

// Runs `call`; only a data error may come out of it.
template <class Call>
void only_data_errors(Call call) {
  try {
    call();
  } catch (const Error& error) {
    promise(error.kind() == ErrorKind::data, "bad data is a data error");
  }
}

std::uint64_t number_at(const std::string& bytes, std::size_t offset) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

void put_number(std::string& bytes, std::size_t offset, std::uint64_t value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// Makes the checksums right (model_file.h draws where they stand): a fuzzer would hardly guess
// them, and what lies behind them must hold as well.
std::string sealed(std::string bytes) {
  if (bytes.size() < 64) return bytes;
  put_number(bytes, 16, bytes.size());
  const std::size_t sections = number_at(bytes, 8) >> 32;
  if (sections > (bytes.size() - 64) / 64) return bytes;
  for (std::size_t row = 64; row < 64 + sections * 64; row += 64) {
    const std::uint64_t offset = number_at(bytes, row + 40);
    const std::uint64_t size = number_at(bytes, row + 48);
    if (offset > bytes.size() || size > bytes.size()) continue;
    const std::size_t padded = (size + 63) / 64 * 64;
    if (padded > bytes.size() - offset) continue;
    put_number(bytes, row + 56, XXH3_64bits(bytes.data() + offset, padded));
  }
  put_number(bytes, 24, XXH3_64bits(bytes.data() + 64, sections * 64));
  put_number(bytes, 32, XXH3_64bits(bytes.data(), 32));
  return bytes;
}

void look_at(const ModelFile& model) {
  promise(model.config().is_object(), "the configuration is an object");
  model.config().dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (const auto& section : model.sections()) {
    promise(model.has(section.name), "a section is found by its name");
    promise(model.section(section.name).data() == section.bytes.data(), "and it is that section");
    only_data_errors([&] { model.strings(section.name); });
    only_data_errors([&] { model.array<std::uint64_t>(section.name); });
    only_data_errors([&] { FrozenWeights::view(section.bytes); });
    only_data_errors([&] { ScalarTable::view(section.bytes); });
  }
}

}  // namespace

void model_file(std::string_view bytes) {
  only_data_errors([&] { look_at(ModelFile::from_bytes(bytes, "fuzz")); });
  only_data_errors([&] { look_at(ModelFile::from_bytes(sealed(std::string(bytes)), "fuzz")); });
}

void frozen_weights(std::string_view bytes) {
  // In a block of its own, so that a sanitizer sees every step beyond it.
  std::vector<std::uint64_t> aligned((bytes.size() + 7) / 8);
  if (!bytes.empty()) std::memcpy(aligned.data(), bytes.data(), bytes.size());
  only_data_errors([&] {
    const auto table =
        FrozenWeights::view(std::as_bytes(std::span(aligned)).subspan(0, bytes.size()));
    std::vector<FeatureKey> keys;
    for (FeatureKey i = 0; i < 200; ++i) keys.push_back(scramble(i));
    std::vector<float> together(table.labels());
    std::vector<float> one_by_one(table.labels());
    table.add_all_to(keys, together);
    for (const FeatureKey key : keys) {
      if (key != kAbsent) table.add_to(table.find(key), one_by_one);
    }
    const auto same_bits = [](float a, float b) {  // sums of wild weights may not be numbers
      return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
    };
    promise(std::ranges::equal(together, one_by_one, same_bits), "many lookups equal single ones");
    promise(table.rows() < bytes.size() && table.weights() < bytes.size(), "counts are possible");
  });
}

void scalar_table(std::string_view bytes) {
  struct alignas(64) Line {
    std::array<char, 64> bytes;
  };
  std::vector<Line> aligned((bytes.size() + sizeof(Line) - 1) / sizeof(Line));
  if (!bytes.empty()) std::memcpy(aligned.data(), bytes.data(), bytes.size());
  only_data_errors([&] {
    const auto table =
        ScalarTable::view(std::as_bytes(std::span(aligned)).subspan(0, bytes.size()));
    promise(table.bytes() == bytes.size(), "every byte belongs to the table");
    promise(table.features() <= bytes.size() / 64 * ScalarTable::kPlaces, "counts are possible");
    promise(table.scale() >= 0 && table.scale() <= 1e30F, "the scale is a number");
    for (FeatureKey i = 0; i < 200; ++i) {
      table.prefetch(scramble(i));
      promise(std::abs(table.find(scramble(i))) <= 32768, "weights have sixteen bits");
    }
  });
}

}  // namespace copse::fuzz
