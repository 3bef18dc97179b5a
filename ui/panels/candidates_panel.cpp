// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/candidates_panel.h"

#include "state/strings.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr int longestLabel = 14;

QString barLabel(const std::string& piece, std::size_t rank)
{
    QString label = text(piece);
    label.replace(QChar(0x2581), QChar(0x00B7));
    if (label.size() > longestLabel)
        label = label.left(longestLabel - 1) + QChar(0x2026);
    // Categories must differ: an invisible mark keeps tokens of the same spelling apart.
    return label + QString(static_cast<qsizetype>(rank), QChar(0x200B));
}

} // namespace

CandidatesPanel::CandidatesPanel(Document& document, Selection& selection, Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_appearance(appearance)
    , m_title(new QLabel)
{
    setObjectName(QStringLiteral("candidatesPanel"));
    m_title->setObjectName(QStringLiteral("candidatesTitle"));
    m_title->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 4);
    layout->addWidget(m_title);
    layout->addStretch();
}

void CandidatesPanel::activate()
{
    if (m_view != nullptr)
        return;
    m_view = new QChartView;
    m_view->setObjectName(QStringLiteral("candidatesChart"));
    m_view->setAccessibleName(tr("Most probable next tokens"));
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setFrameShape(QFrame::NoFrame);
    delete layout()->takeAt(1);
    qobject_cast<QVBoxLayout*>(layout())->addWidget(m_view, 1);
    connect(&m_document, &Document::traceChanged, this, &CandidatesPanel::draw);
    connect(&m_appearance, &Appearance::changed, this, &CandidatesPanel::draw);
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & (Selection::StepField | Selection::LeafField))
            draw();
    });
    draw();
}

void CandidatesPanel::draw()
{
    const auto path = m_document.trace().path(m_selection.leaf());
    const auto position = static_cast<std::size_t>(std::max(0, m_selection.step()));
    auto* chart = new QChart;
    chart->setTheme(m_appearance.theme() == Theme::Dark ? QChart::ChartThemeDark : QChart::ChartThemeLight);
    chart->setMargins({0, 0, 6, 0});
    chart->setBackgroundRoundness(0);
    chart->legend()->hide();
    if (m_selection.step() < 0 || position >= path.size() || path[position]->step.candidates.empty()) {
        m_title->setText(tr("No candidates for this step."));
    } else {
        const TraceStep& step = *path[position];
        const auto& candidates = step.step.candidates;
        auto* others = new QBarSet(tr("candidates"));
        auto* taken = new QBarSet(tr("taken"));
        auto* tokens = new QBarCategoryAxis;
        double most = 0;
        for (std::size_t i = candidates.size(); i-- > 0;) { // the chart draws upwards
            const double probability = std::exp(static_cast<double>(candidates[i].logProbability));
            const bool isTaken = candidates[i].token == step.step.token;
            others->append(isTaken ? 0 : probability);
            taken->append(isTaken ? probability : 0);
            tokens->append(barLabel(step.candidateTexts[i], i));
            most = std::max(most, probability);
        }
        const bool dark = m_appearance.theme() == Theme::Dark;
        others->setColor(dark ? QColor(0x6b, 0x7f, 0xa8) : QColor(0x9a, 0xac, 0xc8));
        taken->setColor(dark ? QColor(0xf2, 0xa5, 0x4a) : QColor(0xc8, 0x62, 0x0b));
        for (QBarSet* set : {others, taken})
            set->setBorderColor(Qt::transparent);
        auto* series = new QHorizontalStackedBarSeries;
        series->append(others);
        series->append(taken);
        series->setBarWidth(0.8);
        chart->addSeries(series);
        auto* values = new QValueAxis;
        values->setRange(0, most > 0.5 ? 1.0 : std::ceil(most * 10) / 10);
        values->setTickCount(3);
        values->setLabelFormat(QStringLiteral("%.2f"));
        values->setTitleText(tr("probability"));
        tokens->setGridLineVisible(false);
        chart->addAxis(tokens, Qt::AlignLeft);
        chart->addAxis(values, Qt::AlignBottom);
        series->attachAxis(tokens);
        series->attachAxis(values);
        connect(series, &QAbstractBarSeries::hovered, this, [this, step](bool status, int index, QBarSet*) {
            const auto rank = step.step.candidates.size() - 1 - static_cast<std::size_t>(index);
            if (!status || rank >= step.step.candidates.size())
                return QToolTip::hideText();
            const double probability = std::exp(static_cast<double>(step.step.candidates[rank].logProbability));
            QToolTip::showText(
                QCursor::pos(),
                QStringLiteral("%1  %2").arg(text(step.candidateTexts[rank])).arg(probability, 0, 'g', 4), m_view);
        });
        m_title->setText(
            tr("Candidates for step %1, taken: %2").arg(m_selection.step()).arg(text(step.text).toHtmlEscaped()));
    }
    QChart* old = m_view->chart();
    m_view->setChart(chart);
    delete old;
}

} // namespace attn::ui
