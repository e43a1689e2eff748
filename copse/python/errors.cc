#include "copse/python/errors.h"

#include "copse/base/stop.h"

namespace copse::python {
namespace {

constexpr const char* kErrorText =
    R"doc(Something that copse cannot do: bad data, a wrong request, or the machine.

``str(error)`` is the whole sentence. ``message`` is without the place, ``file``, ``line`` and
``column`` are the place (None where it is not known), ``hint`` says how to mend it, ``kind`` is
"data", "usage" or "machine".

>>> try:
...     list(copse.read_string("1\tdogs\n", "conllu", name="my.conllu"))
... except copse.Error as error:
...     print(error.file, error.line, error.kind)
my.conllu 1 data
)doc";
constexpr const char* kStoppedText = "The time that was given is up, or the work was called off.";

const char* kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::data:
      return "data";
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::machine:
      return "machine";
  }
  return "";
}

py::object number_or_none(std::size_t number) {
  return number == 0 ? py::object(py::none()) : py::object(py::int_(number));
}
py::object text_or_none(const std::string& text) {
  return text.empty() ? py::object(py::none()) : py::object(py::str(text));
}

py::object class_named(const char* name) {
  return py::module_::import("copse._copse").attr(name);
}

py::object made(const py::object& type, const Error& error) {
  py::object object = type(std::string(error.what()));
  object.attr("message") = error.message();
  object.attr("kind") = kind_name(error.kind());
  object.attr("hint") = text_or_none(error.hint());
  object.attr("file") = text_or_none(error.place().file);
  object.attr("line") = number_or_none(error.place().line);
  object.attr("column") = number_or_none(error.place().column);
  return object;
}

void raise(const py::object& type, const Error& error) {
  PyErr_SetObject(type.ptr(), made(type, error).ptr());
}

}  // namespace

py::object error_object(const Error& error) {
  return made(class_named("Error"), error);
}

void Callbacks::call_off() {
  throw Stopped("the caller has called it off");
}

void bind_errors(py::module_& module) {
  const auto add = [&](const char* name, const char* text, PyObject* base) {
    const std::string full = std::string("copse.") + name;
    const auto type = py::reinterpret_steal<py::object>(
        PyErr_NewExceptionWithDoc(full.c_str(), text, base, nullptr));
    if (!type) throw py::error_already_set();
    module.attr(name) = type;
    return type;
  };
  const py::object base = add("Error", kErrorText, PyExc_Exception);
  add("Stopped", kStoppedText, base.ptr());
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const Stopped& stopped) {
      raise(class_named("Stopped"), stopped);
    } catch (const Error& error) {
      raise(class_named("Error"), error);
    }
  });
}

}  // namespace copse::python
