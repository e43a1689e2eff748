// What a training does before its passes, and most of its time: tags by taggers that have not seen
// the sentence, the tagger of the model and its pruner. Kept in a file, it serves every training on
// the same trees that differs in what comes after (order, update, passes, alpha), and each comes out
// as it would have without the file.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/constituency/spinal/examples.h"
#include "copse/constituency/spinal/pruner.h"
#include "copse/model/checkpoint_file.h"
#include "copse/tag/sequence_tagger.h"
#include "copse/treebank/format.h"

namespace copse::spinal {

struct TrainingOptions;

struct Tagging {
  SequenceTagger tagger;                       // of the model
  std::vector<std::vector<std::string>> tags;  // to learn from: of each word of each example
};

// The trees as text, for who wants to know whether they are the same.
std::string text_of(std::span<const std::span<const Entry>> trees);

class Preparation {
 public:
  // In the file that the options name, if they do. Throws usage_error if there is one of other trees
  // or options, data_error if it is damaged. The options must outlive it.
  Preparation(const std::string& trees, const TrainingOptions& options, const std::string& heads);

  bool is_there() const { return file_.has_value(); }
  // Each from the file, or learnt.
  Tagging tagging(std::span<const Example> examples) const;
  Pruner pruner(const Inventory& inventory, const std::function<Pruner()>& learn) const;
  // Unless it is there.
  void save(const Tagging& tagging, const Pruner& pruner) const;

 private:
  Tagging saved_tagging(std::span<const Example> examples) const;

  const TrainingOptions& options_;
  CheckpointFile place_;
  std::optional<ModelFile> file_;
};

}  // namespace copse::spinal
