// The best of the weights that training offers, by the development lists; by each of kListParts, for
// figures that nothing was chosen on (cross_figures.h).
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "copse/base/thread_team.h"
#include "copse/rerank/hidden/training_data.h"
#include "copse/rerank/line_search.h"

namespace copse::hidden {

class DevSelection {
 public:
  // Without development lists the last offer is the best.
  DevSelection(const HiddenData* dev, double base_weight);

  // True if it is better than all before it, on all lists. `choice`: what it is, for the record.
  bool offer(std::vector<float> weights, const nlohmann::json& choice, ThreadTeam& team);

  const std::vector<float>& weights() const { return weights_; }
  double base_weight() const { return base_weight_; }
  const std::string& choice() const { return choice_; }  // JSON
  // Of the last offer and of the best one, on all lists.
  const std::string& last_line() const { return last_line_; }
  ChoiceFigures figures() const;
  CrossFigures crossed() const;

  // For learning to go on from. load() throws data_error for what save() did not write.
  void save(ModelWriter& writer) const;
  void load(const ModelFile& file, std::size_t weights);

 private:
  struct Kept {
    double figure = 0;
    ChosenCandidates chosen;
  };
  const HiddenData* dev_;
  std::array<Kept, kListParts.size()> kept_;
  std::vector<float> weights_;
  double base_weight_;
  std::string choice_ = "{}", last_line_;
};

}  // namespace copse::hidden
