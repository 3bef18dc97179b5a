// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "support/test_program.h"
#include "text/tokenizer.h"
#include "trace/archive.h"
#include "ui/window/window_fixture.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>

#include <cmath>

using namespace attn;
using namespace attn::ui;
using attn::test::WindowFixture;

// The main window through real mouse and key events.
class TestWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void typeAndEnterRuns()
    {
        WindowFixture fixture("recurrent");
        QCOMPARE(fixture.trace().source().ids.size(), std::size_t{5});
        fixture.send(QStringLiteral("s9 s8 s7 s6 s5 s4"));
        QVERIFY(fixture.window->controller().busy());
        fixture.settle();
        QCOMPARE(fixture.trace().source().ids.size(), std::size_t{7});
        QTRY_COMPARE(fixture.window->heatmap().figure()->columns(), 6); // without the token that ends it
        const double milliseconds = fixture.trace().summary()->seconds * 1000;
        QVERIFY(fixture.find<QLabel>("progressText")->text().contains(grouped(std::llround(milliseconds))));
    }

    void everyWindowHasTheProgramsIcon()
    {
        WindowFixture fixture("recurrent");
        LaboratoryWindow& laboratory = fixture.window->openLaboratory(*pageOf("lookup"));
        for (const QWidget* window :
             {static_cast<QWidget*>(fixture.window.get()), static_cast<QWidget*>(&laboratory)}) {
            const QImage icon = window->windowIcon().pixmap(128, 128).toImage();
            QVERIFY(!icon.isNull());
            const double scale = icon.width() / 128.0;
            QCOMPARE(icon.pixelColor(int(32 * scale), int(32 * scale)), QColor(0xFD, 0xE7, 0x25)); // its first cell
            QCOMPARE(icon.pixelColor(0, 0).alpha(), 0);
        }
    }

    void upAndDownWalkThroughTheHistory()
    {
        WindowFixture fixture("recurrent");
        auto* box = fixture.find<QLineEdit>("sentence");
        for (const char* text : {"s10", "s11"}) {
            fixture.type(QLatin1String(text));
            QTest::keyClick(box, Qt::Key_Return);
            fixture.settle();
        }
        fixture.editSentence();
        QTest::keyClick(box, Qt::Key_Up);
        QCOMPARE(box->text(), QStringLiteral("s10"));
        QTest::keyClick(box, Qt::Key_Up);
        QCOMPARE(box->text(), QStringLiteral("s4 s5 s6 s7"));
        QTest::keyClick(box, Qt::Key_Down);
        QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(box->text(), QStringLiteral("s11"));
    }

    void buttonsSliderAndShortcutsChooseTheStep()
    {
        WindowFixture fixture("recurrent");
        Selection& selection = fixture.window->selection();
        const int last = static_cast<int>(fixture.trace().path().size()) - 1;
        QVERIFY(last >= 2);
        fixture.click("firstStep");
        QCOMPARE(selection.step(), 0);
        fixture.click("forwardStep");
        QCOMPARE(selection.step(), 1);
        QCOMPARE(fixture.window->heatmap().spec().currentStep, 1);
        fixture.click("backStep");
        fixture.click("backStep");
        QCOMPARE(selection.step(), 0);
        fixture.click("lastStep");
        QCOMPARE(selection.step(), last - 1); // the end of the sentence is no word
        auto* slider = fixture.find<QSlider>("stepSlider");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        QCOMPARE(selection.step(), 0);
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(selection.step(), 1);
        QTest::keyClick(fixture.window.get(), Qt::Key_End, Qt::AltModifier);
        QCOMPARE(selection.step(), last - 1);
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(selection.step(), last);
        QCOMPARE(fixture.find<QLabel>("stepPosition")->text().count(QString::number(last)), 2); // of as many
        QTRY_VERIFY(fixture.find<QLabel>("candidatesTitle")->text().contains(QString::number(last)));
    }

    void playWalksToTheEnd()
    {
        WindowFixture fixture("recurrent");
        fixture.click("firstStep");
        fixture.click("playSteps");
        QTRY_VERIFY(fixture.window->selection().step() >= 1);
        QVERIFY(fixture.find<StepPanel>("stepPanel")->playing());
        fixture.click("playSteps");
        QVERIFY(!fixture.find<StepPanel>("stepPanel")->playing());
    }

    void hoverShowsValueAndTokens()
    {
        WindowFixture fixture("recurrent");
        FigureView& heatmap = fixture.window->heatmap();
        QTest::mouseMove(&heatmap, heatmap.figure()->cellRect(1, 2).center().toPoint());
        const QString text = fixture.find<QLabel>("hoverText")->text();
        const QString piece = QString::fromStdString(fixture.trace().target().tokens.at(1));
        QVERIFY2(text.contains(QStringLiteral("s6")) && text.contains(piece) && text.contains(QLatin1Char('.')),
                 qPrintable(text));
    }

    void aTokenOfTheOutputGoesToItsStep()
    {
        WindowFixture fixture("recurrent");
        fixture.clickWordOfStep(1);
        QCOMPARE(fixture.window->selection().step(), 1);
        fixture.clickWordOfStep(0);
        QCOMPARE(fixture.window->selection().step(), 0);
    }

    void aClickInTheGridSelectsTheHead()
    {
        WindowFixture fixture("transformer");
        fixture.showTab("grid");
        auto* grid = fixture.find<FigureView>("headGridView");
        QTRY_VERIFY(grid->figure() != nullptr);
        QPoint tile;
        for (int y = 0; y < grid->height() && tile.isNull(); y += 8)
            for (int x = 0; x < grid->width() && tile.isNull(); x += 8)
                if (const FigureHit hit = grid->figure()->hitTest(QPointF(x, y));
                    hit.part == FigureHit::Part::Head && hit.head == 1)
                    tile = {x, y};
        QVERIFY(!tile.isNull());
        QTest::mouseClick(grid, Qt::LeftButton, Qt::NoModifier, tile);
        QCOMPARE(fixture.window->selection().head().head().value(), 1);
        QCOMPARE(fixture.find<QComboBox>("headPicker")->currentData().toInt(), 1);
    }

    void severalHeadsArePickedAndOpened()
    {
        WindowFixture fixture("transformer");
        fixture.showTokens();
        Selection& selection = fixture.window->selection();
        selection.setSiteAndHead({Stage::Encoder, 1}, 0);
        fixture.showTab("grid");
        auto* grid = fixture.find<FigureView>("headGridView");
        QTRY_VERIFY(grid->figure() != nullptr && grid->figure()->columns() > 1);
        const auto tile = [&](int layer, int head) { return grid->figure()->cellRect(layer, head).center().toPoint(); };
        QTest::mouseClick(grid, Qt::LeftButton, Qt::ControlModifier, tile(0, 1));
        auto* list = fixture.find<QComboBox>("headPicker");
        const auto named = [list](const char* first, const char* second) {
            return list->currentText().contains(QLatin1String(first))
                && list->currentText().contains(QLatin1String(second));
        };
        QVERIFY2(named("L1 H0", "L0 H1"), qPrintable(list->currentText()));
        const Trace& trace = fixture.trace();
        const float both =
            (trace.matrix({Stage::Encoder, 1}, 0).at(1, 2) + trace.matrix({Stage::Encoder, 0}, 1).at(1, 2)) / 2;
        QCOMPARE(mapOf(trace, fixture.window->heatmap().spec().mapSpec()).numbers.at(1, 2), both);
        fixture.choose("headPicker", QStringLiteral("picked:max"));
        QCOMPARE(selection.head(), HeadReading(maximumOfHeads));
        QVERIFY(named("L1 H0", "L0 H1"));
        QTest::keyClick(list, Qt::Key_Down); // the mean of all again
        QCOMPARE(list->currentData().toString(), QStringLiteral("mean"));
        QVERIFY(!named("L1 H0", "L0 H1"));
        QCOMPARE(mapOf(trace, fixture.window->heatmap().spec().mapSpec()).numbers.values,
                 readWeights(trace, {selection.site(), meanOfHeads}).values);
        grid->grab();
        QTest::mouseDClick(grid, Qt::LeftButton, Qt::NoModifier, tile(0, 1));
        QCOMPARE(fixture.find<ViewTabs>("viewTabs")->currentId(), QStringLiteral("heatmap"));
    }

    void pickersChooseStageLayerAndHead()
    {
        WindowFixture fixture("transformer");
        Selection& selection = fixture.window->selection();
        QCOMPARE(selection.site(), (Site{Stage::Cross, 0}));
        QCOMPARE(selection.head(), HeadReading(meanOfHeads));
        fixture.choose("stagePicker", static_cast<int>(Stage::Encoder));
        QCOMPARE(selection.site().stage, Stage::Encoder);
        fixture.choose("layerPicker", 1);
        QCOMPARE(selection.site(), (Site{Stage::Encoder, 1}));
        fixture.choose("headPicker", QStringLiteral("max"));
        QCOMPARE(selection.head(), HeadReading(maximumOfHeads));
        fixture.choose("headPicker", QStringLiteral("1"));
        QCOMPARE(selection.head().head().value(), 1);
        QCOMPARE(fixture.window->heatmap().spec().site, (Site{Stage::Encoder, 1}));
        fixture.choose("stagePicker", static_cast<int>(Stage::Decoder)); // the decoder has one layer only
        QCOMPARE(selection.site(), (Site{Stage::Decoder, 0}));
    }

    void theModelPickerSwitchesTheModelAndComesBack()
    {
        WindowFixture fixture("transformer");
        Selection& selection = fixture.window->selection();
        selection.setSiteAndHead({Stage::Encoder, 1}, 1);
        fixture.choose("modelPicker", "recurrent");
        fixture.settle();
        QCOMPARE(fixture.window->study().model()->name, QStringLiteral("recurrent"));
        QCOMPARE(selection.site(), (Site{Stage::Cross, 0}));
        QCOMPARE(selection.head().head().value(), 0);
        QVERIFY(!fixture.find<QComboBox>("stagePicker")->isVisible()); // nothing to choose
        fixture.choose("modelPicker", "transformer");
        fixture.settle();
        QCOMPARE(selection.site(), (Site{Stage::Encoder, 1})); // as it was left
        QCOMPARE(selection.head().head().value(), 1);
    }

    void cancelKeepsWhatIsThere()
    {
        WindowFixture fixture("recurrent");
        fixture.find<QSpinBox>("max-length")->setValue(100'000);
        fixture.window->open(QStringLiteral("endless"));
        QTRY_VERIFY(fixture.window->study().running() && fixture.trace().stepCount() > 2);
        QVERIFY(fixture.find<QProgressBar>("progress")->isVisible());
        const auto* run = fixture.find<QAbstractButton>("runButton");
        QCOMPARE(run->text(), QStringLiteral("Cancel"));
        fixture.click("runButton");
        QVERIFY(!fixture.window->controller().busy());
        QVERIFY(!fixture.find<QProgressBar>("progress")->isVisible());
        QVERIFY(fixture.trace().stepCount() > 2 && !fixture.trace().summary());
        QVERIFY(run->isEnabled());
        QCOMPARE(run->text(), QStringLiteral("Run"));
    }

    void aBrokenCheckpointIsNamedAndTheLastResultStays()
    {
        WindowFixture fixture("recurrent");
        fixture.answers->paths[OpenKind::Anything] = fixture.broken;
        const int steps = fixture.trace().stepCount();
        fixture.click("openButton");
        auto* bar = fixture.find<MessageBar>("messageBar");
        QTRY_VERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(QStringLiteral("model.safetensors")), qPrintable(bar->text()));
        QCOMPARE(fixture.trace().stepCount(), steps);
        QCOMPARE(fixture.find<QComboBox>("modelPicker")->currentText(), QStringLiteral("recurrent"));
        fixture.click("copyMessage");
        QCOMPARE(QApplication::clipboard()->text(), bar->text());
        fixture.click("closeMessage");
        QVERIFY(!bar->isVisible());
        fixture.click("runButton"); // the model that works still does
        fixture.settle();
        QVERIFY(!bar->isVisible());
    }

    void aTextThatIsTooLongIsExplained()
    {
        WindowFixture fixture("transformer");
        fixture.find<QLineEdit>("sentence")->setText(QStringLiteral("s4 ").repeated(80));
        fixture.click("runButton");
        auto* bar = fixture.find<MessageBar>("messageBar");
        QTRY_VERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(QStringLiteral("64")), qPrintable(bar->text()));
        QCOMPARE(fixture.trace().source().ids.size(), std::size_t{5});
    }

    void beamShowsItsHypotheses()
    {
        WindowFixture fixture("recurrent");
        fixture.choose("decode", "beam");
        fixture.click("runButton");
        fixture.settle();
        auto* hypotheses = fixture.find<QComboBox>("hypothesisPicker");
        QVERIFY(hypotheses->isVisible());
        QVERIFY(hypotheses->count() >= 4);
        QCOMPARE(static_cast<std::size_t>(hypotheses->count()), fixture.trace().summary()->hypotheses.size());
        const auto leaf = fixture.trace().summary()->hypotheses.at(2).step;
        fixture.choose("hypothesisPicker", numberOf(leaf.value()));
        QCOMPARE(fixture.window->selection().leaf(), leaf);
        QCOMPARE(fixture.window->heatmap().spec().leaf, leaf);
        fixture.click("runButton"); // a new run forgets the choice
        fixture.settle();
        QVERIFY(!fixture.window->selection().leaf());
    }

    void aGivenOutputIsFollowed()
    {
        WindowFixture fixture("recurrent");
        fixture.choose("decode", "forced");
        auto* target = fixture.find<QLineEdit>("forcedTarget");
        QVERIFY(target->isVisible());
        QTest::keyClicks(target, QStringLiteral("t20 t21 t22"));
        fixture.click("runButton");
        fixture.settle();
        QTRY_COMPARE(fixture.trace().target().ids, (std::vector<TokenId>{20, 21, 22, 3}));
    }

    void theViewIsExported_data()
    {
        test::addColumns<QString, QByteArray>("form", "head");
        QTest::newRow("png") << QStringLiteral("png") << QByteArray("\x89PNG");
        QTest::newRow("svg") << QStringLiteral("svg") << QByteArray("<?xml");
        QTest::newRow("pdf") << QStringLiteral("pdf") << QByteArray("%PDF");
        QTest::newRow("csv") << QStringLiteral("csv") << QByteArray();
        QTest::newRow("npz") << QStringLiteral("npz") << QByteArray("PK");
        QTest::newRow("json") << QStringLiteral("json") << QByteArray("{");
    }

    void theViewIsExported()
    {
        QFETCH(const QString, form);
        QFETCH(const QByteArray, head);
        WindowFixture fixture("recurrent");
        const QString path = fixture.path(QStringLiteral("figure.") + form);
        fixture.answers->choice = ExportChoice{path, {100, 150}};
        const QSignalSpy written(&fixture.exporter(), &Exporter::written);
        QTest::keyClick(fixture.window.get(), Qt::Key_E, Qt::ControlModifier);
        QVERIFY(fixture.answers->exported.archive != nullptr);
        QTRY_COMPARE(written.count(), 1);
        QVERIFY(fixture.find<QLabel>("progressText")->text().contains(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.size() > 100);
        QVERIFY(bytes.startsWith(head));
        if (form == QLatin1String("png"))
            QCOMPARE(QImage(path).width(), 591); // 100 mm at 150 dots per inch
        if (form == QLatin1String("csv"))
            QVERIFY(bytes.contains("s4") && bytes.contains("s7"));
        if (form == QLatin1String("npz") || form == QLatin1String("json"))
            QCOMPARE(readArchive(path.toStdString()).target().ids, fixture.trace().target().ids);
    }

    void anExportThatFailsIsExplained()
    {
        WindowFixture fixture("recurrent");
        fixture.answers->choice = ExportChoice{fixture.path(QStringLiteral("no/such/folder/a.png")), {}};
        QTest::keyClick(fixture.window.get(), Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(fixture.find<MessageBar>("messageBar")->isVisible());
    }

    void anExportIsCancelled()
    {
        WindowFixture fixture("recurrent");
        const QString path = fixture.path(QStringLiteral("large.png"));
        fixture.answers->choice = ExportChoice{path, {500, 600}};
        const auto* cancel = fixture.action("cancelAction");
        QVERIFY(!cancel->isEnabled());
        QTest::keyClick(fixture.window.get(), Qt::Key_E, Qt::ControlModifier);
        QVERIFY(cancel->isEnabled());
        QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
        QTRY_VERIFY(!cancel->isEnabled());
        QCOMPARE(fixture.find<QLabel>("progressText")->text(), QStringLiteral("Cancelled"));
        QVERIFY(!QFile::exists(path));
        QVERIFY(!fixture.find<MessageBar>("messageBar")->isVisible());
    }

    void theImageIsCopied()
    {
        WindowFixture fixture("recurrent");
        QApplication::clipboard()->clear();
        QTest::keyClick(fixture.window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(QApplication::clipboard()->image().width() > 400);
    }

    void everythingChosenSurvivesARestart()
    {
        WindowFixture fixture("transformer");
        fixture.send(QStringLiteral("s20 s21"));
        fixture.choose("stagePicker", static_cast<int>(Stage::Encoder));
        fixture.choose("layerPicker", 1);
        fixture.choose("headPicker", QStringLiteral("0"));
        fixture.choose("decode", "beam");
        fixture.find<QSpinBox>("beam")->setValue(3);
        fixture.choose("colorMapPicker", static_cast<int>(colorMapFromName(QStringLiteral("magma"))));
        QTest::mouseClick(fixture.find<QAbstractButton>("wordsToggle"), Qt::LeftButton, Qt::NoModifier, QPoint(8, 8));
        fixture.showTab("arcs");
        fixture.settle();
        fixture.window->resize(1100, 720);
        fixture.window->close();

        fixture.show({}, {});
        fixture.settle();
        QCOMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("s20 s21"));
        QCOMPARE(fixture.window->study().model()->name, QStringLiteral("transformer"));
        const FigureSpec spec = fixture.window->heatmap().spec();
        QCOMPARE(spec.site, (Site{Stage::Encoder, 1}));
        QCOMPARE(spec.head.head().value(), 0);
        QCOMPARE(spec.colorMap, colorMapFromName(QStringLiteral("magma")));
        QVERIFY(!spec.words);
        QCOMPARE(fixture.find<QSpinBox>("beam")->value(), 3);
        QCOMPARE(fixture.find<QComboBox>("decode")->currentData().toString(), QStringLiteral("beam"));
        QCOMPARE(fixture.find<ViewTabs>("viewTabs")->currentId(), QStringLiteral("arcs"));
        QCOMPARE(fixture.window->size(), QSize(1100, 720));
        QTest::keyClick(fixture.editSentence(), Qt::Key_Up);
        QCOMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("s4 s5 s6 s7"));
    }

    void whatTheReleaseBeforeStoredIsKept()
    {
        WindowFixture fixture;
        {
            QSettings settings;
            settings.setValue(QStringLiteral("model"), QStringLiteral("transformer"));
            settings.setValue(QStringLiteral("text"), QStringLiteral("s20 s21"));
            settings.setValue(QStringLiteral("show/specials"), 1); // places in their lists
            settings.setValue(QStringLiteral("window/theme"), 2);
        }
        fixture.show({}, {});
        QTRY_VERIFY(!fixture.window->controller().busy() && fixture.window->study().model());
        QCOMPARE(fixture.window->study().model()->name, QStringLiteral("transformer"));
        QCOMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("s20 s21"));
        QCOMPARE(fixture.window->heatmap().spec().specials, SpecialTokens::Hidden);
        QCOMPARE(fixture.window->heatmap().spec().theme, Theme::Dark);
        fixture.window->close();
        const QSettings settings;
        QCOMPARE(settings.value(QStringLiteral("show/specials")).toString(), QStringLiteral("hidden"));
        QCOMPARE(settings.value(QStringLiteral("show/pair")).toString(), QLatin1String(pairRows[0].id));
        QCOMPARE(settings.value(QStringLiteral("window/theme")).toString(), QStringLiteral("dark"));
    }

    void theParametersAreCountedInTheWindowsLanguage()
    {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German)); // "12.345"
        WindowFixture fixture("transformer");
        const auto parameters = fixture.window->study().model()->info.parameters;
        const QString counted = grouped(parameters);
        QLocale::setDefault(before);
        QVERIFY(parameters > 999);
        QVERIFY(counted != grouped(parameters));
        QVERIFY2(fixture.find<QLabel>("modelInfo")->text().contains(counted),
                 qPrintable(fixture.find<QLabel>("modelInfo")->text()));
    }

    void theSpecialTokensAreSaid()
    {
        WindowFixture fixture("transformer");
        const auto& model = *fixture.window->study().model();
        QVERIFY(model.info.endToken);
        const QString tip = fixture.find<QLabel>("modelInfo")->toolTip();
        const QString token = QString::fromStdString(model.writes->describe({&*model.info.endToken, 1}).tokens.at(0));
        QVERIFY2(tip.contains(QStringLiteral("eos %1 %2").arg(*model.info.endToken).arg(token).toHtmlEscaped()),
                 qPrintable(tip));
        QVERIFY(tip.contains(grouped(model.info.sourceVocabulary)));
    }

    void settingsThatMakeNoSenseAreIgnored()
    {
        WindowFixture fixture;
        {
            QSettings settings;
            settings.setValue(QStringLiteral("show/site"), QVariantList{99, 0, 0});
            settings.setValue(QStringLiteral("show/colors"), QStringLiteral("plaid"));
            settings.setValue(QStringLiteral("export/dpi"), QStringLiteral("none"));
            settings.setValue(QStringLiteral("window/geometry"), QByteArray("nonsense"));
            settings.setValue(QStringLiteral("window/view"), QStringLiteral("kaleidoscope"));
            settings.setValue(QStringLiteral("question"),
                              QStringLiteral(R"({"beam": "many", "model": "no-such-model", "top-k": 3})"));
        }
        fixture.show({}, {});
        QTRY_VERIFY(fixture.find<MessageBar>("messageBar")->isVisible());
        QVERIFY(fixture.find<MessageBar>("messageBar")->text().contains(QStringLiteral("no-such-model")));
        QCOMPARE(fixture.find<QSpinBox>("beam")->value(), DecodingOptions().beamSize);
        QCOMPARE(fixture.find<QSpinBox>("top-k")->value(), 3); // what makes sense stays
    }

    void aDroppedFolderIsOpened()
    {
        WindowFixture fixture("recurrent");
        fixture.dropFile(test::transformerModel(fixture.path(QStringLiteral("dropped"))));
        QCOMPARE(fixture.window->study().model()->name, QStringLiteral("transformer"));
        QVERIFY(fixture.find<QComboBox>("modelPicker")->currentData().toString().contains(QStringLiteral("dropped")));
    }

    void anArchiveIsOpened()
    {
        WindowFixture fixture("transformer");
        fixture.answers->paths[OpenKind::Anything] = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(fixture.answers->paths[OpenKind::Anything].toStdString(), fixture.trace());
        QTest::keyClick(fixture.window.get(), Qt::Key_O, Qt::ControlModifier);
        QTRY_VERIFY(!fixture.window->study().model());
        fixture.settle();
        QVERIFY(fixture.find<QComboBox>("stagePicker")->count() == 3);
        QVERIFY(fixture.window->heatmap().figure()->rows() > 0);
    }

    void theThemeChangesFiguresToo()
    {
        WindowFixture fixture("recurrent");
        fixture.window->setThemeMode(ThemeMode::Dark);
        QTRY_COMPARE(fixture.window->heatmap().spec().theme, Theme::Dark);
        QVERIFY(fixture.window->palette().color(QPalette::Window).lightness() < 128);
        fixture.window->setThemeMode(ThemeMode::Light);
        QTRY_COMPARE(fixture.window->heatmap().spec().theme, Theme::Light);
        fixture.window->setThemeMode(ThemeMode::System);
    }

    void everyControlHasANameForScreenReaders()
    {
        WindowFixture fixture("transformer");
        for (const ViewRow& row : viewRows())
            fixture.showTab(row.id);
        QStringList nameless;
        for (const QWidget* widget : fixture.window->findChildren<QWidget*>()) {
            const bool control = qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget)
                || qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractButton*>(widget)
                || qobject_cast<const QAbstractSlider*>(widget) || qobject_cast<const FigureView*>(widget);
            if (!control || widget->objectName().startsWith(QStringLiteral("qt_"))
                || qobject_cast<const QScrollBar*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget->parent()))
                continue;
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
            if (accessible == nullptr || accessible->text(QAccessible::Name).isEmpty())
                nameless << QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ')
                        + widget->objectName() + QLatin1Char(' ') + widget->parent()->objectName();
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
    }

    void closingInTheMiddleOfARunIsSafe()
    {
        WindowFixture fixture;
        fixture.show(QStringLiteral("endless"), QStringLiteral("s4 s5 s6"));
        QTRY_VERIFY(fixture.trace().stepCount() > 0);
        fixture.window->close();
        fixture.window.reset();
    }
};

ATTN_GUI_TEST(TestWindow)
#include "tst_window.moc"
