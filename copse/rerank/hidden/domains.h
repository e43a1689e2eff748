// Which hidden values a word may have (Koo & Collins 2005, section 5.1):
//
//   lexical     word_1 word_2 word_3          words that are rare in training: UNK_TAG_1 ...
//   pos         TAG_1 ... TAG_5
//   highest-nt  X_1 ... X_5                   X the highest phrase that the word heads
//   supersense  s_1 s_2 s_3 for each supersense s of the word; a word without: TAG_1 ... TAG_5
//   cluster     bits_1 bits_2 bits_3          a prefix of its Brown cluster; without: TAG_1 ... TAG_5
//   mixed       word_1 word_2 word_3 TAG_1 TAG_2 TAG_3
//
// What a value is a copy of (the word, the tag, ...) is its family; values of one family are what
// learning tells apart.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "copse/cluster/word_clusters.h"
#include "copse/model/feature_key.h"
#include "copse/model/model_file.h"
#include "copse/rerank/hidden/supersenses.h"

namespace copse::hidden {

enum class DomainKind : std::uint8_t { lexical, pos, highest_nt, supersense, cluster, mixed };
// "lexical", "pos", "highest-nt", ...
std::string_view name_of(DomainKind kind);
// Throws usage_error for other names.
DomainKind domain_kind(std::string_view name);
std::vector<std::string> domain_names();

inline constexpr int kLargestFamily = 16;

struct DomainOptions {
  DomainKind kind = DomainKind::pos;
  int values = 0;     // of each family; 0: 3 or 5, as above
  int min_count = 5;  // lexical, mixed: words seen less often are UNK_TAG
  int prefix = 6;     // cluster: bits
};

// One family of a word's domain.
struct Family {
  AtomValue atom = 0;
  std::uint32_t values = 0;
};

// What a domain may look at.
struct DomainWord {
  std::string_view form, tag, highest;
};

// Immutable once made; thread-safe.
class Domains {
 public:
  // What the kind needs and the options do not have.
  struct Resources {
    std::unordered_set<std::string> words;  // lexical, mixed: those that are frequent
    std::shared_ptr<const Supersenses> supersenses;
    std::shared_ptr<const WordClusters> clusters;
  };

  Domains(const DomainOptions& options, Resources resources);

  const DomainOptions& options() const { return options_; }
  // At least one family, each of at least one value.
  void families(const DomainWord& word, std::vector<Family>& out) const;
  // The name of each, in the same order: "shares", "NNS", "noun.act".
  void names(const DomainWord& word, std::vector<std::string>& out) const;

  // Resources; the options are the affair of the caller.
  void save(ModelWriter& writer) const;
  static Resources load(const ModelFile& file, DomainKind kind);

 private:
  template <class Visit>
  void visit(const DomainWord& word, Visit visit) const;

  DomainOptions options_;
  Resources resources_;
};

}  // namespace copse::hidden
