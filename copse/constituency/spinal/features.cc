#include "copse/constituency/spinal/features.h"

#include <fmt/core.h>

#include <limits>
#include <map>
#include <tuple>

#include "constituency/spinal_begin_templates.h"
#include "constituency/spinal_edge_clusters_templates.h"
#include "constituency/spinal_edge_templates.h"
#include "constituency/spinal_end_templates.h"
#include "constituency/spinal_part_clusters_templates.h"
#include "constituency/spinal_part_templates.h"
#include "constituency/spinal_spine_clusters_templates.h"
#include "constituency/spinal_spine_templates.h"
#include "copse/base/error.h"

namespace copse::spinal {
namespace {

std::string rise_text(int rise) {
  return rise == 0 ? "s" : rise == 1 ? "r" : fmt::format("r{}", rise);
}

std::array<std::string, Features::kViews> view_texts(const SpinalLabel& label,
                                                     const Symbols& names) {
  const std::string_view x = names.text(label.x), y = names.text(label.y), z = names.text(label.z);
  const std::string kind = rise_text(label.rise);
  return {fmt::format("{}/{}/{}:{}", x, y, z, kind), fmt::format("{}/{}:{}", x, z, kind),
          fmt::format("{}:{}", x, kind)};
}

}  // namespace

bool comes_before(const RolePart& a, const RolePart& b) {
  const auto order = [](const RolePart& each) {
    const Part& part = each.part;
    return std::tuple(each.role, part.h, part.m, part.g, part.s, part.side, each.what);
  };
  return order(a) < order(b);
}

TemplateTexts builtin_templates(bool clusters) {
  TemplateTexts out{
      std::string(embedded::spinal_spine_templates), std::string(embedded::spinal_part_templates),
      std::string(embedded::spinal_begin_templates), std::string(embedded::spinal_end_templates),
      std::string(embedded::spinal_edge_templates)};
  if (clusters) {
    out.spine += embedded::spinal_spine_clusters_templates;
    out.parts += embedded::spinal_part_clusters_templates;
    out.edge += embedded::spinal_edge_clusters_templates;
  }
  return out;
}

Features::Features(const TemplateTexts& texts, const Inventory& inventory, const std::string& file)
    : texts_(texts),
      spine_(parse_part_templates(texts.spine, file + "spine.templates")),
      parts_(parse_part_templates(texts.parts, file + "part.templates")),
      begin_(parse_part_templates(texts.begin, file + "begin.templates")),
      end_(parse_part_templates(texts.end, file + "end.templates")),
      edge_(parse_part_templates(texts.edge, file + "edge.templates")) {
  std::map<std::string, Label> numbers;
  texts_of_views_.emplace_back();
  for (const SpinalLabel& each : inventory.adjunctions()) {
    std::array<Label, kViews> views{};
    const auto names = view_texts(each, inventory.labels());
    for (std::size_t v = 0; v < names.size(); ++v) {
      const auto [where, is_new] =
          numbers.emplace(names[v], static_cast<Label>(texts_of_views_.size()));
      views[v] = where->second;
      if (is_new) texts_of_views_.push_back(names[v]);
    }
    views_.push_back(views);
  }
  first_chain_ = static_cast<int>(texts_of_views_.size());
  first_boundary_ = first_chain_ + static_cast<int>(inventory.chains().size());
  first_edge_ = first_boundary_ + 2 * static_cast<int>(texts_of_views_.size());
  end_of_labels_ = first_edge_ + 2 * static_cast<int>(inventory.labels().size());
  if (labels() > std::numeric_limits<Label>::max()) {
    throw data_error("the trees have too many kinds of adjunction for the spinal parser");
  }
}

const PartFeatures& Features::table(RolePart::Role role) const {
  switch (role) {
    case RolePart::spine:
      return spine_;
    case RolePart::begin:
      return begin_;
    case RolePart::end:
      return end_;
    case RolePart::edge:
      return edge_;
    default:
      return parts_;
  }
}

std::vector<Label> Features::joined(const RolePart& part) const {
  switch (part.role) {
    case RolePart::spine:
      return {chain(part.what)};
    case RolePart::begin:
    case RolePart::end:
      return {boundary(part.what, part.part.g < part.part.m ? Side::right : Side::left)};
    case RolePart::edge:
      return {edge(part.what, part.part.side)};
    default:
      break;
  }
  const auto& of_label = views(part.what);
  std::vector<Label> out = {kNothing};
  out.insert(out.end(), of_label.begin(), of_label.end());
  return out;
}

void Features::keys_of(const PartFeatures& table, const PositionAtoms& atoms, const Part& part,
                       Keys& out) {
  out.clear();
  table.for_each(atoms, part, [&](FeatureKey key, int, FeatureCopy) { out.push_back(key); });
}

void Features::keys(const PositionAtoms& atoms, const RolePart& part, Keys& out) const {
  keys_of(table(part.role), atoms, part.part, out);
}
void Features::spine(const PositionAtoms& atoms, int word, Keys& out) const {
  keys_of(spine_, atoms, of_word(word), out);
}
void Features::begin(const PositionAtoms& atoms, int word, Keys& out) const {
  keys_of(begin_, atoms, of_word(word), out);
}
void Features::end(const PositionAtoms& atoms, int word, Keys& out) const {
  keys_of(end_, atoms, of_word(word), out);
}
void Features::edge(const PositionAtoms& atoms, int head, int word, Keys& out) const {
  keys_of(edge_, atoms, {.h = head, .m = word}, out);
}
void Features::part(const PositionAtoms& atoms, const Part& part, Keys& out) const {
  keys_of(parts_, atoms, part, out);
}

}  // namespace copse::spinal
