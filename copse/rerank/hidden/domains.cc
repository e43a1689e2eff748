#include "copse/rerank/hidden/domains.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "copse/base/error.h"

namespace copse::hidden {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"lexical",    "pos",     "highest-nt",
                                                    "supersense", "cluster", "mixed"};
constexpr int kFew = 3, kMany = 5;

}  // namespace

std::string_view name_of(DomainKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

DomainKind domain_kind(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) {
    throw usage_error(fmt::format("unknown domain \"{}\"", name),
                      "expected lexical, pos, highest-nt, supersense, cluster or mixed");
  }
  return static_cast<DomainKind>(at - kNames.begin());
}

std::vector<std::string> domain_names() {
  return {kNames.begin(), kNames.end()};
}

Domains::Domains(const DomainOptions& options, Resources resources)
    : options_(options), resources_(std::move(resources)) {
  if (options.values < 0 || options.values > kLargestFamily) {
    throw usage_error(fmt::format("{} values of a family", options.values),
                      fmt::format("expected 1 to {}, or 0 for the usual number", kLargestFamily));
  }
  if (options.kind == DomainKind::cluster && !resources_.clusters) {
    throw usage_error("the domain \"cluster\" needs clusters");
  }
}

// visit(letter of the kind, text before and behind, number of values).
template <class Visit>
void Domains::visit(const DomainWord& word, Visit visit) const {
  const auto copies = [&](int usual) {
    return static_cast<std::uint32_t>(options_.values > 0 ? options_.values : usual);
  };
  const auto lexical = [&] {
    if (resources_.words.count(std::string(word.form)) > 0) {
      visit('w', "", word.form, copies(kFew));
    } else {
      visit('u', "UNK_", word.tag, copies(kFew));
    }
  };
  switch (options_.kind) {
    case DomainKind::lexical:
      return lexical();
    case DomainKind::mixed:
      lexical();
      return visit('t', "", word.tag, copies(kFew));
    case DomainKind::highest_nt:
      return visit('n', "", word.highest, copies(kMany));
    case DomainKind::supersense:
      if (resources_.supersenses) {
        const auto found = resources_.supersenses->find(word.form, word.tag);
        for (const auto number : found) visit('s', "", supersense_name(number), copies(kFew));
        if (!found.empty()) return;
      }
      break;
    case DomainKind::cluster: {
      const WordClusters::Id cluster = resources_.clusters->find(word.form);
      if (cluster == WordClusters::kNone) break;
      const std::string_view bits = resources_.clusters->bits(cluster);
      return visit('c', "", bits.substr(0, static_cast<std::size_t>(options_.prefix)),
                   copies(kFew));
    }
    case DomainKind::pos:
      break;
  }
  visit('t', "", word.tag, copies(kMany));
}

void Domains::families(const DomainWord& word, std::vector<Family>& out) const {
  out.clear();
  visit(word, [&](char letter, std::string_view, std::string_view text, std::uint32_t values) {
    out.push_back(
        {join(atom_of(static_cast<std::uint64_t>(letter)), join(atom_of(text), values)), values});
  });
}

void Domains::names(const DomainWord& word, std::vector<std::string>& out) const {
  out.clear();
  visit(word, [&](char, std::string_view before, std::string_view text, std::uint32_t) {
    out.push_back(std::string(before) + std::string(text));
  });
}

void Domains::save(ModelWriter& writer) const {
  if (options_.kind == DomainKind::lexical || options_.kind == DomainKind::mixed) {
    std::vector<std::string> words(resources_.words.begin(), resources_.words.end());
    std::sort(words.begin(), words.end());
    writer.add_strings("words", words);
  }
  if (options_.kind == DomainKind::supersense && resources_.supersenses) {
    writer.add("supersenses", resources_.supersenses->str());
  }
  if (options_.kind == DomainKind::cluster) writer.add("clusters", resources_.clusters->bytes());
}

Domains::Resources Domains::load(const ModelFile& file, DomainKind kind) {
  Resources resources;
  if (kind == DomainKind::lexical || kind == DomainKind::mixed) {
    const auto words = file.strings("words");
    resources.words.insert(words.begin(), words.end());
  }
  if (kind == DomainKind::supersense && file.has("supersenses")) {
    resources.supersenses = std::make_shared<const Supersenses>(
        Supersenses::parse(file.text("supersenses"), file.name() + ": supersenses"));
  }
  if (kind == DomainKind::cluster) {
    resources.clusters =
        std::make_shared<const WordClusters>(WordClusters::from_bytes(file.text("clusters")));
  }
  return resources;
}

}  // namespace copse::hidden
