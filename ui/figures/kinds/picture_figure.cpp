// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/picture_figure.h"

#include "base/index.h"
#include "figures/kinds/lines_content.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_range.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "maps/map_range.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <variant>

namespace attn::ui {

namespace {

constexpr double panelGap = 8;
constexpr double besideWidth = 132; // of the tokens beside the picture
constexpr double shareBar = 48;
constexpr double usualPanel = 112; // width of one in a file
constexpr int fewestRoom = 6; // panels that a sheet has room for while it grows

// Weights on special tokens are none of the picture's: its scale does without them.
MatrixContent pictureContent(const FigureSpec& spec, const Trace& trace)
{
    FigureSpec inside = spec;
    inside.rangeWithout = RangeWithout::Sinks;
    MatrixContent content = heatmapContent(inside, trace);
    content.valueName = valueName(spec); // of weights: one map has no range but its own
    if (spec.rangeWithout != RangeWithout::Sinks)
        content.scaleNotes.clear();
    if (content.rows() > 0 && trace.columnTokens(spec.site, spec.leaf).boxes.empty()) {
        content.map.numbers = {};
        content.empty = Figure::tr("This attention does not look at the picture: choose another one");
        content.description = content.empty;
    }
    return content;
}

} // namespace

PictureFigure::PictureFigure(const FigureSpec& spec, const Trace& trace, QSizeF size, Words words)
    : ShadedTokens(spec, pictureContent(spec, trace), size)
{
    if (hasNothing())
        return;
    const Encoding rowTokens = trace.rowTokens(spec.site, spec.leaf);
    m_rowsPlaced = !rowTokens.boxes.empty();
    m_hasWords = words == Words::Below && !m_rowsPlaced;
    m_patches = PatchedPicture(trace.media(), trace.columnTokens(spec.site, spec.leaf), m_content.map.columns.tokens());
    if (m_rowsPlaced)
        m_rowPatches = PatchedPicture(trace.media(), rowTokens, m_content.map.rows.tokens());
    else if (picked().empty()) // words look at the picture, it does not look back
        m_spec.shading = Shading::AttendedTo;
    takeEdits(trace);
    takeGates(trace);
    const bool isSheet = !m_rowsPlaced && rows() > 1 && picked().empty() && !spec.currentStep;
    takeShades(trace);
    if (isSheet)
        layOutSheet();
    else
        layOutOne(trace);
    addPatches();
    describeShades();
}

// --- what is shown ---

void PictureFigure::takeEdits(const Trace& trace)
{
    for (const Edit& edit : editsOfRun(trace)) {
        const auto* const source = std::get_if<SourceEdit>(&edit);
        const auto column = source == nullptr ? std::nullopt : m_content.map.columns.indexOf(source->position);
        if (column && (source->change == SourceChange::Hide || source->change == SourceChange::Grey))
            m_edited[*column] = source->change == SourceChange::Grey;
    }
}

void PictureFigure::takeGates(const Trace& trace)
{
    const Trace::Path path = m_rowsPlaced ? Trace::Path() : trace.path(m_spec.leaf);
    for (int row = 0; row < rows(); ++row) {
        const auto token = m_content.map.rows.token(row);
        if (token && *token >= 0 && *token < indexSize(path) && path[static_cast<std::size_t>(*token)]->gate)
            m_gates[row] = static_cast<double>(*path[static_cast<std::size_t>(*token)]->gate);
    }
}

void PictureFigure::takeShades(const Trace& trace)
{
    std::vector<int> from = usualSources();
    const bool hasClass = m_rowsPlaced && !m_rowPatches.isPlaced(0);
    if (from.empty() && (hasClass || rows() == 1))
        from = {0};
    shade(std::move(from));
    RangeEnd most(100);
    const bool ofWords = shadedSide() == TokenSide::Rows && !m_rowsPlaced;
    for (int index = 0; index < count(shadedSide()); ++index) {
        if (ofWords || side(shadedSide()).isPlaced(index))
            most.add(static_cast<float>(value(index)));
    }
    setEnd(most.value() > 0 ? most.value() : 1);
    sayShades({explainedText(m_spec, trace), tr("Where this looks: %1"), tr("What looks at this: %1"),
               !m_rowsPlaced                       ? tr("Where all words look, on average")
                   : pickSide() == TokenSide::Rows ? tr("Where all patches look, on average")
                                                   : tr("How much each patch looks, on average")});
}

std::vector<double> PictureFigure::rowParts(int row) const
{
    std::vector<double> parts;
    for (int column = 0; column < columns(); ++column)
        parts.push_back(part(m_content.onScale(row, column)));
    return parts;
}

bool PictureFigure::showsBeside() const
{
    return m_rowsPlaced || shadedSide() == TokenSide::Columns;
}

QString PictureFigure::valuesOf(TokenPlace place) const
{
    QStringList parts;
    const TokenMark* const mark = isSheet() ? nullptr : markOf(place);
    if (mark != nullptr && mark->on(shadedSide()))
        parts << valueText(value(*mark->on(shadedSide())));
    if (const auto gate = m_gates.find(place.index); isWord(place) && gate != m_gates.end())
        parts << tr("gate %1").arg(decimal(gate->second, 2));
    return parts.join(QStringLiteral("   "));
}

// --- where it stands ---

void PictureFigure::layOutOne(const Trace& trace)
{
    const double width = m_size.width() - 2 * margin;
    const double top = margin + headerHeight() + shadedGap;
    const double line = QFontMetricsF(m_style.font).height();
    for (int column = 0; column < columns(); ++column) {
        if (!m_patches.isPlaced(column))
            m_beside.push_back({column, {}});
    }
    const double beside = m_beside.empty() ? 0 : besideWidth + shadedGap;
    const bool natural = m_size.height() <= 0;
    const double widest = std::max(20.0, width - beside);
    const double high = natural ? std::min(widest / m_patches.aspect(), widest)
                                : std::max(20.0, m_size.height() - top - shadeLegendHeight() - margin);
    if (m_hasWords) {
        const std::vector<TextPiece> pieces = shownText(trace.rowTokens(m_spec.site, m_spec.leaf),
                                                        m_content.map.rows.tokens(), m_content.rowLabels, m_spec.words);
        for (const double scale : {1.5, 1.2, 1.0, 0.85, 0.7}) { // as large as leaves the picture its room
            m_words = RunningText(pieces, figureFont(m_spec.baseFontPoints * scale, m_spec.fontFamily), width);
            if (m_words.height() <= 0.3 * high || (natural && scale <= 1))
                break;
        }
    }
    const double text = m_hasWords ? m_words.height() + shadedGap : 0;
    const double room = natural ? high : std::max(20.0, high - text);
    const double across = std::min(widest, room * m_patches.aspect());
    m_frame = QRectF(margin + (widest - across) / 2, top, across, across / m_patches.aspect());
    double y = top;
    for (Beside& one : m_beside) {
        one.line = QRectF(m_frame.right() + shadedGap, y, besideWidth, line);
        y += line + 2;
    }
    m_wordRoom = QRectF(margin, m_frame.bottom() + shadedGap, width, m_hasWords ? m_words.height() : 0);
    m_legendTop = m_frame.bottom() + text + shadedGap;
    if (natural)
        m_size.setHeight(m_legendTop + shadeLegendHeight() + margin);
}

// Number of panels in a line: the one with which they are largest, or the one that was asked for.
int PictureFigure::panelsInLine(int count, double name, double note) const
{
    if (m_spec.panels > 0)
        return std::min(m_spec.panels, count);
    const double width = m_size.width() - 2 * margin + panelGap;
    if (m_size.height() <= 0) {
        constexpr double narrowest = 0.4; // a tall picture's
        const double usual = usualPanel * std::sqrt(std::clamp(m_patches.aspect(), narrowest, 1 / narrowest));
        const int most = std::clamp(static_cast<int>(width / (usual + panelGap)), 1, count);
        const int lines = (count + most - 1) / most;
        return (count + lines - 1) / lines;
    }
    const double height = m_size.height() - 2 * margin - headerHeight() - shadedGap - shadeLegendHeight();
    int best = 1;
    double largest = 0;
    for (int across = 1; across <= count; ++across) {
        const int lines = (count + across - 1) / across;
        const double byHeight = (height / lines - name - note - panelGap) * m_patches.aspect();
        const double wide = std::min(width / across - panelGap, byHeight);
        if (wide > largest) {
            largest = wide;
            best = across;
        }
    }
    return best;
}

// Panels have scales of their own, as in the paper, unless another range is asked for. True: there are tokens without
// a place, which do not count.
bool PictureFigure::scaleSheet()
{
    bool hasBeside = false;
    RangeEnd most(m_spec.clip);
    std::vector<double> ends;
    for (int row = 0; row < rows(); ++row) {
        RangeEnd own(m_spec.clip);
        for (int column = 0; column < columns(); ++column) {
            hasBeside = hasBeside || !m_patches.isPlaced(column);
            if (m_patches.isPlaced(column) && m_content.map.hasNumber(row, column))
                own.add(m_content.map.at(row, column));
        }
        ends.push_back(own.value() > 0 ? own.value() : m_content.most);
        most.add(own);
    }
    const ColorRange::Of of = m_spec.range.of;
    const bool isOfWords = of == ColorRange::Of::Automatic || of == ColorRange::Of::Row;
    m_content.rowEnds = isOfWords ? std::move(ends) : std::vector<double>();
    if (isOfWords)
        m_content.valueName = tr("share of the largest weight of the word");
    setEnd(isOfWords ? 1 : of == ColorRange::Of::Map && most.value() > 0 ? most.value() : m_content.most);
    return hasBeside;
}

void PictureFigure::layOutSheet()
{
    const bool hasBeside = scaleSheet();
    m_shows = tr("Where each word looks");
    const double name = QFontMetricsF(m_style.font).height() + 3;
    const double note = hasBeside ? QFontMetricsF(m_style.small).height() : 0;
    const int count = rows() + 1;
    const bool natural = m_size.height() <= 0;
    const int across = panelsInLine(natural ? count : std::max(count, fewestRoom), name, note);
    const int lines = (count + across - 1) / across;
    const double width = m_size.width() - 2 * margin + panelGap;
    const double top = margin + headerHeight() + shadedGap;
    double wide = width / across - panelGap;
    if (!natural) {
        const double height = m_size.height() - top - shadeLegendHeight() - margin;
        const int roomFor = (std::max(count, fewestRoom) + across - 1) / across;
        wide = std::min(wide, (height / roomFor - name - note - panelGap) * m_patches.aspect());
    }
    wide = std::max(wide, 8.0);
    const double high = wide / m_patches.aspect();
    const double each = name + high + note + panelGap;
    for (int i = 0; i < count; ++i) {
        const QPointF corner(margin + (i % across) * (wide + panelGap), top + (i / across) * each);
        const QRectF frame(corner + QPointF(0, name), QSizeF(wide, high));
        if (i == 0)
            m_frame = frame;
        else
            m_panels.push_back({{corner, QSizeF(wide, name)}, frame, {frame.bottomLeft(), QSizeF(wide, note)}});
    }
    m_legendTop = top + lines * each;
    if (natural)
        m_size.setHeight(m_legendTop + shadeLegendHeight() + margin);
}

// Patches and what stands beside them: a token that is both row and column has one mark.
void PictureFigure::addPatches()
{
    for (int column = 0; column < columns(); ++column) {
        const auto token = m_content.map.columns.token(column);
        const auto row = m_rowsPlaced && token ? m_content.map.rows.indexOf(*token) : std::nullopt;
        if (m_rowsPlaced && !row && pickSide() == TokenSide::Rows)
            continue;
        const auto beside = std::ranges::find(m_beside, column, &Beside::column);
        if (beside != m_beside.end()) {
            addMark({{row, column}, {beside->line}});
            continue;
        }
        TokenMark mark{{row, column}, {m_patches.patch(column, m_frame)}, true};
        for (const Panel& panel : m_panels)
            mark.boxes.push_back(m_patches.patch(column, panel.frame));
        addMark(std::move(mark));
    }
    if (m_rowsPlaced)
        return;
    for (int row = 0; row < indexSize(m_panels); ++row)
        addMark({{row, std::nullopt}, {m_panels[static_cast<std::size_t>(row)].all()}});
    addMarks(m_words, m_wordRoom.topLeft(), TokenSide::Rows);
}

QRectF PictureFigure::cellRect(int row, int column) const
{
    return isSheet() && row < indexSize(m_panels)
        ? m_patches.patch(column, m_panels[static_cast<std::size_t>(row)].frame)
        : QRectF();
}

FigureHit PictureFigure::cellHitOf(int row, int column) const
{
    FigureHit hit =
        cellHit(row, column, m_content.map.at(row, column),
                label({TokenSide::Rows, row}) + QStringLiteral(" \u2190 ") + label({TokenSide::Columns, column})
                    + QStringLiteral("   ") + weightText(row, column));
    hit.rowToken = m_content.map.rows.token(row);
    hit.columnToken = m_content.map.columns.token(column);
    return hit;
}

FigureHit PictureFigure::hitTest(QPointF point) const
{
    for (int row = 0; row < std::min(written(TokenSide::Rows), indexSize(m_panels)); ++row) {
        if (const auto column = m_patches.at(point, m_panels[static_cast<std::size_t>(row)].frame))
            return cellHitOf(row, *column);
    }
    return TokenFigure::hitTest(point);
}

FigureHit PictureFigure::band(const QRectF& rect) const
{
    std::vector<int> found = m_empty ? std::vector<int>() : m_patches.within(rect, m_frame);
    if (found.empty())
        return {};
    FigureHit hit = hitOf(TokenPlace{TokenSide::Columns, found.front()});
    hit.columns = std::move(found);
    if (hit.columns.size() > 1)
        hit.text = tr("%n patches", nullptr, indexSize(hit.columns));
    return hit;
}

std::optional<int> PictureFigure::word() const
{
    const bool one = pickSide() == TokenSide::Rows && !m_rowsPlaced && sources().size() == 1;
    return one ? std::optional(sources().front()) : std::nullopt;
}

// --- painting ---

void PictureFigure::draw(QPainter& painter, const Highlight& highlight) const
{
    if (isSheet()) {
        paintPanels(painter, highlight);
    } else {
        const bool overPatches = m_rowsPlaced || shadedSide() == TokenSide::Columns;
        std::vector<double> parts;
        for (int index = 0; index < count(shadedSide()) && overPatches; ++index)
            parts.push_back(part(value(index)));
        paintFrame(painter, m_frame, parts);
        paintBeside(painter);
        paintWords(painter);
    }
    paintOutlines(painter, highlight, sources());
    paintShadeLegend(painter, [this](double value) { return legendColor(value); });
}

PictureWeights PictureFigure::weightsOf(const std::vector<double>& parts) const
{
    return {parts, m_spec.overlay, m_spec.opacity, m_content.map.isSigned};
}

QColor PictureFigure::legendColor(double value) const
{
    const bool overWords = !isSheet() && shadedSide() == TokenSide::Rows && !m_rowsPlaced;
    if (overWords || m_content.map.isSigned)
        return ground(value);
    const double part = fraction(value);
    return m_spec.overlay == Overlay::Light ? mixed(QColor(Qt::black), QColor(Qt::white), brightness(part))
                                            : colorAt(m_style.colorMap, part);
}

void PictureFigure::paintFrame(QPainter& painter, const QRectF& frame, const std::vector<double>& parts) const
{
    const PatchedPicture& shaded = m_rowsPlaced ? side(shadedSide()) : m_patches;
    shaded.paint(painter, frame, weightsOf(parts), m_style);
    for (const auto& [column, isGrey] : m_edited) {
        const QRectF patch = m_patches.patch(column, frame);
        if (isGrey)
            painter.fillRect(patch, QColor(Qt::gray));
        else if (!patch.isNull())
            drawHatching(painter, patch, m_style);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.drawRect(frame);
}

void PictureFigure::paintWords(QPainter& painter) const
{
    const SavedPainter saved(painter);
    painter.setClipRect(m_wordRoom.adjusted(-2, -2, 2, 2), Qt::IntersectClip);
    for (const TokenMark& mark : marks()) {
        const auto row =
            isWord(placeOf(mark)) && shadedSide() == TokenSide::Rows ? mark.on(TokenSide::Rows) : std::nullopt;
        for (const QRectF& box : mark.boxes) {
            if (row && isWritten(mark))
                paintGround(painter, box, value(*row));
        }
    }
    painter.setPen(m_style.colors.ink);
    m_words.paint(painter, m_wordRoom.topLeft(), written(TokenSide::Rows));
}

void PictureFigure::paintBeside(QPainter& painter) const
{
    for (const Beside& one : m_beside) {
        const TokenPlace place{TokenSide::Columns, one.column};
        const TokenMark* const mark = markOf(place);
        const auto shaded = mark == nullptr ? std::nullopt : mark->on(shadedSide());
        const QRectF name = one.line.adjusted(0, 0, -shareBar - shadedGap, 0);
        drawLabel(painter, m_style.font, m_style.colors.ink, name, Qt::AlignLeft, label(place));
        const QRectF room(one.line.right() - shareBar, one.line.top() + 2, shareBar, one.line.height() - 4);
        if (shaded && showsBeside()) {
            const double shown = value(*shaded);
            painter.fillRect(room, m_style.colors.blank);
            const double share = m_content.map.isSigned ? fraction(shown) : std::clamp(shown, 0.0, 1.0);
            painter.fillRect(QRectF(room.topLeft(), QSizeF(room.width() * share, room.height())),
                             m_content.map.isSigned ? ground(std::copysign(1e9, shown)) : m_style.colors.bar);
            drawLabel(painter, m_style.small, m_style.colors.ink, room, Qt::AlignHCenter,
                      m_content.decimalOf(shown, 2));
        }
    }
}

// "[CLS] 0.12", or the sum of several.
QString PictureFigure::besideText(int row) const
{
    double sum = 0;
    int count = 0;
    QString name;
    for (int column = 0; column < columns(); ++column) {
        if (m_patches.isPlaced(column) || !m_content.map.hasNumber(row, column))
            continue;
        sum += static_cast<double>(m_content.map.at(row, column));
        name = ++count == 1 ? label({TokenSide::Columns, column}) : tr("special tokens");
    }
    return count == 0 ? QString() : name + QLatin1Char(' ') + m_content.decimalOf(sum, 2);
}

void PictureFigure::paintPanels(QPainter& painter, const Highlight& highlight) const
{
    paintFrame(painter, m_frame, {});
    for (int row = 0; row < std::min(written(TokenSide::Rows), indexSize(m_panels)); ++row) {
        const Panel& panel = m_panels[static_cast<std::size_t>(row)];
        const bool pointed = row == highlight.row;
        drawLabel(painter, pointed ? m_style.strong : m_style.font, m_style.colors.ink, panel.name, Qt::AlignLeft,
                  label({TokenSide::Rows, row}));
        paintFrame(painter, panel.frame, rowParts(row));
        if (panel.note.height() > 0)
            drawLabel(painter, m_style.small, m_style.colors.muted, panel.note, Qt::AlignLeft, besideText(row));
    }
}

// The weights of patches over the picture that they are of.
extern const FigureKind pictureKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<PictureFigure>(spec, trace, size);
    },
    .numbers = pictureContent,
    .isIn = [](const Trace& trace) { return !trace.source().boxes.empty(); },
    .comesFirst = true,
    .cost = shownMapCost};

} // namespace attn::ui
