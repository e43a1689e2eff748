#include "copse/rerank/tree_features.h"

#include <fmt/core.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unordered_set>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/symbols.h"
#include "copse/rerank/joined_features.h"
#include "copse/rerank/tree_templates.h"
#include "copse/treebank/label.h"
#include "rerank/tree_features_table.h"

namespace copse {
namespace {

constexpr int kLongestDistance = 9;
constexpr std::uint32_t kNone = UINT32_MAX;

using AtomId = std::uint32_t;

// The values of atoms that occur in a list, by their text.
class Atoms {
 public:
  AtomId add(std::string_view text) {
    const AtomId id = symbols_.add(text);
    if (id == values_.size()) values_.push_back(atom_of(text));
    return id;
  }
  AtomValue value(AtomId id) const { return values_[id]; }
  std::string_view text(AtomId id) const { return symbols_.text(id); }

 private:
  Symbols symbols_;
  std::vector<AtomValue> values_;
};

// A node of a candidate as features see it.
struct Node {
  AtomId label = 0;
  AtomId joined = 0;         // with its head word if that is of a closed class, else the label
  AtomId rule = 0;           // "VP -> VBD NP"; of phrases
  AtomId joined_rule = 0;    // the same of joined labels
  std::int32_t word = -1;    // position of the head word
  std::int32_t head = -1;    // the child that has it
  std::int32_t parent = -1;  // node
  std::uint64_t place = 0;   // what the features of the rule depend on below its parent
};

// Features of a list that were made so far, and the places they were made for.
struct Made {
  struct Feature {
    const Template* line;
    std::uint32_t atoms;  // where they begin
  };
  Atoms atoms;
  std::vector<Feature> features;
  std::vector<AtomId> atom_ids;  // of all features, one after the other

  std::string name(std::uint32_t feature) const {
    std::string text = features[feature].line->name;
    for (std::size_t i = 0; i < features[feature].line->atoms.size(); ++i) {
      text += ' ';
      text += atoms.text(atom_ids[features[feature].atoms + i]);
    }
    return text;
  }
};

struct ClosedTags {
  std::unordered_set<std::string> tags;
  bool has(std::string_view tag) const {
    return is_punctuation_tag(tag) || tags.count(std::string(tag)) > 0;
  }
};

bool is_noun_phrase(std::string_view label) {
  constexpr std::array<std::string_view, 5> kLabels = {"NP", "NPB", "NX", "WHNP", "NML"};
  return std::find(kLabels.begin(), kLabels.end(), base_label(label)) != kLabels.end();
}

bool is_prepositional(std::string_view label) {
  const std::string_view base = base_label(label);
  return base == "PP" || base == "WHPP";
}

class ListExtraction {
 public:
  ListExtraction(const TreeTemplates& templates, const HeadRules& heads, const ClosedTags& closed,
                 const FeatureSource::Wanted& wanted)
      : templates_(templates),
        heads_(heads),
        closed_(closed),
        wanted_(wanted),
        made_(std::make_shared<Made>()) {
    stop_ = made_->atoms.add("STOP");
    top_ = made_->atoms.add("TOP");
    nothing_ = made_->atoms.add("-");
  }

  void add(const PhraseTree& tree) {
    describe(tree);
    touched_.clear();
    for (int node = 0; node < tree.size(); ++node) {
      if (tree.is_leaf(node) || tree.child_count(node) == 0) continue;
      for (const std::uint32_t feature : features_at(tree, node)) {
        if (times_[feature]++ == 0) touched_.push_back(feature);
      }
    }
    for (const std::uint32_t feature : touched_) {
      result_.counts.push_back({feature, std::exchange(times_[feature], 0)});
    }
    result_.rows.push_back(result_.counts.size());
  }

  ListFeatures finish() && {
    result_.name = [made = made_](std::uint32_t feature) { return made->name(feature); };
    return std::move(result_);
  }

 private:
  using Frame = std::array<AtomId, kTreeAtoms>;
  struct Range {
    std::size_t begin = 0, end = 0;
  };

  Node& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }

  // Labels, heads and rules of all nodes, children before parents.
  void describe(const PhraseTree& tree) {
    nodes_.assign(static_cast<std::size_t>(tree.size()), Node{});
    for (int node = tree.size() - 1; node >= 0; --node) {
      Node& here = at(node);
      here.parent = tree.parent(node);
      here.label = made_->atoms.add(tree.label(node));
      if (tree.is_leaf(node)) {
        here.word = tree.begin(node);
      } else if (tree.child_count(node) > 0) {
        here.head = head_of(tree, node);
        here.word = at(here.head).word;
      }
      here.joined = joined_label(tree, here);
      if (here.head >= 0) describe_rule(tree, node);
    }
  }

  AtomId joined_label(const PhraseTree& tree, const Node& node) {
    if (node.word < 0 || !closed_.has(tree.tag(node.word))) return node.label;
    scratch_ = made_->atoms.text(node.label);
    scratch_ += '/';
    scratch_ += tree.word_at(node.word);
    return made_->atoms.add(scratch_);
  }

  // The head depends on the labels alone: asked once per rule and list.
  int head_of(const PhraseTree& tree, int node) {
    std::uint64_t key = atom_of(std::uint64_t{at(node).label});
    for (const int child : tree.children(node)) key = join(key, at(child).label);
    const auto [found, is_new] = head_positions_.emplace(key, 0);
    if (is_new) {
      const int head = heads_.head_child(tree, node);
      int position = 0;
      for (const int child : tree.children(node)) {
        if (child == head) break;
        ++position;
      }
      found.value() = position;
    }
    int position = found->second;
    for (const int child : tree.children(node)) {
      if (position-- == 0) return child;
    }
    return tree.first_child(node);
  }

  void describe_rule(const PhraseTree& tree, int node) {
    Node& here = at(node);
    std::uint64_t plain = atom_of(std::uint64_t{here.label}),
                  joined = atom_of(std::uint64_t{here.joined}), place = 0;
    for (const int child : tree.children(node)) {
      const Node& each = at(child);
      plain = join(plain, each.label);
      joined = join(joined, each.joined);
      place = join(place, static_cast<std::uint64_t>(each.word) + 1);
      if (child != here.head && is_prepositional(tree.label(child))) {
        const int object = object_of(tree, child);
        place = join(place, object < 0 ? 0 : at(object).label + 1ULL);
        place = join(place, object < 0 ? 0 : static_cast<std::uint64_t>(at(object).word + 1));
      }
    }
    here.rule = rule_text(tree, node, plain, &Node::label);
    here.joined_rule = rule_text(tree, node, join(joined, here.label), &Node::joined);
    here.place = join(join(place, here.rule), here.joined_rule);
  }

  AtomId rule_text(const PhraseTree& tree, int node, std::uint64_t key, AtomId Node::*label) {
    key = join(key, label == &Node::label ? 1 : 2);
    const auto [found, is_new] = rules_.emplace(key, 0);
    if (is_new) {
      scratch_ = made_->atoms.text(at(node).*label);
      scratch_ += " ->";
      for (const int child : tree.children(node)) {
        scratch_ += ' ';
        scratch_ += made_->atoms.text(at(child).*label);
      }
      found.value() = made_->atoms.add(scratch_);
    }
    return found->second;
  }

  // The first noun phrase right of the head of a PP; -1 if there is none.
  int object_of(const PhraseTree& tree, int pp) {
    bool right = false;
    for (const int child : tree.children(pp)) {
      if (right && is_noun_phrase(tree.label(child))) return child;
      right = right || child == at(pp).head;
    }
    return -1;
  }

  std::span<const std::uint32_t> features_at(const PhraseTree& tree, int node) {
    const Node& here = at(node);
    std::uint64_t key = here.place;
    if (here.parent >= 0) {
      const Node& above = at(here.parent);
      key = join(join(key, atom_of(std::uint64_t{above.rule})), above.joined_rule);
    }
    const auto [found, is_new] = places_.emplace(key, Range{});
    if (is_new) {
      const std::size_t begin = features_of_places_.size();
      make(tree, node, false);
      make(tree, node, true);
      found.value() = {begin, features_of_places_.size()};
    }
    const Range range = found->second;
    return std::span(features_of_places_).subspan(range.begin, range.end - range.begin);
  }

  // --- what a rule gives; `closed`: the second pass, with joined labels

  void make(const PhraseTree& tree, int node, bool closed) {
    const auto& units = closed ? templates_.closed : templates_.plain;
    const Node& here = at(node);
    frame_.fill(nothing_);
    plain_frame_.fill(nothing_);
    put(kParent, here);
    if (here.parent >= 0) {
      const Node& above = at(here.parent);
      put(kGrandparent, above);
      put(kAbove, above.rule, above.joined_rule);
    } else {
      put(kGrandparent, top_, top_);
    }
    put(kRule, here.rule, here.joined_rule);
    closed_pass_ = closed;
    emit(units, TreeUnit::rule);
    children_.clear();
    for (const int child : tree.children(node)) children_.push_back(child);
    const auto head = static_cast<std::size_t>(
        std::find(children_.begin(), children_.end(), here.head) - children_.begin());
    make_bigrams(tree, units, head);
    make_trigrams(units, head);
    make_modifiers(tree, units, head);
  }

  using Units = std::array<std::vector<Template>, kTreeUnits>;

  void put(TreeAtom slot, AtomId plain, AtomId joined) {
    plain_frame_[static_cast<std::size_t>(slot)] = plain;
    frame_[static_cast<std::size_t>(slot)] = joined;
  }
  void put(TreeAtom slot, const Node& node) { put(slot, node.label, node.joined); }
  void put_word(TreeAtom slot, const PhraseTree& tree, const Node& node) {
    const AtomId word = node.word < 0 ? nothing_ : made_->atoms.add(tree.word_at(node.word));
    put(slot, word, word);
  }
  void put_text(TreeAtom slot, std::string_view text) {
    const AtomId id = made_->atoms.add(text);
    put(slot, id, id);
  }

  void make_bigrams(const PhraseTree& tree, const Units& units, std::size_t head) {
    if (units[static_cast<std::size_t>(TreeUnit::bigram)].empty()) return;
    const auto side = [&](std::string_view name, std::size_t begin, int move, std::size_t count) {
      put_text(kSide, name);
      for (std::size_t i = 0; i < count; ++i) {
        const auto child = [&](std::size_t k) -> const Node& {
          return at(children_[begin + static_cast<std::size_t>(move) * k]);
        };
        put(kNear, child(i));
        put_word(kNearWord, tree, child(i));
        if (i + 1 < count) {
          put(kFar, child(i + 1));
          put_word(kFarWord, tree, child(i + 1));
        } else {
          put(kFar, stop_, stop_);
          put(kFarWord, nothing_, nothing_);
        }
        emit(units, TreeUnit::bigram);
      }
    };
    side("R", head + 1, 1, children_.size() - head - 1);
    side("L", head - 1, -1, head);
  }

  void make_trigrams(const Units& units, std::size_t head) {
    if (units[static_cast<std::size_t>(TreeUnit::trigram)].empty()) return;
    const auto put_child = [&](TreeAtom slot, std::size_t position) {  // from 1; STOP at both ends
      if (position == 0 || position == children_.size() + 1) {
        put(slot, stop_, stop_);
      } else if (position == head + 1) {
        const Node& node = at(children_[head]);
        put(slot, marked(node.label), marked(node.joined));
      } else {
        put(slot, at(children_[position - 1]));
      }
    };
    for (std::size_t i = 1; i <= children_.size(); ++i) {
      put_child(kFirst, i - 1);
      put_child(kSecond, i);
      put_child(kThird, i + 1);
      emit(units, TreeUnit::trigram);
    }
  }

  AtomId marked(AtomId label) {
    scratch_ = made_->atoms.text(label);
    scratch_ += '!';
    return made_->atoms.add(scratch_);
  }

  void make_modifiers(const PhraseTree& tree, const Units& units, std::size_t head) {
    const auto none = [&](TreeUnit unit) { return units[static_cast<std::size_t>(unit)].empty(); };
    if (none(TreeUnit::modifier) && none(TreeUnit::distance) && none(TreeUnit::pp)) return;
    const Node& head_node = at(children_[head]);
    put(kHead, head_node);
    put_word(kHeadWord, tree, head_node);
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (i == head) continue;
      const Node& modifier = at(children_[i]);
      put_text(kSide, i < head ? "L" : "R");
      put_text(kAdjacent, i + 1 == head || i == head + 1 ? "1" : "0");
      put(kModifier, modifier);
      emit(units, TreeUnit::modifier);
      make_distances(units, modifier, head_node);
      if (is_prepositional(tree.label(children_[i]))) make_pp(tree, units, children_[i]);
    }
  }

  void make_distances(const Units& units, const Node& modifier, const Node& head) {
    if (units[static_cast<std::size_t>(TreeUnit::distance)].empty()) return;
    if (modifier.word < 0 || head.word < 0) return;
    const int distance = std::abs(modifier.word - head.word) - 1;
    const auto relation = [&](std::string_view sign, int number) {
      put_text(kDistance, fmt::format("{}{}", sign, number));
      emit(units, TreeUnit::distance);
    };
    relation("=", distance);
    for (int x = distance; x <= kLongestDistance; ++x) relation("<=", x);
    for (int x = 1; x <= std::min(distance, kLongestDistance); ++x) relation(">=", x);
  }

  void make_pp(const PhraseTree& tree, const Units& units, int pp) {
    const int object = object_of(tree, pp);
    if (object < 0) return;
    put(kPp, at(pp));
    put_word(kPpWord, tree, at(pp));
    put(kObject, at(object));
    put_word(kObjectWord, tree, at(object));
    emit(units, TreeUnit::pp);
  }

  void emit(const Units& units, TreeUnit unit) {
    for (const Template& line : units[static_cast<std::size_t>(unit)]) {
      const Frame& frame = closed_pass_ ? frame_ : plain_frame_;
      FeatureKey key = line.seed;
      bool changed = !closed_pass_;
      for (const AtomSlot slot : line.atoms) {
        const auto s = static_cast<std::size_t>(slot);
        changed = changed || frame[s] != plain_frame_[s];
        key = join(key, made_->atoms.value(frame[s]));
      }
      if (changed) add_feature(line, key, frame);
    }
  }

  void add_feature(const Template& line, FeatureKey key, const Frame& frame) {
    const auto [found, is_new] = numbers_.emplace(key, kNone);
    if (is_new && (!wanted_ || wanted_(key))) {
      found.value() = static_cast<std::uint32_t>(result_.keys.size());
      result_.keys.push_back(key);
      times_.push_back(0);
      made_->features.push_back({&line, static_cast<std::uint32_t>(made_->atom_ids.size())});
      for (const AtomSlot slot : line.atoms) {
        made_->atom_ids.push_back(frame[static_cast<std::size_t>(slot)]);
      }
    }
    if (found->second != kNone) features_of_places_.push_back(found->second);
  }

  const TreeTemplates& templates_;
  const HeadRules& heads_;
  const ClosedTags& closed_;
  const FeatureSource::Wanted& wanted_;
  std::shared_ptr<Made> made_;
  ListFeatures result_;

  // Of the list.
  tsl::robin_map<FeatureKey, std::uint32_t> numbers_;  // kNone: not wanted
  tsl::robin_map<std::uint64_t, std::int32_t> head_positions_;
  tsl::robin_map<std::uint64_t, AtomId> rules_;
  tsl::robin_map<std::uint64_t, Range> places_;
  std::vector<std::uint32_t> features_of_places_;
  AtomId stop_, top_, nothing_;

  // Of the tree at hand.
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> times_, touched_;  // by feature; features of the tree

  // Of the rule at hand: atoms of the pass, and as they are without joining.
  Frame frame_, plain_frame_;
  bool closed_pass_ = false;
  std::vector<int> children_;
  std::string scratch_;
};

class TreeFeatures : public FeatureSource {
 public:
  TreeFeatures(std::string table, const std::string& file, HeadRules heads, ClosedTags closed)
      : table_(std::move(table)),
        templates_(parse_tree_templates(table_, file)),
        heads_(std::move(heads)),
        closed_(std::move(closed)) {}

  ListFeatures features(const Candidates& list, const Wanted& wanted) const override {
    ListExtraction extraction(templates_, heads_, closed_, wanted);
    for (const Candidate& candidate : list.items) {
      if (candidate.tree.empty()) {
        throw data_error("a candidate is not a tree");
      }
      extraction.add(candidate.tree);
    }
    return with_given_features(std::move(extraction).finish(), list, wanted);
  }

  std::string_view name() const override { return kTreeFeatures; }

  void save(ModelWriter& writer) const override {
    writer.add("tree-templates", table_);
    writer.add("heads", heads_.str());
    std::vector<std::string> tags(closed_.tags.begin(), closed_.tags.end());
    std::sort(tags.begin(), tags.end());
    writer.add_strings("closed-tags", tags);
  }

 private:
  std::string table_;
  TreeTemplates templates_;
  HeadRules heads_;
  ClosedTags closed_;
};

}  // namespace

std::string_view tree_feature_table() {
  return embedded::tree_features_table;
}

std::unique_ptr<FeatureSource> make_tree_features(const TreeFeatureOptions& options) {
  std::string table =
      options.templates.empty() ? std::string(tree_feature_table()) : options.templates;
  for (const std::string& name : options.without) table = without_group(table, name);
  ClosedTags closed{{options.closed_tags.begin(), options.closed_tags.end()}};
  return std::make_unique<TreeFeatures>(std::move(table), "tree features",
                                        HeadRules::load(options.head_table), std::move(closed));
}

std::unique_ptr<FeatureSource> load_tree_features(const ModelFile& file) {
  const auto tags = file.strings("closed-tags");
  return std::make_unique<TreeFeatures>(std::string(file.text("tree-templates")), file.name(),
                                        HeadRules::parse(file.text("heads"), file.name()),
                                        ClosedTags{{tags.begin(), tags.end()}});
}

}  // namespace copse
