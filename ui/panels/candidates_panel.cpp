// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/candidates_panel.h"

#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "state/strings.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QGraphicsSimpleTextItem>
#include <QHorizontalStackedBarSeries>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>

namespace attn::ui {

namespace {

constexpr int longestLabel = 14;
constexpr int fewestBars = 5;
constexpr double share = 0.99; // of the probability that the tokens that matter hold together
constexpr double unlikely = 0.0005; // what is written as "<0.001" does not matter
constexpr double barHeight = 1.35; // of a line of text
constexpr int chartFrame = 64; // axis, title and margins
constexpr double barShare = 0.8; // of the distance between two bars
constexpr int tallestBar = 24; // pixels
constexpr double valueGap = 4;
constexpr auto drawPause = std::chrono::milliseconds(60);

// Categories of an axis must differ: invisible marks keep tokens of the same spelling apart. The chart takes labels for
// HTML.
QString barLabel(QString label, int rank)
{
    if (label.size() > longestLabel)
        label = label.left(longestLabel - 1) + QChar(0x2026);
    return label.toHtmlEscaped() + QString(rank, QChar(0x200B));
}

// The least of 1, 0.5, 0.2, 0.1, 0.05 ... that is not exceeded.
double niceLimit(double most)
{
    double limit = 1;
    for (int i = 0; i < 12 && most > 0; ++i) {
        const double next = limit * (i % 3 == 1 ? 0.4 : 0.5);
        if (most > next)
            break;
        limit = next;
    }
    return limit;
}

} // namespace

CandidatesPanel::CandidatesPanel(Study& study, Selection& selection, Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_selection(selection)
    , m_appearance(appearance)
    , m_all(new QToolButton(this))
    , m_title(new QLabel)
{
    setObjectName(QStringLiteral("candidatesPanel"));
    m_title->setObjectName(QStringLiteral("candidatesTitle"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_title->setAlignment(Qt::AlignLeft | Qt::AlignTop); // alone, it has the whole panel
    m_all->setObjectName(QStringLiteral("allCandidates"));
    m_all->setCheckable(true);
    m_all->setAutoRaise(true);
    m_all->setText(tr("Less likely"));
    m_all->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 4);
    layout->addWidget(m_title);
    layout->addStretch();
    m_later.setSingleShot(true);
    m_later.setInterval(drawPause);
    connect(&m_later, &QTimer::timeout, this, &CandidatesPanel::draw);
}

void CandidatesPanel::activate()
{
    if (m_view != nullptr)
        return;
    makeChart();
    delete layout()->takeAt(1);
    auto* column = qobject_cast<QVBoxLayout*>(layout());
    column->addWidget(m_view, 1);
    column->addWidget(m_all, 0, Qt::AlignLeft);
    column->addStretch(); // few bars need no tall chart
    connect(m_all, &QToolButton::toggled, this, &CandidatesPanel::draw);
    applyTheme();
    connect(&m_study, &Study::traceChanged, this, &CandidatesPanel::later);
    connect(&m_appearance, &Appearance::changed, this, &CandidatesPanel::applyTheme);
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & (Selection::StepField | Selection::LeafField))
            later();
    });
    draw();
    later(); // once the layout has given the chart its height
}

void CandidatesPanel::makeChart()
{
    auto* chart = new QChart;
    chart->setBackgroundRoundness(0);
    chart->legend()->hide();
    m_others = new QBarSet(tr("candidates"));
    m_taken = new QBarSet(tr("taken, or standing there"));
    m_bars = new QHorizontalStackedBarSeries;
    m_bars->append(m_others);
    m_bars->append(m_taken);
    m_bars->setBarWidth(barShare);
    chart->addSeries(m_bars);
    m_tokens = new QBarCategoryAxis;
    m_tokens->setTruncateLabels(false); // a line of text needs less room than the chart believes
    m_probabilities = new QValueAxis;
    m_probabilities->setTickCount(3);
    m_probabilities->setLabelFormat(QStringLiteral("%g"));
    m_probabilities->setTitleText(tr("probability"));
    chart->addAxis(m_tokens, Qt::AlignLeft);
    chart->addAxis(m_probabilities, Qt::AlignBottom);
    m_bars->attachAxis(m_tokens);
    m_bars->attachAxis(m_probabilities);
    connect(m_bars, &QAbstractBarSeries::hovered, this,
            [this](bool entered, int bar, QBarSet*) { showTip(entered, bar); });
    connect(chart, &QChart::plotAreaChanged, this, &CandidatesPanel::placeValues);
    m_view = new QChartView(chart);
    m_view->setObjectName(QStringLiteral("candidatesChart"));
    m_view->setAccessibleName(tr("Most probable next tokens"));
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setFrameShape(QFrame::NoFrame);
}

void CandidatesPanel::applyTheme()
{
    const bool dark = m_appearance.theme() == Theme::Dark;
    QChart* chart = m_view->chart();
    chart->setTheme(dark ? QChart::ChartThemeDark : QChart::ChartThemeLight);
    chart->setBackgroundBrush(palette().brush(QPalette::Window));
    m_view->setBackgroundBrush(palette().brush(QPalette::Window));
    const ThemeColors colors = themeColors(m_appearance.theme());
    m_others->setColor(colors.bar);
    m_taken->setColor(colors.accent);
    const int number = static_cast<int>(QFontMetricsF(smallFont()).horizontalAdvance(QStringLiteral("<0.001")));
    chart->setMargins({0, 0, number + static_cast<int>(2 * valueGap), 0});
    for (QBarSet* set : {m_others, m_taken})
        set->setBorderColor(Qt::transparent);
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(m_tokens), static_cast<QAbstractAxis*>(m_probabilities)}) {
        axis->setLabelsBrush(palette().brush(QPalette::WindowText));
        axis->setTitleBrush(palette().brush(QPalette::WindowText));
        axis->setTitleFont(smallFont());
        axis->setLabelsFont(smallFont());
        axis->setGridLineColor(colors.grid);
        axis->setLinePenColor(colors.grid);
    }
    m_tokens->setGridLineVisible(false);
    for (QGraphicsSimpleTextItem* value : m_values) {
        value->setFont(smallFont());
        value->setBrush(colors.muted);
    }
}

QFont CandidatesPanel::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    return small;
}

// How many bars the panel has room to label.
int CandidatesPanel::room() const
{
    const double line = QFontMetricsF(smallFont()).height() * barHeight;
    const int below = m_all->sizeHint().height() + layout()->spacing() + layout()->contentsMargins().bottom();
    return std::max(fewestBars, static_cast<int>((height() - m_view->y() - below - chartFrame) / line));
}

// The most probable ones that hold nearly everything together, some more where these are few, and the one that was
// taken.
int CandidatesPanel::barsThatMatter() const
{
    double sum = 0;
    int count = 0;
    int taken = 0;
    for (int rank = 0; rank < m_candidates.rowCount(); ++rank) {
        const QModelIndex row = m_candidates.index(rank, CandidateModel::TokenColumn);
        const double probability = row.data(CandidateModel::ProbabilityRole).toDouble();
        if (count == rank && sum < share && probability >= unlikely)
            ++count;
        sum += probability;
        if (row.data(CandidateModel::TakenRole).toBool())
            taken = rank + 1;
    }
    return std::min(m_candidates.rowCount(), std::max({count, taken, fewestBars}));
}

void CandidatesPanel::offerTheRest()
{
    const int rest = m_candidates.rowCount() - barsThatMatter();
    m_all->setVisible(rest > 0);
    m_all->setText(m_all->isChecked() ? tr("Only the likely ones") : tr("%n less likely", nullptr, rest));
    m_all->setToolTip(m_all->isChecked() ? tr("List the tokens that hold 99 % of the probability together")
                                         : tr("List all candidates that the run has kept"));
}

void CandidatesPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_view != nullptr)
        applyTheme(); // the panel's own colours come later than the figures'
    QWidget::changeEvent(event);
}

void CandidatesPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_view != nullptr)
        later();
}

void CandidatesPanel::later()
{
    if (!m_later.isActive())
        m_later.start();
}

void CandidatesPanel::draw()
{
    const bool reads = m_study.trace().kind() == ModelKind::EncoderOnly;
    const bool classifies = m_study.trace().classification() != nullptr;
    m_title->setText(classifies ? readClasses() : reads ? readPrediction() : readStep());
    m_view->setAccessibleName(classifies  ? tr("Probabilities of the classes")
                                  : reads ? tr("Most probable tokens here")
                                          : tr("Most probable next tokens"));
    m_view->setVisible(m_candidates.rowCount() > 0);
    offerTheRest();
    m_shown = std::min(m_all->isChecked() ? m_candidates.rowCount() : barsThatMatter(), room());
    m_view->setMaximumHeight(chartFrame + static_cast<int>(m_shown * tallestBar / barShare));
    fillBars();
}

// What the chosen decoding step could take; returns the title.
QString CandidatesPanel::readStep()
{
    const auto path = m_study.trace().path(m_selection.leaf());
    const int position = m_selection.step();
    const bool exists = position >= 0 && static_cast<std::size_t>(position) < path.size();
    m_candidates.setStep(exists ? path[static_cast<std::size_t>(position)] : nullptr);
    if (m_candidates.rowCount() == 0)
        return !m_study.model() && exists ? tr("This archive holds no candidates.")
                                          : tr("No candidates for this step.");
    const QString taken = pieceText(path[static_cast<std::size_t>(position)]->text);
    const bool given = m_study.trace().kind() == ModelKind::DecoderOnly
        && static_cast<std::size_t>(position) + 1 < m_study.trace().source().size();
    return (given ? tr("Step %1: the prompt goes on with “%2”") : tr("Step %1 took “%2”")).arg(position).arg(taken);
}

// What a classifier makes of the text; returns the title.
QString CandidatesPanel::readClasses()
{
    const Classification& result = *m_study.trace().classification();
    auto classes = std::make_shared<TracePrediction>();
    for (std::size_t i = 0; i < result.probabilities.size(); ++i)
        classes->prediction.candidates.push_back({static_cast<TokenId>(i), std::log(result.probabilities[i])});
    std::ranges::stable_sort(classes->prediction.candidates, std::ranges::greater(), &Candidate::logProbability);
    for (const Candidate& candidate : classes->prediction.candidates)
        classes->candidateTexts.push_back(result.labels.at(static_cast<std::size_t>(candidate.token)));
    m_candidates.setPrediction(classes, result.best());
    return tr("Class: %1").arg(QString::fromStdString(result.labels.at(static_cast<std::size_t>(result.best()))));
}

// What a masked-token head expects at the chosen token; returns the title.
QString CandidatesPanel::readPrediction()
{
    const Trace& trace = m_study.trace();
    const int position = m_selection.step();
    const auto found = std::ranges::find_if(trace.predictions(), [position](const auto& prediction) {
        return prediction->prediction.position == position;
    });
    const bool exists = found != trace.predictions().end();
    m_candidates.setPrediction(exists ? *found : nullptr,
                               exists ? trace.source().ids.at(static_cast<std::size_t>(position)) : -1);
    if (exists) {
        const auto index = static_cast<std::size_t>(position);
        const auto& labels = trace.source().labels.empty() ? trace.source().tokens : trace.source().labels;
        const QString piece =
            index < labels.size() ? pieceText(labels[index]) : QString::number(trace.source().ids[index]);
        return tr("Expected at token %1, “%2”").arg(position).arg(piece);
    }
    if (!trace.predictions().empty())
        return tr("Click a token to see what the model expects there.");
    return m_study.model() ? tr("This model has no masked-token head, so it predicts nothing.")
                           : tr("This archive holds no predictions.");
}

void CandidatesPanel::fillBars()
{
    QList<qreal> others;
    QList<qreal> taken;
    QStringList tokens;
    double most = 0;
    for (int rank = m_shown - 1; rank >= 0; --rank) { // the chart draws upwards
        const QModelIndex row = m_candidates.index(rank, CandidateModel::TokenColumn);
        const double probability = row.data(CandidateModel::ProbabilityRole).toDouble();
        const bool isTaken = row.data(CandidateModel::TakenRole).toBool();
        others << (isTaken ? 0 : probability);
        taken << (isTaken ? probability : 0);
        tokens << barLabel(row.data().toString(), rank);
        most = std::max(most, probability);
    }
    m_others->remove(0, m_others->count());
    m_taken->remove(0, m_taken->count());
    m_tokens->clear();
    m_tokens->append(tokens);
    m_others->append(others);
    m_taken->append(taken);
    m_probabilities->setRange(0, niceLimit(most));
    writeValues();
}

void CandidatesPanel::writeValues()
{
    while (m_values.size() > static_cast<std::size_t>(m_shown)) {
        delete m_values.back();
        m_values.pop_back();
    }
    const ThemeColors colors = themeColors(m_appearance.theme());
    while (m_values.size() < static_cast<std::size_t>(m_shown)) {
        auto* value = new QGraphicsSimpleTextItem(m_view->chart());
        value->setFont(smallFont());
        value->setBrush(colors.muted);
        value->setZValue(10); // above bars and grid
        m_values.push_back(value);
    }
    for (std::size_t i = 0; i < m_values.size(); ++i)
        m_values[i]->setText(probabilityText(barLength(i)));
    placeValues();
}

double CandidatesPanel::barLength(std::size_t bar) const
{
    const auto index = static_cast<int>(bar);
    return m_others->at(index) + m_taken->at(index);
}

void CandidatesPanel::placeValues()
{
    for (std::size_t i = 0; i < m_values.size() && static_cast<int>(i) < m_others->count(); ++i) {
        const QPointF end = m_view->chart()->mapToPosition({barLength(i), static_cast<double>(i)}, m_bars);
        m_values[i]->setPos(end.x() + valueGap, end.y() - m_values[i]->boundingRect().height() / 2);
    }
}

void CandidatesPanel::showTip(bool entered, int bar)
{
    const int rank = m_shown - 1 - bar;
    if (!entered || rank < 0 || rank >= m_candidates.rowCount())
        return QToolTip::hideText();
    const QModelIndex row = m_candidates.index(rank, CandidateModel::TokenColumn);
    QToolTip::showText(
        QCursor::pos(),
        QStringLiteral("%1  %2").arg(row.data().toString().toHtmlEscaped(),
                                     significant(row.data(CandidateModel::ProbabilityRole).toDouble(), 4)),
        m_view);
}

} // namespace attn::ui
