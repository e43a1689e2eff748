// The generative parser in a model file.
#pragma once

#include <string>

#include "copse/constituency/generative/parser.h"
#include "copse/model/model_file.h"

namespace copse::generative {

inline constexpr std::string_view kModelName = "generative";  // in the config of model files

// The options as they stand in the config, under "options".
nlohmann::json to_json(const ModelOptions& options);

// `config` is completed with what loading needs; sections are added under "generative/".
ModelWriter write_parser(const GenerativeParser& parser, nlohmann::json config);
// Throws data_error when the file holds something else or does not fit together.
GenerativeParser read_parser(const ModelFile& file);

}  // namespace copse::generative
