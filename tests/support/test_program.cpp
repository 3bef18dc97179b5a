// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/test_program.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace {

std::map<std::string, attn::test::NamedTest::Main>& tests()
{
    static std::map<std::string, attn::test::NamedTest::Main> all;
    return all;
}

} // namespace

attn::test::NamedTest::NamedTest(const char* file, Main main)
{
    tests()[std::filesystem::path(file).stem().string()] = main;
}

int main(int argc, char** argv)
{
    if (const auto test = tests().find(argc > 1 ? argv[1] : ""); test != tests().end())
        return test->second(argc - 1, argv + 1);
    std::fputs("The first argument names a test:\n", stderr);
    for (const auto& [name, main] : tests())
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}
