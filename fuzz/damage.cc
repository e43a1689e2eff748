#include "fuzz/damage.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "copse/base/random.h"
#include "copse/model/model_file.h"

namespace copse::fuzz {
namespace {

constexpr std::size_t kChange = 7;  // bytes of one

struct Change {
  std::uint8_t section, how, what;
  std::uint32_t where;
};

Change change_at(std::string_view bytes) {
  Change change{};
  change.section = static_cast<std::uint8_t>(bytes[0]);
  change.how = static_cast<std::uint8_t>(bytes[1]);
  std::memcpy(&change.where, bytes.data() + 2, 4);
  change.what = static_cast<std::uint8_t>(bytes[6]);
  return change;
}

// The bits of numbers that are not what somebody expected.
std::uint64_t odd_number(std::uint8_t what) {
  constexpr auto kFloat = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  constexpr auto kDouble = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  const std::array<std::uint64_t, 16> numbers = {
      0,
      1,
      UINT64_MAX,
      UINT32_MAX,
      UINT16_MAX,
      std::uint64_t{INT32_MAX},
      std::uint64_t{1} << 31,
      std::uint64_t{1} << 63,
      kFloat(NAN),
      kFloat(INFINITY),
      kFloat(3e38F),
      kFloat(-1e30F),
      kDouble(std::nan("")),
      kDouble(HUGE_VAL),
      kDouble(-1e300),
      kDouble(1e-300),
  };
  return numbers[what % numbers.size()];
}

nlohmann::json odd_value(std::uint8_t what) {
  static const std::vector<nlohmann::json> values = {nullptr,
                                                     0,
                                                     1,
                                                     -1,
                                                     INT32_MAX,
                                                     INT64_MIN,
                                                     UINT64_MAX,
                                                     1e300,
                                                     -0.5,
                                                     true,
                                                     "x",
                                                     "",
                                                     nlohmann::json::array(),
                                                     nlohmann::json::object(),
                                                     nlohmann::json{1, 2, 70000},
                                                     1e-300};
  return values[what % values.size()];
}

// One of the values in a text of JSON, counted through all levels.
void change_json(std::string& text, const Change& change) {
  nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
  if (!value.is_structured() || value.empty()) return;
  nlohmann::json flat = value.flatten();
  auto leaf = flat.begin();
  std::advance(leaf, static_cast<std::ptrdiff_t>(change.where % flat.size()));
  value[nlohmann::json::json_pointer(leaf.key())] = odd_value(change.what);
  text = value.dump();
}

void apply(std::string& bytes, const Change& change) {
  const std::size_t at = bytes.empty() ? 0 : change.where % bytes.size();
  const std::size_t rest = bytes.size() - at;
  switch (change.how % 7) {
    case 0:
      if (rest > 0) bytes[at] = static_cast<char>(change.what);
      break;
    case 1: {
      const std::size_t size = std::size_t{2} << (change.what % 3);
      const std::uint64_t number = odd_number(static_cast<std::uint8_t>(change.what / 3));
      const std::size_t place = at / size * size;
      std::memcpy(bytes.data() + place, &number, std::min(size, bytes.size() - place));
      break;
    }
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.erase(at, change.what);
      break;
    case 4:
      bytes.insert(at, std::size_t{1} + change.what % 64, static_cast<char>(change.what));
      break;
    default:
      change_json(bytes, change);
  }
}

}  // namespace

std::string damaged_model(const std::string& model, std::string_view changes) {
  const ModelFile file = ModelFile::from_bytes(model, "model");
  std::vector<std::string> sections;
  for (const auto& section : file.sections()) sections.emplace_back(file.text(section.name));
  std::vector<bool> left_out(sections.size(), false);
  for (; changes.size() >= kChange; changes.remove_prefix(kChange)) {
    const Change change = change_at(changes);
    const std::size_t which = change.section % sections.size();
    if (change.how % 7 == 6 && file.sections()[which].name != "config") {
      left_out[which] = true;
    } else {
      apply(sections[which], change);
    }
  }
  nlohmann::json config = file.config();
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (file.sections()[i].name != "config") continue;
    nlohmann::json changed = nlohmann::json::parse(sections[i], nullptr, false);
    if (changed.is_object()) config = std::move(changed);
  }
  const bool named = config.contains("kind") && config["kind"].is_string();
  const std::string kind = named ? config["kind"].get<std::string>() : file.kind();
  ModelWriter writer(kind, config);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::string& name = file.sections()[i].name;
    if (name != "config" && !left_out[i]) writer.add(name, std::move(sections[i]));
  }
  return writer.bytes();
}

std::string random_changes(std::uint64_t seed) {
  Random random(seed);
  std::string changes;
  for (int count = random.between(1, 3); count > 0; --count) {
    changes += static_cast<char>(random.below(256));
    changes += static_cast<char>(random.below(7));
    const auto where =
        static_cast<std::uint32_t>(random.chance(0.5) ? random.below(64) : random.next());
    changes.append(reinterpret_cast<const char*>(&where), sizeof where);
    changes += static_cast<char>(random.below(256));
  }
  return changes;
}

}  // namespace copse::fuzz
