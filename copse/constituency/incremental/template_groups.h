// Which lines of the node table read the same fields of a context: contexts that agree in these are
// looked up once for all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "copse/constituency/incremental/contexts.h"
#include "copse/model/templates.h"

namespace copse::incremental {

struct TemplateGroup {
  struct Line {
    std::uint16_t number = 0;  // in the table
    bool fires = true;         // else it is only joined by others of the group
  };
  ContextBits<NodeContext> mask = {};  // ones in the fields that they read
  std::vector<Line> lines;             // in the order of the table
  std::uint32_t roles = 0;             // a bit for each word that they read

  // What the group sees of a context, known as by hash_of(); `seed` tells groups apart.
  std::uint64_t hash(const ContextBits<NodeContext>& context, std::uint64_t seed) const {
    std::uint64_t value = atom_of(seed);
    for (std::size_t i = 0; i < mask.size(); ++i) {
      if (mask[i] != 0) value = scramble(value ^ (context[i] & mask[i]));
    }
    return value;
  }
};

// Every line of the table fires in one of them, with all that read the same or fewer fields.
std::vector<TemplateGroup> template_groups(const std::vector<Template>& table);
// All lines as one.
TemplateGroup whole_table(const std::vector<Template>& table);

}  // namespace copse::incremental
