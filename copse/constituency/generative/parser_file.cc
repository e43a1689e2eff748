#include "copse/constituency/generative/parser_file.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/model/settings.h"

namespace copse::generative {
namespace {

const std::string kTagger = "generative/tagger/";  // prefix of its sections

// What the numbers of a model may be; those of a training are far within.
constexpr double kMostWords = 1e15;     // with a tag
constexpr double kLeastShare = 1e-30;   // of a label
constexpr double kCertain = 1.0001;     // 1 and what rounding adds
constexpr double kHeaviestTagger = 10;  // exp(weight * log ratio) stays a number
constexpr double kLargestRoot = 1e6;    // weight or logarithm
constexpr double kLargestOdds = 50;     // of a span, as a logarithm
constexpr double kLeastSharpness = 1e-3, kMostSharpness = 1e3;
constexpr double kLargestSpan = 1e4;  // weight of a feature of spans

std::string section(std::string_view name) {
  return "generative/" + std::string(name);
}

// Lists of rules by label as flat arrays: how many each label has, then all of them.
template <class T>
void add_lists(ModelWriter& writer, std::string_view name,
               const std::vector<std::vector<T>>& lists) {
  std::vector<std::uint32_t> sizes;
  std::vector<T> all;
  for (const auto& list : lists) {
    sizes.push_back(static_cast<std::uint32_t>(list.size()));
    all.insert(all.end(), list.begin(), list.end());
  }
  writer.add_array<std::uint32_t>(section(name) + "-sizes", sizes);
  writer.add_array<T>(section(name), all);
}

template <class T>
std::vector<std::vector<T>> read_lists(const ModelFile& file, std::string_view name,
                                       std::size_t expected) {
  const auto sizes = file.array<std::uint32_t>(section(name) + "-sizes");
  const auto all = file.array<T>(section(name));
  if (sizes.size() != expected) throw file.damaged(section(name), "does not fit the labels");
  std::vector<std::vector<T>> lists;
  std::size_t at = 0;
  for (const std::uint32_t size : sizes) {
    if (size > all.size() - at) throw file.damaged(section(name), "is shorter than its lists");
    lists.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(at),
                       all.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  }
  return lists;
}

template <class T>
std::vector<T> read_array(const ModelFile& file, std::string_view name, std::size_t expected) {
  const auto values = file.array<T>(section(name));
  if (values.size() != expected) throw file.damaged(section(name), "does not fit the labels");
  return {values.begin(), values.end()};
}

// Numbers from `least` to `most`, none of them infinite or none.
template <class T>
void check_range(const ModelFile& file, std::string_view name, std::span<const T> values,
                 double least, double most) {
  for (const T value : values) {
    if (!(value >= least && value <= most)) {
      throw file.damaged(section(name), "has a number beyond its range");
    }
  }
}

ModelOptions options_of(const ModelFile& file) {
  const nlohmann::json& config = file.config();
  if (!config.contains("options") || !config["options"].is_object()) {
    throw file.damaged("config", "has no options");
  }
  constexpr double kStrongest = 1e9;
  const Settings settings(file, "config", config["options"]);
  ModelOptions options;
  options.preparation.npb_repair = settings.whole("npb_repair", 0, 1) != 0;
  options.diversity = settings.number("diversity", 0, kStrongest);
  options.extra_levels = settings.whole("extra_levels", 0, 1) != 0;
  options.lexicon.rare_below = settings.whole("rare_below", 0, INT_MAX);
  options.lexicon.suffix_strength = settings.number("suffix_strength", 0, kStrongest);
  options.lexicon.guess_strength = settings.number("guess_strength", 0, kStrongest);
  // Above 1 no tag of a word would be left.
  options.lexicon.least_share = settings.number("least_share", 0, 1);
  if (config["options"].contains("least_history")) {  // models of earlier builds have all
    options.least_history = settings.whole("least_history", 1, INT_MAX);
  }
  options.roots = settings.whole("roots", 0, 1) != 0;
  options.tagger.epochs = settings.whole("tagger_epochs", 0, INT_MAX);
  options.tagger.weight = settings.number("tagger_weight", 0, kHeaviestTagger);
  options.tagger.least_share = settings.number("tagger_least_share", 0, 1);
  options.spans.epochs = 0;  // models made before there was a model of spans
  if (!config["options"].contains("span_epochs")) return options;
  options.spans.epochs = settings.whole("span_epochs", 0, INT_MAX);
  options.spans.weight = settings.number("span_weight", 0, kHeaviestTagger);
  options.spans.most = settings.number("span_most", 0, kLargestOdds);
  options.spans.rate = settings.number("span_rate", 0, kStrongest);
  options.spans.least_count = settings.whole("span_least_count", 0, INT_MAX);
  return options;
}

}  // namespace

nlohmann::json to_json(const ModelOptions& options) {
  return {{"npb_repair", options.preparation.npb_repair ? 1 : 0},
          {"diversity", options.diversity},
          {"extra_levels", options.extra_levels ? 1 : 0},
          {"least_history", options.least_history},
          {"rare_below", options.lexicon.rare_below},
          {"suffix_strength", options.lexicon.suffix_strength},
          {"guess_strength", options.lexicon.guess_strength},
          {"least_share", options.lexicon.least_share},
          {"roots", options.roots ? 1 : 0},
          {"tagger_epochs", options.tagger.epochs},
          {"tagger_weight", options.tagger.weight},
          {"tagger_least_share", options.tagger.least_share},
          {"span_epochs", options.spans.epochs},
          {"span_weight", options.spans.weight},
          {"span_most", options.spans.most},
          {"span_rate", options.spans.rate},
          {"span_least_count", options.spans.least_count}};
}

// The friend of what is saved and loaded.
class ParserFile {
 public:
  static void write(ModelWriter& writer, const GenerativeParser& parser) {
    write_labels(writer, parser.model_.labels_);
    write_lexicon(writer, parser.model_.lexicon_);
    write_model(writer, parser.model_);
    write_coarse(writer, parser.coarse_);
    write_roots(writer, parser.roots_);
    write_spans(writer, parser.spans_);
    if (parser.tagger_) parser.tagger_->tagger().save(writer, kTagger);
  }

  static GenerativeParser read(const ModelFile& file) {
    GenerativeModel model;
    model.options_ = options_of(file);
    model.labels_ = LabelSet(file.strings(section("tags")), file.strings(section("phrases")));
    if (model.labels_.tags() == 0 || model.labels_.phrases() == 0) {
      throw file.damaged(section("tags"), "has no labels");
    }
    model.lexicon_ = read_lexicon(file, model.labels_, model.options_.lexicon);
    read_model(file, model);
    CoarseGrammar coarse = read_coarse(file, model.labels_);
    RootModel roots = read_roots(file, model.labels_);
    SpanModel spans = read_spans(file, model.labels_, model.options_.spans);
    std::optional<SentenceTagger> tagger;
    if (file.has(kTagger + "config")) {
      tagger.emplace(SequenceTagger::load(file, kTagger), model.labels_, model.options_.tagger);
    }
    return {std::move(model), std::move(coarse), std::move(roots), std::move(tagger),
            std::move(spans)};
  }

 private:
  using Rule = CoarseGrammar::Rule;

  static void write_labels(ModelWriter& writer, const LabelSet& labels) {
    std::vector<std::string> tags, phrases;
    for (int i = 0; i < labels.size(); ++i) {
      const auto label = static_cast<LabelId>(i);
      (labels.is_tag(label) ? tags : phrases).emplace_back(labels.name(label));
    }
    writer.add_strings(section("tags"), tags);
    writer.add_strings(section("phrases"), phrases);
  }

  static void write_lexicon(ModelWriter& writer, const Lexicon& lexicon) {
    std::vector<std::string> words;
    std::vector<std::vector<Lexicon::TagCount>> counts;
    for (WordId id = 1; id < lexicon.words(); ++id) {
      words.emplace_back(lexicon.symbols_.text(id));
      counts.push_back(lexicon.entries_[id].tags);
    }
    writer.add_strings(section("words"), words);
    add_lists(writer, "word-tags", counts);
    writer.add_array<double>(section("tag-counts"), lexicon.tag_count_);
    std::vector<std::string> endings;
    for (const auto& [ending, ignored] : lexicon.suffixes_) endings.push_back(ending);
    std::sort(endings.begin(), endings.end());
    std::vector<std::vector<Lexicon::TagCount>> ending_tags;
    ending_tags.reserve(endings.size());
    for (const std::string& ending : endings) ending_tags.push_back(lexicon.suffixes_.at(ending));
    writer.add_strings(section("endings"), endings);
    add_lists(writer, "ending-tags", ending_tags);
  }

  static Lexicon read_lexicon(const ModelFile& file, const LabelSet& labels,
                              const LexiconOptions& options) {
    Lexicon lexicon;
    lexicon.options_ = options;
    lexicon.tags_ = labels.tags();
    lexicon.tag_count_ =
        read_array<double>(file, "tag-counts", static_cast<std::size_t>(labels.tags()));
    // Every tag was seen with a word: what no word had would be no tag.
    check_range<double>(file, "tag-counts", lexicon.tag_count_, 1, kMostWords);
    lexicon.symbols_.add("");
    lexicon.entries_.emplace_back();
    const auto words = file.strings(section("words"));
    const auto tags = read_tag_counts(file, "word-tags", words.size(), labels);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (lexicon.symbols_.add(words[i]) != i + 1) {
        throw file.damaged(section("words"), "has a word twice");
      }
      Lexicon::WordEntry& entry = lexicon.entries_.emplace_back();
      if (tags[i].empty() && !words[i].starts_with(' ')) {
        throw file.damaged(section("word-tags"), "has a word without a tag");
      }
      entry.tags = tags[i];
      for (const auto& known : tags[i]) entry.count += known.count;
    }
    const auto endings = file.strings(section("endings"));
    auto ending_tags = read_tag_counts(file, "ending-tags", endings.size(), labels);
    for (std::size_t i = 0; i < endings.size(); ++i) {
      if (ending_tags[i].empty()) {
        throw file.damaged(section("ending-tags"), "has an ending without a tag");
      }
      lexicon.suffixes_.emplace(endings[i], std::move(ending_tags[i]));
    }
    lexicon.finish();
    return lexicon;
  }

  static std::vector<std::vector<Lexicon::TagCount>> read_tag_counts(const ModelFile& file,
                                                                     std::string_view name,
                                                                     std::size_t expected,
                                                                     const LabelSet& labels) {
    auto lists = read_lists<Lexicon::TagCount>(file, name, expected);
    for (const auto& list : lists) {
      std::uint64_t all = 0;
      for (const auto& known : list) {
        if (known.tag >= static_cast<std::uint32_t>(labels.tags()))
          throw file.damaged(section(name), "names no tag");
        if (known.count == 0) throw file.damaged(section(name), "has a tag that was never seen");
        all += known.count;
      }
      if (all > INT_MAX) throw file.damaged(section(name), "counts more than there can be");
    }
    return lists;
  }

  static void write_model(ModelWriter& writer, const GenerativeModel& model) {
    writer.add_array<EventCounts::Entry>(section("events"), model.counts_.entries());
    add_lists(writer, "parents", model.parents_of_);
    write_frames(writer, model);
    writer.add_array<double>(section("label-shares"), model.label_share_);
  }

  static void read_model(const ModelFile& file, GenerativeModel& model) {
    const auto labels = static_cast<std::size_t>(model.labels_.size());
    try {
      model.counts_ = EventCounts(file.array<EventCounts::Entry>(section("events")), file.owner());
    } catch (const Error& error) {
      throw file.damaged(section("events"), "cannot be used: " + error.message());
    }
    model.parents_of_ = read_lists<LabelId>(file, "parents", labels);
    for (const auto& parents : model.parents_of_) {
      for (const LabelId parent : parents) {
        if (parent >= labels || model.labels_.is_tag(parent)) {
          throw file.damaged(section("parents"), "names no phrase");
        }
      }
    }
    read_frames(file, model);
    model.label_share_ = read_array<double>(file, "label-shares", labels);
    check_range<double>(file, "label-shares", model.label_share_, kLeastShare, kCertain);
  }

  static void write_frames(ModelWriter& writer, const GenerativeModel& model) {
    std::vector<std::uint64_t> frames;
    for (const auto& [frame, ignored] : model.bags_) frames.push_back(frame);
    std::sort(frames.begin(), frames.end());
    std::vector<std::vector<Subcat>> bags;
    bags.reserve(frames.size());
    for (const std::uint64_t frame : frames) bags.push_back(model.bags_.at(frame));
    writer.add_array<std::uint64_t>(section("frame-numbers"), frames);
    add_lists(writer, "frames", bags);
  }

  // Models of before have a list for each frame that there could be.
  static void read_frames(const ModelFile& file, GenerativeModel& model) {
    const auto labels = static_cast<std::uint64_t>(model.labels_.size());
    const std::uint64_t possible = 2 * labels * labels;
    const bool named = file.has(section("frame-numbers"));
    const auto numbers = named ? file.array<std::uint64_t>(section("frame-numbers"))
                               : std::span<const std::uint64_t>();
    auto lists = read_lists<Subcat>(file, "frames", named ? numbers.size() : possible);
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const std::uint64_t frame = named ? numbers[i] : i;
      if (frame >= possible || (i > 0 && named && frame <= numbers[i - 1])) {
        throw file.damaged(section("frame-numbers"), "does not fit the labels");
      }
      if (!lists[i].empty()) model.bags_.emplace(frame, std::move(lists[i]));
    }
  }

  static void write_coarse(ModelWriter& writer, const CoarseGrammar& coarse) {
    add_lists(writer, "openings", coarse.openings_);
    for (const std::size_t side : {0U, 1U}) {
      const std::string name = side == 0 ? "left" : "right";
      add_lists(writer, "modifiers-" + name, coarse.modifiers_[side]);
      writer.add_array<float>(section("stops-" + name), coarse.stops_[side]);
    }
    writer.add_array<float>(section("top"), coarse.top_);
  }

  static CoarseGrammar read_coarse(const ModelFile& file, const LabelSet& labels) {
    CoarseGrammar coarse;
    coarse.set_size(labels);
    const auto size = static_cast<std::size_t>(labels.size());
    const auto phrases = static_cast<std::size_t>(labels.phrases());
    const auto row = static_cast<std::size_t>(coarse.row());
    const std::size_t uses = std::size_t{kPreviousClasses} * CoarseGrammar::kClasses * row;
    coarse.openings_ = read_rules(file, "openings", size, phrases);
    for (const std::size_t side : {0U, 1U}) {
      const std::string name = side == 0 ? "left" : "right";
      coarse.modifiers_[side] = read_rules(file, "modifiers-" + name, size, uses);
      coarse.stops_[side] = read_array<float>(file, "stops-" + name, kPreviousClasses * row);
      check_range<float>(file, "stops-" + name, coarse.stops_[side], 0, kCertain);
    }
    coarse.set_steps();
    coarse.top_ = read_array<float>(file, "top", size);
    check_range<float>(file, "top", coarse.top_, 0, kCertain);
    return coarse;
  }

  static void write_roots(ModelWriter& writer, const RootModel& roots) {
    std::vector<std::string> features(roots.features_.size());
    for (const auto& [name, number] : roots.features_) features[number] = name;
    writer.add_array<std::uint16_t>(section("roots"), roots.roots_);
    writer.add_array<double>(section("root-shares"), roots.log_share_);
    writer.add_strings(section("root-features"), features);
    writer.add_array<double>(section("root-weights"), roots.weights_);
  }

  static RootModel read_roots(const ModelFile& file, const LabelSet& labels) {
    RootModel roots;
    const auto numbers = file.array<std::uint16_t>(section("roots"));
    for (const std::uint16_t root : numbers) {
      if (root >= labels.phrases()) throw file.damaged(section("roots"), "names no phrase");
    }
    roots.roots_.assign(numbers.begin(), numbers.end());
    roots.log_share_ = read_array<double>(file, "root-shares", numbers.size());
    const auto features = file.strings(section("root-features"));
    for (std::size_t i = 0; i < features.size(); ++i) {
      if (!roots.features_.emplace(features[i], static_cast<std::uint32_t>(i)).second) {
        throw file.damaged(section("root-features"), "has a feature twice");
      }
    }
    const std::size_t expected = numbers.size() > 1 ? features.size() * numbers.size() : 0;
    roots.weights_ = read_array<double>(file, "root-weights", expected);
    check_range<double>(file, "root-shares", roots.log_share_, -kLargestRoot, 0);
    check_range<double>(file, "root-weights", roots.weights_, -kLargestRoot, kLargestRoot);
    return roots;
  }

  // Features by ascending key, so that the same model gives the same bytes.
  static void write_spans(ModelWriter& writer, const SpanModel& spans) {
    if (spans.empty()) return;
    std::vector<SpanModel::Slot> slots;
    for (const SpanModel::Slot& slot : spans.slots_) {
      if (slot.end > 0) slots.push_back(slot);
    }
    std::sort(slots.begin(), slots.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    std::vector<EventKey> keys;
    std::vector<std::uint32_t> sizes;
    std::vector<SpanModel::Weight> weights;
    for (const SpanModel::Slot& slot : slots) {
      keys.push_back(slot.key);
      sizes.push_back(slot.end - slot.first);
      weights.insert(weights.end(), spans.weights_.begin() + slot.first,
                     spans.weights_.begin() + slot.end);
    }
    writer.add_array<EventKey>(section("span-keys"), keys);
    writer.add_array<std::uint32_t>(section("span-sizes"), sizes);
    writer.add_array<SpanModel::Weight>(section("span-weights"), weights);
  }

  static SpanModel read_spans(const ModelFile& file, const LabelSet& labels,
                              const SpanModelOptions& options) {
    SpanModel spans;
    spans.options_ = options;
    spans.phrases_ = static_cast<std::size_t>(labels.phrases());
    if (!file.has(section("span-weights"))) return spans;
    const auto weights = file.array<SpanModel::Weight>(section("span-weights"));
    for (const SpanModel::Weight& weight : weights) {
      if (weight.phrase >= spans.phrases_) {
        throw file.damaged(section("span-weights"), "names no phrase");
      }
      if (!(std::abs(weight.value) <= kLargestSpan)) {
        throw file.damaged(section("span-weights"), "has a number beyond its range");
      }
    }
    spans.weights_.assign(weights.begin(), weights.end());
    const auto keys = file.array<EventKey>(section("span-keys"));
    const auto sizes = file.array<std::uint32_t>(section("span-sizes"));
    std::uint64_t all = 0;
    for (const std::uint32_t size : sizes) all += size;
    const bool empty = std::find(sizes.begin(), sizes.end(), 0U) != sizes.end();
    if (keys.size() != sizes.size() || empty || all != weights.size()) {
      throw file.damaged(section("span-sizes"), "does not fit the weights");
    }
    spans.index(keys, sizes);
    return spans;
  }

  static std::vector<std::vector<Rule>> read_rules(const ModelFile& file, std::string_view name,
                                                   std::size_t expected, std::size_t targets) {
    auto lists = read_lists<Rule>(file, name, expected);
    for (const auto& list : lists) {
      for (const Rule& rule : list) {
        if (rule.target >= targets || !(rule.probability >= 0 && rule.probability <= kCertain)) {
          throw file.damaged(section(name), "has a rule that leads nowhere");
        }
      }
    }
    return lists;
  }
};

ModelWriter write_parser(const GenerativeParser& parser, nlohmann::json config) {
  config["model"] = kModelName;
  config["options"] = to_json(parser.model().options());
  config["sharpness"] = parser.sharpness().brackets;
  config["sharpness_of_tags"] = parser.sharpness().tags;
  ModelWriter writer(kConstituencyKind, config);
  ParserFile::write(writer, parser);
  return writer;
}

GenerativeParser read_parser(const ModelFile& file) {
  file.require_kind(kConstituencyKind);
  const nlohmann::json& config = file.config();
  if (!config.contains("model") || config["model"] != kModelName) {
    throw file.damaged("config", "is of another parser than the generative one");
  }
  GenerativeParser parser = ParserFile::read(file);
  if (config.contains("sharpness")) {  // models of earlier builds have none
    const Settings settings(file, "config", config);
    GenerativeParser::Sharpness sharpness;
    sharpness.brackets = settings.number("sharpness", kLeastSharpness, kMostSharpness);
    if (config.contains("sharpness_of_tags")) {
      sharpness.tags = settings.number("sharpness_of_tags", kLeastSharpness, kMostSharpness);
    }
    parser.set_sharpness(sharpness);
  }
  return parser;
}

}  // namespace copse::generative
