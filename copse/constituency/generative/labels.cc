#include "copse/constituency/generative/labels.h"

#include <algorithm>
#include <array>
#include <set>

#include "copse/base/error.h"

namespace copse::generative {
namespace {

constexpr std::array<std::string_view, 5> kSlotLabels = {"NP", "S", "SG", "SBAR", "VP"};
constexpr std::array<std::string_view, 6> kVerbTags = {"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"};
constexpr std::size_t kMaxLabels = 4096;

template <class List>
bool contains(const List& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

LabelId id_in(const Symbols& symbols, std::string_view name, std::size_t offset) {
  const Symbols::Id id = symbols.find(name);
  return id == Symbols::kUnknown ? kNoLabel : static_cast<LabelId>(id + offset);
}

}  // namespace

LabelSet::LabelSet(const std::vector<std::string>& tags, const std::vector<std::string>& phrases) {
  if (tags.size() + phrases.size() > kMaxLabels) {
    throw data_error("the treebank has more than 4096 labels; expected tags and phrase labels");
  }
  for (const std::string& name : tags) {
    tags_.add(name);
    Properties properties;
    if (is_conjunction_label(name)) properties.previous = Previous::conjunction;
    if (is_raised_tag(name)) properties.previous = Previous::punctuation;
    properties.verb = contains(kVerbTags, name);
    properties.terminator = is_terminator_tag(name);
    properties.raised = is_raised_tag(name);
    properties.slot = kSubcatSlots - 1;
    properties_.push_back(properties);
  }
  for (const std::string& name : phrases) {
    phrases_.add(name);
    Properties properties;
    if (is_conjunction_label(name)) properties.previous = Previous::conjunction;
    const auto slot = std::find(kSlotLabels.begin(), kSlotLabels.end(), name);
    properties.slot = static_cast<std::uint8_t>(slot - kSlotLabels.begin());
    properties_.push_back(properties);
  }
  npb_ = phrase(kBaseNounPhrase);
}

LabelSet LabelSet::of(const std::vector<PreparedTree>& trees) {
  std::set<std::string> tags, phrases;
  for (const PreparedTree& prepared : trees) {
    tags.insert(prepared.tags.begin(), prepared.tags.end());
    for (int node = 0; node < prepared.tree.size(); ++node) {
      if (!prepared.tree.is_leaf(node)) phrases.emplace(prepared.tree.label(node));
    }
  }
  return {{tags.begin(), tags.end()}, {phrases.begin(), phrases.end()}};
}

LabelId LabelSet::tag(std::string_view name) const {
  return id_in(tags_, name, 0);
}

LabelId LabelSet::phrase(std::string_view name) const {
  return id_in(phrases_, name, tags_.size());
}

std::string_view LabelSet::name(LabelId label) const {
  return is_tag(label) ? tags_.text(label) : phrases_.text(label - tags_.size());
}

}  // namespace copse::generative
