#include "copse/constituency/spinal/preparation.h"

#include <nlohmann/json.hpp>

#include "copse/base/data_source.h"
#include "copse/cluster/word_clusters.h"
#include "copse/constituency/spinal/training.h"
#include "copse/constituency/unseen_tags.h"

namespace copse::spinal {
namespace {

const std::string kTagger = "spinal/tagger/";
const std::string kTags = "spinal/unseen-tags";

std::string identity_of(const std::string& trees, const TrainingOptions& options,
                        const std::string& heads) {
  const PrunerOptions& pruner = options.pruner;
  const nlohmann::json record = {
      {"heads", heads},
      {"exact_levels", options.model.exact_levels},
      {"tag_folds", options.tag_folds},
      {"tagger_epochs", options.tagger_epochs},
      {"max_length", options.max_length},
      {"clusters", options.clusters ? checksum_text(options.clusters->bytes()) : ""},
      {"pruner",
       {pruner.arc_threshold, pruner.passes, pruner.rate, pruner.variance, pruner.min_count,
        pruner.most_trees}}};
  return checksum_text(record.dump() + '\n' + trees);
}

}  // namespace

std::string text_of(std::span<const std::span<const Entry>> trees) {
  std::string text;
  for (const std::span<const Entry> run : trees) {
    for (const Entry& entry : run) text += entry.tree.empty() ? "\n" : entry.tree.str() + '\n';
  }
  return text;
}

Preparation::Preparation(const std::string& trees, const TrainingOptions& options,
                         const std::string& heads)
    : options_(options),
      place_(options.prepared, "spinal-preparation",
             options.prepared.empty() ? "" : identity_of(trees, options, heads)),
      file_(place_.open()) {}

Tagging Preparation::saved_tagging(std::span<const Example> examples) const {
  Tagging out{SequenceTagger::load(*file_, kTagger), {}};
  const std::vector<std::string> all = file_->strings(kTags);
  std::size_t next = 0;
  for (const Example& each : examples) {
    if (all.size() - next < each.words.size()) throw file_->damaged(kTags, "lacks words");
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(next);
    out.tags.emplace_back(first, first + static_cast<std::ptrdiff_t>(each.words.size()));
    next += each.words.size();
  }
  if (next != all.size()) throw file_->damaged(kTags, "has words that the trees have not");
  return out;
}

Tagging Preparation::tagging(std::span<const Example> examples) const {
  if (is_there()) return saved_tagging(examples);
  const ParserTagging how{options_.tag_folds, options_.tagger_epochs, options_.clusters,
                          options_.threads};
  const std::vector<TagExample> tagged = tag_examples(examples);
  return {train_parser_tagger(tagged, kNoFold, how), unseen_tags(tagged, how)};
}

Pruner Preparation::pruner(const Inventory& inventory, const std::function<Pruner()>& learn) const {
  return is_there() ? Pruner::load(*file_, inventory) : learn();
}

void Preparation::save(const Tagging& tagging, const Pruner& pruner) const {
  if (is_there() || !place_.is_wanted()) return;
  ModelWriter writer = place_.begin({{"arc_threshold", pruner.arc_threshold()}});
  tagging.tagger.save(writer, kTagger);
  std::vector<std::string> all;
  for (const auto& tags : tagging.tags) all.insert(all.end(), tags.begin(), tags.end());
  writer.add_strings(kTags, all);
  pruner.save(writer);
  place_.save(writer);
}

}  // namespace copse::spinal
