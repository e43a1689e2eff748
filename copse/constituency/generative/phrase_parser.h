// The generative parser as a PhraseParser.
#pragma once

#include <memory>

#include "copse/constituency/generative/parser.h"
#include "copse/constituency/phrase_parser.h"

namespace copse::generative {

std::unique_ptr<PhraseParser> make_phrase_parser(GenerativeParser parser,
                                                 const SearchOptions& search);
std::unique_ptr<PhraseParser> load_phrase_parser(const ModelFile& file,
                                                 const SearchOptions& search);

}  // namespace copse::generative
