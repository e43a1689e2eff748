// One self-contained web page with all drawings.
#pragma once

#include <memory>

#include "copse/treebank/drawing/options.h"
#include "copse/treebank/format.h"

namespace copse {

// Per sentence: its number and id, its text, its drawing. Light and dark, no scripts, no outside
// resources; streams.
std::unique_ptr<Writer> make_html_writer(const DrawingOptions& options = {});

}  // namespace copse
