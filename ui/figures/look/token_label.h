// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/attention_map.h"

#include <QColor>
#include <QFont>
#include <QFontMetricsF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <string>
#include <vector>

class QPainter;

namespace attn::ui {

// While one lives, this thread makes texts for somebody else's fonts: they stand in a file as text, so that characters
// that no font on this machine has stay as they are.
class TextForOtherFonts
{
public:
    TextForOtherFonts();
    ~TextForOtherFonts();
    TextForOtherFonts(const TextForOtherFonts&) = delete;
    TextForOtherFonts& operator=(const TextForOtherFonts&) = delete;

private:
    bool m_before;
};

// A token as people read it, on one line and never blank: spaces, controls and marks that reorder text are made
// visible, a lone accent gets a dotted circle. A character that no font on this machine has is written as its code
// point in a box of brackets, unless the text is for other fonts.
QString readableToken(const std::string& label);
// The same of a stretch of running text: it may be empty, spaces stay, and lines end where they did.
QString readableText(const std::string& text);
// Whether a font has everything that stands in the text.
bool isDrawable(const std::string& text);
// The characters that no font has, each once, in their order.
std::u32string undrawable(const QString& text);
// Whether more of its letters are written from right to left than from left to right.
bool isRightToLeft(const QString& text);

// A row or column that is no token, with its number and the text that it stands for, if any: "text", "hop 0",
// "sentence 1", "1: It rained".
std::string placeName(AttentionAxis axis, int number, const std::string& text);

QString capitalized(QString text); // its first letter

// The width of a label; texts of any length cost the same.
double labelWidth(const QString& text, const QFontMetricsF& metrics);

// `text` cut to `width` with an ellipsis where it is too long; never inside what people see as one character.
QString elided(const QString& text, const QFontMetricsF& metrics, double width);

// One line with the painter's font and pen, elided to the box's width, aligned left, right or centred whatever the
// direction of its script, in the vertical middle of the box.
void drawLabel(QPainter& painter, QRectF box, Qt::AlignmentFlag side, const QString& text);
// With a font and a pen that the painter keeps.
void drawLabel(QPainter& painter, const QFont& font, const QColor& ink, QRectF box, Qt::AlignmentFlag side,
               const QString& text);

// A font whose letters stay letters: in a PDF, a ligature is copied and found as one of Unicode's compatibility
// characters.
QFont withoutLigatures(QFont font);

// The letters of figures at a size in points (1/72 inch) on a canvas of 96 logical pixels an inch. No family: the one
// that figures have where nothing else is chosen.
QFont figureFont(double points, const QString& family = {}, bool bold = false);
QString usualFontFamily();

// Among many labels of an axis, those that are alike with the position of their token.
QStringList toldApart(QStringList labels, const std::vector<int>& tokens);

} // namespace attn::ui
