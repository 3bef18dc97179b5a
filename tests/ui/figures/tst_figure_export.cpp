// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/progress.h"
#include "figure_kinds.h"
#include "figures/export/copied_text.h"
#include "figures/export/figure_export.h"
#include "figures/export/provenance.h"
#include "figures/look/csv_field.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/exportable.h"
#include "io/npz.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "trace/archive.h"
#include "trace/map_source.h"
#include "trace/trace_builder.h"

#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

using namespace attn;
using namespace attn::ui;

Q_DECLARE_METATYPE(attn::ui::FigureSpec)
Q_DECLARE_METATYPE(attn::Trace)

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct SvgParts
{
    bool wellFormed = false;
    QString width;
    QStringList texts;
    int rectangles = 0;
    int images = 0;
};

SvgParts partsOf(const QByteArray& svg)
{
    SvgParts parts;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == QStringLiteral("svg"))
            parts.width = reader.attributes().value(QStringLiteral("width")).toString();
        else if (reader.name() == QStringLiteral("text"))
            parts.texts.append(reader.readElementText(QXmlStreamReader::IncludeChildElements).trimmed());
        else if (reader.name() == QStringLiteral("rect"))
            ++parts.rectangles;
        else if (reader.name() == QStringLiteral("image"))
            ++parts.images;
    }
    parts.wellFormed = !reader.hasError();
    return parts;
}

std::string failure(ErrorKind kind, const std::function<void()>& action)
{
    try {
        action();
    } catch (const Error& error) {
        return error.kind() == kind ? error.what() : std::string();
    }
    return {};
}

// Maps of four heads that are computed; while the first is, somebody cancels.
class CancelledMaps final : public MapSource
{
public:
    static constexpr Index tokens = 5;

    explicit CancelledMaps(std::stop_source stop)
        : m_stop(std::move(stop))
    {
    }

    Index heads() const override { return 4; }
    Index rows() const override { return tokens; }
    Index columns() const override { return tokens; }
    bool has(MapPart part) const override { return part == MapPart::Weights; }
    std::size_t bytes() const override { return 0; }
    void compute(MapPart, Index, Index, MutableView rows) const override
    {
        ++m_asked;
        m_stop.request_stop();
        std::ranges::fill(rows.values(), 0.2F);
    }

    int asked() const { return m_asked; } // for heads

private:
    std::stop_source m_stop;
    mutable std::atomic_int m_asked = 0;
};

// Counts what is drawn, and calls at the `when`-th.
class CountingEngine final : public QPaintEngine
{
public:
    CountingEngine(int when, std::function<void()> call)
        : QPaintEngine(AllFeatures)
        , m_when(when)
        , m_call(std::move(call))
    {
    }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override { }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override { count(); }
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override { count(); }
    void drawPath(const QPainterPath&) override { count(); }
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override { count(); }
    void drawTextItem(const QPointF&, const QTextItem&) override { count(); }
    Type type() const override { return User; }

    int drawn() const { return m_drawn; }

private:
    void count()
    {
        if (++m_drawn == m_when)
            m_call();
    }

    int m_when;
    std::function<void()> m_call;
    int m_drawn = 0;
};

class CountingDevice final : public QPaintDevice
{
public:
    CountingDevice(CountingEngine& engine, QSizeF size)
        : m_engine(engine)
        , m_size(size.toSize())
    {
    }
    QPaintEngine* paintEngine() const override { return &m_engine; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        return metric == PdmWidth                                                  ? m_size.width()
            : metric == PdmHeight                                                  ? m_size.height()
            : metric == PdmNumColors || metric == PdmDepth                         ? 32
            : metric == PdmDevicePixelRatio || metric == PdmDevicePixelRatioScaled ? 1
                                                                                   : 96;
    }

private:
    CountingEngine& m_engine;
    QSize m_size;
};

} // namespace

class TestFigureExport : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_directory;
    Trace m_trace = test::sampleTrace(test::shortRun());

    QString path(const QString& name) const { return m_directory.filePath(name); }

private Q_SLOTS:
    void svgHasTextAndCells()
    {
        exportFigure(path(QStringLiteral("a.svg")), exportable({}, m_trace), {120, 300});
        const SvgParts parts = partsOf(contents(path(QStringLiteral("a.svg"))));
        QVERIFY(parts.wellFormed);
        QCOMPARE(parts.width, QStringLiteral("120.000mm"));
        for (const char* token : {"cat", "mat", "</s>", "chat", "\u00E9tait", "tapis"})
            QVERIFY2(parts.texts.contains(QString::fromUtf8(token)), token);
        QVERIFY(parts.texts.contains(heatmapContent({}, m_trace).valueName)); // beside the colours
        QVERIFY(parts.rectangles >= 64 && parts.rectangles < 64 + 100);
        QCOMPARE(parts.images, 0);
        // Where the figure's own font is not installed, another one without serifs stands in.
        QVERIFY(contents(path(QStringLiteral("a.svg"))).contains("font-family=\"DejaVu Sans, sans-serif\""));
        QVERIFY(!contents(path(QStringLiteral("a.svg"))).contains("font-family=\"DejaVu Sans\""));
    }

    void unlikelyCandidatesAreNotSaidToBeImpossible()
    {
        FigureSpec spec;
        spec.kind = &decodingKind;
        exportFigure(path(QStringLiteral("d.svg")), exportable(spec, m_trace));
        const QStringList texts = partsOf(contents(path(QStringLiteral("d.svg")))).texts;
        QVERIFY(texts.contains(QStringLiteral("<0.001"))); // the last candidate: exp(-8)
        QVERIFY(!texts.contains(QStringLiteral("0.000")));
    }

    void largeMapsBecomeOneEnlargedImage()
    {
        const auto svgOf = [&](int size) {
            exportFigure(path(QStringLiteral("b.svg")), exportable({}, test::sampleTrace(test::longRun(size, size))));
            return contents(path(QStringLiteral("b.svg")));
        };
        QCOMPARE(partsOf(svgOf(64)).images, 0);
        QVERIFY(partsOf(svgOf(64)).rectangles >= 64 * 64);
        const QByteArray large = svgOf(65);
        QCOMPARE(partsOf(large).images, 1);
        static const QRegularExpression data(QStringLiteral("data:image/png;base64,([^\"]+)"));
        const QString encoded = data.match(QString::fromUtf8(large)).captured(1);
        const QImage image = QImage::fromData(QByteArray::fromBase64(encoded.toLatin1()));
        QCOMPARE(image.size(), QSize(65 * 8, 65 * 8));
        QVERIFY(large.size() < 300000);
    }

    void svgIsWellFormedForAnyToken()
    {
        test::SampleRun run = test::shortRun();
        run.source = {"<b>", "&amp;", "\"'", std::string("a\0\x01", 3), "\uFFFF", "]]>", "\u202Eevil", "\xC3\x28"};
        exportFigure(path(QStringLiteral("c.svg")), exportable({}, test::sampleTrace(run)));
        const SvgParts parts = partsOf(contents(path(QStringLiteral("c.svg"))));
        QVERIFY(parts.wellFormed);
        QVERIFY(parts.texts.contains(QStringLiteral("<b>")));
    }

    void drawingsAreWellFormedWhateverStandsInThem()
    {
        QString all;
        for (char16_t c = 1; c < 0x20; ++c)
            all += c;
        all += QStringLiteral("\u007f\u0085\u009f\ufdd0\ufffe\uffff<&]]>") + QChar(0xD800) + QLatin1Char('x')
            + QChar(0xDC00);
        for (const FigureKind* kind : {&heatmapKind, &decodingKind}) {
            FigureSpec spec;
            spec.kind = kind;
            spec.title = all;
            Exportable figure = exportable(spec, m_trace);
            figure.provenance = [&all](const Exportable&, const QString&, const ExportOptions&) {
                FigureProvenance made = ownProvenance();
                made.decoding = all;
                return made;
            };
            exportFigure(path(QStringLiteral("all.svg")), figure);
            QVERIFY(partsOf(contents(path(QStringLiteral("all.svg")))).wellFormed);
            exportFigure(path(QStringLiteral("all.html")), figure);
            const QString page = QString::fromUtf8(contents(path(QStringLiteral("all.html"))));
            QVERIFY(std::none_of(page.begin(), page.end(), [](QChar c) {
                const bool isControl = c.category() == QChar::Other_Control && !QStringLiteral("\t\n\r").contains(c);
                return isControl || QChar::isNonCharacter(c.unicode());
            }));
        }
    }

    void aPageHasAllThatItsScriptAsksFor()
    {
        FigureSpec spec;
        spec.kind = &heatmapKind;
        exportFigure(path(QStringLiteral("page.html")), exportable(spec, m_trace));
        const QString page = QString::fromUtf8(contents(path(QStringLiteral("page.html"))));
        QVERIFY(page.size() < 300'000);
        for (const char* outside : {"src=\"http", "href=\"http", "fetch(", "XMLHttpRequest", "@import", "import("})
            QVERIFY2(!page.contains(QLatin1String(outside)), outside);
        // Names that it looks up stand there.
        static const QRegularExpression lookup(QStringLiteral("byId\\(\"(\\w+)\"\\)"));
        std::set<QString> asked;
        for (auto found = lookup.globalMatch(page); found.hasNext();)
            asked.insert(found.next().captured(1));
        QVERIFY(asked.size() > 8);
        for (const QString& id : asked)
            QVERIFY2(page.contains(QStringLiteral("id=%1").arg(id))
                         || page.contains(QStringLiteral("id=\"%1\"").arg(id)),
                     qPrintable(id));
        // Its numbers are those of the run.
        static const QRegularExpression stored(QStringLiteral("<script[^>]*application/json[^>]*>(.*?)</script>"),
                                               QRegularExpression::DotMatchesEverythingOption);
        const QJsonObject data = QJsonDocument::fromJson(stored.match(page).captured(1).toUtf8()).object();
        const QJsonArray maps = data.value(QStringLiteral("maps")).toArray();
        QVERIFY(!maps.isEmpty());
        for (const auto& entry : maps) {
            const QJsonObject map = entry.toObject();
            const QJsonObject first = maps.first().toObject(); // has the columns of those that have none
            const QString columns = QStringLiteral("columns");
            QCOMPARE(map.value(QStringLiteral("values")).toArray().size(),
                     map.value(QStringLiteral("rows")).toArray().size()
                         * (map.contains(columns) ? map : first).value(columns).toArray().size());
        }
        const Numbers shown = heatmapKind.numbers(spec, m_trace).map.numbers;
        const QJsonArray values = maps.at(0).toObject().value(QStringLiteral("values")).toArray();
        QCOMPARE(values.size(), std::ssize(shown.values));
        for (qsizetype i = 0; i < values.size(); ++i)
            QVERIFY(std::abs(values.at(i).toDouble() / 1e4 - static_cast<double>(shown.values[i])) < 1e-4);
        for (const char* theme : {"light", "dark"})
            QCOMPARE(data.value(QStringLiteral("colors")).toObject().value(QLatin1String(theme)).toArray().size(), 256);
    }

    // The words of its prompt are there.
    void anAnimationOfAContinuationBeginsAfterItsPrompt()
    {
        test::SampleRun run = test::shortRun();
        run.generated = 3; // of them the end
        run.decoderLayers = 1;
        FigureSpec spec;
        spec.site = {Stage::Decoder, 0};
        const Trace trace = test::sampleContinuation(run);
        const QString file = path(QStringLiteral("moving.gif"));
        exportFigure(file, exportable(spec, trace), {});
        QImageReader reader(file);
        if (!reader.supportsAnimation() || reader.imageCount() < 2)
            QSKIP("no reader for animations here");
        constexpr int ofAWord = 5;
        QCOMPARE(reader.imageCount(), ofAWord * run.generated);
        const QImage first = reader.read();
        QVERIFY(first != reader.read());
        const QString page = path(QStringLiteral("prompt.html"));
        exportFigure(page, exportable(spec, trace));
        const QByteArray given = "\"given\":" + QByteArray::number(std::ssize(run.source) - run.generated - 1); // rows
        QVERIFY(contents(page).contains(given));
    }

    void whatOtherFontsMayHaveIsWrittenAsItself()
    {
        const QString missing(QChar(0xE123));
        test::SampleRun run = test::shortRun();
        run.source.front() = missing.toStdString();
        const Trace trace = test::sampleTrace(run);
        const auto written = [&](const char* name) {
            const QString file = path(QLatin1String(name));
            exportFigure(file, exportable({}, trace));
            return QString::fromUtf8(contents(file));
        };
        for (const char* name : {"missing.svg", "missing.html", "missing.csv"}) {
            const QString text = written(name);
            QVERIFY2(text.contains(missing), name);
            QVERIFY2(!text.contains(QChar(0x27E6)), name); // neither the box nor what explains it
        }
        const QString tex = written("missing.tex");
        QVERIFY(tex.contains(QStringLiteral("\\attnchar{E123}")) && !tex.contains(QStringLiteral("27E6")));
        QVERIFY(copiedText({}, trace, {}, CopyRow::What::Table).contains(missing));
        QCOMPARE(readableToken(missing.toStdString()), QStringLiteral("\u27E6E123\u27E7")); // drawn, it still is a box
    }

    void pdfHasTheWidthAndTheText()
    {
        const QString file = path(QStringLiteral("a.pdf"));
        for (const double width : {85.0, 160.0, 213.7}) {
            exportFigure(file, exportable({}, m_trace), {width, 300});
            static const QRegularExpression box(
                QStringLiteral("/MediaBox \\[\\s*0\\s+[0-9.]+\\s+([0-9.]+)\\s+([0-9.]+)\\s*\\]"));
            const auto match = box.match(QString::fromLatin1(contents(file)));
            QVERIFY(match.hasMatch());
            QVERIFY2(std::abs(match.captured(1).toDouble() * 25.4 / 72 - width) < 0.01, qPrintable(match.captured(1)));
        }
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (tool.isEmpty())
            QSKIP("pdftotext is not installed");
        QProcess process;
        process.start(tool, {file, QStringLiteral("-")});
        QVERIFY(process.waitForFinished());
        const QString text = QString::fromUtf8(process.readAllStandardOutput());
        for (const char* token : {"cat", "mat", "chat", "\u00E9tait", "tapis"})
            QVERIFY2(text.contains(QString::fromUtf8(token)), token);
        QVERIFY(text.contains(heatmapContent({}, m_trace).valueName));
    }

    void pdfSpellsWordsInLetters_data()
    {
        QTest::addColumn<bool>("slanted");
        QTest::newRow("upright") << false;
        QTest::newRow("slanted") << true;
    }

    void pdfSpellsWordsInLetters()
    {
        QFETCH(bool, slanted);
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (tool.isEmpty())
            QSKIP("pdftotext is not installed");
        test::SampleRun run = test::shortRun();
        run.source = {"fixed", "office", "affluent", "flat", "afire", "after"}; // side by side: upright
        if (slanted)
            run.source.insert(run.source.end(), {"efficient", "waffles", "finally", "tonight", "</s>"});
        for (const FigureKind* kind : {&heatmapKind, &arcsKind}) {
            FigureSpec spec;
            spec.kind = kind;
            const QString file = path(QStringLiteral("letters.pdf"));
            exportFigure(file, exportable(spec, test::sampleTrace(run)));
            QProcess process;
            process.start(tool, {file, QStringLiteral("-")});
            QVERIFY(process.waitForFinished());
            const QString text = QString::fromUtf8(process.readAllStandardOutput());
            for (const std::string& token : run.source)
                QVERIFY2(text.contains(QString::fromStdString(token)), qPrintable(text));
        }
    }

    void pngHasThePixelsOfItsResolution()
    {
        const QString file = path(QStringLiteral("a.png"));
        exportFigure(file, exportable({}, m_trace), {127, 200});
        const QImage image(file);
        QCOMPARE(image.width(), 1000);
        QCOMPARE(image.dotsPerMeterX(), 7874);
        QCOMPARE(renderFigure(exportable({}, m_trace), {127, 100}).width(), 500);
    }

    // Most widths are no whole number of pixels; the outermost ones belong to the figure all the same.
    void imagesAreFilledToTheirEdges()
    {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            FigureSpec spec;
            spec.theme = theme;
            const QRgb ground = themeColors(theme).background.rgb();
            for (const auto& [width, dpi] : {std::pair{160.0, 300}, {160.0, 600}, {123.4, 150}, {80.0, 96}}) {
                const QImage image = renderFigure(exportable(spec, m_trace), {width, dpi});
                for (int y = 0; y < image.height(); ++y)
                    QCOMPARE(image.pixel(image.width() - 1, y), ground);
                for (int x = 0; x < image.width(); ++x)
                    QCOMPARE(image.pixel(x, image.height() - 1), ground);
            }
        }
    }

    void darkThemeIsDark()
    {
        FigureSpec spec;
        spec.theme = Theme::Dark;
        QVERIFY(renderFigure(exportable(spec, m_trace)).pixelColor(1, 1).lightness() < 60);
        QCOMPARE(renderFigure(exportable({}, m_trace)).pixelColor(1, 1), QColor(Qt::white));
    }

    // A preview has fewer dots than the screen.
    void fewDotsShowTheSame()
    {
        for (const FigureKind* kind : {&heatmapKind, &arcsKind, &textKind, &decodingKind}) {
            FigureSpec spec;
            spec.kind = kind;
            const QImage large = renderFigure(exportable(spec, m_trace), {160, 96});
            const QImage small = renderFigure(exportable(spec, m_trace), {160, 48});
            const QImage expected = large.scaled(small.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
            double sum = 0;
            for (int y = 0; y < small.height(); ++y) {
                for (int x = 0; x < small.width(); ++x)
                    sum += std::abs(qGray(small.pixel(x, y)) - qGray(expected.pixel(x, y)));
            }
            const double mean = sum / (double{1} * small.width() * small.height());
            QVERIFY2(mean < 4, qPrintable(QStringLiteral("%1").arg(mean)));
        }
    }

    // An even row beside one that attends to a single token, as the first token of a text does.
    void everyRowHasALine()
    {
        constexpr int count = 60;
        NumberVector<float> weights;
        std::vector<std::int64_t> ids;
        for (int row = 0; row < count; ++row) {
            ids.push_back(row + 1);
            for (int column = 0; column < count; ++column)
                weights.push_back(column > row ? 0.0F : 1.0F / static_cast<float>(row + 1));
        }
        NpzWriter npz;
        npz.add("source_ids", NpyArray::fromIntegers({count}, ids));
        npz.add("decoder_attentions", NpyArray::fromFloats({1, 1, count, count}, weights));
        npz.save(path(QStringLiteral("even.npz")).toStdString());
        const Trace trace = readArchive(path(QStringLiteral("even.npz")).toStdString());
        const auto lines = [&](ColorRange::Of of) {
            FigureSpec spec;
            spec.kind = &arcsKind;
            spec.site = {Stage::Decoder, 0};
            spec.range.of = of;
            exportFigure(path(QStringLiteral("even.svg")), exportable(spec, trace));
            return contents(path(QStringLiteral("even.svg"))).count("<path");
        };
        QVERIFY(lines(ColorRange::Of::Map) >= count);
        QVERIFY(lines(ColorRange::Of::Row) >= count);
    }

    void everyKindIsExported()
    {
        FigureSpec spec;
        spec.positions = Tensor({4, 6}, NumberVector<float>(24, 0.5F));
        for (const FigureKind* kind : {&heatmapKind, &headGridKind, &arcsKind, &positionsKind, &decodingKind}) {
            spec.kind = kind;
            for (const char* ending : {"png", "svg", "pdf"}) {
                const QString file = path(QStringLiteral("kind.") + QString::fromLatin1(ending));
                exportFigure(file, exportable(spec, m_trace));
                QVERIFY(contents(file).size() > 1000);
            }
            QVERIFY(partsOf(contents(path(QStringLiteral("kind.svg")))).texts.size() >= 3);
        }
    }

    void impossibleOutputsAreRefused()
    {
        const auto refused = [&](const QString& name, ExportOptions options) {
            return QString::fromStdString(
                failure(ErrorKind::Input, [&] { exportFigure(path(name), exportable({}, m_trace), options); }));
        };
        QVERIFY(refused(QStringLiteral("a.bmp"), {}).contains(QStringLiteral(".png")));
        QVERIFY(refused(QStringLiteral("noending"), {}).contains(QStringLiteral(".png")));
        const QString large = refused(QStringLiteral("x.png"), {mostWidthMm, 20000});
        QVERIFY2(test::numbersIn(large).contains(QStringLiteral("256")), qPrintable(large)); // the most, in millions
        QVERIFY(!refused(QStringLiteral("x.pdf"), {-4, 300}).isEmpty());
        QVERIFY(!refused(QStringLiteral("x.svg"), {std::nan(""), 300}).isEmpty());
        for (const double width : {leastWidthMm - 1, mostWidthMm + 1})
            QVERIFY(!refused(QStringLiteral("x.svg"), {width, 300}).isEmpty());
        QVERIFY(test::numbersIn(refused(QStringLiteral("x.png"), {100, 0})).contains(QStringLiteral("0")));
        QVERIFY(refused(QStringLiteral("x.png"), {100, -5}).contains(QStringLiteral("-5 ")));
        QVERIFY(!QFile::exists(path(QStringLiteral("x.png"))));
    }

    void aFailedWriteLeavesTheOldFile()
    {
        const QString file = path(QStringLiteral("kept.svg"));
        QFile old(file);
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
        old.close();
        QVERIFY(!failure(ErrorKind::Input, [&] { exportFigure(file, exportable({}, m_trace), {-1, 300}); }).empty());
        QCOMPARE(contents(file), QByteArray("old"));
        const QString nowhere = path(QStringLiteral("no/such/folder.pdf"));
        QVERIFY(failure(ErrorKind::File, [&] { exportFigure(nowhere, exportable({}, m_trace)); }).find("folder.pdf")
                != std::string::npos);
    }

    // Once its bytes are being made: a PNG that is being compressed, the pages of a report, the frames of a GIF.
    void aCancelledExportLeavesTheOldFile_data()
    {
        test::addColumns<QString, bool>("name", "report");
        for (const char* ending : {"png", "svg", "pdf", "tex", "gif", "html", "npz", "json", "csv"})
            QTest::newRow(ending) << QStringLiteral("kept.") + QLatin1String(ending) << false;
        QTest::newRow("report") << QStringLiteral("report.pdf") << true;
    }

    void aCancelledExportLeavesTheOldFile()
    {
        QFETCH(const QString, name);
        QFETCH(const bool, report);
        QFile old(path(name));
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
        old.close();
        std::stop_source source;
        ExportOptions options;
        options.report = report;
        options.stop = source.get_token();
        Exportable figure = exportable({}, m_trace);
        figure.provenance = [&](const Exportable&, const QString&, const ExportOptions&) {
            source.request_stop();
            return FigureProvenance();
        };
        const ExportFormat& form = *exportFormatOf(name, report);
        if (form.bytes == nullptr || !form.isDrawn()) // which say nothing of where they come from
            source.request_stop();
        QVERIFY(!failure(ErrorKind::Cancelled, [&] { exportFigure(path(name), figure, options); }).empty());
        QCOMPARE(contents(path(name)), QByteArray("old"));
    }

    void aCancelledExportComputesNoMoreMaps_data()
    {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {"png", "svg", "pdf", "tex", "html", "csv", "copied"})
            QTest::newRow(ending) << QString::fromLatin1(ending);
    }

    void aCancelledExportComputesNoMoreMaps()
    {
        QFETCH(const QString, ending);
        const std::stop_source source;
        const auto maps = std::make_shared<const CancelledMaps>(source);
        Encoding text;
        text.ids.assign(CancelledMaps::tokens, 4);
        text.tokens.assign(CancelledMaps::tokens, "the");
        Provenance run;
        run.kind = ModelKind::EncoderOnly;
        TraceBuilder builder(text, nullptr, run);
        builder.begun(text.ids, {});
        builder.computableAttention({{Stage::Encoder, 0}, 0, 0, {}, {}}, maps);
        builder.finished({});
        const Trace trace = builder.snapshot();
        FigureSpec spec;
        spec.kind = &headGridKind;
        spec.site = {Stage::Encoder, 0};
        spec.head = meanOfHeads;
        const QString file = path(QStringLiteral("none.") + ending);
        const auto write = [&] {
            if (ending == QStringLiteral("copied"))
                (void)copiedText(spec, trace, {}, CopyRow::What::Table, source.get_token());
            else
                exportFigure(file, exportable(spec, trace), {.stop = source.get_token()});
        };
        QVERIFY(!failure(ErrorKind::Cancelled, write).empty());
        QCOMPARE(maps->asked(), 1);
        QVERIFY(!QFile::exists(file));
    }

    void paintingStops_data()
    {
        test::addColumns<FigureSpec, Trace>("spec", "trace");
        const auto add = [](const char* name, const FigureKind& kind, const Trace& trace,
                            const std::function<void(FigureSpec&)>& change = {}) {
            FigureSpec spec;
            spec.kind = &kind;
            if (change)
                change(spec);
            QTest::newRow(name) << spec << trace;
        };
        const Trace trace = test::sampleTrace(test::longRun(24, 24));
        add("cells", heatmapKind, trace);
        add("numbers", heatmapKind, trace, [](FigureSpec& spec) { spec.numbers = CellNumbers::On; });
        add("margins", heatmapKind, trace, [](FigureSpec& spec) { spec.margins = Margins::Sum; });
        add("arcs", arcsKind, trace);
        add("picked", arcsKind, trace, [](FigureSpec& spec) { spec.picked = {1, 2, 3}; });
        add("step", decodingKind, trace);
        test::SampleRun heads = test::shortRun();
        heads.heads = 40;
        add("heads", headGridKind, test::sampleTrace(heads));
    }

    // And painters are left as they were: Qt would warn.
    void paintingStops()
    {
        QFETCH(const FigureSpec, spec);
        QFETCH(const Trace, trace);
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        const std::unique_ptr<const Figure> figure = layoutFigure(spec, trace, {800, 800});
        const auto paintOn = [&](CountingEngine& engine) {
            CountingDevice device(engine, figure->size());
            QPainter painter(&device);
            figure->paint(painter);
        };
        CountingEngine whole(0, {});
        paintOn(whole);
        QVERIFY(whole.drawn() > 40);
        for (const int when : {whole.drawn() / 4, whole.drawn() / 2}) {
            std::stop_source source;
            const ThreadStop stop(source.get_token());
            CountingEngine engine(when, [&source] { source.request_stop(); });
            QVERIFY(!failure(ErrorKind::Cancelled, [&] { paintOn(engine); }).empty());
            constexpr int oneMore = 30; // row of cells
            QVERIFY2(engine.drawn() <= when + oneMore && engine.drawn() < whole.drawn(),
                     qPrintable(QStringLiteral("%1 of %2").arg(engine.drawn()).arg(whole.drawn())));
        }
    }

    void csvIsQuotedAndComplete()
    {
        test::SampleRun run = test::shortRun();
        run.source[1] = "ca\"t,";
        run.target[0] = "=1+2";
        const QList<QByteArray> lines = exportable({}, test::sampleTrace(run)).csv().split('\n');
        QCOMPARE(lines.size(), 8 + 2); // header, rows, nothing after the last line's end
        QVERIFY(lines[0].startsWith(",\"the\",\"ca\"\"t,\",\"sat\""));
        QVERIFY(lines[1].startsWith("\"'=1+2\",")); // no formula in a spreadsheet
        double sum = 0;
        for (const QByteArray& field : lines[1].trimmed().split(',').mid(1))
            sum += field.toDouble();
        QVERIFY(std::abs(sum - 1) < 1e-5);
        QVERIFY(!failure(ErrorKind::Input, [] { exportable({}, Trace()).csv(); }).empty());
    }

    void aTextIsNoFormulaInASpreadsheet()
    {
        for (const char* formula : {"=1", "+1+1", "-2+3+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "\n=1"}) {
            const QString text = QString::fromLatin1(formula);
            QCOMPARE(spreadsheetText(text), QLatin1Char('\'') + text);
        }
        for (const char* plain : {"", "a=1", "1-2", "-1", "+0.5", "-2.5e-07", "'=1"})
            QCOMPARE(spreadsheetText(QString::fromLatin1(plain)), QString::fromLatin1(plain));
        test::SampleRun run = test::shortRun();
        run.source.front() = "=1+2";
        QVERIFY(
            copiedText({}, test::sampleTrace(run), {}, CopyRow::What::Table).startsWith(QStringLiteral("\t'=1+2\t")));
    }
};

ATTN_GUI_TEST(TestFigureExport)
#include "tst_figure_export.moc"
