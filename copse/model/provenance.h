// Where a model comes from, kept inside it: program version, options, seed, the data by its
// checksum, and the figures reached. No time and no path, so that the same training gives the same
// bytes anywhere.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

struct DataSource {
  std::string role;  // "train", "dev", "clusters"
  std::string name;  // of the file, without its folders
  std::string checksum;
  long sentences = 0;
  long words = 0;
};

// XXH3 of some bytes, as 16 hexadecimal digits.
std::string checksum_text(std::string_view bytes);
// The last part of a path.
std::string file_name(std::string_view path);

// The object stored under "provenance".
nlohmann::json provenance(const nlohmann::json& options, const std::vector<DataSource>& data,
                          const nlohmann::json& figures);

}  // namespace copse
