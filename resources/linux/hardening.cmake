# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# What compilers and linkers offer against faults of memory. tests/robust reads from the program whether it is there.
include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)

# Level 3 knows sizes that level 2 does not: GCC 12 with glibc 2.35.
set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_cxx_source_compiles("#include <cstring>
#if __USE_FORTIFY_LEVEL < 3
#error older
#endif
int main() {}" ATTN_HAS_FORTIFY_3)
unset(CMAKE_REQUIRED_FLAGS)
set(level $<IF:$<BOOL:${ATTN_HAS_FORTIFY_3}>,3,2>)
target_compile_options(attn_options INTERFACE -U_FORTIFY_SOURCE $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=${level}>
    -fPIE -fstack-protector-strong)

# Of these a processor or compiler may have none.
foreach(flag IN ITEMS -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "ATTN_HAS${flag}" has)
    check_cxx_compiler_flag(${flag} ${has})
    target_compile_options(attn_options INTERFACE $<$<BOOL:${${has}}>:${flag}>)
endforeach()

target_link_options(attn_options INTERFACE -pie LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
