// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"
#include "figures/export/provenance.h"
#include "figures/kinds/beam_figure.h"
#include "figures/look/language.h"
#include "panels/export_dialog.h"
#include "panels/runs_model.h"
#include "support/test_program.h"
#include "support/whole_files.h"
#include "trace/archive.h"
#include "ui/window/window_fixture.h"
#include "views/figure_recipe.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QThread>
#include <QThreadPool>
#include <QTimer>
#include <QTreeView>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <semaphore>
#include <thread>
#include <utility>

using namespace attn;
using namespace attn::test;
using namespace attn::ui;

namespace {

const QString reportForm = QStringLiteral("report"); // a PDF with a page for each head

// A command as a shell runs it in a folder; its standard error.
QByteArray runInShell(const QString& command, const QString& folder)
{
    QProcess shell;
    auto environment = QProcessEnvironment::systemEnvironment();
    const QFileInfo program(QStringLiteral(ATTN_PROGRAM));
    environment.insert(QStringLiteral("PATH"),
                       program.absolutePath() + QLatin1Char(':') + environment.value(QStringLiteral("PATH")));
    shell.setProcessEnvironment(environment);
    shell.setWorkingDirectory(folder);
    shell.start(QStringLiteral("bash"), {QStringLiteral("-c"), command});
    if (!shell.waitForFinished(60000))
        return "does not end";
    return shell.exitCode() == 0 ? QByteArray() : "failed: " + shell.readAllStandardError();
}

// A figure that is laid out until it may end, and what became of that.
struct SlowLayout
{
    std::binary_semaphore mayEnd{0};
    std::atomic_bool begun = false;
    std::atomic_bool ended = false;
    std::atomic_bool stopped = false; // it was asked to

    static Exportable figure(const std::shared_ptr<SlowLayout>& layout)
    {
        Exportable figure = exportable({}, Trace());
        figure.source = nullptr;
        figure.layOut = [layout](QSizeF size) {
            layout->begun = true;
            (void)layout->mayEnd.try_acquire_for(std::chrono::seconds(20));
            layout->stopped = ThreadStop::isRequested();
            layout->ended = true;
            return layoutFigure({}, {}, size);
        };
        return figure;
    }
};

} // namespace

class TestExports : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyExportIsMadeAgainByItsCommand_data()
    {
        addColumns<QString, QStringList>("view", "forms");
        const QStringList all{QStringLiteral("svg"), QStringLiteral("png"),  QStringLiteral("pdf"),
                              QStringLiteral("tex"), QStringLiteral("html"), QStringLiteral("gif")};
        const QStringList two{QStringLiteral("svg"), QStringLiteral("png")};
        QTest::newRow("heatmap") << QStringLiteral("heatmap") << all + QStringList(reportForm);
        for (const char* view : {"grid", "arcs", "decoding", "beam", "positional"})
            QTest::newRow(view) << QString::fromLatin1(view) << two;
    }
    void everyExportIsMadeAgainByItsCommand()
    {
        QFETCH(const QString, view);
        QFETCH(const QStringList, forms);
        WindowFixture fixture("transformer");
        fixture.showTab(qPrintable(view));
        for (const QString& form : forms)
            compareAgain(fixture, form, [](ExportDialog&) {});
    }

    void numbersAreMadeAgainByTheCommandOfTheirFigure()
    {
        WindowFixture fixture("transformer");
        for (const char* view : {"heatmap", "beam", "positional"}) {
            fixture.showTab(view);
            compareAgain(fixture, QStringLiteral("svg"), [](ExportDialog&) {});
            const QString numbers = write(fixture, QStringLiteral("csv"), [](ExportDialog&) {});
            QTemporaryDir elsewhere;
            QString command = m_found.command;
            QCOMPARE(runInShell(command.replace(QStringLiteral("figure.svg"), QStringLiteral("figure.csv")),
                                elsewhere.path()),
                     QByteArray());
            QVERIFY(readFile(numbers).size() > 100);
            QCOMPARE(readFile(elsewhere.filePath(QStringLiteral("figure.csv"))), readFile(numbers));
        }
    }

    void anArchiveIsMadeAgain_data()
    {
        addColumns<QString, QString>("model", "search");
        QTest::newRow("transformer") << QStringLiteral("transformer") << QStringLiteral("greedy");
        QTest::newRow("recurrent") << QStringLiteral("recurrent") << QStringLiteral("beam");
    }
    void anArchiveIsMadeAgain()
    {
        QFETCH(const QString, model);
        QFETCH(const QString, search);
        WindowFixture fixture(model, QStringLiteral("s4 'it' s5"));
        fixture.choose("decode", qPrintable(search));
        fixture.action("runAction")->trigger();
        fixture.settle();
        for (const char* view : {"heatmap", "positional"}) // which says nothing of the run
            archiveAgain(fixture, view);
    }

    void theRunOfAComparisonIsMadeAgain()
    {
        WindowFixture fixture;
        compareTwoRuns(fixture);
        archiveAgain(fixture, "heatmap");
    }

    void whatIsChosenInTheDialogIsInTheCommand()
    {
        WindowFixture fixture("transformer");
        const QString hostile = QStringLiteral("it's <b> & --> \\end{document} $(date) `x` \u00e9\u4e2d \"q\"");
        const auto choose = [&](ExportDialog& dialog) {
            auto* title = dialog.findChild<QLineEdit*>(QStringLiteral("exportTitle"));
            title->setFocus();
            title->selectAll();
            QGuiApplication::clipboard()->setText(hostile); // keys are of Latin letters only
            QTest::keyClick(title, Qt::Key_V, Qt::ControlModifier);
            QTest::keyClick(dialog.findChild<QComboBox*>(QStringLiteral("exportNumbers")), Qt::Key_Down);
            auto* family = dialog.findChild<QComboBox*>(QStringLiteral("exportFontFamily"));
            QTest::keyClick(family, family->currentIndex() == family->count() - 1 ? Qt::Key_Up : Qt::Key_End);
            for (const char* name : {"exportAxisNames", "exportLegend", "exportMark"}) {
                auto* box = dialog.findChild<QCheckBox*>(QLatin1String(name));
                if (box->isChecked()) // what was left out last time is left out again
                    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, 8));
            }
            auto* first = dialog.findChild<QSpinBox*>(QStringLiteral("exportColumnsFirst"));
            first->setFocus();
            QTest::keyClick(first, Qt::Key_Up);
        };
        for (const char* form : {"svg", "pdf", "png", "tex", "html", "gif"}) {
            compareAgain(fixture, QLatin1String(form), choose);
            QCOMPARE(m_found.command.contains(QStringLiteral("--columns 1-")), true);
            for (const char* option : {"--title", "--no-axis-names", "--no-legend", "--font "})
                QVERIFY2(m_found.command.contains(QLatin1String(option)), option);
        }
    }

    void theRunIsInTheCommand_data()
    {
        addColumns<QString, QString>("model", "text");
        QTest::newRow("recurrent") << QStringLiteral("recurrent") << QStringLiteral("s4 s5 s6 s7");
        QTest::newRow("endless") << QStringLiteral("endless") << QStringLiteral("s4");
        QTest::newRow("hostile") << QStringLiteral("recurrent")
                                 << QStringLiteral("-s4 'it' \"$HOME\" --> \\ \u202e s5");
    }
    void theRunIsInTheCommand()
    {
        QFETCH(const QString, model);
        QFETCH(const QString, text);
        WindowFixture fixture;
        fixture.show(model, text);
        fixture.showTokens(); // which are all that there is where the model writes nothing
        fixture.choose("decode", "beam");
        fixture.action("runAction")->trigger();
        fixture.settle();
        compareAgain(fixture, QStringLiteral("svg"), [](ExportDialog&) {});
    }

    void aFigureInAnotherLanguageIsMadeAgain()
    {
        const LanguageInUse language(languageNamed("fr"));
        WindowFixture fixture("transformer");
        for (const char* form : {"svg", "html"}) {
            compareAgain(fixture, QLatin1String(form), [](ExportDialog&) {});
            QVERIFY2(m_found.command.contains(QStringLiteral("--language fr")), qPrintable(m_found.command));
        }
    }

    void aZoomedMapIsMadeAgain()
    {
        WindowFixture fixture(QStringLiteral("recurrent"), QStringLiteral("s4 s5 s6 s7 s8 s9 s4 s5 s6 s7"));
        fixture.action("zoomInAction")->trigger();
        fixture.action("zoomInAction")->trigger();
        compareAgain(fixture, QStringLiteral("svg"), [](ExportDialog&) {});
        QVERIFY(m_found.command.contains(QStringLiteral("--columns")));
    }

    void aComparisonOfASessionIsMadeAgain_data()
    {
        addColumns<int, QString>("session", "view");
        for (const auto& [name, session] :
             {std::pair("saved", Saved), {"opened", Opened}, {"without its model", WithoutModel}})
            QTest::newRow(name) << int(session) << QStringLiteral("heatmap");
        for (const char* view : {"grid", "arcs"})
            QTest::newRow(view) << int(Opened) << QString::fromLatin1(view);
    }
    void aComparisonOfASessionIsMadeAgain()
    {
        QFETCH(const int, session);
        QFETCH(const QString, view);
        WindowFixture fixture;
        compareTwoRuns(fixture);
        fixture.answers->session = fixture.path(QStringLiteral("my study.attnscope"));
        fixture.action("saveAction")->trigger();
        QTRY_VERIFY(!fixture.window->study().unsaved());
        if (session == WithoutModel)
            QVERIFY(QDir(fixture.path(QStringLiteral("models/transformer"))).removeRecursively());
        if (session != Saved) {
            fixture.answers->paths[OpenKind::Anything] = fixture.answers->session;
            fixture.action("openAction")->trigger();
            fixture.settle();
        }
        fixture.showTab(qPrintable(view));
        QVERIFY(fixture.window->heatmap().spec().against);
        for (const char* form : {"svg", "png"}) {
            compareAgain(fixture, QLatin1String(form), [](ExportDialog&) {});
            QVERIFY2(m_found.command.contains(QStringLiteral("--against-run 1")), qPrintable(m_found.command));
        }
    }

    void aComparisonThatIsInNoFileSaysSo()
    {
        WindowFixture fixture;
        compareTwoRuns(fixture);
        const auto found = readProvenance(write(fixture, QStringLiteral("svg"), [](ExportDialog&) {}));
        QVERIFY(found);
        QVERIFY(found->command.isEmpty());
        QVERIFY(!found->obstacle.isEmpty());
    }

    void aRunThatWasStoppedSaysSo()
    {
        WindowFixture fixture("recurrent");
        fixture.find<QSpinBox>("max-length")->setValue(100'000);
        fixture.window->open(QStringLiteral("endless"));
        QTRY_VERIFY(fixture.window->study().running() && fixture.trace().stepCount() > 3);
        fixture.action("cancelAction")->trigger();
        fixture.settle();
        const QString file = write(fixture, QStringLiteral("svg"), [](ExportDialog&) {});
        const auto found = readProvenance(file);
        QVERIFY(found);
        QVERIFY(found->command.isEmpty());
        QVERIFY(!found->obstacle.isEmpty());
    }

    void aDialogIsClosedWithoutWaitingForItsPreview()
    {
        const auto layout = std::make_shared<SlowLayout>();
        auto dialog = std::make_unique<ExportDialog>(SlowLayout::figure(layout), ExportHabits());
        dialog->show();
        QTRY_VERIFY(layout->begun);
        dialog.reset();
        QVERIFY(!layout->ended);
        layout->mayEnd.release();
        QTRY_VERIFY(layout->ended);
        QVERIFY(layout->stopped);
    }

    void onlyCellsHaveNumbers()
    {
        WindowFixture fixture;
        fixture.open(QStringLiteral("transformer"));
        FigureSpec spec = fixture.window->heatmap().spec();
        for (const FigureKind* const kind : {&heatmapKind, &beamKind}) {
            spec.kind = kind;
            ExportDialog dialog(exportable(spec, fixture.trace()), ExportHabits());
            const bool hasCells = kind == &heatmapKind;
            QCOMPARE(!dialog.findChild<QWidget*>(QStringLiteral("exportNumbers"))->isHidden(), hasCells);
            QCOMPARE(dialog.findChild<QWidget*>(QStringLiteral("exportRowsFirst")) != nullptr, hasCells);
        }
    }

    // What was set is there still.
    void withoutAFileTheDialogComesBack()
    {
        WindowFixture fixture;
        fixture.open(QStringLiteral("transformer"));
        bool wasInFile = false;
        QString title;
        QTimer user;
        connect(&user, &QTimer::timeout, &user, [&] {
            QWidget* const modal = QApplication::activeModalWidget();
            if (auto* const dialog = qobject_cast<ExportDialog*>(modal); dialog != nullptr) {
                auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("exportTitle"));
                title = line->text();
                line->setText(QStringLiteral("Mine"));
                wasInFile ? dialog->reject() : dialog->accept();
            } else if (auto* const file = qobject_cast<QDialog*>(modal); file != nullptr) {
                wasInFile = true;
                file->reject();
            }
        });
        user.start(20);
        const Exportable figure = exportable(fixture.window->heatmap().spec(), fixture.trace());
        QVERIFY(!Dialogs().exportAs(fixture.window.get(), figure, ExportHabits()));
        QVERIFY(wasInFile);
        QCOMPARE(title, QStringLiteral("Mine"));
    }

    void aChoiceDoesNotWaitForThePreviewBeforeIt()
    {
        QThreadPool::globalInstance()->setMaxThreadCount(std::max(2, QThread::idealThreadCount()));
        const auto layout = std::make_shared<SlowLayout>();
        ExportDialog dialog(SlowLayout::figure(layout), ExportHabits());
        dialog.show();
        QTRY_VERIFY(layout->begun);
        layout->begun = false;
        dialog.findChild<QDoubleSpinBox*>(QStringLiteral("exportWidth"))->stepUp();
        QTRY_VERIFY(layout->begun); // another one
        QVERIFY(!layout->ended);
        layout->mayEnd.release();
        QTRY_VERIFY(layout->ended);
        layout->mayEnd.release();
        const auto* const preview = dialog.findChild<QLabel*>(QStringLiteral("exportPreview"));
        QTRY_VERIFY(!preview->pixmap().isNull());
    }

    void anExportEndsWithItsWindow()
    {
        WindowFixture fixture;
        AnsweredDialogs dialogs(fixture.answers);
        const QString file = fixture.path(QStringLiteral("none.svg"));
        fixture.answers->choice = ExportChoice{file, {}};
        const auto layout = std::make_shared<SlowLayout>();
        Exportable figure = SlowLayout::figure(layout);
        figure.layOut = [layout](QSizeF size) {
            layout->begun = true;
            for (int i = 0; i < 10'000 && !ThreadStop::isRequested(); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            layout->stopped = ThreadStop::isRequested();
            ThreadStop::check();
            return layoutFigure({}, {}, size);
        };
        auto exporter = std::make_unique<Exporter>(dialogs);
        exporter->write(figure, nullptr);
        QTRY_VERIFY(layout->begun);
        exporter.reset();
        QVERIFY(layout->stopped);
        QVERIFY(!QFileInfo::exists(file));
    }

private:
    enum Session { Saved, Opened, WithoutModel };

    // The second run less the first.
    static void compareTwoRuns(WindowFixture& fixture)
    {
        fixture.open(QStringLiteral("transformer"));
        fixture.run(QStringLiteral("s4 s6 s7"));
        fixture.find<QDockWidget>("runsDock")->raise();
        auto* tree = fixture.find<QTreeView>("runsTree");
        const auto& model = static_cast<const RunsModel&>(*tree->model());
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          tree->visualRect(model.indexOf(1)).center());
        QVERIFY(fixture.window->study().compared() != nullptr);
    }

    // Writes what is on show by the real dialog, and returns where.
    QString write(WindowFixture& fixture, const QString& form, const std::function<void(ExportDialog&)>& choose)
    {
        const bool report = form == reportForm;
        const QString suffix = report ? QStringLiteral("pdf") : form;
        const QString path = fixture.path(QStringLiteral("first.") + suffix);
        fixture.answers->exportDialog = [&](const Exportable& figure,
                                            const ExportHabits& last) -> std::optional<ExportChoice> {
            ExportDialog dialog(figure, last);
            dialog.show();
            if (!QTest::qWaitForWindowExposed(&dialog))
                return std::nullopt;
            auto* forms = dialog.findChild<QComboBox*>(QStringLiteral("exportForm"));
            for (int i = 0; i < forms->count() && (dialog.suffix() != suffix || dialog.options().report != report); ++i)
                QTest::keyClick(forms, i == 0 ? Qt::Key_Home : Qt::Key_Down);
            choose(dialog);
            QSignalSpy accepted(&dialog, &QDialog::accepted);
            QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
            if (accepted.isEmpty())
                return std::nullopt;
            return ExportChoice{path, dialog.options(), dialog.choices()};
        };
        QSignalSpy written(&fixture.exporter(), &Exporter::written);
        fixture.action("exportAction")->trigger();
        return written.wait(30000) ? path : QString();
    }

    // The run on show, whatever shows it.
    void archiveAgain(WindowFixture& fixture, const char* view)
    {
        fixture.showTab(view);
        for (const char* form : {"npz", "json"}) {
            const QString file = write(fixture, QLatin1String(form), [](ExportDialog&) {});
            const QString command = QString::fromStdString(readArchive(file.toStdString()).provenance().command);
            QVERIFY2(command.startsWith(QStringLiteral("attnscope trace ")), qPrintable(command));
            QTemporaryDir elsewhere;
            QCOMPARE(runInShell(command, elsewhere.path()), QByteArray());
            QVERIFY2(readFile(elsewhere.filePath(QStringLiteral("run.") + QLatin1String(form))) == readFile(file),
                     qPrintable(command));
        }
    }

    void compareAgain(WindowFixture& fixture, const QString& form, const std::function<void(ExportDialog&)>& choose)
    {
        const QString file = write(fixture, form, choose);
        QVERIFY2(!file.isEmpty(), qPrintable(form));
        const auto found = readProvenance(file);
        QVERIFY2(found && !found->command.isEmpty(), qPrintable(found ? found->obstacle : form));
        m_found = *found;
        QTemporaryDir elsewhere;
        QCOMPARE(runInShell(found->command, elsewhere.path()), QByteArray());
        const QByteArray again = readFile(elsewhere.filePath(QStringLiteral("figure.") + QFileInfo(file).suffix()));
        QVERIFY2(undated(again) == undated(readFile(file)), qPrintable(form + QLatin1Char(' ') + found->command));
        QCOMPARE(found->weightsSha256.size(), 64);
    }

    FigureProvenance m_found;
};

ATTN_GUI_TEST(TestExports)

#include "tst_exports.moc"
