// The treebank formats by name.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "copse/base/input.h"
#include "copse/treebank/drawing/options.h"
#include "copse/treebank/format.h"
#include "copse/treebank/ptb.h"
#include "copse/treebank/text.h"

namespace copse {

enum class Format { conllu, conllx, ptb, json, text, columns, svg, html, latex, dot, ascii };

struct FormatInfo {
  Format format;
  std::string_view name;
  std::string_view description;
  bool readable;
};

// Every format, in the order in which help lists them.
std::span<const FormatInfo> all_formats();
// Throws usage_error naming the formats there are.
Format format_named(std::string_view name);
std::string_view name_of(Format format);
bool is_readable(Format format);
// By the ending of a file name, .gz and .zst taken off; nothing when it tells nothing.
std::optional<Format> format_of_file(std::string_view path);

// By the first bytes of a file, when they can be nothing else: nothing is told of running text or
// of words separated by blanks. A file without anything in it is CoNLL-U.
std::optional<Format> format_of_bytes(std::string_view beginning);

// By the ending of the name, else by a look at the first bytes, which stay to be read. Throws
// usage_error when neither tells. `wait_for_more` false: the first line must do, because
// whoever writes the input waits for an answer.
Format guess_format(Input& input, bool wait_for_more = true);

struct WriteOptions {
  PtbWriteOptions ptb;
  TextWriteOptions text;
  DrawingOptions drawing;
};

// Throws usage_error for a format that can only be written.
std::unique_ptr<Reader> make_reader(Format format, const Limits& limits = {});
std::unique_ptr<Writer> make_writer(Format format, const WriteOptions& options = {});

}  // namespace copse
