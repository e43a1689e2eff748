#include "copse/constituency/spinal/pruning_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "copse/base/stream.h"
#include "copse/base/thread_team.h"
#include "copse/constituency/gold_line.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/n_best_scores.h"

namespace copse::spinal {
namespace {

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

// What is right of a sentence, in the numbers of the inventory; -1 for what it has not.
Analysis right_of(const PhraseTree& tree, const SpinalParser& parser,
                  std::span<const std::string> tags) {
  const Inventory& inventory = *parser.parts().inventory;
  Symbols labels = inventory.labels();
  const Levels levels = parser.parts().options.exact_levels ? Levels::exact : Levels::merged;
  Derivation derivation = derivation_of(tree, parser.parts().heads, levels, labels);
  for (std::size_t k = 0; k < tags.size(); ++k) {
    derivation.spines[k + 1].tag = static_cast<LabelId>(labels.add(tags[k]));
  }
  const auto grammar = grammar_of(derivation);
  const std::vector<int> none(at(derivation.words()) + 1, -1);
  Analysis out{none, none, none, none};
  for (int m = 1; m <= derivation.words(); ++m) {
    out.chain[at(m)] = inventory.chain(derivation.spines[at(m)].phrases);
    out.head[at(m)] = derivation.adjunctions[at(m)].head;
    out.adjunction[at(m)] = inventory.adjunction(grammar[at(m)]);
  }
  return out;
}

// A point for each right adjunction, half a one for each right spine.
SpinalScores points(const SpinalParts& parts, const Analysis& right) {
  SpinalScores out;
  out.reset(parts, false);
  for (int a = 0; a < parts.arcs(); ++a) {
    out.dep[at(a)] = right.has(parts.arc(a)) ? 1.0F : 0.0F;
  }
  for (int i = 1; i <= parts.words(); ++i) {
    for (std::size_t k = 0; k < parts.spines(i).size(); ++k) {
      const bool same = parts.spines(i)[k].id == right.chain[at(i)];
      out.spine[at(parts.first_spine(i)) + k] = same ? 0.5F : 0.0F;
    }
  }
  return out;
}

// Of one sentence and one alpha.
struct Survivors {
  std::size_t words = 0, active = 0, covered = 0;
  NBestList oracle;
};

class Sentence {
 public:
  Sentence(const SpinalParser& parser, const PhraseTree& tree, Workspace& workspace)
      : parser_(parser), workspace_(workspace), words_(words_of(tree)) {
    tags_ = parser.tags_of({words_, {}}, workspace);
    views_ = std::make_unique<WordViews>(words_, tags_, parser.parts().lexicon);
    workspace.atoms.fill(views_->words(), parser.clusters());
    right_ = right_of(tree, parser, tags_);
  }

  Survivors survivors(double alpha) {
    const auto& inventory = *parser_.parts().inventory;
    auto arcs =
        parser_.parts().pruner.prune(views_->words(), workspace_.atoms, alpha, workspace_.pruner);
    Survivors out;
    out.words = words_.size();
    out.active = arcs.size();
    out.covered = static_cast<std::size_t>(
        std::ranges::count_if(arcs, [&](const SpinalArc& arc) { return right_.has(arc); }));
    const SpinalParts parts(inventory.adjunctions(), spines_of(inventory, words_, tags_),
                            std::move(arcs));
    const SpinalAnswer best = workspace_.search.best(parts, points(parts, right_));
    if (best.status != SearchStatus::ok) return out;
    out.oracle.parses.push_back(
        {0, tree_of(derivation_of(analysis_of(parts, best.derivation), tags_, inventory), words_,
                    inventory.labels())});
    return out;
  }

 private:
  const SpinalParser& parser_;
  Workspace& workspace_;
  std::vector<std::string> words_, tags_;
  std::unique_ptr<WordViews> views_;
  Analysis right_;
};

}  // namespace

double PruningFigures::active_percent() const {
  return 100 * ratio(static_cast<double>(active), possible);
}
double PruningFigures::per_word() const {
  return ratio(static_cast<double>(active), static_cast<double>(words));
}
double PruningFigures::coverage() const {
  return 100 * ratio(static_cast<double>(covered), static_cast<double>(words));
}

nlohmann::json PruningFigures::json() const {
  return {{"alpha", alpha},         {"sentences", sentences}, {"active", active_percent()},
          {"per_word", per_word()}, {"coverage", coverage()}, {"oracle", oracle.f1()}};
}

std::vector<PruningFigures> pruning_report(const SpinalParser& parser, std::span<const Entry> gold,
                                           std::span<const double> alphas, int threads) {
  ThreadTeam team(resolve_threads(threads));
  std::vector<std::vector<Survivors>> found(gold.size());
  team.for_each(
      gold.size(), [] { return Workspace(); },
      [&](std::size_t i, Workspace& workspace) {
        const PhraseTree tree = gold[i].tree.empty() ? PhraseTree() : clean(gold[i].tree).tree;
        if (tree.empty() || tree.words() == 0) return;
        Sentence sentence(parser, tree, workspace);
        for (const double alpha : alphas) found[i].push_back(sentence.survivors(alpha));
      });
  std::vector<PruningFigures> out;
  const auto kinds = static_cast<double>(parser.parts().inventory->adjunctions().size());
  for (std::size_t k = 0; k < alphas.size(); ++k) {
    PruningFigures& sum = out.emplace_back();
    sum.alpha = alphas[k];
    NBestScores oracle;
    for (std::size_t i = 0; i < gold.size(); ++i) {
      if (found[i].empty()) continue;
      Survivors& each = found[i][k];
      ++sum.sentences;
      sum.words += each.words;
      sum.active += each.active;
      sum.covered += each.covered;
      sum.possible += kinds * static_cast<double>(each.words) * static_cast<double>(each.words);
      oracle.add(each.oracle, gold_line(gold[i].tree));
    }
    sum.oracle = oracle.baseline();
  }
  return out;
}

std::string pruning_table(std::span<const PruningFigures> figures) {
  std::string text = "   alpha  active %  for each word  coverage  oracle F1\n";
  for (const PruningFigures& each : figures) {
    text += fmt::format("{:>8.0e}  {:>8.3f}  {:>13.1f}  {:>8.2f}  {:>9.2f}\n", each.alpha,
                        each.active_percent(), each.per_word(), each.coverage(), each.oracle.f1());
  }
  return text;
}

}  // namespace copse::spinal
