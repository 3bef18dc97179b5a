// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "media/picture_processor.h"

#include <QByteArray>
#include <QString>

#include <string>
#include <string_view>

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

// Checks of files of pictures before a decoder reads them. All throw Error{Format} naming `where`.

// A PNG of the parts that make its pixels; others may unpack to far more than these. They are undamaged, and its data
// unpack to the pixels that its header says: libpng would unpack whatever follows them.
QByteArray pixelParts(const QByteArray& bytes, const std::string& where);

// A JPEG goes on to its end marker, libjpeg fills what is missing with grey, and has no more scans than are in use:
// each goes over all of the picture.
void requireWholeJpeg(std::string_view jpeg, const std::string& where);

// How a PNG or WebP is to be turned, 1 to 8 as EXIF counts; 1 where nothing says so.
int orientationOf(std::string_view bytes, bool isPng);

// A damaged or cut off file of a format.
[[noreturn]] void refuseDamaged(const char* format, const std::string& where);

} // namespace attn::ui
