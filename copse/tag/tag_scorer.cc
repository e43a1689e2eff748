#include "copse/tag/tag_scorer.h"

namespace copse {

void TagSentence::fill(const TagModel& model, const SentenceAtoms& atoms) {
  dictionary_rows.clear();
  history_keys.clear();
  for (int i = 0; i < atoms.words(); ++i) {
    const AtomValue* const origin = atoms.origin(i);
    dictionary_rows.push_back(
        model.dictionary.find(origin[static_cast<std::size_t>(WordAtom::form)]));
    for (const HistoryTemplate& row : model.features.history) {
      history_keys.push_back(key_of(row.words, origin));
    }
  }
}

}  // namespace copse
