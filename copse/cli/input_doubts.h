// Input that a model can take but is sure to do badly with: sentences without the tags that it was
// trained with, running text that nobody has cut into tokens. Said once, with the remedy; with
// --strict such a sentence is refused.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "copse/cli/command.h"
#include "copse/cli/treebank_stream.h"
#include "copse/treebank/sentence.h"

namespace copse {

class InputDoubts {
 public:
  // Whether text is among the input: only that can be running text.
  InputDoubts(const CommonOptions& common, const TreebankInput& input);

  // Looks at the words. Throws data_error with --strict. Safe to call from many threads, as is the
  // next.
  void look_at_words(const Sentence& sentence);
  // `missing`: what the model looks at and no word has ("tags", "XPOS"); empty: nothing. `remedy`:
  // what to do about it.
  void look_at_tags(std::string_view missing, const std::string& remedy);
  // Says what there is to say and has not been said.
  void tell();

 private:
  struct Doubt {
    std::atomic<bool> seen = false;
    bool told = false;
    std::string text;
  };
  void say(Doubt& doubt) const;

  bool quiet_, strict_, text_;
  Doubt words_, tags_;
  std::atomic_flag taken_ = ATOMIC_FLAG_INIT;  // who finds the first untagged sentence says so
};

// "name a tagger with --tagger ...": with the name of the one that the parser was trained with if
// the model's config tells it; another than `given` where one was given.
std::string tagger_remedy(const nlohmann::json& config, const std::string& given);

}  // namespace copse
