#include "copse/treebank/word_reader.h"

#include "copse/treebank/conll.h"
#include "copse/treebank/json.h"

namespace copse {

std::unique_ptr<Reader> make_word_reader(Format format, const Limits& limits) {
  switch (format) {
    case Format::conllu:
      return make_conll_reader(Dialect::conllu, limits, HeadColumn::passed_over);
    case Format::conllx:
      return make_conll_reader(Dialect::conllx, limits, HeadColumn::passed_over);
    case Format::json:
      return make_json_reader(limits, HeadColumn::passed_over);
    default:
      return make_reader(format, limits);
  }
}

}  // namespace copse
