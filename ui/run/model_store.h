// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/seen_file.h"
#include "loading/model_loader.h"

#include <QString>

#include <cstdint>
#include <deque>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace attn::ui {

// The last few models that were loaded, as far as they are small, so that going back to one costs nothing. Used on the
// inference thread only.
class ModelStore
{
public:
    // A model that is loaded already is taken whatever has become of its files, so that the runs of a study are of one
    // model; or only while they are those that it was made of, as somebody expects who opens it. What cannot be loaded
    // leaves what was loaded before.
    enum class Reuse : std::uint8_t { Always, Unchanged };

    std::shared_ptr<const LoadedModel> load(const std::string& nameOrPath, Engine& engine,
                                            const ProgressCallback& progress, const std::stop_token& stop,
                                            Reuse reuse = Reuse::Always);
    // In the place of what is loaded by this name.
    void keep(const std::string& nameOrPath, std::shared_ptr<const LoadedModel> model);
    bool holds(const SequenceModel& model) const;

private:
    struct Entry
    {
        std::string name; // that it was loaded by last
        std::string path;
        std::shared_ptr<const LoadedModel> model;
    };

    const Entry* find(const std::string& nameOrPath) const; // null: it is not loaded
    void put(Entry entry);

    std::deque<Entry> m_models; // most recent first
};

// SHA-256 of these files' bytes, one file after the other, in hexadecimal digits; empty where one cannot be read or is
// not any more as it was seen. Throws Error{Cancelled}.
QString weightsSha256(const std::vector<SeenFile>& files, const std::stop_token& stop = {});

} // namespace attn::ui
