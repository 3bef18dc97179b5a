// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/message_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QToolButton>

namespace attn::ui {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_icon(new QLabel)
    , m_text(new QLabel)
{
    setObjectName(QStringLiteral("messageBar"));
    setFrameShape(QFrame::StyledPanel);
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* copy = new QToolButton;
    copy->setText(tr("Copy"));
    copy->setToolTip(tr("Copy this message"));
    copy->setObjectName(QStringLiteral("copyMessage"));
    auto* close = new QToolButton;
    close->setObjectName(QStringLiteral("closeMessage"));
    close->setText(tr("Close"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 4);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(copy);
    layout->addWidget(close);
    connect(copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text->text()); });
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void MessageBar::show(const UserMessage& message)
{
    QString text = message.where + QStringLiteral(": ") + message.problem;
    if (!message.advice.isEmpty())
        text += QStringLiteral(" (") + message.advice + QLatin1Char(')');
    m_text->setText(text);
    setAccessibleName(tr("Problem"));
    setIcon(QStyle::SP_MessageBoxWarning, tr("Warning"));
    setVisible(true);
}

void MessageBar::showNote(const QString& text)
{
    m_text->setText(text);
    setAccessibleName(tr("Note"));
    setIcon(QStyle::SP_MessageBoxInformation, tr("Information"));
    setVisible(true);
}

void MessageBar::setIcon(QStyle::StandardPixmap icon, const QString& name)
{
    m_icon->setPixmap(style()->standardIcon(icon).pixmap(style()->pixelMetric(QStyle::PM_SmallIconSize)));
    m_icon->setAccessibleName(name);
}

} // namespace attn::ui
