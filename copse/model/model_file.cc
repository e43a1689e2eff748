#include "copse/model/model_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "copse/base/mapped_file.h"
#include "copse/base/output.h"
#include "copse/base/version.h"

namespace copse {
namespace {

constexpr std::array<char, 8> kMagic = {'\x89', 'c', 'o', 'p', 's', 'e', '\r', '\n'};
constexpr std::size_t kAlignment = 64;
constexpr std::uint32_t kMaxSections = 4096;

struct Header {
  std::array<char, 8> magic;
  std::uint32_t format;
  std::uint32_t sections;
  std::uint64_t file_size;
  std::uint64_t table_checksum;
  std::uint64_t header_checksum;  // of the 32 bytes before it
  std::array<char, 24> zero;
};
static_assert(sizeof(Header) == 64);

struct TableRow {
  std::array<char, 40> name;
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t checksum;
};
static_assert(sizeof(TableRow) == 64);

std::size_t padded(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

std::uint64_t checksum(const void* data, std::size_t size) {
  return XXH3_64bits(data, size);
}

// Checks a file from its first byte on; each failure has a sentence of its own.
class Opener {
 public:
  Opener(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::vector<ModelFile::Section> sections() {
    check_header();
    std::vector<TableRow> table(header_.sections);
    std::memcpy(table.data(), bytes_.data() + sizeof header_, table.size() * sizeof(TableRow));
    std::vector<ModelFile::Section> sections;
    std::uint64_t expected = padded(sizeof header_ + table.size() * sizeof(TableRow));
    for (const TableRow& row : table) {
      sections.push_back(section(row, expected));
      expected = row.offset + padded(row.size);
    }
    if (expected != bytes_.size()) throw failure("bytes that belong to no section");
    return sections;
  }

 private:
  Error failure(std::string_view what, std::string hint = {}) const {
    return data_error(fmt::format("damaged model: {}", what), {name_}, std::move(hint));
  }
  Error truncated(std::uint64_t wanted) const {
    return data_error(fmt::format("the model is cut short: {} bytes of {}", bytes_.size(), wanted),
                      {name_}, "copy or download it again");
  }

  void check_header() {
    const std::size_t shown = std::min(bytes_.size(), kMagic.size());
    if (bytes_.empty()) throw data_error("the file is empty; expected a copse model", {name_});
    if (std::memcmp(bytes_.data(), kMagic.data(), shown) != 0) {
      throw data_error("not a copse model: it does not begin like one", {name_},
                       "models are written by 'copse train'");
    }
    if (bytes_.size() < sizeof header_) throw truncated(sizeof header_);
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    if (header_.header_checksum != checksum(&header_, 32)) throw failure("its header was changed");
    if (header_.format > kModelFormat) {
      throw data_error(fmt::format("the model has format {}; copse {} reads up to format {}",
                                   header_.format, version(), kModelFormat),
                       {name_}, "use a newer copse, or train the model with this one");
    }
    if (std::ranges::any_of(header_.zero, [](char c) { return c != 0; })) {
      throw failure("its header was changed");
    }
    if (bytes_.size() < header_.file_size) throw truncated(header_.file_size);
    if (bytes_.size() > header_.file_size) {
      throw failure(fmt::format("{} bytes follow its end", bytes_.size() - header_.file_size));
    }
    const std::size_t table_size = std::size_t{header_.sections} * sizeof(TableRow);
    if (header_.sections > kMaxSections || table_size > bytes_.size() - sizeof header_ ||
        header_.table_checksum != checksum(bytes_.data() + sizeof header_, table_size)) {
      throw failure("its table of sections was changed");
    }
  }

  ModelFile::Section section(const TableRow& row, std::uint64_t expected_offset) const {
    const auto end = std::ranges::find(row.name, '\0');
    std::string name(row.name.begin(), end);
    const std::uint64_t room = bytes_.size() - std::min<std::uint64_t>(row.offset, bytes_.size());
    if (row.offset != expected_offset || row.size > room || padded(row.size) > room) {
      throw failure(fmt::format("section '{}' lies outside of the file", name));
    }
    const std::byte* const begin = bytes_.data() + row.offset;
    if (checksum(begin, padded(row.size)) != row.checksum) {
      throw failure(fmt::format("section '{}' was changed (its checksum differs)", name),
                    "copy or download it again");
    }
    return {std::move(name), {begin, row.size}};
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
  Header header_{};
};

}  // namespace

ModelWriter::ModelWriter(std::string_view kind, const nlohmann::json& rest) {
  nlohmann::json config = rest;
  config["kind"] = kind;
  add("config", config.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void ModelWriter::add(std::string_view name, std::string bytes) {
  sections_.push_back({std::string(name), std::move(bytes)});
}

void ModelWriter::add_strings(std::string_view name, std::span<const std::string> values) {
  std::string text;
  for (const std::string& value : values) {
    text += value;
    text += '\n';
  }
  add(name, std::move(text));
}

std::string ModelWriter::bytes() const {
  std::vector<TableRow> table;
  std::size_t offset = padded(sizeof(Header) + sections_.size() * sizeof(TableRow));
  std::string contents;
  for (const Section& section : sections_) {
    const std::size_t begin = contents.size();
    contents += section.bytes;
    contents.resize(begin + padded(section.bytes.size()), '\0');
    TableRow row{};
    section.name.copy(row.name.data(), row.name.size() - 1);
    row.offset = offset;
    row.size = section.bytes.size();
    row.checksum = checksum(contents.data() + begin, contents.size() - begin);
    offset += padded(section.bytes.size());
    table.push_back(row);
  }
  const std::size_t table_size = table.size() * sizeof(TableRow);
  Header header{};
  header.magic = kMagic;
  header.format = kModelFormat;
  header.sections = static_cast<std::uint32_t>(table.size());
  header.file_size = offset;
  header.table_checksum = checksum(table.data(), table_size);
  header.header_checksum = checksum(&header, 32);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes.append(reinterpret_cast<const char*>(table.data()), table_size);
  return bytes + contents;
}

void ModelWriter::save(const std::string& path) const {
  Output output = Output::open(path);
  output.write(bytes());
  output.commit();
}

ModelFile ModelFile::open(const std::string& path) {
  auto file = std::make_shared<MappedFile>(MappedFile::open(path));
  const auto bytes = file->bytes();
  return ModelFile(std::move(file), bytes, path);
}

ModelFile ModelFile::from_bytes(std::string bytes, const std::string& name) {
  // Sections are aligned relative to the file, so the copy is aligned too.
  struct Aligned {
    explicit Aligned(const std::string& from)
        : data(
              static_cast<std::byte*>(::operator new (from.size(), std::align_val_t{kAlignment}))) {
      std::memcpy(data, from.data(), from.size());
    }
    Aligned(const Aligned&) = delete;
    Aligned& operator=(const Aligned&) = delete;
    ~Aligned() { ::operator delete (data, std::align_val_t{kAlignment}); }
    std::byte* data;
  };
  auto copy = std::make_shared<Aligned>(bytes);
  const std::span<const std::byte> view(copy->data, bytes.size());
  return ModelFile(std::move(copy), view, name);
}

ModelFile::ModelFile(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                     std::string name)
    : name_(std::move(name)), size_(bytes.size()), owner_(std::move(owner)) {
  sections_ = Opener(bytes, name_).sections();
  auto config = nlohmann::json::parse(text("config"), nullptr, false);
  if (!config.is_object() || !config.contains("kind") || !config["kind"].is_string()) {
    throw damaged("config", "does not say what the model is");
  }
  kind_ = config["kind"].get<std::string>();
  config_ = std::make_shared<const nlohmann::json>(std::move(config));
}

void ModelFile::require_kind(std::string_view wanted) const {
  if (kind() != wanted) {
    throw data_error(fmt::format("this is a model of kind '{}'; expected '{}'", kind(), wanted),
                     {name_}, "'copse info MODEL' tells what a model is for");
  }
}

bool ModelFile::has(std::string_view name) const {
  return std::ranges::find(sections_, name, &Section::name) != sections_.end();
}

std::span<const std::byte> ModelFile::section(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  if (found == sections_.end()) throw damaged(name, "is missing");
  return found->bytes;
}

std::string_view ModelFile::text(std::string_view name) const {
  const auto bytes = section(name);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> ModelFile::strings(std::string_view name) const {
  std::string_view rest = text(name);
  std::vector<std::string> values;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) throw damaged(name, "does not end with a line end");
    values.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return values;
}

Error ModelFile::damaged(std::string_view section, std::string_view what) const {
  return data_error(fmt::format("damaged model: section '{}' {}", section, what), {name_});
}

}  // namespace copse
