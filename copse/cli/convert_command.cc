// copse convert: from one treebank format to another, with transforms on the way.
#include <fmt/core.h>

#include <optional>

#include "copse/cli/commands.h"
#include "copse/cli/treebank_output.h"
#include "copse/cli/treebank_stream.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/phrase_to_dependency.h"
#include "copse/treebank/projectivity.h"
#include "copse/treebank/pseudo_projective.h"

namespace copse {
namespace {

class ConvertCommand : public Command {
 public:
  std::string_view name() const override { return "convert"; }
  std::string_view summary() const override {
    return "Convert treebanks between formats and apply transforms";
  }
  std::vector<Example> examples() const override {
    return {
        {"convert --from conllu --to json train.conllu -o train.json", "columns to JSON lines"},
        {"convert train.conllu.gz --to conllx > train.conllx", "compressed input is unpacked"},
        {"convert wsj.mrg --to conllx --heads yamada-matsumoto -o wsj.conllx",
         "phrase structure to dependencies"},
        {"convert wsj.mrg --to ptb --clean --outer TOP -o clean.mrg",
         "without traces and function tags"},
        {"convert nl.conllu --projectivise head -o lifted.conllu",
         "projective trees with labels that allow to undo it"},
        {"convert dev.conllu --to svg -o dev.svg", "a drawing"},
    };
  }

  void declare_options(CLI::App& app) override {
    input_.declare_options(app);
    output_.declare_options(app);
    declare_tree_options(app);
    declare_dependency_options(app);
    app.add_flag("--surface", options_.text.surface,
                 "text: as printed, with SpaceAfter=No and multiword tokens")
        ->group("Writing");
    app.add_option("--width", options_.drawing.width,
                   "svg, html: pixels, ascii: columns, beyond which drawings wrap")
        ->check(CLI::Range(0, 1'000'000))
        ->type_name("W")
        ->group("Writing");
  }

  ExitCode run(const CommonOptions& common) override {
    resolve_options();
    const bool same_format = input_.all_are(format_);
    TreebankOutput output(output_, options_);
    ProblemLog log(common);
    stream_treebank<std::string>(
        input_, common, name(), log,
        [&](Entry&& entry, std::string& out) {
          transform(entry);
          output.writer().write(entry, out);
        },
        [&](const std::string& raw, std::string& out) {
          if (same_format) out += raw;
        },
        [&](std::string&& text) { output.take(std::move(text)); });
    output.finish(common.quiet);
    return log.finish(same_format ? "passed through unchanged" : "left out");
  }

 private:
  void declare_tree_options(CLI::App& app) {
    const std::string group = "Phrase-structure trees";
    app.add_option("--heads", heads_,
                   "Make dependencies with this head table: collins, yamada-matsumoto or a file")
        ->type_name("TABLE")
        ->group(group);
    app.add_flag("--unlabelled,--unlabeled", unlabelled_, "With --heads: no relation names")
        ->group(group);
    app.add_flag("--clean", clean_, "Remove traces, function tags and X over X")->group(group);
    app.add_flag("--remove-traces", remove_traces_, "Remove traces only")->group(group);
    app.add_option("--outer", outer_, "ptb: outer bracket: keep, empty, TOP, ROOT, S1 or none")
        ->capture_default_str()
        ->group(group);
    app.add_flag("--indent", options_.ptb.indent, "ptb: spread trees over indented lines")
        ->group(group);
  }

  void declare_dependency_options(CLI::App& app) {
    const std::string group = "Dependency trees";
    app.add_option("--projectivise,--projectivize", projectivise_,
                   "Lift non-projective arcs; labels: none, head, path or head+path")
        ->type_name("LABELS")
        ->group(group);
    app.add_option("--deprojectivise,--deprojectivize", deprojectivise_,
                   "Undo it; same LABELS as when lifting")
        ->type_name("LABELS")
        ->group(group);
    app.add_flag("--best-projective", best_projective_,
                 "The projective tree that shares the most arcs")
        ->group(group);
  }

  // Names to types, once, before any work: a wrong name is a usage error.
  void resolve_options() {
    format_ = output_.format();
    options_.ptb.outer = parse_outer_bracket(outer_);
    if (!heads_.empty()) rules_ = HeadRules::load(heads_);
    if (!projectivise_.empty()) lift_ = parse_lift_labels(projectivise_);
    if (!deprojectivise_.empty()) lower_ = parse_lift_labels(deprojectivise_);
    conversion_.labelled = !unlabelled_;
    conversion_.provenance = format_ != Format::conllx;  // where comments are not standard
    conversion_.dialect = format_ == Format::conllx ? Dialect::conllx : Dialect::conllu;
  }

  void transform(Entry& entry) const {
    if (!entry.tree.empty()) transform_phrases(entry);
    const bool wanted = lift_ || lower_ || best_projective_;
    if (!wanted || entry.sentence.words() == 0) return;
    DependencyTree tree = entry.sentence.tree();
    if (!tree.is_tree()) throw data_error("a word has no head; expected a whole tree");
    if (best_projective_) tree = best_projective_tree(tree);
    if (lift_) tree = projectivise(tree, *lift_);
    if (lower_) tree = deprojectivise(tree, *lower_);
    entry.sentence.set_tree(tree);
  }

  void transform_phrases(Entry& entry) const {
    // Function tags decide labels: dependencies come before cleaning.
    if (rules_) entry.sentence = dependency_sentence_from_tree(entry.tree, *rules_, conversion_);
    if (clean_) {
      entry.tree = copse::clean(entry.tree).tree;
    } else if (remove_traces_) {
      entry.tree = copse::remove_traces(entry.tree);
    }
  }

  TreebankInput input_;
  TreebankOutputOptions output_;
  std::string heads_, outer_ = "keep", projectivise_, deprojectivise_;
  bool unlabelled_ = false, clean_ = false, remove_traces_ = false, best_projective_ = false;

  Format format_ = Format::conllu;
  WriteOptions options_;
  ConversionOptions conversion_;
  std::optional<HeadRules> rules_;
  std::optional<LiftLabels> lift_, lower_;
};

}  // namespace

std::unique_ptr<Command> make_convert_command() {
  return std::make_unique<ConvertCommand>();
}

}  // namespace copse
