// A whole treebank at once, for programs that do not need to stream.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "copse/treebank/formats.h"

namespace copse {

// The format is told by the file, its ending or its first lines, unless it is given; .gz and .zst
// are unpacked; "-" is standard input.
// Throws the first error in the file.
std::vector<Entry> read_treebank(const std::string& path, const Limits& limits = {});
std::vector<Entry> read_treebank(const std::string& path, Format format, const Limits& limits = {});
// The same from a stream, read to its end, and from memory; `name` is for messages.
std::vector<Entry> read_treebank(std::istream& in, Format format,
                                 const std::string& name = "stream", const Limits& limits = {});
std::vector<Entry> parse_treebank(std::string bytes, Format format,
                                  const std::string& name = "text", const Limits& limits = {});

// The file appears only when it is complete.
void write_treebank(const std::string& path, const std::vector<Entry>& entries, Format format,
                    const WriteOptions& options = {});

// The same to a stream. Throws a machine error when it does not take the bytes.
void write_treebank(std::ostream& out, const std::vector<Entry>& entries, Format format,
                    const WriteOptions& options = {});

// One entry in a format, as a string.
std::string to_string(const Entry& entry, Format format, const WriteOptions& options = {});

}  // namespace copse
