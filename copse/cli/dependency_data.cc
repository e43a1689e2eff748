#include "copse/cli/dependency_data.h"

#include <fmt/format.h>

#include <atomic>

#include "copse/base/pool.h"
#include "copse/base/thread_team.h"
#include "copse/cli/training_data.h"
#include "copse/model/model_file.h"
#include "copse/tag/tagger.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/phrase_to_dependency.h"

namespace copse {
namespace {

// What is wrong with the heads of a sentence; empty if they are a tree.
std::string fault_of(const Sentence& sentence) {
  const DependencyTree tree = sentence.tree();
  for (int m = 1; m <= tree.words(); ++m) {
    if (tree.head(m) == DependencyTree::kNoHead) return fmt::format("word {} has no head", m);
    if (tree.head(m) > tree.words()) return fmt::format("the head of word {} is no word", m);
  }
  if (const int word = tree.word_on_cycle(); word != 0) {
    return fmt::format("word {} is its own ancestor: the heads have a cycle", word);
  }
  return {};
}

}  // namespace

std::string DependencyData::checksum() const {
  std::string sum;
  for (const DataSource& source : sources) sum += source.role + source.checksum;
  return sum;
}

void DependencyDataOptions::declare_options(CLI::App& app) {
  app.add_option("--train", train, "The treebank to learn from")->required()->type_name("FILE");
  app.add_option("--dev", dev, "Held-out data; the pass that is best on it is kept")
      ->type_name("FILE");
  app.add_option("--from", format, "Format of the files; told by the files if not given")
      ->type_name("FORMAT");
  app.add_option("--heads", heads, "Bracketed trees: yamada-matsumoto, collins or a file")
      ->capture_default_str()
      ->type_name("RULES");
  app.add_option("--tagger", tagger,
                 "Tag the --dev data with this model first, as the parser will find them in use; "
                 "the tags of --train should come from 'copse train tagger --jackknife'")
      ->type_name("MODEL");
}

std::vector<Sentence> DependencyDataOptions::read_file(const std::string& path,
                                                       const std::string& role,
                                                       const CommonOptions& common, ProblemLog& log,
                                                       std::vector<DataSource>& sources) const {
  TrainingEntries read = read_training_entries(path, role, format, common, log);
  sources.push_back(read.source);
  std::optional<HeadRules> rules;
  std::vector<Sentence> sentences;
  std::vector<Error> errors;
  for (std::size_t i = 0; i < read.entries.size(); ++i) {
    Entry& entry = read.entries[i];
    if (entry.sentence.words() == 0 && !entry.tree.empty()) {
      if (!rules) rules = HeadRules::load(heads);
      entry.sentence = dependency_sentence_from_tree(entry.tree, *rules);
    }
    if (entry.sentence.words() == 0) continue;
    const std::string fault = fault_of(entry.sentence);
    if (fault.empty()) {
      sentences.push_back(std::move(entry.sentence));
    } else {
      errors.push_back(data_error(fmt::format("sentence {}: {}", i + 1, fault), {path, 0, 0}));
    }
  }
  log.take(errors, {});
  return sentences;
}

DependencyData DependencyDataOptions::read(const CommonOptions& common, ProblemLog& log) const {
  DependencyData data;
  data.train = read_file(train, "train", common, log, data.sources);
  if (data.train.empty()) throw data_error("there is no tree to learn from", {train, 0, 0});
  if (!dev.empty()) data.dev = read_file(dev, "dev", common, log, data.sources);
  if (tagger.empty()) return data;
  const Tagger model = Tagger::load(ModelFile::open(tagger));
  Pool<TagScratch> scratches;
  ThreadTeam team(resolve_threads(common.threads));
  std::atomic<std::size_t> next = 0;
  team.run([&](int) {
    const auto scratch = scratches.take();
    for (std::size_t i = next++; i < data.dev.size(); i = next++) model.tag(data.dev[i], *scratch);
  });
  return data;
}

}  // namespace copse
