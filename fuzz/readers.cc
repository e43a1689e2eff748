// Readers: any bytes, in blocks of any size, give the same sentences; what is written is read
// back the same; unchanged columns come back byte for byte.
#include <string>
#include <vector>

#include "copse/base/input.h"
#include "copse/treebank/block_reader.h"
#include "copse/treebank/formats.h"
#include "fuzz/promise.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

struct Result {
  std::string text;  // good sentences written, bad ones as they are
  std::size_t sentences = 0;
  std::size_t errors = 0;
};

void take(const Reader& reader, const Block& block, const Writer& writer, Result& result) {
  const Parsed parsed = reader.parse(block);
  for (const ReadItem& item : parsed.items) {
    ++result.sentences;
    if (item.error) {
      ++result.errors;
      result.text += raw_bytes(block, item);
    } else {
      writer.write(item.entry, result.text);
    }
  }
}

Result read_whole(const Reader& reader, const Writer& writer, std::string_view bytes) {
  Result result;
  take(reader, {std::string(bytes), "fuzz", 1}, writer, result);
  return result;
}

Result read_in_blocks(const Reader& reader, const Writer& writer, std::string_view bytes,
                      std::size_t block) {
  Result result;
  Input input = Input::from_memory(std::string(bytes), "fuzz");
  BlockReader blocks(input, reader, small_limits(), block);
  while (const auto next = blocks.next()) take(reader, *next, writer, result);
  return result;
}

// Compressed bytes would be unpacked by Input; that is another target's business.
bool looks_compressed(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd");
}

// Whether a line end follows a bracket that was refused depends on where its block ends.
std::string compared(Format format, std::string text) {
  if (format == Format::ptb) std::erase(text, '\n');
  return text;
}

Result check_blocks(Format format, std::string_view bytes) {
  const auto reader = make_reader(format, small_limits());
  const auto writer = make_writer(format);
  const Result whole = read_whole(*reader, *writer, bytes);
  if (looks_compressed(bytes)) return whole;
  for (const std::size_t block : {1U, 7U, 64U}) {
    if (bytes.size() > block * 100) continue;  // many small blocks are slow and tell nothing new
    const Result parts = read_in_blocks(*reader, *writer, bytes, block);
    promise(compared(format, parts.text) == compared(format, whole.text),
            "blocks of any size give the same text");
    promise(parts.errors == whole.errors, "blocks of any size give the same errors");
  }
  return whole;
}

// Written text is read back without error and written the same.
void check_stable(Format format, const Result& whole) {
  if (whole.errors > 0) return;
  const auto reader = make_reader(format, small_limits());
  const Result again = read_whole(*reader, *make_writer(format), whole.text);
  promise(again.errors == 0, "what was written can be read");
  promise(again.text == whole.text, "what was read back is written the same");
  promise(again.sentences == whole.sentences, "no sentence appears or vanishes");
}

void through_json(Format format, std::string_view bytes) {
  const auto reader = make_reader(format, small_limits());
  const auto json = make_reader(Format::json, small_limits());
  const auto writer = make_writer(format);
  const auto json_writer = make_writer(Format::json);
  const Parsed parsed = reader->parse({std::string(bytes), "fuzz", 1});
  for (const ReadItem& item : parsed.items) {
    if (item.error) continue;
    if (item.entry.sentence.words() == 0 && item.entry.tree.empty()) continue;
    std::string line;
    json_writer->write(item.entry, line);
    const Parsed back = json->parse({line, "fuzz", 1});
    promise(back.items.size() == 1, "one sentence is one line of JSON");
    promise(!back.items[0].error, "JSON that was written can be read");
    promise(back.items[0].entry.sentence.words() == item.entry.sentence.words(),
            "JSON keeps the words");
    promise(back.items[0].entry.tree == item.entry.tree, "JSON keeps the tree");
  }
}

void conll(Format format, std::string_view bytes) {
  const Result whole = check_blocks(format, bytes);
  promise(whole.text == bytes, "unchanged columns come back byte for byte");
  through_json(format, bytes);
}

}  // namespace

void conllu(std::string_view bytes) {
  conll(Format::conllu, bytes);
}
void conllx(std::string_view bytes) {
  conll(Format::conllx, bytes);
}

void ptb(std::string_view bytes) {
  check_stable(Format::ptb, check_blocks(Format::ptb, bytes));
  through_json(Format::ptb, bytes);
}

void json(std::string_view bytes) {
  const Result whole = check_blocks(Format::json, bytes);
  check_stable(Format::json, whole);
}

void text(std::string_view bytes) {
  check_stable(Format::text, check_blocks(Format::text, bytes));
}

void columns(std::string_view bytes) {
  check_stable(Format::columns, check_blocks(Format::columns, bytes));
}

void compressed(std::string_view bytes) {
  constexpr std::size_t kLargest = std::size_t{8} << 20;
  try {
    Input::from_memory(std::string(bytes), "fuzz").read_all(kLargest);
  } catch (const Error& error) {
    promise(error.kind() == ErrorKind::data, "damaged data is a data error");
  }
}

}  // namespace copse::fuzz
