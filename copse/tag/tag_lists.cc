#include "copse/tag/tag_lists.h"

#include <fmt/core.h>

#include <algorithm>

#include "copse/tag/entity_labels.h"

namespace copse {

std::string tag_list(const SequenceTagger& tagger, const Sentence& sentence, bool entities, int k,
                     TagScratch& scratch) {
  const SentenceWords words(sentence, entities && has_parts_of_speech(sentence));
  const auto list = tagger.k_best_with_probabilities(words.input(), k, scratch);
  std::string block = fmt::format("{}\n", list.size());
  for (const auto& sequence : list) {
    block += fmt::format("{:.17g}\n", sequence.score);
    for (std::size_t i = 0; i < sequence.item.size(); ++i) {
      std::string label = tagger.label(sequence.item[i]);
      std::ranges::replace(label, '\t', '+');
      block +=
          fmt::format("{}{}/{}", i == 0 ? "" : " ", sentence.form(static_cast<int>(i) + 1), label);
    }
    block += '\n';
  }
  return block + "\n";
}

std::string with_id(std::string_view block, std::string_view id) {
  const std::size_t end = block.find('\n');
  return fmt::format("{} {}{}", block.substr(0, end), id, block.substr(end));
}

}  // namespace copse
