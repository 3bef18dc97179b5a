// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inference/source_input.h"
#include "pictures/picture_file.h"
#include "session/session.h"

#include <functional>
#include <optional>
#include <string>

namespace attn::ui {

// Decodes the pictures of runs. The last one stays, so that runs on it decode it once. Used on the inference
// thread only.
class PictureReader
{
public:
    using Taken = std::function<void(SessionInput file)>;

    // From the bytes that are kept of a path, or else its file, which `taken` is then told. Throws what
    // decodePicture() throws.
    PictureFile read(const std::string& path, const SessionInputs& kept, const Taken& taken);

private:
    std::optional<PictureFile> m_last;
};

// Readers of files as answer() asks for them: from the bytes that are kept of a path, or else its file.
ReadFiles keptFiles(const SessionInputs& kept);

// The bytes of a sound's file, likewise; null: there are more than are kept.
SessionBytes soundBytes(const std::string& path, const SessionInputs& kept, const PictureReader::Taken& taken);

} // namespace attn::ui
