// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "pictures/picture_file.h"
#include "support/bad_pictures.h"
#include "support/test_program.h"

#include <QTest>

#include <set>
#include <utility>

using namespace attn;
using namespace attn::ui;

namespace {

// Bytes of the lines of an interlaced picture of 8-bit RGB, pixel by pixel (PNG specification, section 8.2).
qsizetype interlacedSize(int width, int height)
{
    constexpr int passOf[8][8] = {{1, 6, 4, 6, 2, 6, 4, 6}, {7, 7, 7, 7, 7, 7, 7, 7}, {5, 6, 5, 6, 5, 6, 5, 6},
                                  {7, 7, 7, 7, 7, 7, 7, 7}, {3, 6, 4, 6, 3, 6, 4, 6}, {7, 7, 7, 7, 7, 7, 7, 7},
                                  {5, 6, 5, 6, 5, 6, 5, 6}, {7, 7, 7, 7, 7, 7, 7, 7}};
    qsizetype size = 0;
    std::set<std::pair<int, int>> lines; // of each pass
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            size += 3;
            lines.insert({passOf[y % 8][x % 8], y});
        }
    }
    return size + std::ssize(lines);
}

bool isRead(const QByteArray& bytes)
{
    try {
        return !decodePicture(bytes, "x.png").picture.rgb.empty();
    } catch (const Error&) {
        return false;
    }
}

} // namespace

// Checks of a file before a decoder reads it. Files that are refused are in support/bad_pictures.h.
class TestPictureParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatMakesNoPixelsIsLeftOut()
    {
        const QByteArray plain = test::pngOf(1, 1, 4);
        QCOMPARE(pixelParts(plain, "x.png"), plain);
        const QByteArray text = test::pngPart("zTXt", QByteArray("Title\0\0", 7) + qCompress(QByteArray(9, 'a')));
        QCOMPARE(pixelParts(test::pngOf(1, 1, 4, text), "x.png"), plain);
        const QByteArray seen = test::pngPart("tRNS", QByteArray(6, '\0')); // black is transparent
        QCOMPARE(pixelParts(test::pngOf(1, 1, 4, seen), "x.png"), test::pngOf(1, 1, 4, seen));
        QCOMPARE(decodePicture(test::pngOf(1, 1, 4, seen), "x.png").picture.rgb[0], std::uint8_t{255});
    }

    void linesAreCountedInEveryPass()
    {
        for (int width = 1; width <= 10; ++width) {
            for (int height = 1; height <= 10; ++height) {
                const qsizetype size = interlacedSize(width, height);
                const auto of = [&](qsizetype unpacked) {
                    return test::pngOf(quint32(width), quint32(height), unpacked, {}, true);
                };
                QVERIFY(isRead(of(size)));
                QVERIFY(!isRead(of(size - 1)) && !isRead(of(size + 1)));
                const qsizetype plain = height * (1 + 3 * qsizetype{width});
                QVERIFY(isRead(test::pngOf(quint32(width), quint32(height), plain)));
                QVERIFY(!isRead(test::pngOf(quint32(width), quint32(height), plain + 1)));
            }
        }
    }

    // Where red, green, blue and white of a stored picture lie when it is upright.
    void everyFormatIsUpright_data()
    {
        test::addColumns<int, QByteArray>("orientation", "quadrants"); // row by row
        int orientation = 1;
        for (const char* const quadrants : {"rgbw", "grwb", "wbgr", "bwrg", "rbgw", "brwg", "wgbr", "gwrb"})
            QTest::addRow("%d", orientation) << std::exchange(orientation, orientation + 1) << QByteArray(quadrants);
    }
    void everyFormatIsUpright()
    {
        QFETCH(int, orientation);
        QFETCH(QByteArray, quadrants);
        QImage stored(4, 2, QImage::Format_RGB32);
        for (int i = 0; i < 8; ++i) // red and green over blue and white
            stored.setPixelColor(i % 4, i / 4, QColor(i < 2 || i > 5 ? 255 : 0, i % 4 > 1 ? 255 : 0, i > 3 ? 255 : 0));
        const QByteArray png = test::encoded(stored, "PNG");
        constexpr qsizetype behindHeader = 33;
        for (const bool isBig : {false, true}) {
            QByteArray tiff = isBig ? QByteArray("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0", 19)
                                    : QByteArray("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", 18);
            tiff += static_cast<char>(orientation);
            const QByteArray part = test::pngPart("eXIf", tiff + QByteArray(7, '\0'));
            const Picture read =
                decodePicture(png.first(behindHeader) + part + png.sliced(behindHeader), "x.png").picture;
            QCOMPARE(read.width, orientation < 5 ? 4 : 2);
            QByteArray found;
            for (int i = 0; i < 4; ++i) {
                const Index x = i % 2 * (read.width - 1);
                const Index y = i / 2 * (read.height - 1);
                const std::uint8_t* const pixel = read.rgb.data() + 3 * (y * read.width + x);
                found += pixel[0] == 0 ? (pixel[1] == 0 ? 'b' : 'g') : pixel[1] == 0 ? 'r' : 'w';
            }
            QCOMPARE(found, quadrants);
        }
    }

    // 64 lines at a time.
    void linesStayInTheirOrder()
    {
        for (const QImage::Format format : {QImage::Format_RGB32, QImage::Format_ARGB32, QImage::Format_RGBA64}) {
            QImage image(3, 150, format);
            image.fill(Qt::white);
            for (int y = 0; y < image.height(); ++y)
                image.setPixelColor(1, y, QColor(y, 255 - y, 7));
            const Picture read = decodePicture(test::encoded(image, "PNG"), "x.png").picture;
            for (int y = 0; y < image.height(); ++y) {
                const std::uint8_t* const pixel = read.rgb.data() + 3 * (3 * y + 1);
                QCOMPARE(QColor(pixel[0], pixel[1], pixel[2]), QColor(y, 255 - y, 7));
            }
        }
    }
};

ATTN_TEST(TestPictureParts)
#include "tst_picture_parts.moc"
