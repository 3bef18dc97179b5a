// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBuffer>
#include <QByteArray>
#include <QImage>
#include <QtEndian>

#include <vector>
#include <zlib.h>

namespace attn::test {

inline QByteArray encoded(const QImage& image, const char* format)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, format);
    return buffer.data();
}

// A picture that hardly shrinks when it is compressed.
inline QImage noise(int width, int height)
{
    QImage image(width, height, QImage::Format_RGB32);
    for (int i = 0; i < width * height; ++i)
        image.setPixel(i % width, i / width, static_cast<uint>(i) * 2654435761U);
    return image;
}

inline QByteArray bigEndian(quint32 value)
{
    QByteArray bytes(4, '\0');
    qToBigEndian(value, bytes.data());
    return bytes;
}

// Part of a PNG, with its length and sum.
inline QByteArray pngPart(const QByteArray& type, const QByteArray& data)
{
    const QByteArray named = type + data;
    const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(named.data()), static_cast<z_size_t>(named.size()));
    return bigEndian(static_cast<quint32>(data.size())) + named + bigEndian(static_cast<quint32>(sum));
}

// A PNG of 8-bit RGB: its header, other parts, and data that unpack to so many zeros.
inline QByteArray pngOf(quint32 width, quint32 height, qsizetype unpacked, const QByteArray& parts = {},
                        bool isInterlaced = false)
{
    constexpr int lengthBefore = 4; // Qt's
    const QByteArray packed = qCompress(QByteArray(unpacked, '\0')).sliced(lengthBefore);
    return QByteArray("\x89PNG\r\n\x1A\n")
        + pngPart("IHDR", bigEndian(width) + bigEndian(height) + QByteArray("\x08\x02\0\0", 4) + char(isInterlaced))
        + parts + pngPart("IDAT", packed) + pngPart("IEND", {});
}

// A file that is refused, and a word of the line that says so.
struct BadPicture
{
    const char* name = nullptr;
    QByteArray bytes;
    const char* said = nullptr;
};

inline std::vector<BadPicture> badPictures()
{
    const QByteArray png = encoded(noise(64, 64), "PNG");
    const QByteArray jpeg = encoded(noise(64, 64), "JPG");
    const qsizetype scan = jpeg.indexOf("\xFF\xDA");
    const auto media = [](const char* brand) -> QByteArray {
        return QByteArray("\0\0\0\x18"
                          "ftyp",
                          8)
            + brand + QByteArray(8, '\0');
    };
    return {
        {"text called .png", "a picture, believe me\n", "is a text"},
        {"nothing", {}, "empty"},
        {"zeros", QByteArray(100, '\0'), "no picture"},
        {"truncated PNG", png.first(png.size() / 2), "cut off"},
        {"PNG without its end", png.chopped(12), "cut off"},
        {"PNG with too few lines", pngOf(20, 20, 19 * 61), "cut off"},
        {"truncated JPEG", jpeg.first(jpeg.size() / 2), "cut off"},
        {"100 megapixels", pngOf(10000, 10000, 4), "10000 x 10000"},
        {"more than can be decoded", pngOf(12000, 9000, 4), "12000 x 9000"},
        {"30,000 x 1", pngOf(30000, 1, 4), "30000 x 1"},
        {"PNG bomb", pngOf(1, 1, qsizetype{64} << 20), "unpack to more than its header says"},
        {"JPEG bomb", jpeg.first(scan) + jpeg.sliced(scan).chopped(2).repeated(201) + jpeg.last(2), "scans"},
        {"SVG", "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"},
        {"HEIC", media("heic"), "HEIC"},
        {"AVIF", media("avif"), "AVIF"},
        {"PDF", "%PDF-1.7\n", "PDF"},
        {"TIFF", QByteArray("II*\0\x08\0\0\0", 8), "TIFF"},
    };
}

} // namespace attn::test
