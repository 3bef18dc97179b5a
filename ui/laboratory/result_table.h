// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QString>
#include <QTableView>
#include <QVariant>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn {
struct Reading;
}

namespace attn::ui {

struct ResultCell
{
    QString text = {};
    QVariant value = {}; // a number or a text that the cell is sorted and exported by; invalid: nothing, sorted last
    QString tip = {};
    bool faint = false; // stands for something that is not there, for a reason that the tip says
};

struct ResultColumn
{
    const char* id; // in files
    QString title;
    QString tip = {};
};

class ResultModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    using CellAt = std::function<ResultCell(int row, int column)>;

    explicit ResultModel(std::vector<ResultColumn> columns);

    // grows: the rows that there were are as they were.
    void show(int rows, CellAt cellAt, bool grows);
    const std::vector<ResultColumn>& columns() const { return m_columns; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ResultColumn> m_columns;
    CellAt m_cellAt;
    int m_rows = 0;
};

// Results that come row by row, sorted by any column whose head is clicked. Columns can be made wider, rows are copied
// as tab-separated text.
class ResultTable final : public QTableView
{
    Q_OBJECT

public:
    ResultTable(const char* name, const QString& accessibleName, std::vector<ResultColumn> columns);

    void show(int rows, ResultModel::CellAt cellAt, bool grows = false);
    // Marks a row of those that were shown, by its number there; sorting keeps it.
    void setChosen(std::optional<int> row);
    int rows() const { return m_model.rowCount(); }
    // Comma-separated, in the order on show.
    QByteArray csv() const;

Q_SIGNALS:
    void chosen(int row); // clicked, or Enter

private:
    void copy();

    ResultModel m_model;
    class Sorted final : public QSortFilterProxyModel
    {
    protected:
        bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    } m_sorted;
    int m_fitted = 0; // rows that decided how wide columns are
};

// The reading whose numbers are in such an array ("cross_norms", "source_lrp"), or that a method makes; null: none.
const Reading* readingOfArray(const std::string& array);

// Name of a reading for people by that of its array ("cross_norms", "source_lrp"), by its method, or of the attention
// itself ("raw:LAST"); the given one where there is no such row among the readings.
QString readingName(const std::string& array);

} // namespace attn::ui
