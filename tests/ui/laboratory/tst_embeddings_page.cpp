// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <algorithm>
#include <cmath>
#include <numeric>
#include <semaphore>
#include <vector>
// clang-format on
#include "base/error.h"
#include "experiments/embedding_experiment.h"
#include "figures/charts/bar_list_figure.h"
#include "figures/charts/scatter_figure.h"
#include "figures/look/language.h"
#include "figures/look/theme.h"
#include "nn/engine.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "trace/archive.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/figure_canvas.h"

#include <QComboBox>
#include <QImage>
#include <QPainter>
#include <QSlider>
#include <QToolButton>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

class EmbeddingsFixture : public LaboratoryFixture
{
public:
    using LaboratoryFixture::LaboratoryFixture;

    QByteArray csv() const
    {
        const auto figure = laboratory->page(*pageOf("embeddings")).exportable();
        return figure ? figure->csv() : QByteArray();
    }

    QStringList lines(const QString& start) const
    {
        return QString::fromUtf8(csv()).split(QStringLiteral("\r\n")).filter(QRegularExpression(u'^' + start));
    }

    // The layers of the points, each once.
    QStringList layers() const
    {
        QStringList names;
        for (const QString& line : lines(QStringLiteral("point")))
            names << line.section(QLatin1Char('"'), 1, 1);
        names.removeDuplicates();
        return names;
    }

    void openEmbeddings()
    {
        openPage(*pageOf("embeddings"));
        QTRY_VERIFY(!busy());
        QTRY_VERIFY(!lines(QStringLiteral("neighbour")).empty() && !lines(QStringLiteral("point")).empty());
    }

    QString result() const { return on<QLabel>("result")->text(); }
    bool saysNumber(const char* number) const
    {
        return attn::test::numbersIn(result()).contains(QLatin1String(number));
    }

    void search(const QString& text) const
    {
        auto* box = on<QLineEdit>("token");
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, text);
        QTest::keyClick(box, Qt::Key_Return);
    }

    // A figure once it is laid out.
    const Figure& figure(const char* canvas) const
    {
        auto* widget = on<FigureCanvas>(canvas);
        widget->grab();
        return *widget->figure();
    }

    void click(const char* canvas, QPointF at) const
    {
        QTest::mouseClick(on<FigureCanvas>(canvas), Qt::LeftButton, Qt::NoModifier, at.toPoint());
    }
};

// All tokens by their cosine to one of them, without the library that is tested.
std::vector<std::pair<double, int>> ranked(const std::string& name, Stage stage, int token)
{
    Engine engine;
    const LoadedModel model = loadModel(name, engine);
    std::vector<TokenId> ids(static_cast<std::size_t>(vocabularySize(model.model->info(), stage)));
    std::iota(ids.begin(), ids.end(), 0);
    const Tensor table = model.model->embeddings(ids, stage);
    const auto dot = [&](int a, int b) {
        double sum = 0;
        for (std::size_t i = 0; i < table.matrix().row(a).size(); ++i)
            sum += static_cast<double>(table.matrix().row(a)[i]) * static_cast<double>(table.matrix().row(b)[i]);
        return sum;
    };
    std::vector<std::pair<double, int>> result;
    for (const TokenId id : ids) {
        if (id != token && dot(id, id) > 0)
            result.emplace_back(dot(id, token) / std::sqrt(dot(id, id) * dot(token, token)), id);
    }
    std::ranges::sort(result, std::ranges::greater());
    return result;
}

} // namespace

class TestEmbeddingsPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theNeighboursAreThoseOfTheWholeTable()
    {
        EmbeddingsFixture fixture("recurrent");
        fixture.openEmbeddings();
        fixture.search(QStringLiteral("s9"));
        QTRY_VERIFY(fixture.result().contains(QStringLiteral("s9")));
        const auto expected = ranked("recurrent", Stage::Encoder, 9);
        const QStringList shown = fixture.lines(QStringLiteral("neighbour"));
        QCOMPARE(shown.size(), 15);
        for (int i = 0; i < shown.size(); ++i) {
            const QStringList fields = shown[i].split(QLatin1Char(','));
            const auto& [cosine, id] = expected[static_cast<std::size_t>(i)];
            QCOMPARE(fields[3].toInt(), id);
            QVERIFY(std::abs(fields.last().toDouble() - cosine) < 1e-5);
            if (id > 3)
                QCOMPARE(fields[2], QStringLiteral("\"s%1\"").arg(id));
        }
        QVERIFY2(fixture.saysNumber("120"), qPrintable(fixture.result())); // tokens in the table
    }

    void vectorsWithoutNumbersAreSaidToBeSo()
    {
        const QTemporaryDir folder;
        EmbeddingsFixture fixture(test::lostModel(folder.path()), QStringLiteral("s4 s5 s6 s7"));
        fixture.openEmbeddings();
        const QString note = QStringLiteral("o number in %1 of 5 cells (crossed out)");
        QVERIFY(fixture.figure("cloud").description().contains(note.arg(1)));
        const QRectF lost = fixture.figure("cloud").cellRect(0, 2);
        QVERIFY(QRectF(QPointF(), fixture.figure("cloud").size()).contains(lost));
        QVERIFY(fixture.figure("cloud").hitTest(lost.center()).text.contains(QStringLiteral("no number")));
        QVERIFY(!fixture.figure("cloud")
                     .hitTest(fixture.figure("cloud").cellRect(0, 1).center())
                     .text.contains(QStringLiteral("no number")));
        fixture.search(QStringLiteral("s9"));
        QTRY_VERIFY(fixture.result().contains(QStringLiteral("s9")));
        QVERIFY2(fixture.result().contains(QStringLiteral("no number: 1;")), qPrintable(fixture.result()));
        fixture.click("cloud", lost.center());
        QTRY_VERIFY(fixture.result().contains(QStringLiteral("s6")));
        QVERIFY2(fixture.result().contains(QStringLiteral("no number")), qPrintable(fixture.result()));
        auto* layer = fixture.on<QSlider>("layer");
        layer->setValue(layer->maximum()); // where each token has read all of them
        QVERIFY(fixture.figure("cloud").description().contains(note.arg(5)));
        QVERIFY(!fixture.csv().isEmpty());
    }

    void theTargetHasATableOfItsOwn()
    {
        EmbeddingsFixture fixture("recurrent");
        fixture.openEmbeddings();
        auto* side = fixture.on<QComboBox>("side");
        QVERIFY(side->isVisible());
        side->setFocus();
        QTest::keyClick(side, Qt::Key_Down);
        QTRY_VERIFY(!fixture.busy() && fixture.saysNumber("110"));
        fixture.search(QStringLiteral("t7"));
        QTRY_VERIFY(fixture.result().contains(QStringLiteral("t7")));
        const auto expected = ranked("recurrent", Stage::Decoder, 7);
        QCOMPARE(fixture.lines(QStringLiteral("neighbour"))[0].split(QLatin1Char(','))[3].toInt(), expected[0].second);
        const Encoding inputs = fixture.trace().decoderInputs();
        QTRY_VERIFY(fixture.lines(QStringLiteral("point")).size() == 2 * static_cast<qsizetype>(inputs.size()));
    }

    void aTextOfSeveralTokensLetsOneBeChosen()
    {
        EmbeddingsFixture fixture("recurrent");
        fixture.openEmbeddings();
        auto* piece = fixture.on<QComboBox>("piece");
        QVERIFY(!piece->isVisible());
        fixture.search(QStringLiteral("s8 s9"));
        QTRY_VERIFY(piece->isVisible());
        QCOMPARE(piece->count(), 2);
        QCOMPARE(test::numbersIn(fixture.result()), QStringList{QStringLiteral("2")});
        piece->setFocus();
        QTest::keyClick(piece, Qt::Key_Down);
        QTRY_COMPARE(fixture.lines(QStringLiteral("neighbour"))[0].split(QLatin1Char(','))[3].toInt(),
                     ranked("recurrent", Stage::Encoder, 9)[0].second);
    }

    void aClickedNeighbourOrTokenIsSearchedForInTurn()
    {
        EmbeddingsFixture fixture("recurrent");
        fixture.openEmbeddings();
        fixture.search(QStringLiteral("s9"));
        QTRY_VERIFY(fixture.result().contains(QStringLiteral("s9")));
        const auto expected = ranked("recurrent", Stage::Encoder, 9);
        fixture.click("neighbours", fixture.figure("neighbours").cellRect(2, 0).center());
        const auto next = ranked("recurrent", Stage::Encoder, expected[2].second);
        QTRY_COMPARE(fixture.lines(QStringLiteral("neighbour"))[0].split(QLatin1Char(','))[3].toInt(), next[0].second);
        fixture.click("cloud", fixture.figure("cloud").cellRect(0, 1).center());
        const int second = fixture.trace().source().ids[1];
        QTRY_COMPARE(fixture.lines(QStringLiteral("neighbour"))[0].split(QLatin1Char(','))[3].toInt(),
                     ranked("recurrent", Stage::Encoder, second)[0].second);
    }

    void theCloudIsThePrincipalPlaneLayerByLayer()
    {
        EmbeddingsFixture fixture(QStringLiteral("transformer"), QStringLiteral("s4 s5 s6 s7 s8"));
        fixture.openEmbeddings();
        Engine engine;
        const LoadedModel model = loadModel("transformer", engine);
        Question question;
        question.text = "s4 s5 s6 s7 s8";
        question.capture = {.attention = false, .hidden = true};
        const Trace trace = answer(question, model, engine);
        const std::size_t tokens = trace.source().size();
        const QStringList points = fixture.lines(QStringLiteral("point"));
        QCOMPARE(points.size(), static_cast<qsizetype>(4 * tokens)); // table, input, two layers
        Plane before = principalPlane(model.model->embeddings(trace.source().ids, Stage::Encoder).matrix());
        for (std::size_t layer = 0; layer < 4; ++layer) {
            Plane plane = before;
            if (layer > 0) {
                const auto hidden = trace.hiddenStates(Stage::Encoder)[layer - 1].values;
                plane =
                    principalPlane({hidden.data(), static_cast<int>(tokens), static_cast<int>(hidden.size() / tokens)});
                alignPlane(plane, before);
            }
            for (std::size_t i = 0; i < tokens; ++i) {
                const QStringList fields = points[static_cast<qsizetype>(layer * tokens + i)].split(QLatin1Char(','));
                const auto at = plane.points.matrix().row(static_cast<int>(i));
                QVERIFY(std::abs(fields[fields.size() - 3].toFloat() - at[0]) < 1e-4F);
                QVERIFY(std::abs(fields[fields.size() - 2].toFloat() - at[1]) < 1e-4F);
            }
            before = plane;
        }
    }

    void aTokenThatIsAskedForIsLookedAt()
    {
        EmbeddingsFixture fixture("recurrent");
        fixture.openPage(*pageOf("embeddings")).lookAt({{}, Place::Token{Stage::Decoder, 12}});
        QTRY_VERIFY(fixture.result().contains(QStringLiteral("t12")));
        QTRY_VERIFY(!fixture.busy() && !fixture.lines(QStringLiteral("point")).empty());
        QVERIFY(fixture.result().contains(QStringLiteral("t12"))); // the sentence does not take its place
        QCOMPARE(fixture.on<QComboBox>("side")->currentData().toString(), QStringLiteral("target"));
    }

    void layersAreChosenAndPlayed()
    {
        EmbeddingsFixture fixture("transformer");
        fixture.openEmbeddings();
        auto* layer = fixture.on<QSlider>("layer");
        QCOMPARE(layer->maximum(), 3);
        const QStringList names = fixture.layers(); // the table, the input, what leaves each layer
        QCOMPARE(names.size(), 4);
        QVERIFY(!names[0].isEmpty() && test::numbersIn(names[0]).isEmpty());
        const char* const numbers[] = {"0", "0", "1"};
        for (int i = 1; i < 4; ++i)
            QCOMPARE(test::numbersIn(names[i]), QStringList{QLatin1String(numbers[i - 1])});
        QCOMPARE(fixture.on<QLabel>("layerName")->text(), names[0]);
        const QPointF first = fixture.figure("cloud").cellRect(0, 0).center();
        layer->setFocus();
        QTest::keyClick(layer, Qt::Key_Right);
        QTest::keyClick(layer, Qt::Key_Right);
        QCOMPARE(fixture.on<QLabel>("layerName")->text(), names[2]);
        QVERIFY(names[3] != QString(names[2]).replace(QLatin1Char('0'), QLatin1Char('1'))); // it is the last one
        QVERIFY(fixture.figure("cloud").cellRect(0, 0).center() != first);
        auto* play = fixture.on<QToolButton>("playLayers");
        QTest::mouseClick(play, Qt::LeftButton);
        QVERIFY(play->isChecked());
        QTRY_COMPARE(layer->value(), 3);
        QTRY_VERIFY(!play->isChecked()); // it stops at the end
        QTest::mouseClick(play, Qt::LeftButton);
        QCOMPARE(layer->value(), 0);
        QTest::mouseClick(play, Qt::LeftButton);
        QVERIFY(!play->isChecked());
    }

    void pointsSayTheirTokens()
    {
        EmbeddingsFixture fixture("recurrent");
        fixture.openEmbeddings();
        auto* hover = fixture.laboratory->findChild<QLabel*>(QStringLiteral("laboratoryHover"));
        LaboratoryFixture::pointTo(fixture.on<FigureCanvas>("cloud"), fixture.figure("cloud").cellRect(0, 2).center());
        QTRY_VERIFY(hover->text().startsWith(QStringLiteral("s6 ")));
        const QStringList place = test::numbersIn(hover->text()); // x, y, the third token of how many
        const auto tokens = fixture.trace().source().size();
        QCOMPARE(place.mid(2), (QStringList{QStringLiteral("3"), QString::number(tokens)}));
        const QString cosine = QString::number(
            fixture.lines(QStringLiteral("neighbour"))[3].section(QLatin1Char(','), -1).toDouble(), 'f', 3);
        LaboratoryFixture::pointTo(fixture.on<FigureCanvas>("neighbours"),
                                   fixture.figure("neighbours").cellRect(3, 0).center());
        QTRY_VERIFY(hover->text().endsWith(cosine));
    }

    void namesDoNotLieOnEachOther()
    {
        ScatterContent content;
        for (int i = 0; i < 40; ++i)
            content.points.push_back({QPointF(i % 7, i % 5) * 0.3, QStringLiteral("token%1").arg(i), false, i == 39});
        const auto figure = scatterFigure(FigureSpec{}, content, {400, 320});
        // A hit away from every point is one on a name.
        std::vector<QRectF> names(40);
        for (int y = 0; y < 320; ++y) {
            for (int x = 0; x < 400; ++x) {
                const int point = figure->hitTest(QPointF(x, y)).column.value_or(-1);
                if (point < 0)
                    continue;
                const QPointF from = figure->cellRect(0, point).center() - QPointF(x, y);
                if (std::hypot(from.x(), from.y()) > 12)
                    names[static_cast<std::size_t>(point)] |= QRectF(x, y, 1, 1);
            }
        }
        QVERIFY(!names[39].isNull()); // the chosen one comes first
        int shown = 0;
        for (auto name = names.begin(); name != names.end(); ++name) {
            if (name->isNull())
                continue;
            ++shown;
            QVERIFY(QRectF(0, 0, 400, 320).contains(*name));
            for (auto other = names.begin(); other != name; ++other)
                QVERIFY(!name->intersects(*other));
        }
        QVERIFY(shown > 5);
        // One unit is as long on both axes.
        const QPointF across = figure->cellRect(0, 1).center() - figure->cellRect(0, 0).center();
        QVERIFY(std::abs(across.x() + across.y()) < 1e-9);
    }

    void barsAreAsLongAsTheirValues()
    {
        BarListContent content;
        content.entries = {{QStringLiteral("a"), 1}, {QStringLiteral("b"), 0.5}, {QStringLiteral("c"), 0}};
        const auto figure = barListFigure(FigureSpec{}, content, {300, 200});
        QImage image(300, 200, QImage::Format_RGB32);
        QPainter painter(&image);
        figure->paint(painter);
        painter.end();
        const auto length = [&](int row) {
            const int y = static_cast<int>(figure->cellRect(row, 0).center().y());
            int pixels = 0;
            for (int x = 0; x < 300; ++x)
                pixels += image.pixelColor(x, y) == themeColors(Theme::Light).bar ? 1 : 0;
            return pixels;
        };
        QVERIFY(length(0) > 50 && std::abs(length(1) * 2 - length(0)) <= 3);
        QCOMPARE(length(2), 0);
        QCOMPARE(figure->hitTest(figure->cellRect(1, 0).center()).row, 1);
    }

    void wordsOutsideTheVocabularyAreUnknown()
    {
        EmbeddingsFixture fixture("recurrent");
        fixture.openEmbeddings();
        fixture.search(QStringLiteral("elephant"));
        QTRY_VERIFY(fixture.result().contains(QStringLiteral("<unk>")));
        Engine engine;
        const LoadedModel model = loadModel("recurrent", engine);
        QVERIFY_THROWS_EXCEPTION(Error, namedTokens(model, Stage::Encoder, " "));
    }

    void withoutATokenizerIdsAreTyped()
    {
        EmbeddingsFixture fixture(QStringLiteral(ATTN_TEST_DATA "/cases/t5-relu"), QStringLiteral("5 9 2 7"));
        fixture.openEmbeddings();
        const QString prompt = fixture.on<QLineEdit>("token")->placeholderText();
        const QString input = fixture.layers().value(1);
        QCOMPARE(test::numbersIn(input), QStringList{QStringLiteral("0")});
        fixture.search(QStringLiteral("7"));
        QTRY_VERIFY(fixture.result().contains(QStringLiteral("<7>")));
        fixture.search(QStringLiteral("house"));
        QTRY_VERIFY(fixture.on<QLabel>("messageText")->isVisible());
        QVERIFY(fixture.on<QLabel>("messageText")->text().contains(QStringLiteral("house")));
        fixture.window->open(QStringLiteral("transformer"));
        const auto* token = fixture.on<QLineEdit>("token");
        QTRY_VERIFY(token->placeholderText() != prompt);
        QVERIFY(!prompt.isEmpty() && !token->placeholderText().isEmpty());
        QTRY_VERIFY(!fixture.busy() && !fixture.layers().isEmpty() && fixture.layers().value(1) != input); // positions
    }

    void anArchiveNeedsAModel()
    {
        EmbeddingsFixture fixture("recurrent");
        const QString archive = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(archive.toStdString(), fixture.trace());
        fixture.openEmbeddings();
        QTRY_VERIFY(fixture.saysNumber("120"));
        fixture.window->open(archive);
        QTRY_VERIFY(!fixture.result().isEmpty() && !fixture.saysNumber("120")); // says why
        QVERIFY(test::numbersIn(fixture.result()).isEmpty());
        QVERIFY(!fixture.laboratory->page(*pageOf("embeddings")).exportable());
        QVERIFY(!fixture.on<QLineEdit>("token")->isEnabled());
        fixture.window->open(QStringLiteral("transformer"));
        QTRY_VERIFY(fixture.saysNumber("140"));
    }

    void thereIsNothingToPlayInAnArchive()
    {
        EmbeddingsFixture fixture("recurrent");
        const QString archive = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(archive.toStdString(), fixture.trace());
        fixture.window->open(archive);
        QTRY_VERIFY(!fixture.window->study().model());
        fixture.openPage(*pageOf("embeddings"));
        QVERIFY(!fixture.on<QToolButton>("playLayers")->isEnabled());
        QVERIFY(!fixture.on<QSlider>("layer")->isEnabled());
    }

    void searchingAndReadingAreCancelled()
    {
        EmbeddingsFixture fixture("recurrent");
        fixture.openEmbeddings();
        const QByteArray before = fixture.csv();
        std::binary_semaphore gate(0);
        fixture.window->controller().thread().post([&gate](Engine&) { gate.acquire(); });
        fixture.search(QStringLiteral("s11"));
        auto* stop = fixture.on<QToolButton>("cancelSearch");
        QTRY_VERIFY(stop->isVisible());
        QTest::mouseClick(stop, Qt::LeftButton);
        QVERIFY(!stop->isVisible());
        fixture.pick("side", "target");
        QTRY_VERIFY(fixture.busy());
        QTest::mouseClick(fixture.on<QPushButton>("cancelJob"), Qt::LeftButton);
        QVERIFY(!fixture.busy());
        gate.release();
        fixture.pick("side", "source");
        QTRY_VERIFY(!fixture.lines(QStringLiteral("point")).empty());
    }

    // Whatever asks only whether there is something to write does not wait for it.
    void itsNumbersAreWordedWhenTheyAreWritten()
    {
        EmbeddingsFixture fixture("transformer");
        fixture.openEmbeddings();
        const auto figure = fixture.laboratory->page(*pageOf("embeddings")).exportable();
        QVERIFY(figure && !figure->csv().contains("couche"));
        const LanguageInUse language(languageNamed("fr"));
        QVERIFY(figure->csv().contains("couche"));
    }

    void itIsExported()
    {
        EmbeddingsFixture fixture("recurrent");
        fixture.openEmbeddings();
        const QByteArray svg = fixture.exported(QStringLiteral("embeddings.svg"));
        const QSet<QString> texts = test::textsOf(svg);
        for (const QString& neighbour : fixture.lines(QStringLiteral("neighbour")))
            QVERIFY2(texts.contains(neighbour.section(QLatin1Char('"'), 1, 1)), qPrintable(neighbour));
        const auto parts = std::ranges::count_if(texts, [](const QString& text) { return text.contains(u'%'); });
        QVERIFY(parts >= 3); // of the variance: along both axes, and together
        QCOMPARE(fixture.exported(QStringLiteral("embeddings.csv")), fixture.csv());
    }
};

ATTN_GUI_TEST(TestEmbeddingsPage)
#include "tst_embeddings_page.moc"
