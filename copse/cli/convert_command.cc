// copse convert: from one treebank format to another.
#include <fmt/format.h>

#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/treebank_stream.h"

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
    };
  }

  void declare_options(CLI::App& app) override {
    input_.declare_options(app);
    app.add_option("--to", to_, "Format of the output; by the ending of OUT, else conllu")
        ->type_name("FORMAT");
    app.add_option("-o,--output", output_, "File to write; standard output if not given")
        ->type_name("OUT");
    app.add_flag("--surface", options_.text.surface,
                 "text: the text as printed, with SpaceAfter=No and multiword tokens");
  }

  ExitCode run(const CommonOptions& common) override {
    const Format to =
        to_.empty() ? format_of_file(output_).value_or(Format::conllu) : format_named(to_);
    const auto writer = make_writer(to, options_);
    const bool same_format = all_inputs_are(to);
    Output output = Output::open(output_);
    output.write(writer->begin());
    TreebankVisitor visitor;
    visitor.write = [&](Entry&& entry, std::string& out) { writer->write(entry, out); };
    visitor.write_unusable = [&](const std::string& raw, std::string& out) {
      if (same_format) out += raw;
    };
    visitor.sink = [&](std::string&& text) { output.write(text); };
    ProblemLog log(common);
    stream_treebank(input_, common, name(), visitor, log);
    output.write(writer->end());
    output.commit();
    return log.finish(same_format ? "passed through unchanged" : "left out");
  }

 private:
  bool all_inputs_are(Format format) const {
    if (input_.paths.empty()) return input_.format_of("-") == format;
    return std::all_of(input_.paths.begin(), input_.paths.end(),
                       [&](const std::string& path) { return input_.format_of(path) == format; });
  }

  TreebankInput input_;
  std::string to_;
  std::string output_ = "-";
  WriteOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_convert_command() {
  return std::make_unique<ConvertCommand>();
}

}  // namespace copse
