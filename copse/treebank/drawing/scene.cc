#include "copse/treebank/drawing/scene.h"

#include <fmt/core.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "copse/treebank/drawing/drawable.h"

namespace copse::drawing {
namespace {

bool is_set(std::string_view value) {
  return !value.empty() && value != "_";
}

// "Prob=0.93" in MISC; nothing when it is absent or not a number in [0, 1].
std::optional<double> probability_of(std::string_view misc) {
  constexpr std::string_view key = "Prob=";
  while (!misc.empty()) {
    const auto bar = std::min(misc.find('|'), misc.size());
    const std::string_view item = misc.substr(0, bar);
    if (item.substr(0, key.size()) == key) {
      double value = 0;
      const auto [end, error] =
          std::from_chars(item.data() + key.size(), item.data() + item.size(), value);
      const bool whole = error == std::errc() && end == item.data() + item.size();
      if (whole && value >= 0 && value <= 1) return value;
    }
    misc.remove_prefix(std::min(bar + 1, misc.size()));
  }
  return std::nullopt;
}

std::string details_of(const Sentence& sentence, int word) {
  std::string details = drawable(sentence.form(word));
  for (const Column column : {Column::lemma, Column::upos, Column::xpos, Column::feats}) {
    const auto value = sentence.get(word, column);
    if (is_set(value)) details += " \u00b7 " + drawable(value);
  }
  return details;
}

SceneWord make_word(const Sentence& sentence, int word, const DrawingOptions& options) {
  SceneWord drawn;
  const std::string_view form = sentence.form(word);
  drawn.form = abbreviate(drawable(form.empty() ? "_" : form), options.max_form,
                          options.unicode ? "\u2026" : "...");
  if (options.show_tags) {
    const auto tag = is_set(sentence.upos(word)) ? sentence.upos(word) : sentence.xpos(word);
    if (is_set(tag)) drawn.tag = abbreviate(drawable(tag), options.max_form);
  }
  drawn.details = details_of(sentence, word);
  return drawn;
}

SceneArc make_arc(const Sentence& sentence, int word, const DrawingOptions& options) {
  SceneArc arc;
  const int head = sentence.head(word);
  const bool outside = head > sentence.words();
  arc.modifier = word;
  arc.head = outside ? 0 : head;
  if (options.show_labels && is_set(sentence.deprel(word))) {
    arc.label = abbreviate(drawable(sentence.deprel(word)), options.max_form);
  }
  if (outside) arc.label += fmt::format("{}from {}?", arc.label.empty() ? "" : " ", head);
  if (options.show_probabilities) arc.probability = probability_of(sentence.misc(word));
  return arc;
}

}  // namespace

Scene make_scene(const Sentence& sentence, const DrawingOptions& options) {
  Scene scene;
  const int words = sentence.words();
  for (int word = 1; word <= words; ++word) {
    scene.words.push_back(make_word(sentence, word, options));
    if (sentence.head(word) >= 0) scene.arcs.push_back(make_arc(sentence, word, options));
  }
  for (const Row& row : sentence.rows()) {
    const bool sound =
        row.kind == RowKind::multiword && row.id >= 1 && row.id <= row.last && row.last <= words;
    if (!sound || !options.show_tokens) continue;
    scene.tokens.push_back({row.id, row.last,
                            abbreviate(drawable(sentence.get(row, Column::form)), options.max_form,
                                       options.unicode ? "\u2026" : "...")});
  }
  scene.text = drawable(sentence.surface_text());
  scene.right_to_left = reads_right_to_left(scene.text);
  return scene;
}

PhraseTree drawn_tree(const PhraseTree& tree) {
  const bool wrapped = !tree.empty() && !tree.is_leaf(0) && tree.label(0).empty() &&
                       tree.size() > 1 && tree.next(1) == tree.size();
  if (!wrapped) return tree;
  PhraseTreeBuilder builder;
  builder.copy(tree, 1);
  return std::move(builder).finish();
}

std::string arc_text(const SceneArc& arc) {
  if (!arc.probability) return arc.label;
  return fmt::format("{}{}{:.2f}", arc.label, arc.label.empty() ? "" : " ", *arc.probability);
}

}  // namespace copse::drawing
