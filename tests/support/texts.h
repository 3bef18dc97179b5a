// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QRegularExpression>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QXmlStreamReader>

namespace attn::test {

// The numbers of a text as they are written and in their order ("3", "0.67", "1,999"), but not those within a name.
inline QStringList numbersIn(const QString& text)
{
    static const QRegularExpression number(QStringLiteral("(?<!\\w)\\d+(?:[.,]\\d+)*(?!\\w)"));
    QStringList found;
    for (auto matches = number.globalMatch(text); matches.hasNext();)
        found << matches.next().captured();
    return found;
}

// What is written in an SVG picture.
inline QSet<QString> textsOf(const QByteArray& svg)
{
    QSet<QString> found;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
            found.insert(reader.readElementText(QXmlStreamReader::IncludeChildElements).trimmed());
    }
    return found;
}

// Twelve sentences of 2 to 7 words with translations, a pair a line.
inline QByteArray twelvePairs()
{
    QByteArray lines;
    for (int i = 0; i < 12; ++i) {
        QByteArrayList source;
        QByteArrayList target;
        for (int word = 0; word < 2 + i / 2; ++word) {
            source << "s" + QByteArray::number(4 + (i + word) % 5);
            target << "t" + QByteArray::number(4 + (i * 2 + word) % 5);
        }
        lines += source.join(' ') + '\t' + target.join(' ') + '\n';
    }
    return lines;
}

} // namespace attn::test
