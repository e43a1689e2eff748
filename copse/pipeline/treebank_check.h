// The treebank doctor: what is wrong with a treebank, and what is likely to be.
//
//   format       what the reader refuses, by line
//   structure    sentences without a root, with several, with cycles, words without a head
//   rare         tags and relations that occur once in the whole treebank
//   crossing     non-projective arcs, where they are rare
//   doubt        heads and relations of which a parser says that they are others (annotation_doubts.h)
//   variation    the same words annotated in another way elsewhere (variation.h)
//
// Findings of the first two kinds are errors. The others are suspicions, the likeliest first: by how
// sure the parser is, more so where the same words are annotated otherwise elsewhere or arcs cross.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/error.h"
#include "copse/pipeline/annotation_doubts.h"
#include "copse/treebank/format.h"

namespace copse {

enum class FindingKind { format, structure, rare, crossing, doubt, variation };
std::string_view name_of(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::format;
  Place place;               // file and line
  std::size_t sentence = 0;  // its number from 1; 0: not known
  std::string sentence_id;   // "# sent_id"; may be empty
  int word = 0;              // 0: the sentence as a whole
  std::string message;
  double weight = 0;  // of suspicions: what they are ordered by
};

struct CheckOptions {
  bool likely_errors = true;  // false: format and structure only
  // Instead of parsers learnt from the treebank itself; null: learn.
  const SentenceParser* parser = nullptr;
  DoubtOptions doubts;
  Limits limits;
};

struct CheckReport {
  std::size_t sentences = 0, words = 0;
  std::vector<Finding> errors;      // in the order of the file
  std::vector<Finding> suspicions;  // the likeliest first
  std::vector<Sentence> treebank;   // the sentences that could be read; Finding::sentence - 1
};

// CoNLL-U or CoNLL-X. Throws what opening the file throws; never for what is in it.
CheckReport check_treebank(const std::string& path, const CheckOptions& options = {});

// The first `most` suspicions, all errors.
std::string check_text(const CheckReport& report, std::size_t most);
std::string check_json(const CheckReport& report, std::size_t most);
// A web page on which the sentences are drawn.
std::string check_page(const CheckReport& report, std::size_t most);

}  // namespace copse
