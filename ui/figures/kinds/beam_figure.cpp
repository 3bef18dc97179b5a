// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/beam_figure.h"

#include "base/index.h"
#include "figures/kinds/beam_words.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double startRoom = 18; // left of a band, for what leads there
constexpr double widestGutter = 18;
constexpr double beamGap = 6;
constexpr double boxPadding = 4;
constexpr double leastWithRanking = 420; // narrower figures have no room for a ranking
constexpr double rankingShare = 0.27;
constexpr double widestRanking = 230;
constexpr double highestPage = 3; // of all bands, by the width
constexpr double overviewHeight = 1.2; // by the width, of a tree that is too large to be read
constexpr int mostRanks = 40;
constexpr int mostWritten = 320; // boxes in a window; the texts of more take longer than a frame
constexpr double tokenShare = 0.5; // of a readable width, for a token without its numbers
constexpr double foldSize = 9;

// Reason why a trace without steps has no tree.
Missing missingTree(const FigureSpec& spec, const Trace& trace)
{
    if (trace.stepsAreTokens())
        return Missing::Search;
    return spec.stopped && !trace.summary() ? Missing::Stopped : Missing::Output;
}

} // namespace

std::optional<int> beamNodeAt(const Trace& trace, std::optional<StepId> leaf, std::optional<int> step)
{
    if (!trace.has(leaf) || !step)
        return std::nullopt;
    for (auto at = leaf ? leaf : trace.bestLeaf(); at; at = trace.step(*at).step.parent) {
        if (trace.step(*at).step.position == *step)
            return numberOf(*at);
    }
    return std::nullopt;
}

BeamFigure::BeamFigure(const FigureSpec& spec, const Trace& trace, std::shared_ptr<const BeamLayout> layout,
                       QSizeF size)
    : StyledFigure(spec, size)
    , m_layout(std::move(layout))
    , m_rows(std::ceil(m_layout->rows))
{
    if (m_layout->items.empty())
        m_empty = m_description = missingText(missingTree(spec, trace), spec, trace);
    if (hasNothing())
        return;
    m_legend = !spec.noLegend;
    m_marksWords = marksWords(m_layout->tree);
    m_current = beamNodeAt(trace, spec.leaf, markedStep(spec, trace));
    describe(spec, trace);
    const QFontMetricsF small(m_style.small);
    const QFontMetricsF metrics(m_style.strong);
    m_readable = small.horizontalAdvance(QStringLiteral("<0.001 \u221200.00")) + 2 * boxPadding + widestGutter;
    m_largest = {m_readable * 1.5, metrics.height() + small.height() + 2 * boxPadding + beamGap};
    layOut(part(spec));
    layOutRanking(trace, m_rankingBox);
}

// The part to be seen, in cells; null: everything.
QRectF BeamFigure::part(const FigureSpec& spec) const
{
    if (!spec.visible.isNull() || (!spec.rows && !spec.columns))
        return spec.visible;
    const QRectF all(0, 0, columns(), m_rows);
    const auto [top, bottom] = spec.rows.value_or(ShownSpan{0, static_cast<int>(m_rows) - 1});
    const auto [left, right] = spec.columns.value_or(ShownSpan{0, columns() - 1});
    return QRectF(left, top, right - left + 1, bottom - top + 1).intersected(all);
}

void BeamFigure::describe(const FigureSpec& spec, const Trace& trace)
{
    const BeamTree& tree = m_layout->tree;
    m_title.title = spec.title.isEmpty() ? titleOfRun(tr("Beam tree", "title of the figure"), trace) : spec.title;
    QStringList parts;
    if (!trace.provenance().model.empty())
        parts << readableToken(trace.provenance().model);
    if (!trace.provenance().decoding.empty())
        parts << decodingText(trace);
    const auto ends =
        std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const BeamNode& node) { return node.children.empty(); });
    const int tokens = indexSize(tree.nodes);
    parts << (ends > 1          ? tr("%1 hypotheses, %2 tokens").arg(ends).arg(tokens)
                  : tokens == 1 ? tr("one hypothesis of 1 token")
                                : tr("one hypothesis of %1 tokens: nothing else was kept at any step").arg(tokens));
    m_title.subtitle = parts.join(QStringLiteral(" \u00B7 "));
    m_description = m_title.title + QStringLiteral(": ") + parts.back() + QLatin1Char('.');
    if (!tree.ranking.empty())
        m_description +=
            tr(" Best: %1, score %2.").arg(QString::fromStdString(trace.target().text), scoreText(tree, 0));
    const auto lost = std::ranges::count(tree.nodes, false, &BeamNode::hasProbability);
    m_crossesOut = lost < tokens;
    addNote(m_title, m_description,
            m_crossesOut   ? noProbabilitiesNote(lost, tokens)
                : lost > 0 ? tr("without probabilities")
                           : QString());
}

// --- layout

void BeamFigure::layOut(const QRectF& visible)
{
    const double line = QFontMetricsF(m_style.small).height();
    const bool natural = m_size.height() <= 0;
    const double top = margin + headerHeight() + 2 * beamGap + line;
    double right = m_size.width() - margin;
    if (m_size.width() >= leastWithRanking && !m_layout->tree.ranking.empty()) {
        const double width = std::min(widestRanking, m_size.width() * rankingShare);
        m_rankingBox = QRectF(right - width, top - line, width, line);
        right -= width + 2 * beamGap;
    }
    QRectF tree(margin + startRoom, top, std::max(10.0, right - margin - startRoom), 0);
    const QRectF whole(0, 0, columns(), m_rows);
    const bool all = visible.isNull();
    if (!natural)
        tree.setHeight(std::max(10.0, m_size.height() - margin - line - beamGap - top));
    else if (!all)
        tree.setHeight(m_largest.height() * visible.height());
    if (natural && all) {
        layOutBands(tree);
    } else {
        const QRectF cells = all ? whole : visible;
        m_cellWidth = std::min(m_largest.width(), tree.width() / std::max(1e-6, cells.width()));
        m_cellHeight = std::min(m_largest.height(), tree.height() / std::max(1e-6, cells.height()));
        m_bands.push_back({tree, {cells.topLeft(), QSizeF(tree.width() / m_cellWidth, tree.height() / m_cellHeight)}});
    }
    m_gutter = std::min(widestGutter, m_cellWidth * 0.25);
    const double room = m_cellHeight - beamGap;
    const QFontMetricsF metrics(m_style.strong);
    m_detail = room >= metrics.height() + line && m_cellWidth >= m_readable * 0.6 ? Detail::Numbers
        : m_cellHeight >= line                                                    ? Detail::Tokens
                                                                                  : Detail::Strengths;
    if (!natural && visibleItems(m_bands.front()) > mostWritten)
        m_detail = Detail::Strengths;
    m_legendTop = m_bands.back().plot.bottom() + beamGap;
    if (natural)
        m_size.setHeight(m_legendTop + line + margin);
    if (!m_rankingBox.isNull())
        m_rankingBox.setBottom(m_legendTop - beamGap);
}

// Columns first .. first + count - 1 with the rows that are used there.
QRectF BeamFigure::partFrom(int first, int count) const
{
    double top = m_rows;
    double bottom = 0;
    for (int column = first; column < std::min(first + count, indexSize(m_layout->columns)); ++column) {
        const std::vector<int>& all = m_layout->columns[column];
        top = std::min(top, m_layout->row(m_layout->items[all.front()], column));
        bottom = std::max(bottom, m_layout->row(m_layout->items[all.back()], column) + 1);
    }
    return {QPointF(first, std::min(top, bottom)), QPointF(first + count, bottom)};
}

// The whole tree, in as many bands as it takes to be read; where that gets too high, without its numbers, or as one
// small picture.
void BeamFigure::layOutBands(const QRectF& tree)
{
    const int count = columns();
    const double axis = QFontMetricsF(m_style.small).height() + 3 * beamGap;
    const double token = QFontMetricsF(m_style.strong).height() + beamGap;
    std::vector<QRectF> parts{partFrom(0, count)};
    m_cellHeight = std::min(m_largest.height(), overviewHeight * m_size.width() / m_rows);
    for (const QSizeF cell : {QSizeF(m_readable, m_largest.height()), QSizeF(m_readable * tokenShare, token)}) {
        const int fitting = std::max(1, static_cast<int>(tree.width() / cell.width()));
        const int bands = (count + fitting - 1) / fitting;
        const int perBand = (count + bands - 1) / bands;
        std::vector<QRectF> tried;
        double height = 0;
        for (int first = 0; first < indexSize(m_layout->columns); first += perBand) {
            tried.push_back(partFrom(first, perBand));
            height += tried.back().height() * cell.height() + axis;
        }
        if (height > highestPage * m_size.width())
            continue;
        parts = tried;
        m_cellHeight = cell.height();
        break;
    }
    m_cellWidth = std::min(m_largest.width(), tree.width() / parts.front().width());
    double top = tree.top();
    for (const QRectF& part : parts) {
        const QRectF plot(tree.left(), top, tree.width(), part.height() * m_cellHeight);
        m_bands.push_back({plot, part});
        top = plot.bottom() + axis;
    }
}

void BeamFigure::layOutRanking(const Trace& trace, const QRectF& box)
{
    const auto& ranking = m_layout->tree.ranking;
    if (box.isNull() || ranking.empty())
        return;
    const double line = QFontMetricsF(m_style.font).height();
    const double small = QFontMetricsF(m_style.small).height();
    const double pitch = line + small + beamGap;
    const double top = box.top() + small + beamGap;
    const auto fitting = std::max(1, static_cast<int>((box.bottom() - top) / pitch));
    int shown = std::min({indexSize(ranking), fitting, mostRanks});
    if (shown < indexSize(ranking) && shown > 1)
        --shown;
    QStringList texts;
    for (int place = 0; place < shown; ++place)
        texts << QString::fromStdString(trace.stepTokens(StepId{ranking[place].node}).text);
    for (int place = 0; place < shown; ++place) {
        const QRectF entry(box.left(), top + place * pitch, box.width(), pitch - beamGap);
        const QFontMetricsF metrics(place == 0 ? m_style.strong : m_style.font);
        m_ranking.push_back({place, scoreText(m_layout->tree, place),
                             apart(texts[place], texts, metrics, box.width() - rankRoom), entry});
    }
    if (shown < indexSize(ranking))
        m_moreRanks = tr("and %1 more").arg(indexSize(ranking) - shown);
}

// --- where things lie

QPointF BeamFigure::at(const Band& band, double column, double row) const
{
    return {band.plot.left() + (column - band.cells.left()) * m_cellWidth,
            band.plot.top() + (row - band.cells.top()) * m_cellHeight};
}

// The rest of a cell, or several beside each other, by the gaps between them.
QRectF BeamFigure::cellsBox(const Band& band, int column, double row, int count) const
{
    const double gap = m_detail == Detail::Strengths ? m_cellHeight * 0.2 : beamGap;
    return {at(band, column, row) + QPointF(0, gap / 2),
            QSizeF(std::max(0.5, count * m_cellWidth - m_gutter), std::max(0.5, m_cellHeight - gap))};
}

QRectF BeamFigure::boxOf(const Band& band, const BeamItem& item) const
{
    return cellsBox(band, item.column, m_layout->row(item), m_layout->roomy ? item.columns() : 1);
}

bool BeamFigure::isSeen(const Band& band, int column) const
{
    return column + 1 > band.cells.left() && column < band.cells.right();
}

const BeamFigure::Band* BeamFigure::bandOf(int column) const
{
    const auto found =
        std::find_if(m_bands.begin(), m_bands.end(), [&](const Band& band) { return isSeen(band, column); });
    return found == m_bands.end() ? nullptr : &*found;
}

// A token's part of its box, or of the line behind it.
QRectF BeamFigure::nodeBox(const Band& band, int node) const
{
    const BeamItem& item = m_layout->itemAt(node);
    const int column = m_layout->tree.nodes[node].position;
    QRectF box = cellsBox(band, column, m_layout->nodeRows[node], 1);
    if (m_layout->roomy && column + 1 < item.end())
        box.setWidth(m_cellWidth);
    return box & band.plot;
}

QRectF BeamFigure::nodeRect(int node) const
{
    const Band* band = m_empty ? nullptr : bandOf(m_layout->tree.nodes.at(node).position);
    return band == nullptr ? QRectF() : nodeBox(*band, node);
}

QRectF BeamFigure::foldBox(const Band& band, const BeamItem& item) const
{
    if (!item.folds || m_detail == Detail::Strengths || m_layout->firstNode(item) != item.begin)
        return {};
    const QRectF box = boxOf(band, item);
    const double line = QFontMetricsF(m_style.strong).height();
    const double middle = m_detail == Detail::Numbers ? box.top() + boxPadding + line / 2 : box.center().y();
    const QRectF sign(box.left() + boxPadding - 1, middle - foldSize / 2, foldSize, foldSize);
    // Letters come first: two clicks fold, too.
    const QString first = readableToken(m_layout->tree.nodes[m_layout->firstNode(item)].text);
    const double letters = QFontMetricsF(m_style.small).horizontalAdvance(first) + foldSize + 3 * boxPadding;
    const bool fits = m_cellWidth >= 4 * foldSize && box.width() >= std::max(3 * foldSize, letters)
        && band.plot.contains(sign) && box.contains(sign);
    return fits ? sign : QRectF();
}

QRectF BeamFigure::foldRect(int node) const
{
    const Band* band = m_empty ? nullptr : bandOf(m_layout->tree.nodes.at(node).position);
    return band == nullptr ? QRectF() : foldBox(*band, m_layout->itemAt(node));
}

QRectF BeamFigure::cellRect(int row, int column) const
{
    if (m_empty || column < 0 || row < 0)
        return {};
    const Band* band = bandOf(column);
    return {at(band == nullptr ? m_bands.front() : *band, column, row), QSizeF(m_cellWidth, m_cellHeight)};
}

QRectF BeamFigure::seen() const
{
    return m_bands.empty() ? QRectF() : m_bands.front().cells;
}

QSizeF BeamFigure::fewestCells() const
{
    if (m_bands.empty())
        return {1, 1};
    const QSizeF plot = m_bands.front().plot.size();
    return {plot.width() / m_largest.width(), plot.height() / m_largest.height()};
}

std::optional<QPointF> BeamFigure::cellsAt(QPointF point) const
{
    for (const Band& band : m_bands) {
        if (band.plot.contains(point))
            return QPointF(band.cells.left() + (point.x() - band.plot.left()) / m_cellWidth,
                           band.cells.top() + (point.y() - band.plot.top()) / m_cellHeight);
    }
    return std::nullopt;
}

FigureHit BeamFigure::nodeHit(int node) const
{
    FigureHit hit;
    hit.part = FigureHit::Part::Node;
    hit.node = StepId{node};
    hit.value = static_cast<float>(std::exp(double{m_layout->tree.nodes.at(node).logProbability}));
    hit.text = nodeText(m_layout->tree, node);
    return hit;
}

FigureTable BeamFigure::table() const
{
    FigureTable table;
    if (m_empty)
        return table;
    const BeamTree& tree = m_layout->tree;
    std::vector<int> leaves; // as the ranking has them, then those that are in none
    for (const BeamTree::Final& final : tree.ranking)
        leaves.push_back(final.node);
    for (int node = 0; node < indexSize(tree.nodes); ++node) {
        if (tree.nodes[node].children.empty() && !tree.nodes[node].rank)
            leaves.push_back(node);
    }
    table.rows = indexSize(leaves);
    table.columns = indexSize(m_layout->columns);
    // Item of a hypothesis at a position; none after its end.
    const auto nodeAt = [&tree, leaves](FigureCell cell) -> std::optional<int> {
        std::optional<int> node = leaves[static_cast<std::size_t>(cell.row)];
        while (node && tree.nodes[*node].position > cell.column)
            node = tree.nodes[*node].parent;
        return node && tree.nodes[*node].position == cell.column ? node : std::nullopt;
    };
    const auto nameOf = [&tree, leaves](FigureCell cell) -> QString {
        if (cell.row == FigureTable::header)
            return tr("step %1").arg(cell.column);
        const QString fate = shortFate(tree, leaves[static_cast<std::size_t>(cell.row)]);
        const QString name = tr("hypothesis %1").arg(cell.row + 1);
        return fate.isEmpty() ? name : name + QStringLiteral(": ") + fate;
    };
    table.say(
        nameOf,
        [=, &tree](FigureCell cell) {
            const auto node = nodeAt(cell);
            return node ? readableToken(tree.nodes[*node].text) + QStringLiteral("   ")
                    + probabilityText(std::exp(double{tree.nodes[*node].logProbability}))
                        : QString();
        },
        [=, &tree](FigureCell cell) {
            const auto node = nodeAt(cell);
            return node ? nodeText(tree, *node) : QString();
        });
    table.rect = [=, this](FigureCell cell) {
        const auto node = FigureTable::isHeader(cell) ? std::nullopt : nodeAt(cell);
        return node ? nodeRect(*node) : QRectF();
    };
    table.place = [=, this, &tree](const FigureHit& hit) -> std::optional<FigureCell> {
        if (!hit.node)
            return std::nullopt;
        const int node = numberOf(*hit.node);
        const auto found = std::ranges::find(leaves, m_layout->leafOf[node]);
        return FigureCell{static_cast<int>(found - leaves.begin()), tree.nodes[node].position};
    };
    return table;
}

FigureHit BeamFigure::hitTest(QPointF point) const
{
    for (const Band& band : m_bands) {
        const auto cell = band.plot.contains(point) ? cellsAt(point) : std::nullopt;
        if (!cell)
            continue;
        const auto column = static_cast<int>(cell->x());
        const auto nearest = m_layout->nearest(column, cell->y());
        if (!nearest)
            return {};
        const BeamItem& item = m_layout->items[*nearest];
        const int node = m_layout->node(item, column - item.column);
        if (!nodeBox(band, node).contains(point))
            return {};
        FigureHit hit = nodeHit(node);
        if (foldBox(band, item).adjusted(-3, -3, 3, 3).contains(point) && !foldBox(band, item).isNull()) {
            hit.part = FigureHit::Part::Fold;
            hit.node = StepId{item.begin};
            hit.text = item.isFolded() ? tr("Show each of these %1 tokens").arg(item.columns())
                                       : tr("Show these tokens in one box");
        }
        return hit;
    }
    for (const RankingEntry& entry : m_ranking) {
        if (entry.box.contains(point))
            return nodeHit(m_layout->tree.ranking[entry.place].node);
    }
    return {};
}

std::unique_ptr<const BeamFigure> beamFigure(const FigureSpec& spec, const Trace& trace,
                                             std::shared_ptr<const BeamLayout> layout, QSizeF size)
{
    return std::make_unique<BeamFigure>(spec, trace, std::move(layout), size);
}

const FigureKind beamKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return beamFigure(spec, trace, std::make_shared<const BeamLayout>(beamLayout(trace, spec.refolded)), size);
    },
    .numbers = heatmapContent,
    .csv = beamCsv,
    .zooms = true,
    .drawsSite = false};

} // namespace attn::ui
