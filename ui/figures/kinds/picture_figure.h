// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/patched_picture.h"
#include "figures/parts/running_text.h"
#include "figures/parts/shaded_tokens.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace attn::ui {

// A picture under the weights of its patches. One picture with the words below it: by what the picked tokens look at,
// or the words by how much they look at the picked patches; nothing picked: the row of the step, that of the class
// token, or the mean. Or, where words look at the picture and none is picked, a sheet: the picture, then one for each
// word (Xu et al. 2015, figure 2).
class PictureFigure final : public ShadedTokens
{
public:
    enum class Words : std::uint8_t { Below, Elsewhere }; // than below one picture: a window has them over its views

    PictureFigure(const FigureSpec& spec, const Trace& trace, QSizeF size, Words words = Words::Below);

    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override;

    bool isSheet() const { return !m_panels.empty(); }
    // A hit of all patches whose middle lies in a rectangle; nothing where there is none.
    FigureHit band(const QRectF& rect) const;
    std::optional<int> word() const; // that alone is shown; none: there is no such
    bool isWord(TokenPlace place) const { return place.side == TokenSide::Rows && !m_rowsPlaced; }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override;
    QString valuesOf(TokenPlace place) const override;

private:
    // A picture of a sheet, with the word above it and the weights of the special tokens below it.
    struct Panel
    {
        QRectF name;
        QRectF frame;
        QRectF note;

        QRectF all() const { return name | frame | note; }
    };

    // A token without a place, beside the picture.
    struct Beside
    {
        int column = 0;
        QRectF line;
    };

    const PatchedPicture& side(TokenSide side) const { return side == TokenSide::Rows ? m_rowPatches : m_patches; }
    void addPatches();
    void takeEdits(const Trace& trace);
    void takeGates(const Trace& trace);
    void takeShades(const Trace& trace);
    void layOutOne(const Trace& trace);
    void layOutSheet();
    bool scaleSheet();
    int panelsInLine(int count, double name, double note) const;
    bool showsBeside() const; // whether tokens without a place have a value
    FigureHit cellHitOf(int row, int column) const;
    PictureWeights weightsOf(const std::vector<double>& parts) const;
    std::vector<double> rowParts(int row) const;
    QString besideText(int row) const;
    QColor legendColor(double value) const;
    void paintFrame(QPainter& painter, const QRectF& frame, const std::vector<double>& parts) const;
    void paintWords(QPainter& painter) const;
    void paintBeside(QPainter& painter) const;
    void paintPanels(QPainter& painter, const Highlight& highlight) const;

    PatchedPicture m_patches; // of the columns
    PatchedPicture m_rowPatches; // of the rows, where they are patches, too
    bool m_rowsPlaced = false;
    bool m_hasWords = true; // below one picture
    std::map<int, bool> m_edited; // columns that edits hide, or (true) make grey
    std::map<int, double> m_gates; // of rows
    QRectF m_frame; // of the one picture, or the first of the sheet
    std::vector<Panel> m_panels; // of the rows; empty: it is one picture
    std::vector<Beside> m_beside;
    RunningText m_words;
    QRectF m_wordRoom;
};

} // namespace attn::ui
