// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/scores.h"
#include "base/index.h"
#include "figures/figure.h"
#include "figures/look/style.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace attn::ui {

// A soft lookup with all that went into it.
struct LookupContent
{
    QStringList names; // one per entry
    std::vector<LookupEntry> entries;
    std::vector<float> query;
    float sharpness = 1;
    std::optional<std::size_t> exact; // what an ordinary table answers
    SoftLookup answer;
};

// A row per entry: key, score, weight as a coloured bar, value and what it contributes; their sum beneath.
class LookupFigure final : public Figure
{
public:
    LookupFigure(const FigureSpec& spec, LookupContent content, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // the whole row
    int rows() const override { return indexSize(m_content.entries); }
    int columns() const override { return rows() > 0 ? 1 : 0; }
    QString description() const override;

    QRectF barRect(int row) const; // as long as the weight is large

private:
    enum Column { Name, Key, Score, Weight, Value, Part, columnCount };

    void layOut(QSizeF wanted);
    QRectF cell(int row, Column column) const;
    QRectF track(int row) const; // a bar of weight 1
    void paintHead(QPainter& painter) const;
    void paintEntry(QPainter& painter, int row, bool strong) const;
    void paintSum(QPainter& painter) const;

    FigureStyle m_style;
    LookupContent m_content;
    QSizeF m_size;
    double m_top = 0; // of the first entry
    double m_rowHeight = 0;
    std::vector<double> m_left; // of every column, and the right end of the last
};

// Keys of two components and the query as arrows; a disc at the end of a key is as large as its weight.
class KeyPlaneFigure final : public Figure
{
public:
    // Components up to `leastLimit` are seen in any case, as while the query is dragged.
    KeyPlaneFigure(const FigureSpec& spec, LookupContent content, QSizeF size, double leastLimit = 0);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // around a key's end
    int rows() const override { return 0; } // no cells: the arrow keys move the query
    int columns() const override { return 0; }
    QString description() const override;

    QPointF toPoint(double x, double y) const;
    QPointF toPlane(QPointF point) const; // clamped so that no more needs to be seen
    double limit() const { return m_limit; }
    QPointF queryPoint() const;

private:
    double radius(int row) const;
    QPointF keyPoint(int row) const;
    void paintGrid(QPainter& painter) const;
    void paintArrow(QPainter& painter, QPointF end, double disc, const QPen& pen) const;
    void paintName(QPainter& painter, QPointF end, double distance, const QString& text, const QColor& ink) const;

    FigureStyle m_style;
    LookupContent m_content;
    QSizeF m_size;
    QRectF m_plane;
    double m_limit = 1; // components from -limit to limit are seen
};

// A number as the lookup shows it: at most three decimals, a real minus sign.
QString lookupNumber(double value);
// "(0.9, 0.4)"
QString lookupVector(std::span<const float> components);
// A line per entry with all its numbers, then the query and the sums (RFC 4180).
QByteArray lookupCsv(const LookupContent& content);

} // namespace attn::ui
