// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <string>
#include <string_view>

namespace attn::ui {

// What is looked at in files of pictures before a decoder reads them. All throw Error{Format} naming `where`.

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
