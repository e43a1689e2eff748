#include "copse/model/settings.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace copse {

const nlohmann::json& Settings::at(const char* name) const {
  if (!object_.is_object() || !object_.contains(name)) {
    throw file_.damaged(section_, fmt::format("has no \"{}\"", name));
  }
  return object_[name];
}

Error Settings::wrong(const char* name, const std::string& expected) const {
  constexpr std::size_t kShown = 40;
  std::string value = at(name).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (value.size() > kShown) {
    value.resize(kShown);
    value += "...";
  }
  return file_.damaged(section_, fmt::format("\"{}\" is {}; expected {}", name, value, expected));
}

double Settings::number(const char* name, double least, double most) const {
  const nlohmann::json& value = at(name);
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= least && number <= most)) {
    throw wrong(name, fmt::format("a number from {} to {}", least, most));
  }
  return number;
}

int Settings::whole(const char* name, int least, int most) const {
  const nlohmann::json& value = at(name);
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= least && number <= most) || number != std::floor(number)) {
    throw wrong(name, fmt::format("a whole number from {} to {}", least, most));
  }
  return static_cast<int>(number);
}

bool Settings::flag(const char* name) const {
  if (!at(name).is_boolean()) throw wrong(name, "true or false");
  return at(name).get<bool>();
}

std::string Settings::text(const char* name) const {
  if (!at(name).is_string()) throw wrong(name, "a text");
  return at(name).get<std::string>();
}

}  // namespace copse
