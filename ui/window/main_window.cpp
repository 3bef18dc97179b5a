// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "figures/look/color_map.h"
#include "panels/age_sign.h"
#include "panels/icons.h"
#include "window/window_theme.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QToolBar>
#include <QVBoxLayout>

#include <string>
#include <vector>

namespace attn::ui {

namespace {

constexpr auto defaultSize = QSize(1280, 800);

Question usualQuestion()
{
    Question question;
    question.model = "rnnsearch-en-fr";
    question.text = "I don't think that she will come back home tonight.";
    question.decoding.generate = 20;
    return question;
}

} // namespace

MainWindow::MainWindow(const QString& model, const QString& text, std::unique_ptr<Dialogs> dialogs)
    : m_dialogs(std::move(dialogs))
    , m_exporter(*m_dialogs)
    , m_docks(m_study, *this)
    , m_controller(std::make_unique<RunController>(m_study))
    , m_running(std::make_unique<Running>(m_study, m_selection, *m_controller))
    , m_opening(std::make_unique<Opening>(Opening::Parts{m_study, *m_controller, *m_running, *m_dialogs, *this}))
    , m_laboratory(std::make_unique<LaboratoryAccess>(
          LaboratoryContext{m_study, m_selection, m_appearance, *m_controller, *m_dialogs}, m_exporter, this))
{
    setWindowTitle(tr("AttnScope"));
    setWindowIcon(themedIcon(QStringLiteral("attnscope")));
    setObjectName(QStringLiteral("mainWindow"));
    keepStudy(model, text);
    keepLook();
    buildCentre();
    buildDocks();
    m_actions = std::make_unique<Actions>(ActionParts{m_study, m_selection, m_appearance, *m_controller, *m_opening,
                                                      *m_running, m_exporter, *m_laboratory, *m_input, *m_steps,
                                                      *m_views, m_docks, *m_dialogs, *this});
    m_actions->fillMenus(*menuBar());
    connectParts();
    keepLayout();
    open(QString::fromStdString(m_study.edited().model));
}

MainWindow::~MainWindow()
{
    m_actions.reset();
    m_laboratory.reset(); // its jobs are told to stop, so that the thread ends soon
    m_controller.reset();
    delete takeCentralWidget(); // while what the views look at lives
}

// --- what survives a restart ---

void MainWindow::keepStudy(const QString& model, const QString& text)
{
    Question asked = usualQuestion();
    m_kept.add(
        "question",
        [this] {
            Question now = m_study.edited();
            if (now.model.empty()) // none could be opened
                now.model = usualQuestion().model;
            return QString::fromStdString(questionText(now));
        },
        [&asked](const QVariant& stored) {
            std::vector<std::string> refused; // keeps its default
            asked = parseQuestion(stored.toString().toStdString(), "question", &refused);
        });
    if (!model.isEmpty())
        asked.model = model.toStdString();
    if (!text.isEmpty())
        asked.text = text.toStdString();
    m_study.edit([&asked](Question& question) { question = asked; });
    m_kept.keep("open/folder", m_opening->folder());
    ExportHabits& habits = m_exporter.habits();
    m_kept.keep("export/width", habits.options.widthMm, {leastWidthMm, mostWidthMm});
    m_kept.keep("export/dpi", habits.options.dpi, {leastDpi, mostDpi});
    m_kept.keep("export/form", habits.suffix);
    m_kept.keep("export/folder", habits.folder);
}

void MainWindow::keepLook()
{
    m_kept.keep("window/theme", m_appearance, &Appearance::themeMode, &Appearance::setThemeMode, {0, 2});
    applyTheme(m_appearance.themeMode());
    m_appearance.setTheme(themeOf(palette()));
    connect(&m_appearance, &Appearance::themeModeChanged, this, applyTheme);
    m_kept.keep("show/words", m_appearance, &Appearance::words, &Appearance::setWords);
    m_kept.keep("show/specials", m_appearance, &Appearance::specials, &Appearance::setSpecials, {0, 2});
    m_kept.keep("show/pair", m_appearance, &Appearance::pair, &Appearance::setPair, {0, 4});
    m_kept.keep(
        "show/colors", [this] { return colorMapToName(m_appearance.colorMap()); },
        [this](const QString& name) { m_appearance.setColorMap(colorMapFromName(name)); });
}

void MainWindow::keepLayout()
{
    resize(defaultSize);
    m_kept.keep("window/closedDocks", m_docks, &PanelDocks::closed, &PanelDocks::setClosed);
    m_kept.keep(
        "window/geometry", [this] { return saveGeometry(); },
        [this](const QByteArray& geometry) { restoreGeometry(geometry); });
    m_kept.keep(
        "window/docks", [this] { return saveState(); }, [this](const QByteArray& docks) { restoreState(docks); });
    m_kept.keep("window/view", *m_views, &ViewTabs::currentId, &ViewTabs::showView);
    m_docks.fit();
}

// --- layout ---

void MainWindow::buildCentre()
{
    m_input = new InputPanel(m_study, m_selection);
    m_kept.keep("history", *m_input, &InputPanel::history, &InputPanel::setHistory);
    m_message = new MessageBar;
    m_views = new ViewTabs({m_study, m_selection, m_appearance});
    m_steps = new StepPanel(m_study, m_selection);
    auto* centre = new QWidget;
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_message);
    layout->addWidget(m_views, 1);
    layout->addWidget(m_steps);
    setCentralWidget(centre);
    auto* top = addToolBar(tr("Sentence and model"));
    top->setObjectName(QStringLiteral("inputBar"));
    top->setMovable(false);
    top->setContextMenuPolicy(Qt::PreventContextMenu);
    top->toggleViewAction()->setEnabled(false);
    top->addWidget(m_input);
    m_status = new StatusLine(m_study, *m_controller);
    setStatusBar(m_status);
}

void MainWindow::buildDocks()
{
    bool chosen = false;
    m_kept.add(
        "show/site",
        [this] {
            if (!m_study.model() && m_study.trace().sites().empty())
                return QVariant(); // stays as it was
            const HeadChoice head = m_selection.head();
            const int* one = std::get_if<int>(&head);
            const int stored = one != nullptr ? *one : -1 - static_cast<int>(std::get<HeadSummary>(head));
            const Site site = m_selection.site();
            return QVariant(QVariantList{static_cast<int>(site.stage), site.layer, stored});
        },
        [this, &chosen](const QVariant& stored) {
            const QVariantList numbers = stored.toList();
            const int stage = numbers.value(0).toInt();
            const int head = numbers.value(2).toInt();
            if (numbers.size() != 3 || stage < 0 || stage > static_cast<int>(Stage::Cross) || head < -2)
                return;
            m_selection.setSiteAndHead({static_cast<Stage>(stage), numbers.value(1).toInt()},
                                       head < 0 ? HeadChoice(static_cast<HeadSummary>(-1 - head)) : HeadChoice(head));
            chosen = true;
        });
    auto* site = new SitePanel(m_study, m_selection, m_appearance);
    if (!chosen)
        site->showBestFirst();
    m_decoding = new DecodingPanel(m_study);
    m_kept.keep("decoding/target", *m_decoding, &DecodingPanel::targetText, &DecodingPanel::setTargetText);
    // No higher than what they ask, so that the candidates get their room back when they ask less.
    for (QWidget* panel : {static_cast<QWidget*>(site), static_cast<QWidget*>(m_decoding)})
        panel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_candidates = new CandidatesPanel(m_study, m_selection, m_appearance);
    m_kept.keep("show/allCandidates", *m_candidates, &CandidatesPanel::showsAll, &CandidatesPanel::setShowsAll);
    m_docks.add("siteDock", tr("Shown"), site, [](const Study&) { return true; });
    m_docks.add("decodingDock", tr("Decoding"), m_decoding,
                [](const Study& study) { return study.model() && study.kind() != ModelKind::EncoderOnly; });
    m_docks.add("candidatesDock", tr("Candidates"), m_candidates, [](const Study& study) { return study.predicts(); });
    resizeDocks(m_docks.docks(), {300, 300, 300}, Qt::Horizontal);
    resizeDocks(m_docks.docks(), {150, 90, 420}, Qt::Vertical);
}

// The pages of the laboratory stand where the views are, too, so that they are found.
QWidget* MainWindow::corner()
{
    auto* older = makeAgeSign(m_study, m_appearance);
    connect(older, &QToolButton::clicked, m_running.get(), &Running::applyChoices);
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("laboratoryButton"));
    button->setText(tr("Laboratory") + QStringLiteral("  ")); // room for the arrow
    button->setToolTip(tr("Experiments with attention, and how it is computed"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setAutoRaise(true);
    button->setMenu(findChild<QMenu*>(QStringLiteral("laboratoryMenu")));
    auto* corner = new QWidget;
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(older);
    row->addWidget(button);
    return corner;
}

void MainWindow::connectParts()
{
    m_views->setCornerWidget(corner());
    const RunController* controller = m_controller.get();
    connect(controller, &RunController::busyChanged, m_input, &InputPanel::setBusy);
    connect(controller, &RunController::started, m_message, &QWidget::hide); // what was said about an earlier run
    const auto say = [this](const UserMessage& message) { m_message->show(message); };
    connect(controller, &RunController::failed, m_message,
            [say](quint64, const UserMessage& message) { say(message); });
    connect(m_running.get(), &Running::failed, m_message, say);
    connect(m_running.get(), &Running::noted, m_message, &MessageBar::showNote);
    connect(m_opening.get(), &Opening::failed, m_message, say);
    connect(m_opening.get(), &Opening::noted, m_message, &MessageBar::showNote);
    connect(&m_exporter, &Exporter::failed, m_message, say);
    connect(&m_exporter, &Exporter::said, m_status, &StatusLine::say);
    connect(m_input, &InputPanel::runRequested, m_running.get(), &Running::run);
    connect(m_input, &InputPanel::maskRequested, m_running.get(), &Running::maskWord);
    connect(m_input, &InputPanel::continueRequested, m_running.get(), &Running::continueText);
    connect(m_input, &InputPanel::cancelRequested, controller, &RunController::cancel);
    connect(m_input, &InputPanel::openRequested, m_opening.get(), [this] { m_opening->ask(OpenKind::ModelFolder); });
    connect(m_input, &InputPanel::modelChosen, m_opening.get(), &Opening::open);
    connect(m_decoding, &DecodingPanel::applied, m_running.get(), &Running::applyChoices);
    connect(m_views, &ViewTabs::hovered, m_status, &StatusLine::point);
    connect(m_views, &ViewTabs::lastTokenChosen, m_status, &StatusLine::sayWhatFollows);
    connect(m_views, &ViewTabs::activated, m_laboratory.get(), &LaboratoryAccess::follow);
    connect(m_views, &ViewTabs::orderAsked, m_laboratory.get(), [this] { openLaboratory(pageOf("order")); });
    connect(m_views, &ViewTabs::menuRequested, m_laboratory.get(), [this](const FigureHit& hit, QPoint position) {
        m_laboratory->showMenu(hit, position,
                               {m_actions->action("exportAction"), m_actions->action("copyImageAction")});
    });
    connect(&m_study, &Study::modelChanged, this, [this] {
        const QString name = m_study.model() ? m_study.model()->name : QFileInfo(m_study.opened()).fileName();
        setWindowTitle(name + tr(" – AttnScope"));
    });
    connect(m_views, &ViewTabs::painted, controller, &RunController::framePainted);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_kept.save();
    m_controller->cancel();
    QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_appearance.setTheme(themeOf(palette()));
    QMainWindow::changeEvent(event);
}

} // namespace attn::ui
