// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/message_bar.h"

#include "figures/look/token_label.h"
#include "state/strings.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMouseEvent>

#include <algorithm>
#include <array>
#include <utility>

namespace attn::ui {

namespace {

// Names of the parts of a run in messages; other places are names and paths, which stay as they are.
constexpr std::array parts{"text",     "second text", "source", "target", "source language", "target language",
                           "language", "memory",      "run",    "image"};

constexpr std::array verbs{"is",     "are",   "was",   "has",    "does",   "cannot", "must",     "should",
                           "needs",  "holds", "lacks", "names",  "claims", "gives",  "adds",     "grows",
                           "leaves", "lies",  "ends",  "refers", "reads",  "writes", "describes"};

bool isAmong(const auto& words, const QString& word)
{
    return std::ranges::any_of(words, [&word](const char* one) { return word == QLatin1String(one); });
}

// The second click of a double click is not meant for a button that has come where the first one was.
class ChoiceButton final : public QToolButton
{
protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override { event->accept(); }
};

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
    , m_icon(plainLabel())
    , m_text(plainLabel())
{
    setObjectName(QStringLiteral("messageBar"));
    setFrameShape(QFrame::StyledPanel);
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_copy = new QToolButton;
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy this message"));
    m_copy->setObjectName(QStringLiteral("copyMessage"));
    auto* close = new QToolButton;
    close->setObjectName(QStringLiteral("closeMessage"));
    close->setText(tr("Close"));
    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins(8, 4, 4, 4);
    m_row->addWidget(m_icon);
    m_row->addWidget(m_text, 1);
    m_row->addWidget(m_copy);
    m_row->addWidget(close);
    connect(m_copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_whole); });
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void MessageBar::show(const UserMessage& message, const std::vector<Choice>& choices)
{
    setChoices(choices);
    say(sentences(message), tr("Problem"), QStyle::SP_MessageBoxWarning, tr("Warning"), message.whole);
}

void MessageBar::showNote(const QString& text)
{
    setChoices({});
    say(text, tr("Note"), QStyle::SP_MessageBoxInformation, tr("Information"));
}

void MessageBar::offer(const QString& text, const std::vector<Choice>& choices)
{
    m_copy->hide();
    setChoices(choices);
    say(text, tr("Question"), QStyle::SP_MessageBoxQuestion, tr("Question"));
}

void MessageBar::setChoices(const std::vector<Choice>& choices)
{
    for (QToolButton* old : std::exchange(m_choices, {}))
        old->deleteLater(); // it may be the one that was clicked
    for (const Choice& choice : choices) {
        auto* button = new ChoiceButton;
        button->setObjectName(QLatin1String(choice.name));
        button->setText(choice.text);
        connect(button, &QToolButton::clicked, this, choice.act);
        m_row->insertWidget(m_row->indexOf(m_copy), button);
        m_choices.push_back(button);
    }
}

void MessageBar::say(const QString& text, const QString& name, QStyle::StandardPixmap icon, const QString& iconName,
                     const QString& whole)
{
    m_said = text;
    m_whole = whole.isEmpty() ? text : whole;
    m_text->setToolTip(plainTip(whole));
    m_text->setText(readableText(text.toStdString()));
    setAccessibleName(name);
    m_icon->setPixmap(style()->standardIcon(icon).pixmap(style()->pixelMetric(QStyle::PM_SmallIconSize)));
    m_icon->setAccessibleName(iconName);
    setVisible(true);
}

} // namespace attn::ui
