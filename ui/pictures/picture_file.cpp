// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/picture_file.h"

#include "base/error.h"
#include "base/utf8.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QImageReader>
#include <QLoggingCategory>
#include <QStringList>
#include <QtEndian>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace attn::ui {

namespace {

constexpr qint64 largestFile = qint64{512} << 20; // bytes

// First bytes of files of a kind. '?' stands for any byte.
struct Beginning
{
    std::string_view bytes;
    const char* format = nullptr; // Qt's name; null: it is not decoded
    const char* name = nullptr; // then, for the message
};

using namespace std::string_view_literals;

constexpr Beginning beginnings[] = {
    {"\x89PNG\r\n\x1A\n"sv, "png"},
    {"\xFF\xD8\xFF"sv, "jpeg"},
    {"GIF87a"sv, "gif"},
    {"GIF89a"sv, "gif"},
    {"RIFF????WEBP"sv, "webp"},
    {"BM"sv, "bmp"},
    {"P1"sv, "pbm"},
    {"P4"sv, "pbm"},
    {"P2"sv, "pgm"},
    {"P5"sv, "pgm"},
    {"P3"sv, "ppm"},
    {"P6"sv, "ppm"},
    {"%PDF"sv, nullptr, "a PDF document"},
    {"8BPS"sv, nullptr, "a Photoshop document"},
    {"II*\0"sv, nullptr, "a TIFF picture or a raw photograph"},
    {"MM\0*"sv, nullptr, "a TIFF picture or a raw photograph"},
    {"????ftypavi"sv, nullptr, "an AVIF picture"},
    {"????ftyphei"sv, nullptr, "a HEIC picture"},
    {"????ftyphev"sv, nullptr, "a HEIC picture"},
    {"????ftypmif1"sv, nullptr, "a HEIC picture"},
    {"????ftypmsf1"sv, nullptr, "a HEIC picture"},
    {"????ftypcrx"sv, nullptr, "a raw photograph"},
    {"????ftyp"sv, nullptr, "a video"},
    {"\x1A\x45\xDF\xA3"sv, nullptr, "a video"},
    {"RIFF????AVI "sv, nullptr, "a video"},
    {"RIFF????WAVE"sv, nullptr, "a sound"},
};

bool beginsWith(std::string_view bytes, std::string_view beginning)
{
    return bytes.size() >= beginning.size()
        && std::equal(beginning.begin(), beginning.end(), bytes.begin(),
                      [](char expected, char found) { return expected == '?' || expected == found; });
}

[[noreturn]] void refuseFormat(const std::string& where, const std::string& what)
{
    throw Error(ErrorKind::Unsupported, where, fmt::format("is {}, which is not read", what), "save it as PNG or JPEG");
}

// Qt's name of a format that is decoded.
const char* formatOf(std::string_view bytes, const std::string& where)
{
    const auto found =
        std::ranges::find_if(beginnings, [&](const Beginning& one) { return beginsWith(bytes, one.bytes); });
    if (found != std::end(beginnings)) {
        if (found->format == nullptr)
            refuseFormat(where, found->name);
        return found->format;
    }
    if (bytes.empty())
        throw Error(ErrorKind::Format, where, "is empty");
    constexpr std::size_t looked = 4096;
    const std::string_view start = bytes.substr(0, looked);
    if (start.find("<svg") != std::string_view::npos)
        refuseFormat(where, "an SVG drawing");
    const bool isText = start.find('\0') == std::string_view::npos && validUtf8Prefix(start) + 4 > start.size();
    throw Error(ErrorKind::Format, where, isText ? "is a text, not a picture" : "is no picture of a kind that is read",
                "PNG, JPEG, WebP, GIF, BMP and PNM are read");
}

// Whether a JPEG goes on to its end marker; libjpeg fills what is missing with grey.
bool isWholeJpeg(std::string_view bytes)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    constexpr unsigned char endOfImage = 0xD9;
    constexpr unsigned char startOfScan = 0xDA;
    std::size_t i = 2;
    while (i + 1 < bytes.size()) {
        if (at(i) != 0xFF) { // of a scan, or of what a damaged file has there
            i = std::min(bytes.find('\xFF', i), bytes.size());
            continue;
        }
        const unsigned char marker = at(i + 1);
        if (marker == endOfImage)
            return true;
        const bool isAlone = marker == 0xFF || marker == 0 || (marker >= 0xD0 && marker <= 0xD7);
        if (isAlone) {
            i += marker == 0xFF ? 1 : 2;
            continue;
        }
        if (i + 3 >= bytes.size())
            return false;
        i += 2 + (std::size_t{at(i + 2)} << 8U) + at(i + 3);
        if (marker == startOfScan && i < bytes.size())
            i = std::min(bytes.find('\xFF', i), bytes.size());
    }
    return false;
}

// Whether all parts of a PNG are there, undamaged; libpng would say on standard error what is wrong with them.
bool isWholePng(std::string_view bytes)
{
    constexpr std::size_t signature = 8;
    constexpr std::size_t frame = 12; // length, type and checksum of a part
    const auto numberAt = [&](std::size_t i) { return qFromBigEndian<quint32>(bytes.data() + i); };
    for (std::size_t i = signature; bytes.size() - i >= frame;) {
        const std::size_t length = numberAt(i);
        if (length > bytes.size() - i - frame)
            return false;
        const std::string_view named = bytes.substr(i + 4, 4 + length);
        const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(named.data()), named.size()); // NOLINT
        if (sum != numberAt(i + frame - 4 + length))
            return false;
        if (named.starts_with("IEND"))
            return true;
        i += frame + length;
    }
    return false;
}

// An 8-bit value over white.
std::uint8_t overWhite(int value, int alpha)
{
    return static_cast<std::uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

int inEightBits(int value)
{
    return (value + 128) / 257;
}

Picture pixelsOf(const QImage& decoded)
{
    const bool isWide = decoded.depth() > 32 || decoded.format() == QImage::Format_Grayscale16;
    const bool isPlain = !isWide && !decoded.hasAlphaChannel();
    const QImage image = decoded.convertToFormat(isPlain      ? QImage::Format_RGB888
                                                     : isWide ? QImage::Format_RGBA64
                                                              : QImage::Format_ARGB32);
    const std::size_t width = 3 * static_cast<std::size_t>(image.width());
    Picture picture{image.width(), image.height(),
                    std::vector<std::uint8_t>(width * static_cast<std::size_t>(image.height()))};
    std::uint8_t* out = picture.rgb.data();
    const auto add = [&out](int red, int green, int blue, int alpha) {
        for (const int value : {red, green, blue})
            *out++ = overWhite(value, alpha);
    };
    for (int y = 0; y < image.height(); ++y) {
        if (isPlain) {
            out = std::copy_n(image.constScanLine(y), width, out);
            continue;
        }
        if (isWide) {
            const auto* const row = reinterpret_cast<const QRgba64*>(image.constScanLine(y)); // NOLINT
            for (int x = 0; x < image.width(); ++x)
                add(inEightBits(row[x].red()), inEightBits(row[x].green()), inEightBits(row[x].blue()),
                    inEightBits(row[x].alpha()));
        } else {
            const auto* const row = reinterpret_cast<const QRgb*>(image.constScanLine(y)); // NOLINT
            for (int x = 0; x < image.width(); ++x)
                add(qRed(row[x]), qGreen(row[x]), qBlue(row[x]), qAlpha(row[x]));
        }
    }
    return picture;
}

} // namespace

PictureFile decodePicture(const QByteArray& bytes, const std::string& where)
{
    const std::string_view view(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    const char* const format = formatOf(view, where);
    // The readers warn of harmless oddities, too, such as unusual colour profiles.
    QLoggingCategory::setFilterRules(QStringLiteral("qt.gui.imageio*=false\nqt.gui.icc*=false"));
    QBuffer buffer;
    buffer.setData(bytes);
    buffer.open(QIODevice::ReadOnly);
    constexpr int allocationLimit = 1024; // MiB; what is above the size limit has been refused before
    QImageReader::setAllocationLimit(allocationLimit);
    QImageReader reader(&buffer, format);
    reader.setAutoDetectImageFormat(false);
    reader.setAutoTransform(true);
    const auto refuse = [&] {
        if (reader.error() == QImageReader::UnsupportedFormatError)
            throw Error(ErrorKind::Unsupported, where,
                        fmt::format("is {}, and Qt's reader of it is not installed", format),
                        "install qt6-image-formats-plugins, or save it as PNG");
        throw Error(ErrorKind::Format, where, fmt::format("is a {} file that is damaged or cut off", format),
                    "get the file again");
    };
    const QSize size = reader.size();
    if (!size.isValid())
        refuse();
    requirePictureSize(size.width(), size.height(), where);
    if ((std::string_view(format) == "jpeg" && !isWholeJpeg(view))
        || (std::string_view(format) == "png" && !isWholePng(view)))
        refuse();
    const QImage image = reader.read();
    if (image.isNull())
        refuse();
    requirePictureSize(image.width(), image.height(), where);
    return {pixelsOf(image), QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString()};
}

bool looksLikePicture(const std::string& path)
{
    static const QStringList endings{QStringLiteral("png"),  QStringLiteral("jpg"),  QStringLiteral("jpeg"),
                                     QStringLiteral("webp"), QStringLiteral("gif"),  QStringLiteral("bmp"),
                                     QStringLiteral("svg"),  QStringLiteral("heic"), QStringLiteral("avif")};
    const QString name = QString::fromStdString(path);
    if (endings.contains(QFileInfo(name).suffix().toLower()))
        return true;
    constexpr qint64 looked = 16;
    QFile file(name);
    const QByteArray start = file.open(QIODevice::ReadOnly) ? file.read(looked) : QByteArray();
    const std::string_view view(start.constData(), static_cast<std::size_t>(start.size()));
    return std::ranges::any_of(beginnings, [&](const Beginning& one) {
        return one.bytes.size() > 2 && one.format != nullptr && beginsWith(view, one.bytes);
    });
}

QByteArray pictureBytes(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    const auto refuse = [&] { throw Error(ErrorKind::File, path, file.errorString().toStdString(), "check the path"); };
    if (!file.open(QIODevice::ReadOnly))
        refuse();
    if (file.size() > largestFile)
        throw Error(ErrorKind::Input, path, "has more than the 512 MB that are read of a picture", "make it smaller");
    const QByteArray bytes = file.read(largestFile);
    if (file.error() != QFileDevice::NoError)
        refuse();
    return bytes;
}

PictureFile readPictureFile(const std::string& path)
{
    return decodePicture(pictureBytes(path), path);
}

} // namespace attn::ui
