// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/text_edit_line.h"

#include <QKeyEvent>
#include <QToolButton>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr int historyLength = 200;

}

TextEditLine::TextEditLine(QWidget* parent)
    : QLineEdit(parent)
{
    setClearButtonEnabled(true);
    for (auto* clear : findChildren<QToolButton*>())
        clear->setAccessibleName(tr("Clear the text"));
}

void TextEditLine::setHistory(const QStringList& history)
{
    m_history = history.mid(std::max<qsizetype>(0, history.size() - historyLength));
    m_recalled = -1;
}

void TextEditLine::remember(const QString& text)
{
    m_history.removeAll(text);
    setHistory(m_history + QStringList(text));
}

void TextEditLine::recall(int direction)
{
    if (m_history.isEmpty())
        return;
    if (m_recalled < 0)
        m_draft = text();
    qsizetype next = m_recalled < 0 ? m_history.size() + direction : m_recalled + direction;
    // The newest entry is usually what stands in the box already.
    if (m_recalled < 0 && next >= 0 && next < m_history.size() && m_history[next] == m_draft)
        next += direction;
    if (next < 0)
        return;
    m_recalled = next < m_history.size() ? next : -1;
    setText(m_recalled < 0 ? m_draft : m_history[m_recalled]);
}

void TextEditLine::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        recall(event->key() == Qt::Key_Up ? -1 : 1);
    else
        QLineEdit::keyPressEvent(event);
}

} // namespace attn::ui
