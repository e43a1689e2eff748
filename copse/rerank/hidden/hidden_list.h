// The candidates of a list as sums of weights: a graph of hidden values (inference/
// belief_propagation.h), and for each of its potentials the weights that it is the sum of.
//
// A feature of a context and a family owns a block of weights, one for each value of the family
// (pairs: one for each pair of values, rows for the upper word), so that one look-up serves all
// copies. The potential of a word has the blocks of its families side by side:
//
//   single   noun.act_1 noun.act_2 noun.act_3 | noun.group_1 noun.group_2 noun.group_3
//            sum of the blocks of ...noun.act | sum of the blocks of ...noun.group
//
// Contexts that lead to the same blocks have one potential, equal sub-trees one node: of the words of
// 27 candidates most are the same ones.
//
// Features of whole candidates can stand beside those of words: a variable by itself, of one value,
// whose potential is the sum of their weights, so that log Z grows by that. Those that all candidates
// of a list have equally often are left out.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "copse/inference/belief_propagation.h"
#include "copse/rerank/hidden/contexts.h"
#include "copse/rerank/hidden/domains.h"
#include "copse/rerank/list_features.h"

namespace copse::hidden {

struct HiddenList {
  // A part of a potential: the weights of one family, or pair of families.
  struct Segment {
    std::uint16_t row = 0, column = 0;
    std::uint8_t rows = 0, columns = 0;
    std::uint32_t block_end = 0;  // of blocks
  };
  struct Table {
    std::uint16_t rows = 0, columns = 0;
    std::uint32_t segment_end = 0;
  };

  BeliefGraph graph;
  std::vector<Table> tables;
  std::vector<Segment> segments;
  std::vector<std::uint32_t> blocks;  // where they begin among the weights
  std::vector<double> base;           // log probability of each candidate

  std::size_t candidates() const { return base.size(); }
  std::size_t bytes() const;

  // visit(table, segment, blocks of the segment) for all.
  template <class Visit>
  void for_each_segment(Visit visit) const {
    std::uint32_t segment = 0, block = 0;
    for (std::uint32_t t = 0; t < tables.size(); ++t) {
      for (; segment < tables[t].segment_end; ++segment) {
        const std::uint32_t end = segments[segment].block_end;
        visit(t, segments[segment], std::span(blocks).subspan(block, end - block));
        block = end;
      }
    }
  }

  // Sums of weights as potentials.
  template <class Weight>
  void fill(std::span<const Weight> weights, double scale, Potentials& out) const;
  // Adds rate * slopes to the weights; `slopes` in the layout of the potentials.
  void scatter(const Potentials& shapes, std::span<const double> slopes, double rate,
               std::span<double> weights) const;
  // The same, every weight of a block moved by the sum of their slopes: they stay equal.
  void scatter_tied(const Potentials& shapes, std::span<const double> slopes, double rate,
                    std::span<double> weights) const;
};

// Where the block of a feature begins; kNoBlock: it has none. `size` is the number of its weights.
inline constexpr std::uint32_t kNoBlock = UINT32_MAX;
using BlockOf =
    std::function<std::uint32_t(FeatureKey key, std::uint32_t rows, std::uint32_t columns)>;

// What makes lists from candidates; immutable, thread-safe.
struct Extraction {
  const Domains& domains;
  const Templates& templates;
  const HeadRules& heads;
  GraphKind graph = GraphKind::dependency;
  const FeatureSource* whole = nullptr;  // features of whole candidates; none if null
};

// Throws data_error for candidates that are neither parses nor tag sequences. `sharing` changes the
// time alone.
HiddenList make_hidden_list(const Extraction& extraction, const Candidates& list,
                            const BlockOf& block_of, bool sharing = true);

// One candidate for people: every variable a node of its own, every block with its name.
struct NamedBlock {
  std::string name;  // "up NP VP S", without values
  FeatureKey key = 0;
};
struct NamedCandidate {
  HiddenList list;
  static constexpr std::uint32_t kNoWord = UINT32_MAX;
  std::vector<std::uint32_t> word_of;              // by node; kNoWord: that of the whole candidate
  std::vector<std::vector<std::string>> values;    // by word: "NNS_1", ...
  std::vector<NamedBlock> blocks;                  // of list.blocks
  std::vector<std::vector<std::string>> families;  // by word
};
NamedCandidate name_candidate(const Extraction& extraction, const Candidates& list,
                              std::size_t candidate, const BlockOf& block_of);

}  // namespace copse::hidden
