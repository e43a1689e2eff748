// A pipeline as Python holds it, with how it was loaded: that is what a pickle keeps.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "copse/pipeline/pipeline.h"
#include "copse/python/bind.h"
#include "copse/python/keywords.h"

namespace copse::python {

struct PipelineObject {
  Pipeline pipeline;
  std::vector<std::string> sources;  // names or paths
  std::vector<std::string> parts;    // of a bundle; empty: all

  // Throws what loading throws.
  static PipelineObject load(const std::vector<std::string>& sources,
                             const std::vector<std::string>& parts);
};

// The keyword arguments of everything that parses.
const Keywords<PipelineOptions>& pipeline_keywords();

}  // namespace copse::python
