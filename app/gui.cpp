// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui.h"

#include "app/exit_status.h"
#include "base/error.h"
#include "base/plain_text.h"
#include "base/version.h"
#include "figures/export/figure_export.h"
#include "figures/look/language.h"
#include "figures/look/theme.h"
#include "window/main_window.h"
#include "window/open_window.h"
#include "window/saved_state.h"

#include <QApplication>
#include <QImage>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace attn::app {

namespace {

// Prints the time to the first paint that shows a matrix, and ends the program.
void reportFirstMatrix(ui::MainWindow& window, double startedAt)
{
    window.findChild<ui::ViewTabs*>()->showView(QLatin1String(ui::viewRows().front().id)); // whatever was open last
    QObject::connect(&window.heatmap(), &ui::FigureView::painted, &window, [&window, startedAt] {
        if (window.heatmap().figure() == nullptr || window.heatmap().figure()->rows() == 0)
            return;
        fmt::print("{:.2f}\n", (monotonicSeconds() - startedAt) * 1000); // whatever the locale
        std::fflush(stdout);
        QApplication::exit(0);
    });
}

constexpr std::size_t longestRemark = 400; // bytes

// For as long as Qt looks for a window system: without one it ends the program, of which this is the line, with what Qt
// remarked last. Other remarks about the system are no message of this program.
class WindowSystemSought final
{
public:
    WindowSystemSought()
        : m_before(qInstallMessageHandler(say))
    {
    }
    ~WindowSystemSought()
    {
        qInstallMessageHandler(m_before);
        remark().clear();
    }
    WindowSystemSought(const WindowSystemSought&) = delete;
    WindowSystemSought& operator=(const WindowSystemSought&) = delete;

private:
    static std::string& remark()
    {
        static std::string last;
        return last;
    }

    static void say(QtMsgType type, const QMessageLogContext& /*where*/, const QString& text)
    {
        if (type == QtWarningMsg || type == QtCriticalMsg)
            remark() = text.toStdString();
        if (type != QtFatalMsg)
            return;
        std::string asked;
        for (const char* name : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"})
            if (const QByteArray value = qgetenv(name); !value.isEmpty())
                asked += fmt::format("{}{}={}", asked.empty() ? "" : ", ", name, value.toStdString());
        const std::string why = remark().empty() ? text.toStdString() : remark();
        fmt::print(stderr,
                   "attnscope: window: there is none by {}: {} (set another display, or use the commands: attnscope "
                   "figure, attnscope trace)\n",
                   shown(asked, longestRemark), shown(why.substr(0, why.find('\n')), longestRemark));
        std::_Exit(Failed);
    }

    QtMessageHandler m_before;
};

// Writes the picture, and ends the program.
void writePicture(const QImage& picture, const QString& path)
{
    try {
        ui::writePng(path, picture);
        QApplication::exit(Done);
    } catch (const Error& error) {
        std::fprintf(stderr, "attnscope: %s\n", error.what());
        QApplication::exit(Failed);
    }
}

// Once the first run has ended: the laboratory where it is asked for, and a picture when nothing is busy any more.
void afterFirstRun(ui::MainWindow& window, std::optional<ui::Page> page, const QString& screenshot)
{
    constexpr auto settle = std::chrono::milliseconds(500);
    ui::LaboratoryWindow* laboratory = page ? &window.openLaboratory(*page) : nullptr;
    if (screenshot.isEmpty())
        return;
    window.resize(1280, 800); // whatever the screen
    if (laboratory != nullptr)
        laboratory->resize(1280, 760);
    auto* settled = new QTimer(&window);
    settled->setInterval(settle);
    const auto isBusy = [&window, laboratory] {
        if (laboratory != nullptr)
            return laboratory->page(laboratory->current()).busy();
        const bool isDrawing = std::ranges::any_of(window.findChildren<ui::FigureView*>(), [](const auto* view) {
            return view->isVisible() && view->isDrawing();
        });
        return isDrawing || window.controller().busy() || window.selection().moment().has_value();
    };
    // Panels follow a run a little later, and on a busy machine much later: until the picture stays as it is.
    QWidget* const shown = laboratory != nullptr ? static_cast<QWidget*>(laboratory) : &window;
    QObject::connect(settled, &QTimer::timeout, &window, [isBusy, shown, screenshot, last = QImage()]() mutable {
        if (isBusy())
            return;
        const QImage now = shown->grab().toImage();
        if (std::exchange(last, now) == now)
            writePicture(now, screenshot);
    });
    settled->start();
}

} // namespace

int runGui(int argc, char** argv, const GuiRequest& request)
{
    if (request.handOver && !request.model.empty() && ui::handOver(QString::fromStdString(request.model)))
        return Done;
    const bool noDisplay = qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
    const bool needsNone = request.measureStartup || !request.screenshot.empty();
    if (noDisplay && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        if (!needsNone)
            throw Error(ErrorKind::Unsupported, "window", "there is no display here",
                        "use the commands: attnscope figure, attnscope trace");
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    std::optional<WindowSystemSought> sought(std::in_place);
    QApplication application(argc, argv);
    sought.reset();
    QApplication::setOrganizationName(QStringLiteral("AttnScope"));
    QApplication::setApplicationName(QStringLiteral("AttnScope"));
    QApplication::setApplicationVersion(QLatin1String(programVersion));
    QApplication::setDesktopFileName(QStringLiteral("org.attnscope.AttnScope"));
    if (!request.screenshot.empty())
        QApplication::setCursorFlashTime(0);
    ui::prepareSettings();
    const ui::LanguageInUse language(request.language.empty() ? ui::languageOf(ui::keptLanguage())
                                                              : ui::languageNamed(request.language));
    ui::MainWindow window(QString::fromStdString(request.model), QString::fromStdString(request.text));
    if (!request.theme.empty())
        window.setThemeMode(ui::modeOf(ui::themeFromName(request.theme)));
    if (request.measureStartup)
        reportFirstMatrix(window, request.startedAt);
    const auto page = ui::pageOf(request.laboratory);
    if (page || !request.screenshot.empty()) {
        const auto once = std::make_shared<bool>(true);
        const auto after = [&window, page, once, screenshot = QString::fromStdString(request.screenshot)] {
            if (std::exchange(*once, false))
                afterFirstRun(window, page, screenshot);
        };
        QObject::connect(&window.controller(), &ui::RunController::finished, &window, after);
        const auto fail = [&window, after, wanted = !request.screenshot.empty()] {
            if (!wanted)
                return after();
            std::fprintf(stderr, "attnscope: %s\n", qPrintable(window.message()));
            QApplication::exit(1);
        };
        QObject::connect(&window.controller(), &ui::RunController::failed, &window, fail);
        if (!window.controller().busy()) // there is nothing to open
            QTimer::singleShot(0, &window, fail);
    }
    if (!needsNone) {
        std::signal(SIGPIPE, SIG_IGN); // who read its warnings, or what it saves, may go away
        window.guardSessions();
        window.answerOthers();
        window.greet();
    }
    window.show();
    return QApplication::exec();
}

} // namespace attn::app
