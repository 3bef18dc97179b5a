// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/source_media.h"

#include <QByteArray>
#include <QString>

#include <string>

namespace attn::ui {

// A file of a picture, decoded.
struct DecodedPicture
{
    Picture picture; // 8-bit RGB, upright, over white (resources/documentation/formats.md section 4)
    std::string sha256; // of the bytes
};

// PNG, JPEG, WebP, GIF (of animated ones the first frame), BMP and PNM; nothing else is given to a decoder. Sizes are
// checked before anything is decoded. Throws Error{File, Format, Input, Unsupported, Resource} naming the file.
DecodedPicture readPictureFile(const std::string& path);

// The same of bytes; `where` names them in errors.
DecodedPicture decodePicture(const QByteArray& bytes, const std::string& where);

} // namespace attn::ui
