#include "copse/constituency/incremental/features.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <type_traits>

#include "constituency/incremental_clusters_templates.h"
#include "constituency/incremental_lookahead_templates.h"
#include "constituency/incremental_more_templates.h"
#include "constituency/incremental_node_templates.h"
#include "constituency/incremental_punctuation_ahead_templates.h"
#include "constituency/incremental_punctuation_templates.h"
#include "constituency/incremental_word_templates.h"
#include "copse/base/error.h"
#include "copse/treebank/label.h"

namespace copse::incremental {
namespace {

constexpr std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

// Where the values of atoms stand: labels, words of several roles with five atoms each, the rest,
// then the keys of the templates themselves.
enum LabelAtom : AtomSlot { kL00, kL10, kL01, kL02, kL03, kL20, kL11, kL30, kL21, kLabelAtoms };
constexpr std::array<std::string_view, kLabelAtoms> kLabelNames = {
    "L00", "L10", "L01", "L02", "L03", "L20", "L11", "L30", "L21"};
enum Role : AtomSlot { kLK, kLK1, kLK2, kW1, kCL, kLC, kUP, kFW, kCC, kRoles };
constexpr std::array<std::string_view, kRoles> kRoleNames = {"LK", "LK1", "LK2", "W1", "CL",
                                                             "LC", "UP",  "FW",  "CC"};
constexpr std::array<std::string_view, 5> kWordNames = {"", "P", "K", "K4", "K6"};
constexpr std::array<PositionAtom, 5> kWordAtoms = {PositionAtom::lemma, PositionAtom::fine,
                                                    PositionAtom::cluster, PositionAtom::cluster4,
                                                    PositionAtom::cluster6};
constexpr AtomSlot kFirstRole = kLabelAtoms;
constexpr AtomSlot kP1 = kFirstRole + kRoles * AtomSlot{kWordAtoms.size()};
constexpr AtomSlot kP2 = kP1 + 1, kP3 = kP1 + 2, kLength = kP1 + 3, kAtoms = kP1 + 4;
constexpr std::size_t kMostTemplates = 200;

using Values = std::array<AtomValue, at(kAtoms) + kMostTemplates>;

constexpr AtomSlot slot_of(Role role, std::size_t atom) {
  return kFirstRole + role * AtomSlot{kWordAtoms.size()} + static_cast<AtomSlot>(atom);
}

std::optional<AtomSlot> atom_named(std::string_view name) {
  for (std::size_t i = 0; i < kLabelNames.size(); ++i) {
    if (name == kLabelNames[i]) return static_cast<AtomSlot>(i);
  }
  for (AtomSlot role = 0; role < kRoles; ++role) {
    const std::string_view start = kRoleNames[at(role)];
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
  if (table.size() > kMostTemplates) throw data_error("has too many templates", {file, 0, 0});
  return table;
}

void put_word(Values& values, Role role, const AtomValue* atoms) {
  for (std::size_t k = 0; k < kWordAtoms.size(); ++k) {
    values[at(slot_of(role, k))] = atoms[at(static_cast<int>(kWordAtoms[k]))];
  }
}

// How long a phrase is: 1, 2, 3, 4, then in steps that grow.
AtomValue length_atom(int words) {
  int bucket = std::min(words, 4);
  for (int limit = 5; words >= limit && bucket < 12; limit += limit / 2) ++bucket;
  return atom_of(static_cast<std::uint64_t>(bucket));
}

void append_keys(const std::vector<Template>& table, Values& values, Features::Keys& out) {
  out.clear();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const FeatureKey key = key_of(table[i], values.data());
    values[at(kAtoms) + i] = key;
    if (key != kAbsent) out.push_back(key);
  }
}

// A context as whole words; there is no padding in it.
template <class Context>
using Bits = std::array<std::uint64_t, sizeof(Context) / 8>;

template <class Context>
Bits<Context> bits_of(const Context& context) {
  static_assert(sizeof(Context) % 8 == 0 && std::has_unique_object_representations_v<Context>);
  return std::bit_cast<Bits<Context>>(context);
}

constexpr std::uint16_t kAllOnes = 0xFFFF;
constexpr std::size_t kFewLines = 2;  // a group of so many joins one that reads more

NodeContext nothing_read() {
  return std::bit_cast<NodeContext>(Bits<NodeContext>{});
}
NodeContext both(const NodeContext& left, const NodeContext& right) {
  Bits<NodeContext> sum = bits_of(left);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] |= bits_of(right)[i];
  return std::bit_cast<NodeContext>(sum);
}
int fields_of(const NodeContext& mask) {
  int ones = 0;
  for (const std::uint64_t word : bits_of(mask)) ones += std::popcount(word);
  return ones;
}

// What a line reads: fields of the context, words, and the lines before it that it joins.
struct Reads {
  NodeContext mask = nothing_read();
  std::uint32_t roles = 0;
  std::vector<bool> lines;
};

// The field of each label atom; L00 is no field.
constexpr std::array<LabelId NodeContext::*, kLabelAtoms> kLabelFields = {nullptr,
                                                                          &NodeContext::label,
                                                                          &NodeContext::last,
                                                                          &NodeContext::last2,
                                                                          &NodeContext::last3,
                                                                          &NodeContext::up,
                                                                          &NodeContext::up_last,
                                                                          &NodeContext::upup,
                                                                          &NodeContext::upup_last};

// The fields of words that stand in contexts.
struct RoleFields {
  Role role;
  std::uint16_t NodeContext::*word;
  LabelId NodeContext::*tag;
};
constexpr std::array<RoleFields, 4> kRoleFields = {{
    {kCL, &NodeContext::head, &NodeContext::head_tag},
    {kLC, &NodeContext::child, &NodeContext::child_tag},
    {kUP, &NodeContext::over, &NodeContext::over_tag},
    {kFW, &NodeContext::first, &NodeContext::first_tag},
}};

void read_role(Role role, bool tag, NodeContext& mask) {
  if (role == kLK && tag) mask.tag = kAllOnes;
  for (const RoleFields& fields : kRoleFields) {
    if (fields.role != role) continue;
    mask.*fields.word = kAllOnes;
    if (tag) mask.*fields.tag = kAllOnes;
  }
}
void read_atom(AtomSlot atom, const std::vector<Reads>& lines, Reads& out) {
  if (atom >= kAtoms) {
    const Reads& line = lines[at(atom - kAtoms)];
    out.mask = both(out.mask, line.mask);
    out.roles |= line.roles;
    for (std::size_t i = 0; i < line.lines.size(); ++i) {
      if (line.lines[i]) out.lines[i] = true;
    }
  } else if (atom < kLabelAtoms) {
    if (atom != kL00) out.mask.*kLabelFields[at(atom)] = kAllOnes;
  } else if (atom < kP1) {
    const int role = (atom - kFirstRole) / static_cast<int>(kWordAtoms.size());
    const int part = (atom - kFirstRole) % static_cast<int>(kWordAtoms.size());
    out.roles |= 1U << role;
    read_role(static_cast<Role>(role), part == 1, out.mask);
  } else if (atom == kP3) {
    out.mask.after = kAllOnes;
  } else if (atom == kLength) {
    out.mask.first = kAllOnes;
  }
}
std::vector<Reads> reads_of(const std::vector<Template>& table) {
  std::vector<Reads> out;
  for (std::size_t i = 0; i < table.size(); ++i) {
    Reads line;
    line.lines.assign(table.size(), false);
    line.lines[i] = true;
    for (const AtomSlot atom : table[i].atoms) read_atom(atom, out, line);
    for (const AtomSlot atom : table[i].guards) read_atom(atom, out, line);
    out.push_back(std::move(line));
  }
  return out;
}

// Lines by the fields that they read; few lines go where the next more are read.
std::vector<std::vector<std::size_t>> group_lines(const std::vector<Reads>& reads) {
  struct Group {
    NodeContext mask;
    std::vector<std::size_t> lines;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    auto found = std::ranges::find(groups, reads[i].mask, &Group::mask);
    if (found == groups.end()) found = groups.insert(found, {reads[i].mask, {}});
    found->lines.push_back(i);
  }
  std::ranges::stable_sort(groups, {}, [](const Group& each) { return fields_of(each.mask); });
  std::vector<std::vector<std::size_t>> out;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto more = std::find_if(
        groups.begin() + static_cast<std::ptrdiff_t>(g) + 1, groups.end(),
        [&](const Group& other) { return both(groups[g].mask, other.mask) == other.mask; });
    auto& lines = groups[g].lines;
    if (lines.size() <= kFewLines && more != groups.end()) {
      more->lines.insert(more->lines.end(), lines.begin(), lines.end());
    } else {
      out.push_back(lines);
    }
  }
  return out;
}

TemplateGroup group_of(const std::vector<std::size_t>& lines, const std::vector<Reads>& reads) {
  TemplateGroup group;
  group.mask = nothing_read();
  std::vector<bool> needed(reads.size(), false);
  for (const std::size_t line : lines) {
    group.mask = both(group.mask, reads[line].mask);
    group.roles |= reads[line].roles;
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (reads[line].lines[i]) needed[i] = true;
    }
  }
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    group.lines.push_back(
        {static_cast<std::uint16_t>(i), std::ranges::find(lines, i) != lines.end()});
  }
  return group;
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

// Products by odd numbers that do not wait for each other.
template <class Context>
std::uint64_t hash_of(const Context& context) {
  std::uint64_t sum = 0, factor = 0x9E3779B97F4A7C15ULL;
  for (const std::uint64_t word : bits_of(context)) {
    sum += (word ^ (word >> 29)) * factor;
    factor = factor * 0xD1342543DE82EF95ULL;
  }
  return scramble(sum);
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

std::uint64_t NodeContext::hash() const {
  return hash_of(*this);
}
std::uint64_t WordContext::hash() const {
  return hash_of(*this);
}

NodeContext masked(const NodeContext& context, const NodeContext& mask) {
  Bits<NodeContext> words = bits_of(context);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] &= bits_of(mask)[i];
  return std::bit_cast<NodeContext>(words);
}

Features::Features(const TemplateTexts& texts, const Grammar& grammar, const std::string& file)
    : texts_(texts),
      node_(read_table(texts.node, file + "node.templates")),
      word_(read_table(texts.word, file + "word.templates")) {
  for (LabelId label = 0; label < grammar.end_label(); ++label) {
    label_atoms_.push_back(atom_of(grammar.names().text(label)));
  }
  find_uses();
  find_groups();
}

void Features::find_groups() {
  const std::vector<Reads> reads = reads_of(node_);
  std::vector<std::size_t> every(node_.size());
  std::iota(every.begin(), every.end(), std::size_t{0});
  all_ = group_of(every, reads);
  for (const auto& lines : group_lines(reads)) groups_.push_back(group_of(lines, reads));
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

void Features::add_node_keys(const TemplateGroup& group, const NodeContext& context,
                             const SentenceWords& words, int position, Keys& out) const {
  Values values;
  const auto reads = [&](Role role) { return (group.roles >> role & 1) != 0; };
  values[kL00] = 1;
  for (AtomSlot atom = kL10; atom < kLabelAtoms; ++atom) {
    values[at(atom)] = label_atoms_[context.*kLabelFields[at(atom)]];
  }
  const auto put_at = [&](Role role, int place) {
    if (reads(role)) put_word(values, role, words.at(place));
  };
  const bool inside = position < words.words();
  put_at(kLK, position);
  if (inside) values[at(slot_of(kLK, 1))] = label_atoms_[context.tag];
  put_at(kLK1, position + 1);
  put_at(kLK2, position + 2);
  put_at(kW1, position - 1);
  for (const auto& [role, word, tag] : kRoleFields) {
    if (!reads(role)) continue;
    const bool nothing = context.*word == NodeContext::kNone;
    put_word(values, role, nothing ? words.none() : words.at(context.*word));
    if (!nothing) values[at(slot_of(role, 1))] = label_atoms_[context.*tag];
  }
  if (reads(kCC)) put_word(values, kCC, words.none());
  values[kP1] = words.is_question() ? 1 : 2;
  const bool punctuation = inside && words.is_punctuation(position);
  const bool turns = punctuation || (inside && words.is_conjunction(position));
  values[kP2] = turns ? words.at(position + 1)[at(static_cast<int>(PositionAtom::fine))] : kAbsent;
  values[kP3] = context.after == 0 ? kAbsent : punctuation ? 1 : 2;
  values[kLength] = length_atom(
      context.first == NodeContext::kNone ? 0 : position - static_cast<int>(context.first));
  for (const auto& [number, fires] : group.lines) {
    const FeatureKey key = key_of(node_[number], values.data());
    values[at(kAtoms) + number] = key;
    if (fires && key != kAbsent) out.push_back(key);
  }
}

void Features::word_keys(const WordContext& context, const SentenceWords& words, int position,
                         Keys& out) const {
  Values values{};
  put_word(values, kLK, words.at(position));
  values[kL00] = values[at(slot_of(kLK, 0))];
  values[kL10] = 1;
  values[kL20] = label_atoms_[context.up];
  values[kL11] = label_atoms_[context.left];
  values[kL30] = label_atoms_[context.upup];
  const bool nothing = context.head == NodeContext::kNone;
  put_word(values, kCC, nothing ? words.none() : words.at(context.head));
  if (!nothing) values[at(slot_of(kCC, 1))] = label_atoms_[context.head_tag];
  append_keys(word_, values, out);
}

}  // namespace copse::incremental
