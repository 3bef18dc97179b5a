// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/word_models.h"
#include "window/main_window.h"

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QProxyStyle>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::test {

// Answers every question of the window.
class AnsweredDialogs final : public ui::Dialogs
{
public:
    struct Answers
    {
        std::map<ui::OpenKind, QString> paths; // none: cancelled
        QString folder; // where the last was looked for
        QStringList models; // that a folder holds, of which
        QString model; // is chosen; empty: cancelled
        std::optional<ui::ExportChoice> choice;
        // Where given, asks instead of `choice`.
        std::function<std::optional<ui::ExportChoice>(const ui::Exportable&, const ui::ExportHabits&)> exportDialog;
        ui::Exportable exported;
        ui::ExportHabits habits; // with which the last was asked for
        int aboutShown = 0;
        QString session; // where it is saved
        QString lastSession; // where it was said to be
        QString text; // where one is written
        ui::SaveAnswer save = ui::SaveAnswer::Cancel;
        int askedToSave = 0;
        std::function<void()> whileAskedToSave; // what happens in between
        std::function<void()> whileAskedWhere;
    };

    explicit AnsweredDialogs(std::shared_ptr<Answers> answers)
        : m_answers(std::move(answers))
    {
    }

    QString open(ui::OpenKind kind, QWidget*, const QString& folder) override
    {
        m_answers->folder = folder;
        return m_answers->paths[kind];
    }
    QString choose(QWidget*, const QString&, const QStringList& models) override
    {
        m_answers->models = models;
        return m_answers->model;
    }
    std::optional<ui::ExportChoice> exportAs(QWidget*, const ui::Exportable& figure,
                                             const ui::ExportHabits& last) override
    {
        m_answers->exported = figure;
        m_answers->habits = last;
        return m_answers->exportDialog ? m_answers->exportDialog(figure, last) : m_answers->choice;
    }
    QString saveSession(QWidget*, const QString& last) override
    {
        m_answers->lastSession = last;
        if (m_answers->whileAskedWhere)
            m_answers->whileAskedWhere();
        return m_answers->session;
    }
    QString saveText(QWidget*, const ui::NewFileQuestion&) override { return m_answers->text; }
    ui::SaveAnswer askToSave(QWidget*, const QString&) override
    {
        ++m_answers->askedToSave;
        if (m_answers->whileAskedToSave)
            m_answers->whileAskedToSave();
        return m_answers->save;
    }
    void about(QWidget*) override { ++m_answers->aboutShown; }

private:
    std::shared_ptr<Answers> m_answers;
};

// A sentence that is longer than the stage, of which the view Text shows all.
inline QString longSentence()
{
    return QStringLiteral("s4 s5 s6 s7 s8 s9 ").repeated(5).trimmed();
}

// Keeps what a screen without windows says of each of them from hiding what a test says.
inline void silenceScreen()
{
    static QtMessageHandler before = nullptr;
    if (before != nullptr)
        return;
    before = qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& message) {
        if (!message.startsWith(QLatin1String("This plugin does not support ")))
            before(type, context, message);
    });
}

// Style of a system that wants nothing to move.
class StillStyle final : public QProxyStyle
{
public:
    using QProxyStyle::QProxyStyle;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override
    {
        return hint == SH_Widget_Animation_Duration ? 0 : QProxyStyle::styleHint(hint, option, widget, returned);
    }

    // As long as it lives.
    class InUse
    {
    public:
        InUse() { QApplication::setStyle(new StillStyle(m_usual)); }
        ~InUse() { QApplication::setStyle(m_usual); }
        Q_DISABLE_COPY_MOVE(InUse)

    private:
        QString m_usual = QApplication::style()->name();
    };
};

// A window with settings of its own on tiny models, all of them bundled.
class WindowFixture
{
public:
    WindowFixture()
    {
        silenceScreen();
        QCoreApplication::setOrganizationName(QStringLiteral("AttnScopeTest"));
        QCoreApplication::setApplicationName(QStringLiteral("AttnScopeTest"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                           m_folder.filePath(QStringLiteral("settings")));
        const QString models = m_folder.filePath(QStringLiteral("models"));
        recurrentModel(models);
        endlessModel(models);
        transformerModel(models);
        broken = brokenModel(m_folder.filePath(QStringLiteral("elsewhere")));
        qputenv("ATTNSCOPE_MODELS", models.toLocal8Bit());
        qputenv("XDG_STATE_HOME", m_folder.filePath(QStringLiteral("state")).toLocal8Bit());
    }

    // Open on a model.
    explicit WindowFixture(const QString& model, const QString& text = QStringLiteral("s4 s5 s6 s7"))
        : WindowFixture()
    {
        open(model, text);
    }
    explicit WindowFixture(const char* model)
        : WindowFixture(QString::fromUtf8(model))
    {
    }

    // Shows a window and waits for its first run.
    void open(const QString& model = QStringLiteral("recurrent"), const QString& text = QStringLiteral("s4 s5 s6 s7"))
    {
        show(model, text);
        settle();
        if (trace().steps() == 1)
            showTokens(); // that which ends a text is no word
        QTRY_VERIFY(heatmap().figure() != nullptr && heatmap().figure()->rows() > 0);
    }

    void show(const QString& model, const QString& text)
    {
        window = std::make_unique<ui::MainWindow>(model, text, std::make_unique<AnsweredDialogs>(answers));
        window->show();
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
    }

    // Until the run has ended; its result is checked afterwards.
    void settle() const { QTRY_VERIFY_WITH_TIMEOUT(!window->controller().busy(), 60'000); }

    // Again after a menu: on a screen without windows nothing else does.
    void activate() const
    {
        window->activateWindow();
        if (!QTest::qWaitForWindowActive(window.get()))
            qFatal("the window has no focus");
    }

    template<class Widget>
    Widget* find(const char* name) const
    {
        auto* found = window->findChild<Widget*>(QLatin1String(name));
        if (found == nullptr)
            qFatal("the window has no %s", name);
        return found;
    }

    // Clicks the first word of the sentences over the views that is called so, or that begins with the step.
    void clickWord(const QString& label) const
    {
        clickWord([&](const ui::Figure& stage, int word) { return stage.table().text({word, -1}) == label; });
    }
    void clickWordOfStep(int step) const
    {
        clickWord([&](const ui::Figure& stage, int word) {
            return stage.hitTest(stage.cellRect(word, 0).center()).rowToken == step;
        });
    }
    void clickWord(const std::function<bool(const ui::Figure& stage, int word)>& isIt) const
    {
        auto* view = find<ui::FigureView>("stage");
        standStill();
        for (int word = 0; word < view->figure()->rows(); ++word) {
            if (isIt(*view->figure(), word))
                return QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier,
                                         view->figure()->cellRect(word, 0).center().toPoint());
        }
        QFAIL("there is no such word");
    }

    // Until every view shows what it is to show: the words stand over the columns of a matrix, which may still be
    // drawn.
    void standStill() const
    {
        auto* stage = find<ui::FigureView>("stage");
        const auto places = [&] {
            std::vector<QRectF> words;
            const ui::Figure& figure = figureOf(*stage);
            for (int word = 0; word < figure.rows(); ++word)
                words.push_back(figure.cellRect(word, 0));
            return words;
        };
        QTRY_VERIFY(stage->figure() != nullptr && stage->figure()->rows() > 0);
        QTRY_VERIFY(std::ranges::none_of(window->findChildren<ui::FigureView*>(), [](const ui::FigureView* view) {
            return view->isVisible() && view->isDrawing();
        }));
        std::vector<QRectF> last;
        const auto still = [&] {
            const std::vector<QRectF> before = std::exchange(last, places());
            return last == before;
        };
        QTRY_VERIFY(still());
    }

    // Every token for itself, in the place of words.
    void showTokens() const
    {
        action("wordsAction")->setChecked(false);
        action("specialsAction")->setChecked(true);
        QCoreApplication::processEvents(); // drawn by now
    }

    QAction* action(const char* id) const { return find<QAction>(id); }

    // The words that were read become a line to be edited, all of it selected.
    QLineEdit* editSentence() const
    {
        action("editAction")->trigger();
        return find<QLineEdit>("sentence");
    }

    void type(const QString& text) const { QTest::keyClicks(editSentence(), text); }

    // Types a sentence and starts its run.
    void send(const QString& text) const
    {
        type(text);
        QTest::keyClick(find<QLineEdit>("sentence"), Qt::Key_Return);
    }
    void run(const QString& text) const
    {
        send(text);
        settle();
    }

    // Drops on a widget, or on the window where that takes nothing itself.
    void drop(const QMimeData& data, QWidget* at = nullptr) const
    {
        QWidget* const widget = at != nullptr ? at : window.get();
        QWidget* const taker = widget->acceptDrops() ? widget : window.get();
        const QPoint middle = widget->mapTo(window.get(), widget->rect().center());
        QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(taker, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(taker, &event);
        QCoreApplication::processEvents();
        settle();
    }
    void dropFile(const QString& path) const
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        drop(data);
    }

    void click(const char* button) const { QTest::mouseClick(find<QAbstractButton>(button), Qt::LeftButton); }

    // Chooses an entry of a combo box with the keyboard, by its data.
    void choose(const char* picker, const QVariant& data) const { choose(find<QComboBox>(picker), data); }
    void choose(const char* picker, const char* id) const { choose(picker, QVariant(QLatin1String(id))); }
    void choose(const char* picker, int data) const { choose(picker, QVariant(data)); }
    static void choose(QComboBox* box, const QVariant& data)
    {
        const int index = box->findData(data);
        if (index < 0)
            qFatal("%s has no such entry", qPrintable(box->objectName()));
        box->setFocus();
        while (box->currentIndex() < index)
            QTest::keyClick(box, Qt::Key_Down);
        while (box->currentIndex() > index)
            QTest::keyClick(box, Qt::Key_Up);
    }

    void showTab(const char* id) const
    {
        const auto rows = ui::viewRows();
        const auto row = std::ranges::find(rows, std::string_view(id), &ui::ViewRow::id);
        if (row == rows.end())
            qFatal("there is no view %s", id);
        auto* bar = find<QTabWidget>("viewTabs")->tabBar();
        const auto index = static_cast<int>(row - rows.begin());
        if (!bar->isTabVisible(index)) // the run has nothing for it
            return;
        QTest::mouseClick(bar, Qt::LeftButton, Qt::NoModifier, bar->tabRect(index).center());
    }

    ui::FigureView& heatmap() const { return window->heatmap(); }
    ui::FigureView& inFront() const
    {
        return *find<QTabWidget>("viewTabs")->currentWidget()->findChild<ui::FigureView*>();
    }
    // As it is laid out by now.
    static const ui::Figure& figureOf(ui::FigureView& view)
    {
        QCoreApplication::processEvents();
        view.grab();
        return *view.figure();
    }
    template<class View>
    static void clickCell(View& view, int row, int column, Qt::KeyboardModifiers keys = {})
    {
        QTest::mouseClick(&view, Qt::LeftButton, keys, view.figure()->cellRect(row, column).center().toPoint());
    }
    // A point of the label of a row or column.
    static QPoint labelOf(ui::FigureView& view, ui::FigureHit::Part part, int number)
    {
        const ui::Figure& figure = figureOf(view);
        for (int y = 0; y < view.height(); y += 2) {
            for (int x = 0; x < view.width(); x += 2) {
                const ui::FigureHit hit = figure.hitTest(QPointF(x, y));
                if (hit.part == part && (part == ui::FigureHit::Part::RowLabel ? hit.row : hit.column) == number)
                    return {x + 2, y};
            }
        }
        qFatal("there is no such label");
        return {};
    }
    static void clickLabel(ui::FigureView& view, ui::FigureHit::Part part, int number)
    {
        QTest::mouseClick(&view, Qt::LeftButton, {}, labelOf(view, part, number));
    }

    ui::Exporter& exporter() const { return *window->findChild<ui::Exporter*>(); }

    QString path(const QString& file) const { return m_folder.filePath(file); }
    const ui::Study& study() const { return window->study(); }
    const Trace& trace() const { return study().trace(); }
    int runs() const { return static_cast<int>(study().runs().runs().size()); }

    QString broken;
    std::shared_ptr<AnsweredDialogs::Answers> answers = std::make_shared<AnsweredDialogs::Answers>();
    std::unique_ptr<ui::MainWindow> window;

private:
    QTemporaryDir m_folder;
};

// Where those are that the program comes with.
inline const QString trainedModels = QStringLiteral(ATTN_SOURCE_DIR) + QStringLiteral("/resources/models/");

// Until the run has ended; what it reads is checked afterwards.
inline void waitForRun(const WindowFixture& fixture)
{
    fixture.settle();
}

} // namespace attn::test
