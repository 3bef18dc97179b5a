// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/result_table.h"

#include "base/index.h"
#include "figures/look/csv_field.h"
#include "figures/look/language.h"
#include "panels/controls.h"
#include "readings/reading.h"
#include "state/strings.h"
#include "trace/site.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QObject>

#include <algorithm>
#include <string_view>
#include <utility>

namespace attn::ui {

namespace {

constexpr int fittedRows = 50; // that decide how wide columns are
constexpr int widestColumn = 320; // pixels, at first

} // namespace

ResultModel::ResultModel(std::vector<ResultColumn> columns)
    : m_columns(std::move(columns))
{
}

void ResultModel::show(int rows, CellAt cellAt, bool grows)
{
    if (rows < m_rows) {
        beginResetModel();
        m_cellAt = std::move(cellAt);
        m_rows = rows;
        endResetModel();
        return;
    }
    const int before = m_rows;
    m_cellAt = std::move(cellAt);
    if (rows > before) {
        beginInsertRows({}, before, rows - 1);
        m_rows = rows;
        endInsertRows();
    }
    if (!grows && before > 0)
        Q_EMIT dataChanged(index(0, 0), index(before - 1, columnCount() - 1));
}

int ResultModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int ResultModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : indexSize(m_columns);
}

QVariant ResultModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const ResultCell cell = m_cellAt(index.row(), index.column());
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::UserRole:
        return cell.value;
    case Qt::ToolTipRole:
        return cell.tip.isEmpty() ? QVariant() : QVariant(plainTip(cell.tip));
    case Qt::ForegroundRole:
        return cell.faint ? QVariant(QGuiApplication::palette().placeholderText()) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((cell.value.typeId() == QMetaType::QString ? Qt::AlignLeft : Qt::AlignRight)
                                   | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant ResultModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const ResultColumn& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::ToolTipRole && !column.tip.isEmpty())
        return plainTip(column.tip);
    return role == Qt::DisplayRole ? QVariant(column.title) : QVariant();
}

bool ResultTable::Sorted::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(Qt::UserRole);
    const QVariant b = right.data(Qt::UserRole);
    if (!a.isValid() || !b.isValid()) // nothing comes last in both orders
        return a.isValid() != b.isValid() && a.isValid() == (sortOrder() == Qt::AscendingOrder);
    return a.typeId() == QMetaType::QString ? a.toString().localeAwareCompare(b.toString()) < 0
                                            : a.toDouble() < b.toDouble();
}

ResultTable::ResultTable(const char* name, const QString& accessibleName, std::vector<ResultColumn> columns)
    : m_model(std::move(columns))
{
    setObjectName(QLatin1String(name));
    setAccessibleName(accessibleName);
    m_sorted.setSourceModel(&m_model);
    setModel(&m_sorted);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder); // as they come
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(false);
    setAlternatingRowColors(true);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    horizontalHeader()->setResizeContentsPrecision(fittedRows);
    QAction* const copyRows = addListAction(*this, "copyRows", tr("&Copy rows"), {}, QKeySequence::Copy);
    connect(copyRows, &QAction::triggered, this, &ResultTable::copy);
    const auto choose = [this](const QModelIndex& index) { Q_EMIT chosen(m_sorted.mapToSource(index).row()); };
    connect(this, &QTableView::clicked, this, [choose](const QModelIndex& index) {
        if (QGuiApplication::keyboardModifiers() == Qt::NoModifier) // several are picked otherwise
            choose(index);
    });
    connect(this, &QTableView::activated, this, choose);
}

void ResultTable::show(int rows, ResultModel::CellAt cellAt, bool grows)
{
    m_model.show(rows, std::move(cellAt), grows);
    const int fitted = std::min(rows, fittedRows);
    if (fitted <= m_fitted)
        return;
    for (int column = 0; column < m_model.columnCount(); ++column) {
        const int wanted = std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        const int least = m_fitted > 0 ? columnWidth(column) : 0; // as rows come it only grows
        setColumnWidth(column, std::max(least, std::min(wanted, widestColumn)));
    }
    m_fitted = fitted;
}

void ResultTable::setChosen(std::optional<int> row)
{
    const QModelIndex wanted = row ? m_sorted.mapFromSource(m_model.index(*row, 0)) : QModelIndex();
    if (!wanted.isValid())
        return clearSelection();
    if (currentIndex().row() == wanted.row() && selectionModel()->isRowSelected(wanted.row()))
        return;
    setCurrentIndex(wanted);
}

QByteArray ResultTable::csv() const
{
    QStringList names;
    for (const ResultColumn& column : m_model.columns())
        names << QLatin1String(column.id);
    QString text = names.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    for (int row = 0; row < m_sorted.rowCount(); ++row) {
        QStringList fields;
        for (int column = 0; column < m_sorted.columnCount(); ++column) {
            const QVariant value = m_sorted.index(row, column).data(Qt::UserRole);
            fields << (!value.isValid()                           ? QString()
                           : value.typeId() == QMetaType::QString ? csvField(value.toString())
                                                                  : csvNumber(value.toDouble()));
        }
        text += fields.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    }
    return text.toUtf8();
}

// The picked rows, in the order on show.
void ResultTable::copy()
{
    QModelIndexList rows = selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines;
    for (const QModelIndex& row : rows) {
        QStringList fields;
        for (int column = 0; column < m_sorted.columnCount(); ++column)
            fields << m_sorted.index(row.row(), column).data().toString().simplified();
        lines << fields.join(QLatin1Char('\t'));
    }
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

namespace {

constexpr const char* summedHeads = "_summed"; // behind the name of an array

// The name of an array without its side, and whether it is of tokens.
struct ArrayName
{
    std::string_view rest;
    bool ofTokens = false;
};
ArrayName parsedArray(std::string_view array)
{
    ArrayName name{array, array.starts_with("source_")};
    for (const char* const side :
         {"source", stageText(Stage::Encoder), stageText(Stage::Decoder), stageText(Stage::Cross)}) {
        if (const std::string prefix = std::string(side) + '_'; name.rest.starts_with(prefix))
            name.rest.remove_prefix(prefix.size());
    }
    return name;
}

// Whether a reading's numbers are in such an array, or are made by a method of that name.
bool isReadingOf(const Reading& reading, std::string_view name, bool ofTokens)
{
    const bool isInArray = reading.computed && (reading.of == ReadingOf::Tokens) == ofTokens
        && (reading.computed->array == name
            || (reading.computed->ofHeads != nullptr && reading.computed->ofHeads == name));
    return isInArray || (!ofTokens && reading.id == name);
}

} // namespace

const Reading* readingOfArray(const std::string& array)
{
    const ArrayName name = parsedArray(array);
    const auto found = std::ranges::find_if(
        readings(), [&](const Reading* reading) { return isReadingOf(*reading, name.rest, name.ofTokens); });
    return found == readings().end() ? nullptr : *found;
}

QString readingName(const std::string& array)
{
    if (array == "raw:LAST")
        return QObject::tr("Attention, last layer");
    if (array == "raw:BEST")
        return QObject::tr("Attention, layer shown first");
    const Reading* const reading = readingOfArray(array);
    if (reading == nullptr)
        return QString::fromStdString(array);
    const QString title = translated(reading->name);
    return array.ends_with(summedHeads) ? QObject::tr("%1, heads summed").arg(title) : title;
}

} // namespace attn::ui
