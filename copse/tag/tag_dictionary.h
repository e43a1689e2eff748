// Which tags a word had in training and how often; the tags that a word may get.
//
// Common words (at least `rare_below` occurrences) may have the tags they were seen with; rare and
// unknown ones these and every open-class tag: a tag seen with many different words.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/feature_key.h"
#include "copse/model/frozen_weights.h"

namespace copse {

struct DictionaryOptions {
  int rare_below = 20;        // occurrences
  int open_class_types = 20;  // different words that make a tag an open class
};

class TagDictionary {
 public:
  TagDictionary() = default;

  struct Seen {
    std::string_view word;
    Label tag;
  };
  static TagDictionary build(std::span<const Seen> tokens, std::size_t labels,
                             const DictionaryOptions& options = {});

  // The row of a word (by atom_of(form)), to be asked for more.
  using Row = FrozenWeights::Row;
  Row find(AtomValue word) const { return table_.find(word); }
  float count(Row row) const;
  bool is_common(Row row) const { return count(row) >= static_cast<float>(options_.rare_below); }
  // visit(tag, count), labels ascending; nothing for an unknown word.
  template <class Visit>
  void for_each_tag(Row row, Visit visit) const {
    table_.for_each(row, visit);
  }
  std::size_t labels() const { return table_.labels(); }
  std::span<const Label> open_class() const { return open_class_; }
  const DictionaryOptions& options() const { return options_; }

  // The form kept in a model file, and a dictionary over such bytes, which must outlive it.
  std::span<const std::byte> bytes() const { return bytes_; }
  static TagDictionary view(std::span<const std::byte> bytes, std::vector<Label> open_class,
                            const DictionaryOptions& options);

 private:
  std::shared_ptr<const std::string> owned_;  // what build() made; null for a view
  std::span<const std::byte> bytes_;
  FrozenWeights table_;
  std::vector<Label> open_class_;
  DictionaryOptions options_;
};

}  // namespace copse
