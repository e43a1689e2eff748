// copse eval: scores of a system's output against gold, and whether two systems differ.
#include <fmt/core.h>

#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/treebank_stream.h"
#include "copse/constituency/spinal/parser_file.h"
#include "copse/constituency/spinal/pruning_report.h"
#include "copse/treebank/block_reader.h"
#include "copse/treebank/evaluation/report.h"
#include "copse/treebank/evaluation/scored_sentences.h"
#include "copse/treebank/formats.h"

namespace copse {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 30;

// The bytes of a file and its name for messages.
struct Bytes {
  std::string text;
  std::string name;
};

Bytes read_bytes(const std::string& path) {
  Input input = Input::open(path);
  std::string text = input.read_all(kMaxFileBytes);
  return {std::move(text), input.name()};
}

void print(std::string_view text) {
  Output output = Output::open("-");
  output.write(text);
  output.commit();
}

class EvalCommand : public Command {
 public:
  std::string_view name() const override { return "eval"; }
  std::string_view summary() const override {
    return "Score trees, tags and entities against gold; test differences for significance";
  }
  std::vector<Example> examples() const override {
    return {
        {"eval dependency --gold dev.conllu --system out.conllu --punct ud", "UAS, LAS and more"},
        {"eval constituency --gold dev.mrg --system out.mrg", "the output of EVALB"},
        {"eval conll18 --gold dev.conllu --system raw-out.conllu",
         "files that may cut the text differently"},
        {"eval tags --gold dev.conllu --system out.conllu --train train.conllu",
         "tagging accuracy, unknown words apart"},
        {"eval ner --gold dev.bio --system out.bio --json", "entities by span and type"},
        {"eval compare --gold dev.conllu --a one.conllu --b two.conllu --metric las",
         "is the difference significant?"},
        {"eval pruning -m spinal.copse --gold dev.mrg --alpha 1e-4 1e-6",
         "how much the pruner of a spinal parser leaves, and what it loses"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.require_subcommand(1);
    declare_dependency(app);
    declare_constituency(app);
    declare_conll18(app);
    declare_tags(app);
    declare_ner(app);
    declare_compare(app);
    declare_pruning(app);
  }

  ExitCode run(const CommonOptions& common) override {
    common_ = common;
    return chosen_();
  }

 private:
  CLI::App* add(CLI::App& app, const std::string& name, const std::string& summary,
                ExitCode (EvalCommand::*work)()) {
    CLI::App* sub = app.add_subcommand(name, summary);
    sub->fallthrough();  // the common options belong to "copse eval"
    sub->callback([this, work] { chosen_ = [this, work] { return (this->*work)(); }; });
    sub->add_option("--gold", gold_, "What is right")->required()->type_name("FILE");
    return sub;
  }

  void add_system(CLI::App* sub) {
    sub->add_option("--system", system_, "What is scored")->required()->type_name("FILE");
    add_json(sub);
  }
  void add_json(CLI::App* sub) {
    sub->add_flag("--json", json_, "Print one JSON object; accuracies are percentages");
  }
  void add_per_sentence(CLI::App* sub) {
    sub->add_flag("--per-sentence", per_sentence_, "JSON: the counts of every sentence as well");
  }
  void add_format(CLI::App* sub) {
    sub->add_option("--from", format_, "Format of the files; by their ending if not given")
        ->type_name("FORMAT");
  }
  void add_punctuation(CLI::App* sub) {
    sub->add_option("--punct", punctuation_,
                    "What to leave out as punctuation, by gold: all leaves nothing out; ptb: tag "
                    "`` '' , : or .; ud: UPOS PUNCT; conllx: only punctuation characters")
        ->capture_default_str()
        ->check(CLI::IsMember({"all", "none", "ptb", "ud", "conllx"}));
    sub->add_flag("--ignore-subtypes", ignore_subtypes_, "Compare relations up to the ':'");
  }
  void add_evalb(CLI::App* sub) {
    sub->add_option("--params", parameters_, "EVALB parameter file; COLLINS if not given")
        ->type_name("FILE");
    sub->add_option("--max-errors", max_errors_,
                    "Overrides MAX_ERROR: stop when more lines cannot be compared")
        ->check(CLI::Range(0, 2'000'000'000));
    sub->add_option("--cutoff", cutoff_, "Overrides CUTOFF_LEN, the limit of the second summary")
        ->check(CLI::Range(0, 2'000'000'000));
    sub->add_flag("--fix-quotes", fix_quotes_,
                  "Put back quote signs that one side deletes by their tag (QUOTE_LABEL '' POS)");
    CLI::Option* top = sub->add_flag(
        "--outer-is-top", outer_is_top_,
        "Read every outer bracket, unlabelled or ROOT or S1, as TOP; else only where one side has "
        "an unlabelled one and the other has not");
    sub->add_flag("--as-evalb", as_evalb_,
                  "The letter of EVALB: an unlabelled outer bracket counts as a phrase")
        ->excludes(top);
  }

  void declare_dependency(CLI::App& app) {
    CLI::App* sub = add(app, "dependency", "UAS, LAS, label accuracy and breakdowns",
                        &EvalCommand::run_dependency);
    add_system(sub);
    add_per_sentence(sub);
    add_format(sub);
    add_punctuation(sub);
    sub->add_flag("--details", details_, "By relation, distance, direction, tag and length");
  }
  void declare_constituency(CLI::App& app) {
    CLI::App* sub = add(app, "constituency", "Bracketing scores exactly as EVALB prints them",
                        &EvalCommand::run_constituency);
    add_system(sub);
    add_per_sentence(sub);
    add_evalb(sub);
    sub->add_flag("--summary", summary_only_, "Leave out the rows of single sentences");
    sub->add_flag("--details", details_, "Also by label and by length of the sentence");
  }
  void declare_conll18(CLI::App& app) {
    CLI::App* sub =
        add(app, "conll18", "The CoNLL 2018 metrics, aligning words", &EvalCommand::run_conll18);
    add_system(sub);
    sub->add_flag("--counts", counts_, "Counts instead of percentages");
  }
  void declare_tags(CLI::App& app) {
    CLI::App* sub =
        add(app, "tags", "Accuracy of UPOS, XPOS, FEATS and LEMMA", &EvalCommand::run_tags);
    add_system(sub);
    add_format(sub);
    sub->add_option("--train", train_, "Training data: words it lacks are scored apart")
        ->type_name("FILE");
    sub->add_option("--confusions", confusions_, "How many pairs of confused tags to show")
        ->capture_default_str()
        ->check(CLI::Range(0, 1'000'000));
  }
  void declare_ner(CLI::App& app) {
    add_system(add(app, "ner", "Entities by span and type, as conlleval counts them",
                   &EvalCommand::run_ner));
  }
  void declare_compare(CLI::App& app) {
    CLI::App* sub = add(app, "compare", "Sign test, stratified shuffling and bootstrap interval",
                        &EvalCommand::run_compare);
    sub->add_option("--a", system_, "The first system")->required()->type_name("FILE");
    sub->add_option("--b", system_b_, "The second system")->required()->type_name("FILE");
    sub->add_option("--metric", metric_, "uas and las for dependencies, f1 for brackets")
        ->required()
        ->check(CLI::IsMember({"uas", "las", "f1"}));
    sub->add_option("--strata", strata_, "What shuffling swaps: sentence or word")
        ->capture_default_str()
        ->check(CLI::IsMember({"sentence", "word"}));
    sub->add_option("--rounds", compare_.random.rounds, "Rounds of shuffling and resampling")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000'000));
    sub->add_option("--seed", compare_.random.seed, "Seed of the random numbers")
        ->capture_default_str();
    add_json(sub);
    add_format(sub);
    add_punctuation(sub);
    add_evalb(sub);
  }

  void declare_pruning(CLI::App& app) {
    CLI::App* sub = add(app, "pruning", "What the pruner of a spinal parser leaves and loses",
                        &EvalCommand::run_pruning);
    sub->add_option("-m,--model", system_, "A spinal parser")->required()->type_name("MODEL");
    sub->add_option("--alpha", alphas_, "Thresholds to look at; 1e-3 to 1e-7 if not given")
        ->check(CLI::Range(0.0, 1.0));
    add_json(sub);
  }

  void warn(const std::string& message) const {
    if (!common_.quiet) fmt::print(stderr, "copse: warning: {}\n", message);
  }

  AttachmentOptions attachment_options() const {
    return {punctuation_policy_named(punctuation_), ignore_subtypes_};
  }

  ExitCode run_dependency() {
    const ScoredSentences gold = read_sentences(gold_);
    const ScoredSentences system = read_sentences(system_);
    const AttachmentReport report =
        evaluate_attachment(gold.file(), system.file(), attachment_options());
    print(json_ ? attachment_json(report, per_sentence_) : attachment_text(report, details_));
    return ExitCode::fine;
  }

  EvalbOptions evalb_options() const {
    EvalbOptions options;
    options.limits = common_.limits;
    if (!parameters_.empty()) {
      const Bytes file = read_bytes(parameters_);
      std::vector<std::string> warnings;
      options.parameters = parse_evalb_parameters(file.text, file.name, &warnings);
      for (const std::string& warning : warnings) warn(warning);
    }
    if (max_errors_ >= 0) options.parameters.max_errors = max_errors_;
    if (cutoff_ >= 0) options.parameters.cutoff = cutoff_;
    if (fix_quotes_) options.parameters.quotes = {"''", "POS"};
    if (as_evalb_) options.outer = EvalbOuter::as_evalb;
    if (outer_is_top_) options.outer = EvalbOuter::top;
    return options;
  }

  // Tells what EVALB tells on standard error, and what its figures do not show.
  void report_problems(const EvalbReport& report, const Bytes& gold, const Bytes& system) const {
    for (const std::string& message : report.messages) {
      fmt::print(stderr, "copse: error: {}\n", message);
    }
    if (report.missing > 0) {
      fmt::print(stderr, "copse: error: {} ends {} lines before {}; they are not scored\n",
                 system.name, report.missing, gold.name);
    }
    if (report.extra > 0) {
      fmt::print(stderr, "copse: error: {} goes on for {} lines after the end of {}\n", system.name,
                 report.extra, gold.name);
    }
    const std::size_t unlabelled = report.gold_unlabelled_outer + report.system_unlabelled_outer;
    if (outer_is_top_ || unlabelled == 0) return;
    if (report.outer_read_as_top > 0) {
      warn(
          fmt::format("the outer brackets of {} sentences have no label on one side: both are read "
                      "as TOP; --as-evalb counts them as phrases, as EVALB does",
                      report.outer_read_as_top));
    }
    if (unlabelled > report.outer_read_as_top) {
      warn(
          fmt::format("an outer bracket without a label counts as a phrase, as in EVALB ({} gold "
                      "and {} system sentences); --outer-is-top reads it as TOP",
                      report.gold_unlabelled_outer, report.system_unlabelled_outer));
    }
  }

  static Error stopped(const EvalbReport& report) {
    return data_error(fmt::format("stopped at error {}: MAX_ERROR is {}", report.messages.size(),
                                  report.parameters.max_errors),
                      {}, "--max-errors N allows more");
  }

  EvalbReport evaluate_brackets(const Bytes& gold, const std::string& path) const {
    const Bytes system = read_bytes(path);
    EvalbReport report = evaluate_constituency(gold.text, system.text, evalb_options());
    report_problems(report, gold, system);
    return report;
  }

  ExitCode run_constituency() {
    const EvalbReport report = evaluate_brackets(read_bytes(gold_), system_);
    if (report.stopped) {
      if (!json_ && !summary_only_) print(evalb_text(report, true));
      throw stopped(report);
    }
    if (json_) {
      print(evalb_json(report, per_sentence_));
    } else {
      print(evalb_text(report, !summary_only_) +
            (details_ ? "\n" + evalb_details_text(report) : ""));
    }
    const bool incomplete = report.all.errors > 0 || report.missing > 0 || report.extra > 0;
    return common_.strict && incomplete ? ExitCode::bad_data : ExitCode::fine;
  }

  ExitCode run_pruning() {
    const spinal::SpinalParser parser = spinal::read_parser(ModelFile::open(system_));
    if (alphas_.empty()) alphas_ = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
    Input input = Input::open(gold_);
    const auto reader = make_reader(Format::ptb, common_.limits);
    const auto gold = read_all(input, *reader, common_.limits);
    const auto figures = spinal::pruning_report(parser, gold, alphas_, common_.threads);
    if (!json_) {
      print(spinal::pruning_table(figures));
      return ExitCode::fine;
    }
    nlohmann::json rows = nlohmann::json::array();
    for (const auto& each : figures) rows.push_back(each.json());
    print(rows.dump(1) + "\n");
    return ExitCode::fine;
  }

  ExitCode run_conll18() {
    const Bytes gold = read_bytes(gold_);
    const Bytes system = read_bytes(system_);
    const Conll18Report report = evaluate_conll18(gold.text, system.text, gold.name, system.name);
    print(json_ ? conll18_json(report) : conll18_text(report, counts_));
    return ExitCode::fine;
  }

  ExitCode run_tags() {
    const ScoredSentences gold = read_tags(gold_);
    const ScoredSentences system = read_tags(system_);
    Vocabulary vocabulary;
    if (!train_.empty()) vocabulary = vocabulary_of(read_tags(train_).sentences);
    const TagReport report =
        evaluate_tags(gold.file(), system.file(), train_.empty() ? nullptr : &vocabulary);
    print(json_ ? tags_json(report) : tags_text(report, confusions_));
    return ExitCode::fine;
  }

  std::optional<Format> format() const {
    return format_.empty() ? std::nullopt : std::optional(format_named(format_));
  }
  ScoredSentences read_sentences(const std::string& path) const {
    return read_scored(path, format(), common_.limits);
  }
  // A treebank, or a file of words and tags.
  ScoredSentences read_tags(const std::string& path) const {
    return read_tagged(path, format(), common_.limits);
  }

  ExitCode run_ner() {
    const Bytes gold = read_bytes(gold_);
    const Bytes system = read_bytes(system_);
    const EntityReport report = evaluate_entities(gold.text, system.text, gold.name, system.name);
    print(json_ ? entities_json(report) : entities_text(report));
    return ExitCode::fine;
  }

  ExitCode run_compare() {
    compare_.stratum = strata_ == "word" ? Stratum::word : Stratum::sentence;
    const Comparison comparison = metric_ == "f1" ? compare_brackets() : compare_dependencies();
    print(json_ ? comparison_json(comparison) : comparison_text(comparison));
    return ExitCode::fine;
  }

  Comparison compare_brackets() const {
    const Bytes gold = read_bytes(gold_);
    const EvalbReport a = evaluate_brackets(gold, system_);
    const EvalbReport b = evaluate_brackets(gold, system_b_);
    for (const EvalbReport* report : {&a, &b}) {
      if (report->stopped) throw stopped(*report);
    }
    return compare_constituency(a, b, compare_);
  }

  Comparison compare_dependencies() const {
    const ScoredSentences gold = read_sentences(gold_);
    const auto evaluate = [&](const std::string& path) {
      const ScoredSentences system = read_sentences(path);
      return evaluate_attachment(gold.file(), system.file(), attachment_options());
    };
    return compare_attachment(evaluate(system_), evaluate(system_b_), metric_ == "las", compare_);
  }

  std::function<ExitCode()> chosen_;
  CommonOptions common_;
  std::string gold_, system_, system_b_;
  std::string format_, train_, parameters_, metric_;
  std::string punctuation_ = "all";
  std::string strata_ = "sentence";
  std::vector<double> alphas_;
  CompareOptions compare_;
  std::size_t confusions_ = 10;
  int max_errors_ = -1;
  int cutoff_ = -1;
  bool json_ = false;
  bool details_ = false;
  bool counts_ = false;
  bool summary_only_ = false;
  bool fix_quotes_ = false;
  bool outer_is_top_ = false;
  bool as_evalb_ = false;
  bool per_sentence_ = false;
  bool ignore_subtypes_ = false;
};

}  // namespace

std::unique_ptr<Command> make_eval_command() {
  return std::make_unique<EvalCommand>();
}

}  // namespace copse
