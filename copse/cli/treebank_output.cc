#include "copse/cli/treebank_output.h"

#include <utility>

namespace copse {

void TreebankOutputOptions::declare_options(CLI::App& app) {
  app.add_option("--to", format_name, "Format of the output; by the ending of OUT, else conllu")
      ->type_name("FORMAT");
  app.add_option("-o,--output", path, "File to write; standard output if not given")
      ->type_name("OUT");
}

Format TreebankOutputOptions::format() const {
  return format_name.empty() ? format_of_file(path).value_or(Format::conllu)
                             : format_named(format_name);
}

TreebankOutput::TreebankOutput(const TreebankOutputOptions& options,
                               const WriteOptions& write_options)
    : writer_(make_writer(options.format(), write_options)), output_(Output::open(options.path)) {
  output_.write(writer_->begin());
}

void TreebankOutput::take(std::string&& text) {
  if (writer_->needs_assembly()) {
    whole_ += text;
  } else {
    output_.write(text);
  }
}

void TreebankOutput::finish() {
  output_.write(writer_->assemble(std::move(whole_)));
  output_.write(writer_->end());
  output_.commit();
}

}  // namespace copse
