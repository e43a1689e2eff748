// The program itself: any bytes as a file, and a command over them. The first byte chooses it.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "copse/cli/program.h"
#include "fuzz/promise.h"
#include "fuzz/small_models.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

// A folder with a small model of every kind, gone at the end.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("copse-fuzz-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
    for (const std::string_view kind : kModelKinds) put(std::string(kind), small_model(kind));
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string name(const std::string& file) const { return (path_ / file).string(); }
  void put(const std::string& file, std::string_view bytes) const {
    std::ofstream(path_ / file, std::ios::binary) << bytes;
  }
  bool has_temporary_files() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() == ".tmp") return true;
    }
    return false;
  }

 private:
  std::filesystem::path path_;
};

// @NAME is a file of the folder, @in the bytes.
constexpr std::array<std::string_view, 29> kCommands = {
    "convert --from conllu --to conllx @in",
    "convert --from conllu --to columns @in",
    "convert --from conllu --projectivise head @in",
    "convert --from conllu --best-projective --to json @in",
    "convert --from conllx --to conllu @in",
    "convert --from ptb --to conllu --heads collins @in",
    "convert --from ptb --to text @in",
    "convert --from json --to ptb @in",
    "convert --from columns --to conllu @in",
    "convert --from text --to json @in",
    "convert @in",
    "stats @in",
    "view --from conllu @in",
    "eval dependency --gold @in --system @in",
    "eval constituency --gold @in --system @in --json",
    "eval conll18 --gold @in --system @in",
    "tokenize -m @tokenizer @in",
    "tag -m @tagger --from conllu @in",
    "tag -m @entities --from columns --to columns @in",
    "tag -m @maxent-tagger --nbest 3 --column upos --from text @in",
    "parse -m @dependency --from conllu --constraints @in",
    "parse -m @crossing --from conllu --certificate @in",
    "parse -m @constituency --from text @in",
    "nbest --lists @in --to text",
    "rerank -m @linear-kernel @in",
    "rerank -m @tree-kernel-votes @in",
    "explain -m @hidden --values @in",
    "rerank -m @mixture --show json @in",
    "info @in",
};

int run(std::string_view command, const Folder& folder) {
  std::vector<std::string> words{"copse"};
  while (!command.empty()) {
    const std::size_t end = std::min(command.find(' '), command.size());
    std::string word(command.substr(0, end));
    if (word.starts_with('@')) word = folder.name(word.substr(1));
    words.push_back(std::move(word));
    command.remove_prefix(std::min(end + 1, command.size()));
  }
  words.insert(words.end(), {"-q", "--threads", "1"});
  if (words[1] != "stats" && words[1] != "eval" && words[1] != "info") {
    words.insert(words.end(), {"-o", folder.name("out")});
  }
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return run_program(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

void commands(std::string_view bytes) {
  if (bytes.empty()) return;
  static const Folder folder;
  folder.put("in", bytes.substr(1));
  const int code = run(kCommands[static_cast<unsigned char>(bytes[0]) % kCommands.size()], folder);
  promise(code == 0 || code == 1 || code == 2, "a file is fine, bad, or not for this command");
  promise(!folder.has_temporary_files(), "no temporary file is left");
}

}  // namespace copse::fuzz
