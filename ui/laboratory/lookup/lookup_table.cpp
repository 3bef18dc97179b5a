// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/lookup/lookup_table.h"

#include "base/index.h"
#include "figures/look/decimal.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <optional>

namespace attn::ui {

namespace {

constexpr int longestName = 40;

// With a decimal point or, as people of many countries type it, a comma; to three decimals, as a query has.
std::optional<float> numberFrom(QString text)
{
    text = text.trimmed().replace(QLatin1Char(','), QLatin1Char('.')).replace(QChar(0x2212), QLatin1Char('-'));
    bool valid = false;
    const double number = QLocale::c().toDouble(text, &valid);
    if (!valid || !std::isfinite(number) || std::abs(number) > LookupTable::largest)
        return std::nullopt;
    return static_cast<float>(std::round(number * 1000) / 1000);
}

} // namespace

LookupTable::LookupTable(QObject* parent)
    : QAbstractTableModel(parent)
{
    restoreExample();
}

void LookupTable::restoreExample()
{
    beginResetModel();
    m_width = 2;
    m_names = {tr("cat"), tr("dog"), tr("horse"), tr("goldfish"), tr("tortoise")};
    m_entries = {{{3, 1}, 15}, {{2, 2.5F}, 12}, {{-1, 3}, 27}, {{-3, -1}, 10}, {{0.5F, -3}, 100}};
    endResetModel();
    Q_EMIT edited();
}

void LookupTable::setKeyWidth(int width)
{
    width = std::clamp(width, 1, mostWidth);
    if (width == m_width)
        return;
    beginResetModel();
    m_width = width;
    for (LookupEntry& entry : m_entries)
        entry.key.resize(width);
    endResetModel();
    Q_EMIT edited();
}

void LookupTable::append()
{
    const int row = rowCount();
    if (row >= mostRows)
        return;
    beginInsertRows({}, row, row);
    m_names << tr("entry %1").arg(row + 1);
    m_entries.push_back({std::vector<float>(m_width), 0});
    endInsertRows();
    Q_EMIT edited();
}

void LookupTable::remove(int row)
{
    if (row < 0 || row >= rowCount())
        return;
    beginRemoveRows({}, row, row);
    m_names.removeAt(row);
    m_entries.erase(m_entries.begin() + row);
    endRemoveRows();
    Q_EMIT edited();
}

int LookupTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : indexSize(m_entries);
}

int LookupTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_width + 2;
}

float& LookupTable::number(const QModelIndex& index)
{
    LookupEntry& entry = m_entries.at(index.row());
    return index.column() > m_width ? entry.value : entry.key.at(static_cast<std::size_t>(index.column()) - 1);
}

float LookupTable::number(const QModelIndex& index) const
{
    const LookupEntry& entry = m_entries.at(index.row());
    return index.column() > m_width ? entry.value : entry.key.at(static_cast<std::size_t>(index.column()) - 1);
}

QVariant LookupTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole && index.column() > 0)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    if (index.column() == 0)
        return m_names.value(index.row());
    return significant(static_cast<double>(number(index)), 6);
}

QVariant LookupTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    if (section == 0)
        return tr("entry");
    return section > m_width ? tr("value") : tr("key %1").arg(section);
}

Qt::ItemFlags LookupTable::flags(const QModelIndex& index) const
{
    return QAbstractTableModel::flags(index) | Qt::ItemIsEditable;
}

bool LookupTable::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid())
        return false;
    const QString typed = value.toString();
    if (index.column() == 0) {
        m_names[index.row()] = typed.trimmed().left(longestName);
    } else if (const auto parsed = numberFrom(typed)) {
        number(index) = *parsed;
    } else {
        Q_EMIT refused(tr("“%1” is not a number between −%2 and %2; the old value stays.")
                           .arg(typed.left(longestName))
                           .arg(largest));
        return false;
    }
    Q_EMIT dataChanged(index, index);
    Q_EMIT edited();
    return true;
}

} // namespace attn::ui
