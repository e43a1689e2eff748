// The features of a decision about a boundary. Templates are data/boundary.templates, which also
// says what each atom is; here the atoms get their values.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/templates.h"
#include "copse/tokenize/boundary_table.h"
#include "copse/tokenize/characters.h"
#include "copse/tokenize/word_set.h"

namespace copse {

// What the decisions so far have made of the text, as far as the next decision looks.
struct BoundaryState {
  struct Span {
    int begin = 0;
    int end = 0;
  };
  int token_begin = 0;  // of the token being read
  Span before;          // the token before it, in any sentence
  int sentence_begin = 0;
  int sentence_tokens = 0;  // that are finished
  int history = 0;          // the last two answers of the model, 3 * older + newer
  bool in_quotes = false;   // since the sentence began
  int brackets = 0;

  void remember(Boundary answer) { history = history % 3 * 3 + static_cast<int>(answer); }
  // Takes the decision made behind character i; the next token begins at `next`.
  void take(Boundary boundary, int i, int next, const Characters& characters);
};

class BoundaryFeatures {
 public:
  // Throws data_error with the line for a table that cannot be understood.
  explicit BoundaryFeatures(std::string_view templates, const std::string& name);

  // The built-in templates.
  static std::string_view standard();

  using Keys = std::vector<FeatureKey>;

  // What is the same for all places of a paragraph.
  struct Paragraph {
    AtomValue style = kAbsent;
    AtomValue size = kAbsent;
    AtomValue cased = kAbsent;
  };
  Paragraph look_at(const Characters& characters) const;

  // The features of the place behind character i, in chunk number `chunk`, which is followed by a
  // blank or not.
  void keys(const Characters& characters, const Paragraph& paragraph, const WordSet& lower_words,
            const BoundaryState& state, int i, std::size_t chunk, Gap gap, Keys& keys) const;

  // Templates of one kind of place, and which atoms they ask for.
  struct TemplateSet {
    // A template without its name: the key joins its atoms, which stand in `slots` up to `end`, to
    // the seed; atoms that must only be there follow, up to `last`, where the next one begins.
    struct Recipe {
      FeatureKey seed;
      std::uint32_t end;
      std::uint32_t last;
    };
    std::vector<Recipe> recipes;
    std::vector<std::uint8_t> slots;
    std::uint64_t asks = 0;       // a bit for each atom with a name
    std::vector<int> characters;  // offsets of c[n]
    std::vector<int> classes;     // offsets of k[n]
    std::vector<int> alike;       // offsets of a[n]

    void add(const Template& row);
    void append_keys(const AtomValue* atoms, Keys& keys) const;
  };

 private:
  TemplateSet inner_;  // no blank follows
  TemplateSet outer_;
};

}  // namespace copse
