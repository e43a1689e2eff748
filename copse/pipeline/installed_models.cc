#include "copse/pipeline/installed_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/pipeline/bundle.h"
#include "copse/pipeline/pipeline.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestModel = std::size_t{4} << 30;

void check_name(const std::string& name) {
  const auto good = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  };
  if (!name.empty() && name.front() != '.' && std::ranges::all_of(name, good)) return;
  throw usage_error(fmt::format("'{}' cannot be the name of a model", name),
                    "expected letters, digits, '-', '_' and '.'");
}

// "en" of "models/en.copse.zst".
std::string stem_of(const std::string& file) {
  const std::string name = fs::path(file).filename().string();
  return name.substr(0, name.find(".copse"));
}

std::string path_of(const std::string& name) {
  return fmt::format("{}/{}.copse", user_model_folder(), name);
}

}  // namespace

std::string install_model(const std::string& file, const std::string& given) {
  const std::string bytes = Input::open(file).read_all(kLargestModel);
  const ModelFile model = ModelFile::from_bytes(bytes, file);
  model.require_kind(kBundleKind);
  Pipeline::from(model);  // throws if one of its components cannot be read
  std::string name = given.empty() ? bundle_name(model) : given;
  if (name.empty()) name = stem_of(file);
  check_name(name);
  std::string path = path_of(name);
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  if (failed) {
    throw machine_error(fmt::format("cannot make the folder {}", user_model_folder()),
                        failed.value());
  }
  Output output = Output::open(path);
  output.write(bytes);
  output.commit();
  return path;
}

std::string remove_model(const std::string& name) {
  check_name(name);
  std::string path = path_of(name);
  std::error_code failed;
  if (fs::remove(path, failed)) return path;
  if (failed) throw machine_error(fmt::format("cannot remove {}", path), failed.value());
  const std::string elsewhere = ModelPath::standard().find(name);
  throw usage_error(fmt::format("{} was not put there by 'copse models install'", elsewhere),
                    "remove the file yourself if you mean it");
}

}  // namespace copse
