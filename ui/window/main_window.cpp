// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "figures/export/copied_text.h"
#include "figures/look/language.h"
#include "panels/controls.h"
#include "state/run_words.h"
#include "views/stage_view.h"
#include "window/open_window.h"
#include "window/window_theme.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenuBar>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>

namespace attn::ui {

MainWindow::MainWindow(const QString& model, const QString& text, std::unique_ptr<Dialogs> dialogs)
    : m_dialogs(std::move(dialogs))
    , m_exporter(*m_dialogs, this)
    , m_controller(std::make_unique<RunController>(m_study))
    , m_preview(std::make_unique<DrawPreview>(m_study, m_selection, *m_controller))
    , m_runCommands(std::make_unique<RunCommands>(m_study, m_selection, *m_controller))
    , m_opening(std::make_unique<Opening>(Opening::Parts{m_study, *m_controller, *m_runCommands, *m_dialogs, *this}))
    , m_savedState({m_study, m_selection, m_appearance, *m_opening, m_exporter}, model, text)
    , m_laboratory(std::make_unique<LaboratoryAccess>(
          LaboratoryContext{m_study, m_selection, m_appearance, *m_controller, *m_dialogs, m_savedState.values()},
          m_exporter, this))
{
    setWindowIcon(themedIcon(QStringLiteral("attnscope")));
    setObjectName(QStringLiteral("mainWindow"));
    applyTheme(m_appearance.themeMode());
    m_appearance.setTheme(themeOf(palette()));
    m_appearance.choose([](FigureChoices& choices) { choices.language = languageInUse(); });
    m_appearance.setTextSize(textSizeOf(font()));
    connect(&m_appearance, &Appearance::themeModeChanged, this, applyTheme);
    buildCentre();
    resize(QSize(1280, 800).boundedTo(screen()->availableSize() - frameRoom)); // before the docks get their widths
    m_sessions = std::make_unique<SessionFiles>(SessionFiles::Parts{
        m_study, m_selection, m_appearance, m_edits, *m_controller, *m_views, *m_dialogs, *m_offer, *this});
    m_scorer = std::make_unique<OutputScorer>(m_study, m_appearance, *m_controller);
    m_readings = std::make_unique<ReadingRunner>(m_study, m_selection, m_appearance, *m_controller);
    m_docks = std::make_unique<PanelDocks>(m_study, m_selection, m_appearance, m_edits, *this);
    m_docks->addBelowChoice(*m_input->maskButton());
    m_help =
        std::make_unique<HelpAccess>(HelpAccess::Parts{m_study, *m_opening, *m_laboratory, *m_views, *m_menus, *this});
    m_wager = std::make_unique<Wager>(
        Wager::Parts{m_study, m_selection, m_edits, *m_controller, *m_runCommands, *m_steps, *m_stage, *m_card});
    m_guide =
        std::make_unique<Guide>(Guide::Parts{m_study, m_selection, m_edits, *m_controller, *m_opening, *m_runCommands,
                                             *m_laboratory, *m_help, *m_steps, *m_stage, *m_views, *m_card, *m_wager});
    connect(m_wager.get(), &Wager::over, m_input, &InputPanel::focusText);
    connect(m_guide.get(), &Guide::welcomesChanged, this,
            m_savedState.values().keep("help/welcome", *m_guide, &Guide::welcomes, &Guide::setWelcomes));
    connect(m_steps, &StepPanel::writesOutChanged, this,
            m_savedState.values().keep("show/writesOut", *m_steps, &StepPanel::writesOut, &StepPanel::setWritesOut));
    m_gestures = std::make_unique<EditGestures>(
        EditGestures::Parts{m_study, m_edits, *m_views, *m_runCommands, *m_controller, *this});
    m_actions = std::make_unique<Actions>(
        ActionParts{m_study,    m_selection, m_appearance,  m_edits,    *m_controller, *m_opening,    *m_runCommands,
                    m_exporter, *m_sessions, *m_laboratory, *m_input,   *m_steps,      *m_views,      *m_find,
                    *m_docks,   *m_help,     *m_guide,      *m_dialogs, m_player,      m_windowParts, *this});
    m_actions->fillMenus(*m_menus);
    connectParts();
    m_savedState.keepLayout(*this, *m_input, *m_docks, *m_views);
    m_stage->setFocus();
    open(QString::fromStdString(m_study.edited().model));
}

MainWindow::~MainWindow()
{
    m_actions.reset();
    m_gestures.reset();
    m_guide.reset();
    m_wager.reset();
    m_help.reset();
    m_sessions.reset();
    m_laboratory.reset(); // its jobs are told to stop, so that the thread ends soon
    m_preview.reset();
    m_scorer.reset();
    m_readings.reset();
    m_controller.reset();
    delete m_input; // it watches the keyboard, and parts of it stand in other parts
    delete takeCentralWidget(); // while what the views look at lives
}

void MainWindow::buildCentre()
{
    buildMenuRow();
    m_message = new MessageBar;
    m_offer = new MessageBar;
    m_offer->setObjectName(QStringLiteral("offerBar"));
    m_views = new ViewTabs({m_study, m_selection, m_appearance});
    m_steps = new StepPanel(m_study, m_selection);
    auto* centre = new QWidget;
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_message);
    layout->insertWidget(0, m_offer);
    m_stage = new StageView({m_study, m_selection, m_appearance});
    m_stage->setEditor(*m_input->editor(), *m_input->opener());
    layout->addWidget(m_input);
    layout->addWidget(m_stage);
    m_card = new GuideCard;
    layout->addWidget(m_card);
    layout->addWidget(m_views, 1);
    m_find = new FindBar(*m_views);
    layout->addWidget(m_find);
    auto* steps = new QHBoxLayout;
    steps->setContentsMargins(0, 0, 0, 0);
    steps->addWidget(m_steps, 1);
    steps->addWidget(m_input->continueRow());
    layout->addLayout(steps);
    QWidget* before = m_steps->findChild<QWidget*>(QStringLiteral("hypothesisPicker"));
    for (const char* name : {"nextTokenButton", "continueButton", "continueCount"}) {
        auto* const next = m_input->continueRow()->findChild<QWidget*>(QLatin1String(name));
        setTabOrder(before, next);
        before = next;
    }
    setCentralWidget(centre);
    m_windowParts = [this] { return windowParts(); };
    m_status = new StatusLine(m_study, *m_controller);
    setStatusBar(m_status);
}

// The menus and what is asked of which model, in one row.
void MainWindow::buildMenuRow()
{
    m_input = new InputPanel(m_study, m_selection);
    m_menus = new QMenuBar;
    m_menus->setObjectName(QStringLiteral("menuBar"));
    m_menus->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    auto* menus = new QWidget;
    menus->setObjectName(QStringLiteral("menuRow"));
    auto* row = new QHBoxLayout(menus);
    row->setContentsMargins(0, 3, 8, 3);
    row->addWidget(m_menus, 0, Qt::AlignVCenter);
    row->addStretch();
    row->addWidget(m_input->menuRow());
    setMenuWidget(menus);
}

// Parts of the window: what is asked, seen and chosen come first, then what is only there at times.
std::vector<WindowPart> MainWindow::windowParts() const
{
    std::vector<WindowPart> parts{
        {m_stage, m_input->line()}, {m_views, &m_views->current()}, {m_find}, {m_steps}, {m_input->continueRow()}};
    for (QDockWidget* dock : m_docks->docks())
        parts.push_back({dock->widget()});
    if (m_docks->beside() != nullptr)
        parts.push_back({m_docks->beside()->widget()});
    for (QWidget* part : {static_cast<QWidget*>(m_input), static_cast<QWidget*>(m_card),
                          static_cast<QWidget*>(m_message), static_cast<QWidget*>(m_offer), menuWidget()})
        parts.push_back({part});
    return parts;
}

// The pages of the laboratory stand where the views are, too, so that they are found.
QWidget* MainWindow::corner()
{
    auto* older = makeAgeSign(AgeSign::OfChoices, m_study, m_appearance);
    connect(older, &QToolButton::clicked, m_runCommands.get(), &RunCommands::applyChoices);
    auto* notRun = makeAgeSign(AgeSign::OfText, m_study, m_appearance);
    connect(notRun, &QToolButton::clicked, m_runCommands.get(), &RunCommands::run);
    qobject_cast<QBoxLayout*>(m_input->editor()->layout())->addWidget(notRun, 0, Qt::AlignTop);
    auto* button = new QToolButton;
    button->setIcon(themedIcon(QStringLiteral("laboratory")));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
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
    row->addWidget(differenceSwitch());
    row->addWidget(button);
    return corner;
}

// There while two runs are compared.
QWidget* MainWindow::differenceSwitch()
{
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("differenceButton"));
    button->setDefaultAction(m_actions->action("differenceAction"));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setPopupMode(QToolButton::MenuButtonPopup);
    button->setMenu(findChild<QMenu*>(QStringLiteral("pairingMenu")));
    button->setAutoRaise(true);
    const auto show = [this, button] { button->setVisible(m_study.compared() != nullptr); };
    connect(&m_study, &Study::shownRunChanged, button, show);
    show();
    return button;
}

void MainWindow::connectParts()
{
    m_views->setCornerWidget(corner());
    const RunController* controller = m_controller.get();
    connect(controller, &RunController::busyChanged, m_input, &InputPanel::setBusy);
    connect(controller, &RunController::started, m_message, &QWidget::hide); // what was said about an earlier run
    const auto say = [this](const UserMessage& message) { m_message->show(message); };
    connect(controller, &RunController::failed, m_message, [this](quint64, const UserMessage& message) {
        std::vector<MessageBar::Choice> choices;
        if (const auto& beginning = m_runCommands->readableBeginning())
            choices.push_back({"useBeginning",
                               beginning->secondText
                                   ? tr("Use the beginning of both, %n tokens", nullptr, beginning->tokens)
                                   : tr("Use the first %n tokens", nullptr, beginning->tokens),
                               [this] { m_runCommands->runBeginning(); }});
        m_message->show(message, choices);
    });
    connect(m_runCommands.get(), &RunCommands::failed, m_message, say);
    connect(m_runCommands.get(), &RunCommands::noted, m_message, &MessageBar::showNote);
    connect(m_gestures.get(), &EditGestures::noted, m_message, &MessageBar::showNote);
    connect(m_opening.get(), &Opening::failed, m_message, say);
    connect(m_opening.get(), &Opening::noted, m_message, &MessageBar::showNote);
    connect(controller, &RunController::sessionModelDiffers, m_message, &MessageBar::showNote);
    connect(controller, &RunController::outputUnread, m_message, [this](const UserMessage& message) {
        m_message->showNote(tr("The output is shown in pieces. ") + sentences(message));
    });
    connect(m_sessions.get(), &SessionFiles::failed, m_message, say);
    connect(m_sessions.get(), &SessionFiles::said, m_status, &StatusLine::say);
    connect(&m_appearance, &Appearance::languageModeChanged, this, [this] {
        if (languageOf(m_appearance.languageMode()) == languageInUse())
            m_message->hide();
        else
            m_message->showNote(tr("The next start of AttnScope will be in this language."));
    });
    m_opening->askBeforeSessions([this](auto open) { return m_sessions->mayReplace(std::move(open)); });
    connect(&m_exporter, &Exporter::failed, m_message, say);
    connect(&m_exporter, &Exporter::said, m_status, &StatusLine::say);
    connect(m_input, &InputPanel::left, m_stage, qOverload<>(&QWidget::setFocus));
    connect(m_stage, &StageView::placeOpened, m_input, &InputPanel::editAfter);
    connect(m_input, &InputPanel::tooLong, m_message, &MessageBar::showNote);
    connect(&m_docks->decoding(), &DecodingPanel::tooLong, m_message, &MessageBar::showNote);
    connect(m_input, &InputPanel::runRequested, m_runCommands.get(), &RunCommands::run);
    connect(m_input, &InputPanel::maskRequested, m_runCommands.get(), &RunCommands::maskWord);
    connect(m_input, &InputPanel::continueRequested, m_runCommands.get(), &RunCommands::continueText);
    connect(m_input, &InputPanel::cancelRequested, controller, &RunController::cancel);
    connect(m_input, &InputPanel::openRequested, m_opening.get(), &Opening::ask);
    connect(m_input, &InputPanel::picturePasted, m_opening.get(), &Opening::pasteClipboard);
    connect(m_input, &InputPanel::modelChosen, m_opening.get(), &Opening::open);
    connect(&m_docks->decoding(), &DecodingPanel::applied, m_runCommands.get(), &RunCommands::applyChoices);
    connect(&m_docks->decoding(), &DecodingPanel::drawAgainRequested, m_runCommands.get(), &RunCommands::drawAgain);
    connect(&m_docks->candidates(), &CandidatesPanel::taken, m_runCommands.get(), &RunCommands::take);
    connect(&m_docks->candidates(), &CandidatesPanel::whyNotAsked, &m_docks->site(), &SitePanel::explainAgainst);
    connect(m_preview.get(), &DrawPreview::changed, this,
            [this] { m_docks->candidates().setDrawn(m_preview->drawn()); });
    connect(m_views, &ViewTabs::hovered, m_status, &StatusLine::point);
    connect(m_views, &ViewTabs::nextChosen, m_status, &StatusLine::sayWhatFollows);
    connect(m_stage, &StageView::hovered, m_status, [this](const FigureHit& hit) {
        const bool read = hit.part == FigureHit::Part::ColumnLabel && m_study.model();
        m_status->point(read ? hit.text + QStringLiteral("   ") + tr("(double click: change it; drag it out: hide it)")
                             : hit.text);
    });
    connect(m_stage, &StageView::textGiven, m_runCommands.get(), &RunCommands::runText);
    connect(m_stage, &StageView::wordDropped, this, [this](const FigureHit& hit, QPoint position) {
        m_gestures->act("hideToken", m_stage->mapSpec(), m_stage->onMap(hit), position);
    });
    connect(m_stage, &StageView::deletionAsked, this, [this](const FigureHit& hit, QPoint position) {
        if (!m_gestures->act("hideToken", m_stage->mapSpec(), m_stage->onMap(hit), position))
            m_status->say(tr("Only words that are read can be hidden; Shift+F10 says what can be done to this one"));
    });
    connect(m_stage, &StageView::wordOpened, this, [this](int token) {
        const auto& spans = m_study.trace().source().spans;
        m_input->focusWord(m_study.trace().source().text,
                           token < std::ssize(spans) ? spans[static_cast<std::size_t>(token)] : ByteSpan());
    });
    connect(m_views, &ViewTabs::activated, m_laboratory.get(), &LaboratoryAccess::follow);
    connect(m_views, &ViewTabs::playAsked, m_steps, &StepPanel::togglePlay);
    connect(m_stage, &StageView::playAsked, m_steps, &StepPanel::togglePlay);
    connect(m_views, &ViewTabs::hearAsked, &m_player, [this](const TimeSpan& span) {
        if (m_study.trace().media())
            m_player.play(*m_study.trace().media(), span);
    });
    connect(&m_study, &Study::traceReplaced, &m_player, &SoundPlayer::stop);
    connect(&m_study, &Study::traceChanged, &m_player, [this] {
        if (m_study.trace().media() && m_study.trace().media()->audio)
            m_player.prepare();
    });
    ChoicePanel& choice = m_docks->choice();
    connect(m_views, &ViewTabs::activated, &choice, [this, &choice](const FigureHit& hit) {
        if (hit.isCell() && hit.rowToken && hit.columnToken && m_views->current().spec().kind->drawsSite)
            choice.chooseCell(*hit.rowToken, *hit.columnToken);
    });
    connect(&choice, &ChoicePanel::editAsked, m_gestures.get(),
            qOverload<const char*, const FigureSpec&, const FigureHit&, QPoint>(&EditGestures::act));
    const auto showWhy = [this](const FigureHit& hit) {
        LaboratoryPage& page = m_laboratory->lookBeside(hit);
        m_docks->showBeside(page, page.title());
    };
    connect(&choice, &ChoicePanel::whyAsked, this, showWhy);
    connect(m_laboratory.get(), &LaboratoryAccess::whyAsked, this, showWhy);
    connect(m_views, &ViewTabs::orderAsked, m_laboratory.get(), [this] { openLaboratory(pageAbout(Topic::Order)); });
    const auto showMenu = [this](const FigureSpec& spec, const FigureHit& hit, QPoint position) {
        QList<QAction*> ofView = {m_actions->action("exportAction")};
        if (QAction* const hear = m_actions->action("hearAction"); hear->isEnabled())
            ofView.prepend(hear);
        m_laboratory->showMenu(
            hit, position,
            [this, spec, hit, position](QMenu& menu) {
                fillMaskMenu(menu, hit);
                m_gestures->fill(menu, spec, hit, position);
                fillCopyMenu(menu, spec, hit);
            },
            ofView);
    };
    connect(m_views, &ViewTabs::menuRequested, this, [this, showMenu](const FigureHit& hit, QPoint position) {
        showMenu(m_views->current().spec(), hit, position);
    });
    connect(m_stage, &StageView::menuRequested, this, [this, showMenu](const FigureHit& hit, QPoint position) {
        showMenu(m_stage->mapSpec(), m_stage->onMap(hit), position);
    });
    connect(m_readings.get(), &ReadingRunner::busyChanged, &m_docks->site(), &SitePanel::setComputing);
    connect(m_readings.get(), &ReadingRunner::progressed, &m_docks->site(), &SitePanel::setProgress);
    connect(&m_docks->site(), &SitePanel::cancelRequested, m_readings.get(), &ReadingRunner::cancel);
    connect(&m_docks->site(), &SitePanel::optionsChosen, m_readings.get(),
            [this](int steps, bool eraseHides, const QString& baseline) {
                m_readings->setOptions({steps, eraseHides, baseline.toStdString()});
            });
    connect(m_readings.get(), &ReadingRunner::failed, m_message, say);
    connect(m_views, &ViewTabs::painted, controller, &RunController::framePainted);
    connect(m_views, &ViewTabs::painted, m_stage, [this] { m_stage->follow(m_views->current()); });
}

// Entry of a word's menu that puts a mask in its place.
void MainWindow::fillMaskMenu(QMenu& menu, const FigureHit& hit)
{
    const std::optional<int> token = hit.isCell() ? std::nullopt : hit.rowToken ? hit.rowToken : hit.columnToken;
    if (!token || !maskedWord(m_study, token))
        return;
    QAction* const mask =
        menu.addAction(themedIcon(QStringLiteral("mask")), tr("&Mask this word"), this, [this, token] {
            m_selection.setStep(token);
            m_runCommands->maskWord();
        });
    mask->setObjectName(QStringLiteral("maskThisWord"));
}

void MainWindow::fillCopyMenu(QMenu& menu, const FigureSpec& spec, const FigureHit& hit)
{
    const Trace& trace = m_study.trace(); // which may be another one when something is chosen
    QMenu& copies = *menu.addMenu(tr("&Copy"));
    for (const CopyRow& row : copyRows()) {
        if (row.fits(spec, hit))
            copies
                .addAction(
                    translated(row.title), this,
                    [this, spec, trace, hit, what = row.what] { m_exporter.copyNumbers(spec, trace, hit, what); })
                ->setObjectName(QLatin1String(row.id));
    }
    copies.addAction(m_actions->action("copyImageAction"));
}

void MainWindow::greet()
{
    m_steps->setWatched();
    m_guide->greet();
}

void MainWindow::answerOthers()
{
    auto* const others = new OpenWindow(this);
    connect(others, &OpenWindow::asked, this, [this](const QString& model) {
        setWindowState(windowState() & ~Qt::WindowMinimized);
        raise();
        activateWindow();
        open(model);
    });
    connect(&controller(), &RunController::finished, others, &OpenWindow::answer);
    connect(&controller(), &RunController::cancelled, others, [this, others] {
        if (!controller().busy()) // else it was what went on before
            others->answer();
    });
    connect(&controller(), &RunController::failed, others, &OpenWindow::answer);
    connect(m_opening.get(), &Opening::failed, others, &OpenWindow::answer);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_sessions->mayClose())
        return event->ignore();
    if (!m_savedState.values().save())
        qWarning("attnscope: the settings cannot be written; the next start has those before");
    m_controller->cancel();
    QMainWindow::closeEvent(event);
}

// A text that nothing in the window takes is the next sentence.
void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (!m_input->begin(*event))
        QMainWindow::keyPressEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    constexpr int stageShare = 17; // of the window, in percent
    m_stage->setMostHeight(height() * stageShare / 100);
    m_docks->fold();
    QMainWindow::resizeEvent(event);
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_appearance.setTheme(themeOf(palette()));
    else if (event->type() == QEvent::FontChange)
        m_appearance.setTextSize(textSizeOf(font()));
    QMainWindow::changeEvent(event);
}

} // namespace attn::ui
