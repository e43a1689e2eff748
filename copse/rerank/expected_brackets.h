// A parser as a reranker of another one's lists: the score of a candidate is what its brackets are worth
// by the other parser,
//
//   score(t) = sum over brackets b of t of (P(b | sentence) - 1/2)
//
// with P the probability of a bracket in all trees of the other parser. The candidate with the highest
// score has the most brackets that are expected to be right, less those expected to be wrong (Goodman
// 1996). With the score of the parser that made the list, in a mixture (mixture.h), two parsers of
// different kinds choose together, as in combining parsers by brackets (Sagae & Lavie 2006).
#pragma once

#include <memory>

#include "copse/constituency/phrase_parser.h"
#include "copse/rerank/reranker.h"

namespace copse {

class ExpectedBrackets : public Reranker {
 public:
  explicit ExpectedBrackets(std::unique_ptr<const PhraseParser> parser)
      : parser_(std::move(parser)) {}
  // Of a parser's model file. Throws usage_error for parsers without probabilities.
  static std::unique_ptr<ExpectedBrackets> load(const ModelFile& file);

  std::string_view method() const override { return "brackets"; }
  std::vector<double> scores(const Candidates& list) const override;
  // One for each bracket.
  std::vector<Reason> reasons(const Candidates& list, std::size_t candidate) const override;

 private:
  struct Worth;
  Worth worth_of(const Candidates& list) const;

  std::unique_ptr<const PhraseParser> parser_;
};

}  // namespace copse
