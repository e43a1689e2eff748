// Treebanks for training dependency parsers: columns, or phrase-structure trees converted.
#pragma once

#include <string>
#include <vector>

#include "copse/cli/command.h"
#include "copse/cli/treebank_stream.h"
#include "copse/model/provenance.h"
#include "copse/treebank/sentence.h"

namespace copse {

struct DependencyData {
  std::vector<Sentence> train, dev;
  std::vector<DataSource> sources;

  std::string checksum() const;  // of all sources
};

struct DependencyDataOptions {
  std::string train, dev, format, heads = "yamada-matsumoto", tagger;

  void declare_options(CLI::App& app);
  // Sentences whose heads are no tree are reported and left out.
  DependencyData read(const CommonOptions& common, ProblemLog& log) const;

 private:
  std::vector<Sentence> read_file(const std::string& path, const std::string& role,
                                  const CommonOptions& common, ProblemLog& log,
                                  std::vector<DataSource>& sources) const;
};

}  // namespace copse
