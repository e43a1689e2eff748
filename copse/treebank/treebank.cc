#include "copse/treebank/treebank.h"

#include <fmt/core.h>

#include <istream>
#include <iterator>
#include <ostream>
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

std::vector<Entry> read_treebank(std::istream& in, Format format, const std::string& name,
                                 const Limits& limits) {
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw machine_error("the stream cannot be read", 0, {name, 0, 0});
  return parse_treebank(std::move(bytes), format, name, limits);
}

std::vector<Entry> parse_treebank(std::string bytes, Format format, const std::string& name,
                                  const Limits& limits) {
  const auto reader = make_reader(format, limits);
  Input input = Input::from_memory(std::move(bytes), name);
  return read_all(input, *reader, limits);
}

namespace {

std::string written(const std::vector<Entry>& entries, Format format, const WriteOptions& options) {
  const auto writer = make_writer(format, options);
  std::string text;
  for (const Entry& entry : entries) writer->write(entry, text);
  if (writer->needs_assembly()) text = writer->assemble(std::move(text));
  return writer->begin() + text + writer->end();
}

}  // namespace

void write_treebank(const std::string& path, const std::vector<Entry>& entries, Format format,
                    const WriteOptions& options) {
  Output output = Output::open(path);
  output.write(written(entries, format, options));
  output.commit();
}

void write_treebank(std::ostream& out, const std::vector<Entry>& entries, Format format,
                    const WriteOptions& options) {
  out << written(entries, format, options) << std::flush;
  if (!out) throw machine_error("the stream does not take the treebank");
}

std::string to_string(const Entry& entry, Format format, const WriteOptions& options) {
  std::string text;
  make_writer(format, options)->write(entry, text);
  return text;
}

}  // namespace copse
