#include "copse/pipeline/kept_parts.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "copse/base/data_source.h"
#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/base/output.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

std::string read_key(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

KeptParts::KeptParts(std::string folder) : folder_(std::move(folder)) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) throw machine_error("cannot make the folder " + folder_, failed.value());
}

KeptParts::Part KeptParts::get(const std::string& name, const std::string& key,
                               const std::function<void(const std::string&)>& make) const {
  Part part{file(name), fs::exists(file(name)) && read_key(file(name) + ".key") == key};
  if (part.kept) return part;
  fs::remove(part.path + ".key");
  make(part.path);
  Output output = Output::open(part.path + ".key");  // after the file: it says that it is complete
  output.write(key);
  output.commit();
  return part;
}

void KeptParts::remove() const {
  std::error_code ignored;  // what stays does no harm
  fs::remove_all(folder_, ignored);
}

std::string checksum_of_file(const std::string& path) {
  if (path.empty()) return "none";
  Input input = Input::open(path);
  Checksum checksum;
  std::array<char, std::size_t{1} << 16> buffer;
  while (const std::size_t got = input.read(buffer)) checksum.add({buffer.data(), got});
  return checksum.text();
}

}  // namespace copse
