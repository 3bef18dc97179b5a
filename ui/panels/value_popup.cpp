// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/value_popup.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScreen>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr double mostValue = 1e6;

} // namespace

ValuePopup::ValuePopup(const QString& what, double value, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_box(new NumberBox)
{
    setObjectName(QStringLiteral("valuePopup"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    m_box->setObjectName(QStringLiteral("editValue"));
    m_box->setAccessibleName(what);
    m_box->setRange(-mostValue, mostValue);
    m_box->setSingleStep(0.05);
    m_box->setValue(value);
    auto* apply = new QPushButton(tr("Apply"));
    apply->setObjectName(QStringLiteral("applyValue"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->addWidget(new QLabel(what));
    layout->addWidget(m_box);
    layout->addWidget(apply);
    connect(apply, &QPushButton::clicked, this, &ValuePopup::give);
}

void ValuePopup::openAt(QPoint position)
{
    openInside(*this, position);
    m_box->setFocus();
    m_box->selectAll();
}

// The box leaves Enter to what it is in.
void ValuePopup::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        give();
    else
        QFrame::keyPressEvent(event);
}

void ValuePopup::give()
{
    m_box->interpretText();
    const double value = m_box->value();
    close();
    Q_EMIT given(value);
}

void openInside(QWidget& popup, QPoint position)
{
    popup.adjustSize();
    const QRect room = popup.screen()->availableGeometry();
    popup.move(std::max(room.left(), std::min(position.x(), room.right() - popup.width())),
               std::max(room.top(), std::min(position.y(), room.bottom() - popup.height())));
    popup.show();
}

} // namespace attn::ui
