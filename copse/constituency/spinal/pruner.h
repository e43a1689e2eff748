// Which adjunctions have a chance (Carreras, Collins & Koo 2008, section 5): three ordinary
// first-order labelled projective dependency models, log-linear, one for each of X, Y, Z. With their
// marginals mu_1(h,m,X), mu_2(h,m,Y), mu_3(h,m,Z),
//
//   mu(h,m,<X,Y,Z>) = mu_1 mu_2 mu_3
//   keep              iff   mu >= alpha * max over h of the product of the three maxima
//
// Before them, an unlabelled model of the same kind leaves out arcs that are hopeless whatever the
// label (dependency/arc_pruner.h), so that labels are summed for few arcs.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "copse/base/huge_pages.h"
#include "copse/base/thread_team.h"
#include "copse/constituency/spinal/analysis.h"
#include "copse/constituency/spinal/inventory.h"
#include "copse/dependency/arc_pruner.h"
#include "copse/model/model_file.h"

namespace copse::spinal {

struct PrunerOptions {
  double arc_threshold = 1e-4;  // of the unlabelled model
  int passes = 5;
  double rate = 0.1;
  double variance = 1;
  int min_count = 2;  // of a feature
  // Trees that it is learnt from at most, spread evenly over all: it need not be as good as the
  // parser, and what it has not seen shows the parser what it will leave in use. 0: all of them.
  int most_trees = 6000;

  // Whether the i-th of so many trees is one of them.
  bool learns_from(std::size_t i, std::size_t trees) const {
    if (most_trees == 0) return true;
    const auto most = static_cast<std::size_t>(most_trees);
    return trees <= most || i * most / trees != (i + 1) * most / trees;
  }
};

// What the pruner learns from.
struct PrunerExample {
  std::span<const ParserWord> words;
  const Analysis* gold = nullptr;
};

class Pruner {
 public:
  // Memory of one thread.
  struct Scratch {
    ArcPruner::Scratch arcs;
    TreeSearch search;
    PartScorer::Scratch scorer;
    PartScores scores;
  };

  Pruner() = default;
  // The lengths of arcs are those of all examples.
  static Pruner train(std::span<const PrunerExample> examples, const Inventory& inventory,
                      const PrunerOptions& options, ThreadTeam& team);
  static Pruner load(const ModelFile& file, const Inventory& inventory);
  void save(ModelWriter& writer) const;
  double arc_threshold() const { return arcs_.threshold(); }

  // The surviving adjunctions of a sentence, by head, modifier and label. alpha 0 keeps every label
  // that training has seen, for the arcs that are left.
  std::vector<SpinalArc> prune(std::span<const ParserWord> words, const PositionAtoms& atoms,
                               double alpha, Scratch& scratch) const;

 private:
  struct Model {
    // Needs bytes that freeze_within() made, or that were saved. Without labels: an arc model.
    Model(const std::string& templates, std::span<const std::byte> weights,
          std::span<const std::byte> label_weights, std::vector<LabelId> labels);
    Model() = default;
    void save(ModelWriter& writer, const std::string& prefix) const;
    int label_of(LabelId id) const;  // -1 if it has not this one

    HugePageCopy weights, label_weights;
    std::vector<LabelId> labels;  // ascending
    PartScorer scorer;
  };
  struct Learning;

  static Model learn(const Learning& from, std::vector<LabelId> labels,
                     const std::function<LabelId(const SpinalLabel&)>& label_of);
  static Model load_model(const ModelFile& file, const std::string& prefix, bool labelled,
                          const std::string& templates, const Inventory& inventory);
  void finish(const Inventory& inventory, Model arcs, LengthFilter filter, double threshold);
  bool may_join(int h, int adjunction) const {
    return (h == 0) == (root_[static_cast<std::size_t>(adjunction)] != 0);
  }

  std::string templates_;
  Model arc_model_;
  ArcPruner arcs_;
  std::array<Model, 3> models_;             // of X, Y, Z
  std::vector<std::array<int, 3>> places_;  // [adjunction] -> its labels in the models
  std::vector<std::uint8_t> root_;          // [adjunction] -> 1 if it is one of the root
};

}  // namespace copse::spinal
