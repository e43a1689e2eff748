// The spinal parser in a model file, and as a PhraseParser.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "copse/constituency/phrase_parser.h"
#include "copse/constituency/spinal/parser.h"
#include "copse/constituency/spinal/training.h"

namespace copse::spinal {

inline constexpr std::string_view kModelName = "spinal";  // in the config of model files

// The options of training, for the record.
nlohmann::json to_json(const TrainingOptions& options);

// `config` is completed with what loading needs; sections are added under "spinal/".
ModelWriter write_parser(const SpinalParser& parser, nlohmann::json config);
// Throws data_error when the file holds something else or does not fit together.
SpinalParser read_parser(const ModelFile& file);

std::unique_ptr<PhraseParser> make_phrase_parser(SpinalParser parser, const SearchOptions& search);
std::unique_ptr<PhraseParser> load_phrase_parser(const ModelFile& file,
                                                 const SearchOptions& search);

}  // namespace copse::spinal
