#include "copse/cli/cluster_views.h"

#include <fmt/core.h>

#include <cstdio>

#include "copse/base/error.h"
#include "copse/base/output.h"

namespace copse {

WordClusters read_clusters(const std::string& path, bool quiet) {
  Input input = Input::open(path);
  WordClusters clusters = WordClusters::read(input);
  if (clusters.duplicates() > 0 && !quiet) {
    fmt::print(stderr, "copse: warning: {}: {} lines repeat a word; the first one counts\n",
               input.name(), clusters.duplicates());
  }
  return clusters;
}

void map_words(const WordClusters& clusters, const WordForm& form,
               const std::vector<std::string>& texts, const std::string& output) {
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  Output file = Output::open(output);
  std::string out;
  std::string scratch;
  for (const std::string& path : texts) {
    Input input = Input::open(path);
    TextWords text(input);
    for (auto event = text.next(); event != TextWords::Event::end; event = text.next()) {
      if (event != TextWords::Event::line_end) {
        const auto cluster = event == TextWords::Event::too_long
                                 ? WordClusters::kNone
                                 : clusters.find(form.apply(text.word(), scratch));
        out += text.word();
        out += '\t';
        out += cluster == WordClusters::kNone ? "-" : clusters.bits(cluster);
      }
      out += '\n';
      if (out.size() >= kChunk) {
        file.write(out);
        out.clear();
      }
    }
  }
  file.write(out);
  file.commit();
}

void show_words(const WordClusters& clusters, const std::string& bits, const std::string& output) {
  if (bits.find_first_not_of("01") != std::string::npos) {
    throw usage_error(
        fmt::format("--show {}: expected the start of a bit string, such as 0110", bits));
  }
  const auto words = words_below(clusters, bits);
  if (words.empty()) throw data_error(fmt::format("no bit string starts with {}", bits));
  std::string out;
  for (const WordClusters::Word& word : words) {
    out += word.text;
    out += fmt::format("\t{}\t{}\n", word.count, clusters.bits(clusters.find(word.text)));
  }
  Output file = Output::open(output);
  file.write(out);
  file.commit();
}

}  // namespace copse
