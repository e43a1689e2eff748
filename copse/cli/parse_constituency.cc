// copse parse with a constituency model: phrase-structure trees.
#include <fmt/core.h>

#include <utility>

#include "copse/cli/generative_options.h"
#include "copse/cli/n_best_run.h"
#include "copse/cli/parse_tasks.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

constexpr double kLeastShown = 0.01;  // brackets of smaller probability are not written

class ConstituencyParseTask : public ParseTask {
 public:
  std::string_view kind() const override { return kConstituencyKind; }

  void declare_options(CLI::App& app) override {
    options_.declare_options(app);
    app.add_option("--bracket-cost", options_.question.bracket_cost,
                   "--mbr: what a bracket must be worth; less gives more brackets")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1.0))
        ->group("Search of the generative parser");
    app.add_option("--outer", outer_, "ptb: outer bracket, empty TOP ROOT S1 none")
        ->capture_default_str()
        ->type_name("LABEL");
  }

  ExitCode run(const ModelFile& model, const ParseRequest& request,
               const CommonOptions& common) override {
    const std::unique_ptr<PhraseParser> parser = load_phrase_parser(model, options_.search);
    if ((request.mbr || request.marginals) && !parser->has_probabilities()) {
      throw usage_error("--mbr and --marginals need a model of probabilities",
                        "expected a generative model");
    }
    if (request.k > 0) {
      if (request.mbr || request.marginals) {
        throw usage_error("--nbest cannot be joined with --mbr or --marginals");
      }
      options_.question.k = request.k;
      return write_n_best(*parser, request.input, options_, {request.output.path, ""}, common);
    }
    options_.question.expected_brackets = request.mbr;
    options_.question.brackets = request.marginals;
    return write_trees(*parser, request, common);
  }

 private:
  struct Result {
    std::string text;
    std::size_t fallbacks = 0;
  };

  ExitCode write_trees(const PhraseParser& parser, const ParseRequest& request,
                       const CommonOptions& common) {
    TreebankOutputOptions where = request.output;
    if (where.format_name.empty() && !format_of_file(where.path)) where.format_name = "ptb";
    if (request.marginals && where.format() != Format::ptb) {
      throw usage_error("--marginals writes brackets behind each tree; expected --to ptb");
    }
    WriteOptions write;
    write.ptb.outer = parse_outer_bracket(outer_);
    TreebankOutput output(where, write);
    ProblemLog log(common);
    std::size_t fallbacks = 0;
    const bool columns = where.format() == Format::conllu || where.format() == Format::conllx;
    const auto use = [&](Entry&& entry, Result& result) {
      PhraseAnswer found =
          parser.parse(words_to_parse(entry, options_.use_tags, parser), options_.question);
      if (found.trees.empty()) throw data_error("the sentence has no words");
      result.fallbacks += found.fallback ? 1 : 0;
      if (columns) add_columns(found, where.format(), entry.sentence);
      output.writer().write({std::move(entry.sentence), std::move(found.trees[0].tree)},
                            result.text);
      if (request.marginals) append_brackets(found, result.text);
    };
    const auto skip = [](const std::string&, Result&) {};
    const auto give = [&](Result&& result) {
      output.take(std::move(result.text));
      fallbacks += result.fallbacks;
    };
    stream_treebank<Result>(request.input, common, "parse", log, use, skip, give, kParseBlockBytes);
    output.finish();
    report_fallbacks(fallbacks, common);
    return log.finish("left out");
  }

  // The tags and dependencies of models that have them.
  static void add_columns(const PhraseAnswer& parse, Format format, Sentence& sentence) {
    if (!parse.dependencies) return;
    const PhraseTree& tree = parse.trees[0].tree;
    if (sentence.words() == 0) {
      sentence =
          sentence_from_tree(tree, format == Format::conllx ? Dialect::conllx : Dialect::conllu);
    }
    for (int i = 1; i <= sentence.words(); ++i) sentence.set(i, Column::xpos, tree.tag(i - 1));
    sentence.set_tree(*parse.dependencies);
    if (!parse.note.empty()) sentence.set_comment("parse_note", parse.note);
  }

  static void append_brackets(const PhraseAnswer& parse, std::string& out) {
    for (const Bracket& bracket : parse.brackets) {
      if (bracket.probability < kLeastShown) continue;
      out += fmt::format("{}\t{}\t{}\t{:.4f}\n", bracket.label, bracket.begin, bracket.end,
                         bracket.probability);
    }
    out += '\n';
  }

  PhraseRunOptions options_;
  std::string outer_ = "TOP";
};

}  // namespace

std::unique_ptr<ParseTask> make_constituency_parse_task() {
  return std::make_unique<ConstituencyParseTask>();
}

}  // namespace copse
