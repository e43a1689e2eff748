#include "copse/inference/spinal_parts.h"

#include <algorithm>
#include <tuple>

namespace copse {
namespace {

bool fits_somewhere(const SpinalSpine& spine, const SpinalLabel& label) {
  for (int p = 1; p <= spine.height(); ++p) {
    if (spine.fits(p, label)) return true;
  }
  return false;
}

class Sweep {
 public:
  Sweep(std::span<const SpinalLabel> labels, std::vector<std::vector<SpinalSpine>>& spines,
        std::vector<SpinalArc>& arcs)
      : labels_(labels), spines_(spines), arcs_(arcs) {}

  void run() {
    bool changed = true;
    while (changed) {
      changed = std::erase_if(arcs_, [&](const SpinalArc& arc) { return !has_ends(arc); }) > 0;
      changed |= drop_spines();
    }
  }

 private:
  const SpinalLabel& label(const SpinalArc& arc) const {
    return labels_[static_cast<std::size_t>(arc.label)];
  }
  bool has_ends(const SpinalArc& arc) const {
    const auto& of_head = spines_[static_cast<std::size_t>(arc.h)];
    const auto& of_modifier = spines_[static_cast<std::size_t>(arc.m)];
    const bool at_head = arc.h == 0 || std::ranges::any_of(of_head, [&](const SpinalSpine& spine) {
                           return fits_somewhere(spine, label(arc));
                         });
    return at_head && std::ranges::any_of(of_modifier, [&](const SpinalSpine& spine) {
             return spine.top() == label(arc).z;
           });
  }
  bool drop_spines() {
    std::vector<std::vector<std::uint16_t>> tops(spines_.size());
    for (const SpinalArc& arc : arcs_) {
      tops[static_cast<std::size_t>(arc.m)].push_back(label(arc).z);
    }
    bool changed = false;
    for (std::size_t i = 1; i < spines_.size(); ++i) {
      changed |= std::erase_if(spines_[i], [&](const SpinalSpine& spine) {
                   return std::ranges::find(tops[i], spine.top()) == tops[i].end();
                 }) > 0;
    }
    return changed;
  }

  std::span<const SpinalLabel> labels_;
  std::vector<std::vector<SpinalSpine>>& spines_;
  std::vector<SpinalArc>& arcs_;
};

ArcMask mask_of(int words, const std::vector<SpinalArc>& arcs) {
  ArcMask mask = ArcMask::none(words);
  for (const SpinalArc& arc : arcs) mask.allow(arc.h, arc.m);
  return mask;
}

std::vector<SpinalArc> swept(std::span<const SpinalLabel> labels,
                             std::vector<std::vector<SpinalSpine>>& spines,
                             std::vector<SpinalArc> arcs) {
  Sweep(labels, spines, arcs).run();
  return arcs;
}

}  // namespace

SpinalParts::SpinalParts(std::span<const SpinalLabel> labels,
                         std::vector<std::vector<SpinalSpine>> spines,
                         std::vector<SpinalArc> surviving)
    : labels_(labels),
      spines_(std::move(spines)),
      arcs_(swept(labels, spines_, std::move(surviving))),
      index_(mask_of(words(), arcs_), Factorisation::carreras, RootRule::single) {
  std::ranges::sort(arcs_, {}, [&](const SpinalArc& arc) {
    return std::tuple(index_.find_arc(arc.h, arc.m), arc.label);
  });
  first_spine_.assign(1, 0);
  for (const auto& each : spines_) {
    first_spine_.push_back(first_spine_.back() + static_cast<int>(each.size()));
  }
  first_node_.assign(1, 0);
  for (const auto& each : spines_) {
    for (const SpinalSpine& spine : each) {
      first_node_.push_back(first_node_.back() + spine.height() + 1);
    }
  }
  first_labelled_.assign(at(index_.arcs()) + 1, 0);
  std::int64_t sib = 0, inner = 0, outer = 0;
  const auto add_rows = [&] {
    sib_row_.push_back(static_cast<int>(sib));
    inner_row_.push_back(static_cast<int>(inner));
    outer_row_.push_back(static_cast<int>(outer));
  };
  for (int a = 0; a < arcs(); ++a) {
    const int whole = unlabelled(a);
    ++first_labelled_[at(whole) + 1];
    add_rows();
    sib += index_.sibling_slots(whole);
    inner += index_.inner_slots(whole);
    outer += index_.outer_slots(whole);
  }
  add_rows();
  second_order_count_ = static_cast<std::size_t>(sib + inner + outer) + edge_row(words() + 1);
  for (std::size_t k = 1; k < first_labelled_.size(); ++k) {
    first_labelled_[k] += first_labelled_[k - 1];
  }
}

int SpinalParts::find(int h, int m, int label) const {
  const int whole = index_.find_arc(h, m);
  if (whole == PartIndex::kNone) return -1;
  const auto [first, last] = labelled(whole);
  for (int a = first; a < last; ++a) {
    if (arc(a).label == label) return a;
  }
  return -1;
}

void SpinalScores::reset(const SpinalParts& parts, bool second_order, int groups) {
  const auto size = [](int count) { return static_cast<std::size_t>(count); };
  spine.assign(size(parts.spine_count()), 0.0F);
  dep.assign(size(parts.arcs()), 0.0F);
  group.assign(size(parts.arcs()), 0);
  const std::size_t ends = size(groups) * (size(parts.words()) + 1);
  begin.assign(ends, 0.0F);
  end.assign(ends, 0.0F);
  sib.assign(second_order ? size(parts.sib_row(parts.arcs())) : 0, 0.0F);
  inner.assign(second_order ? size(parts.inner_row(parts.arcs())) : 0, 0.0F);
  outer.assign(second_order ? size(parts.outer_row(parts.arcs())) : 0, 0.0F);
  edges.assign(second_order ? parts.edge_row(parts.words() + 1) : 0, 0.0F);
}

}  // namespace copse
