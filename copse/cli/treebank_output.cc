#include "copse/cli/treebank_output.h"

#include <fmt/core.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "copse/cli/terminal.h"

namespace copse {

void TreebankOutputOptions::declare_options(CLI::App& app) {
  std::string names;
  for (const FormatInfo& info : all_formats()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  app.add_option("--to", format_name,
                 fmt::format("Format of the output: {}. By the ending of OUT if not given, else "
                             "conllu",
                             names))
      ->type_name("FORMAT");
  app.add_option("-o,--output", path, "File to write; standard output if not given")
      ->type_name("OUT");
}

Format TreebankOutputOptions::format(Format otherwise) const {
  if (!format_name.empty()) return format_named(format_name);
  if (const auto format = format_of_file(path)) return *format;
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending.empty()) return otherwise;
  throw usage_error(fmt::format("the ending of {} is that of no format", path),
                    "name the format with --to, or give the file another ending (.conllu, .mrg, "
                    ".json, .txt, .svg, .html, .tex, ...)");
}

class TreebankOutput::CountingWriter : public Writer {
 public:
  CountingWriter(Format format, const WriteOptions& options)
      : writer_(make_writer(format, options)),
        splits_at_blanks_(format == Format::text && !options.text.surface),
        joins_at_blanks_(format == Format::ptb) {}

  std::string begin() const override { return writer_->begin(); }
  std::string end() const override { return writer_->end(); }
  void write(const Entry& entry, std::string& out) const override {
    writer_->write(entry, out);
    const auto has_blank = [](std::string_view word) {
      return word.find_first_of(" \t\v\f") != std::string_view::npos;
    };
    const Sentence& sentence = entry.sentence;
    for (int word = 1; splits_at_blanks_ && word <= sentence.words(); ++word) {
      if (has_blank(sentence.form(word))) ++changed_;
    }
    for (const int leaf : entry.tree.leaves()) {
      if (joins_at_blanks_ && has_blank(entry.tree.word(leaf))) ++changed_;
    }
  }
  bool needs_assembly() const override { return writer_->needs_assembly(); }
  std::string assemble(std::string sentences) const override {
    return writer_->assemble(std::move(sentences));
  }
  // What became of words with blanks, to be said; empty if there were none.
  std::string message() const {
    if (changed_.load() == 0) return {};
    return fmt::format("{} {} blanks in them; {}", changed_.load(),
                       changed_.load() == 1 ? "word has" : "words have",
                       joins_at_blanks_ ? "brackets cannot keep them and have '_' instead"
                                        : "text cannot keep them in one piece");
  }

 private:
  std::unique_ptr<Writer> writer_;
  bool splits_at_blanks_, joins_at_blanks_;
  mutable std::atomic<std::size_t> changed_ = 0;
};

TreebankOutput::TreebankOutput(const TreebankOutputOptions& options,
                               const WriteOptions& write_options)
    : writer_(std::make_unique<CountingWriter>(options.format(), write_options)),
      output_(Output::open(options.path)) {
  output_.write(writer_->begin());
}

TreebankOutput::~TreebankOutput() = default;

const Writer& TreebankOutput::writer() const {
  return *writer_;
}

void TreebankOutput::take(std::string&& text) {
  if (writer_->needs_assembly()) {
    whole_ += text;
  } else {
    output_.write(text);
  }
}

void TreebankOutput::finish(bool quiet) {
  output_.write(writer_->assemble(std::move(whole_)));
  output_.write(writer_->end());
  output_.commit();
  const std::string changed = writer_->message();
  if (!changed.empty() && !quiet) fmt::print(stderr, "{} {}\n", warning_mark(), changed);
}

}  // namespace copse
