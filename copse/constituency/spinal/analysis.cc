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

// The parts of the arc into m.
void add_parts(const Analysis& analysis, const ArcContext& context, int m, bool second_order,
               std::vector<RolePart>& out) {
  const int h = analysis.head[at(m)], label = analysis.adjunction[at(m)];
  const Side side = h < m ? Side::right : Side::left;
  const auto boundary = [&](RolePart::Role role, int word) {
    out.push_back({role, {.family = PartFamily::stop, .g = h, .h = word, .m = m}, label});
  };
  const auto grand = [&](int c, Side of_c) {
    out.push_back({RolePart::grand,
                   {.family = PartFamily::grand, .g = h, .h = m, .m = c, .side = of_c},
                   label});
  };
  out.push_back({RolePart::dep, {.family = PartFamily::dep, .h = h, .m = m}, label});
  boundary(RolePart::begin, context.begin);
  boundary(RolePart::end, context.end);
  if (!second_order) return;
  out.push_back({RolePart::sib,
                 {.family = PartFamily::sib, .h = h, .m = m, .s = context.sibling, .side = side},
                 label});
  grand(context.left, Side::left);
  grand(context.right, Side::right);
}

// Where the phrases of a word end on one side: each before the first modifier that goes above it.
class Edges {
 public:
  Edges(const Inventory& inventory, const Analysis& analysis,
        const std::vector<ArcContext>& contexts, std::vector<RolePart>& out)
      : inventory_(inventory), analysis_(analysis), contexts_(contexts), out_(out) {}

  // `modifiers` from the head outwards.
  void add(int h, Side side, std::span<const int> modifiers) {
    const Chain& phrases = inventory_.chains()[at(analysis_.chain[at(h)])];
    const auto close = [&](int p, int e) {
      out_.push_back({RolePart::edge, {.h = h, .m = e, .side = side}, phrases[at(p) - 1]});
    };
    int p = 1, e = h;
    for (const int m : modifiers) {
      for (; p < analysis_.position[at(m)]; ++p) close(p, e);
      if (inventory_.adjunctions()[at(analysis_.adjunction[at(m)])].rise > 0) close(p, e);
      e = side == Side::left ? contexts_[at(m)].begin : contexts_[at(m)].end;
    }
    for (; p <= static_cast<int>(phrases.size()); ++p) close(p, e);
  }

 private:
  const Inventory& inventory_;
  const Analysis& analysis_;
  const std::vector<ArcContext>& contexts_;
  std::vector<RolePart>& out_;
};

void add_edges(const Analysis& analysis, const Inventory& inventory,
               const std::vector<ArcContext>& contexts, std::vector<RolePart>& out) {
  Edges edges(inventory, analysis, contexts, out);
  std::vector<Derivation::Sides> sides(at(analysis.words()) + 1);
  for (int m = 1; m <= analysis.words(); ++m) {
    const int h = analysis.head[at(m)];
    if (h < m) sides[at(h)].right.push_back(m);
    if (h > m) sides[at(h)].left.insert(sides[at(h)].left.begin(), m);
  }
  for (int h = 1; h <= analysis.words(); ++h) {
    edges.add(h, Side::left, sides[at(h)].left);
    edges.add(h, Side::right, sides[at(h)].right);
  }
}

// Counts keys with what they are joined with.
class Sum {
 public:
  Sum(const Features& features, const PositionAtoms& atoms) : features_(features), atoms_(atoms) {}

  void add(std::span<const RolePart> parts, float sign) {
    for (const RolePart& part : parts) {
      features_.keys(atoms_, part, keys_);
      for (const Label label : features_.joined(part)) {
        for (const FeatureKey key : keys_) sum_.push_back({{key, label}, sign});
      }
    }
  }
  std::vector<KeyCount> take() {
    std::ranges::sort(sum_, {}, &KeyCount::place);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sum_.size();) {
      KeyCount each = sum_[i];
      for (++i; i < sum_.size() && sum_[i].place == each.place; ++i) each.count += sum_[i].count;
      if (each.count != 0) sum_[kept++] = each;
    }
    sum_.resize(kept);
    return std::move(sum_);
  }

 private:
  const Features& features_;
  const PositionAtoms& atoms_;
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

std::size_t wrong_adjunctions(const Analysis& found, const Analysis& gold) {
  std::size_t wrong = 0;
  for (int m = 1; m <= found.words(); ++m) {
    wrong += gold.has({found.head[at(m)], m, found.adjunction[at(m)]}) ? 0 : 1;
  }
  return wrong;
}

std::vector<RolePart> parts_of(const Analysis& analysis, const Inventory& inventory,
                               bool second_order) {
  std::vector<RolePart> out;
  const auto contexts = contexts_of(analysis);
  for (int m = 1; m <= analysis.words(); ++m) {
    out.push_back({RolePart::spine, {.family = PartFamily::stop, .h = m}, analysis.chain[at(m)]});
    add_parts(analysis, contexts[at(m)], m, second_order, out);
  }
  if (second_order) add_edges(analysis, inventory, contexts, out);
  std::ranges::sort(out, comes_before);
  return out;
}

std::vector<RolePart> only_in(std::span<const RolePart> a, std::span<const RolePart> b) {
  std::vector<RolePart> out;
  std::ranges::set_difference(a, b, std::back_inserter(out), comes_before);
  return out;
}

std::vector<KeyCount> feature_difference(const Features& features, const Inventory& inventory,
                                         const PositionAtoms& atoms, const Analysis& gold,
                                         const Analysis& found, bool second_order) {
  const auto right = parts_of(gold, inventory, second_order);
  const auto other = parts_of(found, inventory, second_order);
  Sum sum(features, atoms);
  sum.add(only_in(right, other), 1);
  sum.add(only_in(other, right), -1);
  return sum.take();
}

}  // namespace copse::spinal
