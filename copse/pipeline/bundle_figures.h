// How well a pipeline does on a treebank, from its raw text on; and what there is to see of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "copse/pipeline/pipeline.h"

namespace copse {

// A tenth of the range of probabilities.
struct CalibrationBin {
  std::size_t arcs = 0, right = 0;
  double probability = 0;  // the sum
};

// A sentence that came out badly: as annotated, and as parsed from its own words.
struct WorstSentence {
  Sentence gold, parsed;
  int words = 0, right = 0;  // heads with their relations
};

struct BundleFigures {
  // "raw": CoNLL 2018 metrics in percent, from the text of the treebank on; "words": UPOS, UAS and
  // LAS from its words on; "components": those that the components were saved with.
  nlohmann::json figures;
  std::vector<CalibrationBin> calibration;  // ten; of the chosen arcs
  std::vector<WorstSentence> worst;         // at most twenty
};

// `files`: the components, for their own figures. Throws what reading throws.
BundleFigures judge_bundle(const Pipeline& nlp, const std::vector<ModelFile>& files,
                           const std::string& treebank, int threads);

// All of it as one web page; `passes`: a file with a drawing of the passes of training, left out if
// there is none.
std::string bundle_page(const nlohmann::json& about, const BundleFigures& found,
                        const std::string& passes);

}  // namespace copse
