#include "copse/cli/model_notes.h"

#include <nlohmann/json.hpp>

#include "copse/model/model_file.h"

namespace copse {

void ModelNotes::declare_options(CLI::App& app) {
  const std::string group = "Notes in the model";
  app.add_option("--language", language, "Language of the data, such as en")->group(group);
  app.add_option("--licence,--license", licence, "Terms under which the model may be used")
      ->group(group);
  app.add_option("--date", date, "When it was made; nothing is noted if not given")->group(group);
  app.add_option("--author", author, "Who made it")->group(group);
}

bool ModelNotes::empty() const {
  return language.empty() && licence.empty() && date.empty() && author.empty();
}

void ModelNotes::add_to(const std::string& path) const {
  const ModelFile model = ModelFile::open(path);
  nlohmann::json config = model.config();
  nlohmann::json notes = nlohmann::json::object();
  if (!language.empty()) notes["language"] = language;
  if (!licence.empty()) notes["licence"] = licence;
  if (!date.empty()) notes["date"] = date;
  if (!author.empty()) notes["author"] = author;
  config["notes"] = std::move(notes);
  ModelWriter writer(model.kind(), config);
  for (const ModelFile::Section& section : model.sections()) {
    if (section.name == "config") continue;
    writer.add(section.name, std::string(reinterpret_cast<const char*>(section.bytes.data()),
                                         section.bytes.size()));
  }
  writer.save(path);  // by renaming: the file that is mapped stays as it is
}

}  // namespace copse
