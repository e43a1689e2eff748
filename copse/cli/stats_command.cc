// copse stats: what is in a treebank.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/treebank_stream.h"
#include "copse/treebank/statistics.h"

namespace copse {
namespace {

using Json = nlohmann::ordered_json;

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

double mean_length(const TreebankStatistics& s) {
  return s.sentences == 0 ? 0 : static_cast<double>(s.words) / static_cast<double>(s.sentences);
}

// The length that half of the sentences do not exceed.
int median_length(const TreebankStatistics& s) {
  std::size_t seen = 0;
  for (const auto& [length, count] : s.lengths) {
    seen += count;
    if (seen * 2 >= s.sentences) return length;
  }
  return 0;
}

std::vector<std::pair<std::string, std::size_t>> by_frequency(const Counts& counts) {
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.of.begin(), counts.of.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

Json to_json(const Counts& counts) {
  Json object = Json::object();
  for (const auto& [key, count] : by_frequency(counts)) object[key] = count;
  return object;
}

std::string render_json(const TreebankStatistics& s) {
  Json json;
  json["sentences"] = s.sentences;
  json["words"] = s.words;
  json["word_types"] = s.forms.of.size();
  json["mean_length"] = mean_length(s);
  json["median_length"] = median_length(s);
  json["longest"] = s.longest;
  json["multiword_tokens"] = s.multiword_tokens;
  json["empty_nodes"] = s.empty_nodes;
  json["arcs"] = s.arcs;
  json["dependency_trees"] = s.with_dependencies;
  json["nonprojective_arcs"] = s.nonprojective_arcs;
  json["nonprojective_arcs_percent"] = percent(s.nonprojective_arcs, s.arcs);
  json["nonprojective_sentences"] = s.nonprojective_sentences;
  json["nonprojective_sentences_percent"] = percent(s.nonprojective_sentences, s.with_dependencies);
  json["ill_nested_sentences"] = s.ill_nested_sentences;
  json["multiroot_sentences"] = s.multiroot_sentences;
  for (const auto& [degree, count] : s.gap_degrees)
    json["gap_degrees"][std::to_string(degree)] = count;
  json["phrase_trees"] = s.phrase_trees;
  json["phrases"] = s.phrases;
  json["traces"] = s.traces;
  json["deepest_tree"] = s.deepest;
  json["upos"] = to_json(s.upos);
  json["xpos"] = to_json(s.xpos);
  json["relations"] = to_json(s.relations);
  json["phrase_labels"] = to_json(s.phrase_labels);
  for (const auto& [length, count] : s.lengths) json["lengths"][std::to_string(length)] = count;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void render_counts(std::string_view title, const Counts& counts, std::string& out) {
  constexpr std::size_t kShown = 60;
  if (counts.of.empty()) return;
  out += fmt::format("\n{} ({})\n", title, counts.of.size());
  std::size_t total = 0;
  for (const auto& [key, count] : counts.of) total += count;
  std::size_t shown = 0;
  for (const auto& [key, count] : by_frequency(counts)) {
    if (shown++ == kShown) {
      out += fmt::format("  ... and {} more; --json lists them all\n", counts.of.size() - kShown);
      break;
    }
    const double share = percent(count, total);
    out += fmt::format("  {:<16} {:>9} {:6.2f}%  {:#<{}}\n", key, count, share, "",
                       static_cast<int>(share / 2));
  }
}

void render_lengths(const TreebankStatistics& s, std::string& out) {
  if (s.sentences == 0) return;
  constexpr int kBins[] = {5, 10, 20, 30, 40, 60, 100};
  out += "\nsentence lengths\n";
  int low = 1;
  const auto line = [&](const std::string& range, auto inside) {
    std::size_t count = 0;
    for (const auto& [length, number] : s.lengths)
      if (inside(length)) count += number;
    const double share = percent(count, s.sentences);
    out += fmt::format("  {:<16} {:>9} {:6.2f}%  {:#<{}}\n", range, count, share, "",
                       static_cast<int>(share / 2));
  };
  for (const int high : kBins) {
    line(fmt::format("{}-{}", low, high),
         [&](int length) { return length >= low && length <= high; });
    low = high + 1;
  }
  line(fmt::format("{} or more", low), [&](int length) { return length >= low; });
}

std::string render_table(const TreebankStatistics& s) {
  std::string out;
  const auto row = [&](std::string_view title, const std::string& value) {
    out += fmt::format("{:<28} {:>12}\n", title, value);
  };
  const auto share = [](std::size_t part, std::size_t whole) {
    return fmt::format("{} ({:.2f}%)", part, percent(part, whole));
  };
  row("sentences", std::to_string(s.sentences));
  row("words", std::to_string(s.words));
  row("word types", std::to_string(s.forms.of.size()));
  row("mean / median / longest",
      fmt::format("{:.2f} / {} / {}", mean_length(s), median_length(s), s.longest));
  if (s.multiword_tokens > 0) row("multiword tokens", std::to_string(s.multiword_tokens));
  if (s.empty_nodes > 0) row("empty nodes", std::to_string(s.empty_nodes));
  if (s.arcs > 0) {
    row("dependency arcs", std::to_string(s.arcs));
    row("non-projective arcs", share(s.nonprojective_arcs, s.arcs));
    row("non-projective sentences", share(s.nonprojective_sentences, s.with_dependencies));
    row("ill-nested sentences", share(s.ill_nested_sentences, s.with_dependencies));
    row("multi-root sentences", share(s.multiroot_sentences, s.with_dependencies));
    row("sentences lacking heads", std::to_string(s.sentences - s.with_dependencies));
  }
  if (s.phrase_trees > 0) {
    row("phrase-structure trees", std::to_string(s.phrase_trees));
    row("phrases", std::to_string(s.phrases));
    row("traces", std::to_string(s.traces));
    row("deepest tree", std::to_string(s.deepest));
  }
  render_lengths(s, out);
  render_counts("universal tags", s.upos, out);
  render_counts("tags", s.xpos, out);
  render_counts("relations", s.relations, out);
  render_counts("phrases", s.phrase_labels, out);
  return out;
}

class StatsCommand : public Command {
 public:
  std::string_view name() const override { return "stats"; }
  std::string_view summary() const override {
    return "Count what is in a treebank: sizes, lengths, tags, relations, projectivity";
  }
  std::vector<Example> examples() const override {
    return {
        {"stats train.conllu", "a table"},
        {"stats --json train.conllu | jq .nonprojective_arcs_percent", "for scripts"},
        {"stats --from ptb < wsj.mrg", "phrase-structure trees"},
    };
  }

  void declare_options(CLI::App& app) override {
    input_.declare_options(app);
    app.add_flag("--json", json_, "One JSON object instead of tables");
  }

  ExitCode run(const CommonOptions& common) override {
    TreebankStatistics total;
    ProblemLog log(common);
    stream_treebank<TreebankStatistics>(
        input_, common, name(), log,
        [](Entry&& entry, TreebankStatistics& part) { part.add(entry); },
        [](const std::string&, TreebankStatistics&) {},
        [&](TreebankStatistics&& part) { total.add(part); });
    Output output = Output::open("-");
    output.write(json_ ? render_json(total) : render_table(total));
    return log.finish("not counted");
  }

 private:
  TreebankInput input_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_stats_command() {
  return std::make_unique<StatsCommand>();
}

}  // namespace copse
