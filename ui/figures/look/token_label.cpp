// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/token_label.h"

#include "base/progress.h"
#include "figures/figure.h"
#include "figures/look/saved_painter.h"

#include <QFontMetrics>
#include <QGuiApplication>
#include <QHash>
#include <QPainter>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

namespace attn::ui {

namespace {

constexpr char32_t wordStart = 0x2581; // SentencePiece's mark, which others take over
constexpr QChar dot(0x00B7);
constexpr qsizetype longestMeasured = 240; // characters; more never fit anywhere

// Marks that would reorder, hide or break what stands around the label.
bool isInvisible(char32_t c)
{
    return c == 0x00AD || c == 0x061C || c == 0x180E || c == 0x200B || c == 0x200E || c == 0x200F
        || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB);
}

bool isNonCharacter(char32_t c)
{
    return (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF) || (c >= 0xD800 && c <= 0xDFFF);
}

// Control characters that tokenAxis() has made pictures, which few fonts have.
char32_t unpictured(char32_t c)
{
    if (c >= 0x2400 && c < 0x2420)
        return c - 0x2400;
    return c == 0x2421 ? 0x7F : c;
}

// Joiners, selectors of a variant and tags: they have no shape of their own.
bool isShapeless(char32_t c)
{
    return c == 0x200C || c == 0x200D || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0020 && c <= 0xE01EF);
}

thread_local bool isForOtherFonts = false;

// Made once: that takes longer than reading a label. Every thread has its own, as it has of what Qt knows of fonts.
const QFontMetrics& usualMetrics()
{
    static thread_local const QFontMetrics metrics(figureFont(9));
    return metrics;
}

// Whether the fonts of this machine can draw it. Without a window system nothing is known of them.
bool hasGlyph(char32_t c)
{
    if (c < 0x250 || isShapeless(c) || isForOtherFonts)
        return true;
    const bool known = qobject_cast<QGuiApplication*>(QCoreApplication::instance()) != nullptr;
    return !known || usualMetrics().inFontUcs4(c);
}

QString codePoint(char32_t c)
{
    return QString::number(c, 16).toUpper().rightJustified(4, QLatin1Char('0'));
}

bool isShown(char32_t c)
{
    return QChar::category(c) == QChar::Other_Control || isInvisible(c) || isNonCharacter(c) || unpictured(c) != c
        || hasGlyph(c);
}

QString readableCharacter(char32_t given)
{
    const char32_t c = unpictured(given);
    if (c == U'\n')
        return QStringLiteral("\u21B5");
    if (c == U'\t')
        return QStringLiteral("\u21E5");
    if (isInvisible(c) || QChar::category(c) == QChar::Other_Control)
        return QStringLiteral("<U+%1>").arg(codePoint(c));
    if (c == wordStart)
        return QString(dot);
    if (isNonCharacter(c))
        return QString(QChar::ReplacementCharacter);
    if (!hasGlyph(c))
        return QStringLiteral("\u27E6%1\u27E7").arg(codePoint(c));
    return QString::fromUcs4(&c, 1);
}

// At most the first so many characters of what would be read as so many, whole ones.
QString beginning(const QString& text)
{
    if (text.size() <= longestMeasured)
        return text;
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
    finder.setPosition(longestMeasured);
    const qsizetype end = finder.isAtBoundary() ? longestMeasured : finder.toPreviousBoundary();
    return text.left(end > 0 ? end : longestMeasured);
}

} // namespace

TextForOtherFonts::TextForOtherFonts()
    : m_before(std::exchange(isForOtherFonts, true))
{
}

TextForOtherFonts::~TextForOtherFonts()
{
    isForOtherFonts = m_before;
}

QString readableToken(const std::string& label)
{
    const QString given = QString::fromStdString(label);
    if (given.isEmpty())
        return QString(dot);
    const bool blank = given.trimmed().isEmpty();
    QString text;
    for (const char32_t c : given.toStdU32String())
        text += blank && QChar::category(c) == QChar::Separator_Space ? QString(dot) : readableCharacter(c);
    if (text.front().isMark())
        text.prepend(QChar(0x25CC));
    return text;
}

QString readableText(const std::string& text)
{
    QString shown;
    for (const char32_t c : QString::fromStdString(text).toStdU32String()) {
        shown += readableCharacter(c);
        if (c == U'\n')
            shown += QChar(QChar::LineSeparator);
    }
    return shown;
}

bool isDrawable(const std::string& text)
{
    const std::u32string characters = QString::fromStdString(text).toStdU32String();
    return std::all_of(characters.begin(), characters.end(), isShown);
}

std::u32string undrawable(const QString& text)
{
    std::u32string missing;
    std::unordered_set<char32_t> seen; // a font is asked once: texts may be long
    for (const char32_t c : text.toStdU32String()) {
        if (seen.insert(c).second && !isShown(c))
            missing += c;
    }
    return missing;
}

bool isRightToLeft(const QString& text)
{
    int balance = 0;
    for (const char32_t c : text.toStdU32String()) {
        const QChar::Direction direction = QChar::direction(c);
        balance += direction == QChar::DirR || direction == QChar::DirAL ? 1 : direction == QChar::DirL ? -1 : 0;
    }
    return balance > 0;
}

std::string placeName(AttentionAxis axis, int number, const std::string& text)
{
    const QString name = axis == AttentionAxis::Text ? Figure::tr("text")
        : axis == AttentionAxis::Hops                ? Figure::tr("hop %1").arg(number)
        : text.empty()                               ? Figure::tr("sentence %1").arg(number)
                       : QStringLiteral("%1: %2").arg(QString::number(number), QString::fromStdString(text));
    return name.toStdString();
}

QString capitalized(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

double labelWidth(const QString& text, const QFontMetricsF& metrics)
{
    return metrics.horizontalAdvance(beginning(text));
}

QString elided(const QString& text, const QFontMetricsF& metrics, double width)
{
    QString head = text.size() > longestMeasured ? beginning(text) + QChar(0x2026) : text;
    if (metrics.horizontalAdvance(head) <= width + 0.01)
        return head;
    return metrics.elidedText(head, Qt::ElideRight, width);
}

void drawLabel(QPainter& painter, QRectF box, Qt::AlignmentFlag side, const QString& text)
{
    ThreadStop::check();
    const QFontMetricsF metrics(painter.font());
    const QString shown = elided(text, metrics, box.width());
    if (shown.isEmpty())
        return;
    double x = box.left();
    if (side == Qt::AlignRight)
        x = box.right() - metrics.horizontalAdvance(shown);
    else if (side == Qt::AlignHCenter)
        x = box.center().x() - metrics.horizontalAdvance(shown) / 2;
    const Qt::LayoutDirection before = painter.layoutDirection();
    painter.setLayoutDirection(isRightToLeft(shown) ? Qt::RightToLeft : Qt::LeftToRight); // of what is between letters
    if (auto* const device = dynamic_cast<AlignedDevice*>(painter.device()))
        device->alignNext(side);
    painter.drawText(QPointF(x, box.center().y() + (metrics.ascent() - metrics.descent()) / 2), shown);
    painter.setLayoutDirection(before);
}

void drawLabel(QPainter& painter, const QFont& font, const QColor& ink, QRectF box, Qt::AlignmentFlag side,
               const QString& text)
{
    painter.setFont(font);
    painter.setPen(ink);
    drawLabel(painter, box, side, text);
}

QFont withoutLigatures(QFont font)
{
    // Qt leaves ligatures out wherever a spacing is set; this one is what letters have anyway.
    font.setLetterSpacing(QFont::PercentageSpacing, 100);
    return font;
}

QString usualFontFamily()
{
    return QStringLiteral("DejaVu Sans");
}

QFont figureFont(double points, const QString& family, bool bold)
{
    QFont font = withoutLigatures(QFont(family.isEmpty() ? usualFontFamily() : family));
    font.setStyleHint(QFont::SansSerif);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(points * 96.0 / 72.0))));
    font.setBold(bold);
    return font;
}

QStringList toldApart(QStringList labels, const std::vector<int>& tokens)
{
    constexpr qsizetype few = 40; // are told apart by looking along them
    if (labels.size() <= few || labels.size() != std::ssize(tokens))
        return labels;
    QHash<QString, int> counts;
    for (const QString& label : std::as_const(labels))
        ++counts[label];
    for (qsizetype i = 0; i < labels.size(); ++i) {
        const int token = tokens[static_cast<std::size_t>(i)];
        if (counts.value(labels[i]) > 1 && token >= 0)
            labels[i] += QStringLiteral(" #%1").arg(token);
    }
    return labels;
}

} // namespace attn::ui
