// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "figures/look/decimal.h"
#include "panels/icons.h"
#include "views/heatmap_view.h"
#include "views/position_view.h"
#include "views/view_rows.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace attn::ui {

namespace {

constexpr auto completeAnyway = std::chrono::milliseconds(250); // another view than the heatmap is in front
constexpr auto defaultSize = QSize(1280, 800);

QWidget* emptyPage()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    return page;
}

QString viewTitle(const ViewRow& row, bool reads)
{
    return QCoreApplication::translate("attn::ui", reads && row.readingTitle != nullptr ? row.readingTitle : row.title);
}

} // namespace

MainWindow::MainWindow(const QString& model, const QString& text, std::unique_ptr<Dialogs> dialogs)
    : m_settings(WindowSettings::load())
    , m_dialogs(std::move(dialogs))
    , m_controller(std::make_unique<RunController>(m_document))
{
    if (!model.isEmpty())
        m_settings.question.model = model.toStdString();
    if (!text.isEmpty())
        m_settings.question.text = text.toStdString();
    setWindowTitle(tr("AttnScope"));
    setWindowIcon(themedIcon(QStringLiteral("attnscope")));
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    applyTheme(m_settings.theme);
    m_appearance.setTheme(themeOf(palette()));
    m_appearance.setWords(m_settings.words);
    m_appearance.setSpecials(m_settings.specials);
    m_appearance.setPair(m_settings.pair);
    m_appearance.setColorMap(m_settings.colorMap);
    if (m_settings.site)
        m_selection.setSiteAndHead(*m_settings.site, m_settings.head);
    buildCentre();
    buildDocks();
    buildStatusBar();
    buildMenus();
    connectController();
    restore();
}

MainWindow::~MainWindow()
{
    delete m_laboratory; // its jobs are told to stop, so that the thread ends soon
    // The views must not hear of a run that ends with the window, nor the window of docks that close with it.
    m_controller.reset();
    for (const QDockWidget* dock : m_docks)
        dock->toggleViewAction()->disconnect(this);
    for (const FigureView* view : findChildren<FigureView*>()) // nor of the pointer that leaves a view with it
        view->disconnect(this);
}

void MainWindow::buildCentre()
{
    m_input = new InputPanel;
    m_message = new MessageBar;
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("viewTabs"));
    m_tabs->setDocumentMode(true);
    const ViewContext context{m_document, m_selection, m_appearance};
    auto* heatmap = new HeatmapView(context);
    connect(heatmap, &HeatmapView::lastTokenChosen, this, &MainWindow::sayWhatFollows);
    m_heatmap = heatmap;
    askLaboratory(m_heatmap);
    addLaboratoryCorner();
    for (const ViewRow& row : viewRows())
        m_tabs->addTab(row.figure == &heatmapKind ? m_heatmap : emptyPage(), viewTitle(row, false));
    m_steps = new StepPanel(m_document, m_selection);
    auto* centre = new QWidget;
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_message);
    layout->addWidget(m_tabs, 1);
    layout->addWidget(m_steps);
    setCentralWidget(centre);
    auto* top = new QToolBar(tr("Sentence and model"));
    top->setObjectName(QStringLiteral("inputBar"));
    top->setMovable(false);
    top->setContextMenuPolicy(Qt::PreventContextMenu);
    top->toggleViewAction()->setEnabled(false);
    top->addWidget(m_input);
    addToolBar(top);
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::ensureTab);
    connect(m_input, &InputPanel::runRequested, this, &MainWindow::run);
    connect(m_input, &InputPanel::cancelRequested, this, [this] { m_controller->cancel(); });
    connect(m_input, &InputPanel::openRequested, this, &MainWindow::openFolder);
    connect(m_input, &InputPanel::maskRequested, this, &MainWindow::maskWord);
    connect(m_input, &InputPanel::continueRequested, this, &MainWindow::continueText);
    connect(&m_input->models(), &ModelPicker::chosenByUser, this, &MainWindow::open);
    connect(m_heatmap, &FigureView::painted, m_controller.get(), &RunController::framePainted);
    connect(m_heatmap, &FigureView::painted, this, &MainWindow::completeAfterFirstPaint);
    connect(m_controller.get(), &RunController::finished, this,
            [this] { QTimer::singleShot(completeAnyway, this, &MainWindow::completeAfterFirstPaint); });
}

void MainWindow::buildDocks()
{
    setDockNestingEnabled(true);
    const auto addDock = [this](const char* name, const QString& title, QWidget* content) {
        auto* dock = new QDockWidget(title);
        dock->setObjectName(QLatin1String(name));
        dock->setWidget(content);
        addDockWidget(Qt::RightDockWidgetArea, dock);
        m_docks << dock;
        watchDock(dock);
    };
    m_site = new SitePanel(m_document, m_selection, m_appearance);
    if (!m_settings.site)
        m_site->showBestFirst();
    m_decoding = new DecodingPanel;
    // No higher than what they ask, so that the candidates get their room back when they ask less.
    for (QWidget* panel : {static_cast<QWidget*>(m_site), static_cast<QWidget*>(m_decoding)})
        panel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_candidates = new CandidatesPanel(m_document, m_selection, m_appearance);
    m_candidates->setShowsAll(m_settings.allCandidates);
    addDock("siteDock", tr("Shown"), m_site);
    addDock("decodingDock", tr("Decoding"), m_decoding);
    addDock("candidatesDock", tr("Candidates"), m_candidates);
    resizeDocks(m_docks, {300, 300, 300}, Qt::Horizontal);
    resizeDocks(m_docks, {150, 90, 420}, Qt::Vertical);
}

void MainWindow::buildStatusBar()
{
    m_hover = new QLabel;
    m_hover->setObjectName(QStringLiteral("hoverText"));
    m_hover->setTextFormat(Qt::PlainText);
    m_modelInfo = new QLabel;
    m_modelInfo->setObjectName(QStringLiteral("modelInfo"));
    m_progressText = new QLabel;
    m_progressText->setObjectName(QStringLiteral("progressText"));
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progress->setRange(0, 1000);
    m_progress->setMaximumWidth(140);
    m_progress->setTextVisible(false);
    m_progress->hide();
    for (QLabel* label : {m_hover, m_progressText, m_modelInfo})
        label->setContentsMargins(8, 0, 8, 0);
    statusBar()->addWidget(m_hover, 1);
    statusBar()->addPermanentWidget(m_progressText);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_modelInfo);
    connect(m_heatmap, &FigureView::hovered, this, [this](const FigureHit& hit) { m_hover->setText(hit.text); });
}

void MainWindow::connectController()
{
    RunController* controller = m_controller.get();
    connect(m_input, &InputPanel::textEdited, this, &MainWindow::showAbilities);
    connect(m_input, &InputPanel::textEdited, this, &MainWindow::showAge);
    connect(m_decoding, &DecodingPanel::changed, this, &MainWindow::showAge);
    connect(m_decoding, &DecodingPanel::applied, this, &MainWindow::applyChoices);
    connect(m_older, &QToolButton::clicked, this, &MainWindow::applyChoices);
    connect(controller, &RunController::unknownWordsRead, this, &MainWindow::sayUnknown);
    connect(controller, &RunController::busyChanged, this, [this](bool busy) {
        m_input->setBusy(busy);
        m_progress->setVisible(busy);
        showAbilities();
        showAge();
    });
    connect(controller, &RunController::started, this, [this] {
        m_message->hide(); // what was said about an earlier run
        m_progressText->setText(tr("Starting"));
        m_progress->setValue(0);
    });
    connect(controller, &RunController::progressed, this, [this](const QString& what, double fraction) {
        m_progressText->setText(what);
        m_progress->setValue(static_cast<int>(fraction * 1000));
    });
    connect(controller, &RunController::finished, this, [this] {
        m_shownModel = m_model;
        remember(m_model);
        if (!m_document.model())
            describeArchive();
        const auto& summary = m_document.trace().summary();
        const bool timed = summary && summary->seconds > 0;
        m_progressText->setText(timed ? tr("Done in %1 ms").arg(grouped(std::llround(summary->seconds * 1000)))
                                      : tr("Done"));
    });
    connect(controller, &RunController::cancelled, this, [this] {
        if (m_controller->busy())
            return;
        m_maskToShow.reset();
        m_progressText->setText(tr("Cancelled"));
        showOpened();
    });
    connect(controller, &RunController::failed, this, [this](quint64, const UserMessage& message) {
        m_maskToShow.reset();
        m_progressText->setText(tr("Failed"));
        m_message->show(message);
        showOpened();
    });
    connect(&m_document, &Document::modelChanged, this, [this] {
        m_shownModel = m_model;
        showModelInfo();
        fitToModel();
    });
    connect(&m_document, &Document::traceChanged, this, [this] {
        showMask();
        fitToTrace();
        showAge();
    });
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & Selection::StepField)
            showAbilities();
    });
    connect(&m_exporter, &Exporter::written, this,
            [this](const QString& path) { m_progressText->setText(tr("Written: %1").arg(path)); });
    connect(&m_exporter, &Exporter::failed, this, [this](const UserMessage& message) { m_message->show(message); });
}

void MainWindow::restore()
{
    const Question& asked = m_settings.question;
    m_model = QString::fromStdString(asked.model);
    m_input->setText(QString::fromStdString(asked.text));
    m_input->setSecondText(QString::fromStdString(asked.secondText.value_or(std::string())));
    m_input->setContinueCount(std::max(1, asked.decoding.generate));
    m_closedDocks = m_settings.closedDocks;
    m_input->setHistory(m_settings.history);
    m_decoding->setOptions(asked.decoding);
    m_decoding->setForced(m_settings.forces, m_settings.forcedTarget);
    fillModels();
    resize(defaultSize);
    if (!m_settings.geometry.isEmpty())
        restoreGeometry(m_settings.geometry);
    if (!m_settings.docks.isEmpty())
        restoreState(m_settings.docks);
    fitDocks();
    const auto views = viewRows();
    const auto last =
        std::ranges::find(views, m_settings.view, [](const ViewRow& row) { return QLatin1String(row.id); });
    if (last != views.end())
        m_tabs->setCurrentIndex(static_cast<int>(last - views.begin()));
    showAbilities();
    open(m_model);
}

// Charts are slow to make; they come once the first matrix can be seen.
void MainWindow::completeAfterFirstPaint()
{
    if (m_complete || m_controller->busy() || !m_document.trace().summary())
        return;
    m_complete = true;
    QTimer::singleShot(0, this, [this] { m_candidates->activate(); });
}

void MainWindow::nameViews(bool reads)
{
    for (int i = 0; i < m_tabs->count(); ++i)
        m_tabs->setTabText(i, viewTitle(viewRows()[static_cast<std::size_t>(i)], reads));
}

void MainWindow::ensureTab(int index)
{
    QWidget* page = m_tabs->widget(index);
    if (page == nullptr || page == m_heatmap || page->layout()->count() > 0)
        return;
    const ViewRow& row = viewRows()[static_cast<std::size_t>(index)];
    QWidget* made = row.make({m_document, m_selection, m_appearance});
    page->layout()->addWidget(made);
    if (const auto* positions = qobject_cast<PositionView*>(made))
        connect(positions, &PositionView::orderAsked, this, [this] { openLaboratory(pageOf("order")); });
    auto* view = qobject_cast<FigureView*>(made);
    if (view == nullptr)
        return;
    if (view->objectName().isEmpty()) {
        view->setObjectName(QLatin1String(row.id) + QStringLiteral("View"));
        view->setAccessibleName(viewTitle(row, false));
    }
    connect(view, &FigureView::painted, m_controller.get(), &RunController::framePainted);
    connect(view, &FigureView::hovered, this, [this](const FigureHit& hit) { m_hover->setText(hit.text); });
    askLaboratory(view);
}

// --- exports ---

FigureView* MainWindow::currentView()
{
    QWidget* page = m_tabs->currentWidget();
    if (auto* view = qobject_cast<FigureView*>(page))
        return view;
    return page->findChild<FigureView*>();
}

void MainWindow::exportView()
{
    write(exportable(currentView()->spec(), m_document.trace()), this);
}

void MainWindow::write(const Exportable& figure, QWidget* parent)
{
    const ExportRequest request{figure, m_settings.exporting, m_settings.exportSuffix, m_settings.exportFolder};
    const auto choice = m_dialogs->exportAs(parent, request);
    if (!choice)
        return;
    m_settings.exporting = choice->options;
    m_settings.exportSuffix = QFileInfo(choice->path).suffix().toLower();
    m_settings.exportFolder = QFileInfo(choice->path).absolutePath();
    if (m_exporter.start(*choice, figure))
        m_progressText->setText(tr("Writing %1").arg(QFileInfo(choice->path).fileName()));
    else
        m_message->show(
            {tr("The export"), tr("has to wait: another one is still being written"), tr("try again in a moment")});
}

void MainWindow::copyImage()
{
    const FigureView* view = currentView();
    copy(exportable(view->spec(), m_document.trace()), view->width());
}

void MainWindow::copy(const Exportable& figure, double width)
{
    const double widthMm = std::max(60.0, width * 25.4 / 96.0);
    QApplication::clipboard()->setImage(renderFigure(figure, {widthMm, 192}));
    m_progressText->setText(tr("Image copied"));
}

// --- window ---

WindowSettings MainWindow::currentSettings() const
{
    WindowSettings settings = m_settings;
    settings.geometry = saveGeometry();
    settings.docks = saveState();
    settings.closedDocks = m_closedDocks;
    settings.question = question(m_input->continueCount());
    settings.question.others = m_settings.question.others;
    if (m_model.isEmpty())
        settings.question.model = WindowSettings::load().question.model;
    settings.history = m_input->history();
    settings.forces = m_decoding->forces();
    settings.forcedTarget = m_decoding->targetText();
    if (m_document.model() || !m_document.trace().sites().empty()) {
        settings.site = m_selection.site();
        settings.head = m_selection.head();
    }
    settings.words = m_appearance.words();
    settings.specials = m_appearance.specials();
    settings.pair = m_appearance.pair();
    settings.colorMap = m_appearance.colorMap();
    settings.allCandidates = m_candidates->showsAll();
    settings.view = QLatin1String(viewRows()[static_cast<std::size_t>(m_tabs->currentIndex())].id);
    return settings;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    currentSettings().save();
    m_controller->cancel();
    QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_appearance.setTheme(themeOf(palette()));
    QMainWindow::changeEvent(event);
}

void MainWindow::setThemeMode(ThemeMode mode)
{
    m_settings.theme = mode;
    applyTheme(mode);
}

} // namespace attn::ui
