// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/token_label.h"

#include <cmath>

namespace attn::ui {

QString readableToken(const std::string& label)
{
    QString text;
    for (const QChar c : QString::fromStdString(label)) {
        if (c == QLatin1Char('\n'))
            text += QChar(0x21B5);
        else if (c == QLatin1Char('\t'))
            text += QChar(0x21E5);
        else if (c.category() == QChar::Other_Control)
            text += QChar(0xFFFD);
        else
            text += c;
    }
    if (text.trimmed().isEmpty())
        return QString(QChar(0x2423)).repeated(std::max<qsizetype>(1, text.size()));
    return text;
}

QString elided(const QString& text, const QFontMetricsF& metrics, double width)
{
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    return metrics.elidedText(text, Qt::ElideRight, width);
}

QFont figureFont(double points, bool bold)
{
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setStyleHint(QFont::SansSerif);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(points * 96.0 / 72.0))));
    font.setBold(bold);
    return font;
}

} // namespace attn::ui
