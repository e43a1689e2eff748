#include "copse/constituency/unseen_lists.h"

#include <fmt/core.h>

#include <array>
#include <memory>
#include <utility>

#include "copse/base/block_sum.h"
#include "copse/base/error.h"
#include "copse/treebank/n_best_list.h"

namespace copse {
namespace {

ParseTreesOptions parsing_of(const UnseenLists& recipe) {
  return {recipe.question, recipe.training.use_tags, recipe.training.threads,
          recipe.training.show_progress};
}

Range range_of(std::size_t fold, std::span<const Entry> train, const UnseenLists& recipe) {
  return part_of(train.size(), fold, static_cast<std::size_t>(recipe.folds));
}

// By a parser of all the others.
void lists_of_fold(std::span<const Entry> train, std::size_t fold, const UnseenLists& recipe,
                   const TakeList& take) {
  const Range own = range_of(fold, train, recipe);
  const std::array<std::span<const Entry>, 2> others{train.first(own.begin),
                                                     train.subspan(own.end)};
  const std::unique_ptr<PhraseParser> parser = train_phrase_parser(others, recipe.training);
  std::size_t number = own.begin;
  parse_trees(*parser, train.subspan(own.begin, own.size()), parsing_of(recipe),
              fmt::format("part {} of {}", fold + 1, recipe.folds),
              [&](NBestList&& list, bool fallback, const Entry& entry) {
                list.id = fmt::format("{}", ++number);
                take(std::move(list), fallback, entry);
              });
}

// A fold on its way to the leader: a byte for each list, whether it is a fallback, then the lists.
std::string packed_fold(std::span<const Entry> train, std::size_t fold, const UnseenLists& recipe) {
  std::string fallbacks, lists(n_best_begin(NBestForm::binary));
  lists_of_fold(train, fold, recipe, [&](NBestList&& list, bool fallback, const Entry&) {
    fallbacks += fallback ? '1' : '0';
    append_n_best(list, NBestForm::binary, lists);
  });
  lists += n_best_end(NBestForm::binary);
  return fallbacks + lists;
}

void share_folds(std::span<const Entry> train, const UnseenLists& recipe, const TakeList& take) {
  const auto packed = share_jobs(
      *recipe.group, static_cast<std::size_t>(recipe.folds),
      [&](std::size_t fold) { return packed_fold(train, fold, recipe); }, AnswersFor::leader);
  for (std::size_t fold = 0; fold < packed.size(); ++fold) {
    const Range own = range_of(fold, train, recipe);
    NBestReader reader(Input::from_memory(packed[fold].substr(own.size()), "lists of a fold"));
    for (std::size_t i = 0; i < own.size(); ++i) {
      take(reader.next().value(), packed[fold][i] == '1', train[own.begin + i]);
    }
  }
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
  if (recipe.group != nullptr && recipe.group->size() > 1) {
    share_folds(train, recipe, take);
    return;
  }
  for (std::size_t fold = 0; fold < folds; ++fold) lists_of_fold(train, fold, recipe, take);
}

void lists_of_others(std::span<const Entry> train, std::span<const Entry> others,
                     const UnseenLists& recipe, const TakeList& take) {
  const std::unique_ptr<PhraseParser> parser =
      train_phrase_parser(std::span(&train, 1), recipe.training);
  parse_trees(*parser, others, parsing_of(recipe), "dev", take);
}

}  // namespace copse
