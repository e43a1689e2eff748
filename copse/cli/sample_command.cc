// copse sample: a treebank of any size from a probabilistic grammar.
#include <algorithm>

#include "copse/base/input.h"
#include "copse/base/progress.h"
#include "copse/base/stream.h"
#include "copse/cli/commands.h"
#include "copse/cli/treebank_output.h"
#include "copse/treebank/sampler.h"

namespace copse {
namespace {

class SampleCommand : public Command {
 public:
  std::string_view name() const override { return "sample"; }
  std::string_view summary() const override {
    return "Sample a treebank of any size from a probabilistic grammar";
  }
  std::vector<Example> examples() const override {
    return {
        {"sample --sentences 1000 --seed 7 -o train.conllu", "columns and dependencies"},
        {"sample --sentences 1000 --seed 7 --to ptb -o train.mrg", "the same sentences as trees"},
        {"sample --sentences 10 --grammar my.grammar", "from a grammar of your own"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option("-n,--sentences", sentences_, "How many sentences")->capture_default_str();
    app.add_option("--seed", options_.seed, "Same seed, same treebank")->capture_default_str();
    app.add_option("--grammar", grammar_, "Grammar file; the English one inside if not given")
        ->type_name("FILE");
    output_.declare_options(app);
  }

  // Sentences beyond --max-words are drawn again.
  ExitCode run(const CommonOptions& common) override {
    if (common.limits.max_words != Limits().max_words) {
      options_.max_words = common.limits.max_words;
    }
    const Grammar grammar = load_grammar();
    TreebankOutput output(output_, {});
    Progress progress("sample", "sentences", !common.quiet);
    std::uint64_t next = 0;     // of the thread that takes
    std::uint64_t written = 0;  // of the thread that writes
    const auto take = [&]() -> std::optional<std::uint64_t> {
      if (next >= sentences_) return std::nullopt;
      return std::exchange(next, next + kBatch);
    };
    const auto make = [&](std::uint64_t first) {
      std::string text;
      for (std::uint64_t i = first; i < std::min(first + kBatch, sentences_); ++i) {
        output.writer().write(sample_sentence(grammar, options_, i), text);
      }
      return text;
    };
    stream_in_order<std::uint64_t, std::string>(
        common.threads, take, make, [&](std::string&& text) {
          output.take(std::move(text));
          written = std::min(written + kBatch, sentences_);
          progress.update(written, static_cast<double>(written) / static_cast<double>(sentences_));
        });
    output.finish();
    return ExitCode::fine;
  }

 private:
  static constexpr std::uint64_t kBatch = 256;

  Grammar load_grammar() const {
    constexpr std::size_t kLargestGrammar = std::size_t{256} << 20;
    if (grammar_.empty()) return Grammar::english();
    return Grammar::parse(Input::open(grammar_).read_all(kLargestGrammar), grammar_);
  }

  std::uint64_t sentences_ = 10;
  SamplerOptions options_;
  std::string grammar_;
  TreebankOutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_sample_command() {
  return std::make_unique<SampleCommand>();
}

}  // namespace copse
