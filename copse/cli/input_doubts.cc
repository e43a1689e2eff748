#include "copse/cli/input_doubts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/cli/terminal.h"
#include "copse/treebank/untokenised.h"

namespace copse {
namespace {

constexpr const char* kUntokenised =
    "this looks like running text; expected tokens separated by blanks (\"the mat .\")";
constexpr const char* kTokenise = "'copse tokenize' makes such sentences of running text";

std::string untagged(std::string_view missing) {
  return fmt::format(
      "sentences have no {0}, and the model was trained with {0}: most of its answers will be "
      "wrong",
      missing);
}

}  // namespace

InputDoubts::InputDoubts(const CommonOptions& common, const TreebankInput& input)
    : quiet_(common.quiet), strict_(common.strict) {
  const auto sources = input.sources();
  text_ = std::any_of(sources.begin(), sources.end(), [&](const std::string& path) {
    return input.format_of(path) == Format::text;
  });
  words_.text = fmt::format("{}\n  hint: {}", kUntokenised, kTokenise);
}

void InputDoubts::look_at_words(const Sentence& sentence) {
  if (!text_ || !looks_untokenised(sentence)) return;
  if (strict_) throw data_error(kUntokenised, {}, kTokenise);
  words_.seen = true;
}

void InputDoubts::look_at_tags(std::string_view missing, const std::string& remedy) {
  if (missing.empty()) return;
  if (strict_) throw data_error(untagged(missing), {}, remedy);
  if (taken_.test_and_set()) return;
  tags_.text = fmt::format("{}\n  hint: {}", untagged(missing), remedy);
  tags_.seen = true;
}

void InputDoubts::tell() {
  say(words_);
  say(tags_);
}

void InputDoubts::say(Doubt& doubt) const {
  if (doubt.told || !doubt.seen) return;
  doubt.told = true;
  if (!quiet_) fmt::print(stderr, "{} {}\n", warning_mark(), doubt.text);
}

std::string tagger_remedy(const nlohmann::json& config, const std::string& given) {
  std::string named;
  const auto found = config.find("provenance");
  if (found != config.end() && found->is_object() && found->contains("data")) {
    for (const nlohmann::json& source : (*found)["data"]) {
      if (source.value("role", "") == "tagger") named = source.value("name", "");
    }
  }
  const std::string which =
      named.empty() ? "a tagger" : fmt::format("the tagger that it was trained with, {},", named);
  if (!given.empty()) {
    return fmt::format("{} does not fill them in: name {} with --tagger", given,
                       named.empty() ? "one that does" : named);
  }
  return fmt::format("name {} with --tagger, or tag the input with 'copse tag'", which);
}

}  // namespace copse
