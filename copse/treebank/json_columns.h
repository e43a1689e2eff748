// Names of the columns in JSON. Internal to the JSON reader and writer.
#pragma once

#include <string_view>

#include "copse/treebank/sentence.h"

namespace copse {

inline std::string_view json_key(Dialect dialect, Column column) {
  constexpr std::string_view kConllu[kColumns] = {"id",    "form", "lemma",  "upos", "xpos",
                                                  "feats", "head", "deprel", "deps", "misc"};
  constexpr std::string_view kConllx[kColumns] = {"id",    "form", "lemma",  "cpostag", "postag",
                                                  "feats", "head", "deprel", "phead",   "pdeprel"};
  return (dialect == Dialect::conllx ? kConllx : kConllu)[static_cast<std::size_t>(column)];
}

}  // namespace copse
