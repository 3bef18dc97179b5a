// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/decoding.h"

#include "base/index.h"
#include "figures/kinds/heatmap.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>

namespace attn::ui {

namespace {

constexpr double decodingMargin = 12;
constexpr double decodingGap = 8;
constexpr double betweenPanels = 28;

std::string pieceOf(const Encoding& encoding, std::size_t token)
{
    const auto& pieces = encoding.labels.empty() ? encoding.tokens : encoding.labels;
    return token < pieces.size() ? pieces[token] : std::string();
}

} // namespace

DecodingFigure::DecodingFigure(const FigureSpec& spec, const Trace& trace, QSizeF size)
    : m_style(spec)
{
    const bool reads = trace.kind() == ModelKind::EncoderOnly;
    const Trace::Path path = !reads && spec.leaf < trace.stepCount() ? trace.path(spec.leaf) : Trace::Path{};
    const bool something = reads ? trace.summary().has_value() && trace.source().size() > 0 : !path.empty();
    if (something && reads) {
        readToken(spec, trace);
    } else if (something) {
        readStep(spec, trace, path);
    } else {
        m_empty = trace.kind() == ModelKind::DecoderOnly && trace.summary()
            ? QStringLiteral("One token has no history: continue the text")
            : QStringLiteral("Nothing has been decoded yet");
        m_description = m_empty;
    }
    layOut(size);
}

// A token that an encoder-only model read: what it attends to, and what the model expects in its place.
void DecodingFigure::readToken(const FigureSpec& spec, const Trace& trace)
{
    const int token = shownToken(spec, trace);
    const auto labels = tokenAxis(trace.source());
    m_title = figureTitle(spec, trace);
    if (spec.title.isEmpty())
        m_title.title = QStringLiteral("Token %1 (0 to %2)").arg(token).arg(labels.size() - 1);
    for (int i = 0; i < token; ++i)
        m_before += readableToken(labels[i].label) + QLatin1Char(' ');
    m_token = readableToken(labels[token].label);
    for (std::size_t i = static_cast<std::size_t>(token) + 1; i < labels.size(); ++i)
        m_after += QLatin1Char(' ') + readableToken(labels[i].label);
    readAttention(spec, trace, token);
    m_description = QStringList{m_title.title, QStringLiteral(": "), m_token}.join(QString());
    if (trace.classification())
        readClasses(*trace.classification());
    else
        readPrediction(spec, trace, token);
}

// What a classifier makes of the whole text, the most probable class first.
void DecodingFigure::readClasses(const Classification& result)
{
    m_candidates.title = QStringLiteral("probability of the class");
    for (std::size_t i = 0; i < result.probabilities.size() && i < result.labels.size(); ++i)
        m_candidates.bars.push_back({readableToken(result.labels[i]),
                                     static_cast<double>(result.probabilities[i]),
                                     static_cast<int>(i) == result.best(),
                                     static_cast<int>(i),
                                     {}});
    std::ranges::stable_sort(m_candidates.bars, std::ranges::greater(), &Bar::value);
    m_candidates.end = weightScaleEnd(result.probabilities);
    m_description += QStringLiteral(". Class: ") + readableToken(result.labels.at(result.best()));
}

// What a masked-token head expects in the token's place.
void DecodingFigure::readPrediction(const FigureSpec& spec, const Trace& trace, int token)
{
    m_candidates.title = QStringLiteral("probability of the token here");
    m_candidates.missing = spec.archive ? QStringLiteral("This archive holds no masked-token predictions")
                                        : QStringLiteral("This model has no masked-token predictions");
    const auto found = std::ranges::find_if(
        trace.predictions(), [token](const auto& prediction) { return prediction->prediction.position == token; });
    if (found == trace.predictions().end())
        return;
    const MaskedPrediction& prediction = (*found)->prediction;
    const auto index = static_cast<std::size_t>(token);
    readCandidates(prediction.candidates, (*found)->candidateTexts,
                   {trace.source().ids[index], prediction.logProbability}, pieceOf(trace.source(), index));
    if (!m_candidates.bars.empty())
        m_description +=
            QStringList{QStringLiteral(". The model expects "), m_candidates.bars.front().label,
                        QStringLiteral(" with probability %1.").arg(decimal(m_candidates.bars.front().value, 2))}
                .join(QString());
}

void DecodingFigure::readStep(const FigureSpec& spec, const Trace& trace, const Trace::Path& path)
{
    const bool continues = trace.kind() == ModelKind::DecoderOnly;
    const auto last = indexSize(path) - 1;
    const int position = spec.currentStep < 0 ? last : std::min(spec.currentStep, last);
    const TraceStep& step = *path[position];
    m_title = figureTitle(spec, trace);
    if (spec.title.isEmpty())
        m_title.title =
            (continues && position + 1 < firstGenerated(trace) ? QStringLiteral("Reading the prompt: step %1 (0 to %2)")
                                                               : QStringLiteral("Decoding: step %1 (0 to %2)"))
                .arg(position)
                .arg(last);
    // A decoder-only model's first token is where it starts from.
    const auto labels = tokenAxis(continues ? trace.sequence(spec.leaf) : trace.target(spec.leaf));
    const int taken = continues ? position + 1 : position;
    for (int i = 0; i < taken; ++i)
        m_before += readableToken(labels[i].label) + QLatin1Char(' ');
    m_token = readableToken(labels[taken].label);
    readAttention(spec, trace, position);
    m_candidates.title = QStringLiteral("probability of the next token");
    m_candidates.missing = QStringLiteral("No candidates were stored");
    if (!step.step.candidates.empty())
        readCandidates(step.step.candidates, step.candidateTexts, {step.step.token, step.step.logProbability},
                       step.text);
    const double probability = std::exp(static_cast<double>(step.step.logProbability));
    m_description = QStringList{m_title.title, QStringLiteral(": "), m_before, m_token,
                                QStringLiteral(". Taken with probability %1.").arg(decimal(probability, 2))}
                        .join(QString());
}

namespace {

// Of rows that are no tokens, the one that attends to a column most; the first for a column that is not there.
int strongestRow(const ShownMatrix& shown, int column)
{
    int strongest = 0;
    for (int row = 1; column >= 0 && column < shown.matrix.columns && row < shown.matrix.rows; ++row) {
        if (shown.matrix.at(row, column) > shown.matrix.at(strongest, column))
            strongest = row;
    }
    return strongest;
}

} // namespace

void DecodingFigure::readAttention(const FigureSpec& spec, const Trace& trace, int position)
{
    FigureSpec tokens = spec;
    tokens.words = false;
    tokens.pair = PairFilter::All;
    const bool reads = trace.kind() == ModelKind::EncoderOnly;
    if (tokens.site.stage == Stage::Encoder && !reads) { // says nothing about a step
        const auto sites = trace.sites();
        if (!sites.empty())
            tokens.site = sites.back();
    }
    const ShownMatrix shown = shownMatrix(tokens, trace);
    const QString head = headName(tokens.head, trace.heads(tokens.site));
    const bool output = tokens.site.stage == Stage::Decoder && trace.kind() == ModelKind::EncoderDecoder;
    const bool all = trace.kind() == ModelKind::EncoderDecoder;
    m_attention.title = QStringLiteral("attention over the %1")
                            .arg(output      ? QStringLiteral("output so far")
                                     : all   ? QStringLiteral("source")
                                     : reads ? QStringLiteral("text")
                                             : QStringLiteral("text so far"));
    if (!head.isEmpty() && trace.heads(tokens.site) > 1)
        m_attention.title += QStringLiteral(" (layer %1, %2)").arg(tokens.site.layer).arg(head);
    m_attention.missing = shown.missing;
    m_attention.numbered = trace.columnAxis(tokens.site) == AttentionAxis::Tokens; // others have their numbers already
    int row = groupOf(shown.rowGroups, position);
    if (reads && trace.rowAxis(tokens.site) != AttentionAxis::Tokens) {
        row = strongestRow(shown, groupOf(shown.columnGroups, position));
        m_attention.title = QStringList{QStringLiteral("attention of \u201C"), shown.rowLabels.value(row),
                                        QStringLiteral("\u201D over the text")}
                                .join(QString());
    }
    if ((tokens.site.stage == Stage::Encoder && !reads) || row < 0 || row >= shown.matrix.rows)
        return;
    std::vector<float> weights;
    for (int column = 0; column < shown.matrix.columns; ++column) {
        const float weight = shown.matrix.at(row, column);
        if (tokens.site.stage == Stage::Decoder && isFuture(shown, row, column) && !(weight > 0))
            break;
        weights.push_back(weight);
        m_attention.bars.push_back({shown.columnLabels.value(column),
                                    static_cast<double>(weight),
                                    false,
                                    shown.columnGroups.at(column).first,
                                    {}});
    }
    m_attention.end = weightScaleEnd(weights);
}

// The token that stands there is shown also when it is none of the most probable ones.
void DecodingFigure::readCandidates(const std::vector<Candidate>& candidates, const std::vector<std::string>& pieces,
                                    const Candidate& taken, const std::string& takenPiece)
{
    bool found = false;
    std::vector<float> values;
    const auto add = [&](const std::string& piece, const Candidate& candidate) {
        const double probability = std::exp(static_cast<double>(candidate.logProbability));
        values.push_back(static_cast<float>(probability));
        m_candidates.bars.push_back(
            {readableToken(piece), probability, candidate.token == taken.token, indexSize(m_candidates.bars), {}});
        found = found || candidate.token == taken.token;
    };
    for (std::size_t i = 0; i < candidates.size(); ++i)
        add(i < pieces.size() ? pieces[i] : QStringLiteral("<%1>").arg(candidates[i].token).toStdString(),
            candidates[i]);
    if (!found)
        add(takenPiece, taken);
    m_candidates.end = weightScaleEnd(values);
}

QRectF DecodingFigure::cellRect(int, int) const
{
    return {};
}

void DecodingFigure::layOutPanel(Panel& panel, QRectF box) const
{
    panel.box = box;
    if (panel.bars.empty())
        return;
    const QFontMetricsF metrics(m_style.font);
    const double top = box.top() + QFontMetricsF(m_style.small).height() + decodingGap;
    const double room = std::max(1.0, box.bottom() - top);
    const auto fitting = static_cast<std::size_t>(std::max(2.0, room / metrics.height()));
    if (panel.bars.size() > fitting)
        cut(panel, fitting - 1);
    const std::size_t lines = panel.bars.size() + (panel.rest.isEmpty() ? 0 : 1);
    const double pitch = std::min(room / static_cast<double>(lines), metrics.height() * 1.5);
    const auto line = [&](std::size_t i) {
        return QRectF(box.left(), top + pitch * static_cast<double>(i), box.width(), pitch);
    };
    for (std::size_t i = 0; i < panel.bars.size(); ++i) {
        panel.bars[i].box = line(i);
        panel.labelWidth = std::max(panel.labelWidth, labelWidth(panel.bars[i].label, QFontMetricsF(m_style.strong)));
    }
    panel.restBox = line(panel.bars.size());
    panel.labelWidth = std::min(panel.labelWidth + 1, box.width() * 0.4);
}

// Leaves the largest ones, and the taken one, in falling order.
void DecodingFigure::cut(Panel& panel, std::size_t most)
{
    std::vector<Bar>& bars = panel.bars;
    const auto end = bars.begin() + static_cast<std::ptrdiff_t>(most);
    const auto larger = [](const Bar& a, const Bar& b) { return a.value > b.value; };
    std::ranges::stable_sort(bars,
                             [&](const Bar& a, const Bar& b) { return a.taken != b.taken ? a.taken : larger(a, b); });
    double sum = 0;
    for (auto left = end; left != bars.end(); ++left)
        sum += left->value;
    panel.rest = QStringLiteral("and %1 more, together %2").arg(bars.end() - end).arg(probabilityText(sum));
    bars.erase(end, bars.end());
    std::ranges::stable_sort(bars, larger);
    if (!panel.numbered)
        return;
    for (Bar& bar : bars)
        bar.label = QStringLiteral("%1: ").arg(bar.place) + bar.label;
}

void DecodingFigure::layOut(QSizeF wanted)
{
    m_size = wanted;
    const QFontMetricsF metrics(m_style.font);
    const auto lines = static_cast<double>(std::max(m_attention.bars.size(), m_candidates.bars.size()));
    const double outputTop = decodingMargin + headerHeight(m_style) + decodingGap;
    m_output = QRectF(decodingMargin, outputTop, wanted.width() - 2 * decodingMargin, metrics.height() * 1.8);
    const double top = m_output.bottom() + 1.5 * decodingGap;
    const double head = QFontMetricsF(m_style.small).height() + decodingGap;
    if (wanted.height() <= 0) {
        const double bars = std::min(metrics.height() * 1.4 * std::max(lines, 3.0), 1.6 * wanted.width());
        m_size.setHeight(m_empty.isEmpty() ? top + head + bars + decodingMargin : wanted.width() * 0.3);
    }
    const double height = std::max(20.0, m_size.height() - top - decodingMargin);
    const double width = std::max(20.0, (m_size.width() - 2 * decodingMargin - betweenPanels) / 2);
    layOutPanel(m_attention, QRectF(decodingMargin, top, width, height));
    layOutPanel(m_candidates, QRectF(decodingMargin + width + betweenPanels, top, width, height));
}

void DecodingFigure::paintOutput(QPainter& painter) const
{
    painter.fillRect(m_output, m_style.colors.blank);
    const QFontMetricsF metrics(m_style.font);
    const QFontMetricsF strong(m_style.strong);
    const QRectF room = m_output.adjusted(decodingGap, 0, -decodingGap, 0);
    const QString token = elided(m_token, strong, room.width());
    const double tokenWidth = strong.horizontalAdvance(token);
    // What is next to the token matters most; the larger part is for what stands before it.
    const double rest = std::max(0.0, room.width() - tokenWidth);
    const double beforeRoom = std::max(rest - labelWidth(m_after, metrics), rest * 0.6);
    const QString before = metrics.elidedText(m_before, Qt::ElideLeft, beforeRoom);
    const double beforeWidth = metrics.horizontalAdvance(before);
    const QString after = elided(m_after, metrics, std::max(0.0, rest - beforeWidth));
    painter.setFont(m_style.font);
    painter.setPen(m_style.colors.ink);
    drawLabel(painter, {room.left(), room.top(), beforeWidth + 0.1, room.height()}, Qt::AlignLeft, before);
    painter.setFont(m_style.strong);
    painter.setPen(m_style.colors.accent);
    drawLabel(painter, {room.left() + beforeWidth, room.top(), tokenWidth + 0.1, room.height()}, Qt::AlignLeft, token);
    painter.setFont(m_style.font);
    painter.setPen(m_style.colors.muted);
    const double afterLeft = room.left() + beforeWidth + tokenWidth;
    drawLabel(painter, {afterLeft, room.top(), metrics.horizontalAdvance(after) + 0.1, room.height()}, Qt::AlignLeft,
              after);
}

void DecodingFigure::paintPanel(QPainter& painter, const Panel& panel) const
{
    const QFontMetricsF small(m_style.small);
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    drawLabel(painter, {panel.box.left(), panel.box.top(), panel.box.width(), small.height()}, Qt::AlignLeft,
              panel.title);
    if (panel.bars.empty()) {
        painter.drawText(panel.box.adjusted(0, small.height() + decodingGap, 0, 0),
                         static_cast<int>(Qt::AlignLeft) | Qt::AlignTop | Qt::TextWordWrap, panel.missing);
        return;
    }
    const double numbers = small.horizontalAdvance(QStringLiteral("<0.001"));
    const double left = panel.box.left() + panel.labelWidth + decodingGap;
    const double room = std::max(1.0, panel.box.right() - left - numbers - decodingGap);
    const double pitch = panel.bars.front().box.height();
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.drawLine(QPointF(left, panel.bars.front().box.top()), QPointF(left, panel.bars.back().box.bottom()));
    for (const Bar& bar : panel.bars) {
        const double width = room * std::clamp(bar.value / panel.end, 0.0, 1.0);
        painter.fillRect(QRectF(left, bar.box.top() + pitch * 0.14, std::max(width, 0.5), pitch * 0.72),
                         bar.taken ? m_style.colors.accent : m_style.colors.bar);
        painter.setFont(bar.taken ? m_style.strong : m_style.font);
        painter.setPen(bar.taken ? m_style.colors.accent : m_style.colors.ink);
        drawLabel(painter, {panel.box.left(), bar.box.top(), panel.labelWidth, pitch}, Qt::AlignRight, bar.label);
        painter.setFont(m_style.small);
        painter.setPen(m_style.colors.muted);
        drawLabel(painter, {left + width + 5, bar.box.top(), numbers + 2, pitch}, Qt::AlignLeft,
                  probabilityText(bar.value));
    }
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    drawLabel(painter, panel.restBox.adjusted(left - panel.box.left(), 0, 0, 0), Qt::AlignLeft, panel.rest);
}

void DecodingFigure::paint(QPainter& painter, const Highlight&) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    if (!m_empty.isEmpty()) {
        paintEmpty(painter, m_style, m_size, m_empty);
        return;
    }
    paintHeader(painter, m_style, m_title, decodingMargin, m_size.width() - decodingMargin);
    paintOutput(painter);
    paintPanel(painter, m_attention);
    paintPanel(painter, m_candidates);
}

FigureHit DecodingFigure::hitTest(QPointF point) const
{
    FigureHit hit;
    for (const Panel* panel : {&m_attention, &m_candidates}) {
        for (const Bar& bar : panel->bars) {
            if (bar.box.contains(point)) {
                hit.part = panel == &m_candidates ? FigureHit::Part::Candidate : FigureHit::Part::ColumnLabel;
                hit.column = bar.place;
                hit.value = static_cast<float>(bar.value);
                hit.text = bar.label + QStringLiteral("   ") + decimal(bar.value, 4);
                return hit;
            }
        }
    }
    return hit;
}

const FigureKind decodingKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<DecodingFigure>(spec, trace, size);
    },
    .numbers = heatmapContent,
    .drawsSite = false};

} // namespace attn::ui
