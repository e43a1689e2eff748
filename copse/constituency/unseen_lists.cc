#include "copse/constituency/unseen_lists.h"

#include <fmt/core.h>

#include <array>
#include <memory>
#include <utility>

#include "copse/base/error.h"

namespace copse {
namespace {

ParseTreesOptions parsing_of(const UnseenLists& recipe) {
  return {recipe.question, recipe.training.use_tags, recipe.training.threads,
          recipe.training.show_progress};
}

}  // namespace

void unseen_lists(std::span<const Entry> train, const UnseenLists& recipe, const TakeList& take) {
  const std::size_t count = train.size();
  const auto folds = static_cast<std::size_t>(recipe.folds);
  if (folds < 2 || count < folds) {
    throw data_error(fmt::format("{} trees cannot be cut into {} parts", count, folds), {},
                     "choose fewer folds, at least 2");
  }
  if (!recipe.training.spinal.checkpoint.empty()) {
    throw usage_error("lists are made by many parsers; a checkpoint is for one");
  }
  for (std::size_t fold = 0; fold < folds; ++fold) {
    const std::size_t begin = count * fold / folds, end = count * (fold + 1) / folds;
    const std::array<std::span<const Entry>, 2> others{train.first(begin), train.subspan(end)};
    const std::unique_ptr<PhraseParser> parser = train_phrase_parser(others, recipe.training);
    std::size_t number = begin;
    parse_trees(*parser, train.subspan(begin, end - begin), parsing_of(recipe),
                fmt::format("part {} of {}", fold + 1, folds),
                [&](NBestList&& list, bool fallback, const Entry& entry) {
                  list.id = fmt::format("{}", ++number);
                  take(std::move(list), fallback, entry);
                });
  }
}

void lists_of_others(std::span<const Entry> train, std::span<const Entry> others,
                     const UnseenLists& recipe, const TakeList& take) {
  const std::unique_ptr<PhraseParser> parser =
      train_phrase_parser(std::span(&train, 1), recipe.training);
  parse_trees(*parser, others, parsing_of(recipe), "dev", take);
}

}  // namespace copse
