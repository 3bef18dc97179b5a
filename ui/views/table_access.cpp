// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/table_access.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QWidget>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <utility>

namespace attn::ui {

namespace {

constexpr int mostCells = 4096; // that are kept for who asked for them

FigureCell cellOf(const FigureTable& table, int child)
{
    const int cells = table.rows * table.columns;
    if (child < cells)
        return {child / table.columns, child % table.columns};
    if (child < cells + table.columns)
        return {FigureTable::header, child - cells};
    return {child - cells - table.columns, FigureTable::header};
}

// Cells and headers.
int childrenOf(const FigureTable& table)
{
    return table.rows * table.columns + table.rows + table.columns;
}

bool contains(const std::vector<int>& chosen, int index)
{
    return std::ranges::find(chosen, index) != chosen.end();
}

class CellAccess;

// A widget's table. Cells are made when they are asked for: a long text has millions.
class TableAccess final : public QAccessibleWidget, public QAccessibleTableInterface
{
public:
    explicit TableAccess(QWidget* widget)
        : QAccessibleWidget(widget, QAccessible::Table)
    {
    }
    ~TableAccess() override
    {
        for (const auto& [cell, id] : m_cells)
            QAccessible::deleteAccessibleInterface(id);
    }

    // Null while the widget is being taken down.
    TableSource* source() const { return dynamic_cast<TableSource*>(object()); }
    const FigureTable& table() const
    {
        static const FigureTable nothing;
        TableSource* const from = source();
        return from == nullptr ? nothing : from->table();
    }
    QWidget& shown() const { return *widget(); }
    bool isKeyboardAt(FigureCell cell) const
    {
        TableSource* const from = source();
        return from != nullptr && from->keyboardCell() == cell;
    }
    bool isChosen(FigureCell cell) const
    {
        const FigureTable& all = table();
        return isKeyboardAt(cell) || contains(all.chosenRows, cell.row) || contains(all.chosenColumns, cell.column);
    }

    QAccessibleInterface* cell(FigureCell cell) const;

    // --- children: cells, then the controls that lie over the picture
    int childCount() const override { return childrenOf(table()) + QAccessibleWidget::childCount(); }
    QAccessibleInterface* child(int index) const override
    {
        const FigureTable& all = table();
        const int own = childrenOf(all);
        if (index < 0)
            return nullptr;
        return index < own ? cell(cellOf(all, index)) : QAccessibleWidget::child(index - own);
    }
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override
    {
        for (int i = 0; i < QAccessibleWidget::childCount(); ++i) {
            QAccessibleInterface* const control = QAccessibleWidget::child(i);
            if (control != nullptr && !control->state().invisible && control->rect().contains(x, y))
                return control;
        }
        TableSource* const from = source();
        const auto at = from == nullptr ? std::nullopt : from->cellAt(shown().mapFromGlobal(QPointF(x, y)));
        return at ? cell(*at) : nullptr;
    }
    QAccessibleInterface* focusChild() const override
    {
        TableSource* const from = source();
        if (from == nullptr || !shown().hasFocus())
            return QAccessibleWidget::focusChild();
        const auto at = from->keyboardCell();
        return at ? cell(*at) : const_cast<TableAccess*>(this);
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TableInterface)
            return static_cast<QAccessibleTableInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }

    // --- as a table
    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    int rowCount() const override { return table().rows; }
    int columnCount() const override { return table().columns; }
    QAccessibleInterface* cellAt(int row, int column) const override
    {
        return row < 0 || column < 0 ? nullptr : cell({row, column});
    }
    QString rowDescription(int row) const override { return nameOf({row, FigureTable::header}); }
    QString columnDescription(int column) const override { return nameOf({FigureTable::header, column}); }
    int selectedCellCount() const override { return static_cast<int>(selectedCells().size()); }
    QList<QAccessibleInterface*> selectedCells() const override
    {
        TableSource* const from = source();
        const auto at = from == nullptr ? std::nullopt : from->keyboardCell();
        return at && !table().isHeader(*at) ? QList<QAccessibleInterface*>{cell(*at)} : QList<QAccessibleInterface*>();
    }
    QList<int> selectedRows() const override { return {table().chosenRows.begin(), table().chosenRows.end()}; }
    QList<int> selectedColumns() const override { return {table().chosenColumns.begin(), table().chosenColumns.end()}; }
    int selectedRowCount() const override { return static_cast<int>(table().chosenRows.size()); }
    int selectedColumnCount() const override { return static_cast<int>(table().chosenColumns.size()); }
    bool isRowSelected(int row) const override { return contains(table().chosenRows, row); }
    bool isColumnSelected(int column) const override { return contains(table().chosenColumns, column); }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override { } // cells ask when they are asked

private:
    QString nameOf(FigureCell cell) const { return table().has(cell) ? table().text(cell) : QString(); }

    mutable std::map<std::pair<int, int>, QAccessible::Id> m_cells;
    mutable std::deque<std::pair<int, int>> m_asked; // the longest ago first
};

// A value of the table, or the name of a row or a column.
class CellAccess final : public QAccessibleInterface,
                         public QAccessibleTableCellInterface,
                         public QAccessibleActionInterface
{
public:
    CellAccess(const TableAccess& table, FigureCell cell)
        : m_table(table)
        , m_cell(cell)
    {
    }

    FigureCell place() const { return m_cell; }

    bool isValid() const override { return m_table.isValid() && m_table.table().has(m_cell); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_table.window(); }
    QAccessibleInterface* parent() const override { return table(); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text what) const override
    {
        if (!isValid())
            return {};
        if (what == QAccessible::Name || what == QAccessible::Value)
            return m_table.table().text(m_cell);
        return what == QAccessible::Description ? m_table.table().tip(m_cell) : QString();
    }
    void setText(QAccessible::Text, const QString&) override { }
    QRect rect() const override
    {
        const QRectF box = isValid() ? m_table.table().rect(m_cell) : QRectF();
        const QRect place = box.toAlignedRect();
        return box.isNull() ? QRect() : QRect(m_table.shown().mapToGlobal(place.topLeft()), place.size());
    }
    QAccessible::Role role() const override
    {
        return m_cell.row == FigureTable::header   ? QAccessible::ColumnHeader
            : m_cell.column == FigureTable::header ? QAccessible::RowHeader
                                                   : QAccessible::Cell;
    }
    QAccessible::State state() const override
    {
        QAccessible::State now;
        now.invalid = !isValid();
        if (now.invalid)
            return now;
        now.focusable = true;
        now.selectable = true;
        now.readOnly = true;
        now.focused = m_table.isKeyboardAt(m_cell) && m_table.shown().hasFocus();
        now.selected = m_table.isChosen(m_cell);
        now.active = now.focused;
        now.offscreen = m_table.table().rect(m_cell).isNull();
        now.invisible = !m_table.shown().isVisible();
        return now;
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TableCellInterface)
            return static_cast<QAccessibleTableCellInterface*>(this);
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }

    bool isSelected() const override { return m_table.isChosen(m_cell); }
    QList<QAccessibleInterface*> columnHeaderCells() const override
    {
        return headerCells(m_cell.row, {FigureTable::header, m_cell.column});
    }
    QList<QAccessibleInterface*> rowHeaderCells() const override
    {
        return headerCells(m_cell.column, {m_cell.row, FigureTable::header});
    }
    int columnIndex() const override { return m_cell.column; }
    int rowIndex() const override { return m_cell.row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return const_cast<TableAccess*>(&m_table); }

    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& action) override
    {
        if (TableSource* const source = m_table.source(); source != nullptr && action == pressAction() && isValid())
            source->press(m_cell);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    QList<QAccessibleInterface*> headerCells(int own, FigureCell header) const
    {
        return own == FigureTable::header ? QList<QAccessibleInterface*>()
                                          : QList<QAccessibleInterface*>{m_table.cell(header)};
    }

    const TableAccess& m_table; // which takes its cells along
    FigureCell m_cell;
};

QAccessibleInterface* TableAccess::cell(FigureCell cell) const
{
    if (!table().has(cell))
        return nullptr;
    const std::pair key(cell.row, cell.column);
    if (const auto known = m_cells.find(key); known != m_cells.end())
        return QAccessible::accessibleInterface(known->second);
    if (m_asked.size() >= mostCells) {
        const auto oldest = m_cells.find(m_asked.front());
        QAccessible::deleteAccessibleInterface(oldest->second);
        m_cells.erase(oldest);
        m_asked.pop_front();
    }
    auto* const made = new CellAccess(*this, cell);
    m_cells.emplace(key, QAccessible::registerAccessibleInterface(made));
    m_asked.push_back(key);
    return made;
}

int TableAccess::indexOfChild(const QAccessibleInterface* child) const
{
    if (const auto* const own = dynamic_cast<const CellAccess*>(child))
        return childOf(table(), own->place());
    const int control = QAccessibleWidget::indexOfChild(child);
    return control < 0 ? control : childrenOf(table()) + control;
}

QAccessibleInterface* tableAccess(const QString&, QObject* object)
{
    return dynamic_cast<TableSource*>(object) == nullptr ? nullptr : new TableAccess(qobject_cast<QWidget*>(object));
}

} // namespace

TableSource::TableSource()
{
    QAccessible::installFactory(tableAccess); // once, however often it is said
}

int childOf(const FigureTable& table, FigureCell cell)
{
    const int cells = table.rows * table.columns;
    return cell.row == FigureTable::header   ? cells + cell.column
        : cell.column == FigureTable::header ? cells + table.columns + cell.row
                                             : cell.row * table.columns + cell.column;
}

void tellPlace(QWidget& widget, const FigureTable& table, FigureCell cell)
{
    for (const auto type : {QAccessible::Focus, QAccessible::Selection}) {
        QAccessibleEvent event(&widget, type);
        event.setChild(childOf(table, cell));
        QAccessible::updateAccessibility(&event);
    }
}

void tellChosen(QWidget& widget)
{
    QAccessibleEvent event(&widget, QAccessible::SelectionWithin);
    QAccessible::updateAccessibility(&event);
}

void tellTable(QWidget& widget, const QString& description)
{
    QAccessibleTableModelChangeEvent event(&widget, QAccessibleTableModelChangeEvent::ModelReset);
    QAccessible::updateAccessibility(&event);
    if (description.isEmpty())
        return;
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    QAccessibleAnnouncementEvent announcement(&widget, description);
    QAccessible::updateAccessibility(&announcement);
#endif
}

} // namespace attn::ui
