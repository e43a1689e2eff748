// The *.copse model file: one container for every component and for bundles of them.
//
//   offset  size
//        0     8   magic "\x89copse\r\n": damaged by any transfer that rewrites line ends
//        8     4   format version, little-endian like everything here
//       12     4   number of sections
//       16     8   size of the whole file
//       24     8   checksum (XXH3) of the section table
//       32     8   checksum of the 32 bytes before
//       40    24   zero
//       64   ...   section table, 64 bytes each: name (40 bytes, zero-padded), offset, size,
//                  checksum of the section with its padding; names differ
//      ...   ...   sections, each at a multiple of 64, padded with zeros to the next
//
// The section "config" is a JSON object: {"kind": ..., "provenance": {...}, ...}. Every byte of the
// file is under one of the checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "copse/base/error.h"

namespace copse {

inline constexpr std::uint32_t kModelFormat = 1;

class ModelWriter {
 public:
  // `kind` tells what the model is for ("tagger", "tokenizer", ...); `config` is an object or null.
  ModelWriter(std::string_view kind, const nlohmann::json& config);

  // Throws a usage error unless the name is new and has 1 to 39 printable ASCII characters.
  void add(std::string_view name, std::string bytes);
  template <class T>
  void add_array(std::string_view name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(name, std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  // Strings, one after the other, each ended by a line feed; throws data_error if one contains it.
  void add_strings(std::string_view name, std::span<const std::string> values);

  // The bytes of the file, and the file itself, which appears only when it is complete.
  std::string bytes() const;
  void save(const std::string& path) const;

 private:
  struct Section {
    std::string name;
    std::string bytes;
  };

  // Header and section table.
  std::string head() const;

  std::vector<Section> sections_;
};

class ModelFile {
 public:
  struct Section {
    std::string name;
    std::span<const std::byte> bytes;
  };

  // Maps the file and checks all of it. Throws data_error that says which of these it is: not a
  // model, a newer format, cut short, damaged and where.
  static ModelFile open(const std::string& path);
  // The same for bytes in memory, under a name for messages.
  static ModelFile from_bytes(std::string_view bytes, const std::string& name);
  // A model that is a section of this one, where it lies: nothing is copied, and the checksum over
  // the section has been looked at already. Its name is that of this file and of the section.
  // Throws as open() does.
  ModelFile nested(std::string_view section) const;

  const std::string& name() const { return name_; }
  std::size_t size() const { return bytes_.size(); }
  // All of the file.
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }
  const nlohmann::json& config() const { return *config_; }
  const std::string& kind() const { return kind_; }
  // Throws data_error naming both kinds when the model is of another kind.
  void require_kind(std::string_view kind) const;

  std::span<const Section> sections() const { return sections_; }
  bool has(std::string_view name) const;
  // Throws data_error when there is no such section.
  std::span<const std::byte> section(std::string_view name) const;
  std::string_view text(std::string_view name) const;
  template <class T>
  std::span<const T> array(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);
    const auto bytes = section(name);
    if (bytes.size() % sizeof(T) != 0) throw damaged(name, "is not made of whole elements");
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  std::vector<std::string> strings(std::string_view name) const;

  // An error about the contents of a section.
  Error damaged(std::string_view section, std::string_view what) const;
  // Keeps the bytes of all sections alive.
  std::shared_ptr<const void> owner() const { return owner_; }

 private:
  enum class Checked { no, yes };  // whether all bytes are known to be as they were written
  ModelFile(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, std::string name,
            Checked checked = Checked::no);

  std::string name_;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
  std::vector<Section> sections_;
  std::shared_ptr<const nlohmann::json> config_;
  std::string kind_;
};

}  // namespace copse
