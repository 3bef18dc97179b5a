// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/strings.h"

#include "figures/kinds/shown_matrix.h"
#include "figures/look/token_label.h"

#include <QCoreApplication>
#include <QTextDocument>

namespace attn::ui {

QString pieceText(const std::string& piece)
{
    return piece.empty() ? QString() : readableToken(piece);
}

QString stageName(Stage stage, ModelKind kind)
{
    return capitalized(attentionName(stage, kind));
}

QString headTitle(const HeadReading& head)
{
    return capitalized(headName(head));
}

QString mergeWordsText()
{
    return QCoreApplication::translate("attn::ui", "Merge subwords into &words");
}

namespace {

constexpr qsizetype longestTip = 2000; // characters
constexpr qsizetype longestLine = 1000;

QString beginning(const QString& text, qsizetype most)
{
    if (text.size() <= most)
        return text;
    const bool splits = text[most - 1].isHighSurrogate();
    return text.left(splits ? most - 1 : most) + QChar(0x2026);
}

} // namespace

QLabel* plainLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

QString plainTip(const QString& text)
{
    QString shown = beginning(text, longestTip);
    if (!Qt::mightBeRichText(shown))
        return shown;
    return QStringLiteral("<qt>") + shown.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))
        + QStringLiteral("</qt>");
}

QString shortened(const QString& text)
{
    return beginning(text, longestLine);
}

QString menuText(const QString& text)
{
    return readableToken(shortened(text).toStdString()).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace attn::ui
