// The formatting engine behind fmt::format_to, compiled once. Other files include <fmt/core.h>,
// which only declares it. The shared library of fmt 9 holds a copy, but under the name gcc gives
// it: clang 14 mangles the type of the third parameter differently and does not find it there.
#include <fmt/format.h>

#if FMT_VERSION < 100000
template void fmt::detail::vformat_to<char>(
    fmt::detail::buffer<char>&, fmt::basic_string_view<char>,
    fmt::basic_format_args<FMT_BUFFER_CONTEXT(fmt::type_identity_t<char>)>,
    fmt::detail::locale_ref);
#endif
