// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/broken_files.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace attn::test {

// Files by name, relative to the folder that they are in.
using Files = std::map<std::string, Bytes>;

// What a stranger sends: the files, and what is opened of them (a file, or "" for the folder).
struct HostileSet
{
    std::string name;
    std::string opened;
    Files files;
};

// Sets without a fault, of every kind of file that is read, and which of their files are worth damaging.
std::vector<std::pair<HostileSet, std::vector<std::string>>> goodSets();

// A file of tests/data.
Bytes testData(const std::string& name);

// The same every time: good sets, cut short at every sixteenth, with a byte inverted at every sixteenth, and with
// contradictions between the parts.
std::vector<HostileSet> hostileSets();

} // namespace attn::test
