// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "figures/export/export_forms.h"
#include "figures/export/provenance.h"
#include "support/broken_files.h"
#include "support/memory_used.h"
#include "support/test_program.h"

#include <QBuffer>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>

using namespace attn;
using namespace attn::test;
using namespace attn::ui;

namespace {

std::optional<FigureProvenance> parsed(const QByteArray& file, const char* form)
{
    return parseProvenance({file.constData(), static_cast<std::size_t>(file.size())}, QLatin1String(form));
}

QImage picture()
{
    QImage image(4, 3, QImage::Format_RGB32);
    image.fill(Qt::red);
    return image;
}

QByteArray pngOf(const FigureProvenance& provenance)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImage image = picture();
    putProvenance(image, provenance);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray svgOf(const FigureProvenance& provenance)
{
    return withSvgMetadata("<?xml version=\"1.0\"?>\n<svg>\n<title>a</title>\n<desc>b</desc>\n<g/></svg>\n",
                           provenance);
}

// Behind a title that looks like it.
QByteArray pdfWith(const FigureProvenance& provenance)
{
    return "%PDF-1.4\n6 0 obj\n<<\n/Title (<x:xmpmeta><metadata>\nSoftware: b)\n>>\nendobj\n" + xmpOf(provenance)
        + "\nendobj\n";
}

QByteArray texOf(const FigureProvenance& provenance)
{
    return provenanceLines(provenance, "% ") + "% More about it.\n\\documentclass{article}\n% Seed: 5\n";
}

QByteArray htmlOf(const FigureProvenance& provenance)
{
    return "<!DOCTYPE html>\n<!--\n" + provenanceLines(provenance) + "-->\n<html>\n<!--\nSeed: 5\n--></html>\n";
}

QByteArray animationOf(const FigureProvenance& provenance)
{
    return gifOf({picture()}, {std::chrono::milliseconds(100)}, provenance, {});
}

struct Form
{
    const char* suffix;
    QByteArray (*make)(const FigureProvenance& provenance);
};
constexpr Form forms[] = {{"png", pngOf}, {"svg", svgOf},   {"pdf", pdfWith},
                          {"tex", texOf}, {"html", htmlOf}, {"gif", animationOf}};

FigureProvenance written()
{
    FigureProvenance provenance = ownProvenance();
    provenance.model = QStringLiteral("d\u00e9j\u00e0");
    provenance.text = QStringLiteral("a <b> & \"c\" (d) \\ '\u4e2d\U0001f600' /Seed (5)");
    provenance.weightsSha256 = QString(64, u'0');
    provenance.secondText = QStringLiteral("  two  blanks ");
    provenance.command = QStringLiteral("attnscope figure ") + QString(1000, u'x');
    return provenance;
}

const QByteArray gifBegin = QByteArray("GIF89a").leftJustified(13, '\0');

} // namespace

class TestProvenance : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("ATTNSCOPE_LIMITS", "figure=32M memory=1M"); }

    void everyFormKeepsEveryValue()
    {
        for (const Form& form : forms) {
            const auto found = parsed(form.make(written()), form.suffix);
            QVERIFY2(found, form.suffix);
            for (const auto& [key, name, member] : provenanceRows())
                QVERIFY2((*found).*member == written().*member, form.suffix);
            QVERIFY2(!parsed(form.make({}), form.suffix), form.suffix);
        }
    }

    void whatReadersLeaveOutIsSpelledOut()
    {
        FigureProvenance provenance;
        provenance.text = QStringLiteral("\ufeffa\n\u0085\u2028-->");
        for (const Form& form : forms) {
            const auto found = parsed(form.make(provenance), form.suffix);
            QVERIFY2(found, form.suffix);
            QCOMPARE(found->text, QStringLiteral("\\ufeffa\\n\\u0085\\u2028--\\u003e"));
        }
    }

    void damagedFilesAreReadToTheirEnd()
    {
        for (const Form& form : forms) {
            const QByteArray whole = form.make(written());
            const Bytes valid = bytesOf({whole.constData(), static_cast<std::size_t>(whole.size())});
            const std::string problem = surviveDamage(valid, 3, [&](const Bytes& bytes) {
                const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                const auto found = parseProvenance(text, QLatin1String(form.suffix));
                QVERIFY(!found || found->command.size() <= 8'000'000); // what libpng unpacks at most
            });
            QVERIFY2(problem.empty(), problem.c_str());
        }
    }

    void strangeFiles_data()
    {
        addColumns<QByteArray, QByteArray>("form", "file");
        QTest::addColumn<QString>("program"); // empty: it says nothing
        const auto row = [](const char* name, const char* form, const QByteArray& file, const char* program = "") {
            QTest::newRow(name) << QByteArray(form) << file << QString::fromUtf8(program);
        };
        const QByteArray nul(1, '\0');
        row("no PNG", "png", QByteArray(8, ' ') + "tEXtSoftware" + nul + 'a');
        row("nothing behind the header", "png", pngOf(written()).left(33));

        row("no metadata", "svg", "<svg>Software: a</svg>");
        row("attributes", "svg", "<svg><metadata\n   id='x'>\nSoftware: a\r\n</metadata>", "a");
        row("references", "svg", "<metadata>\nSoftware: &lt;&amp;lt;&quot;&x\n</metadata>", "<&lt;\"&x");
        row("without an end", "svg", "<metadata>\nSoftware: a", "a");
        row("ended early", "svg", "<metadata>\n</metadata>\nSoftware: a\n");
        row("byte order mark", "svg", "\xef\xbb\xbf<metadata>Software: a</metadata>", "a");

        row("no packet", "pdf", "<metadata>Software: a</metadata>");
        row("packet without an end", "pdf", "<x:xmpmeta><attnscope:metadata>\nSoftware: a", "a");
        row("other metadata", "pdf", "<x:xmpmeta><metadata>\nSoftware: a</metadata></x:xmpmeta>");

        row("byte order mark", "tex", "\xef\xbb\xbf% Software: a\n", "a");
        row("ends of lines", "tex", "% Software: a\r\n% Software: b\r\n", "a");
        row("not in a comment", "tex", "\n% Software: a\n");
        row("no end of the line", "tex", "%\n% Software: a", "a");
        row("no comment", "html", "Software: a\n-->");
        row("comment without an end", "html", "<!--\nSoftware: a\n");
        row("short comment", "html", "<!-->\nSoftware: a\n-->");

        row("no GIF", "gif", QByteArray(13, ' ') + "\x21\xfe\x0bSoftware: a" + nul);
        row("block beyond the end", "gif", gifBegin + "\x21\xfe\xffSoftware: a", "a");
        row("another extension", "gif", gifBegin + "\x21\xff\x02zz" + nul + "\x21\xfe\x0bSoftware: a" + nul, "a");
        row("in pieces", "gif", gifBegin + "\x21\xfe\x05Softw\x06" + "are: a" + nul, "a");
        row("colours beyond the end", "gif", QByteArray(gifBegin).replace(10, 1, "\xf7") + "\x21\xfe");
        row("another form", "txt", "Software: a\n");
    }
    void strangeFiles()
    {
        QFETCH(const QByteArray, form);
        QFETCH(const QByteArray, file);
        QFETCH(const QString, program);
        const auto found = parsed(file, form.constData());
        QCOMPARE(found.has_value(), !program.isEmpty());
        if (found)
            QCOMPARE(found->program, program);
    }

    void timeGrowsWithTheFileOnly_data()
    {
        addColumns<QByteArray, QByteArray>("form", "file");
        constexpr int size = 4'000'000;
        const auto row = [](const char* name, const char* form, const QByteArray& begin, const QByteArray& again) {
            QTest::newRow(name) << QByteArray(form) << begin + again.repeated(size / again.size());
        };
        row("half references", "svg", "<metadata>", "&");
        row("half tags", "svg", "<metadata>", "<");
        row("half packets", "pdf", {}, "<x:xmp");
        row("empty comments", "tex", {}, "%\n");
        row("names", "tex", {}, "% Software: a\n");
        row("half ends", "html", "<!--", "--");
        row("small blocks", "gif", gifBegin + "\x21\xfe", "\1a");
        row("extensions", "gif", gifBegin, QByteArray("\x21\x01\x00", 3));
    }
    void timeGrowsWithTheFileOnly()
    {
        QFETCH(const QByteArray, form);
        QFETCH(const QByteArray, file);
        (void)parsed(file, form.constData());
    }

    void linesTakeNoMemory()
    {
        const QByteArray file = QByteArray("% a: b\n").repeated(3'000'000);
        const auto most = mostMemoryOf([&file] { QVERIFY(!parsed(file, "tex")); });
        if (most)
            QVERIFY2(*most < 4e6, qPrintable(QString::number(*most)));
    }

    void onlyFilesOfAnExpectedSizeAreRead()
    {
        const QTemporaryDir folder;
        const auto problemOf = [&](const QString& path) {
            return QString::fromStdString(errorOf([&] { (void)readProvenance(path); }));
        };
        const QString path = folder.filePath(QStringLiteral("a.TEX"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("% Software: a\n");
        file.flush();
        const auto found = readProvenance(path);
        QVERIFY(found);
        QCOMPARE(found->program, QStringLiteral("a"));
        constexpr qint64 most = 32 << 20;
        QVERIFY(file.resize(most));
        QVERIFY2(problemOf(path).contains(QStringLiteral("33.6 MB of memory")), qPrintable(problemOf(path)));
        QVERIFY(file.resize(most + 1));
        QVERIFY2(problemOf(path).contains(QStringLiteral("ATTNSCOPE_LIMITS=figure=")), qPrintable(problemOf(path)));

        const QString pipe = folder.filePath(QStringLiteral("pipe.svg"));
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        QVERIFY2(problemOf(pipe).startsWith(pipe + QStringLiteral(": is not a file")), qPrintable(problemOf(pipe)));
        const QString none = folder.filePath(QStringLiteral("none.png"));
        QVERIFY2(problemOf(none).startsWith(none + QStringLiteral(": cannot be opened")), qPrintable(problemOf(none)));
    }
};

ATTN_TEST(TestProvenance)

#include "tst_provenance.moc"
