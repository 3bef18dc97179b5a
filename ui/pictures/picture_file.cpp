// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/picture_file.h"

#include "base/error.h"
#include "base/utf8.h"
#include "media/picture_processor.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QImageReader>
#include <QLoggingCategory>
#include <QStringList>
#include <QTransform>
#include <QtEndian>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <memory>
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

namespace {

// A PNG's header, as far as it says how many bytes its pixels are.
struct PngHeader
{
    qint64 width = 0;
    qint64 height = 0;
    qint64 bits = 0; // of a pixel
    bool isInterlaced = false;

    // Bytes of an image's lines, each with its filter's number.
    qint64 linesOf(qint64 columns, qint64 rows) const
    {
        return columns == 0 ? 0 : rows * ((columns * bits + 7) / 8 + 1);
    }

    qint64 unpacked() const
    {
        if (!isInterlaced)
            return linesOf(width, height);
        struct Pass // of Adam7
        {
            qint64 left, top, right, down;
        };
        constexpr Pass passes[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                   {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
        qint64 sum = 0;
        for (const Pass& pass : passes)
            sum += linesOf((width + pass.right - 1 - pass.left) / pass.right,
                           (height + pass.down - 1 - pass.top) / pass.down);
        return sum;
    }
};

PngHeader pngHeader(std::string_view data)
{
    constexpr std::array<qint64, 7> channels = {1, 0, 3, 1, 2, 0, 4}; // by type of colour; 0: there is no such
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(data[i]); };
    const std::size_t type = at(9);
    return {qFromBigEndian<quint32>(data.data()), qFromBigEndian<quint32>(data.data() + 4),
            at(8) * (type < channels.size() ? channels[type] : 0), at(12) == 1};
}

// Unpacks the data of a PNG and counts, without keeping, what comes out.
class UnpackedCount
{
public:
    UnpackedCount() { m_isOpen = ::inflateInit(&m_stream) == Z_OK; }
    ~UnpackedCount() { ::inflateEnd(&m_stream); }
    UnpackedCount(const UnpackedCount&) = delete;
    UnpackedCount& operator=(const UnpackedCount&) = delete;

    // Stops beyond `most`.
    void add(std::string_view packed, qint64 most)
    {
        m_stream.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(packed.data())); // NOLINT: it is read
        m_stream.avail_in = static_cast<uInt>(packed.size());
        while (m_isOpen && m_count <= most) {
            m_stream.next_out = m_room.data();
            m_stream.avail_out = static_cast<uInt>(m_room.size());
            const int status = ::inflate(&m_stream, Z_NO_FLUSH);
            m_isOpen = status == Z_OK || status == Z_BUF_ERROR; // the latter: it waits for more
            m_count += std::ssize(m_room) - m_stream.avail_out;
            if (m_stream.avail_out != 0)
                break; // all of it
        }
    }

    qint64 count() const { return m_count; }

private:
    z_stream m_stream{};
    std::array<Bytef, 32768> m_room{};
    qint64 m_count = 0;
    bool m_isOpen = false;
};

// The same bytes, not copied, where these are all that there are.
QByteArray joined(const std::vector<std::string_view>& parts, const QByteArray& all)
{
    qsizetype size = 0;
    for (const std::string_view part : parts)
        size += std::ssize(part);
    if (size == all.size())
        return all;
    QByteArray bytes;
    bytes.reserve(size);
    for (const std::string_view part : parts)
        bytes.append(part.data(), std::ssize(part));
    return bytes;
}

} // namespace

void refuseDamaged(const char* format, const std::string& where)
{
    throw Error(ErrorKind::Format, where, fmt::format("is a {} file that is damaged or cut off", format),
                "get the file again");
}

QByteArray pixelParts(const QByteArray& bytes, const std::string& where)
{
    const std::string_view png(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    constexpr std::size_t signature = 8;
    constexpr std::size_t frame = 12; // length, type and checksum of a part
    constexpr std::size_t headerSize = 13;
    const auto numberAt = [&](std::size_t i) { return qFromBigEndian<quint32>(png.data() + i); };
    std::vector<std::string_view> kept{png.substr(0, signature)};
    qint64 expected = 0;
    const auto unpacked = std::make_unique<UnpackedCount>();
    for (std::size_t i = signature; png.size() - i >= frame;) {
        const std::size_t length = numberAt(i);
        if (length > png.size() - i - frame)
            break;
        const std::string_view named = png.substr(i + 4, 4 + length);
        const std::string_view type = named.substr(0, 4);
        const std::string_view data = named.substr(4);
        const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(named.data()), named.size()); // NOLINT
        if (sum != numberAt(i + frame - 4 + length) || (expected == 0 && (type != "IHDR" || length != headerSize)))
            break;
        if (type == "IHDR") {
            const PngHeader header = pngHeader(data);
            requirePictureSize(header.width, header.height, where);
            expected = header.unpacked();
        }
        if (type == "IDAT")
            unpacked->add(data, expected);
        const bool isNeeded = type.front() >= 'A' && type.front() <= 'Z';
        if (isNeeded || type == "tRNS")
            kept.push_back(png.substr(i, frame + length));
        if (unpacked->count() > expected)
            throw Error(ErrorKind::Format, where, "is a png file whose data unpack to more than its header says",
                        "get the file again");
        if (type == "IEND" && unpacked->count() == expected)
            return joined(kept, bytes);
        i += frame + length;
    }
    refuseDamaged("png", where);
}

int orientationOf(std::string_view bytes, bool isPng)
{
    constexpr quint16 orientationTag = 0x112;
    constexpr std::size_t frame = 8; // length and type of a part
    std::string_view exif;
    for (std::size_t i = isPng ? 8 : 12; exif.empty() && i <= bytes.size() && bytes.size() - i >= frame;) {
        const std::size_t length =
            isPng ? qFromBigEndian<quint32>(bytes.data() + i) : qFromLittleEndian<quint32>(bytes.data() + i + 4);
        if (bytes.substr(i + (isPng ? 4 : 0), 4) == (isPng ? "eXIf" : "EXIF"))
            exif = bytes.substr(i + frame, length);
        i += frame + length + (isPng ? 4 : length % 2);
    }
    if (exif.starts_with(std::string_view("Exif\0\0", 6)))
        exif.remove_prefix(6);
    const bool isBig = exif.starts_with("MM");
    const auto at = [&]<class Number>(std::size_t i, Number) -> Number {
        if (i > exif.size() || exif.size() - i < sizeof(Number))
            return 0;
        return isBig ? qFromBigEndian<Number>(exif.data() + i) : qFromLittleEndian<Number>(exif.data() + i);
    };
    const std::size_t directory = at(4, quint32());
    for (std::size_t entry = 0; entry < at(directory, quint16()); ++entry) {
        const std::size_t field = directory + 2 + 12 * entry; // tag, type, count, value
        if (at(field, quint16()) == orientationTag)
            return std::clamp<int>(at(field + 8, quint16()), 1, 8);
    }
    return 1;
}

void requireWholeJpeg(std::string_view jpeg, const std::string& where)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(jpeg[i]); };
    constexpr unsigned char endOfImage = 0xD9;
    constexpr unsigned char startOfScan = 0xDA;
    constexpr int mostScans = 200; // usual are at most 10
    int scans = 0;
    std::size_t i = 2;
    while (i + 1 < jpeg.size()) {
        if (at(i) != 0xFF) { // of a scan, or of what a damaged file has there
            i = std::min(jpeg.find('\xFF', i), jpeg.size());
            continue;
        }
        const unsigned char marker = at(i + 1);
        if (marker == endOfImage)
            return;
        const bool isAlone = marker == 0xFF || marker == 0 || (marker >= 0xD0 && marker <= 0xD7);
        if (isAlone) {
            i += marker == 0xFF ? 1 : 2;
            continue;
        }
        if (i + 3 >= jpeg.size())
            break;
        i += 2 + (std::size_t{at(i + 2)} << 8U) + at(i + 3);
        if (marker != startOfScan)
            continue;
        if (++scans > mostScans)
            throw Error(ErrorKind::Format, where, fmt::format("is a jpeg file of more than {} scans", mostScans),
                        "save it as PNG, or as a JPEG that is not progressive");
        if (i < jpeg.size())
            i = std::min(jpeg.find('\xFF', i), jpeg.size());
    }
    refuseDamaged("jpeg", where);
}

} // namespace attn::ui
