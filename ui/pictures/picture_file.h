// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "media/picture_processor.h"

#include <QByteArray>
#include <QString>

#include <string>

namespace attn::ui {

// Whether a file begins as a picture does, also as one of a kind that is not decoded, or has the ending of one.
bool looksLikePicture(const std::string& path);

// Bytes of a file, as many as are read of a picture at most. Throws Error{File, Input} naming it.
QByteArray pictureBytes(const std::string& path);

// PNG, JPEG, WebP, GIF (of animated ones the first frame), BMP and PNM; nothing else is given to a decoder. Sizes are
// checked before anything is decoded (resources/documentation/formats.md section 4). Of JPEGs in CMYK and PGMs of 16
// bits, which Qt's readers round down, values may be one less than they should. Throws Error{File, Format, Input,
// Unsupported, Resource} naming the file.
PictureFile readPictureFile(const std::string& path);

// The same of bytes; `where` names them in errors.
PictureFile decodePicture(const QByteArray& bytes, const std::string& where);

} // namespace attn::ui
