// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_matrix.h"
#include "figures/parts/token_figure.h"
#include "panels/candidates_panel.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "ui/window/window_fixture.h"
#include "views/number_box.h"

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QtEndian>

using namespace attn;
using namespace attn::ui;
using attn::test::trainedModels;
using attn::test::waitForRun;
using attn::test::WindowFixture;

namespace {

const QString masked = trainedModels + QStringLiteral("bert-small-en");
const QString continuing = trainedModels + QStringLiteral("gpt-small-en");

int tokenNamed(const Encoding& encoding, const char* piece)
{
    const auto found = std::ranges::find(encoding.tokens, piece);
    return found == encoding.tokens.end() ? -1 : static_cast<int>(found - encoding.tokens.begin());
}

QString pythonWithNumPy()
{
    for (const char* candidate : {"python3", "/usr/bin/python3"}) {
        QProcess process;
        process.start(QLatin1String(candidate), {QStringLiteral("-c"), QStringLiteral("import numpy")});
        if (process.waitForFinished() && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
            return QLatin1String(candidate);
    }
    return {};
}

// The archive that the reference made of a golden case.
QString storedCase(const char* name)
{
    return QStringLiteral(ATTN_TEST_DATA "/cases/") + QLatin1String(name) + QStringLiteral("/expected.npz");
}

bool isOffered(const WindowFixture& fixture, const char* view)
{
    const auto rows = viewRows();
    const auto row = std::ranges::find(rows, std::string_view(view), &ViewRow::id);
    return fixture.find<QTabWidget>("viewTabs")->isTabVisible(static_cast<int>(row - rows.begin()));
}

QDockWidget* dock(const WindowFixture& fixture, const char* name)
{
    return fixture.find<QDockWidget>(name);
}

// Gives the recurrent model as many words and as wide a layer before them, in config.json and in its weights, which
// become a file without content; false: the disk cannot have one of that size.
bool enlarge(const QString& folder, int words, int width)
{
    QFile configFile(folder + QStringLiteral("/config.json"));
    QFile weights(folder + QStringLiteral("/model.safetensors"));
    if (!configFile.open(QIODevice::ReadWrite) || !weights.open(QIODevice::ReadWrite))
        return false;
    QJsonObject config = QJsonDocument::fromJson(configFile.readAll()).object();
    QJsonObject decoder = config[QStringLiteral("decoder")].toObject();
    const int oldWords = config[QStringLiteral("target_vocab_size")].toInt();
    const int oldWidth = decoder[QStringLiteral("output_size")].toInt();
    config[QStringLiteral("target_vocab_size")] = words;
    decoder[QStringLiteral("output_size")] = width;
    config[QStringLiteral("decoder")] = decoder;
    configFile.resize(0);
    configFile.write(QJsonDocument(config).toJson());

    const auto length = qFromLittleEndian<quint64>(weights.read(8).constData());
    QJsonObject header = QJsonDocument::fromJson(weights.read(static_cast<qint64>(length))).object();
    header.remove(QStringLiteral("__metadata__"));
    qint64 end = 0;
    for (const QString& name : header.keys()) {
        QJsonObject tensor = header[name].toObject();
        QJsonArray shape;
        qint64 bytes = sizeof(float);
        for (const QJsonValue& size : tensor[QStringLiteral("shape")].toArray()) {
            const int now = size.toInt() == oldWords ? words : size.toInt() == oldWidth ? width : size.toInt();
            shape.append(now);
            bytes *= now;
        }
        tensor[QStringLiteral("shape")] = shape;
        tensor[QStringLiteral("data_offsets")] = QJsonArray{end, end + bytes};
        end += bytes;
        header[name] = tensor;
    }
    const QByteArray text = QJsonDocument(header).toJson(QJsonDocument::Compact);
    QByteArray start(8, '\0');
    qToLittleEndian(static_cast<quint64>(text.size()), start.data());
    weights.resize(0);
    return weights.write(start + text) > 0 && weights.resize(start.size() + text.size() + end);
}

} // namespace

// Encoder-only and decoder-only models, pairs, archives from Python and recent models, through real events.
class TestWindowKinds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QDir(masked).exists() || !QDir(continuing).exists())
            QSKIP("the language models are not in this tree");
    }

    void logitsThatAreNoNumbersAreSaidToBeSo()
    {
        const QTemporaryDir folder;
        WindowFixture fixture;
        fixture.show(test::lostModel(folder.path()), QStringLiteral("s4 s6"));
        fixture.showTokens();
        QTRY_COMPARE(fixture.window->selection().step(), 0);
        QTRY_VERIFY2(fixture.find<QLabel>("candidatesTitle")->text().contains(QStringLiteral("no numbers")),
                     qPrintable(fixture.find<QLabel>("candidatesTitle")->text()));
        fixture.open(QStringLiteral("transformer"), QStringLiteral("s4 s6"));
        QTRY_VERIFY(fixture.find<QLabel>("candidatesTitle")->text().contains(QStringLiteral("Step")));
    }

    void aChosenWordIsMaskedAndPredicted()
    {
        WindowFixture fixture(masked, QStringLiteral("The cat sat on the mat."));
        QVERIFY(!dock(fixture, "decodingDock")->isVisible());
        QVERIFY(fixture.find<QWidget>("stepSlider")->isHidden() || !fixture.find<QWidget>("stepSlider")->isVisible());
        QCOMPARE(fixture.find<QComboBox>("stagePicker")->count(), 1);
        fixture.clickWord(QStringLiteral("cat"));
        const int cat = tokenNamed(fixture.trace().source(), "cat");
        QVERIFY(cat > 0);
        QCOMPARE(fixture.window->selection().step(), cat);
        QCOMPARE(fixture.window->heatmap().spec().currentStep, cat);
        QTRY_VERIFY(fixture.find<QLabel>("candidatesTitle")->text().contains(QStringLiteral("cat")));
        fixture.click("maskButton");
        waitForRun(fixture);
        QCOMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("The [MASK] sat on the mat."));
        QCOMPARE(fixture.window->selection().step(), tokenNamed(fixture.trace().source(), "[MASK]"));
        QTRY_VERIFY(fixture.find<QLabel>("candidatesTitle")->text().contains(QStringLiteral("[MASK]")));
        const auto& candidates = fixture.find<CandidatesPanel>("candidatesPanel")->candidates();
        QCOMPARE(std::ranges::count(candidates, false, &BarListContent::Entry::taken), 20); // and what stands there
        QVERIFY(!fixture.find<QAbstractButton>("maskButton")->isVisible()); // it is a mask already
        fixture.clickWord(QStringLiteral("mat"));
        QTest::keyClick(fixture.window.get(), Qt::Key_K, Qt::ControlModifier);
        waitForRun(fixture);
        QCOMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("The [MASK] sat on the [MASK]."));
        const auto& tokens = fixture.trace().source().tokens;
        const auto second = static_cast<int>(
            std::ssize(tokens) - 1 - (std::ranges::find(tokens.rbegin(), tokens.rend(), "[MASK]") - tokens.rbegin()));
        QVERIFY(second > cat);
        QCOMPARE(fixture.window->selection().step(), second); // the word that was masked now
        QTRY_VERIFY(fixture.find<QLabel>("candidatesTitle")->text().contains(QString::number(second)));
        const int between = tokenNamed(fixture.trace().source(), "on");
        fixture.clickWord(QStringLiteral("on"));
        fixture.click("maskButton");
        waitForRun(fixture);
        QCOMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("The [MASK] sat [MASK] the [MASK]."));
        QCOMPARE(fixture.window->selection().step(), between);
    }

    void aClickedRowIsTheChosenToken()
    {
        WindowFixture fixture(masked, QStringLiteral("A dog barks."));
        fixture.showTokens();
        FigureView& heatmap = fixture.window->heatmap();
        WindowFixture::clickCell(heatmap, 2, 0);
        QCOMPARE(fixture.window->selection().step(), 2);
        fixture.choose("specialsPicker", 2);
        QTRY_COMPARE(heatmap.figure()->rows(), static_cast<int>(fixture.trace().source().size()) - 2);
        WindowFixture::clickCell(heatmap, 2, 0);
        QCOMPARE(fixture.window->selection().step(), 3); // [CLS] is hidden
    }

    void aPairIsFilteredAndRemembered()
    {
        WindowFixture fixture(masked, QStringLiteral("The dog is old."));
        fixture.showTokens();
        auto* pair = fixture.find<QComboBox>("pairPicker");
        QVERIFY(!pair->isVisible());
        auto* second = fixture.find<QLineEdit>("secondSentence");
        fixture.editSentence();
        QVERIFY(second->isVisible());
        second->setFocus();
        QTest::keyClicks(second, QStringLiteral("It sleeps."));
        QTest::keyClick(second, Qt::Key_Return);
        waitForRun(fixture);
        QVERIFY(pair->isVisible());
        const auto& segments = fixture.trace().source().segments;
        const auto inB = static_cast<int>(std::ranges::count(segments, 1));
        const int inA = static_cast<int>(segments.size()) - inB;
        QVERIFY(inA > 0 && inB > 0);
        fixture.choose("pairPicker", 2); // A to B
        QTRY_COMPARE(fixture.window->heatmap().figure()->rows(), inA);
        QTRY_COMPARE(fixture.window->heatmap().figure()->columns(), inB);
        QVERIFY(figureTitle(fixture.window->heatmap().spec(), fixture.trace()).subtitle.contains(QStringLiteral("A")));
        fixture.clickWord(QStringLiteral("sleeps"));
        fixture.click("maskButton");
        waitForRun(fixture);
        QCOMPARE(second->text(), QStringLiteral("It [MASK]."));
        QCOMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("The dog is old."));
        fixture.window->close();
        fixture.show({}, {});
        waitForRun(fixture);
        QCOMPARE(fixture.find<QLineEdit>("secondSentence")->text(), QStringLiteral("It [MASK]."));
        QCOMPARE(fixture.window->heatmap().spec().pair, PairFilter::AToB);
    }

    void aPromptIsReadAndContinued()
    {
        WindowFixture fixture(continuing, QStringLiteral("I think that you"));
        const auto prompt = fixture.trace().source().size();
        QCOMPARE(fixture.trace().sequence().size(), prompt);
        QVERIFY(dock(fixture, "decodingDock")->isVisible());
        QVERIFY(fixture.find<QComboBox>("decode")->findData(QStringLiteral("forced")) < 0);
        QVERIFY(!fixture.find<QSpinBox>("max-length")->isVisible());
        fixture.click("nextTokenButton");
        waitForRun(fixture);
        QCOMPARE(fixture.trace().sequence().size(), prompt + 1);
        const auto first = fixture.trace().sequence().ids.back();
        fixture.find<QSpinBox>("continueCount")->setValue(2);
        fixture.click("continueButton");
        waitForRun(fixture);
        const Encoding sequence = fixture.trace().sequence();
        QCOMPARE(sequence.size(), prompt + 3);
        QCOMPARE(sequence.ids[prompt], first);
        QTRY_COMPARE(fixture.window->heatmap().figure()->rows(), static_cast<int>(sequence.size()));
        QTRY_VERIFY(!fixture.find<CandidatesPanel>("candidatesPanel")->candidates().empty());
        fixture.type(QStringLiteral("They")); // another prompt starts anew
        fixture.click("nextTokenButton");
        waitForRun(fixture);
        QCOMPARE(fixture.trace().sequence().size(), fixture.trace().source().size() + 1);
    }

    void escapeStopsAContinuation()
    {
        WindowFixture fixture(continuing, QStringLiteral("He"));
        fixture.find<QSpinBox>("continueCount")->setValue(120);
        fixture.choose("decode", "sample"); // sampling seldom ends early
        fixture.click("continueButton");
        QTRY_VERIFY(fixture.trace().stepCount() > 2);
        QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
        QVERIFY(!fixture.window->controller().busy());
        QVERIFY(fixture.trace().stepCount() > 2);
    }

    void hardAttentionTakesOrDrawsItsPosition()
    {
        WindowFixture fixture;
        const QString hard = test::hardModel(fixture.path(QStringLiteral("elsewhere")));
        fixture.open(hard, QStringLiteral("s4 s5 s6 s7 s8 s9"));
        QVERIFY(fixture.find<QComboBox>("hard")->isVisible());
        QVERIFY(!fixture.find<SeedBox>("seed")->isVisible());
        const auto map = [&] { return fixture.trace().matrix({Stage::Cross, 0}, 0).values; };
        const auto taken = map();
        fixture.choose("hard", "sample");
        auto* seed = fixture.find<SeedBox>("seed");
        QVERIFY(seed->isVisible());
        std::vector<NumberVector<float>> drawn;
        for (const quint64 value : {1, 2, 3, 1}) {
            seed->setValue(value);
            fixture.click("runButton");
            waitForRun(fixture);
            drawn.push_back(map());
            for (const float weight : drawn.back())
                QVERIFY(weight == 0 || weight == 1);
        }
        QCOMPARE(drawn[3], drawn[0]);
        QVERIFY(std::ranges::any_of(drawn, [&](const auto& values) { return values != taken; }));
        fixture.window->open(QStringLiteral("recurrent"));
        waitForRun(fixture);
        QVERIFY(!fixture.find<QComboBox>("hard")->isVisible());
        QVERIFY(!seed->isVisible());
    }

    void theDecodingDockComesBackUnlessItWasClosed()
    {
        WindowFixture fixture(masked, QStringLiteral("s4 s5"));
        QVERIFY(!dock(fixture, "decodingDock")->isVisible());
        fixture.window->open(QStringLiteral("recurrent"));
        waitForRun(fixture);
        QVERIFY(dock(fixture, "decodingDock")->isVisible());
        QVERIFY(fixture.find<QWidget>("secondSentence")->isHidden());
        dock(fixture, "decodingDock")->close();
        fixture.window->open(continuing);
        waitForRun(fixture);
        QVERIFY(!dock(fixture, "decodingDock")->isVisible());
        QVERIFY(fixture.find<QWidget>("nextTokenButton")->isVisible());
    }

    void aForcedOutputWaitsForAModelThatFollowsIt()
    {
        WindowFixture fixture("recurrent");
        fixture.choose("decode", "forced");
        QTest::keyClicks(fixture.find<QLineEdit>("forcedTarget"), QStringLiteral("t20 t21"));
        fixture.window->open(continuing);
        waitForRun(fixture);
        QVERIFY(!fixture.find<MessageBar>("messageBar")->isVisible());
        fixture.window->open(QStringLiteral("recurrent"));
        waitForRun(fixture);
        QCOMPARE(fixture.trace().target().ids, (std::vector<TokenId>{20, 21, 3}));
    }

    void aModelWithoutTokenizerFollowsIds()
    {
        const QTemporaryDir folder; // without the archive beside the model
        for (const QString& name : {QStringLiteral("config.json"), QStringLiteral("model.safetensors")})
            QVERIFY(QFile::copy(QStringLiteral(ATTN_TEST_DATA "/cases/marian-relu/") + name, folder.filePath(name)));
        WindowFixture fixture("recurrent");
        fixture.run(QStringLiteral("5 9 2"));
        fixture.window->open(folder.path());
        fixture.settle();
        QCOMPARE(fixture.trace().source().ids, (std::vector<TokenId>{5, 9, 2}));
        fixture.choose("decode", "forced");
        auto* target = fixture.find<QLineEdit>("forcedTarget");
        QTest::keyClicks(target, QStringLiteral("five"));
        fixture.action("runAction")->trigger();
        fixture.settle();
        QVERIFY2(fixture.window->message().contains(QStringLiteral("5 9 2")), qPrintable(fixture.window->message()));
        QVERIFY(!fixture.window->message().contains(QStringLiteral("--")));
        target->clear();
        QTest::keyClicks(target, QStringLiteral("4 8"));
        fixture.action("runAction")->trigger();
        waitForRun(fixture);
        QCOMPARE(fixture.trace().target().ids, (std::vector<TokenId>{4, 8}));
    }

    void modelsOfOtherProgramsAreFoundInTheirFolders()
    {
        WindowFixture fixture("recurrent");
        const QString cache = fixture.path(QStringLiteral("hub"));
        test::transformerModel(cache + QStringLiteral("/models--org--tiny/snapshots"));
        qputenv("HF_HUB_CACHE", cache.toLocal8Bit());
        const auto unset = qScopeGuard([] { qunsetenv("HF_HUB_CACHE"); });
        auto* found = fixture.find<QMenu>("foundMenu");
        QVERIFY(found->actions().isEmpty()); // nothing is looked for yet
        found->popup({});
        const auto named = [&] {
            const QList<QAction*> entries = found->actions();
            const auto entry = std::ranges::find(entries, QStringLiteral("org/tiny"), &QAction::text);
            return entry == entries.end() ? nullptr : *entry;
        };
        QTRY_VERIFY(named() != nullptr);
        named()->trigger();
        QTRY_COMPARE(fixture.window->study().model()->name, QStringLiteral("org/tiny"));
        waitForRun(fixture);
    }

    void aRecentModelThatIsGoneLeavesTheList()
    {
        WindowFixture fixture("recurrent");
        const QString folder = fixture.path(QStringLiteral("gone"));
        QDir().mkpath(folder);
        const QDir source(test::recurrentModel(folder));
        fixture.window->open(source.path());
        waitForRun(fixture);
        auto* recent = fixture.find<QMenu>("recentMenu");
        QCOMPARE(recent->actions().size(), 1);
        QCOMPARE(recent->actions().front()->text(), source.path());
        QCOMPARE(QSettings().value(QStringLiteral("recent")).toStringList(), QStringList{source.path()});
        fixture.window->open(QStringLiteral("recurrent"));
        waitForRun(fixture);
        QVERIFY(QDir(folder).removeRecursively());
        recent->actions().front()->trigger();
        auto* bar = fixture.find<MessageBar>("messageBar");
        QVERIFY(bar->isVisible() && bar->text().contains(source.path()));
        QVERIFY(recent->actions().isEmpty());
        QVERIFY(QSettings().value(QStringLiteral("recent")).toStringList().isEmpty());
        QVERIFY(fixture.find<QComboBox>("modelPicker")->findData(source.path()) < 0);
        QCOMPARE(fixture.find<QComboBox>("modelPicker")->currentText(), QStringLiteral("recurrent"));
    }

    void aModelThatNeverWasRunsNoOther()
    {
        WindowFixture fixture;
        fixture.show(QStringLiteral("/nonexistent/model"), QStringLiteral("s4 s5"));
        auto* bar = fixture.find<MessageBar>("messageBar");
        QVERIFY(bar->isVisible());
        const QString missing = bar->text();
        QVERIFY2(missing.contains(QStringLiteral("/nonexistent/model")), qPrintable(missing));
        QVERIFY(!fixture.window->controller().busy());
        QVERIFY(!fixture.window->study().model() && fixture.trace().source().size() == 0);
        QCOMPARE(fixture.find<QComboBox>("modelPicker")->currentIndex(), -1);
        fixture.click("runButton");
        QVERIFY(bar->isVisible() && bar->text() != missing); // there is no model to run
        QVERIFY(!fixture.window->controller().busy());
        fixture.window->open(QStringLiteral("recurrent"));
        waitForRun(fixture);
        QVERIFY(!bar->isVisible());
        QCOMPARE(fixture.trace().source().size(), std::size_t{3});
    }

    void aCheckpointFileStandsForItsDirectory()
    {
        WindowFixture fixture("recurrent");
        const QString folder = test::recurrentModel(fixture.path(QStringLiteral("files")));
        fixture.answers->paths[OpenKind::Anything] = folder + QStringLiteral("/model.safetensors");
        QTest::keyClick(fixture.window.get(), Qt::Key_O, Qt::ControlModifier);
        waitForRun(fixture);
        QVERIFY(!fixture.find<MessageBar>("messageBar")->isVisible());
        QCOMPARE(fixture.window->study().model()->path, folder);
    }

    void aCancelledLoadLeavesTheModelInUse()
    {
        WindowFixture fixture("recurrent");
        fixture.window->open(continuing);
        QVERIFY(fixture.window->controller().busy());
        QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
        QVERIFY(!fixture.window->controller().busy());
        QCOMPARE(fixture.find<QComboBox>("modelPicker")->currentText(), QStringLiteral("recurrent"));
        fixture.click("runButton");
        waitForRun(fixture);
        QCOMPARE(fixture.window->study().model()->name, QStringLiteral("recurrent"));
    }

    // Half a terabyte of weights, which is too much even as they are stored; the disk holds a hundred bytes.
    void aModelThatDoesNotFitInMemoryIsRefusedWithNumbers()
    {
        WindowFixture fixture("recurrent");
        const QString folder = test::recurrentModel(fixture.path(QStringLiteral("huge")));
        if (!enlarge(folder, 1 << 20, 1 << 17))
            QSKIP("this disk has no sparse files");
        fixture.window->open(folder);
        auto* bar = fixture.find<MessageBar>("messageBar");
        QTRY_VERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(QStringLiteral("549.8 GB")), qPrintable(bar->text()));
        QCOMPARE(fixture.find<QComboBox>("modelPicker")->currentText(), QStringLiteral("recurrent"));
        fixture.click("runButton");
        waitForRun(fixture);
        QVERIFY(!bar->isVisible());
    }

    void archivesFromPythonAreShown_data()
    {
        test::addColumns<QString, int, int, int>("file", "kind", "stages", "rows");
        QTest::newRow("encoder-only") << QStringLiteral("bert") << static_cast<int>(ModelKind::EncoderOnly) << 1 << 10;
        QTest::newRow("decoder-only") << QStringLiteral("gpt") << static_cast<int>(ModelKind::DecoderOnly) << 1 << 13;
        QTest::newRow("encoder-decoder") << QStringLiteral("marian") << static_cast<int>(ModelKind::EncoderDecoder) << 3
                                         << 5;
    }

    // Archives of made-up models, by the Python package.
    void archivesFromPythonAreShown()
    {
        QFETCH(const QString, file);
        QFETCH(const int, kind);
        QFETCH(const int, stages);
        QFETCH(const int, rows);
        const QString root = QStringLiteral(ATTN_SOURCE_DIR);
        WindowFixture fixture;
        const QString python = pythonWithNumPy();
        if (python.isEmpty())
            QSKIP("there is no NumPy here");
        QCOMPARE(QProcess::execute(python,
                                   {root + QStringLiteral("/tests/ui/window/python_archives.py"),
                                    root + QStringLiteral("/resources/python"), fixture.path({})}),
                 0);
        fixture.open(fixture.path(file + QStringLiteral(".npz")), QStringLiteral("s4"));
        fixture.showTokens();
        QCOMPARE(static_cast<int>(fixture.trace().kind()), kind);
        QCOMPARE(fixture.find<QComboBox>("stagePicker")->count(), stages);
        QCOMPARE(fixture.window->heatmap().figure()->rows(), rows);
        QVERIFY(!fixture.find<QAbstractButton>("runButton")->isEnabled());
        QVERIFY(!fixture.find<QWidget>("nextTokenButton")->isVisible());
        QVERIFY(!fixture.find<QWidget>("maskButton")->isVisible());
        QVERIFY(!dock(fixture, "decodingDock")->isVisible());
        auto* bar = fixture.find<MessageBar>("messageBar");
        const QStringList missing = missingFrom(fixture.trace());
        QVERIFY(bar->isVisible() && !missing.isEmpty());
        for (const QString& what : missing)
            QVERIFY2(bar->text().contains(what), qPrintable(bar->text()));
        fixture.showTab("grid");
        QTRY_VERIFY(fixture.find<FigureView>("headGridView")->figure() != nullptr);
        QCOMPARE(fixture.find<FigureView>("headGridView")->figure()->columns(), 4);
        fixture.window->open(QStringLiteral("recurrent")); // and back to a model that runs
        waitForRun(fixture);
        QVERIFY(fixture.find<QAbstractButton>("runButton")->isEnabled());
        QCOMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("s4"));
    }

    // A sink stands with the tokens that a row looks at; no cell of a token is behind it.
    void aSinkIsAmongWhatIsLookedAt()
    {
        WindowFixture fixture(storedCase("n-gpt-oss-bf16"), {});
        QCOMPARE(fixture.window->heatmap().figure()->columns(), fixture.window->heatmap().figure()->rows() + 1);
        fixture.window->selection().setStep(0);
        auto* bars = fixture.find<FigureCanvas>("choiceWeights");
        const auto lineOfSink = [bars] {
            const QString said = bars->figure() == nullptr ? QString() : bars->figure()->description();
            return said.section(QStringLiteral(": "), 1)
                .split(QStringLiteral(", "))
                .indexOf(QRegularExpression(QRegularExpression::escape(sinkName()) + QStringLiteral(".*")));
        };
        QTRY_VERIFY2(lineOfSink() >= 0, bars->figure() ? qPrintable(bars->figure()->description()) : "");
        WindowFixture::clickCell(*bars, static_cast<int>(lineOfSink()), 0);
        QVERIFY(!fixture.window->selection().column());
    }

    // The tab is there for runs of such models alone.
    void aClickOnAnExpertFollowsTheToken()
    {
        WindowFixture fixture(storedCase("n-gpt-oss-bf16"), {});
        fixture.showTokens();
        QVERIFY(isOffered(fixture, "experts") && !isOffered(fixture, "labels"));
        QCOMPARE(fixture.window->heatmap().figure()->columns(), fixture.window->heatmap().figure()->rows() + 1);
        fixture.showTab("experts");
        auto* view = fixture.find<FigureView>("expertsView");
        QTRY_VERIFY(view->figure() != nullptr && view->figure()->rows() > 0);
        WindowFixture::clickCell(*view, 4, 1);
        QCOMPARE(fixture.window->selection().step(), std::optional(4));
        QVERIFY(!fixture.window->selection().column()); // which are tokens to the others
        QTest::keyClick(view, Qt::Key_Down);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(fixture.window->selection().step(), std::optional(5));
        fixture.window->open(storedCase("gpt2-plain"));
        waitForRun(fixture);
        QTRY_VERIFY(!isOffered(fixture, "experts"));
        QCOMPARE(fixture.find<QTabWidget>("viewTabs")->currentIndex(), 0);
    }

    void labelsAreSeenAndFollowed_data()
    {
        test::addColumns<QString, bool>("name", "answers");
        QTest::newRow("tokens") << storedCase("n-head-bert-token-three") << false;
        QTest::newRow("span") << storedCase("n-head-bert-question-dev") << true;
    }
    void labelsAreSeenAndFollowed()
    {
        QFETCH(QString, name);
        QFETCH(bool, answers);
        WindowFixture fixture(name, {});
        QVERIFY(isOffered(fixture, "labels") && !isOffered(fixture, "experts"));
        fixture.showTab("labels");
        auto* view = fixture.find<FigureView>("labelsView");
        const auto clickToken = [&](FigureCanvas* canvas, int token) {
            QTRY_VERIFY(dynamic_cast<const TokenFigure*>(canvas->figure()) != nullptr);
            const auto& text = dynamic_cast<const TokenFigure&>(*canvas->figure());
            QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier,
                              text.rectOf({TokenSide::Rows, token}).center().toPoint());
            QCOMPARE(fixture.window->selection().step(), std::optional(token));
        };
        clickToken(view, 3);
        auto* panel = fixture.find<CandidatesPanel>("candidatesPanel");
        const auto labels = static_cast<std::size_t>(fixture.trace().tokenPredictions()->labels.size());
        QTRY_VERIFY(answers ? panel->candidates().size() > 1 : panel->candidates().size() == labels);
        auto* text = fixture.find<FigureCanvas>("labelledText");
        QTRY_VERIFY(text->isVisible());
        clickToken(text, 5);
    }

    void hidingSpecialTokensReachesExports()
    {
        WindowFixture fixture(masked, QStringLiteral("A dog barks."));
        fixture.choose("specialsPicker", 1);
        const QString path = fixture.path(QStringLiteral("matrix.csv"));
        fixture.answers->choice = ExportChoice{path, {}};
        const QSignalSpy written(&fixture.exporter(), &Exporter::written);
        QTest::keyClick(fixture.window.get(), Qt::Key_E, Qt::ControlModifier);
        QTRY_COMPARE(written.count(), 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("dog") && !text.contains("[CLS]") && !text.contains("[SEP]"));
    }
};

ATTN_GUI_TEST(TestWindowKinds)
#include "tst_window_kinds.moc"
