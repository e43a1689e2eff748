// A sentence that arrives word by word:
//
//   Stream stream(parser);
//   stream.push("The");  stream.push("baker");
//   stream.partial();                   // the best tree so far, its open phrases ended
//   stream.surprisal();                 // of the last word attached, in nats
//   stream.finish();                    // no more words
//
// A parser whose features look at one word ahead attaches a word when the next one arrives; one that
// was trained without looking ahead attaches it at once. Tags are chosen from what is known when a
// word is attached and stay. A stream uses its parser, which must outlive it, for one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/constituency/incremental/parser.h"

namespace copse::incremental {

class Stream {
 public:
  explicit Stream(const IncrementalParser& parser, const SearchOptions& search = {});

  // `tag`: "" if it is not known. Throws usage_error after finish().
  void push(std::string_view word, std::string_view tag = "");
  // Attaches what is waiting and closes all phrases.
  void finish();

  std::size_t pushed() const { return words_.size(); }
  std::size_t attached() const { return attached_; }
  bool is_finished() const { return finished_; }

  // The best tree of the words attached so far, phrases of the treebank, under TOP; empty before the
  // first.
  PhraseTree partial() const;
  // ln of the beam's share of the probability of the words so far, and what the last step (a word, or
  // the end) took from it. Nothing without a generative model.
  std::optional<double> log_probability() const { return step_.log_probability; }
  std::optional<double> surprisal() const { return step_.surprisal; }

 private:
  void attach(std::size_t word);

  const IncrementalParser& parser_;
  std::vector<std::string> words_, tags_, given_;
  std::size_t attached_ = 0;
  bool finished_ = false;
  std::unique_ptr<Workspace> workspace_;
  Surprisals surprisals_;
  ParseStep step_;  // without its tree
};

}  // namespace copse::incremental
