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

namespace {

constexpr qsizetype fewestLetters = 3; // in their order: with less everything would be found

// In their order, each the beginning of another word.
bool beginWordsInOrder(const QStringList& typed, const QStringList& words)
{
    qsizetype next = 0;
    for (const QString& word : words) {
        if (next < typed.size() && word.startsWith(typed[next]))
            ++next;
    }
    return next == typed.size();
}

bool beginWords(const QStringList& typed, const QStringList& words)
{
    return std::ranges::all_of(typed, [&words](const QString& part) {
        return std::ranges::any_of(words, [&part](const QString& word) { return word.startsWith(part); });
    });
}

// Whether the letters from `letter` on are beginnings of the words from `word` on, some of which may be left out.
bool areInitials(const QString& letters, qsizetype letter, const QStringList& words, qsizetype word)
{
    if (letter == letters.size())
        return true;
    for (; word < words.size(); ++word) {
        qsizetype taken = 0;
        while (letter + taken < letters.size() && taken < words[word].size()
               && letters[letter + taken] == words[word][taken]) {
            ++taken;
            if (areInitials(letters, letter + taken, words, word + 1))
                return true;
        }
    }
    return false;
}

bool areInOrder(const QString& letters, const QString& text)
{
    qsizetype next = 0;
    for (const QChar character : text) {
        if (next < letters.size() && character == letters[next])
            ++next;
    }
    return next == letters.size();
}

} // namespace

QString folded(const QString& text)
{
    QString result;
    for (const QChar character : text.normalized(QString::NormalizationForm_KD)) {
        if (character.category() != QChar::Mark_NonSpacing)
            result += character.toLower();
    }
    return result;
}

QStringList foldedWords(const QString& text)
{
    QStringList words;
    QString word;
    for (const QChar character : folded(text)) {
        if (character.isLetterOrNumber()) {
            word += character;
        } else if (!word.isEmpty()) {
            words << word;
            word.clear();
        }
    }
    if (!word.isEmpty())
        words << word;
    return words;
}

std::optional<int> matchRank(const QString& typed, const QString& title, const QString& where)
{
    const QStringList parts = foldedWords(typed);
    const QStringList words = foldedWords(title);
    const QString joined = parts.join(QString());
    const QString text = words.join(QLatin1Char(' '));
    if (text.startsWith(parts.join(QLatin1Char(' '))))
        return 0;
    if (beginWordsInOrder(parts, words))
        return 1;
    if (areInitials(joined, 0, words, 0))
        return 2;
    if (beginWords(parts, words + foldedWords(where)))
        return 3;
    if (text.contains(parts.join(QLatin1Char(' '))))
        return 4;
    if (joined.size() >= fewestLetters && areInOrder(joined, text))
        return 5;
    return std::nullopt;
}

} // namespace attn::ui
