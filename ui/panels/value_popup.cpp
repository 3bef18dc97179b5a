// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/value_popup.h"

#include "state/strings.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>

namespace attn::ui {

namespace {

constexpr double mostValue = 1e6;

} // namespace

ValuePopup::ValuePopup(const QString& what, double value, QWidget* window)
    : PlacePopup(window)
    , m_box(new NumberBox)
{
    setObjectName(QStringLiteral("valuePopup"));
    setAccessibleName(what);
    m_box->setObjectName(QStringLiteral("editValue"));
    m_box->setAccessibleName(what);
    m_box->setRange(-mostValue, mostValue);
    m_box->setSingleStep(0.05);
    m_box->setValue(value);
    auto* apply = new QPushButton(tr("Apply"));
    apply->setObjectName(QStringLiteral("applyValue"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->addWidget(plainLabel(what));
    layout->addWidget(m_box);
    layout->addWidget(apply);
    connect(apply, &QPushButton::clicked, this, &ValuePopup::give);
}

void ValuePopup::openAt(QPoint position)
{
    PlacePopup::openAt(position, m_box);
    m_box->selectAll();
}

// The box leaves Enter to what it is in.
void ValuePopup::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        give();
    else
        PlacePopup::keyPressEvent(event);
}

void ValuePopup::give()
{
    m_box->interpretText();
    const double value = m_box->value();
    close();
    Q_EMIT given(value);
}

} // namespace attn::ui
