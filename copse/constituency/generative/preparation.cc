#include "copse/constituency/generative/preparation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "copse/base/error.h"
#include "copse/constituency/generative/draft.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/label.h"

namespace copse::generative {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// Function tags that make a phrase an adjunct whatever its label.
constexpr std::array<std::string_view, 10> kAdjunctTags = {"ADV", "VOC", "BNF", "DIR", "EXT",
                                                           "LOC", "MNR", "TMP", "CLR", "PRP"};

// The head child of every phrase of the draft as it stands.
std::vector<int> head_children(const Draft& draft, const HeadRules& heads) {
  std::vector<int> drafts;
  const PhraseTree tree = draft.build(drafts, [](const Draft::Node& node) {
    return node.label == kSubjectless ? std::string_view("S") : std::string_view(node.label);
  });
  std::vector<int> result(static_cast<std::size_t>(draft.size()), -1);
  for (int i = 0; i < tree.size(); ++i) {
    result[static_cast<std::size_t>(drafts[static_cast<std::size_t>(i)])] =
        drafts[static_cast<std::size_t>(heads.head_child(tree, i))];
  }
  return result;
}

class Preparer {
 public:
  Preparer(const PhraseTree& tree, const HeadRules& heads, const PreparationOptions& options)
      : heads_(heads), options_(options), draft_(clean_keeping_functions(tree)) {
    mark_subjectless(tree);
  }

  PreparedTree run() {
    strip_outer_bracket();
    PreparedTree result;
    for (const int node : draft_.preorder()) {
      if (!draft_.at(node).is_leaf()) continue;
      result.words.push_back(draft_.at(node).word);
      result.tags.push_back(draft_.at(node).label);
    }
    remove_terminators();
    mark_base_noun_phrases();
    if (options_.npb_repair) repair_base_noun_phrases();
    raise_punctuation();
    if (draft_.root() < 0) throw data_error("the tree has no words but punctuation");
    mark_complements();
    finish(result);
    return result;
  }

 private:
  Draft clean_keeping_functions(const PhraseTree& tree) {
    CleanTree cleaned = clean(tree);
    if (cleaned.tree.empty()) throw data_error("the tree has no words");
    Draft draft(cleaned.tree);
    for (int i = 0; i < draft.size(); ++i) {
      const int source = cleaned.source[static_cast<std::size_t>(i)];
      draft.at(i).functions = tree.label(source);
    }
    source_ = std::move(cleaned.source);
    return draft;
  }

  // S with a VP head and an SBJ child that dominates only a trace.
  void mark_subjectless(const PhraseTree& tree) {
    const std::vector<int> head = head_children(draft_, heads_);
    for (int node = 0; node < draft_.size(); ++node) {
      Draft::Node& phrase = draft_.at(node);
      if (phrase.label != "S" || phrase.is_leaf()) continue;
      if (draft_.at(head[static_cast<std::size_t>(node)]).label != "VP") continue;
      if (has_trace_subject(tree, source_[static_cast<std::size_t>(node)])) {
        phrase.label = kSubjectless;
      }
    }
  }

  static bool has_trace_subject(const PhraseTree& tree, int phrase) {
    for (const int child : tree.children(phrase)) {
      if (tree.is_leaf(child) || !has_function_tag(tree.label(child), "SBJ")) continue;
      bool only_traces = true;
      for (int i = child; i < tree.next(child); ++i) {
        only_traces &= !tree.is_leaf(i) || tree.label(i) == kTraceTag;
      }
      if (only_traces) return true;
    }
    return false;
  }

  void strip_outer_bracket() {
    const Draft::Node& root = draft_.at(draft_.root());
    if (root.is_leaf() || !is_outer_label(root.label)) return;
    // The full stop beside the sentence instead of in it is no second tree.
    std::vector<int> trees;
    for (const int child : root.children) {
      if (!is_terminator_tag(draft_.at(child).label)) trees.push_back(child);
    }
    if (trees.size() != 1) {
      if (root.children.size() != 1) {
        throw data_error("several trees in one outer bracket; expected one");
      }
      trees = root.children;
    }
    const std::vector<int> all = root.children;
    if (all.size() > 1 && draft_.at(trees[0]).is_leaf()) {
      throw data_error("several words and no phrase in the outer bracket");
    }
    for (const int child : all) {
      if (child == trees[0]) continue;
      auto& inside = draft_.at(trees[0]).children;
      const bool before = child < trees[0];
      inside.insert(before ? inside.begin() : inside.end(), child);
      draft_.at(child).parent = trees[0];
    }
    draft_.set_root(trees[0]);
  }

  void remove_terminators() {
    for (const int node : draft_.preorder()) {
      if (draft_.at(node).is_leaf() && is_terminator_tag(draft_.at(node).label)) {
        draft_.remove(node);
      }
    }
    if (draft_.root() < 0) throw data_error("the tree has no words but punctuation");
  }

  bool is_possessive(int node) const {
    const auto& children = draft_.at(node).children;
    return std::any_of(children.begin(), children.end(),
                       [&](int child) { return draft_.at(child).label == "POS"; });
  }

  bool is_base(int node) const {
    if (draft_.at(node).label != "NP" || draft_.at(node).is_leaf()) return false;
    const auto& children = draft_.at(node).children;
    return std::none_of(children.begin(), children.end(), [&](int child) {
      return draft_.at(child).label == "NP" && !draft_.at(child).is_leaf() && !is_possessive(child);
    });
  }

  void mark_base_noun_phrases() {
    const std::vector<int> head = head_children(draft_, heads_);
    std::vector<int> base;
    for (const int node : draft_.preorder()) {
      if (is_base(node)) base.push_back(node);
    }
    for (const int node : base) draft_.at(node).label = kBaseNounPhrase;
    for (const int node : base) {
      const int parent = draft_.at(node).parent;
      if (parent >= 0 && draft_.at(parent).label == kBaseNounPhrase) continue;
      const bool heads_noun_phrase = parent >= 0 && draft_.at(parent).label == "NP" &&
                                     head[static_cast<std::size_t>(parent)] == node &&
                                     !is_coordinated(parent, node);
      if (!heads_noun_phrase) draft_.insert_above(node, "NP");
    }
  }

  // Some conjunction right of the head but not last, or directly left of it (skipping punctuation)
  // but not first.
  bool is_coordinated(int phrase, int head) const {
    const auto& children = draft_.at(phrase).children;
    const auto label = [&](std::size_t i) -> const std::string& {
      return draft_.at(children[i]).label;
    };
    const auto h = static_cast<std::size_t>(std::find(children.begin(), children.end(), head) -
                                            children.begin());
    for (std::size_t i = h + 1; i + 1 < children.size(); ++i) {
      if (is_conjunction_label(label(i))) return true;
    }
    for (std::size_t i = h; i-- > 1;) {
      if (is_conjunction_label(label(i))) return true;
      if (!is_punctuation_tag(label(i))) break;
    }
    return false;
  }

  void repair_base_noun_phrases() {
    for (const int node : draft_.preorder()) {
      const Draft::Node& phrase = draft_.at(node);
      if (phrase.label != kBaseNounPhrase || phrase.children.size() < 2) continue;
      const int last = phrase.children.back();
      if (draft_.at(last).is_leaf() || draft_.at(last).label.front() != 'S') continue;
      if (phrase.parent < 0) draft_.insert_above(node, "NP");
      draft_.move_up(last, /*before=*/false);
    }
  }

  void raise_punctuation() {
    const std::vector<int> order = draft_.preorder();
    // Left edges from left to right, right edges from right to left, so that a run of them moves
    // together.
    for (const int node : order) raise(node, /*left=*/true);
    for (auto it = order.rbegin(); it != order.rend(); ++it) raise(*it, /*left=*/false);
  }

  void raise(int node, bool left) {
    if (!draft_.at(node).is_leaf() || !is_raised_tag(draft_.at(node).label)) return;
    for (int parent = draft_.at(node).parent; parent >= 0; parent = draft_.at(node).parent) {
      const auto& sisters = draft_.at(parent).children;
      if ((left ? sisters.front() : sisters.back()) != node) return;
      if (draft_.at(parent).parent < 0) {
        draft_.remove(node);
        return;
      }
      draft_.move_up(node, left);
    }
  }

  void mark_complements() {
    head_ = head_children(draft_, heads_);
    const std::vector<int> order = draft_.preorder();
    for (const int node : order) {
      if (!draft_.at(node).is_leaf()) mark_complements(node);
    }
    // A subject that is there after all.
    for (const int node : order) {
      if (draft_.at(node).label != kSubjectless) continue;
      for (const int child : draft_.at(node).children) {
        if (child == head_[static_cast<std::size_t>(node)]) break;
        if (draft_.at(child).complement) {
          draft_.at(node).label = "S";
          break;
        }
      }
    }
  }

  void mark_complements(int parent) {
    const Draft::Node& phrase = draft_.at(parent);
    const int head = head_[static_cast<std::size_t>(parent)];
    const auto plain = [](const std::string& label) {
      return label == kSubjectless      ? std::string("S")
             : label == kBaseNounPhrase ? std::string("NP")
                                        : label;
    };
    if (is_coordinated(parent, head) || plain(draft_.at(head).label) == plain(phrase.label)) return;
    bool after_head = false, object_found = false;
    for (const int child : phrase.children) {
      if (child == head) {
        after_head = true;
        continue;
      }
      const Draft::Node& node = draft_.at(child);
      bool complement = false;
      if (phrase.label == "PP") {
        if (after_head && !object_found && !node.is_leaf() && node.label != "PRN") {
          complement = object_found = true;
        }
      } else if (!node.is_leaf()) {
        complement = is_complement_label(phrase.label, node.label);
      }
      draft_.at(child).complement = complement && !has_adjunct_tag(node.functions);
    }
  }

  static bool is_complement_label(std::string_view parent, std::string_view child) {
    constexpr std::array<std::string_view, 4> kOfClause = {"NP", "SBAR", "S", "SG"};
    if (parent == "S" || parent == kSubjectless) return is_one_of(child, kOfClause);
    if (parent == "VP") return child == "VP" || is_one_of(child, kOfClause);
    if (parent == "SBAR") return child == "S" || child == kSubjectless;
    return false;
  }

  static bool has_adjunct_tag(std::string_view label) {
    return std::any_of(kAdjunctTags.begin(), kAdjunctTags.end(),
                       [&](std::string_view tag) { return has_function_tag(label, tag); });
  }

  void finish(PreparedTree& result) const {
    std::vector<int> drafts;
    result.tree =
        draft_.build(drafts, [](const Draft::Node& node) { return std::string_view(node.label); });
    std::vector<int> number(static_cast<std::size_t>(draft_.size()), -1);
    for (std::size_t i = 0; i < drafts.size(); ++i) {
      number[static_cast<std::size_t>(drafts[i])] = static_cast<int>(i);
    }
    for (const int node : drafts) {
      const int head = head_[static_cast<std::size_t>(node)];
      result.head_child.push_back(number[static_cast<std::size_t>(head)]);
      result.complement.push_back(draft_.at(node).complement);
      if (draft_.at(node).is_leaf()) result.tokens.push_back(draft_.at(node).token);
    }
  }

  const HeadRules& heads_;
  PreparationOptions options_;
  std::vector<int> source_;
  Draft draft_;
  std::vector<int> head_;
};

}  // namespace

bool is_terminator_tag(std::string_view tag) {
  return tag == "``" || tag == "''" || tag == ".";
}
bool is_raised_tag(std::string_view tag) {
  return tag == "," || tag == ":";
}
bool is_conjunction_label(std::string_view label) {
  return label == "CC" || label == "CONJP";
}

std::string_view treebank_label(std::string_view label) {
  if (label.ends_with("-A")) label.remove_suffix(2);
  if (label == kSubjectless) return "S";
  if (label == kBaseNounPhrase) return "NP";
  return label;
}

PreparedTree prepare(const PhraseTree& tree, const HeadRules& heads,
                     const PreparationOptions& options) {
  return Preparer(tree, heads, options).run();
}

}  // namespace copse::generative
