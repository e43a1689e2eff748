// What Python code may give where the library wants a text, a path, sentences.
#pragma once

#include <string>
#include <vector>

#include "copse/python/bind.h"
#include "copse/treebank/formats.h"

namespace copse::python {

// str as UTF-8, bytes as they are. Throws TypeError.
std::string text_of(const py::handle& value);
// str, bytes or os.PathLike.
std::string text_or_path(const py::handle& value);
bool is_path(const py::handle& value);

// A Document, a Sentence, or any iterable of Sentences or of lists of words.
std::vector<Entry> entries_of(const py::handle& value);
// One of those that entries_of() takes.
Entry entry_of(const py::handle& value);
// A sentence of its own, with its places.
SentencePtr sentence_of(Entry entry);
// A sentence as a part of its document.
SentencePtr part_of(const DocumentPtr& document, std::size_t number);

// The text of an entry in a format, as UTF-8.
std::string written(const std::vector<Entry>& entries, Format format,
                    const WriteOptions& options = {});
// A str; bytes that are no UTF-8 become U+FFFD.
py::str str_of(std::string_view text);

// JSON text as Python objects, and an object as JSON text.
py::object from_json(const std::string& text);

// Throws TypeError for keyword arguments that nobody took.
void refuse(const py::dict& left, const std::vector<std::string>& known,
            const std::string& function);

}  // namespace copse::python
