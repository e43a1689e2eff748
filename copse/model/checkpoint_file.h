// A file that training can go on from: the state of a learner under the identity of its data and
// options. A later run with the same identity finds it; one with another is refused.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>

#include "copse/model/model_file.h"

namespace copse {

class CheckpointFile {
 public:
  // `path` empty: nothing is saved or found. `kind`: of the file.
  CheckpointFile(std::string path, std::string kind, std::string identity)
      : path_(std::move(path)), kind_(std::move(kind)), identity_(std::move(identity)) {}

  bool is_wanted() const { return !path_.empty(); }
  // Nothing if there is no such file. Throws usage_error if it is of other data or options,
  // data_error if it is damaged or of another kind.
  std::optional<ModelFile> open() const;
  // The error for a file of other data or options.
  Error refusal() const;
  // A file to be filled with state and given to save().
  ModelWriter begin(nlohmann::json config) const;
  void save(const ModelWriter& writer) const;

 private:
  std::string path_, kind_, identity_;
};

}  // namespace copse
