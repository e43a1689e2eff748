// A piece of a string by offset, so that it survives moves and growth of the string it points
// into. Sentences and trees keep all their text in one buffer and hand out views of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse {

struct Slice {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;

  std::string_view in(std::string_view text) const { return text.substr(begin, size); }
};

// Appends `bytes` to `text` and returns where they are. `text` stays below 4 GiB: every reader
// limits the size of a sentence far below that (Limits in format.h).
inline Slice append_slice(std::string& text, std::string_view bytes) {
  const Slice slice{static_cast<std::uint32_t>(text.size()),
                    static_cast<std::uint32_t>(bytes.size())};
  text.append(bytes);
  return slice;
}

}  // namespace copse
