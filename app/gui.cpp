// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui.h"

#include "base/error.h"
#include "base/version.h"
#include "window/main_window.h"

#include <QApplication>
#include <QTimer>

#include <chrono>
#include <cstdio>
#include <ctime>

namespace attn::app {

namespace {

double now()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Prints the time to the first paint that shows a matrix, and ends the program.
void reportFirstMatrix(ui::MainWindow& window, double startedAt)
{
    QObject::connect(&window.heatmap(), &ui::FigureView::painted, &window, [&window, startedAt] {
        if (window.heatmap().figure() == nullptr || window.heatmap().figure()->rows() == 0)
            return;
        std::printf("%.2f\n", (now() - startedAt) * 1000);
        std::fflush(stdout);
        QApplication::exit(0);
    });
}

// Writes a picture of the window once the run has finished and the charts are drawn.
void takeScreenshot(ui::MainWindow& window, const QString& path)
{
    constexpr auto settle = std::chrono::milliseconds(1500);
    const auto shoot = [&window, path] {
        const bool written = window.grab().save(path);
        if (!written)
            std::fprintf(stderr, "attnscope: %s: cannot be written\n", qPrintable(path));
        QApplication::exit(written ? 0 : 1);
    };
    QObject::connect(&window.controller(), &ui::RunController::finished, &window,
                     [&window, shoot, settle] { QTimer::singleShot(settle, &window, shoot); });
    QObject::connect(&window.controller(), &ui::RunController::failed, &window,
                     [&window, shoot, settle] { QTimer::singleShot(settle, &window, shoot); });
}

} // namespace

int runGui(int argc, char** argv, const GuiRequest& request)
{
    const bool noDisplay = qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
    const bool needsNone = request.measureStartup || !request.screenshot.empty();
    if (noDisplay && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        if (!needsNone)
            throw Error(ErrorKind::Unsupported, "window", "there is no display here",
                        "use the commands: attnscope figure, attnscope trace");
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("AttnScope"));
    QApplication::setApplicationName(QStringLiteral("AttnScope"));
    QApplication::setApplicationVersion(QLatin1String(programVersion));
    QApplication::setDesktopFileName(QStringLiteral("org.attnscope.AttnScope"));
    ui::MainWindow window(QString::fromStdString(request.model), QString::fromStdString(request.text));
    if (!request.theme.empty())
        window.setThemeMode(request.theme == "dark" ? ui::ThemeMode::Dark : ui::ThemeMode::Light);
    if (request.measureStartup)
        reportFirstMatrix(window, request.startedAt);
    if (!request.screenshot.empty())
        takeScreenshot(window, QString::fromStdString(request.screenshot));
    window.show();
    return QApplication::exec();
}

} // namespace attn::app
