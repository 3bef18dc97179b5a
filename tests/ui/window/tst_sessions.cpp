// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <new>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace attn;
using namespace attn::ui;

namespace {

// In the place of a file: who writes it waits for a reader.
class Pipe
{
public:
    class Reader
    {
    public:
        // With room for so many bytes that are not read yet; 0: for as many as usual.
        explicit Reader(const Pipe& pipe, int room = 0)
            : m_end(::open(pipe.m_name.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        {
            QVERIFY(m_end >= 0);
            if (room > 0)
                QVERIFY(::fcntl(m_end, F_SETPIPE_SZ, room) >= 0);
        }
        ~Reader() { ::close(m_end); }
        Q_DISABLE_COPY_MOVE(Reader)

        // Whatever is there; true.
        bool read()
        {
            std::array<char, 4096> part{};
            ssize_t got = 0;
            while ((got = ::read(m_end, part.data(), part.size())) > 0)
                m_bytes.append(part.data(), got);
            return true;
        }
        bool isWrittenTo() const
        {
            int waiting = 0;
            return ::ioctl(m_end, FIONREAD, &waiting) == 0 && waiting > 0;
        }
        const QByteArray& bytes() const { return m_bytes; }

    private:
        int m_end;
        QByteArray m_bytes;
    };

    explicit Pipe(const QString& name)
        : m_name(name.toLocal8Bit())
    {
        QCOMPARE(::mkfifo(m_name.constData(), 0600), 0);
    }

private:
    QByteArray m_name;
};

// Two runs, with a note on the first.
struct SessionDesk : test::WindowFixture
{
    explicit SessionDesk(const QString& model = QStringLiteral("recurrent"))
    {
        open(model);
        run(QStringLiteral("s4 s4"));
        activate();
        find<QDockWidget>("runsDock")->raise();
        tree()->setFocus();
        answers->session = path(QStringLiteral("mine.attnscope"));
    }

    QTreeView* tree() const { return find<QTreeView>("runsTree"); }

    void save()
    {
        action("saveAction")->trigger();
        QTRY_VERIFY(!study().unsaved());
    }

    void openSession(const QString& file)
    {
        answers->paths[OpenKind::Anything] = file;
        action("openAction")->trigger();
        settle();
    }

    // Three of the encoder, in two layers, on the tiles of all heads.
    void pickHeads() const
    {
        window->selection().setSiteAndHead({Stage::Encoder, 0}, 1);
        for (const int head : {0, 1}) {
            FigureView& view = inFront();
            QTRY_VERIFY(!view.grab().isNull() && view.figure() != nullptr && view.figure()->columns() == 2);
            clickCell(view, 1, head, Qt::ControlModifier);
        }
    }

    // As a program leaves one that ends without taking it away: with a note that says which.
    QString leave(const QString& name)
    {
        Session session = readSession(answers->session.toStdString());
        session.runs.front().note = name.toStdString();
        session.view = QStringLiteral(R"({"file":"%1"})").arg(answers->session).toStdString();
        const QDir folder(StateFolder::place() + QLatin1Char('/') + name);
        folder.mkpath(QStringLiteral("."));
        writeSession(folder.filePath(QStringLiteral("unsaved.attnscope")).toStdString(), session);
        return folder.filePath(QStringLiteral("unsaved.attnscope"));
    }
    std::string noted() const { return study().runs().find(1)->note; }

    // One edit of the runs.
    void annotate()
    {
        QTest::keyClick(tree(), Qt::Key_F2, Qt::ShiftModifier);
        auto* editor = find<QLineEdit>("runNoteEditor");
        QTest::keyClicks(editor, QStringLiteral("note"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(study().unsaved());
        QTRY_VERIFY(window->findChild<QLineEdit*>(QStringLiteral("runNoteEditor")) == nullptr);
    }
};

} // namespace

class TestSessions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("ATTNSCOPE_LIMITS", "maps=1"); // a Transformer's are computed
        std::signal(SIGPIPE, SIG_IGN); // as the window does
    }

    void aSessionIsSavedAndOpened()
    {
        SessionDesk desk;
        QCOMPARE(desk.study().runs().runs().size(), std::size_t{2});
        desk.showTab("arcs");
        desk.save();
        QVERIFY(desk.answers->lastSession.isEmpty());
        const Session written = readSession(desk.answers->session.toStdString());
        QCOMPARE(written.runs.size(), std::size_t{2});
        QCOMPARE(written.model.path, std::string("recurrent"));
        QCOMPARE(written.model.weightsSha256.size(), std::size_t{64});
        QVERIFY(desk.window->windowTitle().startsWith(QLatin1String("mine")));
        const Trace before = desk.trace();

        test::WindowFixture other;
        qputenv("ATTNSCOPE_MODELS", desk.path(QStringLiteral("models")).toLocal8Bit());
        other.show(desk.answers->session, {});
        other.settle();
        const Study& study = other.window->study();
        QCOMPARE(study.runs().runs().size(), std::size_t{2});
        QCOMPARE(study.shown(), desk.study().shown());
        QCOMPARE(other.trace().target().ids, before.target().ids);
        QVERIFY(study.model() && study.model()->name == QLatin1String("recurrent"));
        QCOMPARE(other.find<QLineEdit>("sentence")->text(), QStringLiteral("s4 s4"));
        QCOMPARE(other.find<ViewTabs>("viewTabs")->currentId(), QStringLiteral("arcs"));
        QVERIFY(!study.unsaved() && !other.window->isWindowModified());
        QVERIFY(!other.find<QFrame>("messageBar")->isVisible());
        QCOMPARE(study.age(), Age::Current);
        other.send(QStringLiteral("s5 s6"));
        QTRY_COMPARE(study.runs().runs().size(), std::size_t{3}); // it goes on
        other.settle();
        QVERIFY(other.window->isWindowModified());
    }

    // Candidates, of which a session keeps none.
    void candidatesComeBackWithAnotherRun()
    {
        SessionDesk desk;
        desk.save();
        test::WindowFixture other;
        qputenv("ATTNSCOPE_MODELS", desk.path(QStringLiteral("models")).toLocal8Bit());
        other.show(desk.answers->session, {});
        other.settle();
        const auto* title = other.find<QLabel>("candidatesTitle");
        QTRY_VERIFY2(title->text().contains(QStringLiteral("Run it again")), qPrintable(title->text()));
        other.click("runButton");
        other.settle();
        QTRY_VERIFY2(title->text().contains(QStringLiteral("took")), qPrintable(title->text()));
    }

    void pickedHeadsAreInASession()
    {
        SessionDesk desk(QStringLiteral("transformer"));
        Selection& selection = desk.window->selection();
        desk.showTab("grid");
        desk.pickHeads();
        const FigureChoices picked = desk.inFront().spec();
        QVERIFY(picked.heads == (HeadSet{{0, 1}, {{0, 1}}}));
        desk.save();
        desk.click("pickNone");
        selection.setSiteAndHead({Stage::Cross, 0}, 0);
        desk.openSession(desk.answers->session);
        const FigureSpec again = desk.inFront().spec();
        QVERIFY(again.heads == picked.heads);
        QVERIFY(selection.site() == (Site{Stage::Encoder, 1}));
        QVERIFY(selection.head() == HeadReading(meanOfHeads));
    }

    // Words of the stage that edits changed, also before anything else is run.
    void whatWasChangedIsMarkedInAnOpenedSession()
    {
        SessionDesk desk;
        desk.window->edits().add({"source:0=hide"});
        const auto marked = [&desk] {
            const auto against = desk.find<FigureView>("stage")->spec().against;
            return against != nullptr && against->trace.provenance().edits.empty();
        };
        QTRY_COMPARE(desk.trace().provenance().edits.size(), std::size_t(1));
        desk.settle();
        QVERIFY(marked());
        desk.save();
        desk.run(QStringLiteral("s5 s6"));
        QVERIFY(!marked());
        desk.answers->save = SaveAnswer::Discard;
        desk.openSession(desk.answers->session);
        QTRY_COMPARE(desk.trace().provenance().edits.size(), std::size_t(1));
        QVERIFY(marked());
    }

    // Of a session that says nothing of them, or nothing that can be read.
    void otherwiseNoHeadIsPicked_data()
    {
        QTest::addColumn<QString>("heads");
        QTest::newRow("an older one") << QString();
        QTest::newRow("words") << QStringLiteral(R"(, "heads": "one, two")");
        QTest::newRow("a number") << QStringLiteral(R"(, "heads": 3)");
        QTest::newRow("longer than any that is written")
            << QStringLiteral(R"(, "heads": "0,1", "else": "%1")").arg(QString(1 << 20, QLatin1Char('x')));
        QTest::newRow("there are no such") << QStringLiteral(R"(, "heads": "70,80:2")");
    }
    void otherwiseNoHeadIsPicked()
    {
        QFETCH(const QString, heads);
        SessionDesk desk(QStringLiteral("transformer"));
        desk.showTab("grid");
        desk.save();
        Session session = readSession(desk.answers->session.toStdString());
        QVERIFY(session.view.find("heads") == std::string::npos); // none is picked
        session.view = QStringLiteral(R"({"tab": "grid"%1})").arg(heads).toStdString();
        const QString other = desk.path(QStringLiteral("other.attnscope"));
        writeSession(other.toStdString(), session);
        desk.pickHeads();
        QVERIFY(desk.find<QLabel>("pickedHeads")->isVisible());
        desk.openSession(other);
        QVERIFY(!desk.find<QLabel>("pickedHeads")->isVisible());
    }

    void whatIsNotSavedIsMarked()
    {
        SessionDesk desk;
        QVERIFY(!desk.window->isWindowModified()); // there is no file
        desk.save();
        QVERIFY(!desk.window->isWindowModified());
        desk.annotate();
        QVERIFY(desk.window->isWindowModified());
        desk.save();
        QCOMPARE(desk.answers->askedToSave, 0);
        QCOMPARE(desk.study().file(), desk.answers->session);
        desk.answers->session = desk.path(QStringLiteral("other.attnscope"));
        desk.action("saveAsAction")->trigger();
        QTRY_COMPARE(desk.study().file(), desk.answers->session);
        QCOMPARE(desk.answers->lastSession, desk.path(QStringLiteral("mine.attnscope")));
    }

    void closingAsksForWhatIsNotSaved()
    {
        SessionDesk desk;
        desk.save();
        desk.annotate();
        QVERIFY(!desk.window->close()); // cancelled
        QCOMPARE(desk.answers->askedToSave, 1);
        desk.answers->save = SaveAnswer::Save;
        QVERIFY(!desk.window->close()); // once it is written
        QTRY_VERIFY(!desk.window->isVisible());
        QCOMPARE(readSession(desk.answers->session.toStdString()).runs.back().note, std::string("note"));
    }

    // Into a pipe that nobody reads so far.
    void closingWhileSavingWaitsOrGivesUp_data()
    {
        QTest::addColumn<bool>("givesUp");
        QTest::newRow("waits") << false;
        QTest::newRow("gives up") << true;
    }
    void closingWhileSavingWaitsOrGivesUp()
    {
        QFETCH(const bool, givesUp);
        SessionDesk desk;
        const Pipe pipe(desk.answers->session);
        desk.action("saveAction")->trigger();
        QVERIFY(!desk.window->close());
        QTest::qWait(100);
        QVERIFY(desk.window->isVisible());
        QCOMPARE(desk.answers->askedToSave, 0);
        desk.answers->save = SaveAnswer::Cancel;
        QVERIFY(!desk.window->close());
        QCOMPARE(desk.answers->askedToSave, 1);
        QVERIFY(!desk.window->close()); // it is waited for again
        QCOMPARE(desk.answers->askedToSave, 1);
        if (givesUp) {
            desk.answers->save = SaveAnswer::Discard;
            QVERIFY(desk.window->close());
            desk.window.reset();
        } else {
            Pipe::Reader reader(pipe);
            QTRY_VERIFY(reader.read() && !desk.window->isVisible());
            QVERIFY(reader.bytes().startsWith("PK") && reader.bytes().size() > 1000);
        }
    }

    // Nor is it closed when that has not been saved while it was asked.
    void closingAsksWhereElseWhenSavingFails()
    {
        SessionDesk desk;
        const Pipe pipe(desk.answers->session);
        desk.action("saveAction")->trigger();
        QVERIFY(!desk.window->close());
        desk.answers->save = SaveAnswer::Save;
        desk.answers->whileAskedToSave = [&] {
            {
                const Pipe::Reader goesAway(pipe, 4096);
                QTRY_VERIFY(goesAway.isWrittenTo());
            }
            QTRY_VERIFY(desk.find<QFrame>("messageBar")->isVisible());
            desk.answers->session = desk.path(QStringLiteral("elsewhere.attnscope"));
        };
        QVERIFY(!desk.window->close());
        QCOMPARE(desk.answers->askedToSave, 1);
        QTRY_VERIFY(!desk.window->isVisible());
        QCOMPARE(readSession(desk.answers->session.toStdString()).runs.size(), std::size_t{2});
    }

    void anotherSessionIsOpenedOnceThisIsSaved_data()
    {
        QTest::addColumn<bool>("asks");
        QTest::newRow("it is being saved") << false;
        QTest::newRow("it is saved when asked") << true;
    }
    void anotherSessionIsOpenedOnceThisIsSaved()
    {
        QFETCH(const bool, asks);
        SessionDesk desk;
        desk.save();
        const QString other = desk.answers->session;
        desk.annotate();
        desk.answers->session = desk.path(QStringLiteral("slow.attnscope"));
        const Pipe pipe(desk.answers->session);
        if (asks) {
            desk.answers->save = SaveAnswer::Save;
            desk.answers->whileAskedToSave = [&] { desk.action("saveAsAction")->trigger(); };
        } else {
            desk.action("saveAsAction")->trigger();
        }
        desk.openSession(other);
        QTest::qWait(200);
        QCOMPARE(desk.answers->askedToSave, asks ? 1 : 0);
        QVERIFY(desk.study().unsaved());
        Pipe::Reader reader(pipe);
        QTRY_VERIFY(reader.read() && desk.study().file() == other && !desk.study().unsaved());
        QVERIFY(reader.bytes().startsWith("PK"));
        QVERIFY(desk.study().runs().runs().back().note.empty());
    }

    void anAnswerIsOfTheSessionThatItWasAskedFor_data()
    {
        QTest::addColumn<bool>("closing");
        QTest::newRow("closing") << true;
        QTest::newRow("where to") << false;
    }
    void anAnswerIsOfTheSessionThatItWasAskedFor()
    {
        QFETCH(const bool, closing);
        SessionDesk desk;
        desk.save();
        const QString other = desk.path(QStringLiteral("other.attnscope"));
        QVERIFY(QFile::copy(desk.answers->session, other));
        desk.annotate();
        const auto opens = [&] {
            desk.window->controller().openSession(other);
            QTRY_COMPARE(desk.study().file(), other);
        };
        if (closing) {
            desk.answers->save = SaveAnswer::Discard;
            desk.answers->whileAskedToSave = opens;
            QVERIFY(!desk.window->close());
        } else {
            desk.answers->session = desk.path(QStringLiteral("elsewhere.attnscope"));
            desk.answers->whileAskedWhere = opens;
            desk.action("saveAsAction")->trigger();
            QTest::qWait(200);
            QVERIFY(!QFileInfo::exists(desk.answers->session));
        }
        QVERIFY(desk.window->isVisible());
        QCOMPARE(desk.study().file(), other);
        desk.settle();
    }

    void whatIsBeingTypedIsAskedForWhenClosing()
    {
        SessionDesk desk;
        desk.save();
        QTest::keyClick(desk.tree(), Qt::Key_F2, Qt::ShiftModifier);
        QTest::keyClicks(desk.find<QLineEdit>("runNoteEditor"), QStringLiteral("half a no"));
        QVERIFY(!desk.window->close());
        QCOMPARE(desk.answers->askedToSave, 1);
        QCOMPARE(desk.study().runs().runs().back().note, std::string("half a no"));
    }

    void whatCannotBeSavedIsNotReplaced()
    {
        SessionDesk desk;
        desk.save();
        const QString other = desk.answers->session;
        desk.answers->session = desk.path(QStringLiteral("folder/mine.attnscope"));
        QVERIFY(QDir().mkpath(QFileInfo(desk.answers->session).path()));
        desk.action("saveAsAction")->trigger();
        QTRY_COMPARE(desk.study().file(), desk.answers->session);
        desk.annotate();
        QVERIFY(QDir(QFileInfo(desk.answers->session).path()).removeRecursively());
        desk.answers->save = SaveAnswer::Save;
        desk.openSession(other);
        QTRY_VERIFY(desk.find<QFrame>("messageBar")->isVisible());
        QTest::qWait(200);
        QCOMPARE(desk.study().file(), desk.answers->session);
        QCOMPARE(desk.study().runs().runs().back().note, std::string("note"));
        QVERIFY(desk.study().unsaved());
        desk.answers->save = SaveAnswer::Discard;
        desk.openSession(other);
        QTRY_COMPARE(desk.study().file(), other);
    }

    void aStudyWithoutAFileAsksNothing()
    {
        SessionDesk desk;
        QVERIFY(desk.study().unsaved());
        QVERIFY(desk.window->close());
        QCOMPARE(desk.answers->askedToSave, 0);
    }

    void whatIsNotSavedAfterAllIsNotReplaced()
    {
        SessionDesk desk;
        desk.save();
        const QString other = desk.path(QStringLiteral("other.attnscope"));
        QVERIFY(QFile::copy(desk.answers->session, other));
        SessionDesk another;
        another.annotate();
        another.answers->save = SaveAnswer::Save;
        another.answers->session.clear(); // nowhere
        another.openSession(other);
        QCOMPARE(another.answers->askedToSave, 1);
        QVERIFY(another.study().unsaved());
        QVERIFY(another.study().file().isEmpty());
        another.action("runAction")->trigger();
        another.settle();
        QVERIFY(!another.study().recent().contains(other)); // it was not opened
    }

    void whatSomebodyNotedIsNotLostUnasked()
    {
        SessionDesk desk;
        desk.annotate();
        desk.answers->save = SaveAnswer::Cancel;
        QVERIFY(!desk.window->close());
        QCOMPARE(desk.answers->askedToSave, 1);
        desk.answers->save = SaveAnswer::Discard;
        QVERIFY(desk.window->close());
    }

    void withoutItsModelTheRunsAreShown()
    {
        SessionDesk desk;
        desk.save();
        QDir(desk.path(QStringLiteral("models/recurrent"))).removeRecursively();
        desk.openSession(desk.answers->session);
        QVERIFY(!desk.study().model());
        QCOMPARE(desk.study().runs().runs().size(), std::size_t{2});
        QVERIFY(desk.window->heatmap().figure()->rows() > 0);
        QVERIFY(desk.find<QFrame>("messageBar")->isVisible());
        QVERIFY(desk.window->message().contains(QLatin1String("recurrent")));
        QTest::keyClick(desk.tree(), Qt::Key_Up);
        QCOMPARE(desk.study().shown(), std::optional(1));
        desk.action("runAction")->trigger(); // with what?
        QVERIFY(!desk.window->controller().busy());
        QCOMPARE(desk.study().runs().runs().size(), std::size_t{2});
    }

    void otherWeightsAreSaid()
    {
        SessionDesk desk;
        desk.save();
        Session session = readSession(desk.answers->session.toStdString());
        session.model.weightsSha256[0] = session.model.weightsSha256[0] == '0' ? '1' : '0';
        const QString changed = desk.path(QStringLiteral("changed.attnscope"));
        writeSession(changed.toStdString(), session);
        desk.openSession(changed);
        QVERIFY(desk.study().model());
        QVERIFY(desk.find<QFrame>("messageBar")->isVisible());
        QVERIFY(desk.window->message().contains(QLatin1String("recurrent")));
    }

    void aBrokenSessionChangesNothing()
    {
        SessionDesk desk;
        desk.save();
        QFile file(desk.path(QStringLiteral("broken.attnscope")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("PK is not enough");
        file.close();
        const auto shown = desk.study().shown();
        desk.openSession(file.fileName());
        QVERIFY(desk.find<QFrame>("messageBar")->isVisible());
        QVERIFY(desk.window->message().contains(QLatin1String("broken.attnscope")));
        QCOMPARE(desk.study().shown(), shown);
        QCOMPARE(desk.study().file(), desk.answers->session);
        QVERIFY(desk.study().model());
    }

    void savingThatFailsIsSaid()
    {
        SessionDesk desk;
        desk.answers->session = desk.path(QStringLiteral("no/such/folder/x.attnscope"));
        desk.action("saveAction")->trigger();
        QTRY_VERIFY(desk.find<QFrame>("messageBar")->isVisible());
        QVERIFY(desk.study().unsaved() && desk.study().file().isEmpty());
    }

    void whatIsMadeIsKeptUntilACleanEnd()
    {
        SessionDesk desk;
        const QDir state(qEnvironmentVariable("XDG_STATE_HOME")
                         + QStringLiteral("/AttnScopeTest/AttnScopeTest/sessions"));
        desk.window->guardSessions();
        const auto kept = [&state] {
            QStringList files;
            for (const QString& folder : state.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
                const QString file = state.filePath(folder + QStringLiteral("/unsaved.attnscope"));
                if (QFileInfo::exists(file))
                    files << file;
            }
            return files;
        };
        QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 1, 20'000);
        QCOMPARE(readSession(kept().front().toStdString()).runs.size(), std::size_t{2});
        QVERIFY(StateFolder::leftBehind().empty()); // its program runs
        QVERIFY(desk.study().unsaved() && desk.study().file().isEmpty());
        desk.window->close();
        desk.window.reset();
        QVERIFY(kept().isEmpty());
        QVERIFY(state.entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
    }

    // Not behind anybody's back: what they would fill is gigabytes.
    void runsWhoseMapsAreComputedAreKeptWhenAsked()
    {
        SessionDesk desk(QStringLiteral("transformer"));
        QString text;
        for (int i = 0; i < 40; ++i)
            text += QStringLiteral("s4 ");
        desk.run(text);
        QVERIFY(desk.study().trace().computes({Stage::Encoder, 0}));
        desk.window->guardSessions();
        auto* const said = desk.find<QLabel>("progressText");
        QTRY_VERIFY_WITH_TIMEOUT(said->text().contains(QStringLiteral("are not kept")), 20'000);
        desk.save();
        const Trace kept = readSession(desk.answers->session.toStdString()).runs.back().trace;
        QVERIFY(!kept.computes({Stage::Encoder, 0}));
        QCOMPARE(kept.matrix({Stage::Encoder, 0}, 0).values,
                 desk.study().trace().matrix({Stage::Encoder, 0}, 0).values);
    }

    void whatWasLeftIsOffered_data()
    {
        QTest::addColumn<bool>("restores");
        QTest::newRow("restored") << true;
        QTest::newRow("discarded") << false;
    }

    void whatWasLeftIsOffered()
    {
        QFETCH(bool, restores);
        SessionDesk desk;
        desk.save();
        const QString left = desk.leave(QStringLiteral("kept"));

        auto* offer = desk.find<QFrame>("offerBar");
        QVERIFY(!offer->isVisible());
        desk.window->guardSessions();
        QVERIFY(offer->isVisible());
        desk.click(restores ? "restoreRuns" : "discardRuns");
        QTRY_VERIFY(!offer->isVisible());
        desk.settle();
        QCOMPARE(desk.noted(), std::string(restores ? "kept" : ""));
        QCOMPARE(desk.study().unsaved(), restores);
        QCOMPARE(desk.study().file(), desk.answers->session);
        if (!restores) {
            QVERIFY(!QFileInfo::exists(left));
            return;
        }
        QVERIFY(QFileInfo::exists(left)); // until it is kept again
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(left), 20'000);
        desk.answers->save = SaveAnswer::Discard;
        desk.window->close();
    }

    void whatIsNotReadAfterAllIsOfferedAgain_data()
    {
        QTest::addColumn<bool>("runs");
        QTest::newRow("cancelled") << false;
        QTest::newRow("something else is run") << true;
    }
    void whatIsNotReadAfterAllIsOfferedAgain()
    {
        QFETCH(const bool, runs);
        SessionDesk desk;
        desk.save();
        const QString left = desk.leave(QStringLiteral("kept"));
        desk.window->guardSessions();
        desk.click("restoreRuns");
        if (runs)
            desk.action("runAction")->trigger();
        else
            desk.window->controller().cancel();
        desk.settle();
        QCOMPARE(desk.noted(), std::string());
        QVERIFY(QFileInfo::exists(left));
        QVERIFY(desk.find<QFrame>("offerBar")->isVisible());
        desk.answers->save = SaveAnswer::Discard;
        desk.window->close();
        desk.window.reset();
        QVERIFY(QFileInfo::exists(left)); // nobody has decided
    }

    // To its own file, from which nobody learns what is restored.
    void savingBeforeRestoringIsSavingOfThat()
    {
        SessionDesk desk;
        desk.save();
        desk.annotate();
        const QString left = desk.leave(QStringLiteral("kept"));
        desk.answers->save = SaveAnswer::Save;
        desk.window->guardSessions();
        desk.click("restoreRuns");
        desk.settle();
        QTRY_COMPARE(desk.noted(), std::string("kept"));
        QTRY_COMPARE(readSession(desk.answers->session.toStdString()).runs.back().note, std::string("note"));
        QVERIFY(desk.study().unsaved());
        QCOMPARE(desk.study().file(), desk.answers->session);
        QVERIFY(QFileInfo::exists(left));
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(left), 20'000); // it is kept again
        const auto kept = QDir(StateFolder::place()).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(kept.size(), qsizetype{1});
        const QString again = QDir(StateFolder::place()).filePath(kept.front() + QStringLiteral("/unsaved.attnscope"));
        QCOMPARE(readSession(again.toStdString()).runs.front().note, std::string("kept"));
        desk.answers->save = SaveAnswer::Discard;
        desk.window->close();
    }

    void aDoubleClickAnswersOneOffer_data()
    {
        QTest::addColumn<QByteArray>("button");
        QTest::newRow("restored") << QByteArray("restoreRuns");
        QTest::newRow("discarded") << QByteArray("discardRuns");
    }
    void aDoubleClickAnswersOneOffer()
    {
        QFETCH(const QByteArray, button);
        SessionDesk desk;
        desk.save();
        const QStringList left{desk.leave(QStringLiteral("one")), desk.leave(QStringLiteral("two"))};
        desk.window->guardSessions();
        auto* const first = desk.find<QAbstractButton>(button.constData());
        const QPoint place = first->mapTo(desk.window.get(), first->rect().center());
        QTest::mouseClick(first, Qt::LeftButton);
        desk.settle();
        auto* const offer = desk.find<QFrame>("offerBar");
        QTRY_VERIFY(offer->isVisible());
        QTRY_VERIFY(qobject_cast<QAbstractButton*>(desk.window->childAt(place)) != nullptr);
        // As a window system sends the second click.
        QWidget* const second = desk.window->childAt(place);
        QMouseEvent again(QEvent::MouseButtonDblClick, second->mapFrom(desk.window.get(), QPointF(place)),
                          desk.window->mapToGlobal(QPointF(place)), Qt::LeftButton, Qt::LeftButton, {});
        QApplication::sendEvent(second, &again);
        QTest::mouseRelease(second, Qt::LeftButton);
        desk.settle();
        QVERIFY(offer->isVisible()); // the other one
        const auto there =
            std::count_if(left.begin(), left.end(), [](const QString& file) { return QFileInfo::exists(file); });
        QCOMPARE(there, button == "restoreRuns" ? 2 : 1);
    }

    // What nobody has kept again is not given up for the next.
    void oneRestoredAfterTheOtherLosesNone()
    {
        SessionDesk desk;
        desk.save();
        const QStringList left{desk.leave(QStringLiteral("one")), desk.leave(QStringLiteral("two"))};
        desk.window->guardSessions();
        desk.answers->save = SaveAnswer::Discard;
        for (int i = 0; i < 2; ++i) {
            QTRY_VERIFY(desk.find<QFrame>("offerBar")->isVisible());
            desk.find<QAbstractButton>("restoreRuns")->click();
            QTRY_VERIFY(!desk.noted().empty());
            desk.settle();
        }
        QVERIFY(QFileInfo::exists(left.front()) && QFileInfo::exists(left.back()));
    }

    void whereNothingCanBeKeptThatIsSaid()
    {
        SessionDesk desk;
        QFile file(desk.path(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        qputenv("XDG_STATE_HOME", file.fileName().toLocal8Bit());
        desk.window->guardSessions();
        QTRY_VERIFY_WITH_TIMEOUT(desk.find<QFrame>("messageBar")->isVisible(), 20'000);
        QVERIFY(desk.window->message().contains(QLatin1String("file")));
        qputenv("XDG_STATE_HOME", desk.path(QStringLiteral("state")).toLocal8Bit()); // there is room again
        const QDir state(StateFolder::place());
        QTRY_COMPARE_WITH_TIMEOUT(state.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), qsizetype{1}, 20'000);
    }

    // Its name is so long that nothing in it can have one.
    void aFolderThatTakesNothingIsTakenAway()
    {
        SessionDesk desk;
        constexpr qsizetype longest = 4092; // of 4095, and "/lock" comes
        constexpr qsizetype longestName = 250;
        constexpr qsizetype uuid = 37;
        QString home = desk.path(QStringLiteral("state"));
        qputenv("XDG_STATE_HOME", home.toLocal8Bit());
        const qsizetype own = StateFolder::place().size() - home.size() + uuid;
        for (qsizetype rest = longest - own - home.size(); rest > 0;) {
            const qsizetype part = rest <= longestName ? rest : std::min(longestName, rest - 2);
            home += QLatin1Char('/') + QString(part - 1, QLatin1Char('x'));
            rest -= part;
        }
        qputenv("XDG_STATE_HOME", home.toLocal8Bit());
        {
            const StateFolder folder;
            QVERIFY(folder.session().isEmpty());
        }
        const QDir state(StateFolder::place());
        QVERIFY(state.exists());
        QCOMPARE(state.entryList(QDir::Dirs | QDir::NoDotAndDotDot), QStringList());
    }

    void whatIsNoFolderOfOursIsLeftAlone()
    {
        SessionDesk desk;
        desk.save();
        const QString waits = QFileInfo(desk.leave(QStringLiteral("pipe"))).path();
        QCOMPARE(mkfifo(QFile::encodeName(waits + QStringLiteral("/lock")).constData(), 0600), 0);
        const QString elsewhere = desk.path(QStringLiteral("elsewhere/unsaved.attnscope"));
        QVERIFY(QDir(desk.path(QString())).mkpath(QStringLiteral("elsewhere")));
        QVERIFY(QFile::copy(desk.answers->session, elsewhere));
        QVERIFY(QFile::link(QFileInfo(elsewhere).path(), StateFolder::place() + QStringLiteral("/link")));
        QVERIFY(StateFolder::leftBehind().empty());
        QVERIFY(QFileInfo::exists(elsewhere));
    }

    void whatAnExceptionEndsIsKept()
    {
        SessionDesk desk;
        desk.save();
        try {
            const StateFolder folder;
            QVERIFY(QFile::copy(desk.answers->session, folder.session()));
            throw std::bad_alloc();
        } catch (const std::bad_alloc&) {
            QCOMPARE(StateFolder::leftBehind().size(), std::size_t{1});
        }
        QVERIFY(StateFolder::leftBehind().empty()); // that was a clean end
    }
};

ATTN_GUI_TEST(TestSessions)
#include "tst_sessions.moc"
