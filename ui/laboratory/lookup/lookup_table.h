// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/scores.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace attn::ui {

// A key-value table that can be edited: a name, the components of the key, the value. What is no number in a cell for
// numbers is refused and the old one stays.
class LookupTable final : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr int mostRows = 12;
    static constexpr int mostWidth = 4;
    static constexpr double largest = 1000; // of components and values

    explicit LookupTable(QObject* parent = nullptr);

    int keyWidth() const { return m_width; }
    const QStringList& names() const { return m_names; }
    const std::vector<LookupEntry>& entries() const { return m_entries; }

    void restoreExample();
    void setKeyWidth(int width); // new components are 0
    void append(); // an entry of zeros; at most mostRows
    void remove(int row);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void edited();
    void refused(const QString& reason);

private:
    float& number(const QModelIndex& index);
    float number(const QModelIndex& index) const;

    int m_width = 2;
    QStringList m_names;
    std::vector<LookupEntry> m_entries; // as many as names
};

} // namespace attn::ui
