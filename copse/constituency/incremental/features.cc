#include "copse/constituency/incremental/features.h"

#include <algorithm>
#include <optional>

#include "constituency/incremental_clusters_templates.h"
#include "constituency/incremental_lookahead_templates.h"
#include "constituency/incremental_more_templates.h"
#include "constituency/incremental_node_templates.h"
#include "constituency/incremental_punctuation_ahead_templates.h"
#include "constituency/incremental_punctuation_templates.h"
#include "constituency/incremental_word_templates.h"
#include "copse/base/error.h"
#include "copse/constituency/incremental/feature_atoms.h"
#include "copse/treebank/label.h"

namespace copse::incremental {
namespace {

using Values = std::array<AtomValue, place(kAtoms) + Features::kMostTemplates>;

std::optional<AtomSlot> atom_named(std::string_view name) {
  for (std::size_t i = 0; i < kLabelNames.size(); ++i) {
    if (name == kLabelNames[i]) return static_cast<AtomSlot>(i);
  }
  for (AtomSlot role = 0; role < kRoles; ++role) {
    const std::string_view start = kRoleNames[place(role)];
    if (!name.starts_with(start)) continue;
    for (std::size_t k = 0; k < kWordNames.size(); ++k) {
      if (name.substr(start.size()) == kWordNames[k]) return slot_of(static_cast<Role>(role), k);
    }
  }
  if (name == "P1") return kP1;
  if (name == "P2") return kP2;
  if (name == "P3") return kP3;
  if (name == "LEN") return kLength;
  return {};
}

// Atoms, and templates of earlier lines.
std::vector<Template> read_table(const std::string& text, const std::string& file) {
  std::vector<std::string_view> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = line.find(" =");
    if (line.starts_with('#') || equals == std::string_view::npos) continue;
    const std::string_view name = line.substr(0, equals);
    names.push_back(name.substr(0, name.find(' ')));
  }
  const auto slot = [&](std::string_view name) -> std::optional<AtomSlot> {
    if (const auto atom = atom_named(name)) return atom;
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return {};
    return kAtoms + static_cast<AtomSlot>(found - names.begin());
  };
  std::vector<Template> table = parse_templates(text, file, slot);
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (const AtomSlot atom : table[i].atoms) {
      if (atom >= kAtoms + static_cast<AtomSlot>(i)) {
        throw data_error("\"" + table[i].name + "\" joins a line that does not stand before it",
                         {file, 0, 0});
      }
    }
  }
  if (table.size() > Features::kMostTemplates)
    throw data_error("has too many templates", {file, 0, 0});
  return table;
}

void append_keys(const std::vector<Template>& table, Values& values, Features::Keys& out) {
  out.clear();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const FeatureKey key = key_of(table[i], values.data());
    values[place(kAtoms) + i] = key;
    if (key != kAbsent) out.push_back(key);
  }
}

std::uint16_t number(const HeadWord& head) {
  return head.word == kNoWord ? NodeContext::kNone : static_cast<std::uint16_t>(head.word);
}

// The head of the nearest phrase from a cell upwards that has one.
HeadWord commander(const Cell* cell) {
  for (; cell != nullptr; cell = cell->up) {
    if (cell->head.word != kNoWord) return cell->head;
  }
  return {};
}

}  // namespace

TemplateTexts builtin_templates(const FeatureOptions& options) {
  TemplateTexts out{std::string(embedded::incremental_node_templates),
                    std::string(embedded::incremental_word_templates)};
  if (options.punctuation) out.node += embedded::incremental_punctuation_templates;
  if (options.more) out.node += embedded::incremental_more_templates;
  if (options.punctuation && options.lookahead > 0) {
    out.node += embedded::incremental_punctuation_ahead_templates;
  }
  if (options.lookahead > 0) out.node += embedded::incremental_lookahead_templates;
  if (options.clusters) out.node += embedded::incremental_clusters_templates;
  return out;
}

void SentenceWords::fill(std::span<const ParserWord> words, const WordClusters* clusters) {
  atoms_.fill(words, clusters);
  punctuation_.clear();
  conjunction_.clear();
  for (const ParserWord& word : words) {
    punctuation_.push_back(is_punctuation_tag(word.fine));
    conjunction_.push_back(word.fine == "CC");
  }
  is_question_ = false;
  for (std::size_t i = words.size(); i-- > 0 && punctuation_[i];) {
    is_question_ = is_question_ || words[i].form == "?";
  }
}

const AtomValue* SentenceWords::at(int position) const {
  const int n = words();
  if (position < 0) return atoms_.at(1) - kPositionAtoms;
  if (position < n) return atoms_.at(position + 1);
  const std::ptrdiff_t beyond = std::min(position - n + 1, kPositionWindow);
  return atoms_.at(n) + beyond * kPositionAtoms;
}

Features::Features(const TemplateTexts& texts, const Grammar& grammar, const std::string& file)
    : texts_(texts),
      node_(read_table(texts.node, file + "node.templates")),
      word_(read_table(texts.word, file + "word.templates")) {
  for (LabelId label = 0; label < grammar.end_label(); ++label) {
    label_atoms_.push_back(atom_of(grammar.names().text(label)));
  }
  find_uses();
  all_ = whole_table(node_);
  groups_ = template_groups(node_);
}

void Features::find_uses() {
  const auto of = [](AtomSlot atom, Role role) {
    return atom >= slot_of(role, 0) && atom <= slot_of(role, kWordAtoms.size() - 1);
  };
  for (const Template& row : node_) {
    for (const AtomSlot atom : row.atoms) {
      uses_.child |= of(atom, kLC);
      uses_.over |= of(atom, kUP);
      uses_.first |= of(atom, kFW) || atom == kLength;
      uses_.after |= atom == kP3;
      uses_.far |= atom == kL30 || atom == kL21;
    }
  }
}

NodeContext Features::context(const Cell& cell, const SentenceWords& words, int position,
                              LabelId tag) const {
  NodeContext out;
  out.label = cell.label;
  out.last = cell.last;
  out.last2 = cell.last2;
  out.last3 = cell.last3;
  out.tag = tag;
  if (const Cell* up = cell.up; up != nullptr) {
    out.up = up->label;
    out.up_last = up->last;
    if (uses_.far && up->up != nullptr) {
      out.upup = up->up->label;
      out.upup_last = up->up->last;
    }
  }
  // Always, because words under a chain that is attached here see it (CC).
  out.head = number(cell.head);
  out.head_tag = cell.head.tag;
  if (uses_.child) {
    out.child = number(cell.last_head);
    out.child_tag = cell.last_head.tag;
  }
  if (uses_.over) {
    const HeadWord head = commander(cell.up);
    out.over = number(head);
    out.over_tag = head.tag;
  }
  if (uses_.first) {
    out.first = number(cell.first);
    out.first_tag = cell.first.tag;
  }
  if (uses_.after && position < words.words() && cell.last_begin > 0) {
    out.after = words.is_punctuation(cell.last_begin - 1) ? 1 : 0;
  }
  return out;
}

WordContext Features::word_context(const Cell& cell, LabelId tag) {
  WordContext out;
  out.tag = tag;
  out.up = cell.label;
  out.left = cell.last;
  if (cell.up != nullptr) out.upup = cell.up->label;
  const HeadWord head = commander(&cell);
  out.head = number(head);
  out.head_tag = head.tag;
  return out;
}

void Features::word_keys(const WordContext& context, const SentenceWords& words, int position,
                         Keys& out) const {
  Values values{};
  put_word(values.data(), kLK, words.at(position));
  values[kL00] = values[place(slot_of(kLK, 0))];
  values[kL10] = 1;
  values[kL20] = label_atoms_[context.up];
  values[kL11] = label_atoms_[context.left];
  values[kL30] = label_atoms_[context.upup];
  const bool nothing = context.head == NodeContext::kNone;
  put_word(values.data(), kCC, nothing ? words.none() : words.at(context.head));
  if (!nothing) values[place(slot_of(kCC, 1))] = label_atoms_[context.head_tag];
  append_keys(word_, values, out);
}

}  // namespace copse::incremental
