#include "copse/base/error.h"

#include <fmt/core.h>

#include <system_error>

namespace copse {
namespace {

std::string render(const std::string& message, const Place& place, const std::string& hint) {
  std::string text = place.str();
  if (!text.empty()) text += ": ";
  text += message;
  if (!hint.empty()) text += "\n  hint: " + hint;
  return text;
}

}  // namespace

std::string Place::str() const {
  std::string text = file;
  if (line == 0) return text;
  if (text.empty()) {
    text = fmt::format("line {}", line);
  } else {
    text += fmt::format(":{}", line);
  }
  if (column != 0) text += fmt::format(":{}", column);
  return text;
}

Error::Error(ErrorKind kind, std::string message, Place place, std::string hint)
    : std::runtime_error(render(message, place, hint)),
      kind_(kind),
      message_(std::move(message)),
      place_(std::move(place)),
      hint_(std::move(hint)) {}

Error Error::at(const Place& place) const {
  Place merged = place_;
  if (merged.file.empty()) merged.file = place.file;
  if (merged.line == 0) {
    merged.line = place.line;
    merged.column = place.column;
  }
  return Error(kind_, message_, std::move(merged), hint_);
}

Error Error::with_hint(std::string hint) const {
  return Error(kind_, message_, place_, std::move(hint));
}

Error machine_error(std::string message, int errno_value, Place place) {
  if (errno_value != 0) {
    message += ": " + std::generic_category().message(errno_value);
  }
  return Error(ErrorKind::machine, std::move(message), std::move(place));
}

}  // namespace copse
