// A whole treebank at once, for programs that do not need to stream.
#pragma once

#include <string>
#include <vector>

#include "copse/treebank/formats.h"

namespace copse {

// The format is told by the file, its ending or its first lines, unless it is given; .gz and .zst
// are unpacked; "-" is standard input.
// Throws the first error in the file.
std::vector<Entry> read_treebank(const std::string& path, const Limits& limits = {});
std::vector<Entry> read_treebank(const std::string& path, Format format, const Limits& limits = {});

// The file appears only when it is complete.
void write_treebank(const std::string& path, const std::vector<Entry>& entries, Format format,
                    const WriteOptions& options = {});

// One entry in a format, as a string.
std::string to_string(const Entry& entry, Format format, const WriteOptions& options = {});

}  // namespace copse
