// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/output_change.h"
#include "base/encoding.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/running_text.h"
#include "figures/parts/token_figure.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double labelledGap = 8;
constexpr double labelledGround = 0.45; // opacity of a label's colour: letters stay readable on it
constexpr double swatch = 11;

// Probabilities of each token's labels, or that the answer begins and ends there: [tokens, labels].
Numbers labelProbabilities(const TokenPredictions& predictions)
{
    Numbers shares = Numbers::of(predictions.logits);
    if (predictions.task == TaskHead::Tokens) {
        for (Index token = 0; token < shares.rows; ++token)
            std::ranges::copy(predictions.ofToken(token).probabilities, shares.row(token).begin());
        return shares;
    }
    for (Index end = 0; end < shares.columns; ++end) {
        std::vector<float> logits;
        for (Index token = 0; token < shares.rows; ++token)
            logits.push_back(shares.at(token, end));
        const auto probabilities = classification({}, logits).probabilities;
        for (Index token = 0; token < shares.rows; ++token)
            shares.at(token, end) = probabilities[static_cast<std::size_t>(token)];
    }
    return shares;
}

std::vector<AxisGroup> labelledTokens(const FigureSpec& spec, const Trace& trace)
{
    std::vector<AxisGroup> tokens = tokenAxis(trace.source());
    if (spec.specials != SpecialTokens::Shown)
        std::erase_if(tokens, [&](const AxisGroup& token) { return isSpecial(trace.source(), token.first); });
    int place = 0; // among those that are shown
    std::erase_if(tokens, [&](const AxisGroup&) {
        const int here = place++;
        return spec.rows && (here < spec.rows->first || here > spec.rows->last);
    });
    return tokens;
}

// Rows are tokens, columns labels, or the beginning and the end of an answer.
MatrixContent labelsContent(const FigureSpec& spec, const Trace& trace)
{
    MatrixContent content;
    const auto& predictions = trace.tokenPredictions();
    const bool spans = predictions && predictions->task == TaskHead::Span;
    content.title.title = !spec.title.isEmpty() ? spec.title
        : spans                                 ? titleOfRun(Figure::tr("Answer"), trace)
                                                : titleOfRun(Figure::tr("Labels of the tokens"), trace);
    content.title.subtitle = readableToken(trace.provenance().model);
    const std::vector<AxisGroup> tokens = predictions ? labelledTokens(spec, trace) : std::vector<AxisGroup>();
    if (tokens.empty() || predictions->logits.rows < indexSize(trace.source())) {
        content.empty = predictions ? missingText(Missing::Tokens, spec, trace)
                                    : Figure::tr("This model labels no tokens and looks for no answer");
        content.description = content.empty;
        return content;
    }
    for (const std::string& label : predictions->labels)
        content.columnLabels << readableToken(label);
    if (spans)
        content.columnLabels = {Figure::tr("begins here"), Figure::tr("ends here")};
    const Numbers probabilities = labelProbabilities(*predictions);
    content.map.rows.groups = tokens;
    content.map.numbers = Numbers::zeros(1, indexSize(tokens), probabilities.columns);
    for (const AxisGroup& token : tokens) {
        const auto row = static_cast<Index>(content.rowLabels.size());
        content.rowLabels << readableToken(token.label);
        std::ranges::copy(probabilities.row(token.first), content.map.numbers.row(row).begin());
    }
    content.rowAxis = Figure::tr("token");
    content.columnAxis = Figure::tr("label");
    content.valueName = Figure::tr("probability");
    if (const auto step = markedStep(spec, trace))
        content.markedRow = content.map.rows.indexOf(*step);
    return content;
}

// Beginnings and insides of one entity, B-LOC and I-LOC, have one colour.
QString entityOf(const QString& label)
{
    return label.size() > 2 && label[1] == QLatin1Char('-') ? label.mid(2) : label;
}

// The text with the label of each token as its ground, or with the answer that was found in it.
class LabelledText final : public TokenFigure
{
public:
    LabelledText(const FigureSpec& spec, const Trace& trace, QSizeF size)
        : TokenFigure(spec, labelsContent(spec, trace), size)
    {
        m_spec.shading = Shading::AttendedTo; // rows alone are tokens
        if (hasNothing())
            return;
        takeLabels(trace);
        layOut(trace);
    }

protected:
    QString valuesOf(TokenPlace place) const override { return m_said.value(place.index); }

    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        {
            const SavedPainter saved(painter);
            painter.setClipRect(m_room);
            paintGrounds(painter);
            painter.setPen(m_style.colors.ink);
            m_text.paint(painter, m_room.topLeft());
            paintOutlines(painter, highlight,
                          m_content.markedRow ? std::vector{*m_content.markedRow} : std::vector<int>());
        }
        paintLegend(painter);
    }

private:
    int tokenOf(int row) const { return m_content.map.rows.groups[static_cast<std::size_t>(row)].first; }

    // The label of each token, its colour and what is said of it.
    void takeLabels(const Trace& trace)
    {
        const TokenPredictions& predictions = *trace.tokenPredictions();
        m_entities.resize(m_content.map.rows.groups.size());
        if (predictions.task == TaskHead::Span) {
            const auto best = bestSpan(predictions, trace.source());
            m_legend = {tr("answer")};
            for (int row = 0; row < rows(); ++row) {
                const int token = tokenOf(row);
                if (best && token >= best->first && token <= best->last)
                    m_entities[static_cast<std::size_t>(row)] = 0;
                m_said << tr("begins here %1, ends here %2")
                              .arg(probabilityText(m_content.map.at(row, 0)),
                                   probabilityText(m_content.map.at(row, 1)));
            }
            m_description = best
                ? tr("%1: %2, probability %3.")
                      .arg(m_title.title, readableToken(textOf(trace.source(), *best)), decimal(best->probability, 2))
                : tr("%1: none was found.").arg(m_title.title);
            return;
        }
        QStringList named;
        for (int row = 0; row < rows(); ++row) {
            const Classification one = predictions.ofToken(tokenOf(row));
            const int best = one.best();
            const QString label = m_content.columnLabels.value(best);
            m_said << label + QLatin1Char(' ') + probabilityText(m_content.map.at(row, best));
            if (label == QLatin1String("O")) // outside of everything that is looked for
                continue;
            named << m_content.rowLabels.value(row) + QLatin1Char(' ') + label;
            const QString entity = entityOf(label);
            if (!m_legend.contains(entity))
                m_legend << entity;
            m_entities[static_cast<std::size_t>(row)] = static_cast<int>(m_legend.indexOf(entity));
        }
        m_description = m_title.title + QStringLiteral(": ")
            + (named.isEmpty() ? tr("no token has a label but O.") : named.join(QStringLiteral(", ")));
    }

    void layOut(const Trace& trace)
    {
        std::vector<AxisGroup> tokens;
        for (int row = 0; row < rows(); ++row)
            tokens.push_back({m_content.rowLabels.value(row).toStdString(), tokenOf(row), 1});
        const std::vector<TextPiece> pieces = textPieces(trace.source(), tokens);
        const double width = m_size.width() - 2 * margin;
        const double top = margin + headerHeight() + labelledGap;
        const double legend = layOutLegend(width) + labelledGap;
        double room = m_size.height() - top - legend - margin;
        for (const double scale : {1.4, 1.2, 1.0, 0.85, 0.7}) { // as large as fits
            m_text = RunningText(pieces, figureFont(m_spec.baseFontPoints * scale, m_spec.fontFamily), width);
            if (m_text.height() <= room || (m_size.height() <= 0 && scale <= 1))
                break;
        }
        if (m_size.height() <= 0) {
            room = m_text.height();
            m_size.setHeight(top + room + legend + margin);
        }
        m_room = QRectF(margin, top, width, std::min(m_text.height(), std::max(room, 1.0)) + 2);
        m_legendTop = m_room.bottom() + labelledGap;
        addMarks(m_text, m_room.topLeft(), TokenSide::Rows);
        m_flow = m_text.isRightToLeft() ? Flow::TextFromRight : Flow::Text;
    }

    // Returns its height; entries flow into lines.
    double layOutLegend(double width)
    {
        const QFontMetricsF metrics(m_style.small);
        QPointF at;
        for (const QString& name : std::as_const(m_legend)) {
            const double wide = swatch + labelledGap / 2 + labelWidth(name, metrics) + 2 * labelledGap;
            if (at.x() > 0 && at.x() + wide > width)
                at = {0, at.y() + metrics.height() * 1.3};
            m_legendPlaces.push_back(at);
            at.rx() += wide;
        }
        return m_spec.noLegend || m_legend.isEmpty() ? 0 : at.y() + metrics.height();
    }

    QColor ground(int entity) const
    {
        return mixed(m_style.colors.background, headColor(entity, m_spec.theme), labelledGround);
    }

    void paintGrounds(QPainter& painter) const
    {
        for (std::size_t row = 0; row < marks().size(); ++row) {
            for (const QRectF& box : marks()[row].boxes) {
                if (m_entities[row])
                    painter.fillRect(box, ground(*m_entities[row]));
            }
        }
    }

    void paintLegend(QPainter& painter) const
    {
        const double line = QFontMetricsF(m_style.small).height();
        for (int entity = 0; entity < (m_spec.noLegend ? 0 : indexSize(m_legendPlaces)); ++entity) {
            const QPointF at = QPointF(margin, m_legendTop) + m_legendPlaces[static_cast<std::size_t>(entity)];
            painter.fillRect(QRectF(at.x(), at.y() + (line - swatch) / 2, swatch, swatch), ground(entity));
            drawLabel(painter, m_style.small, m_style.colors.muted,
                      {at.x() + swatch + labelledGap / 2, at.y(), m_size.width(), line}, Qt::AlignLeft,
                      m_legend.value(entity));
        }
    }

    std::vector<std::optional<int>> m_entities; // of each row, into the legend
    QStringList m_legend;
    QStringList m_said; // of each row
    std::vector<QPointF> m_legendPlaces;
    RunningText m_text;
    double m_legendTop = 0;
};

} // namespace

// The labels that a head gives to tokens, or the answer that it finds.
extern const FigureKind labelsKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<LabelledText>(spec, trace, size);
    },
    .numbers = labelsContent,
    .drawsSite = false,
    .isIn = [](const Trace& trace) { return trace.tokenPredictions() != nullptr; },
    .cost = tokensCost};

} // namespace attn::ui
