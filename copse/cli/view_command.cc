// copse view: draws trees in the terminal, as a web page or as a picture.
#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>

#include "cli/sample_conllu.h"
#include "cli/sample_mrg.h"
#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/terminal.h"
#include "copse/cli/treebank_stream.h"
#include "copse/treebank/block_reader.h"
#include "copse/treebank/drawing/terminal.h"

namespace copse {
namespace {

// Sentences by their place in the input, from 1.
struct SentenceRange {
  std::size_t first = 1;
  std::size_t last = std::numeric_limits<std::size_t>::max();

  bool contains(std::size_t number) const { return first <= number && number <= last; }
};

std::optional<std::size_t> parse_number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) return std::nullopt;
  return value;
}

// "7", "7-12" or "7-".
SentenceRange parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto first = parse_number(text.substr(0, dash));
  SentenceRange range;
  std::optional<std::size_t> last = first;
  if (dash != std::string_view::npos) {
    const auto rest = text.substr(dash + 1);
    last = rest.empty() ? range.last : parse_number(rest);
  }
  if (!first || !last || *first > *last) {
    throw usage_error(fmt::format("--sentence {}: expected a number or a range such as 3-5", text));
  }
  range.first = *first;
  range.last = *last;
  return range;
}

class ViewCommand : public Command {
 public:
  std::string_view name() const override { return "view"; }
  std::string_view summary() const override {
    return "Draw trees in the terminal, as a web page or as a picture";
  }
  std::vector<Example> examples() const override {
    return {
        {"view train.conllu --sentence 3-5", "three trees in the terminal"},
        {"view train.mrg --html trees.html", "all trees as one web page"},
        {"view --sample --sentence 1 -o tree.svg", "the first built-in example as a picture"},
    };
  }

  void declare_options(CLI::App& app) override {
    input_.declare_options(app);
    app.add_option("--sentence", sentences_, "Which sentences: a number, or a range such as 3-5")
        ->type_name("N|A-B");
    app.add_option(
           "-o,--output", output_,
           "Write to FILE instead, drawn as its ending says: .svg, .html, .tex, .dot or .txt")
        ->type_name("FILE");
    auto* html = app.add_option("--html", html_, "Write a self-contained web page to FILE instead")
                     ->type_name("FILE");
    app.add_option("--svg", svg_, "Write a picture to FILE instead")
        ->type_name("FILE")
        ->excludes(html);
    app.add_option("--width", options_.width,
                   "Lines wrap beyond this: columns, or pixels with --html and --svg. "
                   "0: the terminal's width, 1200 pixels")
        ->check(CLI::Range(0, 1'000'000))
        ->type_name("W");
    app.add_option("--color", color_, "Colours in the terminal")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
    app.add_flag("--ascii", ascii_, "Draw lines with ASCII characters only");
    app.add_flag("!--no-tags", options_.show_tags, "Leave out part-of-speech tags");
    app.add_flag("!--no-labels", options_.show_labels, "Leave out the names of relations");
    app.add_flag("--sample", sample_, "Draw the built-in examples");
  }

  ExitCode run(const CommonOptions& common) override {
    if (!sentences_.empty()) range_ = parse_range(sentences_);
    if (sample_ && !input_.paths.empty()) {
      throw usage_error("--sample draws the built-in examples; expected no input file beside it");
    }
    resolve_output();
    const auto writer = make_drawer();
    Output output = Output::open(output_);
    output.write(writer->begin());
    ProblemLog log(common);
    if (sample_) {
      draw(Input::from_memory(std::string(embedded::sample_conllu), "sample.conllu"),
           Format::conllu, common, *writer, output, log);
      draw(Input::from_memory(std::string(embedded::sample_mrg), "sample.mrg"), Format::ptb, common,
           *writer, output, log);
    } else {
      for (const std::string& path : input_.sources()) {
        const Format format = input_.format_of(path);
        draw(input_.open(path), format, common, *writer, output, log);
      }
    }
    if (drawn_ == 0 && !sentences_.empty()) {
      throw data_error(fmt::format("no sentence {} to draw; the input has {}", sentences_, seen_));
    }
    if (writer->needs_assembly()) output.write(writer->assemble(std::move(waiting_)));
    output.write(writer->end());
    output.commit();
    return log.finish("left out");
  }

 private:
  // --html and --svg say what to draw and where; -o says it with the ending.
  void resolve_output() {
    const bool named = !html_.empty() || !svg_.empty();
    if (named && output_ != "-") {
      throw usage_error("-o beside --html or --svg", "one of them names the file");
    }
    if (!html_.empty()) {
      format_ = Format::html;
      output_ = html_;
    } else if (!svg_.empty()) {
      format_ = Format::svg;
      output_ = svg_;
    } else if (output_ != "-") {
      format_ = drawing_named(output_);
    }
  }

  static Format drawing_named(const std::string& path) {
    const auto format = format_of_file(path);
    if (format == Format::text || std::filesystem::path(path).extension().empty()) {
      return Format::ascii;
    }
    if (format && !is_readable(*format)) return *format;
    throw usage_error(fmt::format("the ending of {} is that of no drawing", path),
                      "expected .svg, .html, .tex, .dot or .txt");
  }

  std::unique_ptr<Writer> make_drawer() {
    if (format_ != Format::ascii) {
      WriteOptions options;
      options.drawing = options_;
      return make_writer(format_, options);
    }
    options_.unicode = !ascii_;
    options_.color =
        color_ == "always" || (color_ == "auto" && output_ == "-" && color_wanted(STDOUT_FILENO));
    if (options_.width == 0) options_.width = terminal_columns();
    return make_terminal_writer(options_);
  }

  // One file, block by block, no further than the last sentence asked for.
  void draw(Input input, Format format, const CommonOptions& common, const Writer& writer,
            Output& output, ProblemLog& log) {
    const auto reader = make_reader(format, common.limits);
    BlockReader blocks(input, *reader, common.limits);
    while (seen_ < range_.last) {
      const auto block = blocks.next();
      if (!block) return;
      Parsed parsed = reader->parse(*block);
      std::vector<Error> errors;
      for (ReadItem& item : parsed.items) {
        if (!range_.contains(++seen_)) continue;
        if (item.error) {
          errors.push_back(std::move(*item.error));
        } else {
          draw_one(item.entry, writer, output);
        }
      }
      log.take(errors, parsed.warnings);
    }
  }

  void draw_one(const Entry& entry, const Writer& writer, Output& output) {
    ++drawn_;
    writer.write(entry, waiting_);
    if (writer.needs_assembly()) return;
    output.write(waiting_);
    waiting_.clear();
  }

  TreebankInput input_;
  std::string sentences_;
  std::string output_ = "-";
  Format format_ = Format::ascii;
  std::string html_;
  std::string svg_;
  std::string color_ = "auto";
  bool ascii_ = false;
  bool sample_ = false;
  DrawingOptions options_;

  SentenceRange range_;
  std::size_t seen_ = 0;
  std::size_t drawn_ = 0;
  std::string waiting_;  // drawn but not yet given out
};

}  // namespace

std::unique_ptr<Command> make_view_command() {
  return std::make_unique<ViewCommand>();
}

}  // namespace copse
