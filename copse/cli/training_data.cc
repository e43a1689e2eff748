#include "copse/cli/training_data.h"

#include "copse/base/input.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

constexpr std::size_t kLargestTreebank = std::size_t{4} << 30;

}  // namespace

TrainingData read_training_data(const std::string& path, const std::string& role,
                                const std::string& format_name, const CommonOptions& common,
                                ProblemLog& log) {
  const Format format = format_name.empty() ? guess_format(path) : format_named(format_name);
  Input file = Input::open(path);
  Block block{file.read_all(kLargestTreebank), file.name(), 1};
  TrainingData data;
  data.source = {role, file_name(path), checksum_text(block.bytes), 0, 0};
  const auto reader = make_reader(format, common.limits);
  Input memory = Input::from_memory(std::move(block.bytes), block.file);
  BlockReader blocks(memory, *reader, common.limits);
  while (const auto next = blocks.next()) {
    Parsed parsed = reader->parse(*next);
    std::vector<Error> errors;
    for (ReadItem& item : parsed.items) {
      if (item.error) {
        errors.push_back(*item.error);
        continue;
      }
      const bool only_tree = item.entry.sentence.words() == 0 && !item.entry.tree.empty();
      data.sentences.push_back(only_tree ? sentence_from_tree(item.entry.tree)
                                         : std::move(item.entry.sentence));
    }
    log.take(errors, parsed.warnings);
  }
  data.source.sentences = static_cast<long>(data.sentences.size());
  for (const Sentence& sentence : data.sentences) data.source.words += sentence.words();
  return data;
}

}  // namespace copse
