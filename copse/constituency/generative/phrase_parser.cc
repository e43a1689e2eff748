#include "copse/constituency/generative/phrase_parser.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/pool.h"
#include "copse/constituency/generative/parser_file.h"

namespace copse::generative {
namespace {

class Door : public PhraseParser {
 public:
  Door(GenerativeParser parser, const SearchOptions& search)
      : parser_(std::move(parser)), search_(search) {}

  std::string_view model() const override { return kModelName; }
  bool has_probabilities() const override { return true; }
  bool has_dependencies() const override { return false; }
  bool takes_spans() const override { return true; }
  bool knows(std::string_view word) const override {
    return parser_.model().lexicon().word(word) != kUnknownWord;
  }
  PhraseAnswer parse(const WordsToParse& sentence, const PhraseQuestion& question) const override {
    return parser_.parse(sentence, {question, search_}, *workspaces_.take());
  }
  ModelWriter file(nlohmann::json config) const override {
    return write_parser(parser_, std::move(config));
  }

 private:
  GenerativeParser parser_;
  SearchOptions search_;
  mutable Pool<ParserWorkspace> workspaces_;
};

}  // namespace

std::unique_ptr<PhraseParser> make_phrase_parser(GenerativeParser parser,
                                                 const SearchOptions& search) {
  return std::make_unique<Door>(std::move(parser), search);
}

std::unique_ptr<PhraseParser> load_phrase_parser(const ModelFile& file,
                                                 const SearchOptions& search) {
  return make_phrase_parser(read_parser(file), search);
}

}  // namespace copse::generative
