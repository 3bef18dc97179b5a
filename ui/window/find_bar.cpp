// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/find_bar.h"

#include "panels/controls.h"
#include "state/strings.h"
#include "window/view_tabs.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace attn::ui {

FindBar::FindBar(ViewTabs& views, QWidget* parent)
    : QFrame(parent)
    , m_views(views)
    , m_text(new QLineEdit)
    , m_count(plainLabel())
{
    setObjectName(QStringLiteral("findBar"));
    m_text->setObjectName(QStringLiteral("findText"));
    m_text->setPlaceholderText(tr("Find tokens"));
    m_text->setAccessibleName(tr("Find tokens"));
    m_text->setMaximumWidth(m_text->fontMetrics().averageCharWidth() * 40);
    m_count->setObjectName(QStringLiteral("findCount"));
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(m_text, 1);
    const auto addButton = [&](const char* name, const QString& sign, const QString& text, auto&& act) {
        auto* const button = new QToolButton;
        button->setObjectName(QLatin1String(name));
        button->setText(sign);
        button->setToolTip(text);
        button->setAccessibleName(text);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, act);
        row->addWidget(button);
    };
    addButton("findPreviousButton", QStringLiteral("\u2191"), tr("The one before (Shift+F3)"), [this] { go(-1); });
    addButton("findNextButton", QStringLiteral("\u2193"), tr("The next one (F3)"), [this] { go(1); });
    row->addWidget(m_count);
    row->addStretch(1);
    addButton("findCloseButton", QStringLiteral("\u00D7"), tr("Close"), [this] { hide(); });
    connect(m_text, &QLineEdit::textChanged, this, &FindBar::look);
    connect(&m_views, &QTabWidget::currentChanged, this, [this] {
        if (isVisible())
            look();
    });
    hide();
}

void FindBar::begin()
{
    show();
    m_text->setFocus();
    m_text->selectAll();
    look();
}

void FindBar::go(int step)
{
    if (!isVisible())
        return begin();
    m_views.current().goToFound(step);
}

void FindBar::look()
{
    FigureView* const view = &m_views.current();
    if (m_view != view) {
        if (m_view) {
            m_view->disconnect(this);
            m_view->find({});
        }
        m_view = view;
        connect(view, &FigureView::foundChanged, this, &FindBar::tell);
    }
    view->find(m_text->text());
}

void FindBar::tell()
{
    const int count = m_view ? m_view->foundCount() : 0;
    const bool searches = !m_text->text().trimmed().isEmpty();
    m_count->setText(!searches        ? QString()
                         : count == 0 ? tr("Not found in this view")
                                      : tr("%1 of %2").arg(m_view->foundAt().value_or(0) + 1).arg(count));
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape) {
        hide();
        m_views.current().setFocus();
    } else if (enter) {
        go((event->modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1);
    } else {
        QFrame::keyPressEvent(event);
    }
}

void FindBar::hideEvent(QHideEvent* event)
{
    if (m_view && !event->spontaneous())
        m_view->find({});
    QFrame::hideEvent(event);
}

} // namespace attn::ui
