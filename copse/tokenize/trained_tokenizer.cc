#include "copse/tokenize/trained_tokenizer.h"

#include "copse/tokenize/boundary_walk.h"
#include "copse/tokenize/model_sections.h"

namespace copse {
namespace {

constexpr int kCharactersPerLook = 4096;  // less than a millisecond of work

}  // namespace

TrainedTokenizer TrainedTokenizer::from(const ModelFile& model) {
  model.require_kind(kTokenizerKind);
  try {
    return TrainedTokenizer(model);
  } catch (const Error& error) {
    throw error.at({model.name()});
  }
}

TrainedTokenizer::TrainedTokenizer(const ModelFile& model)
    : owner_(model.owner()),
      features_(model.text(sections::kTemplates), std::string(sections::kTemplates)),
      table_(BoundaryTable::from_bytes(model.array<BoundarySet>(sections::kBoundaries))),
      lower_words_(WordSet::view(model.array<std::uint32_t>(sections::kLowerWords))),
      weights_(FrozenWeights::view(model.section(sections::kWeights))),
      expander_(model.strings(sections::kMultiwords), model.strings(sections::kEndings)),
      spaced_forms_(model.strings(sections::kSpacedForms)) {
  if (weights_.labels() != kBoundaries) {
    throw data_error("the weights are not for three kinds of boundary");
  }
}

Boundary TrainedTokenizer::best(BoundarySet allowed, const BoundaryFeatures::Keys& keys) const {
  std::array<float, kBoundaries> scores{};
  weights_.add_all_to(keys, scores);
  return best_boundary(allowed, scores);
}

void TrainedTokenizer::segment(std::string_view paragraph, Scratch& scratch,
                               Segmentation& out) const {
  const Characters& text = scratch.characters;
  scratch.characters.read(paragraph);
  scratch.labels.assign(static_cast<std::size_t>(text.size()), kOpenBoundary);
  spaced_forms_.mark(text, scratch.labels);
  const auto look = features_.look_at(text);
  BoundaryFeatures::Keys& keys = scratch.keys;
  int next_look = 0;
  walk_boundaries(
      text, table_, scratch.labels, [&](const BoundaryState& state, const BoundaryPlace& place) {
        if (place.i >= next_look) {
          scratch.stop.check();
          next_look = place.i + kCharactersPerLook;
        }
        keys.clear();
        features_.keys(text, look, lower_words_, state, place.i, place.chunk, place.gap, keys);
        return best(place.allowed, keys);
      });
  tokens_of_labels(text, scratch.labels, out);
}

}  // namespace copse
