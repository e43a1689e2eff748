#include "copse/treebank/evaluation/scored_sentences.h"

#include <utility>

#include "copse/treebank/block_reader.h"
#include "copse/treebank/evaluation/tagging.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 30;

ScoredSentences read(Input input, Format format, const Limits& limits) {
  const auto reader = make_reader(format, limits);
  std::vector<Entry> entries = read_all(input, *reader, limits);
  return scored_sentences(std::move(entries), input.name());
}

}  // namespace

ScoredSentences scored_sentences(std::vector<Entry> entries, std::string name) {
  ScoredSentences result{{}, std::move(name)};
  result.sentences.reserve(entries.size());
  for (Entry& entry : entries) {
    const bool only_tree = entry.sentence.words() == 0 && !entry.tree.empty();
    result.sentences.push_back(only_tree ? sentence_from_tree(entry.tree)
                                         : std::move(entry.sentence));
  }
  return result;
}

ScoredSentences read_scored(const std::string& path, std::optional<Format> format,
                            const Limits& limits) {
  Input input = Input::open(path);
  const Format told = format ? *format : guess_format(input);
  return read(std::move(input), told, limits);
}

ScoredSentences read_tagged(const std::string& path, std::optional<Format> format,
                            const Limits& limits) {
  const auto by_name = format_of_file(path);
  if (format || (by_name && *by_name != Format::text && *by_name != Format::columns)) {
    return read_scored(path, format, limits);
  }
  Input file = Input::open(path);
  std::string text = file.read_all(kMaxFileBytes);
  if (is_column_file(text)) return {read_column_file(text, file.name()), file.name()};
  Input input = Input::from_memory(std::move(text), file.name());
  const Format told = by_name ? Format::conllu : guess_format(input);
  return read(std::move(input), told, limits);
}

}  // namespace copse
