// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/guide_card.h"

#include "panels/controls.h"
#include "panels/line_layout.h"
#include "state/strings.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr int stripe = 4; // pixels, at the left

QAbstractButton* buttonOf(const GuideButton& row)
{
    QAbstractButton* button = nullptr;
    if (row.link) {
        auto* flat = new QToolButton;
        flat->setAutoRaise(true);
        flat->setFocusPolicy(Qt::StrongFocus);
        flat->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        flat->setIcon(themedIcon(QStringLiteral("lesson")));
        button = flat;
    } else if (row.primary) {
        button = new PrimaryButton;
    } else {
        button = new QPushButton;
    }
    button->setObjectName(row.id);
    button->setText(row.text);
    button->setEnabled(row.enabled);
    QObject::connect(button, &QAbstractButton::clicked, button, [act = row.act] { act(); });
    return button;
}

} // namespace

GuideCard::GuideCard(QWidget* parent)
    : QFrame(parent)
    , m_title(plainLabel())
    , m_text(plainLabel())
    , m_row(new QWidget)
{
    setObjectName(QStringLiteral("guideCard"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_title->setObjectName(QStringLiteral("guideTitle"));
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_text->setObjectName(QStringLiteral("guideText"));
    m_text->setTextFormat(Qt::MarkdownText);
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    auto* close = new QToolButton;
    close->setObjectName(QStringLiteral("guideClose"));
    close->setIcon(themedIcon(QStringLiteral("close")));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close; Help brings it back"));
    close->setAccessibleName(tr("Close"));
    auto* top = new QHBoxLayout;
    top->addWidget(m_title, 1);
    top->addWidget(close);
    m_buttons = new LineLayout(m_row);
    m_buttons->setContentsMargins(0, 0, 0, 0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(stripe + 10, 4, 6, 8);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_text);
    layout->addWidget(m_row);
    connect(close, &QToolButton::clicked, this, &GuideCard::closeRequested);
    connect(m_text, &QLabel::linkActivated, this, &GuideCard::helpRequested);
}

void GuideCard::setContent(const GuideContent& content)
{
    m_title->setText(content.title);
    // The buttons stay where they are while one text follows another.
    const int before = isVisible() ? m_text->height() : 2 * m_text->fontMetrics().lineSpacing();
    m_text->setMinimumHeight(std::min(before, 4 * m_text->fontMetrics().lineSpacing()));
    m_text->setText(content.text);
    setAccessibleName(content.title);
    QString focused; // goes to what is done next where its button is gone
    if (const QWidget* focus = QApplication::focusWidget(); focus != nullptr && m_row->isAncestorOf(focus))
        focused = focus->objectName();
    const bool stays = std::ranges::find(content.buttons, focused, &GuideButton::id) != content.buttons.end();
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        if (QWidget* old = item->widget()) { // one of them has perhaps been clicked just now
            old->hide();
            old->setObjectName({});
            old->deleteLater();
        }
        delete item;
    }
    for (const GuideButton& row : content.buttons) {
        QAbstractButton* button = buttonOf(row);
        if (content.answers > 0 && &row - content.buttons.data() == content.answers) {
            auto* line = new QFrame;
            line->setFrameShape(QFrame::VLine);
            line->setFrameShadow(QFrame::Sunken);
            line->setFixedSize(25, button->sizeHint().height());
            m_buttons->addWidget(line);
        }
        m_buttons->addWidget(button);
        if (!focused.isEmpty() && (stays ? row.id == focused : row.primary))
            button->setFocus();
    }
}

// Links keep the colour that they were read with.
void GuideCard::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            const QString text = m_text->text();
            m_text->clear();
            m_text->setText(text);
        },
        Qt::QueuedConnection);
}

void GuideCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.fillRect(QRect(0, 0, stripe, height()), palette().color(QPalette::Highlight));
    painter.fillRect(QRect(0, height() - 1, width(), 1), palette().color(QPalette::Mid));
}

} // namespace attn::ui
