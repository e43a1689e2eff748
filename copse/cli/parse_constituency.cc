// copse parse with a constituency model: phrase-structure trees.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "copse/cli/generative_options.h"
#include "copse/cli/input_doubts.h"
#include "copse/cli/n_best_run.h"
#include "copse/cli/parse_tasks.h"
#include "copse/constituency/phrase_views.h"
#include "copse/treebank/json.h"
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
    app.add_flag("--partial", partial_,
                 "Also the best tree after each word, one after the other; incremental models")
        ->group("Word by word");
    app.add_flag("--surprisal", surprisal_,
                 "-ln P(word | words before) of each word: a table, or with --to conllu or json; "
                 "incremental models with a generative part")
        ->group("Word by word");
    app.add_option("--outer", outer_, "ptb: outer bracket, empty TOP ROOT S1 none")
        ->capture_default_str()
        ->type_name("LABEL");
  }

  ExitCode run(const ModelFile& model, const ParseRequest& request,
               const CommonOptions& given) override {
    const CommonOptions common = options_.take_limits(given);
    const std::unique_ptr<PhraseParser> parser = load_phrase_parser(model, options_.search);
    if ((request.mbr || request.marginals) && !parser->has_probabilities()) {
      throw usage_error("--mbr and --marginals need a model of probabilities",
                        "expected a generative model");
    }
    if ((partial_ || surprisal_) && (!parser->has_steps() || request.k > 0)) {
      throw usage_error("--partial and --surprisal need a model that parses word by word",
                        "expected an incremental model, and no --nbest");
    }
    options_.question.steps = partial_ || surprisal_;
    if (request.k > 0 && (request.mbr || request.marginals)) {
      throw usage_error("--nbest cannot be joined with --mbr or --marginals");
    }
    if (request.constraints && !parser->takes_spans()) {
      throw usage_error(fmt::format("a {} parser takes no --constraints", parser->model()),
                        "expected a generative model");
    }
    options_.question.k = std::max(1, request.k);
    options_.question.expected_brackets = request.mbr;
    options_.question.brackets = request.marginals;
    options_.demands = request.constraints;
    if (request.k > 0 && !names_format(request.output)) {
      return write_n_best(*parser, request.input, options_, {request.output.path, ""}, common);
    }
    return write_trees(*parser, request, common);
  }

 private:
  struct Result {
    std::string text;
    std::size_t fallbacks = 0;
  };

  static bool names_format(const TreebankOutputOptions& output) {
    return !output.format_name.empty() ||
           format_of_file(output.path).value_or(Format::text) != Format::text;
  }

  static bool is_columns(Format format) {
    return format == Format::conllu || format == Format::conllx;
  }

  Format format_for(const ParseRequest& request, const PhraseParser& parser) const {
    Format format = request.output.format(Format::ptb);
    // A table of surprisals is columns too: .tsv says nothing else.
    if (surprisal_ && !partial_ && format == Format::columns) format = Format::ptb;
    const bool drawn = !is_readable(format);
    const bool dependencies =
        is_columns(format) && (parser.has_dependencies() || surprisal_) && request.k == 0;
    if (!drawn && !dependencies && format != Format::ptb && format != Format::json) {
      throw usage_error(fmt::format("{} has no room for phrase-structure trees", name_of(format)),
                        "expected --to ptb, json or a drawing; 'copse convert --heads' makes "
                        "dependencies of trees");
    }
    if (request.k > 0 && format == Format::ptb) {
      throw usage_error("--nbest --to ptb would lose the probabilities",
                        "leave out --to for lists in brackets, or --to json or a drawing");
    }
    return format;
  }

  ExitCode write_trees(const PhraseParser& parser, const ParseRequest& request,
                       const CommonOptions& common) {
    const Format format = format_for(request, parser);
    TreebankOutputOptions where = request.output;
    where.format_name = name_of(format);
    WriteOptions write;
    write.ptb.outer = parse_outer_bracket(outer_);
    TreebankOutput output(where, write);
    ProblemLog log(common);
    InputDoubts doubts(common, request.input);
    std::size_t fallbacks = 0;
    const bool columns = is_columns(format);
    const auto use = [&](Entry&& entry, Result& result) {
      doubts.look_at_words(entry.sentence);
      PhraseAnswer found = parser.parse(words_to_parse(entry, options_.use_tags, parser),
                                        options_.question_for(entry));
      if (found.trees.empty()) throw data_error("the sentence has no words");
      result.fallbacks += found.fallback ? 1 : 0;
      if (surprisal_ && !found.steps.front().surprisal) {
        throw usage_error("--surprisal needs a model with a generative part",
                          "train with --mix greater than 0");
      }
      if (columns) add_columns(found, format, entry.sentence);
      if (surprisal_ && columns) set_surprisal(found, entry.sentence);
      if (surprisal_ && format == Format::ptb && !partial_) {
        result.text += surprisal_rows(found);
        return;
      }
      if (partial_ && !columns) write_steps(entry, found, format, output.writer(), result.text);
      for (std::size_t i = 0; i < found.trees.size(); ++i) {
        write_tree(entry, found, i,
                   {format, request.k > 0, request.marginals, surprisal_, output.writer()},
                   result.text);
      }
    };
    const auto skip = [](const std::string&, Result&) {};
    const auto give = [&](Result&& result) {
      doubts.tell();
      output.take(std::move(result.text));
      fallbacks += result.fallbacks;
    };
    stream_treebank<Result>(request.input, common, "parse", log, use, skip, give, kParseBlockBytes);
    output.finish();
    report_fallbacks(fallbacks, common);
    return log.finish("left out");
  }

  // The best tree after each word.
  void write_steps(const Entry& entry, const PhraseAnswer& found, Format format,
                   const Writer& writer, std::string& out) const {
    for (std::size_t i = 0; i + 1 < found.steps.size(); ++i) {
      Entry shown{entry.sentence, found.steps[i].tree};
      if (!is_readable(format)) {
        shown.tree = with_title(shown.tree, fmt::format("after {}", i + 1));
      }
      std::string text;
      writer.write(shown, text);
      if (format == Format::json) {
        add_json_member("words_so_far", fmt::format("{}", i + 1), text);
        if (found.steps[i].surprisal) {
          add_json_member("word_surprisal", fmt::format("{:.17g}", *found.steps[i].surprisal),
                          text);
        }
      }
      out += text;
    }
  }

  // The tags, and the dependencies of models that have them.
  static void add_columns(const PhraseAnswer& parse, Format format, Sentence& sentence) {
    const PhraseTree& tree = parse.trees[0].tree;
    if (sentence.words() == 0) {
      sentence =
          sentence_from_tree(tree, format == Format::conllx ? Dialect::conllx : Dialect::conllu);
    }
    for (int i = 1; i <= sentence.words(); ++i) sentence.set(i, Column::xpos, tree.tag(i - 1));
    if (parse.dependencies) sentence.set_tree(*parse.dependencies);
    if (!parse.note.empty()) sentence.set_comment("parse_note", parse.note);
  }

  struct Target {
    Format format;
    bool listed;     // one of several trees of the sentence
    bool marginals;  // with its brackets
    bool surprisal;  // of its words
    const Writer& writer;
  };

  // One of the trees found, with what was asked of it: its rank and probability, its brackets.
  static void write_tree(const Entry& entry, const PhraseAnswer& found, std::size_t rank,
                         const Target& target, std::string& out) {
    const auto& [log_probability, tree] = found.trees[rank];
    Entry shown{entry.sentence, tree};
    const bool drawn = !is_readable(target.format);
    if (target.listed && drawn) {
      shown.tree = with_title(tree, fmt::format("{} of {}, ln P {:.2f}", rank + 1,
                                                found.trees.size(), log_probability));
    }
    if (drawn) shown.tree = with_probabilities(shown.tree, found.brackets);
    const std::size_t begin = out.size();
    target.writer.write(shown, out);
    if (target.format == Format::ptb) {
      if (target.marginals) append_brackets(found, out);
      return;
    }
    if (target.format != Format::json) return;
    std::string line = out.substr(begin);
    out.resize(begin);
    if (target.listed) {
      add_json_member("rank", fmt::format("{}", rank + 1), line);
      add_json_member("log_probability", fmt::format("{:.17g}", log_probability), line);
    }
    if (target.marginals) {
      add_json_member("brackets", brackets_json(found.brackets, kLeastShown), line);
      add_json_member("tags", brackets_json(found.tags, kLeastShown), line);
    }
    if (target.surprisal) add_json_member("surprisal", surprisal_json(found), line);
    out += line;
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
  bool partial_ = false, surprisal_ = false;
  std::string outer_ = "TOP";
};

}  // namespace

std::unique_ptr<ParseTask> make_constituency_parse_task() {
  return std::make_unique<ConstituencyParseTask>();
}

}  // namespace copse
