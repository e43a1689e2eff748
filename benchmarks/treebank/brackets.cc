// Bytes per second of the bracket reader: finding whole trees (serial in a stream) and parsing
// them (parallel), beside a plain count of the brackets of the same bytes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "copse/base/input.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/phrase_to_dependency.h"
#include "copse/treebank/ptb.h"

namespace copse {
namespace {

// About four megabytes of the fixture treebank, over and over.
const Block& sample() {
  static const Block block = [] {
    Input input = Input::open(COPSE_SOURCE_DIR "/fixtures/english.mrg");
    const std::string once = input.read_all(std::size_t{1} << 20);
    Block filled;
    while (filled.bytes.size() < std::size_t{4} << 20) filled.bytes += once;
    return filled;
  }();
  return block;
}

void report_bytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(sample().bytes.size()));
}

void count_brackets(benchmark::State& state) {
  const std::string& bytes = sample().bytes;
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::count(bytes.begin(), bytes.end(), '('));
  }
  report_bytes(state);
}
BENCHMARK(count_brackets);

void cut_trees(benchmark::State& state) {
  const auto reader = make_ptb_reader({});
  for (auto _ : state) benchmark::DoNotOptimize(reader->cut(sample().bytes, 0));
  report_bytes(state);
}
BENCHMARK(cut_trees);

void parse_trees(benchmark::State& state) {
  const auto reader = make_ptb_reader({});
  for (auto _ : state) benchmark::DoNotOptimize(reader->parse(sample()));
  report_bytes(state);
}
BENCHMARK(parse_trees);

void write_trees(benchmark::State& state) {
  const Parsed parsed = make_ptb_reader({})->parse(sample());
  const auto writer = make_ptb_writer();
  std::string out;
  for (auto _ : state) {
    out.clear();
    for (const ReadItem& item : parsed.items) writer->write(item.entry, out);
    benchmark::DoNotOptimize(out.data());
  }
  report_bytes(state);
}
BENCHMARK(write_trees);

void clean_trees(benchmark::State& state) {
  const Parsed parsed = make_ptb_reader({})->parse(sample());
  for (auto _ : state) {
    for (const ReadItem& item : parsed.items) benchmark::DoNotOptimize(clean(item.entry.tree));
  }
  report_bytes(state);
}
BENCHMARK(clean_trees);

void convert_to_dependencies(benchmark::State& state) {
  const Parsed parsed = make_ptb_reader({})->parse(sample());
  const HeadRules rules = HeadRules::builtin("yamada-matsumoto");
  for (auto _ : state) {
    for (const ReadItem& item : parsed.items) {
      benchmark::DoNotOptimize(dependencies_from_tree(item.entry.tree, rules));
    }
  }
  report_bytes(state);
}
BENCHMARK(convert_to_dependencies);

}  // namespace
}  // namespace copse
