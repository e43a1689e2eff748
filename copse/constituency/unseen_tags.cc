#include "copse/constituency/unseen_tags.h"

#include "copse/base/stream.h"
#include "copse/base/thread_team.h"

namespace copse {

UnseenFold fold_of(std::size_t examples, int fold, int folds) {
  const auto part = [&](int k) {
    return examples * static_cast<std::size_t>(k) / static_cast<std::size_t>(folds);
  };
  return {part(fold), part(fold + 1)};
}

SequenceTagger train_parser_tagger(std::span<const TagExample> examples, const UnseenFold& left_out,
                                   const ParserTagging& tagging) {
  std::vector<TagExample> learn;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (!left_out.has(i)) learn.push_back(examples[i]);
  }
  PerceptronTaggerOptions options;
  options.epochs = tagging.epochs;
  options.clusters = tagging.clusters;
  return train_perceptron_tagger(learn, options).tagger;
}

bool visit_unseen(std::span<const TagExample> examples, const ParserTagging& tagging,
                  const VisitUnseen& visit) {
  if (tagging.folds < 2 || examples.size() < static_cast<std::size_t>(tagging.folds)) return false;
  ThreadTeam team(resolve_threads(tagging.threads));
  team.for_each(static_cast<std::size_t>(tagging.folds), [&](std::size_t fold) {
    TagScratch scratch;
    const UnseenFold unseen = fold_of(examples.size(), static_cast<int>(fold), tagging.folds);
    const SequenceTagger tagger = train_parser_tagger(examples, unseen, tagging);
    for (std::size_t i = unseen.begin; i < unseen.end; ++i) {
      const std::vector<std::string_view> views(examples[i].words.begin(), examples[i].words.end());
      visit(i, tagger, {views}, scratch);
    }
  });
  return true;
}

std::vector<std::vector<std::string>> unseen_tags(std::span<const TagExample> examples,
                                                  const ParserTagging& tagging) {
  std::vector<std::vector<std::string>> out(examples.size());
  const bool unseen = visit_unseen(
      examples, tagging, [&](std::size_t i, const auto& tagger, const auto& input, auto& scratch) {
        for (const Label label : tagger.tag(input, scratch)) out[i].push_back(tagger.label(label));
      });
  if (unseen) return out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = examples[i].labels;
  return out;
}

}  // namespace copse
