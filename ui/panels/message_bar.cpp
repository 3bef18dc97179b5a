// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/message_bar.h"

#include "figures/look/token_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace attn::ui {

namespace {

// What the parts of a run are called in messages; other places are names and paths, which stay as they are.
constexpr std::array parts{"text",     "second text", "source", "target", "source language", "target language",
                           "language", "memory",      "run",    "image"};

constexpr std::array verbs{"is",     "are",   "was",   "has",    "does",   "cannot", "must",     "should",
                           "needs",  "holds", "lacks", "names",  "claims", "gives",  "adds",     "grows",
                           "leaves", "lies",  "ends",  "refers", "reads",  "writes", "describes"};

bool isAmong(const auto& words, const QString& word)
{
    return std::ranges::any_of(words, [&word](const char* one) { return word == QLatin1String(one); });
}

QString ended(const QString& text)
{
    return text.isEmpty() || QStringLiteral(".!?\u2026").contains(text.back()) ? text : text + QLatin1Char('.');
}

} // namespace

QString sentences(const UserMessage& message)
{
    const QString where = isAmong(parts, message.where) ? MessageBar::tr("The %1").arg(message.where) : message.where;
    const bool predicate = isAmong(verbs, message.problem.section(QLatin1Char(' '), 0, 0));
    const QString joint = where.isEmpty() ? QString() : predicate ? QStringLiteral(" ") : QStringLiteral(": ");
    QString text = ended(where + joint + message.problem);
    if (!message.advice.isEmpty())
        text += QLatin1Char(' ') + ended(capitalized(message.advice));
    return text;
}

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
    say(sentences(message), tr("Problem"), QStyle::SP_MessageBoxWarning, tr("Warning"));
}

void MessageBar::showNote(const QString& text)
{
    say(text, tr("Note"), QStyle::SP_MessageBoxInformation, tr("Information"));
}

void MessageBar::say(const QString& text, const QString& name, QStyle::StandardPixmap icon, const QString& iconName)
{
    m_text->setText(text);
    setAccessibleName(name);
    m_icon->setPixmap(style()->standardIcon(icon).pixmap(style()->pixelMetric(QStyle::PM_SmallIconSize)));
    m_icon->setAccessibleName(iconName);
    setVisible(true);
}

} // namespace attn::ui
