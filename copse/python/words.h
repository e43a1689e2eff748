// Words and tokens as Python holds them: numbers, with the sentence kept alive.
#pragma once

#include <vector>

#include "copse/python/bind.h"

namespace copse::python {

struct WordView {
  SentencePtr sentence;
  int number = 0;  // from 1
  const TextPlace& place() const { return sentence->places[static_cast<std::size_t>(number)]; }
};

struct TokenView {
  SentencePtr sentence;
  DocumentToken token;
  const TextPlace& place() const { return token.place; }
};

// By index from 0, or from the end if negative. Throws IndexError.
WordView word_at(const SentencePtr& sentence, py::ssize_t index);
std::vector<WordView> words_of(const SentencePtr& sentence);
std::vector<TokenView> tokens_of(const SentencePtr& sentence);

}  // namespace copse::python
