#include "copse/rerank/hidden/supersenses.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <span>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/base/utf8.h"
#include "copse/treebank/lines.h"

namespace copse::hidden {
namespace {

constexpr std::array<std::string_view, kSupersenses> kNames = {
    "adj.all",          "adj.pert",           "adv.all",
    "noun.Tops",        "noun.act",           "noun.animal",
    "noun.artifact",    "noun.attribute",     "noun.body",
    "noun.cognition",   "noun.communication", "noun.event",
    "noun.feeling",     "noun.food",          "noun.group",
    "noun.location",    "noun.motive",        "noun.object",
    "noun.person",      "noun.phenomenon",    "noun.plant",
    "noun.possession",  "noun.process",       "noun.quantity",
    "noun.relation",    "noun.shape",         "noun.state",
    "noun.substance",   "noun.time",          "verb.body",
    "verb.change",      "verb.cognition",     "verb.communication",
    "verb.competition", "verb.consumption",   "verb.contact",
    "verb.creation",    "verb.emotion",       "verb.motion",
    "verb.perception",  "verb.possession",    "verb.social",
    "verb.stative",     "verb.weather",       "adj.ppl"};

constexpr std::array<std::string_view, 4> kFiles = {"noun", "verb", "adj", "adv"};
constexpr std::string_view kLetters = "nvar";
constexpr std::size_t kLargestFile = std::size_t{256} << 20;

struct Suffix {
  std::string_view from, to;
};
constexpr std::array<Suffix, 8> kNoun = {{{"s", ""},
                                          {"ses", "s"},
                                          {"xes", "x"},
                                          {"zes", "z"},
                                          {"ches", "ch"},
                                          {"shes", "sh"},
                                          {"men", "man"},
                                          {"ies", "y"}}};
constexpr std::array<Suffix, 8> kVerb = {{{"s", ""},
                                          {"ies", "y"},
                                          {"es", "e"},
                                          {"es", ""},
                                          {"ed", "e"},
                                          {"ed", ""},
                                          {"ing", "e"},
                                          {"ing", ""}}};
constexpr std::array<Suffix, 4> kAdjective = {{{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}}};

std::span<const Suffix> suffixes(WordNetPart part) {
  switch (part) {
    case WordNetPart::noun:
      return kNoun;
    case WordNetPart::verb:
      return kVerb;
    case WordNetPart::adjective:
      return kAdjective;
    case WordNetPart::adverb:
      break;
  }
  return {};
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; (at = line.find_first_not_of(' ', at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end;
  }
  return fields;
}

std::optional<std::uint32_t> number_in(std::string_view text, std::uint32_t below) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value >= below) return {};
  return value;
}

std::string path_of(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

// The number of the lexicographer file of each synset, by its offset.
std::unordered_map<std::string, Supersenses::Number> read_synsets(const std::string& path) {
  std::unordered_map<std::string, Supersenses::Number> synsets;
  const std::string text = Input::open(path).read_all(kLargestFile);
  for_each_line(text, 1, [&](std::string_view line, std::size_t number) {
    if (line.empty() || line.front() == ' ') return;  // the licence
    const std::size_t blank = std::min(line.find(' '), line.size());
    const auto file = number_in(line.substr(std::min(blank + 1, line.size()), 2), kSupersenses);
    if (blank != 8 || !file) {
      throw data_error("expected a synset: its place, then a lexicographer file below 45",
                       {path, number});
    }
    synsets.emplace(line.substr(0, blank), static_cast<Supersenses::Number>(*file));
  });
  return synsets;
}

}  // namespace

std::string_view supersense_name(std::size_t number) {
  return kNames.at(number);
}

std::optional<WordNetPart> part_of_tag(std::string_view tag) {
  if (tag.starts_with("NN")) return WordNetPart::noun;
  if (tag.starts_with("VB")) return WordNetPart::verb;
  if (tag.starts_with("JJ")) return WordNetPart::adjective;
  if (tag.starts_with("RB")) return WordNetPart::adverb;
  return std::nullopt;
}

std::optional<Supersenses> Supersenses::read(const std::string& folder) {
  if (!std::filesystem::exists(path_of(folder, "index.noun"))) return std::nullopt;
  Supersenses result;
  for (std::size_t p = 0; p < kFiles.size(); ++p) {
    Part& part = result.parts_[p];
    const std::string index = path_of(folder, fmt::format("index.{}", kFiles[p]));
    const auto synsets = read_synsets(path_of(folder, fmt::format("data.{}", kFiles[p])));
    const std::string text = Input::open(index).read_all(kLargestFile);
    for_each_line(text, 1, [&](std::string_view line, std::size_t number) {
      if (line.empty() || line.front() == ' ') return;
      // lemma pos synsets pointers symbol... senses tagged offset...
      const auto fields = fields_of(line);
      const auto senses = fields.size() > 2 ? number_in(fields[2], 1000) : std::nullopt;
      if (!senses || fields.size() < 4 + *senses) {
        throw data_error(
            "expected an entry: lemma, part of speech, number of senses, ... and the "
            "place of each",
            {index, number});
      }
      if (fields[0].find('_') != std::string_view::npos) return;  // words of a tree have no blanks
      std::vector<Number>& files = part.entries[std::string(fields[0])];
      for (const std::string_view place : std::span(fields).last(*senses)) {
        const auto found = synsets.find(std::string(place));
        if (found == synsets.end()) {
          throw data_error(fmt::format("there is no synset at {}", place), {index, number});
        }
        files.push_back(found->second);
      }
      std::sort(files.begin(), files.end());
      files.erase(std::unique(files.begin(), files.end()), files.end());
    });
    const std::string exceptions = path_of(folder, fmt::format("{}.exc", kFiles[p]));
    if (!std::filesystem::exists(exceptions)) continue;
    for_each_line(Input::open(exceptions).read_all(kLargestFile), 1,
                  [&](std::string_view line, std::size_t) {
                    const auto fields = fields_of(line);
                    if (fields.size() < 2) return;
                    auto& lemmas = part.exceptions[std::string(fields[0])];
                    for (const auto lemma : std::span(fields).subspan(1))
                      lemmas.emplace_back(lemma);
                  });
  }
  return result;
}

std::vector<std::string> Supersenses::lemmas(std::string_view form, WordNetPart which) const {
  const Part& part = this->part(which);
  std::vector<std::string> found;
  const auto add = [&](const std::string& lemma) {
    if (part.entries.find(lemma) == part.entries.end()) return false;
    if (std::find(found.begin(), found.end(), lemma) == found.end()) found.push_back(lemma);
    return true;
  };
  add(std::string(form));
  if (const auto exception = part.exceptions.find(form); exception != part.exceptions.end()) {
    for (const std::string& lemma : exception->second) add(lemma);
    return found;
  }
  std::string_view stem = form, ending;
  if (which == WordNetPart::noun) {
    if (form.ends_with("ful")) {
      stem.remove_suffix(3);
      ending = "ful";
    } else if (form.ends_with("ss") || form.size() <= 2) {
      return found;
    }
  }
  for (const Suffix& suffix : suffixes(which)) {
    if (!stem.ends_with(suffix.from)) continue;
    std::string lemma(stem.substr(0, stem.size() - suffix.from.size()));
    lemma += suffix.to;
    lemma += ending;
    if (add(std::move(lemma))) break;
  }
  return found;
}

std::vector<Supersenses::Number> Supersenses::find(std::string_view form,
                                                   std::string_view tag) const {
  const auto which = part_of_tag(tag);
  if (!which) return {};
  std::vector<Number> result;
  for (const std::string& lemma : lemmas(lower_utf8(form), *which)) {
    const std::vector<Number>& files = part(*which).entries.find(lemma)->second;
    result.insert(result.end(), files.begin(), files.end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::string Supersenses::str() const {
  std::string text;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<std::string> lines;
    for (const auto& [lemma, files] : parts_[p].entries) {
      std::string line = fmt::format("{} {}", kLetters[p], lemma);
      for (const Number file : files) line += fmt::format(" {}", file);
      lines.push_back(std::move(line));
    }
    for (const auto& [form, lemmas] : parts_[p].exceptions) {
      std::string line = fmt::format("{}! {}", kLetters[p], form);
      for (const std::string& lemma : lemmas) line += " " + lemma;
      lines.push_back(std::move(line));
    }
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) text += line + "\n";
  }
  return text;
}

Supersenses Supersenses::parse(std::string_view text, const std::string& file) {
  Supersenses result;
  for_each_line(text, 1, [&](std::string_view line, std::size_t number) {
    const auto wrong = [&] {
      return data_error("expected a part of speech, a word and its lexicographer files or lemmas",
                        {file, number});
    };
    const auto fields = fields_of(line);
    const std::size_t p = fields.empty() ? std::string_view::npos : kLetters.find(fields[0][0]);
    if (fields.size() < 3 || p == std::string_view::npos) throw wrong();
    if (fields[0].size() == 2 && fields[0][1] == '!') {
      auto& lemmas = result.parts_[p].exceptions[std::string(fields[1])];
      for (const auto lemma : std::span(fields).subspan(2)) lemmas.emplace_back(lemma);
      return;
    }
    if (fields[0].size() != 1) throw wrong();
    std::vector<Number>& files = result.parts_[p].entries[std::string(fields[1])];
    for (const auto each : std::span(fields).subspan(2)) {
      const auto value = number_in(each, kSupersenses);
      if (!value || (!files.empty() && *value <= files.back())) throw wrong();
      files.push_back(static_cast<Number>(*value));
    }
  });
  return result;
}

}  // namespace copse::hidden
