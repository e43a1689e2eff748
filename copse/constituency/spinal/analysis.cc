#include "copse/constituency/spinal/analysis.h"

#include <algorithm>
#include <utility>

#include "copse/base/error.h"

namespace copse::spinal {
namespace {

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

Analysis sized(int words) {
  const std::vector<int> none(at(words) + 1, -1);
  return {none, none, none, none};
}

// Adds the features of single parts, with their labels.
class Sum {
 public:
  Sum(const Features& features, const PositionAtoms& atoms, bool second_order)
      : features_(features), atoms_(atoms), second_order_(second_order) {}

  // The features that `analysis` has and `other` has not.
  void add(const Analysis& analysis, const Analysis& other, float sign) {
    const auto contexts = contexts_of(analysis), others = contexts_of(other);
    for (int m = 1; m <= analysis.words(); ++m) {
      if (analysis.chain[at(m)] != other.chain[at(m)]) add_spine(m, analysis.chain[at(m)], sign);
      const int h = analysis.head[at(m)], label = analysis.adjunction[at(m)];
      const bool same = h == other.head[at(m)] && label == other.adjunction[at(m)];
      const ArcContext &mine = contexts[at(m)], &theirs = others[at(m)];
      if (!same) add_part(Part{.family = PartFamily::dep, .h = h, .m = m}, label, sign);
      const Side side = h < m ? Side::right : Side::left;
      if (!same || mine.begin != theirs.begin) {
        features_.begin(atoms_, mine.begin, keys_);
        join_all(features_.boundary(label, side), sign);
      }
      if (!same || mine.end != theirs.end) {
        features_.end(atoms_, mine.end, keys_);
        join_all(features_.boundary(label, side), sign);
      }
      if (!second_order_) continue;
      if (!same || mine.sibling != theirs.sibling) {
        add_part(Part{.family = PartFamily::sib, .h = h, .m = m, .s = mine.sibling, .side = side},
                 label, sign);
      }
      if (!same || mine.left != theirs.left) add_grand(h, m, mine.left, Side::left, label, sign);
      if (!same || mine.right != theirs.right) {
        add_grand(h, m, mine.right, Side::right, label, sign);
      }
    }
  }

  std::vector<KeyCount> take() {
    const auto what = [](const KeyCount& each) { return std::pair(each.key, each.label); };
    std::ranges::stable_sort(sum_, {}, what);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sum_.size();) {
      KeyCount each = sum_[i];
      for (++i; i < sum_.size() && what(sum_[i]) == what(each); ++i) each.count += sum_[i].count;
      if (each.count != 0) sum_[kept++] = each;
    }
    sum_.resize(kept);
    return std::move(sum_);
  }

 private:
  void join_all(Label label, float sign) {
    for (const FeatureKey key : keys_) sum_.push_back({key, label, sign});
  }
  void add_spine(int word, int chain, float sign) {
    features_.spine(atoms_, word, keys_);
    join_all(features_.chain(chain), sign);
  }
  void add_part(const Part& part, int label, float sign) {
    features_.part(atoms_, part, keys_);
    join_all(Features::kNothing, sign);
    for (const Label view : features_.views(label)) join_all(view, sign);
  }
  void add_grand(int h, int m, int c, Side side, int label, float sign) {
    add_part(Part{.family = PartFamily::grand, .g = h, .h = m, .m = c, .side = side}, label, sign);
  }

  const Features& features_;
  const PositionAtoms& atoms_;
  bool second_order_;
  Features::Keys keys_;
  std::vector<KeyCount> sum_;
};

}  // namespace

Analysis analysis_of(const Derivation& derivation, const Inventory& inventory) {
  Analysis out = sized(derivation.words());
  const auto grammar = grammar_of(derivation);
  for (int m = 1; m <= derivation.words(); ++m) {
    out.chain[at(m)] = inventory.chain(derivation.spines[at(m)].phrases);
    out.head[at(m)] = derivation.adjunctions[at(m)].head;
    out.position[at(m)] = derivation.adjunctions[at(m)].position;
    out.adjunction[at(m)] = inventory.adjunction(grammar[at(m)]);
    if (out.chain[at(m)] < 0 || out.adjunction[at(m)] < 0) {
      throw data_error("a derivation has parts that the inventory has not");
    }
  }
  return out;
}

Analysis analysis_of(const SpinalParts& parts, const SpinalDerivation& found) {
  Analysis out = sized(parts.words());
  for (int m = 1; m <= parts.words(); ++m) {
    const SpinalArc& arc = parts.arc(found.arc[at(m)]);
    out.chain[at(m)] = parts.spines(m)[at(found.spine[at(m)])].id;
    out.head[at(m)] = arc.h;
    out.adjunction[at(m)] = arc.label;
    out.position[at(m)] = found.position[at(m)];
  }
  return out;
}

Derivation derivation_of(const Analysis& analysis, std::span<const std::string> tags,
                         const Inventory& inventory) {
  Derivation out;
  out.spines.resize(analysis.chain.size());
  out.adjunctions.resize(analysis.chain.size());
  for (int m = 1; m <= analysis.words(); ++m) {
    out.spines[at(m)] = {static_cast<LabelId>(inventory.labels().find(tags[at(m) - 1])),
                         inventory.chains()[at(analysis.chain[at(m)])]};
    out.adjunctions[at(m)] = {analysis.head[at(m)], analysis.position[at(m)],
                              inventory.adjunctions()[at(analysis.adjunction[at(m)])].rise};
  }
  return out;
}

std::vector<ArcContext> contexts_of(const Analysis& analysis) {
  const int n = analysis.words();
  std::vector<ArcContext> out(at(n) + 1);
  std::vector<std::vector<int>> modifiers(at(n) + 1);
  for (int m = 1; m <= n; ++m) {
    modifiers[at(analysis.head[at(m)])].push_back(m);
    out[at(m)].begin = out[at(m)].end = m;
  }
  for (int h = 0; h <= n; ++h) {
    const auto& of = modifiers[at(h)];
    for (std::size_t k = 0; k < of.size(); ++k) {
      const int m = of[k];
      if (m < h) {
        if (k + 1 < of.size() && of[k + 1] < h) out[at(m)].sibling = of[k + 1];
        if (k == 0 && h > 0) out[at(h)].left = m;
      } else {
        if (k > 0 && of[k - 1] > h) out[at(m)].sibling = of[k - 1];
        if (k + 1 == of.size() && h > 0) out[at(h)].right = m;
      }
    }
  }
  // From the tips upwards: a word's tree ends where that of its outermost modifier does.
  const auto tip = [&](int m, int ArcContext::*next) {
    int last = m;
    for (int c = m; c != kNobody; c = out[at(c)].*next) last = c;
    return last;
  };
  for (int m = 1; m <= n; ++m) {
    out[at(m)].begin = tip(m, &ArcContext::left);
    out[at(m)].end = tip(m, &ArcContext::right);
  }
  return out;
}

std::vector<KeyCount> feature_difference(const Features& features, const PositionAtoms& atoms,
                                         const Analysis& gold, const Analysis& found,
                                         bool second_order) {
  Sum sum(features, atoms, second_order);
  sum.add(gold, found, 1);
  sum.add(found, gold, -1);
  return sum.take();
}

}  // namespace copse::spinal
