// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "figures/export/export_forms.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"

#include <QBuffer>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr int mostShapes = 60'000; // of one picture; pdflatex's memory ends at about twice as many
constexpr double bigPoints = 0.75; // of a logical pixel

QByteArray tikzNumber(double value, int digits = 2)
{
    QByteArray text = QByteArray::number(value, 'f', digits);
    while (text.contains('.') && (text.endsWith('0') || text.endsWith('.'))) {
        const bool dot = text.endsWith('.');
        text.chop(1);
        if (dot)
            break;
    }
    return text == "-0" ? QByteArray("0") : text;
}

QByteArray tikzPoint(QPointF at)
{
    return '(' + tikzNumber(at.x()) + ',' + tikzNumber(at.y()) + ')';
}

// "rgb,255:red,1;green,2;blue,3"
QByteArray tikzColour(const QColor& color)
{
    return "{rgb,255:red," + QByteArray::number(color.red()) + ";green," + QByteArray::number(color.green()) + ";blue,"
        + QByteArray::number(color.blue()) + '}';
}

QByteArray tikzPath(const QPainterPath& path)
{
    QByteArray text;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element element = path.elementAt(i);
        if (element.type == QPainterPath::MoveToElement) {
            text += (text.isEmpty() ? "" : " ") + tikzPoint(element);
        } else if (element.type == QPainterPath::LineToElement) {
            text += " -- " + tikzPoint(element);
        } else if (element.type == QPainterPath::CurveToElement && i + 2 < path.elementCount()) {
            text += " .. controls " + tikzPoint(element) + " and " + tikzPoint(path.elementAt(i + 1)) + " .. "
                + tikzPoint(path.elementAt(i + 2));
            i += 2;
        }
    }
    return text;
}

struct TexCharacter
{
    char32_t character;
    const char* text;
};
// Characters that have a meaning in TeX, and those that its usual fonts have under another name.
constexpr TexCharacter texCharacters[] = {{U'\\', "\\textbackslash{}"},
                                          {U'{', "\\{"},
                                          {U'}', "\\}"},
                                          {U'$', "\\$"},
                                          {U'&', "\\&"},
                                          {U'#', "\\#"},
                                          {U'_', "\\_"},
                                          {U'%', "\\%"},
                                          {U'~', "\\textasciitilde{}"},
                                          {U'^', "\\textasciicircum{}"},
                                          {U'<', "\\textless{}"},
                                          {U'>', "\\textgreater{}"},
                                          {U'|', "\\textbar{}"},
                                          {U'"', "\\textquotedbl{}"},
                                          {U'\'', "\\textquotesingle{}"},
                                          {U'`', "\\textasciigrave{}"},
                                          {U'-', "{-}"},
                                          {U',', "{,}"},
                                          {U' ', "\\ "},
                                          {U'!', "{!}"},
                                          {U'?', "{?}"}, // together with ` they are others
                                          {0xA0, "~"},
                                          {0xB7, "\\textperiodcentered{}"},
                                          {0x2013, "\\textendash{}"},
                                          {0x2014, "\\textemdash{}"},
                                          {0x2018, "\\textquoteleft{}"},
                                          {0x2019, "\\textquoteright{}"},
                                          {0x201C, "\\textquotedblleft{}"},
                                          {0x201D, "\\textquotedblright{}"},
                                          {0x201E, "\\quotedblbase{}"},
                                          {0xAB, "\\guillemotleft{}"},
                                          {0xBB, "\\guillemotright{}"},
                                          {0x2026, "\\ldots{}"},
                                          {0x2022, "\\textbullet{}"},
                                          {0x20AC, "\\texteuro{}"},
                                          {0x2190, "\\ensuremath{\\leftarrow}"},
                                          {0x2192, "\\ensuremath{\\rightarrow}"},
                                          {0x2212, "\\ensuremath{-}"},
                                          {0xD7, "\\ensuremath{\\times}"},
                                          {0x2423, "\\textvisiblespace{}"},
                                          {0x2581, "\\_"},
                                          {0x221E, "\\ensuremath{\\infty}"},
                                          {0x2211, "\\ensuremath{\\sum}"},
                                          {0x221A, "\\ensuremath{\\surd}"},
                                          {0xB1, "\\ensuremath{\\pm}"},
                                          {0x3C9, "\\ensuremath{\\omega}"}};

// Paints into the text of a TikZ picture.
class TikzEngine final : public QPaintEngine
{
public:
    TikzEngine()
        : QPaintEngine(PrimitiveTransform | PixmapTransform | AlphaBlend | PainterPaths | Antialiasing | BrushStroke
                       | ConstantOpacity)
    {
    }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override
    {
        endScope();
        return true;
    }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState& changed) override
    {
        constexpr DirtyFlags clipping = DirtyClipPath | DirtyClipRegion | DirtyClipEnabled;
        if (changed.state() & clipping)
            m_clipChanged = true;
    }

    void drawPath(const QPainterPath& path) override
    {
        const QPen pen = painter()->pen();
        const QBrush brush = painter()->brush();
        const QByteArray shape = tikzPath(painter()->combinedTransform().map(path));
        if (brush.style() != Qt::NoBrush && brush.color().alpha() > 0)
            put("\\fill[" + ink(brush.color(), "fill=") + "] " + shape + " -- cycle;");
        if (pen.style() != Qt::NoPen && pen.color().alpha() > 0)
            put("\\draw[" + stroke(pen) + "] " + shape + ';');
    }

    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
    {
        QPainterPath path;
        for (int i = 0; i < count; ++i)
            i == 0 ? path.moveTo(points[i]) : path.lineTo(points[i]); // NOLINT: as the engine is given them
        if (mode != PolylineMode) {
            path.closeSubpath();
            return drawPath(path);
        }
        const QByteArray shape = tikzPath(painter()->combinedTransform().map(path));
        if (painter()->pen().style() != Qt::NoPen && count > 1)
            put("\\draw[" + stroke(painter()->pen()) + "] " + shape + ';');
    }

    void drawRects(const QRectF* rects, int count) override
    {
        for (int i = 0; i < count; ++i) {
            QPainterPath path;
            path.addRect(rects[i]); // NOLINT: as the engine is given them
            drawPath(path);
        }
    }

    void drawTextItem(const QPointF& position, const QTextItem& item) override
    {
        const QColor color = painter()->pen().color();
        const Qt::AlignmentFlag side = std::exchange(m_side, Qt::AlignLeft);
        if (color.alpha() == 0)
            return;
        const QTransform transform = painter()->combinedTransform();
        const double along = side == Qt::AlignRight ? 1 : side == Qt::AlignHCenter ? 0.5 : 0;
        const QPointF at = transform.map(position + QPointF(item.width() * along, 0));
        const double scale = std::hypot(transform.m11(), transform.m12());
        const double angle = -std::atan2(transform.m12(), transform.m11()) * 180 / M_PI;
        const double size = item.font().pixelSize() * scale * bigPoints;
        QByteArray node = "\\node[" + ink(color, "text=") + ",anchor=base"
            + (side == Qt::AlignRight         ? " east"
                   : side == Qt::AlignHCenter ? ""
                                              : " west")
            + (std::abs(angle) > 0.01 ? ",rotate=" + tikzNumber(angle) : QByteArray()) + "] at " + tikzPoint(at)
            + " {\\attnfont{" + tikzNumber(size) + "}";
        if (item.font().bold())
            node += "\\bfseries ";
        if (item.font().italic())
            node += "\\itshape ";
        put(node + texText(item.text()) + "};");
    }

    void drawPixmap(const QRectF& box, const QPixmap& pixmap, const QRectF& part) override
    {
        drawImage(box, pixmap.toImage(), part, Qt::AutoColor);
    }

    // Dots of one colour beside each other, and lines that are alike, are one rectangle.
    void drawImage(const QRectF& box, const QImage& image, const QRectF&, Qt::ImageConversionFlags) override
    {
        const QTransform transform = painter()->combinedTransform();
        if (painter()->renderHints() & QPainter::SmoothPixmapTransform)
            return putPhotograph(transform.mapRect(box), image);
        const double width = box.width() / image.width();
        const double height = box.height() / image.height();
        const auto isSame = [&image](int one, int other) {
            return std::equal(image.constScanLine(one), image.constScanLine(one) + image.bytesPerLine(), // NOLINT
                              image.constScanLine(other));
        };
        for (int y = 0, below = 0; y < image.height(); y = below) {
            for (below = y + 1; below < image.height() && isSame(y, below);)
                ++below;
            for (int x = 0, end = 0; x < image.width(); x = end) {
                const QColor color = image.pixelColor(x, y);
                for (end = x; end < image.width() && image.pixelColor(end, y) == color;)
                    ++end;
                QPainterPath path;
                path.addRect(box.left() + x * width, box.top() + y * height, (end - x) * width, (below - y) * height);
                if (color.alpha() > 0)
                    put("\\fill[" + ink(color, "fill=") + "] " + tikzPath(transform.map(path)) + " -- cycle;");
            }
        }
    }

    void alignNext(Qt::AlignmentFlag side) { m_side = side; }
    const QByteArray& text() const { return m_text; }

private:
    QByteArray ink(const QColor& color, const char* option) const
    {
        const double opacity = color.alphaF() * painter()->opacity();
        return option + tikzColour(color) + (opacity < 0.999 ? ",opacity=" + tikzNumber(opacity, 3) : QByteArray());
    }

    QByteArray stroke(const QPen& pen) const
    {
        const QTransform transform = painter()->combinedTransform();
        const double scale = pen.isCosmetic() ? 1 : std::sqrt(std::abs(transform.determinant()));
        QByteArray options = ink(pen.color(), "draw=")
            + ",line width=" + tikzNumber(std::max(pen.widthF(), 0.3) * scale * bigPoints) + "bp";
        if (pen.style() == Qt::DashLine)
            options += ",dashed";
        else if (pen.style() == Qt::DashDotLine)
            options += ",dash dot";
        else if (pen.style() == Qt::DotLine)
            options += ",dotted";
        if (pen.capStyle() == Qt::RoundCap)
            options += ",line cap=round";
        else if (pen.capStyle() == Qt::SquareCap)
            options += ",line cap=rect";
        return options;
    }

    // Drawing from here on is cut to another shape.
    void takeClip()
    {
        m_clipChanged = false;
        endScope();
        if (!painter()->hasClipping())
            return;
        m_text += "\\begin{scope}\n\\clip " + tikzPath(painter()->combinedTransform().map(painter()->clipPath()))
            + " -- cycle;\n";
        m_inScope = true;
    }

    void endScope()
    {
        if (std::exchange(m_inScope, false))
            m_text += "\\end{scope}\n";
    }

    // An image within the page, as PDF has it (ISO 32000-1, 8.9.7): TeX needs no file beside this one.
    void putPhotograph(const QRectF& box, const QImage& image)
    {
        constexpr int quality = 92;
        constexpr qsizetype lineLength = 120; // TeX reads lines of limited length
        QByteArray bytes;
        QBuffer buffer(&bytes);
        if (!image.convertToFormat(QImage::Format_RGB888).save(&buffer, "JPEG", quality))
            throw Error(ErrorKind::Resource, "TikZ", Figure::tr("the picture cannot be compressed").toStdString(),
                        Figure::tr("choose PDF").toStdString());
        const QByteArray digits = bytes.toHex();
        QByteArray lines;
        for (qsizetype at = 0; at < digits.size(); at += lineLength)
            lines += digits.mid(at, lineLength) + '\n';
        const auto points = [](double pixels) { return tikzNumber(pixels * bigPoints, 3); };
        put("\\csname pgfsys@invoke\\endcsname{q " + points(box.width()) + " 0 0 " + points(box.height()) + ' '
            + points(box.left()) + ' ' + points(-box.bottom()) + " cm BI /W " + QByteArray::number(image.width())
            + " /H " + QByteArray::number(image.height()) + " /CS /RGB /BPC 8 /F [/AHx /DCT] ID\n" + lines + "> EI Q}");
    }

    void put(const QByteArray& shape)
    {
        if (m_clipChanged)
            takeClip();
        if (++m_shapes > mostShapes)
            throw Error(ErrorKind::Input, "TikZ",
                        Figure::tr("more than %1 shapes are too many for TeX").arg(grouped(mostShapes)).toStdString(),
                        Figure::tr("choose fewer rows and columns, or PDF").toStdString());
        m_text += shape + '\n';
    }

    QByteArray m_text;
    Qt::AlignmentFlag m_side = Qt::AlignLeft;
    bool m_clipChanged = false;
    bool m_inScope = false;
    int m_shapes = 0;
};

class TikzDevice final : public QPaintDevice, public AlignedDevice
{
public:
    explicit TikzDevice(QSizeF size)
        : m_size(size)
    {
    }

    QPaintEngine* paintEngine() const override { return &m_engine; }
    void alignNext(Qt::AlignmentFlag side) override { m_engine.alignNext(side); }
    const QByteArray& text() const { return m_engine.text(); }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        constexpr int dotsPerInch = 96;
        constexpr double mmPerPixel = 25.4 / dotsPerInch;
        switch (metric) {
        case PdmWidth:
            return static_cast<int>(std::ceil(m_size.width()));
        case PdmHeight:
            return static_cast<int>(std::ceil(m_size.height()));
        case PdmWidthMM:
            return static_cast<int>(std::lround(m_size.width() * mmPerPixel));
        case PdmHeightMM:
            return static_cast<int>(std::lround(m_size.height() * mmPerPixel));
        case PdmNumColors:
            return 1 << 24;
        case PdmDepth:
            return 32;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return dotsPerInch;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default: // later ones of Qt
            return 0;
        }
    }

private:
    QSizeF m_size;
    mutable TikzEngine m_engine;
};

} // namespace

QByteArray texText(const QString& text)
{
    QByteArray tex;
    for (const char32_t c : text.toStdU32String()) {
        const auto* const known = std::find_if(std::begin(texCharacters), std::end(texCharacters),
                                               [c](const TexCharacter& one) { return one.character == c; });
        const bool inFonts = (c > 0x20 && c < 0x7F) || (c >= 0xBF && c <= 0x17F && c != 0xD7 && c != 0xF7) || c == 0xA1
            || c == 0xA3 || c == 0xA7;
        if (known != std::end(texCharacters))
            tex += known->text;
        else if (inFonts)
            tex += QString::fromUcs4(&c, 1).toUtf8();
        else
            tex += "\\attnchar{" + QByteArray::number(static_cast<uint>(c), 16).toUpper() + '}';
    }
    return tex;
}

QByteArray tikz(const Figure& figure, const FigureProvenance& provenance)
{
    TikzDevice device(figure.size());
    QPainter painter(&device);
    figure.paint(painter);
    painter.end();
    const QByteArray width = tikzNumber(figure.size().width() * bigPoints, 3);
    const QByteArray height = tikzNumber(figure.size().height() * bigPoints, 3);
    return provenanceLines(provenance, "% ")
        + "% A document of its own; inside another one, which loads tikz, \\input shows the picture alone.\n"
          "\\expandafter\\ifx\\csname @nodocument\\endcsname\\relax\\let\\attnend\\relax\\else\n"
          "\\documentclass{article}\n\\usepackage{tikz}\n"
          "\\ifdefined\\Umathchar\\usepackage{fontspec}\\else\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}"
          "\\usepackage{textcomp}\n\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}\\fi\n"
          "\\paperwidth="
        + width + "bp\\paperheight=" + height + "bp\n\\ifdefined\\pdfpagewidth\\pdfpagewidth=" + width
        + "bp\\pdfpageheight=" + height + "bp\\fi\n\\ifdefined\\pagewidth\\pagewidth=" + width
        + "bp\\pageheight=" + height
        + "bp\\fi\n\\hoffset=-1in\\voffset=-1in\\topmargin=0pt\\headheight=0pt\\headsep=0pt\\oddsidemargin=0pt\n"
          "\\parindent=0pt\\topskip=0pt\\textwidth="
        + width + "bp\\textheight=" + height
        + "bp\\advance\\textheight 2bp\\pagestyle{empty}\n\\begin{document}\n\\def\\attnend{\\end{document}}\\fi\n"
          "\\providecommand\\attnfont[1]{\\sffamily\\fontsize{#1bp}{#1bp}\\selectfont}\n"
          "\\providecommand\\attnchar[1]{\\ifdefined\\Umathchar\\char\"#1 "
          "\\else{\\fboxsep=0.1em\\fbox{\\fontsize{3}{3}\\selectfont "
          "U+#1}}\\fi}\n"
          "\\begin{tikzpicture}[x="
        + tikzNumber(bigPoints) + "bp,y=-" + tikzNumber(bigPoints)
        + "bp,every node/.style={inner sep=0pt,outer sep=0pt}]\n\\useasboundingbox (0,0) rectangle "
        + tikzPoint({figure.size().width(), figure.size().height()}) + ";\n" + device.text()
        + "\\end{tikzpicture}%\n\\attnend\n";
}

} // namespace attn::ui
