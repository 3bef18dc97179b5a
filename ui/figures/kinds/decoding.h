// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/style.h"

#include <vector>

namespace attn::ui {

// One decoding step: the output so far, the step's attention over its input as bars, and its candidates. For an
// encoder-only model one token: its attention, and what a masked-token head expects in its place.
class DecodingFigure final : public Figure
{
public:
    DecodingFigure(const FigureSpec& spec, const Trace& trace, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // none
    int rows() const override { return 0; }
    int columns() const override { return 0; }
    QString description() const override { return m_description; }

private:
    struct Bar
    {
        QString label;
        double value = 0; // 0 .. 1
        bool taken = false;
        int place = 0; // among all of them
        QRectF box{}; // the whole line
    };
    struct Panel
    {
        QString title;
        QString missing; // said instead of bars
        bool numbered = false; // places are said where the bars are not in their order
        QRectF box{};
        double labelWidth = 0;
        double end = 1; // value of a bar of full length
        std::vector<Bar> bars;
        QString rest; // what is left out, and where that is said
        QRectF restBox{};
    };

    void readToken(const FigureSpec& spec, const Trace& trace);
    void readClasses(const Classification& result);
    void readPrediction(const FigureSpec& spec, const Trace& trace, int token);
    void readStep(const FigureSpec& spec, const Trace& trace, const Trace::Path& path);
    void readAttention(const FigureSpec& spec, const Trace& trace, int position);
    void readCandidates(const std::vector<Candidate>& candidates, const std::vector<std::string>& pieces,
                        const Candidate& taken, const std::string& takenPiece);
    void layOut(QSizeF wanted);
    void layOutPanel(Panel& panel, QRectF box) const;
    static void cut(Panel& panel, std::size_t most);
    void paintOutput(QPainter& painter) const;
    void paintPanel(QPainter& painter, const Panel& panel) const;

    FigureStyle m_style;
    FigureTitle m_title;
    QString m_before; // the output before the step
    QString m_token; // what the step added, or the token that is looked at
    QString m_after; // of a text that was read
    QString m_empty;
    QString m_description;
    QSizeF m_size;
    QRectF m_output;
    Panel m_attention;
    Panel m_candidates;
};

extern const FigureKind decodingKind; // one step: the output so far, candidates, attention

} // namespace attn::ui
