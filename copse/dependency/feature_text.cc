#include "copse/dependency/feature_text.h"

#include <fmt/format.h>

#include <array>

namespace copse {
namespace {

constexpr std::array<std::string_view, kPartAtoms> kPartAtomNames = {
    "dir", "dist", "verbs", "commas", "conjunctions", ""};

int position_of(AtomPlace place, int member, const Part& part) {
  switch (place) {
    case AtomPlace::g:
      return part.g;
    case AtomPlace::h:
      return part.h;
    case AtomPlace::m:
      return part.m;
    case AtomPlace::s:
      return part.s;
    case AtomPlace::t:
      return part.t;
    default:
      return member;
  }
}

// The attr-th Name=Value pair of a FEATS column.
std::string_view attribute(std::string_view feats, int attr) {
  while (!feats.empty()) {
    const std::string_view pair = feats.substr(0, feats.find('|'));
    feats.remove_prefix(std::min(pair.size() + 1, feats.size()));
    if (!pair.empty() && attr-- == 0) return pair;
  }
  return {};
}

}  // namespace

std::string FeatureText::name(int section, int number) const {
  return fmt::format(
      "{} {}", name_of_section(section),
      templates_.sections[static_cast<std::size_t>(section)][static_cast<std::size_t>(number)]
          .name);
}

std::string FeatureText::values(int section, int number, FeatureCopy copy, int member,
                                const Part& part) const {
  const PartTemplate& row =
      templates_.sections[static_cast<std::size_t>(section)][static_cast<std::size_t>(number)];
  std::string out;
  const auto add = [&](const std::string& text) {
    if (!out.empty()) out += ' ';
    out += text;
  };
  for (const PartTemplate::Atom& each : row.atoms) add(atom(row, each, member, part));
  if (copy != FeatureCopy::alone) {
    const PartAtom which =
        copy == FeatureCopy::direction ? PartAtom::direction : PartAtom::distance;
    add(fmt::format("{}={}", kPartAtomNames[static_cast<std::size_t>(which)],
                    PartFeatures::text_of(which, atoms_, part)));
  }
  return out;
}

std::string FeatureText::atom(const PartTemplate& row, const PartTemplate::Atom& atom, int member,
                              const Part& part) const {
  if (atom.place != AtomPlace::part) {
    return position_atom(atom.place, atom.offset, position_of(atom.place, member, part));
  }
  const auto which = static_cast<PartAtom>(atom.offset);
  if (which == PartAtom::each) return member_text(row.each, member, part);
  return fmt::format("{}={}", kPartAtomNames[static_cast<std::size_t>(which)],
                     PartFeatures::text_of(which, atoms_, part));
}

// `offset` counts atoms from those of the position; neighbours lie kPositionAtoms apart.
std::string FeatureText::position_atom(AtomPlace place, int offset, int position) const {
  const int shifted = offset + kPositionWindow * kPositionAtoms;
  const int away = shifted / kPositionAtoms - kPositionWindow;
  const auto which = static_cast<PositionAtom>(shifted % kPositionAtoms);
  const std::string name = fmt::format("{}{}.{}", "ghmstb"[static_cast<std::size_t>(place)],
                                       away == 0 ? "" : fmt::format("{:+}", away), name_of(which));
  const int at = position + away;
  if (position == kNobody) return name + "=<none>";
  if (at == 0 && away == 0) return name + "=<root>";
  if (at < 1) return name + "=<bos>";
  if (at > static_cast<int>(words_.size())) return name + "=<eos>";
  const auto text = text_of(which, words_[static_cast<std::size_t>(at) - 1], clusters_);
  return text ? name + '=' + *text : name;
}

std::string FeatureText::member_text(EachOf each, int member, const Part& part) const {
  if (each != EachOf::agreement) {
    const bool head = each == EachOf::head_attribute;
    const int word = head ? part.h : part.m;
    if (word < 1) return head ? "h.attr" : "m.attr";
    const std::string_view feats = words_[static_cast<std::size_t>(word) - 1].feats;
    return fmt::format("{}.{}", head ? 'h' : 'm', attribute(feats, member));
  }
  for (int k = 0; k < PositionAtoms::kCompared; ++k) {
    const AtomValue head = atoms_.compared(part.h, k);
    const AtomValue modifier = atoms_.compared(part.m, k);
    if ((head == kAbsent && modifier == kAbsent) || member-- > 0) continue;
    const std::string_view how = head == kAbsent       ? "only-m"
                                 : modifier == kAbsent ? "only-h"
                                 : head == modifier    ? "same"
                                                       : "different";
    return fmt::format("agree={}:{}", PositionAtoms::compared_name(k), how);
  }
  return "agree";
}

}  // namespace copse
