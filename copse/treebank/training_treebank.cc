#include "copse/treebank/training_treebank.h"

#include <fmt/core.h>

#include <memory>
#include <utility>

#include "copse/treebank/block_reader.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/phrase_to_dependency.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

bool is_only_tree(const Entry& entry) {
  return entry.sentence.words() == 0 && !entry.tree.empty();
}

void require_dependency_tree(const DependencyTree& tree) {
  for (int m = 1; m <= tree.words(); ++m) {
    if (tree.head(m) == DependencyTree::kNoHead) {
      throw data_error(fmt::format("word {} has no head", m));
    }
    if (tree.head(m) > tree.words()) {
      throw data_error(fmt::format("the head of word {} is no word", m));
    }
  }
  if (const int word = tree.word_on_cycle(); word != 0) {
    throw data_error(fmt::format("word {} is its own ancestor: the heads have a cycle", word));
  }
}

// Takes the entries of a block; what cannot be used goes into `errors`.
void take(Parsed& parsed, const Block& block, const Accept& accept, TrainingTreebank& treebank,
          std::vector<Error>& errors) {
  for (ReadItem& item : parsed.items) {
    if (item.error) {
      errors.push_back(std::move(*item.error));
      continue;
    }
    Entry& entry = item.entry;
    const int words = entry.tree.empty() ? entry.sentence.words() : entry.tree.words();
    try {
      if (!accept(entry)) continue;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      errors.push_back(error.at({block.file, item.first_line}));
      continue;
    }
    treebank.source.words += words;
    treebank.entries.push_back(std::move(entry));
  }
}

}  // namespace

Accept accept_entries() {
  return [](Entry&) { return true; };
}

Accept accept_words() {
  return [](Entry& entry) {
    if (is_only_tree(entry)) entry.sentence = sentence_from_tree(entry.tree);
    return true;
  };
}

Accept accept_phrase_trees() {
  return [](Entry& entry) {
    if (entry.tree.empty()) throw data_error("the sentence has no tree");
    return true;
  };
}

Accept accept_dependencies(const std::string& heads) {
  return [heads, rules = std::shared_ptr<const HeadRules>()](Entry& entry) mutable {
    if (is_only_tree(entry)) {
      if (!rules) rules = std::make_shared<const HeadRules>(HeadRules::load(heads));
      entry.sentence = dependency_sentence_from_tree(entry.tree, *rules);
    }
    if (entry.sentence.words() == 0) return false;
    require_dependency_tree(entry.sentence.tree());
    return true;
  };
}

std::vector<Sentence> TrainingTreebank::sentences() && {
  std::vector<Sentence> out;
  out.reserve(entries.size());
  for (Entry& entry : entries) out.push_back(std::move(entry.sentence));
  entries.clear();
  return out;
}

TrainingTreebank read_training_treebank(const TreebankFile& file, const Accept& accept,
                                        const ReadReport& report) {
  Input input = Input::open(file.path);
  const Format format = file.format ? *file.format : guess_format(input);
  TrainingTreebank treebank =
      read_training_treebank(input, file.role, format, file.limits, accept, report);
  treebank.source.name = file_name(file.path);
  return treebank;
}

TrainingTreebank read_training_treebank(Input& input, const std::string& role, Format format,
                                        const Limits& limits, const Accept& accept,
                                        const ReadReport& report) {
  TrainingTreebank treebank;
  const auto reader = make_reader(format, limits);
  BlockReader blocks(input, *reader, limits);
  Checksum checksum;
  while (const auto block = blocks.next()) {
    checksum.add(block->bytes);
    Parsed parsed = reader->parse(*block);
    std::vector<Error> errors;
    take(parsed, *block, accept, treebank, errors);
    if (report) {
      if (!errors.empty() || !parsed.warnings.empty()) report(errors, parsed.warnings);
    } else if (!errors.empty()) {
      throw Error(errors.front());
    }
  }
  treebank.source.role = role;
  treebank.source.name = file_name(input.name());
  treebank.source.checksum = checksum.text();
  treebank.source.sentences = static_cast<long>(treebank.entries.size());
  return treebank;
}

}  // namespace copse
