// Tables of breakdowns for a terminal; names are padded by how wide they look.
#pragma once

#include <string>
#include <string_view>

#include "copse/treebank/evaluation/attachment.h"

namespace copse {

std::string found_table(std::string_view heading, const Breakdown<FoundCounts>& rows);
std::string accuracy_table(std::string_view heading, const Breakdown<AttachmentCounts>& rows);

}  // namespace copse
