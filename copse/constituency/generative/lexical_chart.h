// The chart of the lexicalised model over the spans that the coarse grammar left.
//
// Items of a span [i,j), each with label, head word and tag:
//   stopped   a whole phrase or tag, by the length of the chain of single children on its top
//   closed    the same, whatever the chain
//   right     a phrase with its head child and some right modifiers (perhaps none)
//   left      a phrase with all right modifiers and some left ones
// Rules, with what they multiply:
//   SEED    word -> stopped tag                                 spelling
//   UNARY   stopped H -> stopped P, no modifiers                P_h P_rc(none) P_m(STOP)
//                                                               P_lc(none) P_m(STOP)
//   CLOSE   stopped -> closed
//   OPEN    closed H -> right P with the bag RC                 P_h P_rc
//   RIGHT   right P + closed M -> right P                       P_m P_w
//   TURN    right P with empty bag -> left P with the bag LC    P_m(STOP) P_lc
//   LEFT    closed M + left P -> left P                         P_m P_w
//   STOP    left P with empty bag -> stopped P                  P_m(STOP)
//   GOAL    closed H over all words                             P_top P_topw
// All right modifiers come before the left ones and a phrase without modifiers comes from UNARY
// alone, so every tree has one derivation. Chains are at most 5 phrases long and never put a label
// directly over itself.
//
// Spans are processed by width. After each step items under the beam are dropped: those whose
// inside probability times estimated outside is less than that of the best item of the span by
// more than the beam, and those that are not among the best so many of the step, which bounds the
// work of a span however many labels there are. The estimate is the coarse outside sum times P(w, t | label).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/constituency/generative/coarse_chart.h"
#include "copse/constituency/generative/model.h"
#include "copse/constituency/generative/modifier_weights.h"
#include "copse/inference/hypergraph.h"

namespace copse::generative {

struct ChartOptions {
  double log_beam = 9.2;                // ln(10^4)
  std::size_t most_items = 1'000'000;   // left of a step of a span; more if they are equally good
  std::size_t max_edges = 20'000'000;   // the sentence is given up beyond
  std::vector<double> root_bonus = {};  // by phrase, added to the goal's weight; empty: none
  std::vector<float> span_bonus =
      {};  // by span and phrase, (i * n + j - 1) * phrases + phrase; empty: none
  DemandedPhrases demands = {};  // the coarse chart must have been made with them
  Stop stop = {};                // asked once per width
};

enum class ChartRule : std::uint8_t { seed, unary, close, open, right, turn, left, stop, goal };

class LexicalChart {
 public:
  enum class Outcome { parsed, no_parse, too_large };

  Outcome run(const GenerativeModel& model, const CoarseChart& coarse,
              std::span<const WordReading> words, const ChartOptions& options);

  // The items that are part of some whole tree, as a forest whose last node is the goal. The tag
  // of an edge is its rule; node_item() tells what a node is.
  const Hypergraph& forest() const { return forest_; }
  int goal() const { return forest_.nodes() - 1; }

  struct NodeInfo {
    LabelId label = 0;
    std::uint16_t begin = 0, end = 0;
    std::uint16_t head = 0;  // word
    std::uint8_t chain = 0;  // phrases without modifiers on its top, itself included
  };
  const NodeInfo& info(int node) const { return infos_[static_cast<std::size_t>(node)]; }

  std::size_t items() const { return items_.size(); }
  std::size_t edges() const { return edges_.size(); }

 private:
  enum Kind : std::uint8_t { kStopped, kClosed, kRight, kLeft };

  struct Key {
    LabelId label = 0;
    LabelId head_label = 0;  // of open items
    std::uint16_t head = 0;  // word
    LabelId tag = 0;
    Subcat subcat = 0;
    Previous previous = Previous::start;
    std::uint8_t chain = 0;           // of stopped items
    DemandedPhrases::Labels met = 0;  // ... labels among those that are demanded of their span
    Kind kind = kStopped;
    bool verb = false;       // passed on this side
    bool has_verb = false;   // anywhere inside
    bool bare = false;       // left item without any modifier
    LabelId last_label = 0;  // in base NPs: the modifier before, or the head child
    std::uint16_t last_word = 0;
    LabelId last_tag = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Item {
    Key key;
    double inside = 0;
    double merit = 0;
    std::int32_t first_edge = -1;
    std::uint16_t begin = 0, end = 0;
  };
  struct Edge {
    double weight;
    std::int32_t left, right;
    std::int32_t next;  // other edge of the same item
    ChartRule rule;
  };
  struct Range {
    std::int32_t begin = 0, end = 0;
  };
  struct Cell {
    Range closed, joined_right, fresh_right, joined_left, bare_left;
  };

  Cell& cell(int i, int j) {
    return cells_[static_cast<std::size_t>(i) * words_.size() + static_cast<std::size_t>(j) - 1];
  }
  void fill(int i, int j);
  void join_right(int i, int k, int j);
  void join_left(int i, int k, int j);
  void turn(Range from, bool bare);
  void stop(Range from);
  void chain_up(Range from, std::uint8_t chain);
  void seed(int word);
  void close(Range from);
  void open(Range from);
  void join(Range phrases, Range modifiers, Side side);
  void attach(std::int32_t open, ModifierWeights::Context& history, std::int32_t closed, Side side);
  void offer(const Key& key, double weight, std::int32_t left, std::int32_t right, ChartRule rule);
  static std::uint64_t hash(const Key& key);
  std::size_t find_or_add(const Key& key);
  Range commit();
  double least_merit();
  double merit(const Key& key, double inside);
  // Notes which labels demanded of its span the key has; false if it may not be there at all.
  bool meets_demands(Key& key, DemandedPhrases::Labels below) const;
  double span_bonus(LabelId label) const {
    if (options_.span_bonus.empty()) return 0;
    const std::size_t cell =
        static_cast<std::size_t>(begin_) * words_.size() + static_cast<std::size_t>(end_) - 1;
    return options_.span_bonus[cell * static_cast<std::size_t>(model_->labels().phrases()) +
                               static_cast<std::size_t>(model_->labels().phrase_index(label))];
  }
  double lexical_prior(LabelId label, int word, LabelId tag);
  ModifierContext context(const Key& key, Side side) const;
  void link_goal();
  void build_forest();

  const GenerativeModel* model_ = nullptr;
  const CoarseChart* coarse_ = nullptr;
  std::span<const WordReading> words_;
  ChartOptions options_;
  int begin_ = 0, end_ = 0;  // the span being filled
  double best_merit_ = 0;

  std::vector<Item> items_;
  std::vector<Edge> edges_;
  std::vector<Cell> cells_;
  std::vector<Edge> goal_edges_;
  // Items offered and not yet committed, found by key.
  std::vector<Item> offered_;
  std::vector<std::int32_t> slots_;
  std::vector<double> merits_;  // scratch
  ModifierWeights weights_;
  std::vector<double> priors_;  // by word, tag, label; NaN: not asked for yet

  Hypergraph forest_;
  std::vector<NodeInfo> infos_;
};

}  // namespace copse::generative
