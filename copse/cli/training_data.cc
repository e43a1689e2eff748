#include "copse/cli/training_data.h"

#include "copse/base/input.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

constexpr std::size_t kLargestTreebank = std::size_t{4} << 30;

}  // namespace

TrainingEntries read_training_entries(const std::string& path, const std::string& role,
                                      const std::string& format_name, const CommonOptions& common,
                                      ProblemLog& log) {
  Input file = Input::open(path);
  const Format format = format_or_guess(format_name, file);
  std::string bytes = file.read_all(kLargestTreebank);
  TrainingEntries data;
  data.source = {role, file_name(path), checksum_text(bytes), 0, 0};
  const auto reader = make_reader(format, common.limits);
  Input memory = Input::from_memory(std::move(bytes), file.name());
  BlockReader blocks(memory, *reader, common.limits);
  while (const auto next = blocks.next()) {
    Parsed parsed = reader->parse(*next);
    std::vector<Error> errors;
    for (ReadItem& item : parsed.items) {
      if (item.error) {
        errors.push_back(std::move(*item.error));
        continue;
      }
      const Entry& entry = item.entry;
      data.source.words += entry.tree.empty() ? entry.sentence.words() : entry.tree.words();
      data.entries.push_back(std::move(item.entry));
    }
    log.take(errors, parsed.warnings);
  }
  data.source.sentences = static_cast<long>(data.entries.size());
  return data;
}

TrainingData read_training_data(const std::string& path, const std::string& role,
                                const std::string& format_name, const CommonOptions& common,
                                ProblemLog& log) {
  TrainingEntries read = read_training_entries(path, role, format_name, common, log);
  TrainingData data{{}, std::move(read.source)};
  for (Entry& entry : read.entries) {
    const bool only_tree = entry.sentence.words() == 0 && !entry.tree.empty();
    data.sentences.push_back(only_tree ? sentence_from_tree(entry.tree)
                                       : std::move(entry.sentence));
  }
  return data;
}

}  // namespace copse
