// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/archive_arrays.h"

#include "io/npz.h"
#include "trace/archive_json.h"
#include "trace/archive_names.h"

#include <algorithm>
#include <utility>

namespace attn {

ArchiveArrays::ArchiveArrays(const std::filesystem::path& path)
{
    if (path.extension() == ".json") {
        for (auto& [name, array] : arraysFromJson(path))
            m_arrays.emplace(name, NpyStream(std::move(array)));
        return;
    }
    m_npz = std::make_unique<NpzReader>(path);
    for (const std::string& name : m_npz->names()) {
        if (std::ranges::find(archiveNames, name) != std::end(archiveNames))
            m_arrays.emplace(name, *m_npz->open(name));
    }
}

ArchiveArrays::~ArchiveArrays() = default;

NpyStream* ArchiveArrays::find(const std::string& name)
{
    const auto found = m_arrays.find(name);
    return found == m_arrays.end() ? nullptr : &found->second;
}

} // namespace attn
