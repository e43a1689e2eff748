#include "copse/constituency/incremental/node_keys.h"

#include <algorithm>

#include "copse/constituency/incremental/feature_atoms.h"

namespace copse::incremental {
namespace {

constexpr std::uint32_t kPositionRoles =
    1U << kLK | 1U << kLK1 | 1U << kLK2 | 1U << kW1 | 1U << kCC;

// How long a phrase is: 1, 2, 3, 4, then in steps that grow.
AtomValue length_atom(int words) {
  int bucket = std::min(words, 4);
  for (int limit = 5; words >= limit && bucket < 12; limit += limit / 2) ++bucket;
  return atom_of(static_cast<std::uint64_t>(bucket));
}

}  // namespace

void NodeKeys::set_position(const Features& features, const SentenceWords& words, int position) {
  static_assert(place(kAtoms) <= kAtomRoom);
  features_ = &features;
  words_ = &words;
  position_ = position;
  AtomValue* const values = values_.data();
  put_word(values, kLK, words.at(position));
  put_word(values, kLK1, words.at(position + 1));
  put_word(values, kLK2, words.at(position + 2));
  put_word(values, kW1, words.at(position - 1));
  put_word(values, kCC, words.none());
  values[kL00] = 1;
  values[kP1] = words.is_question() ? 1 : 2;
  const bool inside = position < words.words();
  is_punctuation_ = inside && words.is_punctuation(position);
  const bool turns = is_punctuation_ || (inside && words.is_conjunction(position));
  values[kP2] = turns ? values[place(slot_of(kLK1, 1))] : kAbsent;
}

void NodeKeys::set_context(const NodeContext& context) {
  context_ = context;
  roles_ = kPositionRoles;
  lines_.reset();
  for (AtomSlot atom = kL10; atom < kLabelAtoms; ++atom) {
    values_[place(atom)] = features_->label_atom(context.*kLabelFields[place(atom)]);
  }
  if (position_ < words_->words()) {
    values_[place(slot_of(kLK, 1))] = features_->label_atom(context.tag);
  }
  values_[kP3] = context.after == 0 ? kAbsent : is_punctuation_ ? 1 : 2;
  values_[kLength] = length_atom(
      context.first == NodeContext::kNone ? 0 : position_ - static_cast<int>(context.first));
}

void NodeKeys::put_roles(std::uint32_t roles) {
  for (const auto& [role, word, tag] : kRoleFields) {
    if ((roles >> role & 1) == 0) continue;
    const bool nothing = context_.*word == NodeContext::kNone;
    put_word(values_.data(), role, nothing ? words_->none() : words_->at(context_.*word));
    if (!nothing) values_[place(slot_of(role, 1))] = features_->label_atom(context_.*tag);
  }
  roles_ |= roles;
}

void NodeKeys::add(const TemplateGroup& group, Features::Keys& out) {
  if ((group.roles & ~roles_) != 0) put_roles(group.roles & ~roles_);
  for (const auto& [number, fires] : group.lines) {
    FeatureKey& key = values_[place(kAtoms) + number];
    if (!lines_[number]) {
      key = key_of(features_->node_table()[number], values_.data());
      lines_[number] = true;
    }
    if (fires && key != kAbsent) out.push_back(key);
  }
}

void Features::node_keys(const NodeContext& context, const SentenceWords& words, int position,
                         Keys& out) const {
  NodeKeys keys;
  keys.set_position(*this, words, position);
  keys.set_context(context);
  out.clear();
  keys.add(all_, out);
}

}  // namespace copse::incremental
