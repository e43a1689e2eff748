#include "copse/pipeline/model_path.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include "copse/base/error.h"
#include "copse/base/suggest.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".copse";

std::optional<std::string> variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::optional<std::string> user_folder() {
  if (const auto data = variable("XDG_DATA_HOME")) return *data + "/copse";
  if (const auto home = variable("HOME")) return *home + "/.local/share/copse";
  return std::nullopt;
}

// The library or module that this code was linked into; empty if that is the program itself.
fs::path own_module() {
  Dl_info where{};
  if (::dladdr(reinterpret_cast<const void*>(&own_module), &where) == 0) return {};
  if (where.dli_fname == nullptr || !std::string_view(where.dli_fname).ends_with(".so")) return {};
  std::error_code failed;
  const fs::path module = fs::canonical(where.dli_fname, failed);
  return failed ? fs::path() : module;
}

// "models" beside the file, and share/copse/models below `levels` of the folders above it.
void add_beside(const fs::path& file, int levels, std::vector<ModelFolder>& folders) {
  fs::path folder = file.parent_path();
  folders.push_back({ModelOrigin::builtin, (folder / "models").string()});
  for (int i = 0; i < levels && folder != folder.parent_path(); ++i) {
    folder = folder.parent_path();
    folders.push_back({ModelOrigin::builtin, (folder / "share/copse/models").string()});
  }
}

void add_builtin(std::vector<ModelFolder>& folders) {
  constexpr int kModuleLevels = 4;  // PREFIX/lib/python3.x/dist-packages/copse
  if (const fs::path module = own_module(); !module.empty()) {
    add_beside(module, kModuleLevels, folders);
  } else {
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    if (!failed) add_beside(program, 1, folders);
  }
#ifdef COPSE_MODEL_FOLDER
  if (folders.empty() || folders.back().path != COPSE_MODEL_FOLDER) {
    folders.push_back({ModelOrigin::builtin, COPSE_MODEL_FOLDER});
  }
#endif
}

bool is_path(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(kEnding);
}

}  // namespace

ModelPath ModelPath::standard() {
  ModelPath path;
  if (const auto value = variable("COPSE_MODELS")) {
    for (std::size_t begin = 0; begin <= value->size();) {
      const std::size_t end = std::min(value->find(':', begin), value->size());
      if (end > begin) {
        path.folders.push_back({ModelOrigin::environment, value->substr(begin, end - begin)});
      }
      begin = end + 1;
    }
  }
  if (const auto user = user_folder()) path.folders.push_back({ModelOrigin::user, *user});
  add_builtin(path.folders);
  return path;
}

std::vector<InstalledModel> ModelPath::models() const {
  std::vector<InstalledModel> found;
  std::set<std::string> seen;
  for (const ModelFolder& folder : folders) {
    std::error_code failed;
    std::set<std::string> here;
    for (const fs::directory_entry& file : fs::directory_iterator(folder.path, failed)) {
      const std::string name = file.path().filename().string();
      if (name.size() > kEnding.size() && name.ends_with(kEnding) && name.front() != '.') {
        here.insert(name.substr(0, name.size() - kEnding.size()));
      }
    }
    for (const std::string& name : here) {
      const std::string path = fmt::format("{}/{}{}", folder.path, name, kEnding);
      const bool known = std::ranges::any_of(
          found, [&](const InstalledModel& model) { return model.path == path; });
      if (known) continue;
      found.push_back({name, path, folder.origin, !seen.insert(name).second});
    }
  }
  std::ranges::stable_sort(found, {}, &InstalledModel::name);
  return found;
}

std::string ModelPath::find(const std::string& name) const {
  if (is_path(name)) return name;
  std::vector<std::string> names;
  for (const InstalledModel& model : models()) {
    if (model.name == name) return model.path;
    if (!model.hidden) names.push_back(model.name);
  }
  std::string hint =
      "'copse models' lists those that there are; a path has a '/' or ends in .copse";
  if (const auto near = nearest(name, names)) hint = fmt::format("did you mean '{}'?", *near);
  throw machine_error(fmt::format("there is no model '{}'", name)).with_hint(hint);
}

std::string user_model_folder() {
  if (const auto folder = user_folder()) return *folder;
  throw machine_error("neither HOME nor XDG_DATA_HOME says where models of yours go");
}

std::string_view name_of(ModelOrigin origin) {
  switch (origin) {
    case ModelOrigin::environment:
      return "COPSE_MODELS";
    case ModelOrigin::user:
      return "user";
    case ModelOrigin::builtin:
      return "built-in";
  }
  return "";
}

}  // namespace copse
