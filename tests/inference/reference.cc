#include "tests/inference/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace copse::reference {
namespace {

// The modifiers of h on one side, from h outwards.
std::vector<int> modifiers(const Heads& heads, int h, Side side) {
  const int words = static_cast<int>(heads.size()) - 1;
  std::vector<int> found;
  if (side == Side::right) {
    for (int m = h + 1; m <= words; ++m)
      if (heads[m] == h) found.push_back(m);
  } else {
    for (int m = h - 1; m >= 1; --m)
      if (heads[m] == h) found.push_back(m);
  }
  return found;
}

void add_side(std::vector<Part>& parts, Factorisation f, int g, int h, Side side,
              const std::vector<int>& mods) {
  const auto add = [&](PartFamily family, Part part) {
    part.family = family;
    part.side = side;
    if (has_family(f, family)) parts.push_back(part);
  };
  const int outermost = mods.empty() ? kNobody : mods.back();
  add(PartFamily::stop, {.h = h, .m = outermost});
  if (f == Factorisation::carreras && h >= 1)
    add(PartFamily::grand, {.g = g, .h = h, .m = outermost});
  const int count = static_cast<int>(mods.size());
  for (int k = 0; k < count; ++k) {
    const int m = mods[k];
    const int s = k >= 1 ? mods[k - 1] : kNobody;
    const int t = k >= 2 ? mods[k - 2] : kNobody;
    const bool last = k == count - 1;
    const bool last_two = k >= count - 2;
    add(PartFamily::dep, {.h = h, .m = m});
    add(PartFamily::sib, {.h = h, .m = m, .s = s});
    add(PartFamily::tsib, {.h = h, .m = m, .s = s, .t = t});
    if (h == 0) continue;
    if (f != Factorisation::carreras && (f != Factorisation::model2 || last_two))
      add(PartFamily::grand, {.g = g, .h = h, .m = m});
    if (f != Factorisation::model2 || last) add(PartFamily::gsib, {.g = g, .h = h, .m = m, .s = s});
  }
}

void extend(Heads& heads, int m, const ArcMask& mask, const std::function<void()>& found) {
  const int words = mask.words();
  if (m > words) {
    found();
    return;
  }
  for (int h = 0; h <= words; ++h) {
    if (h == m || !mask.allowed(h, m)) continue;
    heads[m] = h;
    extend(heads, m + 1, mask, found);
  }
}

}  // namespace

bool is_tree(const Heads& heads) {
  const int words = static_cast<int>(heads.size()) - 1;
  for (int m = 1; m <= words; ++m) {
    int at = m;
    for (int steps = 0; at != 0; ++steps) {
      if (steps > words) return false;
      at = heads[at];
    }
  }
  return true;
}

bool is_projective(const Heads& heads) {
  const int words = static_cast<int>(heads.size()) - 1;
  for (int m = 1; m <= words; ++m) {
    const int lo = std::min(m, heads[m]);
    const int hi = std::max(m, heads[m]);
    for (int k = lo + 1; k < hi; ++k)
      if (heads[k] < lo || heads[k] > hi) return false;
    for (int k = 1; k <= words; ++k) {
      const bool head_inside = heads[k] > lo && heads[k] < hi;
      if (head_inside && (k < lo || k > hi)) return false;
    }
  }
  return true;
}

int root_modifiers(const Heads& heads) {
  return static_cast<int>(std::count(heads.begin() + 1, heads.end(), 0));
}

std::vector<Heads> all_trees(const ArcMask& mask, RootRule rule, Crossing crossing) {
  std::vector<Heads> trees;
  Heads heads(static_cast<std::size_t>(mask.words()) + 1, kNobody);
  extend(heads, 1, mask, [&] {
    if (!is_tree(heads)) return;
    if (crossing == Crossing::never && !is_projective(heads)) return;
    if (rule == RootRule::single && root_modifiers(heads) > 1) return;
    trees.push_back(heads);
  });
  return trees;
}

std::vector<Part> parts_of(const Heads& heads, Factorisation factorisation) {
  std::vector<Part> parts;
  const int words = static_cast<int>(heads.size()) - 1;
  for (int h = 0; h <= words; ++h) {
    if (h > 0)
      add_side(parts, factorisation, heads[h], h, Side::left, modifiers(heads, h, Side::left));
    add_side(parts, factorisation, heads[h], h, Side::right, modifiers(heads, h, Side::right));
  }
  return parts;
}

double score_of(const Heads& heads, Factorisation factorisation, const PartScore& score) {
  double total = 0;
  for (const Part& part : parts_of(heads, factorisation)) total += score(part);
  return total;
}

double log_sum(const std::vector<double>& values) {
  if (values.empty()) return -std::numeric_limits<double>::infinity();
  const double largest = *std::max_element(values.begin(), values.end());
  if (std::isinf(largest)) return largest;
  double sum = 0;
  for (const double value : values) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

}  // namespace copse::reference
