// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/formula_layout.h"

#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPathStroker>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace attn::ui {

namespace {

// Parts of the size of the letters.
constexpr double scriptSize = 0.7;
constexpr double scriptOfScript = 0.8; // of the script's
constexpr double largestFaceChange = 1.3; // to letters that are as high as the window's
constexpr double barThickness = 0.05;
constexpr double thinRoom = 1.0 / 6;
constexpr double mediumRoom = 4.0 / 18;
constexpr double thickRoom = 5.0 / 18;
constexpr double wideRoom = 0.8;
constexpr double sideRoom = 0.1; // beside a fraction
constexpr double barOverhang = 0.08; // of its bar
constexpr double numeratorRise = 0.677;
constexpr double denominatorDrop = 0.686;
constexpr double smallNumeratorRise = 0.394;
constexpr double smallDenominatorDrop = 0.345;
constexpr double supRise = 0.38;
constexpr double subDrop = 0.17;
constexpr double subDropUnderSup = 0.247;
constexpr double scriptRoom = 0.05;
constexpr double bigSum = 1.5;
constexpr double limitRoom = 0.12;
constexpr double radicalWidth = 0.55;
constexpr double radicalHook = 0.9; // height of its beginning, at most
constexpr double fenceWidth = 0.26;
constexpr double fenceBend = 0.05; // wider by so much of its height
constexpr double dotRoom = 0.06; // beside a dot, whose own varies with the face
constexpr double glyphFence = 1.25; // what is not higher has fences that are letters

// Serif faces with true italics, best first; every machine that shows figures has the last one.
QString mathFamily()
{
    for (const char* family : {"STIX Two Text", "XITS", "Libertinus Serif", "TeX Gyre Termes", "LM Roman 10"}) {
        if (QFontDatabase::hasFamily(QLatin1String(family)))
            return QLatin1String(family);
    }
    return QStringLiteral("DejaVu Serif");
}

double xHeight(const QFont& font)
{
    return QFontMetricsF(font).tightBoundingRect(QStringLiteral("x")).height();
}

QFont mathFont(const QString& family, double pixels, bool italic)
{
    QFont font = withoutLigatures(QFont(family));
    font.setStyleHint(QFont::Serif);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels))));
    font.setItalic(italic);
    return font;
}

// Content that is being put together: everything from the beginning of its base line.
struct Box
{
    double width = 0;
    double ascent = 0;
    double descent = 0;
    double lean = 0; // how far its last letter leans over its own width
    std::vector<FormulaLayout::Letters> letters;
    std::vector<FormulaLayout::Shape> shapes;

    double height() const { return ascent + descent; }

    void take(Box&& other, double x, double y)
    {
        for (FormulaLayout::Letters& each : other.letters) {
            each.at += QPointF(x, y);
            each.ink.translate(x, y);
            letters.push_back(std::move(each));
        }
        for (FormulaLayout::Shape& each : other.shapes) {
            each.path.translate(x, y);
            shapes.push_back(std::move(each));
        }
        width = std::max(width, x + other.width);
        ascent = std::max(ascent, other.ascent - y);
        descent = std::max(descent, other.descent + y);
    }

    void add(const QPainterPath& path, AttentionRole role)
    {
        const QRectF ink = path.boundingRect();
        shapes.push_back({path, role});
        width = std::max(width, ink.right());
        ascent = std::max(ascent, -ink.top());
        descent = std::max(descent, ink.bottom());
    }
};

QPainterPath rectangle(double x, double y, double width, double height)
{
    QPainterPath path;
    path.addRect(QRectF(x, y, width, height));
    return path;
}

// Lines of a thickness, as an area.
QPainterPath stroked(const QPainterPath& line, double thickness)
{
    QPainterPathStroker stroker;
    stroker.setWidth(thickness);
    stroker.setJoinStyle(Qt::MiterJoin);
    stroker.setCapStyle(Qt::FlatCap);
    QPainterPath area = stroker.createStroke(line);
    area.setFillRule(Qt::WindingFill);
    return area;
}

// A tall bracket between top and bottom, `width` wide.
QPainterPath fencePath(QChar fence, double top, double bottom, double width, double thickness)
{
    const double middle = (top + bottom) / 2;
    const bool opens = fence == QLatin1Char('(') || fence == QLatin1Char('[');
    const double tips = opens ? width * 0.9 : width * 0.1;
    const double back = opens ? width * 0.15 : width * 0.85;
    QPainterPath path;
    if (fence == QLatin1Char('(') || fence == QLatin1Char(')')) { // a crescent, thickest in the middle
        const double out = opens ? -1 : 1;
        path.moveTo(tips, top);
        path.quadTo(2 * back - tips - out * thickness, middle, tips, bottom);
        path.quadTo(2 * back - tips - out * 3.2 * thickness, middle, tips, top);
        path.closeSubpath();
        return path;
    }
    path.moveTo(tips, top);
    if (fence != QLatin1Char('|')) {
        path.lineTo(back, top);
        path.lineTo(back, bottom);
        path.lineTo(tips, bottom);
        return stroked(path, thickness);
    }
    return rectangle((width - thickness) / 2, top, thickness, bottom - top);
}

// Measures of the letters around it: sizes are in pixels, and distances parts of them.
struct Setting
{
    double size = 0;
    bool displayed = true;
    bool script = false;

    double bar() const { return std::max(0.7, size * barThickness); }
    Setting inFraction() const { return displayed ? Setting{size, false, script} : asScript(); }
    Setting asScript() const { return {size * (script ? scriptOfScript : scriptSize), false, true}; }
};

class Typesetter
{
public:
    explicit Typesetter(const QFont& font)
        : m_family(mathFamily())
    {
        const double pixels = QFontInfo(font).pixelSize();
        // Letters of serif faces are lower: as high as those around the formula.
        const QFont plain = mathFont(m_family, pixels, false);
        m_size = pixels * std::clamp(xHeight(font) / std::max(1.0, xHeight(plain)), 1.0, largestFaceChange);
    }

    Box set(const Formula& formula, FormulaPlace place)
    {
        return box(formula, {m_size, place == FormulaPlace::Displayed, false});
    }

private:
    struct Face
    {
        QFont font;
        QFontMetricsF metrics;
        double axis = 0; // height of fraction bars, of the middle of a minus sign
        double low = 0; // height of an x
    };

    const Face& face(double size, bool italic)
    {
        const std::pair key(static_cast<int>(std::lround(size)), italic);
        if (const auto known = m_faces.find(key); known != m_faces.end())
            return known->second;
        const QFont font = mathFont(m_family, size, italic);
        const QFontMetricsF metrics(font);
        return m_faces
            .emplace(key,
                     Face{font, metrics, -metrics.tightBoundingRect(QStringLiteral("\u2212")).center().y(),
                          metrics.tightBoundingRect(QStringLiteral("x")).height()})
            .first->second;
    }

    double axis(const Setting& at) { return face(at.size, false).axis; }
    double low(const Setting& at) { return face(at.size, false).low; }

    Box box(const Formula& formula, const Setting& at)
    {
        switch (formula.kind) {
        case Formula::Kind::Symbol:
            return letters(formula.text, formula.italic, formula.role, at);
        case Formula::Kind::Scripts:
            return scripts(formula, at);
        case Formula::Kind::Fraction:
            return fractionBox(formula, at);
        case Formula::Kind::Root:
            return rootBox(formula, at);
        case Formula::Kind::Sum:
            return sumBox(formula, at);
        case Formula::Kind::Fenced:
            return fencedBox(formula, at);
        case Formula::Kind::Tilde:
            return tildeBox(formula, at);
        case Formula::Kind::Row:
            break;
        }
        return rowBox(formula, at);
    }

    Box letters(const QString& text, bool italic, AttentionRole role, const Setting& at)
    {
        const Face& used = face(at.size, italic);
        const QRectF ink = used.metrics.tightBoundingRect(text);
        const bool isDot = text == QStringLiteral("·");
        const double advance = isDot ? ink.right() + dotRoom * at.size : used.metrics.horizontalAdvance(text);
        const double left = isDot ? dotRoom * at.size - ink.left() : std::max(0.0, -ink.left());
        Box made;
        made.width = left + std::max(advance, ink.right());
        made.ascent = std::max(0.0, -ink.top());
        made.descent = std::max(0.0, ink.bottom());
        made.lean = std::max(0.0, ink.right() - advance);
        made.letters.push_back({text, used.font, role, QPointF(left, 0), ink.translated(left, 0)});
        return made;
    }

    static double room(Formula::Gap gap, const Setting& at)
    {
        switch (gap) {
        case Formula::Gap::Thin:
            return thinRoom * at.size;
        case Formula::Gap::Medium:
            return (at.script ? 0 : mediumRoom) * at.size;
        case Formula::Gap::Thick:
            return (at.script ? 0 : thickRoom) * at.size;
        case Formula::Gap::Wide:
            return wideRoom * at.size;
        case Formula::Gap::None:
            break;
        }
        return 0;
    }

    Box rowBox(const Formula& formula, const Setting& at)
    {
        Box made;
        for (std::size_t i = 0; i < formula.parts.size(); ++i) {
            Box next = box(formula.parts[i], at);
            const double lean = next.lean;
            made.take(std::move(next), made.width + room(formula.gapBefore(i), at), 0);
            made.lean = lean;
        }
        return made;
    }

    Box scripts(const Formula& formula, const Setting& at)
    {
        const Setting small = at.asScript();
        const bool letter = formula.parts[0].kind == Formula::Kind::Symbol;
        Box made = box(formula.parts[0], at);
        Box below = box(formula.parts[1], small);
        Box above = box(formula.parts[2], small);
        const bool both = !formula.parts[1].empty() && !formula.parts[2].empty();
        double drop = std::max((both ? subDropUnderSup : subDrop) * at.size, below.ascent - 0.8 * low(at));
        double rise = std::max(supRise * at.size, above.descent + low(at) / 4);
        if (!letter) {
            drop = std::max(drop, made.descent + 0.05 * small.size);
            rise = std::max(rise, made.ascent - 0.386 * small.size);
        }
        if (both) // as much apart as four bars are thick
            drop = std::max(drop, 4 * at.bar() - (rise - above.descent) + below.ascent);
        const double width = made.width;
        const double lean = made.lean;
        if (!formula.parts[1].empty())
            made.take(std::move(below), width - lean + scriptRoom * at.size, drop);
        if (!formula.parts[2].empty())
            made.take(std::move(above), width + scriptRoom * at.size, -rise);
        made.width += scriptRoom * at.size;
        made.lean = 0;
        return made;
    }

    Box fractionBox(const Formula& formula, const Setting& at)
    {
        const Setting within = at.inFraction();
        Box above = box(formula.parts[0], within);
        Box below = box(formula.parts[1], within);
        const double bar = at.bar();
        const double gap = (at.displayed ? 3 : 1.5) * bar;
        const double middle = axis(at);
        const double rise = std::max((at.displayed ? numeratorRise : smallNumeratorRise) * at.size,
                                     middle + bar / 2 + gap + above.descent);
        const double drop = std::max((at.displayed ? denominatorDrop : smallDenominatorDrop) * at.size,
                                     below.ascent + gap + bar / 2 - middle);
        const double side = sideRoom * at.size;
        const double over = barOverhang * at.size;
        const double width = std::max(above.width, below.width) + 2 * over;
        Box made;
        made.add(rectangle(side, -middle - bar / 2, width, bar), formula.role);
        const double aboveAt = side + (width - above.width) / 2;
        const double belowAt = side + (width - below.width) / 2;
        made.take(std::move(above), aboveAt, -rise);
        made.take(std::move(below), belowAt, drop);
        made.width = width + 2 * side;
        return made;
    }

    Box rootBox(const Formula& formula, const Setting& at)
    {
        Box content = box(formula.parts[0], {at.size, false, at.script});
        const double bar = at.bar();
        const double clear = bar + low(at) / 4;
        const double line = -content.ascent - clear - bar / 2; // the middle of the bar above it
        const double foot = content.descent + bar;
        const double width = radicalWidth * at.size;
        const double hook = foot - std::min((foot - line) * 0.6, radicalHook * at.size * 0.6);
        const double end = width + content.width + 2 * bar;
        QPainterPath sign;
        sign.moveTo(0.06 * width, hook + 0.14 * width);
        sign.lineTo(0.24 * width, hook);
        sign.lineTo(0.55 * width, foot);
        sign.lineTo(width, line);
        sign.lineTo(end, line);
        QPainterPath stem; // the thick stroke down
        stem.moveTo(0.24 * width, hook);
        stem.lineTo(0.55 * width, foot - bar / 2);
        QPainterPath area = stroked(sign, bar);
        area.addPath(stroked(stem, 2 * bar));
        area.setFillRule(Qt::WindingFill);
        Box made;
        made.add(area, formula.role);
        made.take(std::move(content), width + bar, 0);
        made.width = end + bar;
        return made;
    }

    Box sumBox(const Formula& formula, const Setting& at)
    {
        Setting large = at;
        large.size *= at.displayed ? bigSum : 1.1;
        Box sign = letters(QStringLiteral("\u2211"), false, formula.role, large);
        const double lift = (sign.ascent - sign.descent) / 2 - axis(at); // its middle to the height of fraction bars
        Box over = box(formula.parts[0], at.asScript());
        Box summed = box(formula.parts[1], at);
        Box made;
        double width = 0; // of the sign with what is below or beside it
        const double signWidth = sign.width;
        if (at.displayed) {
            width = std::max(signWidth, over.width);
            const double foot = sign.descent + lift;
            made.take(std::move(sign), (width - signWidth) / 2, lift);
            if (!formula.parts[0].empty()) {
                const double overAt = (width - over.width) / 2;
                const double overBase = foot + limitRoom * at.size + over.ascent;
                made.take(std::move(over), overAt, overBase);
            }
        } else {
            made.take(std::move(sign), 0, lift);
            if (!formula.parts[0].empty())
                made.take(std::move(over), signWidth + scriptRoom * at.size, (subDrop + 0.12) * at.size);
            width = made.width;
        }
        made.take(std::move(summed), width + thinRoom * at.size, 0);
        return made;
    }

    Box fencedBox(const Formula& formula, const Setting& at)
    {
        Box content = box(formula.parts[0], at);
        const double middle = axis(at);
        const double half = std::max(content.ascent - middle, content.descent + middle);
        const Box letter = letters(formula.text.left(1), false, formula.role, at);
        const bool high = half > letter.height() / 2 * glyphFence;
        const auto fence = [&](int side) {
            if (!high)
                return letters(formula.text.mid(side, 1), false, formula.role, at);
            Box tall;
            const double width = fenceWidth * at.size + fenceBend * 2 * half;
            tall.add(fencePath(formula.text[side], -middle - half, -middle + half, width, at.bar()), formula.role);
            tall.width = std::max(tall.width, width);
            return tall;
        };
        Box made = fence(0);
        // A bar of letters stands close to what it is around.
        const double air = formula.text[0] == QLatin1Char('|') ? thinRoom / 2 * at.size : 0;
        made.take(std::move(content), made.width + air, 0);
        made.take(fence(1), made.width + air, 0);
        return made;
    }

    Box tildeBox(const Formula& formula, const Setting& at)
    {
        Box made = box(formula.parts[0], at);
        const double bar = at.bar();
        const double wide = 0.42 * at.size;
        const double high = 0.1 * at.size;
        const double left = std::max(0.0, (made.width - wide) / 2 + 0.06 * at.size);
        const double y = -made.ascent - high - 1.5 * bar;
        QPainterPath wave;
        wave.moveTo(left, y + high / 2);
        wave.cubicTo(left + wide * 0.3, y - high, left + wide * 0.7, y + 2 * high, left + wide, y + high / 2);
        made.add(stroked(wave, bar), formula.role);
        return made;
    }

    QString m_family;
    double m_size = 0;
    std::map<std::pair<int, bool>, Face> m_faces;
};

} // namespace

FormulaLayout::FormulaLayout(const Formula& formula, const QFont& font, FormulaPlace place)
{
    Box box = Typesetter(font).set(formula, place);
    m_width = box.width;
    m_ascent = box.ascent;
    m_descent = box.descent;
    m_letters = std::move(box.letters);
    m_shapes = std::move(box.shapes);
}

void FormulaLayout::paint(QPainter& painter, QPointF base, const ThemeColors& colors, const QColor& ink) const
{
    const auto inkOf = [&](AttentionRole role) { return role == AttentionRole::Other ? ink : colors.ofRole(role); };
    const SavedPainter saved(painter);
    painter.setLayoutDirection(Qt::LeftToRight);
    for (const Letters& each : m_letters) {
        painter.setFont(each.font);
        painter.setPen(inkOf(each.role));
        if (auto* const device = dynamic_cast<AlignedDevice*>(painter.device()))
            device->alignNext(Qt::AlignHCenter);
        painter.drawText(base + each.at, each.text);
    }
    painter.setPen(Qt::NoPen);
    for (const Shape& each : m_shapes)
        painter.fillPath(each.path.translated(base), inkOf(each.role));
}

void FormulaLayout::paintIn(QPainter& painter, const QRectF& box, const ThemeColors& colors, const QColor& ink) const
{
    const double scale = scaleIn(box.width());
    const SavedPainter saved(painter);
    painter.translate(box.left(), box.center().y());
    painter.scale(scale, scale);
    paint(painter, QPointF(0, (m_ascent - m_descent) / 2), colors, ink);
}

} // namespace attn::ui
