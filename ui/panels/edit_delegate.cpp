// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/edit_delegate.h"

#include "figures/look/theme.h"
#include "state/edit_list.h"

#include <QApplication>
#include <QLineEdit>
#include <QPainter>

namespace attn::ui {

namespace {

constexpr int rowGap = 4; // pixels

QString problemAt(const QModelIndex& index)
{
    return index.data(EditList::ProblemRole).toString();
}

Theme themeOf(const QColor& ground)
{
    return luminance(ground) < 0.5 ? Theme::Dark : Theme::Light;
}

// Without the line of the problem.
QStyleOptionViewItem topOf(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    QStyleOptionViewItem top = option;
    if (!problemAt(index).isEmpty())
        top.rect.setHeight(option.rect.height() - option.fontMetrics.height());
    return top;
}

} // namespace

void EditDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QString problem = problemAt(index);
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QStyle& style = item.widget == nullptr ? *QApplication::style() : *item.widget->style();
    if (!problem.isEmpty())
        style.drawPrimitive(QStyle::PE_PanelItemViewItem, &item, painter, item.widget);
    const QStyleOptionViewItem top = topOf(option, index);
    QStyledItemDelegate::paint(painter, top, index);
    if (problem.isEmpty())
        return;
    initStyleOption(&item, index);
    item.rect = top.rect;
    const QRect text = style.subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget);
    const QRect line(text.left() + 3, top.rect.bottom() + 1, option.rect.right() - text.left() - 6,
                     option.rect.bottom() - top.rect.bottom());
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setFont(item.font);
    painter->setPen(selected ? item.palette.color(QPalette::HighlightedText)
                             : themeColors(themeOf(item.palette.color(QPalette::Base))).accent);
    painter->drawText(line, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine),
                      item.fontMetrics.elidedText(problem, Qt::ElideRight, line.width()));
    painter->restore();
}

QSize EditDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index) + QSize(0, rowGap);
    if (!problemAt(index).isEmpty())
        size.rheight() += option.fontMetrics.height();
    return size;
}

QWidget* EditDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    editor->setObjectName(QStringLiteral("editEditor"));
    editor->setAccessibleName(EditList::tr("Edit"));
    return editor;
}

void EditDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const
{
    QStyledItemDelegate::updateEditorGeometry(editor, topOf(option, index), index);
}

bool EditDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                               const QModelIndex& index)
{
    return QStyledItemDelegate::editorEvent(event, model, topOf(option, index), index);
}

} // namespace attn::ui
