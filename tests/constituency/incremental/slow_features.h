// The features of a finished tree, read off the tree itself: nothing is shared with the parser but
// the text of the tables and the hashing of texts.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "copse/constituency/incremental/features.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/label.h"
#include "copse/treebank/phrase_tree.h"

namespace copse::incremental::incremental_testing {

struct SlowFeature {
  std::string name;  // of the template
  FeatureKey key = 0;
  std::string label;  // of what is built
};

class SlowFeatures {
 public:
  SlowFeatures(const PhraseTree& transformed, const SentenceWords& words, const HeadRules& heads,
               const TemplateTexts& texts)
      : tree_(transformed), words_(words), heads_(heads), texts_(texts) {}

  std::vector<SlowFeature> all() {
    for (int node = 0; node < tree_.size(); ++node) {
      if (node > 0) {
        add(texts_.node, node_atoms(tree_.parent(node), sisters(node), tree_.begin(node)),
            std::string(tree_.label(node)));
      }
      if (tree_.is_leaf(node)) {
        add(texts_.word, word_atoms(node), std::string(tree_.label(node)));
      } else {
        add(texts_.node, node_atoms(node, children(node), tree_.end(node)), " end");
      }
    }
    return out_;
  }

 private:
  using Atoms = std::map<std::string, AtomValue>;

  std::vector<int> children(int node) const {
    std::vector<int> out;
    for (const int child : tree_.children(node)) out.push_back(child);
    return out;
  }
  std::vector<int> sisters(int node) const {  // before it
    std::vector<int> out;
    for (const int child : tree_.children(tree_.parent(node))) {
      if (child < node) out.push_back(child);
    }
    return out;
  }
  static bool slashed(std::string_view label) {
    return label.size() > 2 && label.size() % 2 == 1 && label[label.size() / 2] == '/' &&
           label.substr(0, label.size() / 2) == label.substr(label.size() / 2 + 1);
  }
  static std::string_view base(std::string_view label) {
    return slashed(label) ? label.substr(0, label.size() / 2) : label;
  }
  // The word that heads a phrase with these children; -1: none.
  int head(int node, const std::vector<int>& kids) const {
    if (tree_.is_leaf(node)) return tree_.begin(node);
    const bool is_slashed = slashed(tree_.label(node));
    if (kids.empty()) return is_slashed ? head(tree_.parent(node), sisters(node)) : -1;
    for (std::size_t k = kids.size(); k-- > 0;) {
      if (slashed(tree_.label(kids[k])) && !is_slashed) return head(kids[k], children(kids[k]));
    }
    std::vector<std::string_view> labels;
    if (is_slashed) labels.push_back(base(tree_.label(node)));
    for (const int kid : kids) labels.push_back(base(tree_.label(kid)));
    PhraseTreeBuilder local;  // its children alone, each the next node
    local.open(base(tree_.label(node)));
    for (const std::string_view label : labels) local.leaf(label, "_");
    local.close();
    int chosen = heads_.head_child(std::move(local).finish(), 0) - 1;
    if (is_slashed && chosen-- == 0) return head(tree_.parent(node), sisters(node));
    const int kid = kids[static_cast<std::size_t>(chosen)];
    return head(kid, children(kid));
  }
  // From a phrase with these children upwards, the first that has a head.
  int commander(int node, std::vector<int> kids) const {
    while (true) {
      const int found = head(node, kids);
      if (found >= 0 || node == 0) return found;
      kids = sisters(node);
      node = tree_.parent(node);
    }
  }
  AtomValue label_of(int node) const {
    return atom_of(node < 0 ? std::string_view(" null") : tree_.label(node));
  }
  AtomValue left_of(int node) const {  // of its left sister
    if (node <= 0) return atom_of(std::string_view(" null"));
    const auto before = sisters(node);
    return before.empty() ? atom_of(std::string_view(" begin")) : label_of(before.back());
  }
  void put(Atoms& atoms, const std::string& role, const AtomValue* values, int word) const {
    atoms[role] = values[static_cast<int>(PositionAtom::lemma)];
    atoms[role + "P"] =
        word >= 0 ? atom_of(tree_.tag(word)) : values[static_cast<int>(PositionAtom::fine)];
    atoms[role + "K"] = values[static_cast<int>(PositionAtom::cluster)];
    atoms[role + "K4"] = values[static_cast<int>(PositionAtom::cluster4)];
    atoms[role + "K6"] = values[static_cast<int>(PositionAtom::cluster6)];
  }
  void put(Atoms& atoms, const std::string& role, int word) const {
    put(atoms, role, word < 0 ? words_.none() : words_.at(word), word);
  }
  static AtomValue length(int words) {
    int bucket = std::min(words, 4);
    for (int limit = 5; words >= limit && bucket < 12; limit += limit / 2) ++bucket;
    return atom_of(static_cast<std::uint64_t>(bucket));
  }

  Atoms node_atoms(int parent, const std::vector<int>& kids, int position) const {
    Atoms atoms;
    const int n = tree_.words();
    const int up = parent == 0 ? -1 : tree_.parent(parent);
    const int upup = up <= 0 ? -1 : tree_.parent(up);
    const auto kid = [&](std::size_t k) {
      if (k <= kids.size()) return label_of(kids[kids.size() - k]);
      return atom_of(std::string_view(k == 1 ? " begin" : " null"));
    };
    atoms["L00"] = 1;
    atoms["L10"] = label_of(parent);
    atoms["L01"] = kid(1);
    atoms["L02"] = kid(2);
    atoms["L03"] = kid(3);
    atoms["L20"] = label_of(up);
    atoms["L11"] = left_of(parent);
    atoms["L30"] = label_of(upup);
    atoms["L21"] = left_of(up);
    put(atoms, "LK", words_.at(position), position < n ? position : -1);
    put(atoms, "LK1", words_.at(position + 1), -1);
    put(atoms, "LK2", words_.at(position + 2), -1);
    put(atoms, "W1", words_.at(position - 1), -1);
    put(atoms, "CL", head(parent, kids));
    put(atoms, "LC", kids.empty() ? -1 : head(kids.back(), children(kids.back())));
    put(atoms, "UP", up < 0 ? -1 : commander(up, sisters(parent)));
    put(atoms, "FW", kids.empty() ? -1 : tree_.begin(parent));
    atoms["LEN"] = length(kids.empty() ? 0 : position - tree_.begin(parent));
    const auto punctuation = [&](int word) { return is_punctuation_tag(tree_.tag(word)); };
    bool question = false;
    for (int word = n - 1; word >= 0 && punctuation(word); --word) {
      question = question || tree_.word_at(word) == "?";
    }
    atoms["P1"] = question ? 1 : 2;
    const bool is_punctuation = position < n && punctuation(position);
    const bool turns = is_punctuation || (position < n && tree_.tag(position) == "CC");
    atoms["P2"] = turns ? atoms["LK1P"] : kAbsent;
    const int begin = kids.empty() ? 0 : tree_.begin(kids.back());
    const bool behind = position < n && begin > 0 && punctuation(begin - 1);
    atoms["P3"] = behind ? (is_punctuation ? 1 : 2) : kAbsent;
    return atoms;
  }
  Atoms word_atoms(int leaf) const {
    Atoms atoms;
    const int parent = tree_.parent(leaf);
    put(atoms, "LK", tree_.begin(leaf));
    atoms["L00"] = atoms["LK"];
    atoms["L10"] = 1;
    atoms["L20"] = label_of(parent);
    atoms["L11"] = left_of(leaf);
    atoms["L30"] = label_of(parent == 0 ? -1 : tree_.parent(parent));
    put(atoms, "CC", commander(parent, sisters(leaf)));
    return atoms;
  }

  void add(const std::string& table, const Atoms& atoms, const std::string& label) {
    std::istringstream lines(table);
    Atoms lines_before;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string name, equals, atom;
      if (!(words >> name >> equals) || name.front() == '#') continue;
      FeatureKey key = atom_of(name);
      while (key != kAbsent && words >> atom) {
        // A template may have the name of an atom (P1): the atom is meant.
        const auto found = atoms.find(atom);
        const AtomValue value = found != atoms.end() ? found->second : lines_before.at(atom);
        key = value == kAbsent ? kAbsent : join(key, value);
      }
      lines_before[name] = key;
      if (key != kAbsent) out_.push_back({name, key, label});
    }
  }

  const PhraseTree& tree_;
  const SentenceWords& words_;
  const HeadRules& heads_;
  const TemplateTexts& texts_;
  std::vector<SlowFeature> out_;
};

}  // namespace copse::incremental::incremental_testing
