#include "copse/cli/cluster_views.h"

#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/output.h"

namespace copse {
namespace {

using Json = nlohmann::json;
constexpr auto kReplace = Json::error_handler_t::replace;

Json as_json(const ClusterBranch& branch) {
  Json out = {{"bits", branch.bits},
              {"tokens", branch.tokens},
              {"words", branch.words},
              {"clusters", branch.clusters},
              {"examples", Json::array()}};
  for (const std::string_view word : branch.examples) out["examples"].push_back(std::string(word));
  for (const ClusterBranch& child : branch.children) out["branches"].push_back(as_json(child));
  return out;
}

}  // namespace

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
               const std::vector<std::string>& texts, const std::string& output, bool json) {
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  Output file = Output::open(output);
  std::string out;
  std::string scratch;
  Json line = Json::array();  // of the words of a line
  for (const std::string& path : texts) {
    Input input = Input::open(path);
    TextWords text(input);
    for (auto event = text.next(); event != TextWords::Event::end; event = text.next()) {
      if (event == TextWords::Event::line_end) {
        if (json) out += std::exchange(line, Json::array()).dump(-1, ' ', false, kReplace);
      } else {
        const auto cluster = event == TextWords::Event::too_long
                                 ? WordClusters::kNone
                                 : clusters.find(form.apply(text.word(), scratch));
        if (json) {
          Json& entry = line.emplace_back(Json{{"word", std::string(text.word())}});
          if (cluster != WordClusters::kNone) entry["bits"] = std::string(clusters.bits(cluster));
          continue;
        }
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

void show_words(const WordClusters& clusters, const std::string& bits, const std::string& output,
                bool json) {
  if (bits.find_first_not_of("01") != std::string::npos) {
    throw usage_error(
        fmt::format("--show {}: expected the start of a bit string, such as 0110", bits));
  }
  const auto words = words_below(clusters, bits);
  if (words.empty()) throw data_error(fmt::format("no bit string starts with {}", bits));
  std::string out;
  Json list = Json::array();
  for (const WordClusters::Word& word : words) {
    if (json) {
      list.push_back({{"word", std::string(word.text)},
                      {"count", word.count},
                      {"bits", std::string(clusters.bits(clusters.find(word.text)))}});
      continue;
    }
    out += word.text;
    out += fmt::format("\t{}\t{}\n", word.count, clusters.bits(clusters.find(word.text)));
  }
  if (json) out = list.dump(1, ' ', false, kReplace) + "\n";
  Output file = Output::open(output);
  file.write(out);
  file.commit();
}

std::string tree_json(const ClusterBranch& root) {
  return as_json(root).dump(1, ' ', false, kReplace) + "\n";
}

}  // namespace copse
