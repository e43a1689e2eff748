#include "copse/tag/tag_dictionary.h"

#include <algorithm>
#include <map>

#include "copse/base/error.h"

namespace copse {

TagDictionary TagDictionary::build(std::span<const Seen> tokens, std::size_t labels,
                                   const DictionaryOptions& options) {
  std::map<AtomValue, std::map<Label, int>>
      counts;  // ordered, so that the bytes are always the same
  for (const Seen& token : tokens) ++counts[atom_of(token.word)][token.tag];
  WeightRows rows;
  std::vector<int> types(labels, 0);
  std::vector<LabelWeight> row;
  for (const auto& [word, tags] : counts) {
    row.clear();
    for (const auto& [tag, count] : tags) {
      row.push_back({tag, static_cast<float>(count)});
      ++types[tag];
    }
    rows.add(word, row);
  }
  TagDictionary dictionary;
  dictionary.options_ = options;
  for (std::size_t label = 0; label < labels; ++label) {
    if (types[label] >= options.open_class_types) {
      dictionary.open_class_.push_back(static_cast<Label>(label));
    }
  }
  if (dictionary.open_class_.empty()) {  // a very small treebank: any tag will do
    for (std::size_t label = 0; label < labels; ++label) {
      dictionary.open_class_.push_back(static_cast<Label>(label));
    }
  }
  dictionary.owned_ =
      std::make_shared<const std::string>(freeze(rows, labels, {Precision::float32, 0}));
  dictionary.bytes_ = std::as_bytes(std::span(*dictionary.owned_));
  dictionary.table_ = FrozenWeights::view(dictionary.bytes_);
  return dictionary;
}

TagDictionary TagDictionary::view(std::span<const std::byte> bytes, std::vector<Label> open_class,
                                  const DictionaryOptions& options) {
  TagDictionary dictionary;
  dictionary.bytes_ = bytes;
  dictionary.table_ = FrozenWeights::view(bytes);
  const auto unknown = [&](Label label) { return label >= dictionary.table_.labels(); };
  if (open_class.empty() || std::ranges::any_of(open_class, unknown)) {
    throw data_error("the open class names tags that do not exist");
  }
  dictionary.open_class_ = std::move(open_class);
  dictionary.options_ = options;
  return dictionary;
}

float TagDictionary::count(Row row) const {
  float sum = 0;
  table_.for_each(row, [&](Label, float count) { sum += count; });
  return sum;
}

}  // namespace copse
