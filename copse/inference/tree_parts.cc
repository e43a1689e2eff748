#include "copse/inference/tree_parts.h"

namespace copse {
namespace {

Side other(Side side) {
  return side == Side::left ? Side::right : Side::left;
}

class TreeParts {
 public:
  TreeParts(const PartIndex& index, std::span<const int> heads, std::vector<PartIndex::Id>& parts)
      : index_(index),
        heads_(heads),
        parts_(parts),
        outermost_(2 * heads.size(), PartIndex::kNone) {}

  bool collect() {
    for (int h = 0; h <= index_.words(); ++h) {
      for (const Side side : {Side::left, Side::right}) {
        if (!collect_side(h, side)) return false;
      }
    }
    if (index_.factorisation() == Factorisation::carreras) collect_outermost_grandchildren();
    return true;
  }

 private:
  // The modifiers of h on one side, from h outwards: every one is a tail of the arcs before it.
  bool collect_side(int h, Side side) {
    const int step = side == Side::left ? -1 : 1;
    int inner = PartIndex::kNone;   // arc of the modifier before
    int deeper = PartIndex::kNone;  // and of the one before that
    for (int m = h + step; m >= 1 && m <= index_.words(); m += step) {
      if (heads_[static_cast<std::size_t>(m)] != h) continue;
      const int a = index_.find_arc(h, m);
      if (a == PartIndex::kNone) return false;
      if (!collect_arc(a, inner, deeper)) return false;
      deeper = inner;
      inner = a;
    }
    if (inner != PartIndex::kNone) outermost_[2 * at(h) + at(side == Side::right)] = inner;
    if (index_.has(PartFamily::stop) && !(h == 0 && side == Side::left)) {
      parts_.push_back(inner == PartIndex::kNone ? index_.stop(h, side) : index_.stop(inner));
    }
    if (index_.factorisation() == Factorisation::model2 && !is_every_pair() && h != 0 &&
        inner != PartIndex::kNone) {
      return collect_outermost_pair(h, inner, deeper);
    }
    return true;
  }

  bool collect_arc(int a, int inner, int deeper) {
    const int slot = slot_of(inner);
    if (slot >= index_.sibling_slots(a)) return false;  // a second child of a single root
    parts_.push_back(index_.dep(a));
    if (index_.has(PartFamily::sib)) parts_.push_back(index_.sib(a, slot));
    if (index_.has(PartFamily::tsib)) parts_.push_back(index_.tsib(a, slot) + slot_of(deeper));
    return !is_every_pair() || index_.arc(a).h == 0 || collect_grandparent(a, slot);
  }

  // Does every modifier have grand and gsib parts, or only the outermost?
  bool is_every_pair() const {
    return index_.factorisation() == Factorisation::model0 ||
           index_.factorisation() == Factorisation::model1 ||
           (index_.factorisation() == Factorisation::model2 &&
            index_.crossing() == Crossing::allowed);
  }

  bool collect_grandparent(int a, int slot) {
    const int lane = grandparent_lane(a);
    if (lane < 0) return false;
    parts_.push_back(index_.grand(a) + lane);
    if (index_.has(PartFamily::gsib)) parts_.push_back(index_.gsib(a, slot) + lane);
    return true;
  }

  // Model 2: the outermost modifier with its inner sibling, and the grandchild that sibling is.
  bool collect_outermost_pair(int /*h*/, int a, int inner) {
    if (!collect_grandparent(a, slot_of(inner))) return false;
    if (inner == PartIndex::kNone) return true;
    const int lane = grandparent_lane(inner);
    if (lane < 0) return false;
    parts_.push_back(index_.grand(inner) + lane);
    return true;
  }

  // Carreras: for every arc (g,h) the outermost modifiers of h on both sides, or nobody.
  void collect_outermost_grandchildren() {
    for (int h = 1; h <= index_.words(); ++h) {
      const int a = index_.find_arc(heads_[at(h)], h);
      const Side side = index_.arc(a).side;
      const auto slot = [&](Side where) {
        return slot_of(outermost_[2 * at(h) + at(where == Side::right)]);
      };
      parts_.push_back(index_.grand(a) + slot(other(side)));
      parts_.push_back(index_.outer_grand(a) + slot(side));
    }
  }

  // Among the grandparents that the arc can have; -1 if its head's head is none of them.
  int grandparent_lane(int a) const {
    const int h = index_.arc(a).h;
    const int up = index_.find_arc(heads_[at(h)], h);
    if (up == PartIndex::kNone) return -1;
    const PartIndex::Range lanes = index_.grandparents(a);
    const int lane = index_.lane_of_head(up);
    return lane >= lanes.first && lane < lanes.last ? lane - lanes.first : -1;
  }

  int slot_of(int a) const { return a == PartIndex::kNone ? 0 : 1 + index_.position(a); }
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  const PartIndex& index_;
  std::span<const int> heads_;
  std::vector<PartIndex::Id>& parts_;
  std::vector<int> outermost_;  // [h][side] -> arc
};

}  // namespace

bool append_parts_of_tree(const PartIndex& index, std::span<const int> heads,
                          std::vector<PartIndex::Id>& parts) {
  const std::size_t before = parts.size();
  if (TreeParts(index, heads, parts).collect()) return true;
  parts.resize(before);
  return false;
}

}  // namespace copse
