// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/running_text.h"

#include "base/index.h"
#include "base/progress.h"
#include "base/token_text.h"
#include "figures/look/token_label.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>
#include <QTextOption>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double lineSpacing = 1.55;
constexpr double leastWidth = 4; // of a piece that has none of its own
constexpr QChar startsIsolate(0x2068);
constexpr QChar endsIsolate(0x2069);

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Text that the group's tokens stand for; empty: nothing.
ByteSpan spanOf(const Encoding& encoding, const AxisGroup& group)
{
    ByteSpan span;
    bool found = false;
    for (int token = group.first; token < group.first + group.count; ++token) {
        const ByteSpan one = encoding.spans[static_cast<std::size_t>(token)];
        if (one.end <= one.begin || one.end > encoding.text.size())
            continue;
        span = {found ? std::min(span.begin, one.begin) : one.begin, found ? std::max(span.end, one.end) : one.end};
        found = true;
    }
    return found ? wholeCharacters(encoding.text, span) : span;
}

bool beginsSegment(const Encoding& encoding, const AxisGroup& group)
{
    const auto at = static_cast<std::size_t>(group.first);
    return at > 0 && at < encoding.segments.size() && encoding.segments[at] > encoding.segments[at - 1];
}

// Whether tokens go on with a word, where places in the text are not known, as far as words and marks tell it.
bool goesOn(const Encoding& encoding, const AxisGroup& group)
{
    const auto at = static_cast<std::size_t>(group.first);
    if (at == 0 || at >= encoding.words.size())
        return false;
    return encoding.words[at] != noWord && encoding.words[at] == encoding.words[at - 1];
}

} // namespace

std::vector<TextPiece> textPieces(const Encoding& encoding, const std::vector<AxisGroup>& groups)
{
    const bool places = encoding.spans.size() == encoding.size() && !encoding.text.empty();
    std::vector<TextPiece> pieces;
    std::size_t written = 0; // of the text, up to what came last, shown or not
    int token = 0;
    bool spaced = true; // nothing has to stand between this and what comes
    for (const AxisGroup& group : groups) {
        TextPiece piece;
        const bool skips = token < group.first; // what stands before it is not shown
        for (; places && token < group.first; ++token)
            written = std::max(written, spanOf(encoding, {{}, token, 1}).end);
        token = group.first + group.count;
        ByteSpan span = places ? spanOf(encoding, group) : ByteSpan();
        if (span.end > span.begin) {
            std::size_t begin = std::max(span.begin, std::min(written, span.end));
            while (begin < span.end && isSpace(encoding.text[begin])) // some tokens begin with their space
                ++begin;
            const bool blank = begin == span.end && span.end > std::max(span.begin, written); // nothing but space
            if (blank)
                begin = std::max(span.begin, written);
            if (begin > written)
                piece.before = readableText(encoding.text.substr(written, begin - written));
            if (piece.before.isEmpty() && !pieces.empty() && (!spaced || skips))
                piece.before = QLatin1Char(' ');
            const std::string letters = encoding.text.substr(begin, span.end - begin);
            const bool breaks = letters.find('\n') != std::string::npos;
            piece.text = blank && !breaks ? readableToken(letters) : readableText(letters);
            written = std::max(written, span.end);
            spaced = true;
        } else {
            piece.text = readableToken(group.label);
            piece.spelled = false;
            const bool joined = !places && goesOn(encoding, group);
            piece.before = pieces.empty() || joined ? QString() : QStringLiteral(" ");
            spaced = !places;
        }
        if (beginsSegment(encoding, group) && !pieces.empty())
            piece.before = QChar(QChar::LineSeparator);
        pieces.push_back(piece);
    }
    return pieces;
}

RunningText::RunningText() = default;
RunningText::RunningText(RunningText&&) noexcept = default;
RunningText& RunningText::operator=(RunningText&&) noexcept = default;
RunningText::~RunningText() = default;

RunningText::RunningText(const std::vector<TextPiece>& pieces, const QFont& font, double width)
{
    QString letters;
    for (const TextPiece& piece : pieces)
        letters += piece.spelled ? piece.text : QString();
    if (letters.isEmpty())
        for (const TextPiece& piece : pieces)
            letters += piece.text;
    m_rightToLeft = ui::isRightToLeft(letters);
    join(pieces);
    m_layout = std::make_unique<QTextLayout>(m_text, font);
    m_layout->setCacheEnabled(true);
    wrap(width);
    place();
}

// Names of tokens among letters of the other direction are kept together.
void RunningText::join(const std::vector<TextPiece>& pieces)
{
    for (const TextPiece& piece : pieces) {
        const bool isolated = m_rightToLeft && !piece.spelled;
        m_text += piece.before + (isolated ? QString(startsIsolate) : QString());
        m_ranges.push_back({static_cast<int>(m_text.size()), static_cast<int>(piece.text.size())});
        m_text += piece.text + (isolated ? QString(endsIsolate) : QString());
    }
}

void RunningText::wrap(double width)
{
    QTextOption option;
    option.setTextDirection(m_rightToLeft ? Qt::RightToLeft : Qt::LeftToRight);
    option.setAlignment(m_rightToLeft ? Qt::AlignRight : Qt::AlignLeft);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_layout->setTextOption(option);
    const double pitch = std::ceil(QFontMetricsF(m_layout->font()).height() * lineSpacing);
    m_layout->beginLayout();
    for (QTextLine line = m_layout->createLine(); line.isValid(); line = m_layout->createLine()) {
        ThreadStop::check();
        line.setLineWidth(std::max(width, 1.0));
        line.setPosition({0, m_height + (pitch - line.height()) / 2});
        m_height += pitch;
        m_naturalWidth = std::max(m_naturalWidth, line.naturalTextWidth());
    }
    m_layout->endLayout();
}

void RunningText::place()
{
    const auto endOf = [this](int line) {
        return m_layout->lineAt(line).textStart() + m_layout->lineAt(line).textLength();
    };
    int line = 0; // pieces follow each other
    for (const Range& range : m_ranges) {
        ThreadStop::check();
        while (line < m_layout->lineCount() && endOf(line) <= range.first)
            ++line;
        std::vector<QRectF> boxes;
        addBoxes(boxes, range, line);
        if (boxes.empty() && !m_rects.empty()) // part of a character
            boxes.push_back(m_rects.back().back());
        if (boxes.empty())
            boxes.emplace_back(0, 0, leastWidth, std::max(m_height, leastWidth));
        m_rects.push_back(std::move(boxes));
    }
}

void RunningText::addBoxes(std::vector<QRectF>& boxes, const Range& range, int firstLine) const
{
    for (int number = firstLine; number < m_layout->lineCount(); ++number) {
        const QTextLine line = m_layout->lineAt(number);
        const int first = std::max(range.first, line.textStart());
        const int last = std::min(range.first + range.length, line.textStart() + line.textLength());
        if (line.textStart() >= range.first + range.length)
            break;
        for (int at = first; at < last;) {
            const int next = std::min(std::max(m_layout->nextCursorPosition(at), at + 1), last);
            double left = line.cursorToX(at, QTextLine::Leading);
            double right = line.cursorToX(next - 1, QTextLine::Trailing);
            // Within a ligature the end of a letter is said to be that of the ligature.
            const double following = line.cursorToX(next, QTextLine::Leading);
            if (following > std::min(left, right) && following < std::max(left, right))
                right = following;
            if (left > right)
                std::swap(left, right);
            QRectF box(left, line.y() - 1, std::max(right - left, 0.0), line.height() + 2);
            const bool joins = !boxes.empty() && boxes.back().y() == box.y() && box.left() <= boxes.back().right() + 0.5
                && box.right() >= boxes.back().left() - 0.5;
            if (joins)
                boxes.back() |= box;
            else
                boxes.push_back(box);
            at = next;
        }
    }
    for (QRectF& box : boxes) {
        if (box.width() < leastWidth)
            box.adjust(-(leastWidth - box.width()) / 2, 0, (leastWidth - box.width()) / 2, 0);
    }
}

std::vector<QRectF> RunningText::rects(int piece, QPointF origin) const
{
    std::vector<QRectF> boxes = rects(piece);
    for (QRectF& box : boxes)
        box.translate(origin);
    return boxes;
}

void RunningText::paint(QPainter& painter, QPointF origin, int pieces) const
{
    if (!m_layout)
        return;
    QList<QTextLayout::FormatRange> unseen;
    if (pieces < count()) {
        const int first = m_ranges[static_cast<std::size_t>(pieces)].first;
        unseen.push_back({first, static_cast<int>(m_text.size()) - first, {}});
        unseen.back().format.setForeground(Qt::transparent);
    }
    m_layout->draw(&painter, origin, unseen);
}

} // namespace attn::ui
