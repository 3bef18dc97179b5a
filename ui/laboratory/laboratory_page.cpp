// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/laboratory_page.h"

#include "figures/export/provenance.h"
#include "figures/parts/matrix_figure.h"
#include "panels/dialogs.h"
#include "panels/line_layout.h"
#include "panels/model_picker.h"
#include "state/strings.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>

namespace attn::ui {

namespace {

constexpr int narrowestBox = 90; // pixels of a combo box on a narrow page

// "Sentence 3 of 12, Transformer – English to French".
QString progressText(const ExperimentProgress& progress)
{
    const QString model = modelLabel(QString::fromStdString(progress.model));
    switch (progress.step) {
    case ExperimentProgress::Step::Loading:
        return LaboratoryPage::tr("Loading %1").arg(model);
    case ExperimentProgress::Step::Reading:
        return LaboratoryPage::tr("Reading the sentence");
    case ExperimentProgress::Step::Sentence:
        return LaboratoryPage::tr("Sentence %1 of %2, %3").arg(progress.number + 1).arg(progress.count).arg(model);
    case ExperimentProgress::Step::Run:
        return LaboratoryPage::tr("run %1 of %2").arg(progress.number + 1).arg(progress.count);
    case ExperimentProgress::Step::Offset:
        return LaboratoryPage::tr("offset %1").arg(progress.number);
    case ExperimentProgress::Step::Layer:
        return LaboratoryPage::tr("layer %1 of %2").arg(progress.number + 1).arg(progress.count);
    }
    return {};
}

} // namespace

QString sentenceOnShow(const LaboratoryContext& context)
{
    if (!context.study.model()) {
        if (const std::string& text = context.study.trace().provenance().text; !text.empty())
            return QString::fromStdString(text);
    }
    return QString::fromStdString(context.question().text);
}

Workbench workbench(JobTools& tools)
{
    return {tools.engine,
            [&tools](const std::string& path) { return tools.models.load(path, tools.engine, {}, tools.stop); },
            tools.stop, [&tools](const ExperimentProgress& how) { tools.progress(progressText(how), how.fraction); },
            tools.files};
}

namespace {

// Splitter whose widgets are below each other while it is narrow.
class TurningSplitter final : public QSplitter
{
public:
    TurningSplitter(Qt::Orientation orientation, int narrow)
        : QSplitter(orientation)
        , m_wide(orientation)
        , m_narrow(narrow)
    {
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        setOrientation(width() < m_narrow ? Qt::Vertical : m_wide);
        QSplitter::resizeEvent(event);
    }

private:
    Qt::Orientation m_wide;
    int m_narrow = 0;
};

} // namespace

QSplitter* split(Qt::Orientation orientation, const std::vector<SplitPart>& parts, int narrow)
{
    auto* splitter = new TurningSplitter(orientation, narrow);
    QList<int> sizes;
    for (const SplitPart& part : parts) {
        splitter->addWidget(part.widget);
        splitter->setStretchFactor(splitter->count() - 1, part.stretch);
        sizes << part.size;
    }
    splitter->setSizes(sizes);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

FigureLayout emptyFigure(const FigureSpec& spec, const QString& why)
{
    MatrixContent nothing;
    nothing.empty = nothing.description = why;
    return [spec, nothing](QSizeF size) { return std::make_unique<MatrixFigure>(spec, nothing, size); };
}

LaboratoryPage::LaboratoryPage(const LaboratoryContext& context, const QString& about)
    : m_context(context)
    , m_heading(plainLabel({}, this))
    , m_layout(new QVBoxLayout(this))
    , m_rows(new QVBoxLayout)
    , m_notes(new QWidget(this))
    , m_message(new MessageBar)
    , m_formula(new FormulaLabel)
    , m_result(plainLabel())
    , m_progressRow(new QWidget)
    , m_progress(new QProgressBar)
    , m_progressText(plainLabel())
    , m_folder(QDir::homePath())
    , m_jobs(context.controller)
{
    QFont large = m_heading->font();
    large.setPointSizeF(large.pointSizeF() * 1.35);
    large.setBold(true);
    m_heading->setFont(large);
    m_formula->setObjectName(QStringLiteral("resultFormula"));
    m_formula->hide();
    m_result->setObjectName(QStringLiteral("result"));
    m_result->setWordWrap(true);
    m_result->hide();
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("cancelJob"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(260);
    m_progress->setObjectName(QStringLiteral("jobProgress"));
    m_progressText->setObjectName(QStringLiteral("jobText"));
    auto* progressLayout = new QHBoxLayout(m_progressRow);
    progressLayout->setContentsMargins(0, 0, 0, 0);
    progressLayout->addWidget(m_progress);
    progressLayout->addWidget(m_progressText, 1);
    progressLayout->addWidget(cancel);
    m_progressRow->hide();
    m_message->hide();
    m_layout->setSpacing(8);
    if (about.isEmpty()) {
        m_heading->hide();
        m_layout->setContentsMargins(0, 8, 0, 0);
    } else {
        auto* text = plainLabel(about);
        text->setObjectName(QStringLiteral("about"));
        text->setWordWrap(true);
        m_layout->setContentsMargins(16, 12, 16, 8);
        m_layout->addWidget(m_heading);
        m_layout->addWidget(text);
    }
    m_layout->addLayout(m_rows);
    addControlRow();
    auto* notes = new QVBoxLayout(m_notes);
    notes->setContentsMargins(0, 0, 0, 0);
    notes->addWidget(m_message);
    notes->addWidget(m_formula);
    notes->addWidget(m_result);
    notes->addWidget(m_progressRow);
    connect(cancel, &QPushButton::clicked, &m_jobs, &JobRunner::cancel);
    connect(&m_jobs, &JobRunner::busyChanged, this, [this](bool busy) {
        m_progressRow->setVisible(busy);
        m_progress->setValue(0);
        m_progressText->clear();
        if (busy)
            m_message->hide();
    });
    connect(&m_jobs, &JobRunner::progressed, this, [this](const QString& what, double fraction) {
        m_progressText->setText(what);
        m_progress->setValue(static_cast<int>(fraction * 1000));
    });
    connect(&m_jobs, &JobRunner::failed, this, [this](const UserMessage& problem) { m_message->show(problem); });
    connect(&context.appearance, &Appearance::changed, this, &LaboratoryPage::redraw);
}

void LaboratoryPage::setTitle(const QString& title)
{
    m_heading->setText(title);
}

void LaboratoryPage::stop()
{
    m_jobs.cancel();
    m_message->hide();
}

QString LaboratoryPage::title() const
{
    return m_heading->text();
}

void LaboratoryPage::addControlRow()
{
    m_rows->addLayout(m_controls = new LineLayout);
}

QHBoxLayout* LaboratoryPage::addFilledRow()
{
    auto* row = new QHBoxLayout;
    m_rows->addLayout(m_controls = row);
    return row;
}

void LaboratoryPage::place(const ControlName& name, QWidget* control)
{
    control->setObjectName(QLatin1String(name.id));
    control->setAccessibleName(name.accessible);
    control->setToolTip(name.tip);
    if (auto* button = qobject_cast<QAbstractButton*>(control)) {
        button->setText(name.label);
    } else if (!name.label.isEmpty()) {
        if (name.accessible.isEmpty())
            control->setAccessibleName(QString(name.label).remove(QLatin1Char('&')));
        if (qobject_cast<QComboBox*>(control) != nullptr)
            control->setMinimumWidth(narrowestBox);
        QLabel*& label = m_labels[control] = plainLabel(name.label);
        label->setBuddy(control);
        if (qobject_cast<QHBoxLayout*>(m_controls) == nullptr) { // they stay together
            auto* both = new QWidget;
            auto* line = new QHBoxLayout(both);
            line->setContentsMargins(0, 0, 0, 0);
            line->addWidget(label);
            line->addWidget(control);
            m_controls->addWidget(both);
            return;
        }
        m_controls->addWidget(label);
    }
    m_controls->addWidget(control);
}

QComboBox* LaboratoryPage::addChoice(const ControlName& name,
                                     const std::vector<std::pair<const char*, QString>>& entries)
{
    auto* box = addControl(name, new ElidedComboBox);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (const auto& [id, text] : entries)
        box->addItem(text, QLatin1String(id));
    return box;
}

QSpinBox* LaboratoryPage::addNumber(const ControlName& name, int least, int most, int value, int step)
{
    auto* box = addControl(name, new QSpinBox);
    box->setRange(least, most);
    box->setSingleStep(step);
    box->setValue(value);
    return box;
}

QCheckBox* LaboratoryPage::addTick(const ControlName& name, bool ticked)
{
    auto* box = addControl(name, new QCheckBox);
    box->setChecked(ticked);
    return box;
}

void LaboratoryPage::setShown(QWidget* control, bool shown)
{
    control->setVisible(shown);
    if (const auto label = m_labels.find(control); label != m_labels.end()) {
        label->second->setVisible(shown);
        if (QWidget* const both = label->second->parentWidget(); both != this)
            both->setVisible(shown);
    }
}

void LaboratoryPage::onChange(std::initializer_list<QWidget*> controls, const std::function<void()>& call)
{
    for (QWidget* control : controls) {
        if (auto* choice = qobject_cast<QComboBox*>(control))
            connect(choice, &QComboBox::currentIndexChanged, this, call);
        else if (auto* number = qobject_cast<QSpinBox*>(control))
            connect(number, &QSpinBox::valueChanged, this, call);
        else if (auto* real = qobject_cast<QDoubleSpinBox*>(control))
            connect(real, &QDoubleSpinBox::valueChanged, this, call);
        else if (auto* tick = qobject_cast<QCheckBox*>(control))
            connect(tick, &QCheckBox::toggled, this, call);
    }
}

FigureCanvas* LaboratoryPage::makeCanvas(const char* name, const QString& accessibleName, FigureCanvas::Height height)
{
    auto* canvas = new FigureCanvas(height);
    canvas->setObjectName(QLatin1String(name));
    canvas->setAccessibleName(accessibleName);
    connect(canvas, &FigureCanvas::hovered, this, [this](const FigureHit& hit) { Q_EMIT hovered(hit.text); });
    return canvas;
}

void LaboratoryPage::setContent(QWidget* content)
{
    m_layout->addWidget(m_notes);
    m_layout->addWidget(content, 1);
}

void LaboratoryPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) // after its children have the new one, too
        QMetaObject::invokeMethod(this, &LaboratoryPage::redraw, Qt::QueuedConnection);
}

void LaboratoryPage::activateOnChanges()
{
    const auto refresh = [this] {
        if (isVisible() && !m_context.study.running())
            activate();
    };
    connect(&m_context.study, &Study::modelChanged, this, refresh);
    connect(&m_context.study, &Study::traceChanged, this, refresh);
    connect(&m_context.study, &Study::runningChanged, this, refresh);
}

QString LaboratoryPage::chooseFile(OpenKind kind)
{
    const QString file = m_context.dialogs.open(kind, this, m_folder);
    if (file.isEmpty())
        return file;
    m_folder = QFileInfo(file).absolutePath();
    m_storeFolder();
    m_jobs.cancel();
    m_message->hide();
    return file;
}

void LaboratoryPage::say(const QString& text, const Formula& formula)
{
    m_formula->setFormula(formula);
    m_formula->setVisible(!formula.empty());
    m_result->setText(text);
    m_result->setVisible(!text.isEmpty());
}

Exportable LaboratoryPage::shown(FigureLayout layOut, std::function<QByteArray()> csv) const
{
    FigureProvenance made = ownProvenance();
    made.obstacle = tr("figures of the laboratory are made in its window only");
    return {title(),
            m_context.appearance.theme(),
            std::move(layOut),
            std::move(csv),
            {},
            {},
            [made](const Exportable&, const QString&, const ExportOptions&) { return made; }};
}

FigureSpec LaboratoryPage::look() const
{
    FigureSpec spec;
    spec.theme = m_context.appearance.theme();
    spec.colorMap = m_context.appearance.choices().colorMap;
    spec.words = m_context.appearance.choices().words;
    spec.baseFontPoints = m_context.appearance.choices().baseFontPoints;
    return spec;
}

TabbedPage::TabbedPage(const LaboratoryContext& context, const char* tabsName, const QString& about)
    : LaboratoryPage(context, about)
    , m_tabs(new QTabWidget)
{
    m_tabs->setObjectName(QLatin1String(tabsName));
    m_tabs->setDocumentMode(true);
    setContent(m_tabs);
    notes()->hide(); // each tab has its own
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        for (int i = 0; i < m_tabs->count(); ++i)
            static_cast<LaboratoryPage*>(m_tabs->widget(i))->stop();
        if (isVisible())
            activate();
    });
    connect(&context.study, &Study::modelChanged, this, [this] {
        if (isVisible())
            activate();
    });
}

void TabbedPage::add(LaboratoryPage* tab, const QString& name)
{
    m_tabs->addTab(tab, name);
    connect(tab, &LaboratoryPage::hovered, this, &TabbedPage::hovered);
}

std::optional<Exportable> TabbedPage::exportable() const
{
    return current()->exportable();
}

void TabbedPage::activate()
{
    current()->activate();
}

bool TabbedPage::busy() const
{
    return current()->busy();
}

} // namespace attn::ui
