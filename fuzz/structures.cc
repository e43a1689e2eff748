// Everything behind the readers: tables, transforms, drawings, scorers.
#include <string>
#include <vector>

#include "copse/treebank/binarise.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/evaluation/conll18.h"
#include "copse/treebank/evaluation/entities.h"
#include "copse/treebank/evaluation/evalb.h"
#include "copse/treebank/formats.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/left_corner.h"
#include "copse/treebank/phrase_to_dependency.h"
#include "copse/treebank/projectivity.h"
#include "copse/treebank/pseudo_projective.h"
#include "copse/treebank/sampler.h"
#include "copse/treebank/statistics.h"
#include "copse/treebank/unary_chains.h"
#include "fuzz/promise.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

std::vector<Entry> entries_of(Format format, std::string_view bytes) {
  std::vector<Entry> entries;
  Parsed parsed = make_reader(format, small_limits())->parse({std::string(bytes), "fuzz", 1});
  for (ReadItem& item : parsed.items)
    if (!item.error) entries.push_back(std::move(item.entry));
  return entries;
}

// Runs `call`; only a data error may come out of it.
template <class Call>
void only_data_errors(Call call) {
  try {
    call();
  } catch (const Error& error) {
    promise(error.kind() == ErrorKind::data, "bad data is a data error");
  }
}

void check_phrases(const PhraseTree& tree) {
  const PhraseTree plain = remove_traces(tree);
  if (plain.empty()) return;
  static const HeadRules collins = HeadRules::builtin("collins");
  static const HeadRules yamada = HeadRules::builtin("yamada-matsumoto");
  for (const Factor factor : {Factor::left, Factor::right, Factor::head}) {
    BinariseOptions options;
    options.factor = factor;
    options.heads = &collins;
    promise(debinarise(binarise(plain, options)) == plain, "binarising is undone");
  }
  promise(restore_unaries(collapse_unaries(plain)) == plain, "collapsing unaries is undone");
  promise(undo_left_corner_transform(left_corner_transform(plain)) == plain,
          "the left-corner transform is undone");
  for (const HeadRules* rules : {&collins, &yamada}) {
    const DependencyTree dependencies = dependencies_from_tree(plain, *rules);
    promise(dependencies.is_tree() && is_projective(dependencies), "conversion gives a tree");
    promise(dependencies.root_count() == 1, "conversion gives one root");
  }
  debinarise(plain);
  restore_unaries(plain);
  undo_left_corner_transform(plain);
  clean(tree);
}

void check_dependencies(const DependencyTree& tree) {
  if (!tree.is_tree() || tree.words() > 200) return;
  only_data_errors([&] {
    for (const LiftLabels labels :
         {LiftLabels::none, LiftLabels::head, LiftLabels::path, LiftLabels::head_path}) {
      const DependencyTree lifted = projectivise(tree, labels);
      promise(is_projective(lifted), "lifting gives a projective tree");
      promise(deprojectivise(lifted, labels).is_tree(), "lowering gives a tree");
    }
  });
  promise(is_projective(best_projective_tree(tree)), "the closest projective tree is projective");
}

}  // namespace

void grammar(std::string_view bytes) {
  only_data_errors([&] {
    const Grammar parsed = Grammar::parse(bytes, "fuzz");
    SamplerOptions options;
    options.max_words = 20;
    for (std::uint64_t i = 0; i < 3; ++i) sample_sentence(parsed, options, i);
  });
}

void head_rules(std::string_view bytes) {
  only_data_errors([&] {
    const HeadRules rules = HeadRules::parse(bytes, "fuzz");
    const HeadRules again = HeadRules::parse(rules.str(), "fuzz");
    promise(again.hash() == rules.hash(), "a table written is the same table");
  });
}

void transforms(std::string_view bytes) {
  for (const Entry& entry : entries_of(Format::ptb, bytes)) check_phrases(entry.tree);
  TreebankStatistics statistics;
  for (const Entry& entry : entries_of(Format::conllu, bytes)) {
    if (entry.sentence.words() > 0) check_dependencies(entry.sentence.tree());
    statistics.add(entry);
  }
}

void drawing(std::string_view bytes) {
  if (bytes.size() > 2000) return;  // drawings are large; small inputs show the same faults
  for (const Format from : {Format::conllu, Format::ptb}) {
    for (const Entry& entry : entries_of(from, bytes)) {
      for (const Format to :
           {Format::svg, Format::html, Format::latex, Format::dot, Format::ascii}) {
        std::string out;
        only_data_errors([&] { make_writer(to)->write(entry, out); });
      }
    }
  }
}

void evaluation(std::string_view bytes) {
  // A line of its own splits the input into gold and system.
  const auto border = bytes.find("\n====\n");
  const std::string_view gold = bytes.substr(0, border);
  const std::string_view system =
      border == std::string_view::npos ? bytes : bytes.substr(border + 6);
  evaluate_constituency(gold, system);
  only_data_errors([&] { evaluate_conll18(gold, system); });
  only_data_errors([&] { evaluate_entities(gold, system); });
}

}  // namespace copse::fuzz
