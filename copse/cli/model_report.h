// What there is to say about a model file: where it comes from, its figures, its sections.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "copse/model/model_file.h"

namespace copse {

std::string model_as_text(const ModelFile& model);
// One object; with the name of the file under "model" unless that is empty.
std::string model_as_json(const ModelFile& model, const std::string& name = {});

// Figures in a line: "upos 95.10, xpos 94.92".
std::string figures_line(const nlohmann::json& figures);

}  // namespace copse
