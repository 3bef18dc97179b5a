// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/sweep.h"
#include "figures/parts/exportable.h"

#include <QAbstractTableModel>
#include <QByteArray>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace attn::ui {

// Measure that is shown of a change of the output.
enum class SweepMeasure : std::uint8_t { LogProbability, Divergence };

// None: the output has not been looked at yet.
std::optional<double> measured(const OutputChange& change, SweepMeasure measure);
// Text for tables and sentences: "−2.31".
QString measuredText(const OutputChange& change, SweepMeasure measure);
QString measureName(SweepMeasure measure);

// Name of attention in a narrow column: "Encoder".
QString sideName(Stage stage, ModelKind kind);
// "encoder self-attention, layer 0, head 3".
QString sweptName(const SweptHead& head, ModelKind kind);
// With a dot for the space that a piece begins with.
QString sweptName(const SweptToken& token);

// A sweep with what its figures and tables need to know.
struct ShownSweep
{
    SweepResult result;
    ModelKind kind = ModelKind::EncoderDecoder;
    SweepMeasure measure = SweepMeasure::LogProbability;
    QString empty; // said while there is nothing

    bool overHeads() const { return result.over == SweepOver::Heads; }
    std::vector<Site> sites() const; // rows of the map
    const SweptHead* head(Site site, int number) const; // null: there is none
};

// Heads by layers; source tokens as bars, of many sentences as a map, too.
FigureLayout sweepFigure(const FigureSpec& spec, const ShownSweep& shown);

// Text on what changes the output most, in a sentence; empty while nothing is known.
QString sweepSentence(const ShownSweep& shown);

// A line for each head or token with both numbers (RFC 4180).
QByteArray sweepCsv(const SweepResult& result);

// A sweep as a table: a row for each head or source token, the two numbers behind what names it.
class SweepModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr int sortRole = Qt::UserRole; // a number, or a text

    using QAbstractTableModel::QAbstractTableModel;

    // Shows the sweep so far: rows may have been added, and values of old ones may have changed.
    void show(const ShownSweep& shown);
    // The head of a row; none: rows are tokens.
    std::optional<SweptHead> headAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const OutputChange& changeAt(int row) const;
    QVariant nameAt(int row, int column) const;

    ShownSweep m_shown;
};

} // namespace attn::ui
