// Data by its checksum: what a model's record says of the files that it was learnt from. No time
// and no path, so that the same bytes give the same record anywhere.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace copse {

struct DataSource {
  std::string role;      // "train", "dev", "clusters"
  std::string name;      // of the file, without its folders
  std::string checksum;  // of its bytes, unpacked
  long sentences = 0;
  long words = 0;
};

// XXH3 of bytes that come in pieces.
class Checksum {
 public:
  Checksum();
  Checksum(Checksum&&) noexcept;
  Checksum& operator=(Checksum&&) noexcept;
  ~Checksum();

  void add(std::string_view bytes);
  // Of all that was added, as 16 hexadecimal digits.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The same of some bytes at once.
std::string checksum_text(std::string_view bytes);
// The last part of a path.
std::string file_name(std::string_view path);

}  // namespace copse
