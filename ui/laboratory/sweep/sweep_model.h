// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/sweep/sweep_text.h"

#include <QAbstractTableModel>

#include <optional>

namespace attn::ui {

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
