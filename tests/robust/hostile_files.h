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

// Set of files from a stranger, what is opened of them (a file, or "" for the folder), and how that must end.
struct HostileSet
{
    std::string name;
    std::string opened;
    Files files;
    std::vector<std::string> blamed = {}; // one of these files is named by the error
    std::string field = {}; // named, too, where the error is in config.json
    bool opens = true;
};

// Sets without a fault, one for each kind of file that is read, and the files in them that are worth damaging.
std::vector<std::pair<HostileSet, std::vector<std::string>>> goodSets();

// A file of tests/data.
Bytes testData(const std::string& name);

// Good sets, cut short at every sixteenth, with a byte inverted at every sixteenth, and with contradictions between
// the parts. The same every time.
std::vector<HostileSet> hostileSets();

} // namespace attn::test
