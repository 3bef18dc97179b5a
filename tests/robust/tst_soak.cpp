// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.h"
#include "session/session.h"
#include "support/made_maps.h"
#include "support/sanitizers.h"
#include "support/test_program.h"
#include "support/word_models.h"
#include "trace/archive.h"
#include "trace/trace_builder.h"
#include "ui/laboratory/laboratory_fixture.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QImageReader>
#include <QKeySequence>
#include <QLineEdit>
#include <QMenu>
#include <QPixmapCache>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QSpinBox>

#include <algorithm>
#include <array>
#include <cstdio>
#include <malloc.h>
#include <utility>
#include <vector>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;
using attn::test::trainedModels;
using attn::test::WindowFixture;

namespace {

// What is done by chance, but the same every time.
class Hands
{
public:
    Hands(WindowFixture& fixture, quint32 seed)
        : m_fixture(fixture)
        , m_random(seed)
    {
    }

    // By the same chance as those that begin with this seed.
    void beginAgain(quint32 seed) { m_random = QRandomGenerator(seed); }

    int tabChanges() const { return m_tabChanges; } // that they made

    int upTo(int bound) { return m_random.bounded(bound); }

    QString sentence()
    {
        QString text;
        for (int words = 1 + upTo(8); words > 0; --words)
            text += QStringLiteral("s%1 ").arg(4 + upTo(90));
        return text;
    }

    void type()
    {
        auto* box = m_fixture.find<QLineEdit>("sentence");
        box->setText(box->text()); // what it can undo ends: nobody types for hours, and Qt keeps it all
        m_fixture.type(sentence());
        QTest::keyClick(box, Qt::Key_Return);
    }

    // A moment in which what is on its way goes on.
    void wait(int mostMilliseconds)
    {
        QElapsedTimer timer;
        timer.start();
        const int until = upTo(mostMilliseconds + 1);
        do
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        while (timer.elapsed() < until);
    }

    void look()
    {
        auto* tabs = m_fixture.find<QTabWidget>("viewTabs");
        const int before = tabs->currentIndex();
        const int index = upTo(tabs->count());
        if (tabs->isTabVisible(index) && tabs->isTabEnabled(index))
            QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, Qt::NoModifier, tabs->tabBar()->tabRect(index).center());
        m_tabChanges += tabs->currentIndex() == before ? 0 : 1;
        if (auto* view = qobject_cast<FigureView*>(tabs->currentWidget()); view != nullptr && view->isVisible()) {
            const QPoint place(upTo(view->width()), upTo(view->height()));
            QTest::mouseMove(view, place);
            QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, place);
            QTest::keyClick(view,
                            std::array{Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home}[upTo(5)]);
        }
    }

    // The middle of one; anywhere, where there is none.
    QPoint cellOf(const FigureView& view)
    {
        const Figure* const figure = view.figure();
        if (figure == nullptr || figure->rows() == 0 || figure->columns() == 0)
            return {upTo(view.width()), upTo(view.height())};
        const int row = upTo(figure->rows());
        return figure->cellRect(row, upTo(figure->columns())).center().toPoint();
    }

    void edit()
    {
        FigureView& view = m_fixture.window->heatmap();
        m_fixture.window->activateWindow(); // which a menu has been
        (void)QTest::qWaitForWindowActive(m_fixture.window.get(), 1000);
        m_fixture.showTab("heatmap");
        view.setFocus();
        const QPoint place = cellOf(view);
        QTest::mouseMove(&view, place + QPoint(1, 1));
        QTest::mouseMove(&view, place);
        QTest::keyClick(&view, Qt::Key_F10, Qt::ShiftModifier);
        const auto menu = [this] { return m_fixture.window->findChild<QMenu*>(QStringLiteral("placeMenu")); };
        const char* const id = std::array{"hideCells", "zeroCells", "uniformCells", "headOff", "hideToken"}[upTo(5)];
        if (QTest::qWaitFor([&menu] { return menu() != nullptr; }, 200)) {
            const auto* entry = menu()->findChild<QAction*>(QLatin1String(id));
            const auto press = [](QMenu* menu, const QString& text) {
                QTest::keyClick(menu, static_cast<Qt::Key>(QKeySequence::mnemonic(text)[0].key()));
            };
            auto* within = entry == nullptr ? nullptr : qobject_cast<QMenu*>(entry->parent());
            if (within != nullptr && within != menu())
                press(menu(), within->title());
            if (within != nullptr && entry->isEnabled() && within->isVisible())
                press(within, entry->text());
            else
                QTest::keyClick(menu(), Qt::Key_Escape);
        }
        if (upTo(2) == 0) // for its run: with another sentence edits end
            (void)QTest::qWaitFor([this] { return !m_fixture.window->controller().busy(); }, 500);
    }

    void press(const char* action)
    {
        QAction* const found = m_fixture.action(action);
        if (!found->isEnabled())
            return;
        m_fixture.window->activateWindow();
        const QKeySequence keys = found->shortcut();
        QTest::keySequence(m_fixture.window.get(), keys);
    }

    void something()
    {
        constexpr std::array keys = {"undoAction",      "redoAction",      "runAction",       "maskAction",
                                     "drawAgainAction", "nextTokenAction", "copyImageAction", "zoomInAction",
                                     "zoomOutAction",   "backStepAction",  "lastStepAction"};
        switch (upTo(13)) {
        case 0:
            m_fixture.choose("modelPicker", std::array{"recurrent", "transformer", "endless"}[upTo(3)]);
            break;
        case 1:
        case 2:
            edit();
            break;
        case 3:
        case 4:
            look();
            break;
        case 5:
            press("exportAction");
            break;
        case 6:
            m_fixture.window->resize(700 + upTo(700), 500 + upTo(400));
            break;
        case 7:
            press("saveAction");
            break;
        case 8:
            m_fixture.window->open(m_fixture.broken);
            break;
        default:
            press(keys[upTo(static_cast<int>(keys.size()))]);
        }
    }

private:
    WindowFixture& m_fixture;
    QRandomGenerator m_random;
    int m_tabChanges = 0;
};

// What came of what the hands did.
class Effects : public QObject
{
public:
    explicit Effects(WindowFixture& fixture)
        : m_fixture(fixture)
    {
        const Study& study = fixture.window->study();
        m_file = study.file();
        connect(&fixture.window->controller(), &RunController::started, this, [this] { ++m_runs; });
        connect(&fixture.window->controller(), &RunController::finished, this,
                [this] { m_editedRuns += m_fixture.trace().provenance().edits.empty() ? 0 : 1; });
        connect(&fixture.exporter(), &Exporter::written, this, [this](const QString& path) { m_exported = path; });
        // What is unsaved ends by saving it, or with another session in its place.
        connect(&study, &Study::fileChanged, this, [this, &study] {
            if (std::exchange(m_isUnsaved, study.unsaved()) && !m_isUnsaved && study.file() == m_file)
                m_saved = m_file;
            m_file = study.file();
        });
    }

    int runs() const { return m_runs; }

    void verify(const Hands& hands) const
    {
        std::printf("%d runs, %d with edits, %d changes of tabs\n", m_runs, m_editedRuns, hands.tabChanges());
        QVERIFY(m_editedRuns > 0);
        QVERIFY(hands.tabChanges() > 0);
        QVERIFY(!m_exported.isEmpty() && !QImage(m_exported).isNull());
        QVERIFY(!m_saved.isEmpty() && !readSession(m_saved.toStdString()).runs.empty());
    }

private:
    WindowFixture& m_fixture;
    int m_runs = 0;
    int m_editedRuns = 0;
    QString m_exported; // the last file
    QString m_file; // of the study
    bool m_isUnsaved = false;
    QString m_saved; // the last file
};

// Closes a window after what was pressed in it: of a session that is being saved the window waits until it is in its
// file. True: in the middle of a run.
bool close(WindowFixture& fixture)
{
    const bool wasBusy = fixture.window->controller().busy();
    fixture.window->close();
    [&] { QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->isVisible(), 20'000); }();
    fixture.window.reset();
    return wasBusy;
}

// 200,000 characters in words.
QString longText(char32_t letter)
{
    QString word = QString::fromUcs4(&letter, 1).repeated(4) + QLatin1Char(' ');
    return word.repeated(40'000);
}

// Maps of 4 MB for each of some heads, or of 16.
Trace largeTrace()
{
    constexpr int tokens = 2000;
    const Encoding source = plainEncoding(std::vector<TokenId>(static_cast<std::size_t>(tokens), 4));
    Provenance provenance;
    provenance.kind = ModelKind::EncoderOnly;
    TraceBuilder builder(source, nullptr, provenance);
    builder.begun(source.ids, {});
    builder.computableAttention({{Stage::Encoder, 0}, 0, 0, {}, {}},
                                std::make_shared<test::MadeMaps>(8, tokens, tokens));
    builder.finished({});
    return builder.snapshot();
}

// What parts of the program have asked for and not given back. Unlike what the process holds, it does not depend on
// where in memory that lies.
std::size_t usedMemory()
{
    releaseFreedNumbers();
    const struct mallinfo2 used = ::mallinfo2();
    return used.uordblks + used.hblkhd;
}

} // namespace

// Hours of use in minutes: nothing hangs, nothing is lost, nothing piles up.
class TestSoak : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cancelledAtAnyMoment()
    {
        WindowFixture fixture("recurrent");
        Hands hands(fixture, 1);
        auto& controller = fixture.window->controller();
        QSignalSpy finished(&controller, &RunController::finished);
        QSignalSpy cancelled(&controller, &RunController::cancelled);
        auto* length = fixture.find<QSpinBox>("max-length");
        length->setValue(100'000);
        constexpr int times = 1000;
        int hits = 0; // of a run
        for (int i = 0; hits < times && i < 4 * times; ++i) {
            fixture.choose("modelPicker", i % 2 == 0 ? "endless" : "recurrent"); // starts a run
            hands.type();
            hands.wait(30);
            const bool wasBusy = controller.busy();
            const qsizetype before = cancelled.count();
            QTest::keyClick(fixture.find<QLineEdit>("sentence"), Qt::Key_Escape);
            QCOMPARE(cancelled.count(), before + (wasBusy ? 1 : 0));
            QVERIFY(!controller.busy());
            hits += wasBusy ? 1 : 0;
        }
        QCOMPARE(hits, times);
        length->setValue(20);
        fixture.choose("modelPicker", "recurrent");
        hands.type();
        QTRY_VERIFY(!controller.busy());
        QVERIFY(fixture.trace().target().size() > 0);
    }

    // It is gone, and so is its work, also what is being written.
    void aWindowClosesAtAnyMoment()
    {
        QImageReader::setAllocationLimit(0); // long runs are high pictures
        WindowFixture fixture;
        int closedInARun = 0;
        // How a whole file of each kind ends.
        const std::array<std::pair<const char*, QByteArray>, 6> kinds = {{{"x.png", "IEND\xae\x42\x60\x82"},
                                                                          {"x.gif", ";"},
                                                                          {"x.pdf", "%%EOF\n"},
                                                                          {"x.html", "</html>\n"},
                                                                          {"x.svg", "</svg>\n"},
                                                                          {"x.tex", "\\attnend\n"}}};
        constexpr int times = 200;
        for (int i = 0; i < times; ++i) {
            const auto& [name, end] = kinds[static_cast<std::size_t>(i) / 4 % kinds.size()];
            const QString figure = fixture.path(QLatin1String(name));
            fixture.answers->choice = ExportChoice{figure, {}};
            fixture.answers->session = fixture.path(QStringLiteral("x.attnscope"));
            fixture.answers->save = SaveAnswer::Discard;
            fixture.show(i % 3 == 0 ? QStringLiteral("transformer") : QStringLiteral("endless"),
                         QStringLiteral("s4 s5 s6"));
            fixture.find<QSpinBox>("max-length")->setValue(100'000);
            Hands hands(fixture, static_cast<quint32>(i));
            hands.type();
            hands.wait(150);
            if (i % 2 == 0)
                hands.press(i % 4 == 0 ? "exportAction" : "saveAction");
            hands.wait(50);
            closedInARun += close(fixture) ? 1 : 0;
            QFile written(figure);
            QVERIFY2(!written.open(QIODevice::ReadOnly) || written.readAll().endsWith(end), name);
        }
        QVERIFY(closedInARun > 0);
    }

    void aWindowClosesWhileItsLaboratoryWorks_data()
    {
        QTest::addColumn<QString>("page");
        for (const PageRow& page : pageRows())
            QTest::newRow(page.id) << QString::fromLatin1(page.id);
    }
    void aWindowClosesWhileItsLaboratoryWorks()
    {
        QFETCH(QString, page);
        LaboratoryFixture fixture;
        qputenv("ATTNSCOPE_MODELS", trainedModels.toLocal8Bit());
        const bool worksLong = page == QStringLiteral("sweep") || page == QStringLiteral("compare");
        const int times = worksLong ? 30 : 10;
        int worked = 0;
        for (int i = 0; i < times; ++i) {
            fixture.show(QStringLiteral("transformer-en-fr"), QStringLiteral("The cat is sitting on the mat ."));
            QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->controller().busy(), 60'000);
            const LaboratoryPage& opened = fixture.openPage(*pageOf(page.toStdString()));
            if (i % 2 == 0)
                fixture.action("firstStepsAction")->trigger(); // the help
            Hands(fixture, static_cast<quint32>(i)).wait(i == 0 ? 0 : 300);
            worked += opened.busy() ? 1 : 0;
            close(fixture);
        }
        QVERIFY(worked > 0 || !worksLong);
    }

    void aWindowClosesWithinALongText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("ASCII") << longText(U'e');
        QTest::newRow("four bytes a character") << longText(U'\U0001F600');
    }
    void aWindowClosesWithinALongText()
    {
        QFETCH(QString, text);
        WindowFixture fixture;
        qputenv("ATTNSCOPE_MODELS", trainedModels.toLocal8Bit());
        int closedInARun = 0;
        constexpr int times = 30;
        for (int i = 0; i < times; ++i) {
            fixture.show(QStringLiteral("transformer-en-fr"), text);
            Hands(fixture, static_cast<quint32>(i)).wait(std::array{0, 100, 300, 2000}[i % 4]);
            closedInARun += close(fixture) ? 1 : 0;
        }
        QVERIFY(closedInARun > 0);
    }

    void aWindowClosesWhileAFileLoads_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"x.npz", "x.json", "x.attnscope"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void aWindowClosesWhileAFileLoads()
    {
        QFETCH(QString, name);
        WindowFixture fixture;
        const std::string path = fixture.path(name).toStdString();
        if (isSessionPath(path)) {
            Session session;
            for (const int id : {1, 2}) {
                SessionRun& run = session.runs.emplace_back();
                run.id = id;
                run.trace = largeTrace();
            }
            session.shown.run = 2;
            writeSession(path, session);
        } else {
            writeArchive(path, largeTrace());
        }
        int closedInARun = 0;
        constexpr int times = 30;
        for (int i = 0; i < times; ++i) {
            fixture.open();
            fixture.window->open(QString::fromStdString(path));
            Hands(fixture, static_cast<quint32>(i)).wait(i == 0 ? 0 : 300);
            closedInARun += close(fixture) ? 1 : 0;
        }
        QVERIFY(closedInARun > 0);
    }

    // A tokenizer's expression may search for twenty seconds.
    void aSlowTokenizerKeepsNobody()
    {
        WindowFixture fixture;
        const QDir models(fixture.path(QStringLiteral("models")));
        QVERIFY(QDir().rename(test::transformerModel(models.filePath(QStringLiteral("x"))),
                              models.filePath(QStringLiteral("slow"))));
        QFile tokenizer(models.filePath(QStringLiteral("slow/tokenizer.json")));
        QVERIFY(tokenizer.open(QIODevice::WriteOnly));
        tokenizer.write(R"({"model": {"type": "WordLevel", "vocab": {"<unk>": 1, "s4": 4}, "unk_token": "<unk>"},
            "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a*)\\1b"}, "behavior": "Isolated"}})");
        tokenizer.close();
        fixture.show(QStringLiteral("slow"), QString(30'000, QLatin1Char('a')));
        QTest::qWait(500);
        QVERIFY(fixture.window->controller().busy());
        fixture.choose("modelPicker", "recurrent");
        Hands(fixture, 1).type();
        QTRY_VERIFY(!fixture.window->controller().busy());

        fixture.show(QStringLiteral("slow"), QString(30'000, QLatin1Char('a')));
        QTest::qWait(500);
        QVERIFY(close(fixture));
    }

    // What a window holds after the same again and again, each time with nothing but the session it began with: what
    // was asked of the system for that goes up and down by some hundredths, and a run that stayed would be seen within
    // three laps.
    void theSameAgainTakesNoMore()
    {
        constexpr int laps = 7; // the first one fills what is kept for good
        WindowFixture fixture("recurrent");
        const QString kept = begin(fixture);
        fixture.window->activateWindow();
        const Effects effects(fixture);
        std::vector<std::size_t> held;
        Hands hands(fixture, 0);
        for (int lap = 0; lap < laps; ++lap) {
            held.push_back(afterALap(fixture, hands, effects, kept));
            std::printf("lap %d, %d runs: %zu kB\n", lap, effects.runs(), held.back() >> 10U);
        }
        effects.verify(hands);
        const std::size_t before = std::min({held[1], held[2], held[3]});
        const std::size_t after = std::min({held[4], held[5], held[6]});
        if (!test::hasAddressSanitizer() && !test::hasThreadSanitizer())
            QVERIFY2(static_cast<double>(after) < static_cast<double>(before) * 1.07,
                     qPrintable(QStringLiteral("%1, then %2 bytes").arg(before).arg(after)));
    }

    // The weights are mapped while the model is open; the other files are read when it is opened.
    void aModelChangesUnderItsWindow_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"config.json", "model.safetensors", "source.vocab", "target.vocab"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void aModelChangesUnderItsWindow()
    {
        QFETCH(QString, name);
        WindowFixture fixture("recurrent");
        auto& controller = fixture.window->controller();
        QStringList said;
        connect(
            &controller, &RunController::failed, this, [&] { said << fixture.window->message(); },
            Qt::QueuedConnection);
        const auto ask = [&](const char* text) {
            fixture.send(QString::fromLatin1(text));
            QTRY_VERIFY(!controller.busy());
            QCoreApplication::processEvents();
        };
        constexpr auto sentence = "s6 s7 s8";
        const auto made = [&] {
            return std::pair(fixture.trace().target().ids, fixture.trace().summary()->hypotheses.at(0).sum);
        };
        ask(sentence);
        const auto whole = made();
        ask("s9 s10"); // of which the same again takes nothing over
        const auto openAgain = [&] {
            said.clear();
            fixture.window->open(fixture.path(QStringLiteral("models/transformer")));
            QTRY_VERIFY(!controller.busy());
            fixture.window->open(fixture.path(QStringLiteral("models/recurrent")));
            QTRY_VERIFY(!controller.busy());
            QCoreApplication::processEvents();
        };
        const QString file = fixture.path(QStringLiteral("models/recurrent/") + name);
        QFile before(file);
        QVERIFY(before.open(QIODevice::ReadOnly));
        const QByteArray content = before.readAll();

        QVERIFY(QFile::resize(file, 0)); // part of a list of words would still be one
        ask(sentence);
        for (const QString& message : said)
            QVERIFY2(message.contains(name), qPrintable(message));
        QVERIFY(!said.isEmpty() || made() == whole); // where it does not matter any more
        QVERIFY(fixture.trace().target().size() > 0); // that of the last run that there was

        openAgain();
        said << fixture.window->message();
        QVERIFY2(said.join(QLatin1Char('\n')).contains(name), qPrintable(said.join(QLatin1Char('\n'))));

        QVERIFY(QFile::remove(file)); // another one in its place
        QFile again(file);
        QVERIFY(again.open(QIODevice::WriteOnly) && again.write(content) == content.size());
        again.close();
        openAgain();
        ask(sentence);
        QVERIFY2(said.isEmpty(), qPrintable(said.join(QLatin1Char('\n'))));
        QVERIFY(made() == whole);
    }

private:
    // Saves what was run, for comeBack(). Exports and sessions have names from now on.
    static QString begin(WindowFixture& fixture)
    {
        fixture.answers->choice = ExportChoice{fixture.path(QStringLiteral("x.png")), {}};
        fixture.answers->session = fixture.path(QStringLiteral("x.attnscope"));
        fixture.answers->save = SaveAnswer::Discard;
        fixture.action("saveAction")->trigger();
        [&] { QTRY_VERIFY(!fixture.window->study().unsaved()); }();
        const QString kept = fixture.path(QStringLiteral("kept.attnscope"));
        if (!QFile::copy(fixture.answers->session, kept))
            qFatal("nothing was saved");
        fixture.window->guardSessions();
        return kept;
    }

    // Does the same each time, and comes back. Returns what is used then.
    static std::size_t afterALap(WindowFixture& fixture, Hands& hands, const Effects& effects, const QString& kept)
    {
        constexpr int runsOfALap = 30;
        hands.beginAgain(4);
        auto& controller = fixture.window->controller();
        for (const int wanted = effects.runs() + runsOfALap; effects.runs() < wanted;) {
            hands.something();
            hands.wait(10);
            hands.type();
            if (hands.upTo(3) > 0)
                [&] { QTRY_VERIFY_WITH_TIMEOUT(!controller.busy(), 60'000); }();
        }
        comeBack(fixture, kept);
        return usedMemory();
    }

    // To a window with nothing but this session, and nothing that was copied.
    static void comeBack(WindowFixture& fixture, const QString& kept)
    {
        auto& controller = fixture.window->controller();
        QTRY_VERIFY_WITH_TIMEOUT(!controller.busy(), 60'000);
        fixture.window->resize(1000, 700);
        static int times = 0;
        const QString begun = fixture.path(QStringLiteral("%1.attnscope").arg(++times)); // which is saved over
        QVERIFY(QFile::copy(kept, begun));
        fixture.window->open(begun);
        QTRY_COMPARE_WITH_TIMEOUT(fixture.window->study().runs().runs().size(), std::size_t{1}, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(!controller.busy(), 60'000);
        fixture.showTab("heatmap");
        QGuiApplication::clipboard()->clear();
        QTest::qWait(100); // what is written or drawn meanwhile ends
        QPixmapCache::clear(); // of styles, which fill it up to its limit
    }
};

ATTN_GUI_TEST(TestSoak)

#include "tst_soak.moc"
