#include "copse/model/model_file.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>

#include "copse/base/mapped_file.h"
#include "copse/base/output.h"
#include "copse/base/version.h"

namespace copse {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is mapped as it is");

constexpr std::array<char, 8> kMagic = {'\x89', 'c', 'o', 'p', 's', 'e', '\r', '\n'};
constexpr std::size_t kAlignment = 64;
constexpr std::uint32_t kMaxSections = 4096;
constexpr std::size_t kLongestName = 39;
constexpr int kDeepestConfig = 64;

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

std::string_view padding_after(std::size_t size) {
  static constexpr std::array<char, kAlignment> kZeros{};
  return {kZeros.data(), padded(size) - size};
}

std::uint64_t checksum(const void* data, std::size_t size) {
  return XXH3_64bits(data, size);
}

// The same as over one block that holds the section and its padding.
std::uint64_t checksum_with_padding(std::string_view section) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       XXH3_freeState);
  if (!state) throw std::bad_alloc();
  const std::string_view padding = padding_after(section.size());
  XXH3_64bits_reset(state.get());
  XXH3_64bits_update(state.get(), section.data(), section.size());
  XXH3_64bits_update(state.get(), padding.data(), padding.size());
  return XXH3_64bits_digest(state.get());
}

// Names appear in messages: nothing in them may steer a terminal.
bool is_section_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
}

// A JSON object; null when the text is anything else or nested so deeply that code which walks it
// might run out of stack.
nlohmann::json parse_config(std::string_view text) {
  bool too_deep = false;
  const auto watch = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    too_deep = too_deep || depth > kDeepestConfig;
    return !too_deep;
  };
  auto config = nlohmann::json::parse(text, watch, false);
  return config.is_object() && !too_deep ? config : nlohmann::json();
}

// Checks a file from its first byte on; each failure has a sentence of its own.
class Opener {
 public:
  Opener(std::span<const std::byte> bytes, const std::string& name, bool checked)
      : bytes_(bytes), name_(name), checked_(checked) {}

  std::vector<ModelFile::Section> sections() {
    check_header();
    std::vector<ModelFile::Section> sections;
    std::uint64_t expected = sizeof header_ + header_.sections * sizeof(TableRow);
    for (std::size_t i = 0; i < header_.sections; ++i) {
      TableRow row;
      std::memcpy(&row, bytes_.data() + sizeof header_ + i * sizeof row, sizeof row);
      sections.push_back(section(row, expected));
      expected = row.offset + padded(row.size);
    }
    if (expected != bytes_.size()) throw failure("it has bytes that belong to no section");
    check_names_differ(sections);
    return sections;
  }

 private:
  Error failure(std::string_view what, std::string hint = {}) const {
    return data_error(fmt::format("damaged model: {}", what), {name_}, std::move(hint));
  }
  // `wanted` says how many bytes there should be.
  Error truncated(const std::string& wanted) const {
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
    if (bytes_.size() < sizeof header_) throw truncated("at least 64");
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    if (header_.header_checksum != checksum(&header_, 32)) throw failure("its header was changed");
    if (header_.format > kModelFormat) {
      throw data_error(fmt::format("the model has format {}; copse {} reads up to format {}",
                                   header_.format, version(), kModelFormat),
                       {name_}, "use a newer copse, or train the model with this one");
    }
    if (header_.format == 0 || std::ranges::any_of(header_.zero, [](char c) { return c != 0; })) {
      throw failure("its header was changed");
    }
    if (bytes_.size() < header_.file_size) throw truncated(std::to_string(header_.file_size));
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
    if (!is_section_name(name)) throw failure("a section has no proper name");
    const std::uint64_t room = bytes_.size() - std::min<std::uint64_t>(row.offset, bytes_.size());
    if (row.offset != expected_offset || row.size > room || padded(row.size) > room) {
      throw failure(fmt::format("section '{}' lies outside of the file", name));
    }
    const std::byte* const begin = bytes_.data() + row.offset;
    if (!checked_ && checksum(begin, padded(row.size)) != row.checksum) {
      throw failure(fmt::format("section '{}' was changed (its checksum differs)", name),
                    "copy or download it again");
    }
    return {std::move(name), {begin, row.size}};
  }

  void check_names_differ(std::span<const ModelFile::Section> sections) const {
    std::vector<std::string_view> names;
    for (const ModelFile::Section& section : sections) names.push_back(section.name);
    std::ranges::sort(names);
    if (const auto twin = std::ranges::adjacent_find(names); twin != names.end()) {
      throw failure(fmt::format("two sections are named '{}'", *twin));
    }
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
  bool checked_;  // the sections are under a checksum that was looked at
  Header header_{};
};

}  // namespace

ModelWriter::ModelWriter(std::string_view kind, const nlohmann::json& rest) {
  if (!rest.is_object() && !rest.is_null()) {
    throw usage_error("the configuration of a model must be a JSON object");
  }
  nlohmann::json config = rest;
  config["kind"] = kind;
  add("config", config.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void ModelWriter::add(std::string_view name, std::string bytes) {
  if (!is_section_name(name)) {
    throw usage_error(
        fmt::format("'{}' cannot name a section of a model; expected 1 to {} "
                    "printable characters",
                    name, kLongestName));
  }
  if (std::ranges::find(sections_, name, &Section::name) != sections_.end()) {
    throw usage_error(fmt::format("a model has one section named '{}' already", name));
  }
  if (sections_.size() == kMaxSections) {
    throw usage_error(fmt::format("a model has at most {} sections", kMaxSections));
  }
  sections_.push_back({std::string(name), std::move(bytes)});
}

void ModelWriter::add_strings(std::string_view name, std::span<const std::string> values) {
  std::string text;
  for (const std::string& value : values) {
    if (value.find('\n') != std::string::npos) {
      throw data_error(fmt::format("a string for section '{}' contains a line feed", name));
    }
    text += value;
    text += '\n';
  }
  add(name, std::move(text));
}

std::string ModelWriter::head() const {
  std::vector<TableRow> table;
  std::size_t offset = sizeof(Header) + sections_.size() * sizeof(TableRow);
  for (const Section& section : sections_) {
    TableRow row{};
    section.name.copy(row.name.data(), kLongestName);
    row.offset = offset;
    row.size = section.bytes.size();
    row.checksum = checksum_with_padding(section.bytes);
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
  return bytes;
}

std::string ModelWriter::bytes() const {
  std::string bytes = head();
  for (const Section& section : sections_) {
    bytes += section.bytes;
    bytes += padding_after(section.bytes.size());
  }
  return bytes;
}

void ModelWriter::save(const std::string& path) const {
  Output output = Output::open(path);
  output.write(head());
  for (const Section& section : sections_) {
    output.write(section.bytes);
    output.write(padding_after(section.bytes.size()));
  }
  output.commit();
}

ModelFile ModelFile::open(const std::string& path) {
  auto file = std::make_shared<MappedFile>(MappedFile::open(path));
  const auto bytes = file->bytes();
  return ModelFile(std::move(file), bytes, path);
}

ModelFile ModelFile::from_bytes(std::string_view bytes, const std::string& name) {
  // Sections are aligned relative to the file, so the copy is aligned too.
  struct Aligned {
    explicit Aligned(std::string_view from)
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

ModelFile ModelFile::nested(std::string_view name) const {
  return ModelFile(owner_, section(name), fmt::format("{}:{}", name_, name), Checked::yes);
}

ModelFile::ModelFile(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                     std::string name, Checked checked)
    : name_(std::move(name)), bytes_(bytes), owner_(std::move(owner)) {
  sections_ = Opener(bytes, name_, checked == Checked::yes).sections();
  nlohmann::json config = parse_config(text("config"));
  if (!config.contains("kind") || !config["kind"].is_string()) {
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
