// Files that the steps of a long training leave behind, each under a key of what it was made from.
#pragma once

#include <functional>
#include <string>

namespace copse {

class KeptParts {
 public:
  // Made if it is not there. Throws machine_error if it cannot be.
  explicit KeptParts(std::string folder);

  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  // The path of a file that was made from `key`, by an earlier training or now: make(path). Says
  // whether it was there already.
  struct Part {
    std::string path;
    bool kept = false;
  };
  Part get(const std::string& name, const std::string& key,
           const std::function<void(const std::string& path)>& make) const;
  // Removes the folder with all that was made.
  void remove() const;

 private:
  std::string folder_;
};

// The checksum of a file's bytes, unpacked; "none" for no file.
std::string checksum_of_file(const std::string& path);

}  // namespace copse
