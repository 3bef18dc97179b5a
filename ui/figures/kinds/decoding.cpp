// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "base/index.h"
#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_range.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/look/value_scale.h"
#include "figures/parts/cell_marks.h"
#include "figures/parts/no_numbers.h"
#include "figures/parts/running_text.h"
#include "figures/parts/styled_figure.h"
#include "maps/map_range.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>

namespace attn::ui {

namespace {

constexpr double decodingGap = 8;
constexpr double betweenPanels = 28;
constexpr double axisTick = 2; // between the numbers of an axis and the bars
constexpr double arrowWidth = 5;
constexpr double leastBar = 0.5;

// The row, of rows that are no tokens, that attends to a column most; the first for a column that is not there.
int strongestRow(const Map& map, std::optional<int> column)
{
    int strongest = 0;
    for (int row = 1; column && row < map.numbers.rows; ++row) {
        if (numberOrLeast(map.at(row, *column)) > numberOrLeast(map.at(strongest, *column)))
            strongest = row;
    }
    return strongest;
}

// As the text that they are of, in one line.
QString joined(const std::vector<TextPiece>& pieces, int from, int to)
{
    QString text;
    for (int i = from; i < to; ++i)
        text += (i > 0 && pieces[i].before.contains(QLatin1Char('\n')) ? QStringLiteral(" ") : pieces[i].before)
            + pieces[i].text;
    return text;
}

// One decoding step: the output so far, the step's attention over its input as bars, and its candidates. For an
// encoder-only model one token: its attention, and what a masked-token head expects in its place.
class DecodingFigure final : public StyledFigure
{
public:
    DecodingFigure(const FigureSpec& spec, const Trace& trace, QSizeF size)
        : StyledFigure(spec, size)
        , m_numbers(spec.numbers != CellNumbers::Off)
    {
        const bool reads = trace.stepsAreTokens();
        const std::optional<int> step = shownStep(spec, trace);
        if (step && (!reads || trace.summary()))
            read(spec, trace, *step);
        else
            m_empty = m_description = trace.continuesSource() && trace.summary()
                ? tr("One token has no history: continue the text")
                : tr("Nothing has been decoded yet: the steps appear here when something has been read");
        layOut();
    }

    FigureHit hitTest(QPointF point) const override
    {
        for (const Panel* panel : {&m_attention, &m_candidates}) {
            for (const Bar& bar : panel->bars) {
                if (!bar.box.contains(point))
                    continue;
                const bool attention = panel == &m_attention;
                FigureHit hit = cellHit(attention ? m_row : std::nullopt, bar.place, bar.value, said(bar));
                hit.part = attention ? FigureHit::Part::ColumnLabel : FigureHit::Part::Candidate;
                hit.site = m_site;
                return hit;
            }
        }
        FigureHit hit;
        if (const QRectF& axis = m_attention.axis; axis.contains(point)) {
            const double value = m_attention.scale.valueAt((point.x() - axis.left()) / axis.width());
            hit.part = FigureHit::Part::ColorBar;
            hit.value = static_cast<float>(value);
            hit.text = tr("attention weight: %1").arg(significant(value, 3));
        }
        return hit;
    }

    // Two columns of bars: the attention, and what could come here.
    int rows() const override
    {
        return m_empty ? 0 : std::max(indexSize(m_attention.bars), indexSize(m_candidates.bars));
    }
    int columns() const override { return rows() > 0 ? 2 : 0; }

    QRectF cellRect(int row, int column) const override
    {
        const Bar* const bar = barAt({row, column});
        return bar == nullptr ? QRectF() : bar->box;
    }

    FigureTable table() const override
    {
        FigureTable table = StyledFigure::table();
        table.text = table.tip = [this](FigureCell cell) -> QString {
            if (cell.row == FigureTable::header)
                return (cell.column == 0 ? m_attention : m_candidates).title;
            if (cell.column == FigureTable::header)
                return QString::number(cell.row + 1);
            const Bar* const bar = barAt(cell);
            return bar == nullptr ? QString() : said(*bar);
        };
        table.place = [this](const FigureHit& hit) -> std::optional<FigureCell> {
            const bool candidate = hit.part == FigureHit::Part::Candidate;
            if (!hit.column || (!candidate && hit.part != FigureHit::Part::ColumnLabel))
                return std::nullopt;
            const std::vector<Bar>& bars = (candidate ? m_candidates : m_attention).bars;
            const auto found = std::ranges::find(bars, *hit.column, &Bar::place);
            return FigureCell{static_cast<int>(found - bars.begin()), candidate ? 1 : 0};
        };
        return table;
    }

    std::optional<ScaleBar> scaleBar() const override
    {
        const Panel& panel = m_attention;
        return panel.axis.isEmpty() ? std::nullopt : std::optional(ScaleBar{panel.scale, panel.axis});
    }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        paintOutput(painter);
        paintPanel(painter, m_attention);
        paintPanel(painter, m_candidates);
        if (const Bar* const walked = highlight.cursor ? barAt(*highlight.cursor) : nullptr) {
            painter.setPen(QPen(m_style.colors.cursor, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(walked->box);
        }
    }

private:
    struct Bar : BarListContent::Entry
    {
        int place = 0; // among all of them
        CellMark edit = CellMark::Unedited;
        QRectF box{}; // the whole line
    };
    struct Panel
    {
        QString title;
        QString missing; // said instead of bars
        bool numbered = false; // places are said where the bars are not in their order
        QRectF box{};
        double labelWidth = 0;
        ValueScale scale; // of the bars' lengths
        QRectF axis{}; // where its ticks stand, as wide as the longest bar
        std::vector<Bar> bars;
        QString rest; // what is left out, and where that is said
        QRectF restBox{};
    };

    const Bar* barAt(FigureCell cell) const // null: the column is shorter
    {
        const std::vector<Bar>& bars = (cell.column == 0 ? m_attention : m_candidates).bars;
        const bool has = cell.column >= 0 && cell.row >= 0 && cell.row < indexSize(bars);
        return has ? &bars[static_cast<std::size_t>(cell.row)] : nullptr;
    }

    static QString said(const Bar& bar)
    {
        return bar.label + QStringLiteral("   ") + numberText(bar.value, decimal(bar.value, 4)) + markNote(bar.edit);
    }

    void read(const FigureSpec& asked, const Trace& trace, int step)
    {
        const bool reads = trace.stepsAreTokens();
        const Encoding tokens = trace.textAndNext(asked.leaf);
        const bool isNext = step == trace.unwrittenRow(asked.leaf);
        const int shown = step + trace.firstStepToken();
        FigureSpec spec = asked;
        if (reads && isSpecial(tokens, shown)) // it is asked for
            spec.specials = SpecialTokens::Shown;
        auto labels = tokenAxis(tokens);
        if (spec.specials != SpecialTokens::Shown)
            std::erase_if(
                labels, [&](const AxisGroup& token) { return token.first != shown && isSpecial(tokens, token.first); });
        const std::vector<TextPiece> pieces = textPieces(tokens, labels);
        const auto at = static_cast<int>(std::ranges::find(labels, shown, &AxisGroup::first) - labels.begin());
        m_title = figureTitle(spec, trace);
        if (spec.title.isEmpty()) {
            const QString place = isNext ? tr("What comes next")
                : reads                  ? tr("Token %1 (0 to %2)")
                : trace.continuesSource() && shown < trace.firstGenerated()
                ? tr("Reading the prompt: step %1 (0 to %2)")
                : tr("Decoding: step %1 (0 to %2)");
            m_title.title = titleOfRun(isNext ? place : place.arg(step).arg(trace.steps(spec.leaf) - 1), trace);
        }
        m_before = joined(pieces, 0, at) + (at > 0 ? pieces[at].before : QString());
        m_token = pieces[at].text.isEmpty() ? readableToken(labels[at].label) : pieces[at].text;
        if (reads)
            m_after = joined(pieces, at + 1, indexSize(pieces));
        readAttention(spec, trace, step);
        readCandidates(spec, trace, step);
        const auto lost = [](const Panel& panel) { return countNoNumbers(panel.bars, &Bar::value); };
        addNote(m_title, m_description, noNumbersNote(lost(m_attention), std::ssize(m_attention.bars)));
        addNote(m_title, m_description, noProbabilitiesNote(lost(m_candidates), std::ssize(m_candidates.bars)));
    }

    void readAttention(const FigureSpec& spec, const Trace& trace, int step)
    {
        FigureSpec tokens = spec;
        tokens.words = false;
        tokens.rows.reset();
        tokens.pair = PairFilter::All;
        const bool reads = trace.stepsAreTokens();
        if (tokens.site.stage == Stage::Encoder && !reads) { // says nothing about a step
            const auto sites = trace.sites();
            if (!sites.empty())
                tokens.site = sites.back();
        }
        const bool ofTokens = trace.rowAxis(tokens.site) == AttentionAxis::Tokens;
        MapSpec mapSpec = tokens.mapSpec();
        const std::optional<int> ofStep = mapAxes(trace, mapSpec).rows.indexOf(step);
        if (ofTokens && ofStep) // the others are not looked at
            mapSpec.rows = ShownSpan{*ofStep, *ofStep};
        Map map = ofTokens && !ofStep ? mapAxes(trace, mapSpec) : mapOf(trace, mapSpec);
        const bool decoder = tokens.site.stage == Stage::Decoder;
        const bool ofPicture = !trace.source().boxes.empty();
        m_attention.title = reads
            ? withUnit(ofPicture ? tr("attention over the picture") : tr("attention over the text"), trace.source())
            : trace.continuesSource() ? tr("attention over the text so far")
            : decoder                 ? tr("attention over the output so far")
                                      : withUnit(tr("attention over the source"), trace.source());
        if (trace.heads(tokens.site) > 1)
            m_attention.title =
                tr("%1 (layer %2, %3)")
                    .arg(m_attention.title, QString::number(tokens.site.layer), shownHeads(tokens, trace));
        m_attention.missing = missingText(map, tokens, trace);
        // Others have their numbers already.
        const Encoding columns = trace.columnTokens(tokens.site, spec.leaf);
        m_attention.numbered =
            trace.columnAxis(tokens.site) == AttentionAxis::Tokens && columns.boxes.empty() && columns.times.empty();
        std::optional<int> row = map.rows.indexOf(step);
        if (reads && !ofTokens) {
            row = strongestRow(map, map.columns.indexOf(step));
            m_attention.title = tr("attention of \u201C%1\u201D over the text").arg(axisLabels(map.rows).value(*row));
        }
        if (spec.moment && *spec.moment <= 0) { // before the word is written, nothing is told of it
            m_attention.missing.clear();
            return;
        }
        if ((tokens.site.stage == Stage::Encoder && !reads) || !row || *row >= map.numbers.rows)
            return;
        m_site = tokens.site;
        m_row = map.rows.groups[static_cast<std::size_t>(*row)].first;
        if (spec.words && m_attention.numbered) {
            map = rowOfWords(map, *row, columns);
            row = 0;
            tokens.words = true; // whose range it is
        }
        const QStringList labels = axisLabels(map.columns);
        for (int column = 0; column < map.numbers.columns && !map.isBlank(*row, column); ++column)
            m_attention.bars.push_back({{labels.value(column), map.at(*row, column), false},
                                        map.columns.groups[static_cast<std::size_t>(column)].first,
                                        map.mark(*row, column)});
        setAttentionScale(tokens, trace, map, *row);
    }

    // Scale of the row that is shown, where the range covers no more than what is shown.
    void setAttentionScale(const FigureSpec& spec, const Trace& trace, const Map& map, int row)
    {
        RangeEnd end(spec.clip);
        end.add(map, row, spec.rangeWithout);
        double most = rangeCost(spec, trace) == 0 ? end.value()
            : spec.rangeEnd                       ? *spec.rangeEnd
                                                  : rangeEnd(spec, trace);
        for (int column = 0; !(most > 0) && column < map.numbers.columns; ++column)
            most = std::max(most, numberOrLeast(map.at(row, column)));
        m_attention.scale = scaleTo(spec, roundEnd(spec, most), false);
        if (const QStringList notes = scaleNotes(spec); !notes.isEmpty())
            m_attention.title += QStringLiteral(" \u00B7 ") + notes.join(QStringLiteral(" \u00B7 "));
    }

    // Candidates, and what the figure says in words: what was taken, or the most probable.
    void readCandidates(const FigureSpec& spec, const Trace& trace, int step)
    {
        const auto candidates = candidatesAt(trace, spec.leaf, step);
        for (const BarListContent::Entry& candidate : candidates)
            m_candidates.bars.push_back({candidate, indexSize(m_candidates.bars), CellMark::Unedited});
        m_candidates.scale = {0, scaleEnd(candidates)};
        m_description = m_title.title + QStringLiteral(": ");
        if (const QString prediction = predictionTitle(trace); !prediction.isEmpty()) {
            m_candidates.title = prediction;
            m_candidates.missing = tr("No candidates were stored");
            m_description += candidates.empty()
                ? m_token
                : tr("%1. Best: %2, %3.").arg(m_token, candidates.front().label, decimal(candidates.front().value, 2));
        } else if (trace.readsOnly() && !trace.stepsAreTokens()) {
            m_candidates.title = tr("probability of the next token");
            m_candidates.missing = attentionOnly();
            m_description += m_before + m_token;
        } else if (!trace.stepsAreTokens()) {
            m_candidates.title = tr("probability of the next token");
            m_candidates.missing = tr("No candidates were stored");
            const DecodingStep& taken = trace.rowPath(spec.leaf).at(static_cast<std::size_t>(step))->step;
            m_description += step == trace.unwrittenRow(spec.leaf)
                ? m_before + m_token
                : tr("%1%2. Taken with probability %3.")
                      .arg(m_before, m_token, decimal(std::exp(double{taken.logProbability}), 2));
        } else {
            m_candidates.title = tr("probability of the token here");
            m_candidates.missing = spec.archive ? tr("This archive holds no masked-token predictions")
                                                : tr("This model has no masked-token predictions");
            m_description += candidates.empty()
                ? m_token
                : tr("%1. The model expects %2 with probability %3.")
                      .arg(m_token, candidates.front().label, decimal(candidates.front().value, 2));
        }
        if (!spec.archive && areLogitsLost(trace, spec.leaf, step)) {
            m_candidates.missing = lostLogitsNote();
            m_description = QStringLiteral("%1: %2%3. %4.").arg(m_title.title, m_before, m_token, m_candidates.missing);
        }
    }

    void layOutPanel(Panel& panel, QRectF box) const
    {
        panel.box = box;
        if (panel.bars.empty())
            return;
        const QFontMetricsF metrics(m_style.font);
        const QFontMetricsF small(m_style.small);
        const double top = box.top() + 2 * small.height() + decodingGap;
        const double room = std::max(1.0, box.bottom() - top);
        const auto fitting = static_cast<std::size_t>(std::max(2.0, room / metrics.height()));
        if (panel.bars.size() > fitting)
            cut(panel, fitting - 1);
        const int lines = indexSize(panel.bars) + (panel.rest.isEmpty() ? 0 : 1);
        const double pitch = std::min(room / lines, metrics.height() * 2);
        panel.restBox = QRectF(box.left(), top, box.width(), pitch);
        for (Bar& bar : panel.bars) {
            bar.box = panel.restBox;
            panel.restBox.translate(0, pitch);
            panel.labelWidth = std::max(panel.labelWidth, labelWidth(bar.label, QFontMetricsF(m_style.strong)));
        }
        panel.labelWidth = std::min(panel.labelWidth + 1, box.width() * 0.4);
        const double left = box.left() + panel.labelWidth + decodingGap;
        const double numbers = small.horizontalAdvance(QStringLiteral("<0.001"));
        panel.axis = QRectF(left, top - small.height() - axisTick,
                            std::max(1.0, box.right() - left - numbers - decodingGap), small.height());
    }

    // Leaves the largest ones, and the taken one, in falling order.
    static void cut(Panel& panel, std::size_t most)
    {
        std::vector<Bar>& bars = panel.bars;
        const auto end = bars.begin() + static_cast<std::ptrdiff_t>(most);
        const auto larger = [](const Bar& a, const Bar& b) { return numberOrLeast(a.value) > numberOrLeast(b.value); };
        std::ranges::stable_sort(
            bars, [&](const Bar& a, const Bar& b) { return a.taken != b.taken ? a.taken : larger(a, b); });
        double sum = 0;
        for (auto left = end; left != bars.end(); ++left)
            sum += left->value;
        panel.rest = tr("and %1 more, together %2").arg(bars.end() - end).arg(probabilityText(sum));
        bars.erase(end, bars.end());
        std::ranges::stable_sort(bars, larger);
        for (Bar& bar : bars) {
            if (panel.numbered && bar.place != MapAxis::sink)
                bar.label += QStringLiteral(" #%1").arg(bar.place);
        }
    }

    void layOut()
    {
        const QFontMetricsF metrics(m_style.font);
        const auto lines = static_cast<double>(std::max(m_attention.bars.size(), m_candidates.bars.size()));
        m_output =
            QRectF(margin, margin + headerHeight() + decodingGap, m_size.width() - 2 * margin, metrics.height() * 1.8);
        const double top = m_output.bottom() + 1.5 * decodingGap;
        const double head = 2 * QFontMetricsF(m_style.small).height() + decodingGap;
        if (m_size.height() <= 0) {
            const double bars = std::min(metrics.height() * 1.4 * std::max(lines, 3.0), 1.6 * m_size.width());
            m_size.setHeight(m_empty ? m_size.width() * 0.3 : top + head + bars + margin);
        }
        const double height = std::max(20.0, m_size.height() - top - margin);
        const double width = std::max(20.0, (m_size.width() - 2 * margin - betweenPanels) / 2);
        layOutPanel(m_attention, QRectF(margin, top, width, height));
        layOutPanel(m_candidates, QRectF(margin + width + betweenPanels, top, width, height));
    }

    void paintOutput(QPainter& painter) const
    {
        painter.fillRect(m_output, m_style.colors.blank);
        const QFontMetricsF metrics(m_style.font);
        const QFontMetricsF strong(m_style.strong);
        QRectF room = m_output.adjusted(decodingGap, 0, -decodingGap, 0);
        const QString token = elided(m_token, strong, room.width());
        // The part next to the token matters most; the larger part is for what stands before it.
        const double rest = std::max(0.0, room.width() - strong.horizontalAdvance(token));
        const double beforeRoom = std::max(rest - labelWidth(m_after, metrics), rest * 0.6);
        const QString before = metrics.elidedText(m_before, Qt::ElideLeft, beforeRoom);
        const QString after = elided(m_after, metrics, std::max(0.0, rest - metrics.horizontalAdvance(before)));
        const auto write = [&](const QFont& font, const QColor& ink, const QString& text) {
            const double width = QFontMetricsF(font).horizontalAdvance(text);
            drawLabel(painter, font, ink, {room.left(), room.top(), width + 0.1, room.height()}, Qt::AlignLeft, text);
            room.setLeft(room.left() + width);
        };
        write(m_style.font, m_style.colors.ink, before);
        write(m_style.strong, m_style.colors.accent, token);
        write(m_style.font, m_style.colors.muted, after);
    }

    void paintPanel(QPainter& painter, const Panel& panel) const
    {
        const QFontMetricsF small(m_style.small);
        const ThemeColors& colors = m_style.colors;
        drawLabel(painter, m_style.small, colors.muted,
                  {panel.box.left(), panel.box.top(), panel.box.width(), small.height()}, Qt::AlignLeft, panel.title);
        if (panel.bars.empty()) {
            painter.drawText(panel.box.adjusted(0, small.height() + decodingGap, 0, 0),
                             static_cast<int>(Qt::AlignLeft) | Qt::AlignTop | Qt::TextWordWrap, panel.missing);
            return;
        }
        const double numbers = small.horizontalAdvance(QStringLiteral("<0.001"));
        const double left = panel.axis.left();
        const double room = panel.axis.width();
        const double pitch = panel.bars.front().box.height();
        paintAxis(painter, panel);
        painter.setPen(QPen(colors.grid, 1));
        painter.drawLine(QPointF(left, panel.bars.front().box.top()), QPointF(left, panel.bars.back().box.bottom()));
        for (const Bar& bar : panel.bars) {
            const double top = bar.box.top();
            const double high = pitch * 0.72;
            const QRectF all(left, top + pitch * 0.14, room * panel.scale.fraction(bar.value), high);
            const double width =
                fillBar(painter, all, bar.value, bar.taken ? colors.accent : colors.bar, m_style, leastBar);
            const bool isAbove = panel.scale.isAbove(bar.value);
            const double number = left + width + 5 + (isAbove ? arrowWidth : 0);
            if (isAbove) // an arrow: it would be longer
                painter.fillPath(arrowAt(left + width, top + pitch / 2, pitch * 0.36), colors.bar);
            drawLabel(painter, bar.taken ? m_style.strong : m_style.font, bar.taken ? colors.accent : colors.ink,
                      {panel.box.left(), top, panel.labelWidth, pitch}, Qt::AlignRight, bar.label);
            if (m_numbers)
                drawLabel(painter, m_style.small, colors.muted, {number, top, numbers + 2, pitch}, Qt::AlignLeft,
                          probabilityText(bar.value));
            if (bar.edit == CellMark::Unedited)
                continue;
            paintMark(painter, bar.edit, {left - 7, top + pitch / 2 - 3, 6, 6}, colors.accent);
            const QString edit = markName(bar.edit);
            if (small.horizontalAdvance(edit) <= room - width)
                drawLabel(painter, m_style.small, colors.accent,
                          {left + width + 7 + numbers, top, room - width + 1, pitch}, Qt::AlignLeft, edit);
        }
        drawLabel(painter, m_style.small, colors.muted, panel.restBox.adjusted(left - panel.box.left(), 0, 0, 0),
                  Qt::AlignLeft, panel.rest);
    }

    static QPainterPath arrowAt(double x, double y, double half)
    {
        QPainterPath arrow(QPointF(x, y - half));
        arrow.lineTo(x + arrowWidth, y);
        arrow.lineTo(x, y + half);
        arrow.closeSubpath();
        return arrow;
    }

    // Ticks over the bars, as far apart as their texts need.
    void paintAxis(QPainter& painter, const Panel& panel) const
    {
        const QFontMetricsF small(m_style.small);
        double lastRight = panel.box.left();
        for (const ValueScale::Tick& tick : panel.scale.ticks()) {
            const double x = panel.axis.left() + panel.axis.width() * panel.scale.fraction(tick.value);
            const double width = small.horizontalAdvance(tick.text);
            painter.setPen(QPen(m_style.colors.blank, 1));
            painter.drawLine(QPointF(x, panel.axis.bottom()), QPointF(x, panel.bars.back().box.bottom()));
            if (x - width / 2 < lastRight + decodingGap / 2)
                continue;
            drawLabel(painter, m_style.small, m_style.colors.muted,
                      {x - width / 2, panel.axis.top(), width + 0.1, panel.axis.height()}, Qt::AlignLeft, tick.text);
            lastRight = x + width / 2;
        }
    }

    bool m_numbers = true;
    QString m_before; // the output before the step
    QString m_token; // what the step added, or the token that is looked at
    QString m_after; // of a text that was read
    QRectF m_output;
    Panel m_attention;
    std::optional<int> m_row; // of the attention that is shown
    Site m_site;
    Panel m_candidates;
};

} // namespace

// One step: the output so far, candidates, attention.
extern const FigureKind decodingKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        if (auto ofTwo = decodingDifference(spec, trace, size))
            return ofTwo;
        return std::make_unique<DecodingFigure>(spec, trace, size);
    },
    .numbers = heatmapContent,
    .walks = true,
    .drawsSite = false};

} // namespace attn::ui
