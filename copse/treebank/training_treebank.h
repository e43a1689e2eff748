// A treebank read to learn from or to be judged on: the entries that can be used, a report of those
// that cannot, and the record of where they came from. The one way in for every trainer, so that
// the same file has the same checksum in every model.
//
// Entries are read in a stream, block by block; each is shown to an Accept, which may change it and
// says whether it is kept:
//
//   accept_entries()          whatever the reader could read
//   accept_words()            sentences; a tree without columns becomes one
//   accept_phrase_trees()     entries with a phrase-structure tree
//   accept_dependencies(H)    sentences whose heads are a tree; a phrase-structure tree without
//                             columns is converted with the head rules H
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "copse/base/data_source.h"
#include "copse/base/input.h"
#include "copse/treebank/formats.h"

namespace copse {

// False leaves an entry out without a word; a data_error thrown leaves it out and is reported at
// the line where the entry begins.
using Accept = std::function<bool(Entry& entry)>;

Accept accept_entries();
Accept accept_words();
Accept accept_phrase_trees();
// `heads`: the name of a table or a file (HeadRules::load), looked at when the first tree comes.
Accept accept_dependencies(const std::string& heads = "yamada-matsumoto");

// Called after each block that has something to tell, with the places in the file. It may throw to
// end the reading. None: the first error ends it.
using ReadReport =
    std::function<void(const std::vector<Error>& errors, const std::vector<Warning>& warnings)>;

struct TreebankFile {
  std::string path;
  std::string role = "train";         // in the record
  std::optional<Format> format = {};  // nothing: told by the name, else by the first bytes
  Limits limits = {};
};

struct TrainingTreebank {
  std::vector<Entry> entries;
  DataSource source;  // counts the entries kept

  // The columns alone, for those who need no phrase-structure trees. The entries are used up.
  std::vector<Sentence> sentences() &&;
};

TrainingTreebank read_training_treebank(const TreebankFile& file,
                                        const Accept& accept = accept_entries(),
                                        const ReadReport& report = {});
// The same from a stream or from memory.
TrainingTreebank read_training_treebank(Input& input, const std::string& role, Format format,
                                        const Limits& limits, const Accept& accept,
                                        const ReadReport& report = {});

}  // namespace copse
