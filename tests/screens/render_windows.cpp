// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every view and every page of the laboratory as pictures, to be looked at, and what is cut in them, as a table:
// render_windows DIRECTORY. Ends with 1 where something is. The target `screens` runs it.
#include "base/error.h"
#include "base/index.h"
#include "figures/look/language.h"
#include "help/lessons.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "readings/head_reading.h"
#include "screens/contact_sheets.h"
#include "screens/text_room.h"
#include "window/main_window.h"
#include "window/spotlight.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace {

using namespace attn;
using namespace attn::ui;

constexpr int pause = 40; // milliseconds, after which a picture that stays the same is done
constexpr int framePause = 200; // milliseconds, of a film
constexpr int framesBefore = 8; // something is pressed
constexpr int mostBirth = 40; // pauses until the light falls on what was asked for
constexpr int dialogTime = 3000; // until one that is not modal is closed
constexpr int mostPatience = 30'000; // for a page that computes; what it has by then is shown
constexpr const char* sentences =
    "I do not think that she will come back home tonight . The old man who lives next door bought a small red car . "
    "We have been waiting for the train for more than two hours . Nobody knows where the children went after school . "
    "If it rains tomorrow , we will stay at home and read books . My brother told me that he had never seen the sea . "
    "She opened the window because the room was too warm . What did you do when you heard the news ? "
    "The teacher asked him a question that he could not answer . They say that the bridge was built in one year .";

// What is taken pictures of.
struct Order
{
    QDir directory; // of the language
    QStringList models;
    QList<int> tokens;
    QList<QSize> sizes;
    QList<Theme> themes;
    QStringList only; // views and pages; empty: all
};

QString sizeName(QSize size)
{
    return QStringLiteral("%1x%2").arg(size.width()).arg(size.height());
}

QString themeName(Theme theme)
{
    return QLatin1String(themeRows[static_cast<int>(theme)].id);
}

void wait(int milliseconds)
{
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

// A text for a model, of as many tokens as were asked for, or as the model reads.
struct SampleText
{
    std::string text;
    int tokens = 0;
    std::optional<int> limit; // of the model, where it is less than what was asked for
};

SampleText sampleText(const LoadedModel& model, int tokens)
{
    SampleText sample;
    if (model.pictures || model.sounds)
        return sample; // it opens with its first example
    const ModelInfo& info = model.model->info();
    if (info.maximumLength && *info.maximumLength < tokens)
        sample.limit = info.maximumLength;
    const int most = sample.limit.value_or(tokens);
    const QStringList words = QString::fromLatin1(sentences).split(QLatin1Char(' '));
    std::string text;
    for (int i = 0; i < most; ++i) { // a word has a token at least
        const bool masked = i == 1 && info.predictsMasked;
        text += (i == 0 ? "" : " ") + (masked ? std::string("[MASK]") : words.at(i % words.size()).toStdString());
        const int size = indexSize(model.tokenizers.source->encode(text));
        if (size > most && i > 0)
            break;
        sample.text = text;
        sample.tokens = size;
    }
    return sample;
}

class Photographer
{
public:
    explicit Photographer(Order order)
        : m_order(std::move(order))
    {
    }

    void work()
    {
        for (const QString& name : m_order.models) {
            for (const int tokens : m_order.tokens) {
                show(name, tokens);
                if (m_ofMedia)
                    break; // of one length
            }
        }
        if (isWanted("lessons"))
            takeLessons();
        if (isWanted("dialogs"))
            openDialogs();
        m_sheets.clear();
    }

    // The first minute of who starts the program for the first time, in each theme: a picture every fifth of a second.
    // Whatever the card asks for is pressed a while after it was asked.
    void film(int seconds)
    {
        for (const Theme theme : m_order.themes) {
            QSettings().clear(); // it is the first time
            m_window = std::make_unique<MainWindow>();
            m_window->setThemeMode(modeOf(theme));
            m_window->resize(m_order.sizes.front());
            m_window->greet();
            m_window->show();
            const QString folder = QStringLiteral("film-") + themeName(theme);
            m_order.directory.mkpath(folder);
            QString asked;
            for (int frame = 0, since = 0; frame < seconds * 1000 / framePause; ++frame, ++since) {
                wait(framePause);
                const QString name = QStringLiteral("%1/%2.png").arg(folder).arg(frame, 3, 10, QLatin1Char('0'));
                m_window->grab().toImage().save(m_order.directory.filePath(name));
                ++m_pictures;
                QPushButton* const next = nextButton();
                const QString id = next == nullptr ? QString() : next->objectName();
                if (std::exchange(asked, id) != id)
                    since = 0;
                else if (next != nullptr && since == framesBefore)
                    next->click();
            }
            m_window.reset();
        }
    }

    // A table of what is cut, and how many rows it has.
    int report() const
    {
        for (const auto& [finding, places] : m_found) {
            std::printf("%s: %s%s%s\n    in %d pictures: %s\n", qPrintable(finding.widget), qPrintable(finding.problem),
                        finding.text.isEmpty() ? "" : ": ", qPrintable(finding.text), static_cast<int>(places.size()),
                        qPrintable(places.mid(0, 3).join(QStringLiteral(", "))));
        }
        std::printf("%d pictures in %s, %d findings\n", m_pictures, qPrintable(m_order.directory.path()),
                    static_cast<int>(m_found.size()));
        return static_cast<int>(m_found.size());
    }

private:
    struct ByPlace
    {
        bool operator()(const test::Finding& a, const test::Finding& b) const
        {
            return std::tie(a.widget, a.problem, a.text) < std::tie(b.widget, b.problem, b.text);
        }
    };

    void show(const QString& path, int tokens)
    {
        const QString model = QFileInfo(path).fileName();
        SampleText sample;
        {
            Engine engine;
            const LoadedModel loaded = loadModel(path.toStdString(), engine);
            sample = sampleText(loaded, tokens);
            m_ofMedia = loaded.pictures || loaded.sounds;
        }
        if (sample.limit)
            std::printf("%s: reads %d tokens at most, so that the text of %d has %d\n", qPrintable(model),
                        *sample.limit, tokens, sample.tokens);
        m_window = std::make_unique<MainWindow>(path, QString::fromStdString(sample.text));
        m_window->show();
        const auto isBusy = [this] { return m_window->controller().busy(); };
        settle(*m_window, isBusy);
        auto* views = m_window->findChild<ViewTabs*>();
        for (const ViewRow& row : viewRows()) {
            if (!isWanted(row.id) || !views->offers(row))
                continue;
            views->showView(QLatin1String(row.id));
            shoot(*m_window, QStringLiteral("%1-%2-%3").arg(model, QLatin1String(row.id)).arg(tokens), isBusy);
        }
        if (isWanted("readings"))
            showReadings(model, tokens, isBusy);
        for (const PageRow& row : pageRows()) {
            if (isWanted(row.id))
                showPage(row, model, tokens);
        }
        m_window.reset();
    }

    // Those that a model computes, in the first view; where all output tokens can be explained, all.
    void showReadings(const QString& model, int tokens, const std::function<bool()>& isBusy)
    {
        m_window->findChild<ViewTabs*>()->showView(QLatin1String(viewRows()[0].id));
        for (const Reading* const reading : readings()) {
            if (!reading->computed)
                continue;
            for (const bool all : {false, true}) {
                if (all && reading->of != ReadingOf::Tokens)
                    continue;
                const ReadingAbout about{.of = {}, .all = all, .against = {}};
                m_window->selection().setHead(HeadReading(*reading, {}, about));
                m_window->selection().setAbout(about);
                settle(*m_window, isBusy);
                const QString id = QLatin1String(reading->id) + (all ? QStringLiteral(".all") : QString());
                shoot(*m_window, QStringLiteral("%1-readings.%2-%3").arg(model, id).arg(tokens), isBusy);
            }
        }
        m_window->selection().setHead(HeadReading(0));
    }

    void showPage(const PageRow& row, const QString& model, int tokens)
    {
        LaboratoryWindow& laboratory = m_window->openLaboratory(*pageOf(row.id));
        LaboratoryPage& page = laboratory.page(laboratory.current());
        const auto isBusy = [&] { return page.busy() || m_window->controller().busy(); };
        if (!settle(laboratory, isBusy)) {
            page.stop();
            std::printf("%s: the page %s was not done in time\n", qPrintable(model), row.id);
        }
        auto* parts = page.findChild<QTabWidget*>();
        const int count = parts == nullptr ? 1 : parts->count();
        for (int part = 0; part < count; ++part) {
            if (parts != nullptr)
                parts->setCurrentIndex(part);
            const QString id = count == 1 ? QString::fromLatin1(row.id)
                                          : QStringLiteral("%1.%2").arg(QLatin1String(row.id)).arg(part + 1);
            shoot(laboratory, QStringLiteral("%1-%2-%3").arg(model, id).arg(tokens), isBusy);
        }
    }

    // Each step of each lesson as it asks, where the light falls on the answer, and as it explains.
    void takeLessons()
    {
        for (const Lesson& lesson : lessons()) {
            m_window = std::make_unique<MainWindow>(QStringLiteral("rnnsearch-en-fr"), QString());
            m_window->show();
            const auto isBusy = [this] { return m_window->controller().busy(); };
            settle(*m_window, isBusy);
            m_window->findChild<QAction*>(QLatin1String(lesson.id))->trigger();
            for (int step = 0; step < std::ssize(lesson.steps); ++step) {
                settle(*m_window, isBusy);
                const QString name = QStringLiteral("lesson-%1-%2-").arg(QLatin1String(lesson.id)).arg(step + 1);
                shoot(*m_window, name + QLatin1String("asks"), isBusy);
                if (QPushButton* const answer = button([](const QString& id) {
                        return id.startsWith(QLatin1String("bet")) || id.startsWith(QLatin1String("answer"));
                    })) {
                    answer->click();
                    const auto isLit = [this] {
                        const auto* const light = m_window->findChild<Spotlight*>();
                        return light != nullptr && light->isVisible();
                    };
                    for (int waited = 0; waited < mostBirth && !isLit(); ++waited)
                        wait(pause);
                    if (isLit())
                        m_window->grab().save(m_order.directory.filePath(name + QLatin1String("light.png")));
                    settle(*m_window, isBusy);
                    shoot(*m_window, name + QLatin1String("explains"), isBusy);
                }
                button([](const QString& id) { return id == QLatin1String("lessonNext"); })->click();
            }
            m_window.reset();
        }
    }

    // Windows of their own, in their own size, and the dialog of exports with each form of a file.
    void openDialogs()
    {
        for (const Theme theme : m_order.themes) {
            m_window = std::make_unique<MainWindow>(QStringLiteral("transformer-en-fr"),
                                                    QString::fromLatin1(sentences).left(53));
            m_window->setThemeMode(modeOf(theme));
            m_window->show();
            const QString folder = QStringLiteral("dialogs-") + themeName(theme) + QLatin1Char('/');
            m_order.directory.mkpath(folder);
            settle(*m_window, [this] { return m_window->controller().busy(); });
            for (const char* action : {"exportAction", "openAction", "aboutAction", "helpAction", "keysAction",
                                       "glossaryAction", "paletteAction"}) {
                // A modal one returns only when it is closed.
                QTimer::singleShot(0, m_window.get(), [this, action, folder] {
                    QWidget* opened = nullptr;
                    for (int waited = 0; waited < mostBirth && opened == nullptr; ++waited) {
                        wait(pause);
                        for (QWidget* const other : QApplication::topLevelWidgets()) {
                            if (other->isVisible() && other != m_window.get() && other->isWindow())
                                opened = other;
                        }
                    }
                    if (opened == nullptr)
                        return;
                    auto* forms = opened->findChild<QComboBox*>(QStringLiteral("exportForm"));
                    for (int form = 0; form < (forms == nullptr ? 1 : forms->count()); ++form) {
                        if (forms != nullptr)
                            forms->setCurrentIndex(form);
                        settle(*opened, [] { return false; });
                        m_picture.save(m_order.directory.filePath(
                            QStringLiteral("%1%2-%3.png").arg(folder, QLatin1String(action)).arg(form)));
                        ++m_pictures;
                        for (const test::Finding& finding : test::findingsIn(*opened))
                            m_found[finding] << folder + QLatin1String(action);
                    }
                    opened->close();
                });
                m_window->findChild<QAction*>(QLatin1String(action))->trigger();
                wait(dialogTime);
            }
            m_window.reset();
        }
    }

    // The first that is seen and has such a name; null: there is none.
    QPushButton* button(const std::function<bool(const QString&)>& isIt) const
    {
        for (QPushButton* button : m_window->findChildren<QPushButton*>()) {
            if (button->isVisible() && isIt(button->objectName()))
                return button;
        }
        return nullptr;
    }

    // A button of the card of the first minute; null: it asks for nothing.
    QPushButton* nextButton() const
    {
        for (QPushButton* button : m_window->findChildren<QPushButton*>()) {
            const QString id = button->objectName();
            const bool asks = (id.startsWith(QLatin1String("bet")) && button->text() == QLatin1String("she"))
                || id == QLatin1String("dragOut") || id == QLatin1String("ownSentence");
            if (asks && button->isVisible())
                return button;
        }
        return nullptr;
    }

    bool isWanted(const char* id) const { return m_order.only.isEmpty() || m_order.only.contains(QLatin1String(id)); }

    // In each theme and size.
    void shoot(QWidget& shown, const QString& name, const std::function<bool()>& isBusy)
    {
        for (const Theme theme : m_order.themes) {
            m_window->setThemeMode(modeOf(theme));
            for (const QSize& size : m_order.sizes) {
                shown.resize(size);
                settle(shown, isBusy);
                const QString folder = themeName(theme) + QLatin1Char('/') + sizeName(size);
                m_order.directory.mkpath(folder);
                const QString file = QStringLiteral("%1/%2.png").arg(folder, name);
                m_picture.save(m_order.directory.filePath(file));
                ++m_pictures;
                sheets(theme, size).add(m_picture, name);
                if (shown.size() != size)
                    m_found[{shown.objectName(), QStringLiteral("does not become %1").arg(sizeName(size)), {}}] << file;
                for (const test::Finding& finding : test::findingsIn(shown))
                    m_found[finding] << file;
            }
        }
    }

    test::ContactSheets& sheets(Theme theme, QSize size)
    {
        const QString name = QStringLiteral("sheet-%1-%2").arg(themeName(theme), sizeName(size));
        auto& sheets = m_sheets[name];
        if (!sheets)
            sheets = std::make_unique<test::ContactSheets>(m_order.directory, name);
        return *sheets;
    }

    // Until nothing is busy and the picture stays as it is; false: that took too long.
    bool settle(QWidget& shown, const std::function<bool()>& isBusy)
    {
        QElapsedTimer timer;
        timer.start();
        m_picture = {};
        while (timer.elapsed() < mostPatience) {
            reachThread();
            wait(pause);
            if (isBusy() || QThreadPool::globalInstance()->activeThreadCount() > 0)
                continue;
            const QImage now = shown.grab().toImage();
            if (std::exchange(m_picture, now) == now)
                return true;
        }
        m_picture = shown.grab().toImage();
        return false;
    }

    // What the inference thread was given before is done, and what it said of that is on its way here.
    void reachThread() const
    {
        const auto reached = std::make_shared<std::atomic_bool>(false);
        m_window->controller().thread().post([reached](Engine&) { *reached = true; });
        while (!*reached)
            wait(1);
    }

    Order m_order;
    std::unique_ptr<MainWindow> m_window;
    QImage m_picture; // taken last
    int m_pictures = 0;
    bool m_ofMedia = false; // the model reads pictures or sounds
    std::map<QString, std::unique_ptr<test::ContactSheets>> m_sheets;
    std::map<test::Finding, QStringList, ByPlace> m_found; // and the pictures where it is
};

// Sizes as WIDTHxHEIGHT.
QList<QSize> parseSizes(const QString& text)
{
    QList<QSize> sizes;
    for (const QString& size : text.split(QLatin1Char(',')))
        sizes << QSize(size.section(QLatin1Char('x'), 0, 0).toInt(), size.section(QLatin1Char('x'), 1, 1).toInt());
    return sizes;
}

Order orderOf(const QCommandLineParser& given, const QString& language)
{
    const auto list = [&given](const char* option) {
        return given.value(QLatin1String(option)).split(QLatin1Char(','), Qt::SkipEmptyParts);
    };
    Order order;
    order.directory = QDir(given.positionalArguments().value(0) + QLatin1Char('/') + language);
    order.models = list("models");
    for (const QString& tokens : list("tokens"))
        order.tokens << tokens.toInt();
    order.sizes = parseSizes(given.value(QStringLiteral("sizes")));
    for (const QString& theme : list("themes"))
        order.themes << themeFromName(theme.toStdString());
    order.only = list("only");
    return order;
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" ATTN_SOURCE_DIR "/tests/screens/screen.json");
    // What an invisible screen cannot do is no news.
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& message) {
        if (!message.startsWith(QLatin1String("This plugin does not support")))
            std::fprintf(stderr, "%s\n", qPrintable(message));
    });
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("AttnScopeScreens"));
    QApplication::setApplicationName(QStringLiteral("AttnScopeScreens"));
    QApplication::setCursorFlashTime(0);
    const QTemporaryDir settings; // nobody's
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    qputenv("XDG_STATE_HOME", settings.path().toLocal8Bit());
    QCommandLineParser given;
    given.addHelpOption();
    given.addPositionalArgument(QStringLiteral("directory"), QStringLiteral("where pictures are written"));
    const auto add = [&given](const char* name, const char* what, const char* usual) {
        given.addOption({QLatin1String(name), QLatin1String(what), QLatin1String(name), QLatin1String(usual)});
    };
    add("languages", "that the windows speak", "en,fr");
    add("models", "with commas between",
        "transformer-en-fr,rnnsearch-en-fr,gpt-small-en,bert-small-en,"
        "captioner-scenes,vit-gpt2-scenes,whisper-digits");
    add("tokens", "in the text", "3,30,300");
    add("sizes", "of the windows", "1280x800,2560x1440");
    add("themes", "of light and dark", "light,dark");
    add("only", "these views and pages, readings, lessons, or dialogs", "");
    add("film", "seconds of the first minute instead, a picture every 0.2 s", "0");
    given.process(application);
    if (given.positionalArguments().size() != 1)
        given.showHelp(2);
    try {
        int findings = 0;
        for (const QString& language : given.value(QStringLiteral("languages")).split(QLatin1Char(','))) {
            const LanguageInUse spoken(languageNamed(language.toStdString()));
            Photographer photographer(orderOf(given, language));
            if (const int seconds = given.value(QStringLiteral("film")).toInt(); seconds > 0)
                photographer.film(seconds);
            else
                photographer.work();
            findings += photographer.report();
        }
        return findings == 0 ? 0 : 1;
    } catch (const Error& error) {
        std::fprintf(stderr, "render_windows: %s\n", error.what());
        return 2;
    }
}
