// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/step/step_page.h"

#include "analysis/words.h"
#include "base/index.h"
#include "experiments/step_experiment.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/parts/no_numbers.h"
#include "panels/controls.h"
#include "panels/model_picker.h"
#include "readings/head_reading.h"
#include "state/strings.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace attn::ui {

namespace {

constexpr auto stepPlayInterval = std::chrono::milliseconds(1600);

QByteArray stagesCsv(const std::vector<StageContent>& stages)
{
    QString text = QStringLiteral("stage,numbers,row,column,value\r\n");
    for (const StageContent& stage : stages) {
        for (const StageStrip& strip : stage.strips) {
            const QString begin = csvField(stage.title) + QLatin1Char(',') + csvField(strip.title()) + QLatin1Char(',');
            for (int i = 0; i < strip.rows * strip.columns; ++i) {
                const int row = i / strip.columns;
                const int column = i % strip.columns;
                text += begin + csvField(strip.rowNames.value(row, QString::number(row))) + QLatin1Char(',')
                    + csvField(strip.columnNames.value(column, QString::number(column))) + QLatin1Char(',')
                    + csvNumber(static_cast<double>(strip.values[i])) + QStringLiteral("\r\n");
            }
        }
    }
    return text.toUtf8();
}

AxisGroup wordOf(int token, const Encoding& tokens)
{
    const auto words = wordAxis(tokens);
    const auto word = std::ranges::find_if(
        words, [token](const AxisGroup& one) { return token >= one.first && token < one.first + one.count; });
    return word == words.end() ? AxisGroup{{}, token, 1} : *word;
}

// Of the two words that hold the cell's tokens, the tokens with the most weight between them.
FigureCell strongestPieces(const Trace& trace, const SiteChoice& choice, std::optional<StepId> leaf, FigureCell cell)
{
    const AxisGroup row = wordOf(cell.row, trace.rowTokens(choice.site, leaf));
    const AxisGroup key = wordOf(cell.column, trace.columnTokens(choice.site, leaf));
    if (row.count * key.count == 1)
        return cell;
    const Numbers weights = readWeights(trace, choice, leaf, {row.first, row.count});
    float most = -1;
    for (int i = 0; i < weights.rows; ++i) {
        for (int j = key.first; j < std::min<int>(key.first + key.count, weights.columns); ++j) {
            if (weights.at(i, j) > most) {
                most = weights.at(i, j);
                cell = {row.first + i, j};
            }
        }
    }
    return cell;
}

} // namespace

StepPage::StepPage(const LaboratoryContext& context)
    : LaboratoryPage(context,
                     tr("Where one attention weight comes from: every stage of the computation with its real numbers, "
                        "from the query to the output of the layer. Choose a cell here or click one in the heatmap."))
    , m_canvas(makeCanvas("stepCanvas", tr("Stages of the computation"), FigureCanvas::Height::Natural))
    , m_scroll(new QScrollArea)
    , m_right(new QStackedWidget)
    , m_nothing(makeCanvas("stepNothing", tr("Why there are no stages")))
{
    addCellControls();
    m_scroll->setWidget(m_canvas);
    m_scroll->setAccessibleName(m_canvas->accessibleName());
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setObjectName(QStringLiteral("stepScroll"));
    m_transition = new StageTransition(*m_scroll);
    m_right->addWidget(m_scroll);
    m_right->addWidget(m_nothing);
    auto* content = new QWidget;
    auto* lower = new QHBoxLayout(content);
    lower->addWidget(m_stageColumn = stageColumn());
    lower->addWidget(m_right, 1);
    lower->setContentsMargins(0, 0, 0, 0);
    setContent(content);
    activateOnChanges();
    m_next.setInterval(stepPlayInterval);
    connect(&m_next, &QTimer::timeout, this, [this] {
        if (m_list->currentRow() + 1 < m_list->count())
            goTo(m_list->currentRow() + 1);
        else
            togglePlay();
    });
    connect(
        &jobs(), &JobRunner::busyChanged, this,
        [this] {
            if (!jobs().busy() && m_reported.empty() && !m_stages.empty())
                clear(tr("Not computed: choose a cell to compute it."));
        },
        Qt::QueuedConnection); // after the last result
    connect(m_canvas, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
        const bool folded = hit.row && m_stages.at(stageOf(hit)).folded;
        if (hit.column && hit.column < m_key->count() && !folded)
            lookAtKey(*hit.column);
        else if (hit.row)
            fold(stageOf(hit));
    });
}

void StepPage::addCellControls()
{
    const auto add = [this, row = addFilledRow()](const char* name, const QString& label, int stretch) {
        auto* box = addControl({name, label}, new ElidedComboBox);
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        row->setStretchFactor(box, stretch);
        return box;
    };
    m_site = add("stepSite", tr("&Attention"), 3);
    m_head = add("stepHead", tr("&Head"), 1);
    m_row = add("stepRow", tr("&Query"), 2);
    m_key = add("stepKey", tr("&Key"), 2);
    connect(m_site, &QComboBox::activated, this, [this](int index) {
        const std::vector<Site> sites = context().study.trace().sites();
        if (index < indexSize(sites)) // of a run that goes on, some
            lookAt({sites[static_cast<std::size_t>(index)], m_cell.head, m_cell.row, {}});
    });
    connect(m_head, &QComboBox::activated, this, [this](int head) {
        lookAt({m_cell.site, head, m_cell.row, m_cell.key});
    });
    connect(m_row, &QComboBox::activated, this, [this](int at) { lookAt({m_cell.site, m_cell.head, at, {}}); });
    connect(m_key, &QComboBox::activated, this, &StepPage::lookAtKey);
}

QToolButton* StepPage::addButton(QHBoxLayout& row, const char* name, const QString& text, int by)
{
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name) + QStringLiteral("Stage"));
    button->setIcon(themedIcon(QLatin1String(name)));
    button->setToolTip(text);
    button->setAccessibleName(text);
    button->setAutoRaise(true);
    row.addWidget(button);
    if (by != 0)
        connect(button, &QToolButton::clicked, this, [this, by] { goTo(m_list->currentRow() + by); });
    return button;
}

QWidget* StepPage::stageColumn()
{
    m_list = new QListWidget;
    m_list->setObjectName(QStringLiteral("stageList"));
    m_list->setAccessibleName(tr("Stages"));
    m_list->setSpacing(2);
    m_all = new QCheckBox(tr("All s&tages below each other"));
    m_all->setObjectName(QStringLiteral("allStages"));
    m_all->setChecked(true);
    auto* buttons = new QHBoxLayout;
    addButton(*buttons, "back", tr("One stage back"), -1);
    m_play = addButton(*buttons, "play", tr("Play"), 0);
    addButton(*buttons, "forward", tr("One stage forward"), 1);
    buttons->addStretch();
    connect(m_play, &QToolButton::clicked, this, &StepPage::togglePlay);
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(buttons);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_all);
    column->setFixedWidth(fontMetrics().horizontalAdvance(m_all->text()) + 40);
    m_numbers = new QCheckBox(tr("Long &vectors whole"));
    m_numbers->setObjectName(QStringLiteral("allNumbers"));
    m_numbers->setToolTip(tr("Vectors of many numbers are a thin line, which a click unfolds"));
    layout->addWidget(m_numbers);
    connect(m_list, &QListWidget::currentRowChanged, this, [this] {
        const auto how = m_all->isChecked() ? StageTransition::How::Glide : StageTransition::How::Fade;
        m_transition->over([this] { redraw(); }, how);
    });
    onChange({m_all}, [this] { redraw(); });
    onChange({m_numbers}, [this] {
        m_unfolded.clear();
        foldAll();
        redraw();
    });
    return column;
}

void StepPage::clear(const QString& why)
{
    m_reported = {};
    m_stages.clear();
    m_list->clear();
    m_why = why;
    say({});
    redraw();
    enableControls();
}

void StepPage::enableControls()
{
    for (QComboBox* box : {m_site, m_head, m_row, m_key})
        setShown(box, m_site->count() > 0);
    m_stageColumn->setEnabled(!m_stages.empty());
    fitColumn();
}

void StepPage::activate()
{
    const Study& study = context().study;
    if (study.running() || m_revision == study.revision())
        return;
    m_revision = study.revision();
    const Trace& trace = study.trace();
    for (QComboBox* box : {m_site, m_head, m_row, m_key})
        box->clear();
    if (!model())
        return clear(tr("An archive holds the weights, not the numbers they came from: open the model itself."));
    if (trace.sites().empty())
        return clear(trace.summary() ? tr("%1 has no attention, so there is no step to look into. “Compare models” "
                                          "shows what it does beside a model that has.")
                                           .arg(model()->name)
                                     : tr("Run a sentence in the window first."));
    const Selection& selection = context().selection;
    StepCell cell{selection.site(), m_cell.head, selection.step().value_or(0), {}};
    if (trace.heads(cell.site) == 0)
        cell.site = trace.sites().front();
    const Encoding rows = trace.rowTokens(cell.site, selection.leaf());
    if (cell.row < indexSize(rows.special) && rows.special[cell.row])
        cell.row = 0; // an end token says little
    cell.row = firstAttending(trace, cell.site, cell.row, selection.leaf());
    cell.head = selection.head().head().value_or(cell.head);
    lookAt(cell);
}

void StepPage::lookAt(const Place& place)
{
    if (!place.cell)
        return;
    const Selection& selection = context().selection;
    const Trace& trace = context().study.trace();
    const auto head = selection.head().head();
    const auto [row, key] = context().appearance.choices().words
        ? strongestPieces(trace, {selection.site(), head ? HeadReading(*head) : HeadReading(meanOfHeads)},
                          selection.leaf(), *place.cell)
        : *place.cell;
    lookAt({selection.site(), head ? *head : strongestHead(trace, selection.site(), row, key, selection.leaf()), row,
            key});
}

void StepPage::lookAt(const StepCell& cell)
{
    const Trace& trace = context().study.trace();
    if (!model() || context().study.running() || trace.heads(cell.site) == 0)
        return;
    m_revision = context().study.revision();
    const auto leaf = context().selection.leaf();
    FigureSpec spec; // without merging
    spec.site = cell.site;
    spec.leaf = leaf;
    const Map names = mapAxes(trace, spec.mapSpec());
    m_rows = axisLabels(names.rows);
    m_keys = axisLabels(names.columns).mid(names.columns.isSink(0) ? 1 : 0);
    m_cell = cell;
    m_cell.head = std::clamp(cell.head, 0, trace.heads(cell.site) - 1);
    m_cell.row = std::clamp(cell.row, 0, std::max(0, indexSize(m_rows) - 1));
    if (!cell.key) {
        const Numbers row = trace.matrix(m_cell.site, m_cell.head, leaf, {m_cell.row, 1});
        m_cell.key = static_cast<int>(std::ranges::max_element(row.values, {}, numberOrLeast) - row.values.begin());
    }
    fillPickers();
    if (m_stages.empty()) {
        m_why.clear();
        redraw();
    }
    enableControls();
    compute();
}

void StepPage::fillPickers()
{
    const Trace& trace = context().study.trace();
    const auto fill = [](QComboBox& box, const QStringList& names, int current) {
        box.clear();
        box.addItems(names);
        box.setCurrentIndex(current);
    };
    // Names that are no tokens are numbered already.
    const auto numbered = [](QStringList names, AttentionAxis axis) {
        for (int i = 0; axis == AttentionAxis::Tokens && i < names.size(); ++i)
            names[i].prepend(QStringLiteral("%1: ").arg(i));
        return names;
    };
    const std::vector<Site> sites = trace.sites();
    QStringList siteNames;
    for (const Site& site : sites)
        siteNames << siteName(site, trace.kind());
    QStringList heads;
    for (int head = 0; head < trace.heads(m_cell.site); ++head)
        heads << headTitle(head);
    fill(*m_site, siteNames, static_cast<int>(std::ranges::find(sites, m_cell.site) - sites.begin()));
    fill(*m_head, heads, m_cell.head);
    fill(*m_row, numbered(m_rows, trace.rowAxis(m_cell.site)), m_cell.row);
    fill(*m_key, numbered(m_keys, trace.columnAxis(m_cell.site)), key());
}

void StepPage::lookAtKey(int key)
{
    m_cell.key = key;
    makeStages();
}

void StepPage::compute()
{
    m_reported = {}; // what is on show belongs to another cell
    const quint64 revision = context().study.revision();
    carryOut(jobs(),
             StepExperiment(context().question(), context().study.trace(), context().selection.leaf(),
                            {m_cell.site, m_cell.head, m_cell.row}),
             [this, revision](const std::shared_ptr<const StepExperiment>& step) {
                 if (revision != context().study.revision())
                     return; // another result is on show by now
                 if (step->stages().empty())
                     return clear(tr("This row was not computed: nothing is attended to here."));
                 m_reported = step->stages();
                 makeStages();
             });
}

void StepPage::makeStages()
{
    if (m_reported.empty())
        return;
    const auto weights = m_reported.weights();
    const int columns = indexSize(weights);
    m_stages = stageContents(m_reported,
                             {m_rows.value(m_cell.row), m_keys.mid(0, columns),
                              std::min(key(), std::max(0, columns - 1)), context().study.trace().heads(m_cell.site)});
    foldAll();
    const int before = m_list->currentRow();
    {
        const QSignalBlocker blocker(m_list);
        m_list->clear();
        for (const StageContent& stage : m_stages)
            m_list->addItem(QStringLiteral("%1. %2").arg(m_list->count() + 1).arg(stage.title));
        goTo(before);
    }
    m_key->setCurrentIndex(key());
    enableControls();
    const Trace& trace = context().study.trace();
    const auto leaf = context().selection.leaf();
    const bool merged = context().appearance.choices().words
        && (wordOf(m_cell.row, trace.rowTokens(m_cell.site, leaf)).count > 1
            || wordOf(key(), trace.columnTokens(m_cell.site, leaf)).count > 1);
    const HeadReading shown = context().selection.head();
    const int heads = trace.heads(m_cell.site);
    QString ofHead; // where the picture shows several
    if (heads > 1 && !shown.head())
        ofHead = (strongestHead(trace, m_cell.site, m_cell.row, key(), leaf) == m_cell.head
                      ? tr(" The picture shows %1; this is head %2, which looks there most.")
                      : tr(" The picture shows %1; this is head %2."))
                     .arg(headName(shown, heads), QString::number(m_cell.head));
    // Joined rather than filled in: tokens may contain "%1".
    say(QStringList{
        tr("“"), m_rows.value(m_cell.row), tr("” attends to “"), m_keys.value(key()), tr("” with weight "),
        key() < columns ? weightText(static_cast<double>(weights[key()])) : tr("none: the key lies after the query"),
        QStringLiteral("."), ofHead, merged ? tr(" The picture has the tokens of a word together.") : QString()}
            .join(QString()));
    redraw();
}

void StepPage::goTo(int stage)
{
    m_list->setCurrentRow(std::clamp(stage, 0, std::max(0, m_list->count() - 1)));
}

void StepPage::togglePlay()
{
    if (m_next.isActive()) {
        m_next.stop();
    } else if (m_list->count() > 0) {
        if (m_list->currentRow() + 1 >= m_list->count())
            goTo(0);
        m_next.start();
    }
    m_play->setIcon(themedIcon(m_next.isActive() ? QStringLiteral("pause") : QStringLiteral("play")));
    m_play->setToolTip(m_next.isActive() ? tr("Pause") : tr("Play"));
    m_play->setAccessibleName(m_play->toolTip());
}

void StepPage::foldAll()
{
    for (int stage = 0; stage < indexSize(m_stages); ++stage)
        m_stages[static_cast<std::size_t>(stage)].folded = !m_numbers->isChecked() && !m_unfolded.contains(stage);
}

void StepPage::fold(int stage)
{
    if (m_unfolded.erase(stage) == 0)
        m_unfolded.insert(stage);
    foldAll();
    redraw();
}

// The stage that a long vector belongs to.
int StepPage::stageOf(const FigureHit& hit) const
{
    return m_all->isChecked() ? *hit.row : std::max(0, m_list->currentRow());
}

// All stages, the chosen one marked, or the chosen one alone.
FigureLayout StepPage::layOut(bool marked) const
{
    const int current = m_list->currentRow();
    const bool one = !m_all->isChecked() && current >= 0;
    return [stages = one ? std::vector{m_stages.at(current)} : m_stages, spec = look(),
            mark = marked && !one && current >= 0 ? std::optional(current) : std::nullopt](QSizeF size) {
        return stagesFigure(spec, stages, size, mark);
    };
}

void StepPage::redraw()
{
    if (m_stages.empty()) {
        m_nothing->setFigure(emptyFigure(look(), m_why));
        return m_right->setCurrentWidget(m_nothing);
    }
    m_right->setCurrentWidget(m_scroll);
    m_canvas->setFigure(layOut(true));
    const int current = m_list->currentRow();
    if (m_canvas->figure() == nullptr || current < 0 || !m_all->isChecked())
        return;
    const QRectF stage = m_canvas->figure()->cellRect(current, 0);
    m_scroll->ensureVisible(0, static_cast<int>(stage.bottom()), 0, 12);
    m_scroll->ensureVisible(0, static_cast<int>(stage.top()), 0, 12);
}

std::optional<Exportable> StepPage::exportable() const
{
    if (m_stages.empty())
        return std::nullopt;
    return shown(layOut(false), [stages = m_stages] { return stagesCsv(stages); });
}

LaboratoryPage* makeStepPage(const LaboratoryContext& context)
{
    return new StepPage(context);
}

// Beside a picture there is no room for the list.
void StepPage::fitColumn()
{
    constexpr int leastWidth = 540;
    m_stageColumn->setVisible(!m_stages.empty() && width() >= leastWidth);
}

void StepPage::resizeEvent(QResizeEvent* event)
{
    fitColumn();
    LaboratoryPage::resizeEvent(event);
}

} // namespace attn::ui
