// copse parse with a bundle: raw text, or sentences in any format, to both kinds of trees.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "copse/cli/n_best_run.h"
#include "copse/cli/parse_tasks.h"
#include "copse/cli/terminal.h"
#include "copse/pipeline/bundle.h"
#include "copse/pipeline/text_stream.h"

namespace copse {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

bool is_file(const std::string& path) {
  struct stat status {};
  return path == "-" || ::stat(path.c_str(), &status) == 0;
}

// What cannot be the name of a file and has words in it is meant to be parsed itself.
bool is_text(const std::string& argument) {
  return argument.find(' ') != std::string::npos && !is_file(argument);
}

// Counts what went wrong and says it as the streams of treebanks do.
class TextProblems {
 public:
  TextProblems(ProblemLog& log, std::string file) : log_(log), file_(std::move(file)) {}

  void look_at(const ParsedSentence& sentence) {
    ++sentences_;
    std::vector<Error> errors;
    if (sentence.problem) {
      const auto id = sentence.columns.comment("sent_id").value_or("");
      errors.push_back(data_error(fmt::format("sentence {}: {}", id, sentence.problem->message()),
                                  {file_, 0, 0}, sentence.problem->hint()));
    }
    log_.take(errors, {});
    check_books(1, sentence.problem ? 0 : 1, errors.size());
  }
  std::size_t sentences() const { return sentences_; }

 private:
  ProblemLog& log_;
  std::string file_;
  std::size_t sentences_ = 0;
};

class BundleParseTask : public ParseTask {
 public:
  std::string_view kind() const override { return kBundleKind; }

  void declare_options(CLI::App& app) override {
    const std::string group = "Bundle";
    app.add_flag("--keep-tags", options_.keep_tags,
                 "Keep the tags that the input has, and fill in the others")
        ->group(group);
    app.add_flag("!--no-phrases", options_.phrases, "No phrase-structure trees")->group(group);
    app.add_flag("!--no-dependencies", options_.dependencies, "No heads and relations")
        ->group(group);
    app.add_flag("--one-per-line", one_per_line_, "Raw text: each line is one sentence")
        ->group(group);
  }

  ExitCode run(const ModelFile& model, const ParseRequest& request,
               const CommonOptions& common) override {
    options_.n_best = std::max(1, request.k);
    options_.marginals = request.marginals;
    options_.mbr = request.mbr;
    options_.constraints = request.constraints;
    options_.threads = common.threads;
    options_.most_words = common.limits.max_words;
    options_.text.max_words = common.limits.max_words;
    if (one_per_line_) options_.text.line_ends = LineEnds::sentences;
    if (request.k > 1 && request.mbr) throw usage_error("--nbest cannot be joined with --mbr");
    format_ = choose_format(request.output);
    // What nobody sees is not looked for.
    if (shows_columns_only(format_)) options_.phrases = false;
    if (format_ == Format::ptb) options_.dependencies = false;
    const Pipeline nlp = Pipeline::from(model, wanted_parts());
    check_trees(nlp, model.name());
    TreebankOutputOptions where = request.output;
    where.format_name = name_of(format_);
    TreebankOutput output(where, write_options());
    ProblemLog log(common);
    listed_ = request.k > 0;
    for (const std::string& path : request.input.sources()) {
      if (is_text(path)) {
        Input input = Input::from_memory(path, "text");
        parse_text(nlp, input, "", output, log);
      } else if (is_raw(request.input, path)) {
        Input input = request.input.open(path);
        parse_text(nlp, input, path == "-" ? "" : file_name(path), output, log);
      } else {
        parse_treebank(nlp, request.input, path, common, output, log);
      }
    }
    output.finish(common.quiet);
    return log.finish("has no tree");
  }

 private:
  static Format choose_format(const TreebankOutputOptions& output) {
    const bool at_terminal = output.path == "-" && ::isatty(STDOUT_FILENO) == 1;
    return output.format(at_terminal ? Format::ascii : Format::conllu);
  }
  static bool shows_columns_only(Format format) {
    return format == Format::conllu || format == Format::conllx || format == Format::text ||
           format == Format::columns;
  }

  std::vector<std::string_view> wanted_parts() const {
    std::vector<std::string_view> parts = {"tokenizer", "tagger"};
    if (options_.dependencies) parts.push_back("dependency");
    if (options_.phrases) parts.insert(parts.end(), {"constituency", "reranker"});
    return parts;
  }

  void check_trees(const Pipeline& nlp, const std::string& name) const {
    if (format_ == Format::ptb && nlp.phrase_parser() == nullptr) {
      throw usage_error(fmt::format("{} has no phrase-structure parser", name),
                        "expected --to conllu, json or a drawing");
    }
  }

  WriteOptions write_options() const {
    WriteOptions write;
    if (format_ != Format::ascii) return write;
    write.drawing.color = color_wanted(STDOUT_FILENO);
    write.drawing.unicode = true;
    write.drawing.width = terminal_columns();
    return write;
  }

  // Neither an option nor the file says that it is a treebank.
  static bool is_raw(const TreebankInput& input, const std::string& path) {
    if (!input.format_name.empty()) return false;
    if (const auto format = format_of_file(path)) return *format == Format::text;
    if (!is_file(path)) return false;  // opening it says what is wrong
    return !input.told_format_of(path);
  }

  static std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
  }

  void parse_text(const Pipeline& nlp, Input& input, const std::string& document,
                  TreebankOutput& output, ProblemLog& log) {
    TextProblems problems(log, input.name());
    TextStreamOptions asked{options_, document, next_sentence_};
    next_sentence_ += stream_text(input, nlp, asked, [&](ParsedSentence&& sentence) {
      problems.look_at(sentence);
      std::string text;
      write(sentence, output.writer(), text);
      output.take(std::move(text));
    });
  }

  void parse_treebank(const Pipeline& nlp, const TreebankInput& request, const std::string& path,
                      const CommonOptions& common, TreebankOutput& output, ProblemLog& log) const {
    TreebankInput input = request;
    input.paths = {path};
    input.heads_count = options_.constraints;
    PipelineOptions alone = options_;
    alone.threads = 1;
    stream_treebank<std::string>(
        input, common, "parse", log,
        [&](Entry&& entry, std::string& out) {
          Document document(std::vector<Entry>{std::move(entry)});
          ParsedSentence& sentence = document.sentences().front();
          sentence.tree = {};
          nlp.annotate(sentence, alone);
          if (sentence.problem) throw Error(*sentence.problem);
          write(sentence, output.writer(), out);
        },
        [](const std::string&, std::string&) {},
        [&](std::string&& text) { output.take(std::move(text)); }, kBlockBytes);
  }

  // Of a sentence with a problem what was found of it.
  void write(const ParsedSentence& sentence, const Writer& writer, std::string& out) const {
    if (!listed_) {
      if (format_ == Format::ptb && sentence.tree.empty()) return;
      writer.write(sentence.entry(), out);
      return;
    }
    const std::size_t trees = std::max(sentence.dependencies.size(), sentence.phrases.trees.size());
    for (std::size_t k = 0; k < trees; ++k) {
      Entry entry{sentence.columns, {}};
      entry.sentence.set_comment("rank", std::to_string(k + 1));
      if (k < sentence.dependencies.size()) {
        entry.sentence.set_tree(sentence.dependencies[k].tree);
        entry.sentence.set_comment("score", fmt::format("{:.4f}", sentence.dependencies[k].score));
      }
      if (k < sentence.phrases.trees.size()) entry.tree = sentence.phrases.trees[k].tree;
      if (format_ == Format::ptb && entry.tree.empty()) continue;
      writer.write(entry, out);
    }
  }

  PipelineOptions options_;
  bool one_per_line_ = false, listed_ = false;
  Format format_ = Format::conllu;
  std::uint64_t next_sentence_ = 1;
};

}  // namespace

std::unique_ptr<ParseTask> make_bundle_parse_task() {
  return std::make_unique<BundleParseTask>();
}

}  // namespace copse
