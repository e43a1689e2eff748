# Script behind copse_embed: INPUT -> OUTPUT, a header with the bytes as a char array.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
string(REGEX REPLACE "(('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',))" "\\1\n" bytes "${bytes}")
get_filename_component(name ${INPUT} NAME)
file(WRITE ${OUTPUT} "// Generated from ${name}; do not edit.
#pragma once
#include <string_view>
namespace copse::embedded {
inline constexpr char ${SYMBOL}_bytes[] = {${bytes}'\\0'};
inline constexpr std::string_view ${SYMBOL}{${SYMBOL}_bytes, sizeof(${SYMBOL}_bytes) - 1};
}  // namespace copse::embedded
")
