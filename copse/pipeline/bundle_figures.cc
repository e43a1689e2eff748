#include "copse/pipeline/bundle_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <tuple>

#include "copse/base/input.h"
#include "copse/pipeline/page.h"
#include "copse/tokenize/gold_text.h"
#include "copse/treebank/drawing/curve_svg.h"
#include "copse/treebank/evaluation/conll18.h"
#include "copse/treebank/treebank.h"

namespace copse {
namespace {

constexpr std::size_t kWorst = 20;
constexpr int kShortest = 5;  // words of a sentence that is worth a look
constexpr std::size_t kLargest = std::size_t{1} << 31;

nlohmann::json percentages(const Conll18Report& report) {
  nlohmann::json out = nlohmann::json::object();
  for (const std::string_view metric : kConll18Metrics) {
    out[std::string(metric)] = std::round(10'000 * report[metric].f1()) / 100;
  }
  return out;
}

// The text of a treebank through the whole pipeline, against the treebank.
nlohmann::json raw_figures(const Pipeline& nlp, const std::vector<Entry>& gold,
                           const std::string& gold_bytes, int threads) {
  PipelineOptions options;
  options.phrases = false;
  options.threads = threads;
  std::string system;
  for (const ParsedSentence& sentence : nlp(restore_text(gold), options)) {
    if (sentence.problem) throw Error(*sentence.problem);
    system += to_string(sentence.entry(), Format::conllu);
  }
  return percentages(evaluate_conll18(gold_bytes, system));
}

Sentence without_analysis(const Sentence& gold) {
  Sentence bare = gold;
  for (int word = 1; word <= bare.words(); ++word) {
    bare.set_head(word, DependencyTree::kNoHead);
    bare.set(word, Column::deprel, "_");
  }
  return bare;
}

void judge_words(const ParsedSentence& parsed, const Sentence& gold, BundleFigures& out,
                 std::array<std::size_t, 4>& sums) {
  WorstSentence each{gold, parsed.columns, gold.words(), 0};
  for (int word = 1; word <= gold.words(); ++word) {
    const bool head = parsed.columns.head(word) == gold.head(word);
    const bool all = head && parsed.columns.deprel(word) == gold.deprel(word);
    each.right += all ? 1 : 0;
    ++sums[0];
    sums[1] += parsed.columns.upos(word) == gold.upos(word) ? 1 : 0;
    sums[2] += head ? 1 : 0;
    sums[3] += all ? 1 : 0;
    const double p = parsed.dependencies.front().arc_probability[static_cast<std::size_t>(word)];
    CalibrationBin& bin =
        out.calibration[std::min<std::size_t>(9, static_cast<std::size_t>(10 * p))];
    ++bin.arcs;
    bin.right += head ? 1 : 0;
    bin.probability += p;
  }
  if (each.words >= kShortest) out.worst.push_back(std::move(each));
}

void keep_worst(std::vector<WorstSentence>& all) {
  std::ranges::stable_sort(all, [](const WorstSentence& a, const WorstSentence& b) {
    return a.right * b.words < b.right * a.words;
  });
  if (all.size() > kWorst) all.resize(kWorst);
}

}  // namespace

BundleFigures judge_bundle(const Pipeline& nlp, const std::vector<ModelFile>& files,
                           const std::string& treebank, int threads) {
  BundleFigures out;
  out.calibration.resize(10);
  const std::string bytes = Input::open(treebank).read_all(kLargest);
  const std::vector<Entry> gold = parse_treebank(bytes, Format::conllu, treebank);
  out.figures["components"] = nlohmann::json::object();
  out.figures["raw"] = raw_figures(nlp, gold, bytes, threads);
  std::vector<Entry> bare;
  bare.reserve(gold.size());
  for (const Entry& entry : gold) bare.push_back({without_analysis(entry.sentence), {}});
  PipelineOptions options;
  options.phrases = false;
  options.marginals = true;
  options.threads = threads;
  const Document parsed = nlp(std::move(bare), options);
  std::array<std::size_t, 4> sums{};
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    if (!parsed[i].dependencies.empty()) judge_words(parsed[i], gold[i].sentence, out, sums);
  }
  keep_worst(out.worst);
  const auto percent = [&](std::size_t right) {
    const double all = static_cast<double>(std::max<std::size_t>(1, sums[0]));
    return std::round(10'000 * static_cast<double>(right) / all) / 100;
  };
  out.figures["words"] = {
      {"UPOS", percent(sums[1])}, {"UAS", percent(sums[2])}, {"LAS", percent(sums[3])}};
  for (const ModelFile& file : files) {
    const auto provenance = file.config().find("provenance");
    if (provenance == file.config().end() || !provenance->contains("figures")) continue;
    out.figures["components"][file.kind()] = (*provenance)["figures"];
  }
  return out;
}

namespace {

std::string calibration_svg(const std::vector<CalibrationBin>& bins) {
  CurveSeries found{"share that is right", {}}, ideal{"what it should be", {{0, 0}, {1, 1}}};
  for (const CalibrationBin& bin : bins) {
    if (bin.arcs == 0) continue;
    const auto arcs = static_cast<double>(bin.arcs);
    found.points.push_back({bin.probability / arcs, static_cast<double>(bin.right) / arcs});
  }
  return curve_svg({"Probabilities of arcs", {{"probability", "share right", {found, ideal}}}});
}

using Rows = std::vector<std::vector<std::string>>;

std::string figure_text(const nlohmann::json& figures, std::string_view name) {
  const auto found = figures.find(std::string(name));
  if (found == figures.end() || !found->is_number()) return "";
  return found->is_number_integer() ? found->dump() : fmt::format("{:.2f}", found->get<double>());
}

// A metric a row, from the raw text and from the words of the treebank.
Rows pipeline_rows(const nlohmann::json& figures) {
  Rows rows;
  for (const std::string_view metric : kConll18Metrics) {
    rows.push_back({std::string(metric), figure_text(figures.at("raw"), metric),
                    figure_text(figures.at("words"), metric)});
  }
  return rows;
}

// What a component was saved with; of "dev" only what is in it.
void add_component_rows(const std::string& component, const nlohmann::json& figures, Rows& rows) {
  for (const auto& [key, value] : figures.items()) {
    if (value.is_object()) add_component_rows(component, value, rows);
    if (value.is_number()) rows.push_back({component, key, figure_text(figures, key)});
  }
}

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::string bundle_page(const nlohmann::json& about, const BundleFigures& found,
                        const std::string& passes) {
  Page page(fmt::format("Training of {}", about.value("name", std::string("a bundle"))));
  page.heading("Development data");
  page.paragraph(
      "From the raw text on: F1 as in the CoNLL 2018 shared task. From the words of the treebank "
      "on: "
      "words that are right, in percent.");
  page.table({"", "raw text", "words given"}, pipeline_rows(found.figures));
  page.heading("Components");
  page.paragraph("What each was saved with; the same data chose among its passes.");
  Rows rows;
  for (const auto& [component, figures] : found.figures.at("components").items()) {
    add_component_rows(component, figures, rows);
  }
  page.table({"component", "figure", "value"}, rows);
  if (const std::string drawing = file_text(passes); !drawing.empty()) {
    page.heading("Passes of the dependency parser");
    page.html(drawing);
  }
  page.heading("Calibration");
  page.html(calibration_svg(found.calibration));
  page.heading("Worst sentences");
  for (const WorstSentence& each : found.worst) {
    page.paragraph(
        fmt::format("{} of {} words right: {}", each.right, each.words, each.gold.surface_text()));
    page.drawing("annotated", {each.gold, {}});
    page.drawing("parsed", {each.parsed, {}});
  }
  return std::move(page).finish();
}

}  // namespace copse
