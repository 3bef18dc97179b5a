// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/picture_figure.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "panels/runs_model.h"
#include "panels/step_panel.h"
#include "question/question.h"
#include "session/session.h"
#include "support/bad_pictures.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "ui/window/window_fixture.h"
#include "views/stage_view.h"
#include "window/opening.h"

#include <QClipboard>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::ui;

namespace {

QString caseFolder(const char* name)
{
    return QStringLiteral(ATTN_TEST_DATA "/pictures/") + QLatin1String(name);
}

// A window with a model that reads pictures, and what is seen of one.
class PictureDesk : public test::WindowFixture
{
public:
    explicit PictureDesk(const char* model = "captioner-soft")
        : PictureDesk(caseFolder(model))
    {
    }
    explicit PictureDesk(const QString& model)
        : folder(model)
    {
        open();
        window->open(folder);
        settle();
    }

    FigureView& view() const { return *find<FigureView>("pictureView"); }

    const PictureFigure& figure() const
    {
        view().grab();
        return dynamic_cast<const PictureFigure&>(*view().figure());
    }

    QPoint middleOf(TokenPlace place) const { return figure().rectOf(place).center().toPoint(); }
    void clickOn(TokenPlace place) const { QTest::mouseClick(&view(), Qt::LeftButton, {}, middleOf(place)); }

    // The words over the views.
    StageView& stage() const { return *find<StageView>("stage"); }
    QPoint wordOf(int step) const
    {
        stage().grab();
        const Figure& shown = *stage().figure();
        for (int word = 0; word < shown.rows(); ++word) {
            const QPointF middle = shown.cellRect(word, 0).center();
            if (shown.hitTest(middle).rowToken == step)
                return middle.toPoint();
        }
        return {};
    }
    void clickOnWord(int step) const { QTest::mouseClick(&stage(), Qt::LeftButton, {}, wordOf(step)); }

    QString folder;
};

constexpr TokenSide words = TokenSide::Rows;
constexpr TokenSide patches = TokenSide::Columns;

} // namespace

// Pictures in the window: dropped, pasted and opened, clicked, walked through, edited and kept.
class TestPictureWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDroppedPictureIsReadAndShown()
    {
        const PictureDesk desk;
        QVERIFY(desk.trace().source().boxes.empty()); // nothing was read yet
        desk.dropFile(desk.folder + QStringLiteral("/picture.png"));
        QVERIFY(!desk.trace().source().boxes.empty());
        QVERIFY(desk.trace().steps() > 0);
        QTRY_VERIFY(desk.view().isVisible()); // it came to the front
        QCOMPARE(desk.figure().rows(), desk.trace().steps());
        QCOMPARE(desk.find<QLineEdit>("sentence")->text(), QStringLiteral("picture.png"));
    }

    void aPastedPictureIsRead()
    {
        const PictureDesk desk;
        QImage pasted(40, 30, QImage::Format_RGB32);
        pasted.fill(Qt::darkCyan);
        QGuiApplication::clipboard()->setImage(pasted);
        QTest::keySequence(desk.window.get(), QKeySequence::Paste);
        QTRY_VERIFY(!desk.trace().source().boxes.empty());
        desk.settle();
        QCOMPARE(desk.trace().media()->picture->width, 40);
        QVERIFY(desk.window->study().inputs().begin()->second.bytes != nullptr);
    }

    void aModelOfTextsSaysThatItReadsNone()
    {
        test::WindowFixture fixture("recurrent");
        fixture.window->open(caseFolder("captioner-soft") + QStringLiteral("/picture.png"));
        QVERIFY(fixture.window->message().contains(QStringLiteral("picture.png")));
        fixture.window->open(caseFolder("captioner-soft")); // which then reads it at once
        QTRY_VERIFY(!fixture.trace().source().boxes.empty());
    }

    void whatIsNoPictureIsRefused_data()
    {
        test::addColumns<QByteArray, QString>("bytes", "said");
        for (const test::BadPicture& one : test::badPictures())
            QTest::newRow(one.name) << one.bytes << QString::fromLatin1(one.said);
    }

    // One line says so, and what was there stays.
    void whatIsNoPictureIsRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, said);
        const QString ending =
            said == QStringLiteral("SVG") || said == QStringLiteral("HEIC") ? said.toLower() : QStringLiteral("png");
        const QString name = QStringLiteral("mine.") + ending;
        const PictureDesk desk;
        const QString path = desk.path(name);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        desk.dropFile(path);
        const QString message = desk.window->message();
        QVERIFY2(message.contains(name) && message.contains(said), qPrintable(message));
        QVERIFY(!message.contains(u'\n'));
        QVERIFY(desk.trace().source().boxes.empty());
    }

    void aGridThatDoesNotFitIsRefused()
    {
        const QTemporaryDir folder;
        for (const char* name : {"config.json", "model.safetensors"})
            QVERIFY(QFile::copy(caseFolder("captioner-soft") + QLatin1Char('/') + QLatin1String(name),
                                folder.filePath(QLatin1String(name))));
        QFile file(folder.filePath(QStringLiteral("preprocessor_config.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"size": {"height": 90, "width": 20}})");
        file.close();
        test::WindowFixture fixture("recurrent");
        const Trace before = fixture.trace();
        fixture.window->open(folder.path());
        fixture.settle();
        const QString message = fixture.window->message();
        QVERIFY2(message.contains(QStringLiteral("grid")) && !message.contains(u'\n'), qPrintable(message));
        QCOMPARE(fixture.trace().target().ids, before.target().ids); // what was there stays
    }

    void wordsAndPatchesAreClicked()
    {
        PictureDesk desk;
        desk.dropFile(desk.folder + QStringLiteral("/picture.png"));
        QVERIFY(desk.figure().rectOf({words, 1}).isNull()); // they stand over the view, and not in it again
        desk.clickOnWord(1);
        QCOMPARE(desk.figure().word(), std::optional(1));
        QCOMPARE(desk.window->selection().step(), std::optional(1));
        // Where a word looks most: grounds are on the scale of the picture.
        const Numbers weights = desk.trace().matrix({Stage::Cross, 0}, 0);
        int most = 0;
        int patch = 0;
        for (int step = 0; step < weights.rows; ++step) {
            for (int column = 0; column < weights.columns; ++column) {
                const bool shown = !desk.wordOf(step).isNull() && !desk.figure().rectOf({patches, column}).isNull();
                if (shown && weights.at(step, column) > weights.at(most, patch)) {
                    most = step;
                    patch = column;
                }
            }
        }
        desk.clickOn({patches, patch});
        QVERIFY(!desk.figure().word());
        QVERIFY(desk.figure().description().contains(desk.figure().columnLabels().value(patch)));
        // A word says how much it looks there, and the one that looks most has the darkest ground.
        for (int step = 0; step < weights.rows; ++step) {
            const QPoint at = desk.wordOf(step);
            if (at.isNull())
                continue; // a special token
            const QString said = desk.stage().figure()->hitTest(at).text;
            QVERIFY2(said.contains(decimal(double{weights.at(step, patch)}, 4)), qPrintable(said));
        }
        const QImage stage = desk.stage().grab().toImage();
        const auto ground = [&](int step) { return stage.pixelColor(desk.wordOf(step) - QPoint(0, 8)).lightness(); };
        for (int step = 0; step < weights.rows; ++step)
            QVERIFY(desk.wordOf(step).isNull() || ground(most) <= ground(step));
        QVERIFY(ground(most) < 240);
        desk.clickOnWord(1); // the step is the same
        QCOMPARE(desk.figure().word(), std::optional(1));
        desk.clickOn({patches, patch});
        QTest::keyClick(&desk.view(), Qt::Key_Escape);
        QCOMPARE(desk.figure().word(), std::optional(1)); // that of the step
    }

    void arrowKeysAndDraggingScrub()
    {
        PictureDesk desk;
        desk.dropFile(desk.folder + QStringLiteral("/picture.png"));
        desk.clickOnWord(0);
        desk.view().setFocus();
        QTest::keyClick(&desk.view(), Qt::Key_Right);
        QCOMPARE(desk.figure().word(), std::optional(1));
        QTest::keyClick(&desk.view(), Qt::Key_Right);
        QCOMPARE(desk.window->selection().step(), std::optional(2));
        QTest::keyClick(&desk.view(), Qt::Key_Left);
        QCOMPARE(desk.figure().word(), std::optional(1));
        const QPoint from = desk.wordOf(1);
        const QPoint to = desk.wordOf(3);
        QTest::mousePress(&desk.stage(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&desk.stage(), desk.wordOf(2));
        QCOMPARE(desk.figure().word(), std::optional(2));
        QTest::mouseMove(&desk.stage(), to);
        QCOMPARE(desk.figure().word(), std::optional(3));
        QTest::mouseRelease(&desk.stage(), Qt::LeftButton, {}, to);
        QCOMPARE(desk.figure().word(), std::optional(3));
    }

    void spacePlays()
    {
        PictureDesk desk;
        desk.dropFile(desk.folder + QStringLiteral("/picture.png"));
        desk.clickOnWord(0);
        desk.view().setFocus();
        QTest::keyClick(&desk.view(), Qt::Key_Space);
        QVERIFY(desk.window->selection().plays());
        QTRY_VERIFY(desk.window->selection().step() > std::optional(0));
        QTest::keyClick(&desk.view(), Qt::Key_Space);
        QVERIFY(!desk.find<StepPanel>("stepPanel")->playing());
    }

    void aSheetIsLeftByAClick()
    {
        PictureDesk desk;
        desk.dropFile(desk.folder + QStringLiteral("/picture.png"));
        auto* sheet = desk.find<QToolButton>("pictureSheet");
        QTest::mouseClick(sheet, Qt::LeftButton);
        QVERIFY(desk.figure().isSheet());
        desk.clickOn({words, 2});
        QVERIFY(!desk.figure().isSheet());
        QCOMPARE(desk.figure().word(), std::optional(2));
        QVERIFY(!sheet->isChecked());
    }

    void aRubberBandGreysWhatItHolds()
    {
        PictureDesk desk;
        desk.dropFile(desk.folder + QStringLiteral("/picture.png"));
        const Trace before = desk.trace();
        const QRectF first = desk.figure().rectOf({patches, 0});
        const QRectF second = desk.figure().rectOf({patches, 1});
        QTest::mousePress(&desk.view(), Qt::LeftButton, {}, (first.topLeft() + QPointF(1, 1)).toPoint());
        QTest::mouseMove(&desk.view(), first.center().toPoint());
        QTest::mouseMove(&desk.view(), (second.bottomRight() - QPointF(1, 1)).toPoint());
        QTimer::singleShot(0, [] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            auto* grey = menu->findChild<QAction*>(QStringLiteral("greyPatch"));
            QVERIFY(grey != nullptr);
            grey->trigger();
            menu->close();
        });
        QTest::mouseRelease(&desk.view(), Qt::LeftButton, {}, (second.bottomRight() - QPointF(1, 1)).toPoint());
        QTRY_COMPARE(desk.window->study().edited().edits, (std::vector<std::string>{"source:0=grey", "source:1=grey"}));
        desk.settle();
        QCOMPARE(desk.trace().provenance().edits.size(), std::size_t{2});
        QCOMPARE(desk.window->study().runs().runs().size(), std::size_t{3}); // with the text's at the start
        QCOMPARE(desk.trace().media()->picture.get(), before.media()->picture.get()); // held once
    }

    // Whatever becomes of special tokens in other views.
    void theClassTokenStandsBesideThePicture()
    {
        PictureDesk desk("vit-classes");
        desk.dropFile(desk.folder + QStringLiteral("/picture.png"));
        QVERIFY(desk.figure().description().contains(QStringLiteral("[CLS]"))); // whose view it is
        const QRectF beside = desk.figure().rectOf({patches, 0});
        QVERIFY(!beside.isNull() && beside.left() > desk.figure().rectOf({patches, 1}).right());
        desk.clickOn({words, 5});
        QVERIFY(!desk.figure().description().contains(QStringLiteral("[CLS]")));
        desk.clickOn({words, 0});
        QVERIFY(desk.figure().description().contains(QStringLiteral("[CLS]")));
    }

    void aPatchOfAnEncoderShowsWhereItLooks()
    {
        PictureDesk desk("vit-classes");
        desk.dropFile(desk.folder + QStringLiteral("/picture.png"));
        desk.showTokens();
        desk.clickOn({words, 3});
        QCOMPARE(desk.window->selection().step(), std::optional(3));
        QVERIFY(desk.figure().description().contains(desk.figure().rowLabels().value(3)));
    }

    void textsAreComparedWithThePicture_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("oneIsRight");
        QTest::newRow("clip") << QStringLiteral("clip-gelu") << true;
        QTest::newRow("siglip") << QStringLiteral("siglip-both") << false;
    }

    // The sentence that the window opens with is no text about a picture.
    void aPictureIsReadWithoutAText()
    {
        test::WindowFixture desk;
        desk.show(caseFolder("clip-gelu"), QString::fromStdString(usualQuestion().text)); // without a tokenizer
        desk.settle();
        QTRY_COMPARE(desk.find<QLineEdit>("sentence")->text(), QString());
        desk.dropFile(caseFolder("clip-gelu") + QStringLiteral("/picture.png"));
        desk.settle();
        QVERIFY2(desk.window->message().isEmpty(), qPrintable(desk.window->message()));
        QVERIFY(!desk.trace().sites().empty());
        QVERIFY(!desk.window->findChild<StepPanel*>()->isVisible());
    }

    // A model of pictures and texts whose words are letters.
    void textsAreComparedWithThePicture()
    {
        QFETCH(QString, model);
        QFETCH(bool, oneIsRight);
        const QTemporaryDir folder;
        for (const char* name : {"config.json", "model.safetensors", "picture.png", "preprocessor_config.json"})
            QVERIFY(QFile::copy(caseFolder(qPrintable(model)) + QLatin1Char('/') + QLatin1String(name),
                                folder.filePath(QLatin1String(name))));
        QFile file(folder.filePath(QStringLiteral("tokenizer.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"added_tokens": [], "pre_tokenizer": {"type": "Whitespace"}, "model": {"type": "WordLevel",
            "vocab": {"x": 0, "a": 3, "b": 4, "c": 5, "d": 6, "e": 7}, "unk_token": "x"}})");
        file.close();
        const PictureDesk desk(folder.path());
        auto* texts = desk.find<QPlainTextEdit>("labelTexts");
        auto* run = desk.find<QPushButton>("runButton");
        QVERIFY(texts->isVisible());
        QVERIFY(!run->isEnabled()); // there is no picture yet
        auto* sentence = desk.find<QLineEdit>("sentence");
        sentence->setFocus();
        sentence->selectAll();
        QTest::keyClicks(sentence, QStringLiteral("a b"));
        desk.dropFile(folder.filePath(QStringLiteral("picture.png")));
        QVERIFY(run->isEnabled());
        QVERIFY(desk.trace().match());
        auto* title = desk.find<QLabel>("candidatesTitle");
        QTRY_VERIFY(title->text().contains(QStringLiteral("Similarity")));
        const int folded = texts->height(); // one line, until something is written
        QVERIFY(folded < 2 * texts->fontMetrics().lineSpacing() + 2 * texts->document()->documentMargin());
        texts->setFocus();
        QTRY_VERIFY(texts->height() > folded + texts->fontMetrics().lineSpacing());
        QTest::keyClicks(texts, QStringLiteral("a b"));
        QTest::keyClick(texts, Qt::Key_Return);
        QTest::keyClick(texts, Qt::Key_Return); // a blank line is no text
        QTest::keyClicks(texts, QStringLiteral("c d e"));
        QTest::mouseClick(run, Qt::LeftButton);
        desk.settle();
        QVERIFY2(desk.window->message().isEmpty(), qPrintable(desk.window->message()));
        sentence->setFocus();
        QTRY_COMPARE(texts->height(), folded);
        const PictureMatch& match = *desk.trace().match();
        QCOMPARE(match.labelTexts, (std::vector<std::string>{"a b", "c d e"}));
        QCOMPARE(match.labelSimilarities.front(), match.similarity.value());
        const std::size_t best = match.labelSimilarities[1] > match.labelSimilarities[0] ? 1 : 0;
        QTRY_COMPARE(title->text(),
                     QStringLiteral("Fits best: \u201C%1\u201D").arg(QString::fromStdString(match.labelTexts[best])));
        const auto listed = candidatesAt(desk.trace(), {}, {});
        QCOMPARE(listed.size(), std::size_t{2});
        const double logit = double{match.labelSimilarities[best]};
        const double other = double{match.labelSimilarities[1 - best]};
        const double expected = 1 / (1 + std::exp(oneIsRight ? other - logit : -logit));
        QVERIFY(std::abs(listed.front().value - expected) < 1e-5);
        QStringList rows;
        for (const Site& site : desk.trace().sites()) {
            FigureSpec spec;
            spec.site = site;
            const MatrixContent shown = spec.kind->numbers(spec, desk.trace());
            QVERIFY(!shown.title.title.isEmpty());
            QVERIFY(!rows.contains(shown.rowAxis) || rows.last() == shown.rowAxis);
            rows.append(shown.rowAxis);
        }
        QVERIFY(rows.contains(QStringLiteral("query"))); // of a text that is read
        QCOMPARE(rows.contains(QStringLiteral("learned query")), !oneIsRight);
        const std::string path = desk.path(QStringLiteral("kept.npz")).toStdString();
        writeArchive(path, desk.trace());
        const Trace read = readArchive(path);
        QVERIFY(std::abs(candidatesAt(read, {}, {}).front().value - expected) < 1e-5);
    }

    void aSessionRunsWithoutThePicturesFile()
    {
        PictureDesk desk;
        const QString picture = desk.path(QStringLiteral("mine.png"));
        QVERIFY(QFile::copy(desk.folder + QStringLiteral("/picture.png"), picture));
        desk.dropFile(picture);
        const Trace before = desk.trace();
        const std::string path = desk.path(QStringLiteral("mine.attnscope")).toStdString();
        writeSession(path, desk.window->study().session());
        QVERIFY(QFile::remove(picture));
        const Session read = readSession(path);
        QCOMPARE(read.runs.back().question->image, std::optional(picture.toStdString()));
        QVERIFY(read.inputs.at(picture.toStdString()).bytes != nullptr);
        QVERIFY(*read.runs.back().trace.media()->picture == *before.media()->picture);
        desk.window->open(QString::fromStdString(path));
        desk.settle();
        desk.action("runAction")->trigger();
        desk.settle();
        QVERIFY(desk.window->message().isEmpty());
        QCOMPARE(desk.trace().target().ids, before.target().ids);
        // Other parts of the window need no file, either.
        const Study& study = desk.window->study();
        const int plain = *study.shown();
        desk.window->edits().add({"source:0=grey"});
        desk.action("runAction")->trigger();
        desk.settle();
        desk.find<QDockWidget>("runsDock")->raise();
        auto* tree = desk.find<QTreeView>("runsTree");
        const auto& runs = static_cast<const RunsModel&>(*tree->model());
        const QModelIndex first = runs.indexOf(plain);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, Qt::ControlModifier, tree->visualRect(first).center());
        QVERIFY(study.compared() != nullptr);
        const int shown = *study.shown();
        const int other = study.compared()->id;
        if (!desk.action("differenceAction")->isChecked())
            desk.action("differenceAction")->trigger();
        QTRY_VERIFY(!study.outputUnder(shown, other).tokens.empty() && !study.outputUnder(other, shown).tokens.empty());
        QVERIFY(std::isfinite(study.outputUnder(shown, other).sum));
        QVERIFY(std::isfinite(study.outputUnder(other, shown).sum));
        const Page look = *pageOf("look");
        LaboratoryWindow& laboratory = desk.window->openLaboratory(look);
        QTRY_VERIFY(laboratory.page(look).exportable().has_value());
    }

    void tenRunsHoldTheirPictureOnce()
    {
        PictureDesk desk;
        desk.dropFile(desk.folder + QStringLiteral("/picture.png"));
        const SourceMedia& first = *desk.trace().media();
        for (int cell = 0; cell < 9; ++cell) { // hidden cells leave the pixels as they are
            desk.window->edits().add({"source:" + std::to_string(cell) + "=hide"});
            desk.action("runAction")->trigger();
            desk.settle();
        }
        int runs = 0;
        for (const Run& run : desk.window->study().runs().runs()) {
            if (!run.trace.media())
                continue; // the text's at the start
            ++runs;
            QCOMPARE(run.trace.media()->picture.get(), first.picture.get());
            QCOMPARE(run.trace.media()->input.get(), first.input.get());
        }
        QVERIFY(runs >= 10);
        const SessionInputs& inputs = desk.window->study().inputs();
        QCOMPARE(inputs.size(), std::size_t{1}); // and its file
    }
};

ATTN_GUI_TEST(TestPictureWindow)
#include "tst_picture_window.moc"
