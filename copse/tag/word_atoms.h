// What can be seen of the words of a sentence: the atoms that feature templates are made of.
//
//   name        value of word i                                     absent when
//   w lw        the form; the form in lower case
//   p1 .. p4    its first 1 .. 4 characters                         the word is shorter
//   s1 .. s6    its last 1 .. 6 characters                          the word is shorter
//   shape       Xx for letters, d for digits, runs cut at two
//   digit upper hyphen   whether it contains one                    it does not
//   capital     whether it begins with a capital                    it does not
//   rare common whether training had it less often than the limit   otherwise
//   first       whether it is the first word                        it is not
//   shout       whether no word of the sentence has a lower-case letter
//   dict        the set of tags that training had for it            the word is rare
//   c4 c6 c10 c the beginning of its cluster's bit string, all of it   no clusters, unknown word
//   pos         a tag given with the word (entity tagging)          none was given
//   run         its place in a run of capitalised words, and the run's length
//   inside      whether it stands between quotes or brackets        it does not
//
// "w[-1]" is the form of the word before; positions from -2 to 2 can be named. Before the first and
// after the last word w and lw are special values and everything else is absent.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "copse/model/feature_key.h"
#include "copse/model/templates.h"

namespace copse {

class TagDictionary;
class WordClusters;

enum class WordAtom : int {
  form,
  lower,
  prefix1,
  prefix2,
  prefix3,
  prefix4,
  suffix1,
  suffix2,
  suffix3,
  suffix4,
  suffix5,
  suffix6,
  shape,
  digit,
  upper,
  hyphen,
  capital,
  rare,
  common,
  first,
  shout,
  dictionary,
  cluster4,
  cluster6,
  cluster10,
  cluster,
  part_of_speech,
  run,
  inside,
};
inline constexpr int kWordAtoms = static_cast<int>(WordAtom::inside) + 1;
inline constexpr int kWordWindow = 2;

// The slot of an atom name such as "w[-1]", relative to the word in question.
std::optional<AtomSlot> word_atom_slot(std::string_view name);

// The atoms of all words of a sentence and of two words beyond either end.
class SentenceAtoms {
 public:
  void reset(int words);
  int words() const { return words_; }
  // Templates' slots count from here.
  const AtomValue* origin(int word) const { return values_.data() + offset(word); }
  AtomValue& at(int word, WordAtom atom) {
    return values_[offset(word) + static_cast<std::size_t>(atom)];
  }

 private:
  std::size_t offset(int word) const {
    return static_cast<std::size_t>(word + kWordWindow) * kWordAtoms;
  }

  std::vector<AtomValue> values_;
  int words_ = 0;
};

struct WordAtomSources {
  const TagDictionary* dictionary = nullptr;
  const WordClusters* clusters = nullptr;
};

// `parts_of_speech` is empty or has one entry per word. Any bytes are words; of a very long one the
// first 64 characters are looked at.
void fill_atoms(std::span<const std::string_view> words,
                std::span<const std::string_view> parts_of_speech, const WordAtomSources& sources,
                SentenceAtoms& atoms);

}  // namespace copse
