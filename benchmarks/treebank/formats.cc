// Reading a treebank into sentences and writing it back, one thread, in memory; beside it a plain
// copy of the same bytes and a count of its lines, as yardsticks of the machine.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>

#include "copse/base/utf8.h"
#include "copse/treebank/formats.h"
#include "copse/treebank/sampler.h"

namespace copse {
namespace {

// About 10 MB of a sampled treebank.
std::string treebank(Format format) {
  const Grammar grammar = Grammar::english();
  const auto writer = make_writer(format);
  std::string text;
  for (std::uint64_t i = 0; text.size() < 10'000'000; ++i) {
    writer->write(sample_sentence(grammar, {}, i), text);
  }
  return text;
}

void set_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

void copy_bytes(benchmark::State& state) {
  const std::string text = treebank(Format::conllu);
  std::string copy(text.size(), '\0');
  for ([[maybe_unused]] auto _ : state) {
    std::memcpy(copy.data(), text.data(), text.size());
    benchmark::DoNotOptimize(copy.data());
  }
  set_bytes(state, text.size());
}
BENCHMARK(copy_bytes)->Unit(benchmark::kMillisecond);

void count_lines(benchmark::State& state) {
  const std::string text = treebank(Format::conllu);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(std::count(text.begin(), text.end(), '\n'));
  }
  set_bytes(state, text.size());
}
BENCHMARK(count_lines)->Unit(benchmark::kMillisecond);

void validate_utf8(benchmark::State& state) {
  const std::string text = treebank(Format::conllu);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(find_invalid_utf8(text));
  set_bytes(state, text.size());
}
BENCHMARK(validate_utf8)->Unit(benchmark::kMillisecond);

void read_and_write(benchmark::State& state, Format format) {
  const std::string text = treebank(format);
  const auto reader = make_reader(format);
  const auto writer = make_writer(format);
  std::string out;
  for ([[maybe_unused]] auto _ : state) {
    // A megabyte at a time, as commands do.
    out.clear();
    for (std::size_t done = 0; done < text.size();) {
      std::string_view block = std::string_view(text).substr(done, 1 << 20);
      const std::size_t whole = reader->cut(block, 0);
      if (whole > 0 && done + block.size() < text.size()) block = block.substr(0, whole);
      for (const ReadItem& item : reader->parse({std::string(block), "", 1}).items) {
        if (item.error) state.SkipWithError("unusable sentence");
        writer->write(item.entry, out);
      }
      done += block.size();
    }
  }
  if (out != text) state.SkipWithError("the text came back changed");
  set_bytes(state, text.size());
}
BENCHMARK_CAPTURE(read_and_write, conllu, Format::conllu)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_and_write, conllx, Format::conllx)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_and_write, ptb, Format::ptb)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_and_write, json, Format::json)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_and_write, text, Format::text)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace copse
