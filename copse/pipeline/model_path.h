// Where models are found by name: "en" is the file en.copse in the first of these folders that has
// one.
//
//   COPSE_MODELS            folders separated by colons, for a project or a service
//   ~/.local/share/copse    what `copse models install` put there (XDG_DATA_HOME/copse if it is set)
//   built-in                "models" beside the program (or the module that copse is a part of), or
//                           share/copse/models beside its folder
//
// So a model that somebody put somewhere wins over one of the same name that came with the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace copse {

// The bundle that is used where none is named.
inline constexpr std::string_view kDefaultModel = "en";

enum class ModelOrigin { environment, user, builtin };

struct ModelFolder {
  ModelOrigin origin;
  std::string path;
};

struct InstalledModel {
  std::string name;  // without .copse
  std::string path;
  ModelOrigin origin;
  bool hidden = false;  // another of the same name comes before it
};

// Which folders are looked into, first to last; they need not be there.
struct ModelPath {
  std::vector<ModelFolder> folders;

  // From the environment and from where the program is.
  static ModelPath standard();

  // All models, by name, then in the order of the folders.
  std::vector<InstalledModel> models() const;
  // A path that is given as one (it has a '/' or ends in .copse) as it is, else the file of that
  // name. Throws machine_error for a name that no folder has, with the nearest ones that there are.
  std::string find(const std::string& name_or_path) const;
};

// The folder that `copse models install` writes to. Throws machine_error without a home.
std::string user_model_folder();

std::string_view name_of(ModelOrigin origin);  // "COPSE_MODELS", "user", "built-in"

}  // namespace copse
