// The settings in a configuration, each within its range. Checksums are no secret: whoever writes a
// model file can write any number into it, so none is used before it was looked at.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "copse/model/model_file.h"

namespace copse {

class Settings {
 public:
  // `object` is what stands in the section of that name; both must outlive this.
  Settings(const ModelFile& file, std::string section, const nlohmann::json& object)
      : file_(file), section_(std::move(section)), object_(object) {}

  // Each throws data_error naming section and setting when it is missing, of another type or out of
  // its range, the ends of which belong to it. No number is infinite or none.
  double number(const char* name, double least, double most) const;
  int whole(const char* name, int least, int most) const;
  bool flag(const char* name) const;
  std::string text(const char* name) const;

 private:
  const nlohmann::json& at(const char* name) const;
  Error wrong(const char* name, const std::string& expected) const;

  const ModelFile& file_;
  std::string section_;
  const nlohmann::json& object_;
};

}  // namespace copse
