// Writing bytes to a file or to standard output. A file appears under its name only when it is
// complete: bytes go to a temporary file beside it, which commit() syncs and renames. Without
// commit() the temporary file is removed and what was there before stays.
#pragma once

#include <string>
#include <string_view>

#include "copse/base/error.h"

namespace copse {

// Whoever read standard output has enough of it ("| head"): the end of the work, not worth a word.
class BrokenPipe : public Error {
 public:
  explicit BrokenPipe(const Error& error) : Error(error) {}
};

class Output {
 public:
  // "-" is standard output. Devices and pipes are written directly. Throws a machine error when
  // the place cannot be written.
  static Output open(const std::string& path);

  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  // Throws a machine error when it cannot; BrokenPipe for standard output that nobody reads.
  void write(std::string_view bytes);
  void commit();

  // Throws what open() and commit() would throw for a place that cannot be written: before hours of
  // work rather than after them. Leaves nothing behind.
  static void check(const std::string& path);

  const std::string& name() const { return name_; }

 private:
  Output(int descriptor, std::string name, std::string target, std::string temporary);

  int descriptor_;
  std::string name_;
  std::string target_;  // empty unless writing through a temporary file
  std::string temporary_;
};

}  // namespace copse
