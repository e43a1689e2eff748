// Scores of every way to attach a word: sites, the open phrases of the beam that it may go under, and
// the chains of its tag at each of them.
//
// Hypotheses whose open phrases look alike to all features share one site; chains that begin alike
// share the scores of their first phrases. Chains grow by a phrase at a time at all sites at once: of
// the beginnings of one length only the most promising grow on, so that most of what a chain could
// have under its first phrases need not be looked up.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "copse/base/arena.h"
#include "copse/constituency/incremental/context_scores.h"

namespace copse::incremental {

struct ChainScore {
  int chain = 0;
  int node = 0;  // of the tree of chains
  Score score;
  std::int32_t next = -1;  // at the same site
};

// A place to attach a word at.
struct Site {
  const Cell* cell = nullptr;
  LabelId tag = 0;
  bool may_end = true;        // as the grammar has it
  std::uint32_t context = 0;  // of what is built in it
  Score end;                  // of closing the phrase
  // Of the best hypothesis that comes here.
  double best = -std::numeric_limits<double>::infinity();
  std::int32_t chains = -1;  // the first of them
};

// What is added for each step that the grammar does not know, where nothing else is left.
inline constexpr double kRelaxedPenalty = -1000;

template <class Weights>
class Scorer {
 public:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  void start(const ScoringModel<Weights>& model, const SentenceWords& words) {
    model_ = model;
    contexts_.start(model, words);
  }
  // The word to be attached; the one after the last is the end. Forgets all sites. Relaxed: steps
  // that the grammar does not know cost kRelaxedPenalty instead of being left out.
  void set_position(int position, bool relaxed = false) {
    relaxed_ = relaxed;
    contexts_.set_position(position);
    site_numbers_.clear();
    sites_.clear();
    with_ends_ = 0;
    chains_.clear();
  }

  // The number of a site; the cell must stay.
  std::uint32_t find(const Cell& cell, LabelId tag) {
    const std::uint32_t context = contexts_.node(cell, tag);
    const auto [number, is_new] = site_numbers_.find(atom_of(std::uint64_t{context}));
    if (!is_new) return number;
    Site site;
    site.cell = &cell;
    site.tag = tag;
    site.context = context;
    site.may_end = relaxed_ || model_.grammar->follows(cell.label, cell.last, kEnd);
    sites_.push_back(site);
    return number;
  }
  const Site& site(std::uint32_t number) const { return sites_[number]; }
  // Looks up all sites that were found; their ends are known from then on.
  void look_up_sites() {
    contexts_.look_up();
    for (; with_ends_ < sites_.size(); ++with_ends_) {
      Site& site = sites_[with_ends_];
      site.end = contexts_.of_node(site.context, kEnd);
      allowed(site, kEnd, site.end);
    }
  }
  // A hypothesis comes to a site with a score.
  void reach(std::uint32_t site, double score) {
    sites_[site].best = std::max(sites_[site].best, score);
  }
  // Finds the chains of all sites. Of the beginnings of one length so many grow on: those with which
  // some hypothesis is best.
  void grow_chains(std::size_t most) {
    cells_.reset();
    ends_.clear();
    ground_.clear();
    for (std::uint32_t i = 0; i < sites_.size(); ++i) {
      if (!tree(sites_[i]).empty())
        ground_.push_back({i, 0, sites_[i].cell, sites_[i].context, {}});
    }
    while (!ground_.empty()) {
      sprouts_.clear();
      for (const Beginning& each : ground_) sprout(each);
      keep_best(most);
      ground_.clear();
      for (const Sprout& each : sprouts_) ground_.push_back(opened(each));
      contexts_.look_up();
      finish_chains();
    }
  }
  // visit(chain) for each chain of a site, in no order.
  template <class Visit>
  void for_each_chain(const Site& site, Visit visit) const {
    for (std::int32_t i = site.chains; i >= 0; i = chains_[static_cast<std::size_t>(i)].next) {
      visit(chains_[static_cast<std::size_t>(i)]);
    }
  }
  // Of one chain, whether or not it is in use.
  Score chain(const Cell& cell, const Chain& labels) {
    cells_.reset();
    const LabelId tag = labels.back();
    std::vector<std::uint32_t> nodes;
    const Cell* parent = &cell;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      nodes.push_back(contexts_.node(*parent, tag));
      if (k + 1 < labels.size()) parent = &descend(*parent, labels[k]);
    }
    const std::uint32_t word = contexts_.word(*parent, tag);
    contexts_.look_up();
    Score sum;
    for (std::size_t k = 0; k < labels.size(); ++k) sum += contexts_.of_node(nodes[k], labels[k]);
    return sum + contexts_.of_word(word, tag);
  }

 private:
  // Phrases of a chain at a site, down to a node of the tree of chains; the phrase is open as `cell`.
  struct Beginning {
    std::uint32_t site = 0;
    int node = 0;
    const Cell* cell = nullptr;
    std::uint32_t context = 0;
    Score score;
  };
  // One phrase more, not opened yet.
  struct Sprout {
    std::uint32_t site = 0;
    int node = 0;
    const Cell* parent = nullptr;
    Score score;
    double best = 0;  // with the best hypothesis
  };
  // A chain whose word is not looked up yet.
  struct End {
    std::uint32_t site = 0, word = 0;
    int chain = 0, node = 0;
    Score score;
  };

  std::span<const ChainNode> tree(const Site& site) const {
    return model_.grammar->chains_of(site.tag);
  }
  const Cell& descend(const Cell& parent, LabelId label) {
    Cell& cell = cells_.make<Cell>(1).front();
    cell.label = label;
    cell.up = &parent;
    if (model_.grammar->is_slashed(label)) cell.head = parent.head;
    return cell;
  }
  bool allowed(const Site& site, LabelId child, Score& score) const {
    if (model_.grammar->follows(site.cell->label, site.cell->last, child)) return true;
    score.total += kRelaxedPenalty;
    return relaxed_;
  }

  // What a beginning is before one phrase more, and the chain that ends with it.
  void sprout(const Beginning& from) {
    const Site& site = sites_[from.site];
    const auto tree = this->tree(site);
    const auto at = [&](int node) -> const ChainNode& {
      return tree[static_cast<std::size_t>(node)];
    };
    const ChainNode& self = at(from.node);
    const auto built = [&](LabelId label, Score& score) {
      score = from.score + contexts_.of_node(from.context, label);
      return from.node != 0 || allowed(site, label, score);
    };
    Score score;
    if (self.chain >= 0 && built(site.tag, score)) {
      ends_.push_back(
          {from.site, contexts_.word(*from.cell, site.tag), self.chain, from.node, score});
    }
    for (int child = from.node + 1; child < self.next; child = at(child).next) {
      if (!built(at(child).label, score)) continue;
      sprouts_.push_back({from.site, child, from.cell, score, site.best + score.total});
    }
  }
  void keep_best(std::size_t most) {
    if (sprouts_.size() <= most) return;
    const auto better = [](const Sprout& a, const Sprout& b) {
      if (a.best != b.best) return a.best > b.best;
      return a.site != b.site ? a.site < b.site : a.node < b.node;
    };
    std::nth_element(sprouts_.begin(), sprouts_.begin() + static_cast<std::ptrdiff_t>(most),
                     sprouts_.end(), better);
    sprouts_.resize(most);
  }
  Beginning opened(const Sprout& from) {
    const Site& site = sites_[from.site];
    const Cell& cell = descend(*from.parent, tree(site)[static_cast<std::size_t>(from.node)].label);
    return {from.site, from.node, &cell, contexts_.node(cell, site.tag), from.score};
  }
  void finish_chains() {
    for (const End& each : ends_) {
      Site& site = sites_[each.site];
      const Score score = each.score + contexts_.of_word(each.word, site.tag);
      chains_.push_back({each.chain, each.node, score, site.chains});
      site.chains = static_cast<std::int32_t>(chains_.size()) - 1;
    }
    ends_.clear();
  }

  ScoringModel<Weights> model_;
  bool relaxed_ = false;
  ContextScores<Weights> contexts_;
  ContextCache site_numbers_;
  std::vector<Site> sites_;
  std::size_t with_ends_ = 0;  // sites whose ends are known
  std::vector<ChainScore> chains_;
  Arena cells_;  // phrases of chains
  std::vector<Beginning> ground_;
  std::vector<Sprout> sprouts_;
  std::vector<End> ends_;
};

}  // namespace copse::incremental
