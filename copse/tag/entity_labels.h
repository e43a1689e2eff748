// Labels of named entities (or chunks): encodings, which label may follow which, and where a
// sentence keeps them.
//
//   SCO     S starts an entity, C continues it, O is outside          boundaries only
//   BIO     B begins, I is inside, O is outside
//   BIOES   B begins, I is inside, E ends, S is a single word, O is outside
//
// each with a type or without ("B-PER", "B"). A label of continuation after nothing that it could
// continue counts as a beginning.
//
// A sentence keeps its labels in MISC as "NE=B-PER" (CoNLL-U), or as the whole of MISC or XPOS, the
// last column of a file of simple columns.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"

namespace copse {

enum class EntityEncoding { sco, bio, bioes };

// "sco", "bio" or "bioes"; throws usage_error for anything else.
EntityEncoding entity_encoding_named(std::string_view name);

struct EntitySpan {
  int begin = 0;  // words, from 0
  int end = 0;
  std::string type;  // may be empty

  bool operator==(const EntitySpan&) const = default;
};

// The spans that labels of any of the encodings mark. Throws data_error for a label of none.
// `repaired` counts continuations that had nothing to continue.
std::vector<EntitySpan> entity_spans(std::span<const std::string> labels, long* repaired = nullptr);
// The labels that mark some spans; with `typed` false the types are left out.
std::vector<std::string> entity_labels(std::span<const EntitySpan> spans, int words,
                                       EntityEncoding encoding, bool typed = true);

// Whether a label may stand after another (or at the beginning, an empty string).
bool entity_label_may_follow(const std::string& before, const std::string& label);

// The labels a sentence has; empty strings where it has none.
std::vector<std::string> labels_of_sentence(const Sentence& sentence);
// `plain`: where the sentence has no labels yet they become the whole of MISC, without "NE=".
void set_entity_labels(Sentence& sentence, std::span<const std::string> labels, bool plain = false);
// Brings the labels of a sentence into an encoding. Throws data_error for a label of none.
void recode_entities(Sentence& sentence, EntityEncoding encoding, bool typed);
// Whether XPOS holds parts of speech (and not the labels themselves, or nothing).
bool has_parts_of_speech(const Sentence& sentence);

}  // namespace copse
