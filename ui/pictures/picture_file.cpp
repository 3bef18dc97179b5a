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
#include <QTransform>

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <vector>

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

// An 8-bit value over white.
std::uint8_t overWhite(int value, int alpha)
{
    return static_cast<std::uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

int inEightBits(int value)
{
    return (value + 128) / 257;
}

// Some lines at a time, so that a large picture is not there in a third form.
Picture pixelsOf(const QImage& decoded)
{
    const bool isWide = decoded.depth() > 32 || decoded.format() == QImage::Format_Grayscale16;
    const bool isPlain = !isWide && !decoded.hasAlphaChannel();
    const std::size_t width = 3 * static_cast<std::size_t>(decoded.width());
    Picture picture{decoded.width(), decoded.height(),
                    std::vector<std::uint8_t>(width * static_cast<std::size_t>(decoded.height()))};
    std::uint8_t* out = picture.rgb.data();
    const auto add = [&out](int red, int green, int blue, int alpha) {
        for (const int value : {red, green, blue})
            *out++ = overWhite(value, alpha);
    };
    constexpr int linesAtOnce = 64;
    QImage image;
    for (int y = 0; y < decoded.height(); ++y) {
        const int line = y % linesAtOnce;
        if (line == 0)
            image = decoded.copy(0, y, decoded.width(), std::min(linesAtOnce, decoded.height() - y))
                        .convertToFormat(isPlain      ? QImage::Format_RGB888
                                             : isWide ? QImage::Format_RGBA64
                                                      : QImage::Format_ARGB32);
        if (isPlain) {
            out = std::copy_n(image.constScanLine(line), width, out);
        } else if (isWide) {
            const auto* const row = reinterpret_cast<const QRgba64*>(image.constScanLine(line)); // NOLINT
            for (int x = 0; x < image.width(); ++x)
                add(inEightBits(row[x].red()), inEightBits(row[x].green()), inEightBits(row[x].blue()),
                    inEightBits(row[x].alpha()));
        } else {
            const auto* const row = reinterpret_cast<const QRgb*>(image.constScanLine(line)); // NOLINT
            for (int x = 0; x < image.width(); ++x)
                add(qRed(row[x]), qGreen(row[x]), qBlue(row[x]), qAlpha(row[x]));
        }
    }
    return picture;
}

// Turned as an EXIF orientation says.
QImage upright(const QImage& image, int orientation)
{
    const auto isOneOf = [orientation](std::string_view ones) {
        return ones.find(static_cast<char>('0' + orientation)) != std::string_view::npos;
    };
    const QImage turned = orientation >= 5 ? image.transformed(QTransform().rotate(90)) : image;
    const bool across = isOneOf("2358");
    const bool down = isOneOf("3478");
    return across || down ? turned.mirrored(across, down) : turned;
}

} // namespace

PictureFile decodePicture(const QByteArray& bytes, const std::string& where)
{
    const std::string_view view(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    const char* const format = formatOf(view, where);
    const auto isFormat = [&](std::string_view name) { return name == format; };
    // The readers warn of harmless oddities, too, such as unusual colour profiles.
    QLoggingCategory::setFilterRules(QStringLiteral("qt.gui.imageio*=false\nqt.gui.icc*=false"));
    QBuffer buffer;
    buffer.setData(isFormat("png") ? pixelParts(bytes, where) : bytes);
    if (isFormat("jpeg"))
        requireWholeJpeg(view, where);
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
        refuseDamaged(format, where);
    };
    const QSize size = reader.size();
    if (!size.isValid())
        refuse();
    requirePictureSize(size.width(), size.height(), where);
    QImage image = reader.read();
    if (image.isNull())
        refuse();
    // Qt's readers turn JPEGs, and from some version on others.
    if (isFormat("png") || (isFormat("webp") && reader.transformation() == QImageIOHandler::TransformationNone))
        image = upright(image, orientationOf(view, isFormat("png")));
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
