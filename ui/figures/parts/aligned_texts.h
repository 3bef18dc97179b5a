// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/styled_figure.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace attn::ui {

// Two texts, token below token, with the log probability of each in both runs.
struct AlignedContent
{
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    // A token in one of the texts.
    struct Token
    {
        QString text; // empty: this text has none here
        double first = unknown; // its log probability in the first run
        double second = unknown;
    };
    struct Column
    {
        Token here; // of the first text
        Token there;

        bool isSame() const { return here.text == there.text; }
    };

    FigureTitle title;
    QString hereName;
    QString thereName;
    std::vector<Column> columns;
    std::optional<Column> sum; // stands last
    std::optional<int> marked; // the column that is looked at
};

// A cell is a token: its row is its text, 0 or 1, its column that of the content.
class AlignedTexts final : public StyledFigure
{
public:
    // Texts of the height that they need, at most size.height(); a null height sets no limit. Where not all fit, those
    // around the marked column are shown.
    AlignedTexts(const FigureSpec& look, AlignedContent content, QSizeF size);

    QRectF cellRect(int row, int column) const override;
    int rows() const override { return m_content.columns.empty() ? 0 : 2; }
    int columns() const override { return static_cast<int>(m_content.columns.size()); }
    QStringList rowLabels() const override { return {m_content.hereName, m_content.thereName}; }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitOf(int row, int column) const override;

private:
    // A line of the texts' lines.
    enum class What : std::uint8_t { Text, First, Second };
    struct Line
    {
        bool here = false;
        What what = What::Text;
        double top = 0; // in its block
        double height = 0;
    };
    struct Box
    {
        const AlignedContent::Column* column = nullptr;
        int block = 0;
        double left = 0;
        double width = 0;
    };

    void chooseLines();
    void layOut();
    double widthOf(const AlignedContent::Column& column) const;
    const AlignedContent::Token& tokenOf(const Box& box, const Line& line) const;
    QRectF rectOf(const Box& box, const Line& line) const; // null: its block is not seen
    QString labelOf(const Line& line) const;
    void paintLabels(QPainter& painter) const;
    void paintBox(QPainter& painter, const Box& box) const;

    AlignedContent m_content;
    std::vector<Line> m_lines; // of a block
    std::vector<Box> m_boxes; // the columns, and the sum
    double m_top = 0;
    double m_labelWidth = 0;
    double m_blockHeight = 0;
    int m_firstBlock = 0; // that is seen
    int m_blocks = 0; // that are seen
    int m_allBlocks = 0;
};

} // namespace attn::ui
