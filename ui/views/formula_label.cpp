// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/formula_label.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QEvent>
#include <QFontInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>

#include <cmath>

namespace attn::ui {

namespace {

constexpr double formulaSize = 1.25; // of the window's letters
constexpr int formulaAir = 3; // pixels above and below

} // namespace

FormulaLabel::FormulaLabel(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void FormulaLabel::setFormula(const Formula& formula)
{
    m_formula = formula;
    set();
}

void FormulaLabel::set()
{
    QFont large = font();
    large.setPixelSize(static_cast<int>(std::lround(QFontInfo(large).pixelSize() * formulaSize)));
    m_layout = FormulaLayout(m_formula, large);
    setAccessibleName(m_formula.reading());
    updateGeometry();
    update();
}

QSize FormulaLabel::sizeHint() const
{
    const QSizeF size = m_layout.size();
    return {static_cast<int>(std::ceil(size.width())), static_cast<int>(std::ceil(size.height())) + 2 * formulaAir};
}

void FormulaLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool dark = palette().color(QPalette::Window).lightness() < 128;
    const ThemeColors colors = themeColors(dark ? Theme::Dark : Theme::Light);
    m_layout.paintIn(painter, rect(), colors, palette().color(QPalette::WindowText));
}

void FormulaLabel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        set();
    else if (event->type() == QEvent::PaletteChange)
        update();
}

void FormulaLabel::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("formulaMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Copy"), this, [this] { QGuiApplication::clipboard()->setText(m_formula.reading()); });
    menu->popup(event->globalPos());
}

} // namespace attn::ui
