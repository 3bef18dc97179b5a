// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/help_text.h"

#include "figures/look/attention_formulas.h"
#include "figures/look/formula_layout.h"
#include "loading/model_loader.h"

#include <QFileInfo>
#include <QFontInfo>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double helpFormulaSize = 1.25; // of the page's letters
constexpr int helpFormulaAir = 4; // pixels around it
constexpr qint64 largestPicture = 4 << 20; // bytes
constexpr int largestSide = 4096; // pixels

QImage empty(QSizeF size, double dots)
{
    QImage image((size * dots).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(dots);
    image.fill(Qt::transparent);
    return image;
}

// In the place of one that is not loaded: Qt would look for the file by itself if it had none.
QImage noPicture()
{
    return empty({1, 1}, 1);
}

// Beside the card of a model that comes with the program: what it takes to draw another one is anybody's guess.
QImage pictureOf(const QString& file, double dots)
{
    const QFileInfo info(file);
    if (!info.isFile() || info.size() > largestPicture || !comesWithTheProgram(info.path().toStdString()))
        return noPicture();
    QSvgRenderer renderer(file);
    const QSize size = renderer.defaultSize();
    if (!renderer.isValid() || std::max(size.width(), size.height()) > largestSide)
        return noPicture();
    QImage image = empty(size, dots);
    QPainter painter(&image);
    renderer.render(&painter, QRectF(QPointF(), size));
    return image;
}

} // namespace

QVariant HelpText::loadResource(int type, const QUrl& name)
{
    if (type == QTextDocument::ImageResource && name.isLocalFile())
        return pictureOf(name.toLocalFile(), devicePixelRatioF());
    const Formula formula =
        name.scheme() == QStringLiteral("formula") ? formulas::named(name.path().toStdString()) : Formula();
    if (type != QTextDocument::ImageResource || formula.empty())
        return noPicture();
    QFont large = font();
    large.setPixelSize(static_cast<int>(std::lround(QFontInfo(large).pixelSize() * helpFormulaSize)));
    const FormulaLayout layout(formula, large);
    const QSizeF size = layout.size() + QSizeF(2 * helpFormulaAir, 2 * helpFormulaAir);
    QImage image = empty(size, devicePixelRatioF());
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    layout.paintIn(painter, QRectF(QPointF(helpFormulaAir, 0), size), themeColors(dark ? Theme::Dark : Theme::Light),
                   palette().color(QPalette::Text));
    return image;
}

} // namespace attn::ui
