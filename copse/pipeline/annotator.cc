#include "copse/pipeline/annotator.h"

#include <fmt/format.h>

#include <algorithm>

#include "copse/base/error.h"

namespace copse {
namespace {

DependencyParseOptions parse_options(const AnnotationOptions& options) {
  if (options.n_best > 1 && options.parse.mbr) {
    throw usage_error("the tree with the least expected error is one: it has no n-best list");
  }
  DependencyParseOptions out = options.parse;
  out.k = std::max(1, options.n_best);
  out.marginals = out.marginals || options.columns.probabilities || options.columns.confidence;
  return out;
}

}  // namespace

Annotator Annotator::load(const std::string& parser, const std::string& tagger) {
  std::optional<Tagger> tags;
  if (!tagger.empty()) tags = Tagger::load_for_parser(ModelFile::open(tagger));
  return Annotator(DependencyParser::load(ModelFile::open(parser)), std::move(tags));
}

Sentence Annotator::tagged(const Sentence& sentence, Scratch& scratch) const {
  Sentence out = sentence;
  if (tagger_) tagger_->tag(out, scratch.tagger);
  return out;
}

Annotated Annotator::annotate(const Sentence& sentence, const AnnotationOptions& options,
                              Scratch& scratch) const {
  Sentence input = tagged(sentence, scratch);
  Parse parse = parser_.parse(input, parse_options(options), scratch.parser);
  Annotated out;
  out.degraded = std::move(parse.degraded);
  out.certificate = parse.certificate;
  out.search_seconds = parse.search_seconds;
  if (!out.degraded.empty()) input.set_comment("degraded", out.degraded);
  if (options.columns.certificate && parse.certificate) {
    write_certificate(*parse.certificate, input);
  }
  if (options.n_best == 0) {
    write_tree(parser_, parse.trees.front(), options.columns, input);
    out.sentences.push_back(std::move(input));
    return out;
  }
  for (std::size_t k = 0; k < parse.trees.size(); ++k) {
    Sentence& next = out.sentences.emplace_back(input);
    write_tree(parser_, parse.trees[k], options.columns, next);
    next.set_comment("rank", std::to_string(k + 1));
    next.set_comment("score", fmt::format("{:.4f}", parse.trees[k].score));
  }
  return out;
}

std::vector<ArcExplanation> Annotator::explain(const Sentence& tagged, std::optional<int> word,
                                               std::optional<int> head,
                                               std::string& degraded) const {
  ArcExplainer explainer(parser_, tagged, {});
  degraded = explainer.degraded();
  if (word) return {explainer.explain(*word, head)};
  std::vector<ArcExplanation> out;
  for (int m = 1; m <= tagged.words(); ++m) out.push_back(explainer.explain(m));
  return out;
}

}  // namespace copse
