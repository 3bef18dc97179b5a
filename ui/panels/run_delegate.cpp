// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_delegate.h"

#include "figures/look/token_label.h"
#include "panels/runs_model.h"
#include "state/run_words.h"
#include "state/strings.h"

#include <QApplication>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr int padding = 3; // pixels
constexpr int gap = 6;

int lineHeight(const QStyleOptionViewItem& option)
{
    return option.fontMetrics.height();
}

QString noteOf(const QModelIndex& index)
{
    return index.data(RunsModel::NoteRole).toString();
}

QRect lineRect(const QStyleOptionViewItem& option, int line)
{
    const QRect inner = option.rect.adjusted(padding, padding, -padding, -padding);
    return {inner.left(), inner.top() + line * lineHeight(option), inner.width(), lineHeight(option)};
}

void write(QPainter& painter, const QRect& box, const QString& text, Qt::Alignment side = Qt::AlignLeft)
{
    painter.drawText(box, static_cast<int>(side | Qt::AlignVCenter | Qt::TextSingleLine),
                     painter.fontMetrics().elidedText(shortened(text), Qt::ElideRight, box.width()));
}

// At the right of a line; returns what is left of it.
QRect writeRight(QPainter& painter, QRect line, const QString& text)
{
    const int width = painter.fontMetrics().horizontalAdvance(text);
    write(painter, {line.right() - width, line.top(), width + 1, line.height()}, text, Qt::AlignRight);
    line.setRight(line.right() - width - gap);
    return line;
}

} // namespace

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString name = item.text;
    item.text.clear();
    const QStyle& style = item.widget == nullptr ? *QApplication::style() : *item.widget->style();
    style.drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    const auto group = item.state.testFlag(QStyle::State_Active) ? QPalette::Active : QPalette::Inactive;
    const QColor strong = item.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text);
    QColor pale = strong;
    pale.setAlphaF(0.7F);
    painter->save();
    painter->setFont(item.font);
    painter->setPen(pale);
    QRect first = lineRect(item, 0);
    if (const QVariant log = index.data(RunsModel::LogProbabilityRole); log.isValid())
        first = writeRight(*painter, first, RunsModel::tr("log p %1").arg(logProbabilityText(log.toDouble())));
    QRect second = lineRect(item, 1);
    if (index.data(RunsModel::AgainstRole).toBool())
        second = writeRight(*painter, second, RunsModel::tr("compared with"));
    write(*painter, second, index.data(RunsModel::OutputRole).toString());
    if (const QString note = noteOf(index); !note.isEmpty()) {
        QFont slanted = item.font;
        slanted.setItalic(true);
        painter->setFont(slanted);
        write(*painter, lineRect(item, 2), readableToken(shortened(note).toStdString()));
    }
    QFont heading = item.font;
    heading.setBold(index.data(RunsModel::ShownRole).toBool());
    painter->setFont(heading);
    painter->setPen(strong);
    write(*painter, first, name);
    painter->restore();
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int lines = noteOf(index).isEmpty() ? 2 : 3;
    return {option.fontMetrics.averageCharWidth() * 16, lines * lineHeight(option) + 2 * padding};
}

QWidget* RunDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& /*option*/,
                                   const QModelIndex& /*index*/) const
{
    auto* editor = new QLineEdit(parent);
    const bool note = m_role == RunsModel::NoteRole;
    editor->setObjectName(note ? QStringLiteral("runNoteEditor") : QStringLiteral("runNameEditor"));
    editor->setAccessibleName(note ? RunsModel::tr("Note on this run") : RunsModel::tr("Name of this run"));
    editor->setPlaceholderText(note ? RunsModel::tr("Note") : RunsModel::tr("What differs"));
    m_editor = editor;
    return editor;
}

void RunDelegate::finishEditing()
{
    if (!m_editor)
        return;
    Q_EMIT commitData(m_editor);
    Q_EMIT closeEditor(m_editor);
    m_editor.clear(); // it is deleted later
}

void RunDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    auto* line = static_cast<QLineEdit*>(editor);
    if (line->isModified()) // what is being typed is not written anew
        return;
    const QString text = index.data(m_role).toString();
    line->setMaxLength(std::max(line->maxLength(), static_cast<int>(text.size()))); // or it would be cut
    line->setText(text);
    line->selectAll();
}

void RunDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    model->setData(index, static_cast<QLineEdit*>(editor)->text(), m_role);
}

void RunDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                       const QModelIndex& index) const
{
    const int line = m_role == Qt::EditRole ? 0 : noteOf(index).isEmpty() ? 1 : 2;
    editor->setGeometry(lineRect(option, line).adjusted(-padding, -padding, padding, padding));
}

} // namespace attn::ui
