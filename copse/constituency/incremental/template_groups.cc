#include "copse/constituency/incremental/template_groups.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "copse/constituency/incremental/feature_atoms.h"

namespace copse::incremental {
namespace {

constexpr std::size_t kFewLines = 3;  // a group of so many joins one that reads more

using Mask = ContextBits<NodeContext>;

Mask both(Mask left, const Mask& right) {
  for (std::size_t i = 0; i < left.size(); ++i) left[i] |= right[i];
  return left;
}
int fields_of(const Mask& mask) {
  int ones = 0;
  for (const std::uint64_t word : mask) ones += std::popcount(word);
  return ones;
}

// What a line reads: fields of the context, words, and the lines before it that it joins.
struct Reads {
  Mask mask = {};
  std::uint32_t roles = 0;
  std::vector<bool> lines;
};

void read_field(std::uint16_t NodeContext::*field, Mask& mask) {
  auto context = std::bit_cast<NodeContext>(mask);
  context.*field = 0xFFFF;
  mask = bits_of(context);
}
void read_role(Role role, bool tag, Mask& mask) {
  if (role == kLK && tag) read_field(&NodeContext::tag, mask);
  for (const RoleFields& fields : kRoleFields) {
    if (fields.role != role) continue;
    read_field(fields.word, mask);
    if (tag) read_field(fields.tag, mask);
  }
}
void read_atom(AtomSlot atom, const std::vector<Reads>& lines, Reads& out) {
  if (atom >= kAtoms) {
    const Reads& line = lines[place(atom - kAtoms)];
    out.mask = both(out.mask, line.mask);
    out.roles |= line.roles;
    for (std::size_t i = 0; i < line.lines.size(); ++i) {
      if (line.lines[i]) out.lines[i] = true;
    }
  } else if (atom < kLabelAtoms) {
    if (atom != kL00) read_field(kLabelFields[place(atom)], out.mask);
  } else if (atom < kP1) {
    const int role = (atom - kFirstRole) / static_cast<int>(kWordAtoms.size());
    const int part = (atom - kFirstRole) % static_cast<int>(kWordAtoms.size());
    out.roles |= 1U << role;
    read_role(static_cast<Role>(role), part == 1, out.mask);
  } else if (atom == kP3) {
    read_field(&NodeContext::after, out.mask);
  } else if (atom == kLength) {
    read_field(&NodeContext::first, out.mask);
  }
}
std::vector<Reads> reads_of(const std::vector<Template>& table) {
  std::vector<Reads> out;
  for (std::size_t i = 0; i < table.size(); ++i) {
    Reads line;
    line.lines.assign(table.size(), false);
    // Nearly all lines read these: groups that differ in nothing else would be too many.
    read_field(&NodeContext::label, line.mask);
    read_field(&NodeContext::tag, line.mask);
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
    Mask mask;
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

}  // namespace

std::vector<TemplateGroup> template_groups(const std::vector<Template>& table) {
  const std::vector<Reads> reads = reads_of(table);
  std::vector<TemplateGroup> out;
  for (const auto& lines : group_lines(reads)) out.push_back(group_of(lines, reads));
  return out;
}

TemplateGroup whole_table(const std::vector<Template>& table) {
  std::vector<std::size_t> lines(table.size());
  std::iota(lines.begin(), lines.end(), std::size_t{0});
  return group_of(lines, reads_of(table));
}

}  // namespace copse::incremental
