// The formatting engine behind fmt::format_to, compiled once. Other files include <fmt/core.h>,
// which only declares it. The shared library of fmt 9 holds a copy under the name that gcc gives
// it; clang spells the name of its third parameter differently and would not find it. Since fmt 10
// the library promises it to everyone.
#include <fmt/format.h>

#if FMT_VERSION < 100000
template void fmt::detail::vformat_to<char>(
    fmt::detail::buffer<char>&, fmt::basic_string_view<char>,
    fmt::basic_format_args<FMT_BUFFER_CONTEXT(fmt::type_identity_t<char>)>,
    fmt::detail::locale_ref);
#endif
