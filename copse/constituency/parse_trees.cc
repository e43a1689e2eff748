#include "copse/constituency/parse_trees.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "copse/base/progress.h"
#include "copse/base/stream.h"

namespace copse {

void parse_trees(const PhraseParser& parser, std::span<const Entry> entries,
                 const ParseTreesOptions& options, const std::string& title, const TakeList& take) {
  struct Done {
    PhraseAnswer found;
    std::size_t number;
  };
  Progress progress(title, "sentences", options.show_progress);
  std::size_t next = 0;
  const auto source = [&]() -> std::optional<std::size_t> {
    if (next == entries.size()) return std::nullopt;
    return next++;
  };
  const auto work = [&](std::size_t number) {
    const WordsToParse sentence = words_to_parse(entries[number], options.use_tags, parser);
    return Done{parser.parse(sentence, options.question), number};
  };
  const auto give = [&](Done&& done) {
    take({fmt::format("{}", done.number + 1), std::move(done.found.trees), {}}, done.found.fallback,
         entries[done.number]);
    progress.update(done.number + 1,
                    static_cast<double>(done.number + 1) / static_cast<double>(entries.size()));
  };
  stream_in_order<std::size_t, Done>(options.threads, source, work, give);
}

}  // namespace copse
