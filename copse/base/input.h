// Reading bytes from a file or from standard input; .gz and .zst are unpacked on the way,
// recognised by their first bytes and not by the name.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace copse {

class Input {
 public:
  // "-" is standard input. Throws a machine error when the file cannot be read, which includes
  // directories.
  static Input open(const std::string& path);
  // The bytes themselves, under a name for messages.
  static Input from_memory(std::string bytes, std::string name);

  Input(Input&&) noexcept;
  Input& operator=(Input&&) noexcept;
  ~Input();

  // Fills as much of `buffer` as there is; less only at the end. Throws when reading fails or
  // compressed data is damaged or ends early.
  std::size_t read(std::span<char> buffer);
  // What there is at the moment, at least one byte unless the input has ended: for the other end
  // of a pipe that waits for an answer before it writes on.
  std::size_t read_some(std::span<char> buffer);
  // The next bytes without taking them away, for a look at what they are: `bytes` of them, fewer
  // only at the end, or, for peek_line, once a whole line is among them. A pipe can be opened only
  // once, so whoever must look into an input looks this way and never opens it twice.
  std::string_view peek(std::size_t bytes);
  std::string_view peek_line(std::size_t bytes);
  // Everything that is left, refused beyond `limit` bytes.
  std::string read_all(std::size_t limit);

  const std::string& name() const;  // for messages; "standard input" for "-"
  // Size of the file on disk and how much of it has been read, for progress bars; may be asked
  // while another thread reads.
  std::optional<std::size_t> file_size() const;
  std::size_t bytes_consumed() const;

 private:
  class Source;
  explicit Input(std::unique_ptr<Source> source);
  std::unique_ptr<Source> source_;
};

}  // namespace copse
