// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/test_program.h"
#include "trace/archive.h"
#include "ui/window/window_fixture.h"
#include "window/run_commands.h"
#include "window/saved_state.h"

#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>

#include <memory>

using namespace attn;
using namespace attn::ui;

namespace {

// Opening and running without the window that lays them out.
struct OpeningDesk
{
    OpeningDesk()
    {
        settings.open(); // settings and models of its own
        settings.window.reset();
    }

    void open(const QString& path)
    {
        opening.open(path);
        QTRY_VERIFY(!controller.busy());
    }

    test::WindowFixture settings;
    test::AnsweredDialogs dialogs{settings.answers};
    QWidget window;
    Study study;
    Selection selection;
    RunController controller{study};
    RunCommands running{study, selection, controller};
    Opening opening{{study, controller, running, dialogs, window}};
    Appearance appearance;
    Exporter exporter{dialogs};
};

void type(Study& study, const char* text)
{
    study.edit([text](Question& question) { question.text = text; });
}

} // namespace

// What is opened, from where, and what is remembered of it; and what is asked of it.
class TestOpening : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aModelIsReadOnTheTextThatIsTyped()
    {
        OpeningDesk desk;
        desk.open(QStringLiteral("recurrent"));
        QCOMPARE(desk.study.opened(), QStringLiteral("recurrent"));
        QVERIFY(desk.study.trace().source().size() == 0); // nothing is typed
        type(desk.study, "s4 s5");
        desk.open(QStringLiteral("transformer"));
        QCOMPARE(desk.study.model()->name, QStringLiteral("transformer"));
        QCOMPARE(desk.study.trace().source().size(), std::size_t{3});
        QCOMPARE(desk.study.asked()->model, std::string("transformer"));
        QVERIFY(desk.study.recent().isEmpty()); // both come with the program
    }

    // Each has what it read when it was opened.
    void aWindowKeepsWhatAnotherHasStored()
    {
        test::WindowFixture fixture("recurrent");
        fixture.window->close(); // the first of all writes everything
        fixture.open();
        const auto other = std::make_unique<MainWindow>(QStringLiteral("recurrent"), QString(),
                                                        std::make_unique<test::AnsweredDialogs>(fixture.answers));
        other->show();
        QVERIFY(QTest::qWaitForWindowExposed(other.get()));
        QTRY_VERIFY(!other->controller().busy());
        const QString model = test::transformerModel(fixture.path(QStringLiteral("mine")));
        fixture.window->open(model);
        fixture.settle();
        fixture.run(QStringLiteral("s7 s7"));
        fixture.window->close();
        QVERIFY(other->close());
        QCOMPARE(QSettings().value(QStringLiteral("recent")).toStringList(), QStringList{model});
        QVERIFY(QSettings().value(QStringLiteral("history")).toStringList().contains(QStringLiteral("s7 s7")));
    }

    void whereALinkLeadsIsWhatIsOpened()
    {
        OpeningDesk desk;
        const QString there = desk.settings.path(QStringLiteral("there"));
        const QString model = test::transformerModel(there);
        const QString here = test::recurrentModel(desk.settings.path(QStringLiteral("here")));
        QVERIFY(QDir().mkpath(there + QStringLiteral("/deep")));
        const QString link = QFileInfo(here).path() + QStringLiteral("/link");
        QVERIFY(QFile::link(there + QStringLiteral("/deep"), link));
        QVERIFY(QFile::rename(model, QFileInfo(model).path() + QStringLiteral("/model")));
        QVERIFY(QFile::rename(here, QFileInfo(here).path() + QStringLiteral("/model")));
        desk.open(link + QStringLiteral("/../model"));
        QCOMPARE(desk.study.opened(), QFileInfo(there + QStringLiteral("/model")).canonicalFilePath());
    }

    void whatWasOpenedIsRememberedAtOnce()
    {
        OpeningDesk desk;
        const SavedState keeping({desk.study, desk.selection, desk.appearance, desk.opening, desk.exporter}, {}, {});
        const QString first = test::recurrentModel(desk.settings.path(QStringLiteral("one")));
        const QString second = test::transformerModel(desk.settings.path(QStringLiteral("two")));
        desk.open(first);
        desk.open(second + QStringLiteral("/config.json")); // stands for its directory
        desk.open(first);
        const QStringList expected{first, second};
        QCOMPARE(desk.study.recent(), expected);
        QCOMPARE(QSettings().value(QStringLiteral("recent")).toStringList(), expected);
        QCOMPARE(desk.opening.folder(), QFileInfo(first).absolutePath());
        QDir(second).removeRecursively();
        const QSignalSpy failed(&desk.opening, &Opening::failed);
        desk.open(second);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed.at(0).at(0).value<UserMessage>().where, second);
        QCOMPARE(desk.study.recent(), QStringList{first});
        QCOMPARE(desk.study.edited().model, first.toStdString()); // what is on show
    }

    void aModelThatCannotBeReadLeavesTheOneInUse()
    {
        OpeningDesk desk;
        type(desk.study, "s4 s5");
        desk.open(QStringLiteral("recurrent"));
        desk.open(desk.settings.broken);
        QCOMPARE(desk.study.edited().model, std::string("recurrent"));
        QCOMPARE(desk.study.opened(), QStringLiteral("recurrent"));
        desk.opening.open(QStringLiteral("transformer"));
        QCOMPARE(desk.study.edited().model, std::string("transformer"));
        desk.controller.cancel();
        QCOMPARE(desk.study.edited().model, std::string("recurrent"));
    }

    void dialogsSayWhatIsOpened()
    {
        OpeningDesk desk;
        desk.opening.ask(); // closed without a choice
        QVERIFY(!desk.controller.busy());
        desk.settings.answers->paths[OpenKind::Anything] =
            test::recurrentModel(desk.settings.path(QStringLiteral("chosen")));
        desk.opening.ask();
        QTRY_VERIFY(!desk.controller.busy());
        QCOMPARE(desk.study.opened(), desk.settings.answers->paths[OpenKind::Anything]);
    }

    void aFolderOfSeveralModelsAsksWhich()
    {
        OpeningDesk desk;
        test::AnsweredDialogs::Answers& answers = *desk.settings.answers;
        const QString chosen = test::transformerModel(desk.settings.path(QStringLiteral("several")));
        const QString folder = QFileInfo(chosen).path();
        const QStringList names{QFileInfo(test::recurrentModel(folder)).fileName(), QFileInfo(chosen).fileName()};
        desk.opening.open(folder); // closed without a choice
        QTRY_COMPARE(answers.models, names);
        QVERIFY(!desk.controller.busy());
        answers.model = names.back();
        desk.opening.open(folder);
        QTRY_COMPARE(desk.study.opened(), chosen);
    }

    void aCachedModelOfSeveralAsksWhich()
    {
        OpeningDesk desk;
        const QString cached = desk.settings.path(QStringLiteral("models--org--tiny"));
        const QString snapshot = cached + QStringLiteral("/snapshots/abc");
        QVERIFY(QDir().mkpath(snapshot));
        const QString chosen = test::transformerModel(snapshot);
        const QStringList names{QFileInfo(test::recurrentModel(snapshot)).fileName(), QFileInfo(chosen).fileName()};
        test::AnsweredDialogs::Answers& answers = *desk.settings.answers;
        answers.model = names.back();
        desk.opening.open(cached);
        QTRY_COMPARE(answers.models, names);
        QTRY_COMPARE(desk.study.opened(), chosen);
    }

    void anArchiveIsShownAndDescribed()
    {
        OpeningDesk desk;
        type(desk.study, "s4 s5");
        desk.open(QStringLiteral("transformer"));
        const QString path = desk.settings.path(QStringLiteral("saved.npz"));
        writeArchive(path.toStdString(), desk.study.trace());
        const QSignalSpy noted(&desk.opening, &Opening::noted);
        type(desk.study, "s9");
        desk.open(path);
        QVERIFY(desk.study.showsArchive());
        QCOMPARE(noted.count(), 1);
        QVERIFY(noted.at(0).at(0).toString().contains(QStringLiteral("saved.npz")));
        QCOMPARE(desk.study.trace().source().size(), std::size_t{3});
        QCOMPARE(desk.study.edited().text, std::string("s9")); // for the next model
        QCOMPARE(desk.study.recent(), QStringList{path});
        QVERIFY(desk.window.windowTitle().contains(QStringLiteral("saved.npz")));
        for (const QString& what : missingFrom(desk.study.trace()))
            QVERIFY(noted.at(0).at(0).toString().contains(what));
    }

    void whatIsAskedAndShownIsThereAgain()
    {
        OpeningDesk desk;
        SavedState keeping({desk.study, desk.selection, desk.appearance, desk.opening, desk.exporter}, {}, {});
        QCOMPARE(desk.study.edited(), usualQuestion());
        type(desk.study, "s4 s5");
        desk.open(QStringLiteral("transformer"));
        desk.selection.setSiteAndHead({Stage::Encoder, 1}, maximumOfHeads);
        desk.appearance.setWords(true);
        desk.exporter.habits().options.dpi = 450;
        keeping.values().save();
        Study study;
        Selection selection;
        Appearance appearance;
        Exporter exporter(desk.dialogs);
        const SavedState again({study, selection, appearance, desk.opening, exporter}, {}, QStringLiteral("s6"));
        QCOMPARE(study.edited().model, std::string("transformer"));
        QCOMPARE(study.edited().text, std::string("s6")); // given, so it goes before the one that was kept
        QCOMPARE(selection.site(), (Site{Stage::Encoder, 1}));
        QCOMPARE(selection.head(), HeadReading(maximumOfHeads));
        QVERIFY(appearance.choices().words);
        QCOMPARE(exporter.habits().options.dpi, 450);
    }

    void nothingIsRunWithoutAModel()
    {
        OpeningDesk desk;
        const QSignalSpy failed(&desk.running, &RunCommands::failed);
        desk.running.run();
        QCOMPARE(failed.count(), 1);
        QVERIFY(!desk.controller.busy());
        desk.running.continueText(3);
        desk.running.maskWord();
        QVERIFY(!desk.controller.busy());
    }
};

ATTN_GUI_TEST(TestOpening)
#include "tst_opening.moc"
