// Feature templates of a tagger, sorted by how much of the tag history they see.
//
//   local           atoms of words only                       word-pair   = w[-1] w[0]
//   first order     t[-1], alone or with atoms of words       tag-word    = t[-1] w[0]
//   second order    t[-2] (and t[-1])                         tag-pair    = t[-2] t[-1]
//
// k[-1] and k[-2] are what a label of several columns comes down to (TagModel::classes): its XPOS
// where these are few, else its UPOS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "copse/model/templates.h"

namespace copse {

// A template that ends in tags: the key of its words is made once per word, then the tags' values
// are joined to it.
struct HistoryTemplate {
  Template words;
  bool first = false;   // t[-1] takes part
  bool second = false;  // t[-2] takes part
  bool coarse = false;  // both are k[...]

  bool only_tags() const { return words.atoms.empty() && words.guards.empty(); }
  FeatureKey key(FeatureKey word_key, AtomValue before_last, AtomValue last) const {
    FeatureKey key = word_key;
    if (second) key = join(key, before_last);
    return first ? join(key, last) : key;
  }
};

struct TagFeatures {
  std::vector<Template> local;
  std::vector<HistoryTemplate> history;  // first order, then second

  // Whether a local template looks at the word itself, not only at those around.
  static bool sees_word(const Template& row);

  // Of the tag sequences that have to be told apart: 0 if no template looks at tags.
  int order() const;
};

// Throws data_error with file and line; see copse/model/templates.h for the syntax.
TagFeatures parse_tag_features(std::string_view table, const std::string& file);

// The tables that come with the program: "a" (Ratnaparkhi 1996), "b" (the default), "joint" (the
// default for several columns together), "entities".
// Throws usage_error naming the tables there are.
std::string_view tag_feature_table(std::string_view name);

}  // namespace copse
