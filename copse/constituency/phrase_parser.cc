#include "copse/constituency/phrase_parser.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/constituency/generative/parser_file.h"
#include "copse/constituency/generative/phrase_parser.h"
#include "copse/constituency/history/parser_file.h"
#include "copse/constituency/incremental/parser_file.h"
#include "copse/constituency/spinal/parser_file.h"
#include "copse/treebank/label.h"
#include "copse/treebank/ptb.h"

namespace copse {

PhraseExplanation PhraseParser::explain(const WordsToParse& /*sentence*/,
                                        std::optional<int> /*word*/,
                                        std::optional<int> /*head*/) const {
  throw usage_error(fmt::format("a {} model has no dependencies to explain", model()),
                    "expected a spinal model");
}

namespace {

std::unique_ptr<PhraseParser> load_named(const ModelFile& file, const PhraseSearch& search) {
  const nlohmann::json& config = file.config();
  const auto model = config.find("model");
  if (model == config.end() || !model->is_string()) {
    throw file.damaged("config", "does not name a parser");
  }
  if (*model == generative::kModelName) {
    return generative::load_phrase_parser(file, search.generative);
  }
  if (*model == history::kModelName) return history::load_phrase_parser(file, search.history);
  if (*model == incremental::kModelName) {
    return incremental::load_phrase_parser(file, search.incremental);
  }
  if (*model == spinal::kModelName) return spinal::load_phrase_parser(file, search.spinal);
  throw file.damaged("config", fmt::format("is of a parser \"{}\" that is not known here",
                                           model->get<std::string>()));
}

}  // namespace

std::unique_ptr<PhraseParser> load_phrase_parser(const ModelFile& file,
                                                 const PhraseSearch& search) {
  file.require_kind(kConstituencyKind);
  try {
    return load_named(file, search);
  } catch (const Error& error) {
    throw error.at({file.name()});  // tables do not know where they lie
  }
}

std::vector<SpanDemand> phrase_demands(const Entry& entry) {
  const Sentence& sentence = entry.sentence;
  if (sentence.words() == 0 && !entry.tree.empty()) {
    throw data_error("a tree has no place for demands", {}, "expected columns, with items of MISC");
  }
  TreeDemands demands = tree_demands(sentence);
  for (int word = 1; word <= sentence.words(); ++word) {
    const auto at = static_cast<std::size_t>(word);
    const bool forbids = (!demands.not_heads.empty() && !demands.not_heads[at].empty()) ||
                         (!demands.not_labels.empty() && !demands.not_labels[at].empty());
    if (!forbids && sentence.head(word) < 0) continue;
    throw data_error(
        fmt::format("word {}: heads and their labels cannot be demanded of "
                    "phrase-structure trees, only phrases",
                    word));
  }
  return std::move(demands.spans);
}

WordsToParse words_to_parse(const Entry& entry, bool use_tags, const PhraseParser& parser) {
  WordsToParse result;
  const auto add = [&](std::string_view word, std::string_view tag) {
    std::string escaped = escape_ptb_word(word);
    const bool other_spelling = escaped != word && !parser.knows(word) && parser.knows(escaped);
    result.words.push_back(other_spelling ? std::move(escaped) : std::string(word));
    if (use_tags) result.tags.emplace_back(tag);
  };
  const Sentence& sentence = entry.sentence;
  if (sentence.words() > 0) {
    for (int i = 1; i <= sentence.words(); ++i) add(sentence.form(i), sentence.xpos(i));
  } else {
    for (const int leaf : entry.tree.leaves()) {
      const std::string_view tag = entry.tree.label(leaf);
      if (tag != kTraceTag) add(entry.tree.word(leaf), tag);
    }
  }
  return result;
}

}  // namespace copse
