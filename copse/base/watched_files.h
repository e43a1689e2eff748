// The files that are mapped into memory. One that is changed where it lies while it is mapped takes
// the ground from under the program: what was checked when it was opened is no longer what is read,
// and pages beyond a new end cannot be read at all. Files are replaced, never changed, by Output;
// others may not know ("cp new.copse model.copse"). So each stays open, and it must be the same as at
// the beginning whenever something is read to be worked on (Input) or about to be kept (Output).
#pragma once

#include <string>

namespace copse {

class WatchedFiles {
 public:
  // Takes the open descriptor of a file; forget() closes it. Beyond 256 at a time files are not
  // watched: their number is negative. Thread-safe.
  static int add(int descriptor, const std::string& path);
  static void forget(int number);

  // The path of one that was changed, null if none was: another size, or time of writing. Safe in a
  // signal handler.
  static const char* changed() noexcept;
  // Throws a machine error that names it.
  static void check();
};

}  // namespace copse
