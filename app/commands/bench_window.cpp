// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/interrupt.h"
#include "base/error.h"
#include "commands/bench_run.h"
#include "commands/bench_shapes.h"
#include "commands/frame_clock.h"
#include "commands/options.h"
#include "question/question.h"
#include "views/stage_view.h"
#include "window/main_window.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <QAction>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSlider>
#include <QThreadPool>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace attn::app {

namespace {

constexpr double frameOf60Hz = 16; // milliseconds
// Time after which a gesture has had no effect: where the same cell is pointed at again, nothing is painted.
constexpr auto unchanged = std::chrono::milliseconds(60);
constexpr int wheelNotch = 120; // eighths of a degree

// Timing of one gesture.
struct WindowTiming
{
    std::string scene;
    std::string what;
    std::vector<double> milliseconds;
    double stall = 0; // the longest single event meanwhile
};

struct WindowBench
{
    std::vector<std::string> scenes;
    int frames = 300;
    bool json = false;
};

// --- what is done ---

// A hand on the mouse over a view.
class Hand
{
public:
    explicit Hand(QWidget& view)
        : m_view(view)
    {
    }

    // A place inside the view, in shares of its size.
    QPointF at(double across, double down) const { return {across * m_view.width(), down * m_view.height()}; }
    // A walk over the whole view, that does not come to the same places soon.
    QPointF walk(int step) const
    {
        return at(0.5 + 0.35 * std::sin(0.037 * step), 0.5 + 0.35 * std::sin(0.053 * step + 1));
    }
    void move(QPointF to, Qt::MouseButtons held = Qt::NoButton) { send(QEvent::MouseMove, to, Qt::NoButton, held); }
    void press(QPointF at) { send(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton); }
    void release(QPointF at) { send(QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton); }
    void wheel(QPointF at, int notches)
    {
        QWheelEvent event(at, m_view.mapToGlobal(at), {}, {0, notches * wheelNotch}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&m_view, &event);
    }

private:
    void send(QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons held)
    {
        QMouseEvent event(type, at, m_view.mapToGlobal(at), button, held, Qt::NoModifier);
        QCoreApplication::sendEvent(&m_view, &event);
    }

    QWidget& m_view;
};

// One kind of gesture: what is done before, at every frame, and after.
struct GestureRow
{
    const char* what;
    void (*begin)(Hand& hand, FrameClock& clock);
    void (*step)(Hand& hand, int step);
    void (*end)(Hand& hand, FrameClock& clock);
};

void nothing(Hand& /*hand*/, FrameClock& /*clock*/) { }

constexpr int wheelTurns = 10; // in, and out again

void zoomIn(Hand& hand, FrameClock& clock)
{
    for (int i = 0; i < wheelTurns; ++i) {
        hand.wheel(hand.at(0.5, 0.5), 1);
        clock.paint(1);
    }
    hand.press(hand.at(0.5, 0.5));
    hand.move(hand.at(0.52, 0.52), Qt::LeftButton);
}

void zoomOut(Hand& hand, FrameClock& clock)
{
    hand.release(hand.at(0.5, 0.5));
    for (int i = 0; i < wheelTurns; ++i) {
        hand.wheel(hand.at(0.5, 0.5), -1);
        clock.paint(1);
    }
}

constexpr GestureRow zooming{
    "zoom", nothing, [](Hand& hand, int step) { hand.wheel(hand.walk(step), step / wheelTurns % 2 == 0 ? 1 : -1); },
    zoomOut};
constexpr GestureRow panning{"pan", zoomIn,
                             [](Hand& hand, int step) {
                                 const double angle = std::numbers::pi / 40 * step;
                                 hand.move(hand.at(0.5 + 0.2 * std::sin(angle), 0.5 + 0.2 * std::cos(angle)),
                                           Qt::LeftButton);
                             },
                             zoomOut};
constexpr GestureRow hovering{"hover", nothing, [](Hand& hand, int step) { hand.move(hand.walk(step)); }, nothing};

constexpr GestureRow allGestures[] = {zooming, panning, hovering};
constexpr GestureRow hoverOnly[] = {hovering};

// --- scenes ---

// An archive with so many heads in one of the views.
struct MapScene
{
    const char* name;
    MapSizes sizes;
    const char* view; // of viewRows()
    std::span<const GestureRow> gestures;
};

constexpr MapScene mapScenes[] = {
    {"heatmap-512", {1, 12, 512}, "heatmap", allGestures},  {"heatmap-4096", {1, 1, 4096}, "heatmap", allGestures},
    {"overview-144x512", {12, 12, 512}, "grid", hoverOnly}, {"overview-384x1024", {24, 16, 1024}, "grid", hoverOnly},
    {"lines-512", {1, 12, 512}, "arcs", hoverOnly},
};

// A model that writes while it is looked at.
struct StreamScene
{
    const char* name;
    const char* view;
};

constexpr StreamScene streamScenes[] = {{"stream-heatmap", "heatmap"}, {"stream-overview", "grid"}};
constexpr auto streamedShape = "transformer-base"; // 6 layers of 8 heads
constexpr int streamedSteps = 1000;
constexpr int streamedTokens = 32;

// The sentences over a heatmap: words that are written, pointed at, gone through.
struct StageScene
{
    const char* name;
    int steps; // of the shape above; 0: the sentence that the program opens with
};

constexpr StageScene stageScenes[] = {{"stage", 0}, {"stage-long", 60}};

constexpr auto typingScene = "typing";
constexpr auto typedBesideShape = "bert-large"; // that is loaded meanwhile

std::vector<std::string> sceneNames()
{
    std::vector<std::string> names;
    for (const MapScene& scene : mapScenes)
        names.emplace_back(scene.name);
    for (const StreamScene& scene : streamScenes)
        names.emplace_back(scene.name);
    for (const StageScene& scene : stageScenes)
        names.emplace_back(scene.name);
    names.emplace_back(typingScene);
    return names;
}

// The program's window, in a folder of its own for settings and files.
class BenchedWindow
{
public:
    BenchedWindow()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("AttnScope"));
        QCoreApplication::setApplicationName(QStringLiteral("AttnScope"));
        for (const char* const own : {"XDG_CONFIG_HOME", "XDG_STATE_HOME"})
            qputenv(own, m_folder.path().c_str());
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        clock().wait([&] { return !m_window->controller().busy(); });
        m_views = m_window->findChild<ui::ViewTabs*>();
    }

    static FrameClock& clock() { return *static_cast<FrameClock*>(QCoreApplication::instance()); }
    ui::MainWindow& window() { return *m_window; }
    QSize size() const { return m_window->size(); }
    std::filesystem::path maps() const { return m_folder.path() / benchMaps; }

    // From here on it is the pictures of this view that count.
    ui::FigureView& show(const char* view)
    {
        m_views->showView(QLatin1String(view));
        return count(m_views->current());
    }

    ui::FigureView& showStage() { return count(*m_window->findChild<ui::StageView*>()); }

    void finish()
    {
        clock().wait([&] { return !m_window->controller().busy(); });
        do // what follows a run, and is made of it elsewhere
            clock().paint(std::numeric_limits<int>::max());
        while (QThreadPool::globalInstance()->activeThreadCount() > 0);
    }

private:
    ui::FigureView& count(ui::FigureView& shown)
    {
        QObject::disconnect(m_painted);
        m_painted = QObject::connect(&shown, &ui::FigureCanvas::painted, &clock(), [] { clock().painted(); });
        return shown;
    }

    BenchFolder m_folder;
    std::unique_ptr<ui::MainWindow> m_window;
    ui::ViewTabs* m_views = nullptr;
    QMetaObject::Connection m_painted;
};

class WindowScenes
{
public:
    WindowScenes(int frames, std::stop_token stop)
        : m_frames(frames)
        , m_stop(std::move(stop))
    {
    }

    void play(const std::string& name)
    {
        const auto map = std::ranges::find(mapScenes, name, &MapScene::name);
        const auto stream = std::ranges::find(streamScenes, name, &StreamScene::name);
        const auto stage = std::ranges::find(stageScenes, name, &StageScene::name);
        if (map != std::end(mapScenes))
            look(*map);
        else if (stream != std::end(streamScenes))
            watch(*stream);
        else if (stage != std::end(stageScenes))
            perform(*stage);
        else
            type();
    }

    const std::vector<WindowTiming>& timings() const { return m_timings; }
    QSize size() const { return m_window.size(); }

private:
    // Nothing, where nothing was painted.
    void note(const std::string& scene, const std::string& what, const std::vector<double>& milliseconds)
    {
        if (!milliseconds.empty())
            m_timings.push_back({scene, what, milliseconds, m_clock.stall()});
    }

    void look(const MapScene& scene)
    {
        const std::filesystem::path archive = m_window.maps();
        writeMaps(archive, scene.sizes);
        ui::FigureView& view = m_window.show(scene.view);
        m_clock.begin();
        m_window.window().open(QString::fromStdString(archive.string()));
        m_window.finish();
        check(std::ssize(trace().source().tokens) == scene.sizes.tokens, scene.name);
        note(scene.name, "open", m_clock.frames());
        Hand hand(view);
        for (const GestureRow& gesture : scene.gestures) {
            gesture.begin(hand, m_clock);
            repeat(scene.name, gesture.what, [&](int step) { gesture.step(hand, step); });
            gesture.end(hand, m_clock);
        }
        std::filesystem::remove(archive);
    }

    template<class Step>
    void repeat(const char* scene, const char* what, const Step& act)
    {
        m_clock.paint(std::numeric_limits<int>::max());
        m_clock.begin();
        for (int step = 0; step < m_frames; ++step) {
            act(step);
            m_clock.paint(1, unchanged);
        }
        note(scene, what, m_clock.frames());
    }

    void perform(const StageScene& scene)
    {
        std::optional<ShapeCheckpoint> checkpoint;
        if (scene.steps > 0)
            checkpoint.emplace(streamedShape, m_stop);
        m_window.show("heatmap");
        m_window.window().controller().ask(checkpoint ? streamed(*checkpoint, scene.steps) : usualQuestion());
        m_window.finish();
        check(trace().summary().has_value(), scene.name);
        Hand hand(m_window.showStage());
        constexpr int framesOfWord = 37; // of its 600 ms
        ui::Selection& selection = m_window.window().selection();
        selection.setPlays(true);
        repeat(scene.name, "a word is written", [&](int frame) {
            selection.setMoment(double(frame % framesOfWord) / framesOfWord);
            selection.setStep(frame / framesOfWord % static_cast<int>(trace().stepCount()));
        });
        selection.setMoment({});
        selection.setPlays(false);
        repeat(scene.name, hovering.what, [&](int step) { hovering.step(hand, step); });
        auto* slider = m_window.window().findChild<QSlider*>(QStringLiteral("stepSlider"));
        repeat(scene.name, "scrub", [&](int step) { slider->setValue(step % (slider->maximum() + 1)); });
    }

    void watch(const StreamScene& scene)
    {
        const ShapeCheckpoint checkpoint(streamedShape, m_stop);
        m_window.show(scene.view);
        m_clock.begin();
        m_window.window().controller().ask(streamed(checkpoint, streamedSteps));
        m_window.finish();
        check(trace().summary().has_value(), scene.name);
        note(scene.name, fmt::format("{} steps", trace().stepCount()), m_clock.frames());
    }

    const Trace& trace() { return m_window.window().study().trace(); }

    // Figures of a window that shows nothing would look good.
    void check(bool shown, const std::string& scene)
    {
        if (shown)
            return;
        const std::string said = m_window.window().message().toStdString();
        throw Error(ErrorKind::Resource, scene, "the window could not show it: " + said);
    }

    static Question streamed(const ShapeCheckpoint& checkpoint, int steps)
    {
        Question question;
        question.model = checkpoint.folder().string();
        question.sourceIds = someTokens(streamedTokens, 1000);
        question.decoding.maxLength = steps;
        return question;
    }

    void type()
    {
        {
            const ShapeCheckpoint checkpoint(typedBesideShape, m_stop);
            typed("while a model loads",
                  [&] { m_window.window().controller().load(QString::fromStdString(checkpoint.folder().string())); });
        }
        const ShapeCheckpoint checkpoint(streamedShape, m_stop);
        typed("while a model runs",
              [&] { m_window.window().controller().ask(streamed(checkpoint, streamedSteps / 2)); });
    }

    // Somebody types a letter every 30 ms until what was begun has come to its end.
    template<class Begin>
    void typed(const char* what, const Begin& begin)
    {
        auto* box = m_window.window().findChild<QLineEdit*>(QStringLiteral("sentence"));
        m_window.window().findChild<QAction*>(QStringLiteral("editAction"))->trigger();
        m_clock.begin();
        begin();
        {
            const std::jthread typist([&](const std::stop_token& stop) {
                for (int i = 0; !stop.stop_requested(); ++i) {
                    const int letter = i % 6 == 5 ? ' ' : 'a' + i % 6;
                    QCoreApplication::postEvent(box, new PostedKey(Qt::Key_A, QString(QChar(letter))));
                    std::this_thread::sleep_for(std::chrono::milliseconds(30));
                }
            });
            m_clock.wait([&] { return !m_window.window().controller().busy(); });
        }
        m_window.finish();
        note(typingScene, what, m_clock.keys());
        box->clear();
    }

    int m_frames;
    std::stop_token m_stop;
    BenchedWindow m_window;
    FrameClock& m_clock = BenchedWindow::clock();
    std::vector<WindowTiming> m_timings;
};

// --- what is said ---

struct WindowFigures
{
    Quartiles quartiles;
    double mostOfAll = 0; // the 99th percentile
    int late = 0; // longer than a frame
};

WindowFigures figuresOf(const WindowTiming& timing)
{
    WindowFigures figures;
    figures.quartiles = quartilesOf(timing.milliseconds);
    figures.mostOfAll = percentileOf(timing.milliseconds, 0.99);
    figures.late =
        static_cast<int>(std::ranges::count_if(timing.milliseconds, [](double value) { return value > frameOf60Hz; }));
    return figures;
}

void printTimings(const WindowScenes& scenes)
{
    std::cout << fmt::format("{} by {} dots, {}\n", scenes.size().width(), scenes.size().height(),
                             QGuiApplication::platformName().toStdString());
    std::cout << fmt::format("{:<20}{:<22}{:>8}{:>10}{:>10}{:>10}{:>10}{:>12}\n", "milliseconds", "", "times", "median",
                             "99 %", "most", "> 16 ms", "one event");
    for (const WindowTiming& timing : scenes.timings()) {
        const WindowFigures found = figuresOf(timing);
        std::cout << fmt::format("{:<20}{:<22}{:>8}{:>10.2f}{:>10.2f}{:>10.2f}{:>10}{:>12.2f}\n", timing.scene,
                                 timing.what, timing.milliseconds.size(), found.quartiles.median, found.mostOfAll,
                                 found.quartiles.most, found.late, timing.stall);
    }
}

void printTimingsJson(const WindowScenes& scenes)
{
    nlohmann::ordered_json json{{"platform", QGuiApplication::platformName().toStdString()},
                                {"window", {scenes.size().width(), scenes.size().height()}}};
    for (const WindowTiming& timing : scenes.timings()) {
        const WindowFigures found = figuresOf(timing);
        json["timings"].push_back({{"scene", timing.scene},
                                   {"what", timing.what},
                                   {"times", timing.milliseconds.size()},
                                   {"median_ms", found.quartiles.median},
                                   {"p99_ms", found.mostOfAll},
                                   {"most_ms", found.quartiles.most},
                                   {"over_16_ms", found.late},
                                   {"longest_event_ms", timing.stall},
                                   {"values", timing.milliseconds}});
    }
    std::cout << jsonText(json, 1) << '\n';
}

void benchWindow(const WindowBench& asked)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {}); // Qt's remarks on the system
    int count = 1;
    char name[] = "attnscope";
    char* arguments[] = {name, nullptr};
    const InterruptWatch interrupt;
    FrameClock clock(count, arguments, interrupt.token()); // BenchedWindow::clock() is this one
    WindowScenes scenes(asked.frames, interrupt.token());
    for (const std::string& scene : asked.scenes.empty() ? sceneNames() : asked.scenes)
        scenes.play(scene);
    if (asked.json)
        printTimingsJson(scenes);
    else
        printTimings(scenes);
}

} // namespace

void addBenchWindow(CLI::App& bench)
{
    auto asked = std::make_shared<WindowBench>();
    auto* command = bench.add_subcommand(
        "ui", "frames of the window: zoom, pan and pointing in large maps, words that are written, typing meanwhile");
    command->add_option("SCENE", asked->scenes, "what is looked at; all of them, when none is named")
        ->check(CLI::IsMember(sceneNames()));
    command->add_option("--frames", asked->frames, "how many frames of each gesture")
        ->transform(decimal())
        ->check(CLI::Range(2, 100000))
        ->capture_default_str();
    command->add_flag("--json", asked->json, "print the figures as JSON");
    command->callback([asked] { benchWindow(*asked); });
}

} // namespace attn::app
