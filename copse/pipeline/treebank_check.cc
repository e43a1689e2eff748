#include "copse/pipeline/treebank_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "copse/base/input.h"
#include "copse/pipeline/page.h"
#include "copse/pipeline/variation.h"
#include "copse/treebank/block_reader.h"
#include "copse/treebank/formats.h"
#include "copse/treebank/projectivity.h"

namespace copse {
namespace {

// More crossing arcs than this, and they are no sign of a mistake.
constexpr double kFewCrossing = 0.02;
constexpr double kCrossingWeight = 0.3, kVariationWeight = 0.3;
constexpr double kRareWeight = 0.5;

class Doctor {
 public:
  Doctor(std::string path, const CheckOptions& options)
      : path_(std::move(path)), options_(options) {}

  CheckReport run() {
    read();
    for (std::size_t i = 0; i < report_.treebank.size(); ++i) look_at_structure(i);
    look_for_rare_names();
    if (options_.likely_errors) look_for_likely_errors();
    std::ranges::stable_sort(
        report_.suspicions, [](const Finding& a, const Finding& b) { return a.weight > b.weight; });
    return std::move(report_);
  }

 private:
  void read() {
    Input input = Input::open(path_);
    const Format format = guess_format(input);
    if (format != Format::conllu && format != Format::conllx) {
      throw usage_error(fmt::format("{} is not CoNLL-U or CoNLL-X", path_),
                        "dependency treebanks are what can be checked");
    }
    const auto reader = make_reader(format, options_.limits);
    BlockReader blocks(input, *reader, options_.limits);
    while (const auto block = blocks.next()) {
      Parsed parsed = reader->parse(*block);
      for (ReadItem& item : parsed.items) {
        ++report_.sentences;
        if (item.error) {
          const Error error = item.error->at({path_, item.first_line, 0});
          report_.errors.push_back(
              {FindingKind::format, error.place(), report_.sentences, "", 0, error.message(), 0});
          continue;
        }
        report_.words += static_cast<std::size_t>(item.entry.sentence.words());
        report_.treebank.push_back(std::move(item.entry.sentence));
        first_lines_.push_back(item.first_line);
        numbers_.push_back(report_.sentences);
      }
      for (const Warning& warning : parsed.warnings) {
        report_.errors.push_back(
            {FindingKind::format, warning.place, 0, "", 0, warning.message, 0});
      }
    }
  }

  Finding finding(FindingKind kind, std::size_t index, int word, std::string message,
                  double weight = 0) const {
    const Sentence& sentence = report_.treebank[index];
    std::size_t line = first_lines_[index];
    if (word > 0)
      line += static_cast<std::size_t>(&sentence.word_row(word) - sentence.rows().data());
    return {kind,
            {path_, line, 0},
            numbers_[index],
            std::string(sentence.comment("sent_id").value_or("")),
            word,
            std::move(message),
            weight};
  }

  void look_at_structure(std::size_t index) {
    const Sentence& sentence = report_.treebank[index];
    if (sentence.words() == 0) return;
    const DependencyTree tree = sentence.tree();
    const auto error = [&](int word, std::string message) {
      report_.errors.push_back(finding(FindingKind::structure, index, word, std::move(message)));
    };
    for (int word = 1; word <= tree.words(); ++word) {
      if (tree.head(word) == DependencyTree::kNoHead) error(word, "the word has no head");
      if (tree.head(word) == word) error(word, "the word is its own head");
    }
    if (const int word = tree.word_on_cycle(); word > 0 && tree.head(word) != word) {
      error(word, "the heads make a cycle");
    }
    if (tree.root_count() == 0) error(0, "no word hangs on the root");
    if (tree.root_count() > 1) {
      error(0, fmt::format("{} words hang on the root; expected one", tree.root_count()));
    }
  }

  void look_for_rare_names() {
    struct Seen {
      std::size_t times = 0, sentence = 0;
      int word = 0;
    };
    std::map<std::pair<Column, std::string>, Seen> names;
    for (std::size_t i = 0; i < report_.treebank.size(); ++i) {
      const Sentence& sentence = report_.treebank[i];
      for (int word = 1; word <= sentence.words(); ++word) {
        for (const Column column : {Column::upos, Column::xpos, Column::deprel}) {
          Seen& seen = names[{column, std::string(sentence.get(word, column))}];
          ++seen.times;
          seen.sentence = i;
          seen.word = word;
        }
      }
    }
    for (const auto& [name, seen] : names) {
      if (seen.times != 1 || name.second == "_") continue;
      const std::string_view what = name.first == Column::deprel ? "relation" : "tag";
      report_.suspicions.push_back(
          finding(FindingKind::rare, seen.sentence, seen.word,
                  fmt::format("the {} \"{}\" occurs once in the treebank", what, name.second),
                  kRareWeight));
    }
  }

  // Words whose arc crosses others, if that is rare here.
  std::set<std::pair<std::size_t, int>> crossing_words() const {
    std::set<std::pair<std::size_t, int>> crossing;
    for (std::size_t i = 0; i < report_.treebank.size(); ++i) {
      const DependencyTree tree = report_.treebank[i].tree();
      if (tree.words() == 0 || !tree.is_tree()) continue;
      for (const int word : nonprojective_words(tree)) crossing.insert({i, word});
    }
    const double share =
        static_cast<double>(crossing.size()) / std::max(1.0, static_cast<double>(report_.words));
    if (share > kFewCrossing) crossing.clear();
    return crossing;
  }

  // One finding a word: what the parser says, and what else speaks for it.
  void look_for_likely_errors() {
    std::map<std::pair<std::size_t, int>, Finding> found;
    const std::vector<AnnotationDoubt> doubts =
        options_.parser != nullptr
            ? doubts_of(*options_.parser, report_.treebank, options_.doubts.threads)
            : cross_validated_doubts(report_.treebank, options_.doubts);
    for (const AnnotationDoubt& doubt : doubts) {
      found[{doubt.sentence, doubt.word}] =
          finding(FindingKind::doubt, doubt.sentence, doubt.word, message_of(doubt), doubt.doubt);
    }
    const auto add = [&](FindingKind kind, std::size_t sentence, int word,
                         const std::string& message, double weight) {
      const auto [place, is_new] =
          found.try_emplace({sentence, word}, finding(kind, sentence, word, message, weight));
      if (is_new) return;
      place->second.message += "; " + message;
      place->second.weight += weight;
    };
    for (const Variation& each : find_variations(report_.treebank)) {
      add(FindingKind::variation, each.sentence, each.word,
          fmt::format("the same words have {} here and {} elsewhere ({} of {} times)", each.here,
                      each.elsewhere, each.times, each.occurrences),
          kVariationWeight);
    }
    for (const auto& [sentence, word] : crossing_words()) {
      add(FindingKind::crossing, sentence, word, "its arc crosses others", kCrossingWeight);
    }
    for (auto& [place, each] : found) report_.suspicions.push_back(std::move(each));
  }

  std::string message_of(const AnnotationDoubt& doubt) const {
    const Sentence& sentence = report_.treebank[doubt.sentence];
    const auto named = [&](int head) {
      return head < 1 ? std::string("the root")
                      : fmt::format("{} \"{}\"", head, sentence.form(head));
    };
    if (doubt.head == sentence.head(doubt.word)) {
      return fmt::format("\"{}\" is {} of {}; the parser has {} ({:.0f} %)",
                         sentence.form(doubt.word), sentence.deprel(doubt.word), named(doubt.head),
                         doubt.relation, 100 * doubt.probability_there);
    }
    return fmt::format("\"{}\" hangs on {} ({:.0f} %); the parser has {} ({:.0f} %)",
                       sentence.form(doubt.word), named(sentence.head(doubt.word)),
                       100 * doubt.probability_here, named(doubt.head),
                       100 * doubt.probability_there);
  }

  std::string path_;
  const CheckOptions& options_;
  CheckReport report_;
  std::vector<std::size_t> first_lines_, numbers_;
};

std::span<const Finding> first_of(const std::vector<Finding>& findings, std::size_t most) {
  return {findings.data(), std::min(most, findings.size())};
}

nlohmann::json json_of(std::span<const Finding> findings) {
  nlohmann::json out = nlohmann::json::array();
  for (const Finding& each : findings) {
    out.push_back({{"kind", name_of(each.kind)},
                   {"file", each.place.file},
                   {"line", each.place.line},
                   {"sentence", each.sentence},
                   {"sent_id", each.sentence_id},
                   {"word", each.word},
                   {"message", each.message},
                   {"weight", each.weight}});
  }
  return out;
}

}  // namespace

std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::format:
      return "format";
    case FindingKind::structure:
      return "structure";
    case FindingKind::rare:
      return "rare";
    case FindingKind::crossing:
      return "crossing";
    case FindingKind::doubt:
      return "doubt";
    case FindingKind::variation:
      return "variation";
  }
  return "";
}

CheckReport check_treebank(const std::string& path, const CheckOptions& options) {
  return Doctor(path, options).run();
}

std::string check_text(const CheckReport& report, std::size_t most) {
  std::string out;
  const auto add = [&](const Finding& each) {
    out += fmt::format("{}: {}: {}\n", each.place.str(), name_of(each.kind), each.message);
  };
  for (const Finding& each : report.errors) add(each);
  for (const Finding& each : first_of(report.suspicions, most)) add(each);
  out += fmt::format("{} sentences, {} words: {} errors, {} suspicions", report.sentences,
                     report.words, report.errors.size(), report.suspicions.size());
  if (report.suspicions.size() > most) out += fmt::format(", the first {} shown", most);
  return out + "\n";
}

std::string check_json(const CheckReport& report, std::size_t most) {
  const nlohmann::json out = {{"sentences", report.sentences},
                              {"words", report.words},
                              {"errors", json_of(report.errors)},
                              {"suspicions", json_of(first_of(report.suspicions, most))},
                              {"all_suspicions", report.suspicions.size()}};
  return out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string check_page(const CheckReport& report, std::size_t most) {
  Page page("Treebank check");
  page.paragraph(fmt::format("{} sentences, {} words: {} errors, {} suspicions", report.sentences,
                             report.words, report.errors.size(), report.suspicions.size()));
  page.heading("Errors");
  std::vector<std::vector<std::string>> rows;
  for (const Finding& each : report.errors) {
    rows.push_back({each.place.str(), std::string(name_of(each.kind)), each.message});
  }
  page.table({"where", "kind", "what"}, rows);
  page.heading("Suspicions, the likeliest first");
  for (const Finding& each : first_of(report.suspicions, most)) {
    page.paragraph(fmt::format("{} ({}): {}", each.place.str(), name_of(each.kind), each.message));
    for (const Sentence& sentence : report.treebank) {
      if (each.sentence_id.empty() || sentence.comment("sent_id") != each.sentence_id) continue;
      page.drawing(each.sentence_id, {sentence, {}});
      break;
    }
  }
  return std::move(page).finish();
}

}  // namespace copse
