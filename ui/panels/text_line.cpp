// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/text_line.h"

#include "state/strings.h"

#include <QAction>
#include <QLocale>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

namespace attn::ui {

namespace {

// Only what differs is replaced, so that undoing it selects that.
void retype(QLineEdit& box, const QString& text)
{
    const QString before = box.text();
    if (before == text)
        return;
    const qsizetype most = std::min(before.size(), text.size());
    qsizetype first = 0;
    while (first < most && before[first] == text[first])
        ++first;
    qsizetype last = 0; // counted from the end
    while (last < most - first && before[before.size() - 1 - last] == text[text.size() - 1 - last])
        ++last;
    box.setSelection(static_cast<int>(first), static_cast<int>(before.size() - last - first));
    box.insert(text.mid(first, text.size() - last - first));
}

} // namespace

TextLine::TextLine(QWidget* parent)
    : QLineEdit(parent)
    , m_clear(new QAction(style()->standardIcon(QStyle::SP_LineEditClearButton), tr("Take this text away"), this))
{
    setMaxLength(longest);
    addAction(m_clear, QLineEdit::TrailingPosition);
    showClearing();
    connect(m_clear, &QAction::triggered, this, [this] { showText({}); });
    connect(this, &QLineEdit::textChanged, this, [this](const QString& text) {
        showClearing();
        if (isWhole())
            Q_EMIT edited(text);
    });
    connect(this, &QLineEdit::inputRejected, this, [this] {
        Q_EMIT tooLong(
            tr("A text here has at most %1 characters: what is more was left out. The command line runs longer ones.")
                .arg(QLocale().toString(longest)));
    });
}

void TextLine::showText(const QString& text)
{
    if (isWhole() && text.size() <= longest)
        retype(*this, text);
    else
        replaceText(text);
}

void TextLine::makeClearable(const QString& name)
{
    m_isClearable = true;
    m_clear->setText(name);
    for (auto* button : findChildren<QToolButton*>())
        button->setAccessibleName(name);
    showClearing();
}

void TextLine::showClearing()
{
    m_clear->setVisible(isEnabled() && (!isWhole() || (m_isClearable && !text().isEmpty())));
}

void TextLine::changeEvent(QEvent* event)
{
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::EnabledChange)
        showClearing();
}

void TextLine::replaceText(const QString& text)
{
    const bool fits = text.size() <= longest;
    const bool fitted = isWhole();
    if (!fits && !fitted && text == m_whole)
        return;
    m_whole = fits ? QString() : text;
    setReadOnly(!fits);
    showClearing();
    setText(fits ? text : shortened(text));
    if (!fits)
        setCursorPosition(0);
    if (!fits || !fitted)
        Q_EMIT wholeChanged();
}

} // namespace attn::ui
