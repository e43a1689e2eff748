#include "copse/cli/n_best_run.h"

#include <fmt/core.h>

#include <utility>

#include "copse/base/output.h"
#include "copse/cli/input_doubts.h"
#include "copse/constituency/phrase_views.h"

namespace copse {
namespace {

// "# sent_id" without blanks, else empty.
std::string list_id(const Entry& entry) {
  std::string id(entry.sentence.comment("sent_id").value_or(""));
  for (char& c : id) {
    if (c == ' ' || c == '\t') c = '_';
  }
  return id;
}

}  // namespace

NBestForm NBestOutput::form() const {
  if (form_name.empty()) return path.ends_with(".nbl") ? NBestForm::binary : NBestForm::text;
  if (form_name == "text") return NBestForm::text;
  if (form_name == "binary") return NBestForm::binary;
  throw usage_error(fmt::format("unknown form of lists \"{}\"", form_name),
                    "expected text, binary or json");
}

bool NBestOutput::json() const {
  return form_name.empty() ? path.ends_with(".json") : form_name == "json";
}

std::string NBestOutput::begin() const {
  return json() ? std::string() : std::string(n_best_begin(form()));
}

std::string NBestOutput::end() const {
  return json() ? std::string() : std::string(n_best_end(form()));
}

std::string NBestOutput::text_of(const NBestList& list) const {
  if (json()) return n_best_json(list);
  std::string text;
  append_n_best(list, form(), text);
  return text;
}

void report_fallbacks(std::size_t fallbacks, const CommonOptions& common) {
  if (fallbacks == 0 || common.quiet) return;
  fmt::print(stderr, "copse: {} {} a flat tree: the model found no parse within the limits\n",
             fallbacks, fallbacks == 1 ? "sentence got" : "sentences got");
}

ExitCode write_n_best(const PhraseParser& parser, const TreebankInput& input,
                      const PhraseRunOptions& options, const NBestOutput& where,
                      const CommonOptions& common) {
  struct Result {
    std::vector<NBestList> lists;
    std::size_t fallbacks = 0;
  };
  const std::string begin = where.begin();  // first: a form that is none ends it here
  Output output = Output::open(where.path);
  output.write(begin);
  InputDoubts doubts(common, input);
  ProblemLog log(common);
  std::size_t number = 0, fallbacks = 0;
  const auto use = [&](Entry&& entry, Result& result) {
    doubts.look_at_words(entry.sentence);
    PhraseAnswer found =
        parser.parse(words_to_parse(entry, options.use_tags, parser), options.question_for(entry));
    result.fallbacks += found.fallback ? 1 : 0;
    result.lists.push_back({list_id(entry), std::move(found.trees), {}});
  };
  const auto skip = [](const std::string&, Result& result) { result.lists.emplace_back(); };
  const auto give = [&](Result&& result) {
    doubts.tell();
    for (NBestList& list : result.lists) {
      ++number;
      if (list.id.empty()) list.id = fmt::format("{}", number);
      output.write(where.text_of(list));
    }
    fallbacks += result.fallbacks;
  };
  stream_treebank<Result>(input, common, "nbest", log, use, skip, give, kParseBlockBytes);
  output.write(where.end());
  output.commit();
  report_fallbacks(fallbacks, common);
  return log.finish("stand in the output as empty lists");
}

}  // namespace copse
