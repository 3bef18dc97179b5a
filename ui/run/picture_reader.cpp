// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/picture_reader.h"

#include "io/mapped_file.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace attn::ui {

PictureFile PictureReader::read(const std::string& path, const SessionInputs& kept, const Taken& taken)
{
    const auto known = kept.find(path);
    const bool isKept = known != kept.end() && known->second.bytes;
    if (isKept && m_last && known->second.sha256 == m_last->sha256)
        return *m_last;
    QByteArray bytes;
    if (isKept) {
        const std::vector<std::byte>& held = *known->second.bytes;
        bytes = QByteArray(reinterpret_cast<const char*>(held.data()), std::ssize(held)); // NOLINT: its bytes
    } else {
        bytes = pictureBytes(path);
    }
    m_last = decodePicture(bytes, path);
    if (!isKept && static_cast<std::size_t>(bytes.size()) <= largestInput) {
        const auto all = std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        taken({m_last->sha256, std::make_shared<const std::vector<std::byte>>(all.begin(), all.end())});
    }
    return *m_last;
}

ReadFiles keptFiles(const SessionInputs& kept)
{
    const auto nothing = [](const SessionInput&) {}; // they are kept where the run was made
    return {[kept, nothing](const std::string& path) { return PictureReader().read(path, kept, nothing); },
            [kept, nothing](const std::string& path) { return soundBytes(path, kept, nothing); }};
}

SessionBytes soundBytes(const std::string& path, const SessionInputs& kept, const PictureReader::Taken& taken)
{
    if (const auto known = kept.find(path); known != kept.end() && known->second.bytes)
        return known->second.bytes;
    const MappedFile file(path);
    const auto all = file.bytes();
    if (all.size() > largestInput)
        return nullptr;
    auto bytes = std::make_shared<const std::vector<std::byte>>(all.begin(), all.end());
    file.requireUnchanged();
    const QByteArray viewed = QByteArray::fromRawData(reinterpret_cast<const char*>(bytes->data()), // NOLINT: its bytes
                                                      std::ssize(*bytes));
    taken({QCryptographicHash::hash(viewed, QCryptographicHash::Sha256).toHex().toStdString(), bytes});
    return bytes;
}

} // namespace attn::ui
