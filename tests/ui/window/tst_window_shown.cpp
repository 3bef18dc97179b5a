// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "figures/export/figure_export.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/token_label.h"
#include "figures/look/word_times.h"
#include "panels/candidates_panel.h"
#include "state/edit_list.h"
#include "state/edit_place.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "ui/window/window_fixture.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QImageReader>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include <set>
#include <vector>

using namespace attn;
using namespace attn::ui;
using attn::test::trainedModels;
using attn::test::waitForRun;
using attn::test::WindowFixture;

namespace {

struct ShownDesk : WindowFixture
{
    ShownDesk(const QString& model, const QString& text) { open(model, text); }

    // Rows of the matrix that answer to the pointer.
    std::vector<int> seenRows() const
    {
        const Figure& figure = figureOf(heatmap());
        std::vector<int> rows;
        for (int row = 0; row < figure.rows(); ++row) {
            if (figure.hitTest(figure.cellRect(row, 0).center()).isCell())
                rows.push_back(row);
        }
        return rows;
    }
    QString candidatesTitle() const { return find<QLabel>("candidatesTitle")->text(); }
    QString message() const { return window->message(); }

    QString write(const QString& name, const QByteArray& bytes) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot be written");
        return file.fileName();
    }
};

std::vector<int> upTo(int count)
{
    std::vector<int> numbers;
    for (int number = 0; number < count; ++number)
        numbers.push_back(number);
    return numbers;
}

} // namespace

// All views of a run follow one chosen word and one step, and files and texts that are given are taken.
class TestWindowShown : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // --- rows come as they are written

    void playingFillsTheRows_data()
    {
        test::addColumns<QString, QString>("model", "text");
        QTest::newRow("encoder-decoder") << trainedModels + QStringLiteral("rnnsearch-en-fr")
                                         << QStringLiteral("I am not deaf.");
        QTest::newRow("decoder-only") << trainedModels + QStringLiteral("gpt-small-en")
                                      << QStringLiteral("The cat sat");
    }
    void playingFillsTheRows()
    {
        QFETCH(const QString, model);
        QFETCH(const QString, text);
        const ShownDesk desk(model, text);
        desk.showTokens();
        const int rows = ShownDesk::figureOf(desk.heatmap()).rows();
        const int steps = static_cast<int>(desk.trace().path().size());
        const QRectF cell = ShownDesk::figureOf(desk.heatmap()).cellRect(0, 0);
        desk.click("firstStep");
        QCOMPARE(desk.seenRows(), upTo(rows)); // a step that is looked at is one of all
        desk.click("playSteps");
        QCOMPARE(desk.seenRows(), upTo(1));
        for (int step = 1; step + 1 < steps; ++step) {
            QTRY_VERIFY(desk.window->selection().step() >= step);
            QTRY_VERIFY(desk.seenRows().size() >= upTo(step + 1).size()); // all of a word's at once
            QCOMPARE(desk.heatmap().figure()->cellRect(0, 0), cell); // nothing moves
            QTRY_VERIFY2(desk.candidatesTitle().contains(QString::number(*desk.window->selection().step())),
                         qPrintable(desk.candidatesTitle()));
        }
        QTRY_VERIFY(desk.window->selection().step() >= steps - 2); // the end of a sentence is no word
        QTRY_VERIFY(!desk.find<StepPanel>("stepPanel")->playing());
        QCOMPARE(desk.seenRows(), upTo(rows));
        desk.click("firstStep");
        desk.click("playSteps");
        QCOMPARE(desk.seenRows(), upTo(1));
        desk.click("playSteps"); // pause: what is to come stays away until something is chosen
        QCOMPARE(desk.seenRows(), upTo(1));
        desk.click("lastStep");
        QCOMPARE(desk.seenRows(), upTo(rows));
    }

    void anAnimationFillsTheRows()
    {
        const ShownDesk desk(QStringLiteral("recurrent"), QStringLiteral("s4 s5 s6 s7"));
        desk.showTokens();
        ExportOptions options;
        options.dpi = 96; // a pixel of the figure is a dot
        options.delay = 100; // a picture for each step
        const QString file = desk.path(QStringLiteral("steps.gif"));
        exportFigure(file, exportable(desk.heatmap().spec(), desk.trace()), options);
        QImageReader reader(file);
        if (!reader.supportsAnimation() || reader.imageCount() < 3)
            QSKIP("no reader for animations here");
        const auto layout =
            layoutFigure(desk.heatmap().spec(), desk.trace(), QSizeF(options.widthMm / 25.4 * options.dpi, 0));
        const int rows = layout->rows();
        QCOMPARE(reader.imageCount(), rows);
        // Colours in the middles of the cells of a row.
        const auto colors = [&](const QImage& frame, int row) {
            std::set<QRgb> found;
            for (int column = 0; column < layout->columns(); ++column)
                found.insert(frame.pixel((layout->cellRect(row, column).center() + QPointF(0, 9)).toPoint()));
            return found;
        };
        for (int step = 0; step + 1 < rows; ++step) {
            const QImage frame = reader.read();
            const std::set<QRgb> ground{frame.pixel(2, 2)};
            QVERIFY(colors(frame, step) != ground);
            for (int later = step + 1; later < rows; ++later)
                QCOMPARE(colors(frame, later), ground); // still to be written
        }
    }

    // As it does on the stage, which then stands over the figure.
    void anAnimationShowsAWordOnItsWay()
    {
        const ShownDesk desk(QStringLiteral("recurrent"), QStringLiteral("s4 s5 s6 s7"));
        desk.showTokens();
        const QString still = desk.path(QStringLiteral("still.gif"));
        const QString moving = desk.path(QStringLiteral("moving.gif"));
        ExportOptions options;
        options.delay = 100;
        exportFigure(still, exportable(desk.heatmap().spec(), desk.trace()), options);
        exportFigure(moving, exportable(desk.heatmap().spec(), desk.trace()), {});
        QImageReader plain(still);
        QImageReader reader(moving);
        if (!reader.supportsAnimation() || plain.imageCount() < 3)
            QSKIP("no reader for animations here");
        constexpr int ofAWord = 5;
        QCOMPARE(reader.imageCount(), ofAWord * plain.imageCount());
        std::vector<QImage> word;
        int spent = 0;
        for (int i = 0; i < ofAWord; ++i) {
            word.push_back(reader.read());
            spent += reader.nextImageDelay();
            QVERIFY(i == 0 || word[i] != word[i - 1]);
        }
        QCOMPARE(spent, static_cast<int>(firstWordTime.count()));
        QVERIFY(word.front().height() > plain.read().height());
    }

    // --- one chosen word

    void theOutlinedRowIsTheChosenToken_data() { playingFillsTheRows_data(); }
    void theOutlinedRowIsTheChosenToken()
    {
        QFETCH(const QString, model);
        QFETCH(const QString, text);
        const ShownDesk desk(model, text);
        desk.showTokens();
        const int steps = static_cast<int>(desk.trace().path().size());
        for (const int token : {0, steps - 2, 1}) { // the last one ends the output: it is no word
            desk.clickWordOfStep(token);
            QCOMPARE(desk.window->selection().step(), token);
            const FigureTable table = ShownDesk::figureOf(desk.heatmap()).table();
            QCOMPARE(table.chosenRows, (std::vector<int>{token}));
            QTRY_VERIFY(desk.candidatesTitle().contains(QString::number(token)));
        }
        // The row says what it is.
        const QString tip = desk.heatmap().figure()->table().tip({1, FigureTable::header});
        QVERIFY2(tip.startsWith(desk.heatmap().figure()->rowLabels().at(1)), qPrintable(tip));
    }

    // The word of a language model's text is the row of the step that writes it, in every view; no step writes the
    // first one.
    void aChosenWordIsTheRowThatWritesIt()
    {
        const ShownDesk desk(trainedModels + QStringLiteral("gpt-small-en"),
                             QStringLiteral("The little cat sat on it"));
        desk.showTokens();
        const QStringList words = QStringLiteral("The little cat sat on it").split(QLatin1Char(' '));
        QCOMPARE(desk.trace().source().size(), std::size_t(words.size()));
        const auto clickToken = [&](int token) {
            desk.clickWord([&](const Figure& stage, int word) {
                return stage.hitTest(stage.cellRect(word, 0).center()).columnToken == token;
            });
        };
        auto* slider = desk.find<QSlider>("stepSlider");
        for (const int token : {4, 2, 1}) {
            clickToken(token);
            const int step = token - 1;
            QCOMPARE(desk.window->selection().step(), step);
            QCOMPARE(slider->value(), step);
            const FigureTable table = ShownDesk::figureOf(desk.heatmap()).table();
            QCOMPARE(table.chosenRows, (std::vector<int>{step}));
            QCOMPARE(table.text({step, FigureTable::header}), words[token]);
            QVERIFY(table.tip({step, 0}).endsWith(QStringLiteral("“%1”").arg(words[token - 1]))); // asks for it
            const QString named = QStringLiteral("“%1”").arg(words[token]);
            const QString spelled = QStringLiteral("“·%1”").arg(words[token]); // with its space
            QTRY_VERIFY2(desk.candidatesTitle().contains(spelled), qPrintable(desk.candidatesTitle()));
            QTRY_VERIFY(desk.find<QLabel>("choiceTitle")->text().contains(named));
        }
        clickToken(0);
        QCOMPARE(desk.window->selection().step(), 0);
        desk.showTab("arcs");
        desk.clickLabel(desk.inFront(), FigureHit::Part::RowLabel, 3);
        QCOMPARE(desk.window->selection().step(), 3);
        QCOMPARE(desk.inFront().figure()->rowLabels().at(3), words[4]);
        desk.clickLabel(desk.inFront(), FigureHit::Part::ColumnLabel, 3); // the same word, where it is read
        QCOMPARE(desk.window->selection().step(), 2);
        QCOMPARE(desk.inFront().spec().picked, (std::vector<int>{3}));
        desk.click("forwardStep");
        QCOMPARE(desk.inFront().spec().picked, (std::vector<int>{4}));
    }

    // Its number is that of the row of the tensor.
    void aClickedCellIsEditedWhereItIs()
    {
        const ShownDesk desk(trainedModels + QStringLiteral("gpt-small-en"), QStringLiteral("The little cat sat"));
        desk.showTokens();
        desk.window->selection().setSiteAndHead({Stage::Decoder, 1}, 2);
        QTRY_VERIFY(ShownDesk::figureOf(desk.heatmap()).rows() == 4);
        ShownDesk::clickCell(desk.heatmap(), 2, 1); // "sat" from "little", asked by "cat"
        auto* hide = desk.find<QToolButton>("hideCellsButton");
        QTRY_VERIFY(hide->isVisible());
        QVERIFY(desk.find<QLabel>("choiceTitle")->text().startsWith(QStringLiteral("sat ← little ")));
        QTest::mouseClick(hide, Qt::LeftButton);
        QTRY_COMPARE(desk.window->edits().applied(), (std::vector<std::string>{"decoder:1:2:2:1=hide"}));
        desk.settle();
        const QRectF label = desk.heatmap().figure()->table().rect({1, FigureTable::header});
        const EditPlace place =
            editPlace(desk.heatmap().spec(), desk.trace(), desk.heatmap().figure()->hitTest(label.center()));
        QCOMPARE(place.tokens, (std::vector<Index>{2})); // "cat", which row 1 writes
        const QString named = desk.window->edits().data(desk.window->edits().index(0), Qt::DisplayRole).toString();
        QVERIFY2(named.startsWith(QStringLiteral("little hidden for sat")), qPrintable(named));
        QTRY_COMPARE(desk.trace().matrix({Stage::Decoder, 1}, 2).at(2, 1), 0.0F);
    }

    // A cell under the pointer is marked in the sentences, and a word under it in the picture.
    void whatIsPointedAtIsSeenElsewhere()
    {
        const ShownDesk desk(trainedModels + QStringLiteral("rnnsearch-en-fr"), QStringLiteral("I am not deaf."));
        desk.standStill();
        const Selection& selection = desk.window->selection();
        auto* stage = desk.find<FigureView>("stage");
        FigureView& heatmap = desk.heatmap();
        QTest::mouseMove(stage, QPoint(1, 1));
        const QImage before = stage->grab().toImage();
        const int row = *selection.step() == 1 ? 2 : 1;
        QTest::mouseMove(&heatmap, heatmap.figure()->cellRect(row, 1).center().toPoint());
        QTRY_VERIFY(selection.pointed().step == row && selection.pointed().token == 1);
        QVERIFY(stage->grab().toImage() != before);
        const QImage plain = heatmap.grab().toImage();
        for (int word = 0; word < stage->figure()->rows(); ++word) {
            const QPointF at = stage->figure()->cellRect(word, 0).center();
            if (stage->figure()->hitTest(at).columnToken == 2)
                QTest::mouseMove(stage, at.toPoint());
        }
        QTRY_VERIFY(selection.pointed().token == 2 && !selection.pointed().step);
        QVERIFY(heatmap.grab().toImage() != plain); // its column is marked
        const QRectF column = heatmap.figure()->cellRect(0, 2);
        QVERIFY(!column.isNull());
    }

    void theShareOfHiddenTokensIsNamed()
    {
        const ShownDesk desk(trainedModels + QStringLiteral("rnnsearch-en-fr"), QStringLiteral("I am not deaf."));
        auto* bars = desk.find<FigureCanvas>("choiceWeights");
        const Encoding& source = desk.trace().source();
        const Numbers map = desk.trace().matrix({Stage::Cross, 0}, 0);
        std::set<bool> seen;
        for (const AxisGroup& word : wordAxis(desk.trace().target())) {
            if (word.count > 1 || isSpecial(desk.trace().target(), word.first))
                continue;
            desk.window->selection().setStep(word.first);
            double special = 0;
            for (Index column = 0; column < map.columns; ++column)
                special += isSpecial(source, column) ? double{map.at(word.first, column)} : 0;
            const auto named = [&] { // also where there is no room for its bar
                const QString name = QStringLiteral("special tokens");
                const Figure* const shown = bars->figure(); // null until it has been drawn
                return (shown != nullptr && shown->description().contains(name))
                    || desk.find<QLabel>("choiceTitle")->toolTip().contains(name);
            };
            QTRY_VERIFY(desk.find<QLabel>("choiceTitle")->text().contains(QString::fromStdString(word.label)));
            QTRY_COMPARE(named(), special >= 0.05);
            seen.insert(named());
        }
        QCOMPARE(seen.size(), std::size_t{2}); // with and without
    }

    void theCellOfAnotherStepIsLetGo()
    {
        const ShownDesk desk(trainedModels + QStringLiteral("rnnsearch-en-fr"), QStringLiteral("I am not deaf."));
        ShownDesk::clickCell(desk.heatmap(), 1, 2);
        QVERIFY(desk.heatmap().place().isCell());
        desk.window->selection().setHead(0);
        QVERIFY(desk.heatmap().place().isCell()); // of the same step
        desk.click("forwardStep");
        QVERIFY(!desk.heatmap().place().isCell());
        ShownDesk::clickCell(desk.heatmap(), 0, 1); // which chooses its step
        QVERIFY(desk.heatmap().place().isCell());
    }

    void whatComesNextIsARowOfItsOwn()
    {
        const ShownDesk desk(trainedModels + QStringLiteral("gpt-small-en"), QStringLiteral("The cat sat"));
        const int steps = static_cast<int>(desk.trace().path().size());
        const FigureTable table = ShownDesk::figureOf(desk.heatmap()).table();
        const QString next = table.text({table.rows - 1, FigureTable::header});
        QVERIFY2(next.endsWith(QStringLiteral(" ?")), qPrintable(next));
        desk.clickLabel(desk.heatmap(), FigureHit::Part::RowLabel, table.rows - 1);
        QCOMPARE(desk.window->selection().step(), steps);
        QVERIFY(desk.find<QLabel>("progressText")->text().contains(QStringLiteral("Ctrl+T")));
        QCOMPARE(desk.find<QSlider>("stepSlider")->value(), steps);
        QTRY_VERIFY(desk.candidatesTitle().startsWith(QStringLiteral("What could come next")));
        const auto* panel = desk.find<CandidatesPanel>("candidatesPanel");
        const QString best = panel->candidates().front().label;
        QCOMPARE(next, QString(best).remove(QChar(0x00B7)) + QStringLiteral(" ?"));
        QVERIFY(!panel->candidates().front().taken); // nothing is
        desk.click("nextTokenButton");
        waitForRun(desk);
        QCOMPARE(readableToken(tokenAxis(desk.trace().sequence()).back().label), QString(best).remove(QChar(0x00B7)));
    }

    void aClickInLinesChoosesTheStep()
    {
        const ShownDesk desk(trainedModels + QStringLiteral("rnnsearch-en-fr"), QStringLiteral("I am not deaf."));
        desk.showTab("arcs");
        const auto picked = [&] { return desk.inFront().spec().picked; };
        for (const int step : {2, 1}) {
            desk.clickLabel(desk.inFront(), FigureHit::Part::RowLabel, step);
            QCOMPARE(desk.window->selection().step(), step);
            QCOMPARE(picked(), (std::vector<int>{step}));
            QTRY_VERIFY(desk.candidatesTitle().contains(QString::number(step)));
        }
        desk.click("forwardStep"); // chosen elsewhere, it is the same word still
        QCOMPARE(picked(), (std::vector<int>{2}));
        desk.clickLabel(desk.inFront(), FigureHit::Part::ColumnLabel, 0); // a word that was read is no step
        QCOMPARE(desk.window->selection().step(), 2);
    }

    // --- what is given

    void whatIsOverTheWindowIsAwaited()
    {
        const ShownDesk desk(QStringLiteral("recurrent"), QStringLiteral("s4 s5"));
        QMimeData data;
        data.setText(QStringLiteral("s6 s7"));
        auto* frame = desk.window->findChild<QWidget*>(QStringLiteral("dropFrame"));
        const auto enter = [&] {
            QDragEnterEvent event(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(desk.window.get(), &event);
        };
        QVERIFY(!frame->isVisible());
        enter();
        QVERIFY(frame->isVisible());
        QCOMPARE(frame->size(), desk.window->size());
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(desk.window.get(), &leave);
        QVERIFY(!frame->isVisible());
        enter();
        QDropEvent drop(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(desk.window.get(), &drop);
        QVERIFY(!frame->isVisible());
        QTRY_COMPARE(desk.trace().source().text, std::string("s6 s7"));
    }

    void aTextThatIsTooLongOffersItsBeginning()
    {
        const QString words =
            QStringLiteral("once upon a time there was a little dog who liked to play. ").repeated(40);
        const ShownDesk desk(trainedModels + QStringLiteral("gpt-small-en"), QStringLiteral("The cat"));
        desk.run(words);
        QVERIFY2(desk.message().contains(QStringLiteral("256")), qPrintable(desk.message()));
        auto* use = desk.find<QAbstractButton>("useBeginning");
        QVERIFY(use->isVisible() && use->text().contains(QStringLiteral("256")));
        QTest::mouseClick(use, Qt::LeftButton);
        waitForRun(desk);
        QCOMPARE(desk.trace().source().size(), std::size_t{256});
        QVERIFY(words.startsWith(QString::fromStdString(desk.trace().source().text).trimmed()));
        QVERIFY(!desk.find<QWidget>("messageBar")->isVisible());
        QCOMPARE(desk.find<QLineEdit>("sentence")->text(), QString::fromStdString(desk.trace().provenance().text));
        desk.type({}); // another problem has no such answer
        QTest::keyClick(desk.find<QLineEdit>("sentence"), Qt::Key_Return);
        waitForRun(desk);
        const auto* gone = desk.window->findChild<QAbstractButton*>(QStringLiteral("useBeginning"));
        QVERIFY(gone == nullptr || !gone->isVisible());
    }

    void aTextThatIsTooLongAtTheStartOffersItsBeginning()
    {
        WindowFixture fixture;
        fixture.show(trainedModels + QStringLiteral("bert-small-en"), QStringLiteral("a cat and a dog. ").repeated(60));
        waitForRun(fixture);
        QTRY_VERIFY(fixture.window->findChild<QAbstractButton*>(QStringLiteral("useBeginning")) != nullptr);
        fixture.click("useBeginning");
        waitForRun(fixture);
        QCOMPARE(fixture.trace().source().size(), std::size_t{128});
    }

    // Both texts of a pair are cut to the same length, unless one is short anyway.
    void aPairThatIsTooLongOffersItsBeginnings_data()
    {
        QTest::addColumn<int>("second"); // times the words are repeated
        QTest::addColumn<bool>("secondIsCut");
        QTest::newRow("both are long") << 60 << true;
        QTest::newRow("one is short") << 2 << false;
    }
    void aPairThatIsTooLongOffersItsBeginnings()
    {
        QFETCH(const int, second);
        QFETCH(const bool, secondIsCut);
        const ShownDesk desk(trainedModels + QStringLiteral("bert-small-en"), QStringLiteral("A cat."));
        desk.type(QStringLiteral("a cat and a dog. ").repeated(60));
        auto* box = desk.find<QLineEdit>("secondSentence");
        const QString words = QStringLiteral("a bird and a cow. ").repeated(second).trimmed();
        box->setFocus();
        box->insert(words);
        QTest::keyClick(box, Qt::Key_Return);
        waitForRun(desk);
        desk.click("useBeginning");
        waitForRun(desk);
        const Encoding& source = desk.trace().source();
        QVERIFY(source.size() <= 128 && source.size() > 120);
        const auto ofSecond = std::ranges::count(source.segments, 1);
        QCOMPARE(ofSecond < 70 && ofSecond > 50, secondIsCut);
        QCOMPARE(box->text() != words, secondIsCut);
        QVERIFY(words.startsWith(box->text()));
        QCOMPARE(box->text().toStdString(), desk.trace().provenance().secondText);
    }

    void aDroppedTextIsTheSentence_data()
    {
        QTest::addColumn<QByteArray>("at");
        QTest::newRow("on the picture") << QByteArray("heatmapView");
        QTest::newRow("on the sentence") << QByteArray("sentence");
    }
    void aDroppedTextIsTheSentence()
    {
        QFETCH(const QByteArray, at);
        const ShownDesk desk(QStringLiteral("recurrent"), QStringLiteral("s4 s5"));
        QMimeData text;
        text.setText(QStringLiteral(" s6 s7 s8\n"));
        desk.editSentence();
        desk.drop(text, desk.find<QWidget>(at.constData()));
        QCOMPARE(desk.find<QLineEdit>("sentence")->text(), QStringLiteral("s6 s7 s8"));
        QCOMPARE(desk.trace().provenance().text, std::string("s6 s7 s8"));
    }

    void whatIsDroppedIsTakenForWhatItIs()
    {
        const ShownDesk desk(QStringLiteral("recurrent"), QStringLiteral("s4 s5"));
        const auto dropped = [&](const QList<QUrl>& urls) {
            QMimeData files;
            files.setUrls(urls);
            desk.drop(files, &desk.heatmap());
        };
        dropped({QUrl::fromLocalFile(desk.write(QStringLiteral("mine.txt"), "s9 s8 s7\n"))});
        QCOMPARE(desk.trace().provenance().text, std::string("s9 s8 s7"));
        const QString archive = desk.path(QStringLiteral("saved.npz"));
        writeArchive(archive.toStdString(), desk.trace());
        const QString model = test::transformerModel(desk.path(QStringLiteral("files")));
        dropped({QUrl::fromLocalFile(model)});
        QCOMPARE(desk.window->study().opened(), model);
        dropped({QUrl::fromLocalFile(archive)});
        QVERIFY(desk.window->study().showsArchive());
        // The message names the files that could be taken.
        for (const QList<QUrl>& urls :
             {QList<QUrl>{QUrl(QStringLiteral("https://example.org/model"))},
              QList<QUrl>{QUrl::fromLocalFile(archive), QUrl::fromLocalFile(model)}, QList<QUrl>()}) {
            desk.find<QWidget>("messageBar")->hide();
            dropped(urls);
            QVERIFY(desk.find<QWidget>("messageBar")->isVisible());
            QVERIFY2(desk.message().contains(QStringLiteral("archive")), qPrintable(desk.message()));
            QVERIFY(desk.window->study().showsArchive());
        }
    }

    void textsThatAreNoneAreRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("blank") << QByteArray(" \n\t\n");
        QTest::newRow("no UTF-8") << QByteArray("caf\xE9");
        QTest::newRow("too large") << QByteArray((8 << 20) + 1, 'a');
    }
    void textsThatAreNoneAreRefused()
    {
        QFETCH(const QByteArray, bytes);
        const ShownDesk desk(QStringLiteral("recurrent"), QStringLiteral("s4 s5"));
        desk.window->open(desk.write(QStringLiteral("mine.txt"), bytes));
        waitForRun(desk);
        QVERIFY(desk.find<QWidget>("messageBar")->isVisible());
        QCOMPARE(desk.find<QLineEdit>("sentence")->text(), QStringLiteral("s4 s5"));
        QCOMPARE(desk.window->study().runs().runs().size(), std::size_t{1});
    }

    void theDialogOpensFilesAndFolders()
    {
        ShownDesk desk(QStringLiteral("recurrent"), QStringLiteral("s4 s5"));
        const QString model = test::transformerModel(desk.path(QStringLiteral("files")));
        const auto answered = [&](const std::function<void(QFileDialog&)>& answer) {
            QTimer::singleShot(0, [&answer] {
                QTRY_VERIFY(qobject_cast<QFileDialog*>(QApplication::activeModalWidget()) != nullptr);
                answer(*qobject_cast<QFileDialog*>(QApplication::activeModalWidget()));
            });
            return Dialogs().open(OpenKind::Anything, desk.window.get(), model);
        };
        const auto named = [](QFileDialog& dialog, const QString& name) {
            auto* box = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            QTest::keyClicks(box, name);
            QTest::keyClick(box, Qt::Key_Return);
        };
        QCOMPARE(answered([&](QFileDialog& dialog) { named(dialog, QStringLiteral("config.json")); }),
                 model + QStringLiteral("/config.json"));
        QCOMPARE(answered([](QFileDialog& dialog) {
                     QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("openThisFolder")),
                                       Qt::LeftButton);
                 }),
                 model);
        // A folder that was given by its path, gone into or not.
        const QString other = test::recurrentModel(desk.path(QStringLiteral("others")));
        for (const bool enters : {true, false})
            QCOMPARE(answered([&](QFileDialog& dialog) {
                         auto* box = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
                         box->insert(other);
                         if (enters)
                             QTest::keyClick(box, Qt::Key_Return);
                         QCOMPARE(dialog.directory() == QDir(other), enters);
                         QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("openThisFolder")),
                                           Qt::LeftButton);
                     }),
                     other);
        QCOMPARE(answered([](QFileDialog& dialog) { QTest::keyClick(&dialog, Qt::Key_Escape); }), QString());
    }
};

ATTN_GUI_TEST(TestWindowShown)
#include "tst_window_shown.moc"
