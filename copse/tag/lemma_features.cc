#include "copse/tag/lemma_features.h"

#include <algorithm>
#include <numeric>

#include "copse/base/utf8.h"
#include "copse/model/templates.h"
#include "tag/lemma_templates.h"

namespace copse {
namespace {

// Word atoms and two more: the tags.
constexpr AtomSlot kUpos = kWordAtoms;
constexpr AtomSlot kFeats = kWordAtoms + 1;

std::optional<AtomSlot> slot_of(std::string_view name) {
  if (name == "upos") return kUpos;
  if (name == "feats") return kFeats;
  return word_atom_slot(name);
}

const std::vector<Template>& lemma_features() {
  static const std::vector<Template> templates =
      parse_templates(embedded::lemma_templates, "built-in lemma templates", slot_of);
  return templates;
}

AtomValue known_key(std::string_view lemma, std::string_view upos) {
  return join(atom_of(lemma), atom_of(upos));
}

// The last so many characters, all of a shorter text.
std::string_view ending(std::string_view text, int characters) {
  std::size_t at = text.size();
  for (; characters > 0 && at > 0; --characters) {
    do --at;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  }
  return text.substr(at);
}

}  // namespace

std::span<const FeatureKey> LemmaKeys::of(std::string_view form, std::string_view upos,
                                          std::string_view feats) {
  const std::array<std::string_view, 1> words = {form};
  fill_atoms(words, {}, {}, atoms_);
  std::copy_n(atoms_.origin(0), kWordAtoms, values_.begin());
  values_[kUpos] = atom_of(upos);
  values_[kFeats] = atom_of(feats);
  keys_.clear();
  for (const Template& row : lemma_features()) {
    const FeatureKey key = key_of(row, values_.data());
    if (key != kAbsent) keys_.push_back(key);
  }
  return keys_;
}

std::array<FeatureKey, kResultKeys> result_keys(std::string_view lemma, std::string_view upos,
                                                int forms) {
  constexpr int kManyForms = 4;
  const auto bin = atom_of(static_cast<std::uint64_t>(std::min(forms, kManyForms)));
  const AtomValue tag = atom_of(upos);
  const auto key = [](std::string_view name, AtomValue a, AtomValue b) {
    return join(join(atom_of(name), a), b);
  };
  return {key("known", bin, kAbsent),
          key("known-upos", bin, tag),
          key("ending-1", atom_of(ending(lemma, 1)), tag),
          key("ending-2", atom_of(ending(lemma, 2)), tag),
          key("ending-3", atom_of(ending(lemma, 3)), tag),
          key("known-ending", join(bin, atom_of(ending(lemma, 2))), tag)};
}

FormsOfLemmas::FormsOfLemmas(std::span<const LemmaExample> examples) {
  for (const LemmaExample& example : examples) {
    forms_[known_key(example.lemma, example.upos)].insert(example.form);
  }
}

int FormsOfLemmas::count(std::string_view lemma, std::string_view upos,
                         std::string_view form) const {
  const auto found = forms_.find(known_key(lemma, upos));
  if (found == forms_.end()) return 0;
  return static_cast<int>(found->second.size() - found->second.count(form));
}

std::string FormsOfLemmas::frozen() const {
  WeightRows rows;
  for (const auto& [lemma, forms] : forms_) {
    const LabelWeight count{0, static_cast<float>(forms.size())};
    rows.add(lemma, {&count, 1});
  }
  return freeze(rows, 1, {Precision::float32, 0});
}

int KnownLemmas::forms(std::string_view lemma, std::string_view upos) const {
  float count = 0;
  counts_.for_each(counts_.find(known_key(lemma, upos)), [&](Label, float n) { count = n; });
  return static_cast<int>(std::min(count, 1e6F));
}

std::span<const Label> BestRules::choose(std::span<const float> scores, std::size_t most) {
  order_.resize(scores.size());
  std::iota(order_.begin(), order_.end(), Label{0});
  const auto better = [&](Label a, Label b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  const std::size_t kept = std::min(most, order_.size());
  std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(kept),
                    order_.end(), better);
  return std::span(order_).first(kept);
}

}  // namespace copse
