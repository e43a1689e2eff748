#include "copse/pipeline/cluster_recipe.h"

#include <fmt/format.h>

#include "copse/treebank/treebank_reader.h"

namespace copse {
namespace {

Format format_of(const std::string& path, const std::string& name) {
  const Format format =
      name.empty() ? format_of_file(path).value_or(Format::text) : format_named(name);
  if (format != Format::text && format != Format::conllu && format != Format::conllx) {
    throw usage_error(
        fmt::format("{}: cannot cluster words of the format {}", path, name_of(format)),
        "expected text, conllu or conllx");
  }
  return format;
}

void add_tree(const Sentence& sentence, CorpusCounter& counter) {
  std::vector<std::string> forms;
  std::vector<int> heads;
  for (int i = 1; i <= sentence.words(); ++i) {
    forms.emplace_back(sentence.form(i));
    heads.push_back(sentence.head(i));
  }
  counter.add_tree(forms, heads);
}

void add_treebank(Input input, Format format, const Limits& limits, const ReadReport& report,
                  CorpusCounter& counter) {
  TreebankReader reader(std::move(input), format, limits);
  while (true) {
    try {
      const auto entry = reader.next();
      if (!entry) break;
      add_tree(entry->sentence, counter);
    } catch (const Error& error) {
      if (!report || error.kind() != ErrorKind::data) throw;
      report({error}, {});
    }
  }
  counter.end_text();
}

}  // namespace

FoundClusters find_clusters(const ClusterRecipe& recipe, const ReadReport& report) {
  CorpusCounter counter(recipe.corpus);
  for (const std::string& path : recipe.files) {
    const Format format = format_of(path, recipe.format);
    Input input = Input::open(path);
    if (format == Format::text) {
      counter.add_text(input, recipe.brown.threads, [] {});
    } else {
      add_treebank(std::move(input), format, recipe.limits, report, counter);
    }
  }
  FoundClusters found{counter.finish(recipe.vocabulary), {}};
  found.clusters = brown_clusters(found.bigrams, recipe.brown);
  return found;
}

}  // namespace copse
