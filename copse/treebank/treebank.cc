#include "copse/treebank/treebank.h"

#include <utility>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/treebank/block_reader.h"

namespace copse {

std::vector<Entry> read_treebank(const std::string& path, const Limits& limits) {
  Input input = Input::open(path);
  const auto reader = make_reader(guess_format(input), limits);
  return read_all(input, *reader, limits);
}

std::vector<Entry> read_treebank(const std::string& path, Format format, const Limits& limits) {
  const auto reader = make_reader(format, limits);
  Input input = Input::open(path);
  return read_all(input, *reader, limits);
}

void write_treebank(const std::string& path, const std::vector<Entry>& entries, Format format,
                    const WriteOptions& options) {
  const auto writer = make_writer(format, options);
  Output output = Output::open(path);
  output.write(writer->begin());
  std::string text;
  for (const Entry& entry : entries) writer->write(entry, text);
  output.write(writer->needs_assembly() ? writer->assemble(std::move(text)) : text);
  output.write(writer->end());
  output.commit();
}

std::string to_string(const Entry& entry, Format format, const WriteOptions& options) {
  std::string text;
  make_writer(format, options)->write(entry, text);
  return text;
}

}  // namespace copse
