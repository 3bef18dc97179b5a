// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scale_control.h"

#include "figures/figure_choices.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "figures/look/theme.h"

#include <QActionGroup>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <string>

namespace attn::ui {

namespace {

constexpr int around = 7; // of the bar, where its ends can be taken hold of
constexpr int buttonSize = 16;
constexpr double keyStep = 0.05; // of the bar's length
constexpr int digits = 3; // of what is set by hand

double rounded(double value)
{
    return QString::number(value, 'g', digits).toDouble();
}

} // namespace

ScaleControl::ScaleControl(Appearance& appearance, QWidget& view)
    : QWidget(&view)
    , m_appearance(appearance)
    , m_button(new QToolButton(this))
{
    setObjectName(QStringLiteral("scaleControl"));
    setAccessibleName(tr("Colour scale"));
    setToolTip(tr("Drag the ends to set the range, double-click for the usual one; right click for more"));
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    m_button->setObjectName(QStringLiteral("scaleButton"));
    m_button->setAccessibleName(tr("Scale and range of the colours"));
    m_button->setText(QStringLiteral("\u22EF"));
    m_button->setFixedSize(buttonSize, buttonSize);
    m_button->setFocusPolicy(Qt::NoFocus);
    m_button->setCursor(Qt::ArrowCursor);
    m_button->hide();
    connect(m_button, &QToolButton::clicked, this,
            [this] { showMenu(m_button->mapToGlobal(QPoint(0, m_button->height()))); });
    hide();
}

void ScaleControl::follow(const std::optional<ScaleBar>& bar)
{
    if (!bar) {
        if (!m_drag)
            hide();
        return;
    }
    const bool upright = bar->box.height() > bar->box.width();
    const QRect all = bar->box.toAlignedRect().adjusted(-around, -around, around, around);
    // Below a bar that goes down to the edge of a small view, the button lies over its end.
    const QRect place = all.adjusted(0, 0, upright ? 0 : buttonSize, upright ? buttonSize : 0) & parentWidget()->rect();
    const bool same = place == geometry() && bar->scale == m_bar.scale && isVisible();
    const bool moved = !(bar->scale == m_bar.scale);
    m_bar = *bar;
    m_bar.box.translate(-place.topLeft());
    if (same)
        return;
    setGeometry(place);
    setCursor(upright ? Qt::SizeVerCursor : Qt::SizeHorCursor);
    m_button->move(upright ? (place.width() - buttonSize) / 2 : place.width() - buttonSize,
                   upright ? place.height() - buttonSize : (place.height() - buttonSize) / 2);
    show();
    if (moved || accessibleDescription().isEmpty()) {
        tell();
        tellParts(*this, *this);
    }
    update();
}

void ScaleControl::tell()
{
    setAccessibleDescription(
        tr("From %1 to %2").arg(significant(m_bar.scale.least(), digits), significant(m_bar.scale.most(), digits)));
}

double ScaleControl::fractionAt(QPointF point) const
{
    const QRectF& box = m_drag ? m_drag->box : m_bar.box;
    return isUpright() ? (box.bottom() - point.y()) / std::max(1.0, box.height())
                       : (point.x() - box.left()) / std::max(1.0, box.width());
}

ValueScale ScaleControl::chosen() const
{
    const ColorRange& range = m_appearance.choices().range;
    const bool isOfThese = range.of == ColorRange::Of::Numbers && (range.least < 0) == (m_bar.scale.least() < 0);
    return isOfThese ? ValueScale(range.least, range.most, m_appearance.choices().scale) : m_bar.scale;
}

void ScaleControl::setEnd(const ValueScale& from, bool upper, double fraction)
{
    setEndTo(from, upper, rounded(from.valueAt(fraction)));
}

void ScaleControl::setEndTo(const ValueScale& from, bool upper, double value)
{
    double least = from.least();
    double most = from.most();
    if (least < 0) { // around zero both ends go together
        most = std::abs(value);
        least = -most;
    } else if (upper) {
        most = value;
    } else {
        least = value;
    }
    if (least < most)
        m_appearance.choose([&](FigureChoices& choices) { choices.range = {ColorRange::Of::Numbers, least, most}; });
}

AccessPart ScaleControl::part(int index) const
{
    const bool upper = index == 0;
    const double value = upper ? m_bar.scale.most() : m_bar.scale.least();
    const QRectF box = QRectF(endPoint(upper), QSizeF()).adjusted(-around, -around, around, around);
    return {.role = QAccessible::Slider,
            .name = upper ? tr("Upper end of the colour scale") : tr("Lower end of the colour scale"),
            .text = significant(value, digits),
            .value = value,
            .box = box.toAlignedRect(),
            .focused = upper && hasFocus()};
}

void ScaleControl::setPart(int index, double value)
{
    setEndTo(chosen(), index == 0, rounded(value));
}

QPointF ScaleControl::endPoint(bool upper) const
{
    return isUpright() ? QPointF(m_bar.box.left(), upper ? m_bar.box.top() : m_bar.box.bottom())
                       : QPointF(upper ? m_bar.box.right() : m_bar.box.left(), m_bar.box.bottom());
}

void ScaleControl::reset()
{
    m_appearance.choose([](FigureChoices& choices) { choices.range = {}; });
}

void ScaleControl::showMenu(QPoint position)
{
    auto* const menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("scaleMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addChoiceMenus(*menu, m_appearance, scaleChoiceKeys);
    menu->addSeparator();
    QAction* const usual = menu->addAction(tr("The usual &range"), this, &ScaleControl::reset);
    usual->setObjectName(QStringLiteral("usualRangeAction"));
    usual->setEnabled(m_appearance.choices().range != ColorRange());
    menu->popup(position);
}

void ScaleControl::showParts()
{
    m_button->setVisible(hasFocus() || underMouse());
    update();
}

void ScaleControl::paintEvent(QPaintEvent*)
{
    if (!hasFocus() && !underMouse() && !m_drag)
        return;
    const ThemeColors colors = themeColors(m_appearance.theme());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.cursor, hasFocus() ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_bar.box.adjusted(-1, -1, 1, 1));
    painter.setBrush(colors.cursor);
    painter.setPen(QPen(colors.background, 1));
    constexpr double half = 4;
    for (const bool upper : {true, false}) {
        const QPointF end = endPoint(upper);
        const QPolygonF handle = isUpright()
            ? QPolygonF({end + QPointF(-6, -half), end + QPointF(1, 0), end + QPointF(-6, half)})
            : QPolygonF({end + QPointF(-half, 6), end + QPointF(0, -1), end + QPointF(half, 6)});
        painter.drawPolygon(handle);
    }
}

void ScaleControl::enterEvent(QEnterEvent* event)
{
    QWidget::enterEvent(event);
    showParts();
}

void ScaleControl::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    showParts();
}

void ScaleControl::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    showParts();
}

void ScaleControl::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    showParts();
}

void ScaleControl::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    const double fraction = fractionAt(event->position());
    m_drag = {m_bar.scale, m_bar.box, fraction > 0.5, fraction};
}

void ScaleControl::mouseMoveEvent(QMouseEvent* event)
{
    if ((event->buttons() & Qt::LeftButton) == 0)
        m_drag.reset(); // a menu or a question may have had the release
    if (!m_drag)
        return event->ignore(); // the view says which value is pointed at
    const double moved = fractionAt(event->position()) - m_drag->from;
    const double end = (m_drag->upper ? 1 : 0) + moved;
    setEnd(m_drag->scale, m_drag->upper, m_drag->upper ? std::max(end, 0.005) : std::min(end, 0.995));
}

void ScaleControl::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_drag.reset();
}

void ScaleControl::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        reset();
}

void ScaleControl::contextMenuEvent(QContextMenuEvent* event)
{
    showMenu(event->globalPos());
    event->accept();
}

void ScaleControl::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const bool up = key == Qt::Key_Up || key == Qt::Key_Right;
    const bool lower = (event->modifiers() & Qt::ShiftModifier) != 0;
    if (up || key == Qt::Key_Down || key == Qt::Key_Left)
        return setEnd(chosen(), !lower, (lower ? 0 : 1) + (up ? keyStep : -keyStep));
    if (key == Qt::Key_Home || key == Qt::Key_Delete || key == Qt::Key_Backspace)
        return reset();
    if (key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter)
        return showMenu(mapToGlobal(m_bar.box.bottomLeft().toPoint()));
    QWidget::keyPressEvent(event);
}

namespace {

void addChoiceMenu(QMenu& menu, Appearance& appearance, const OptionRow<FigureChoices>& row)
{
    QMenu* const choices = menu.addMenu(translated(row.label));
    choices->setObjectName(QLatin1String(row.key) + QStringLiteral("Menu"));
    auto* const group = new QActionGroup(choices);
    for (const OptionChoice& choice : offeredChoices(row)) {
        QAction* const action =
            choices->addAction(translated(choice.label), &appearance, [&appearance, &row, name = choice.name] {
                appearance.choose([&](FigureChoices& all) { setOption(row, all, name); });
            });
        action->setObjectName(QLatin1String(row.key) + QLatin1Char('-') + QLatin1String(choice.name));
        action->setData(QLatin1String(choice.name));
        action->setCheckable(true);
        group->addAction(action);
    }
    // Another one that was chosen elsewhere, such as two numbers.
    QAction* const other = choices->addAction(QString());
    other->setObjectName(QLatin1String(row.key) + QStringLiteral("-other"));
    other->setCheckable(true);
    group->addAction(other);
    const auto show = [group, other, &appearance, &row] {
        const auto text = optionText(row, appearance.choices());
        const QString chosen = QString::fromStdString(text.value_or(std::string()));
        QAction* ticked = other;
        for (QAction* action : group->actions()) {
            if (action != other && action->data().toString() == chosen)
                ticked = action;
        }
        other->setVisible(ticked == other);
        other->setText(chosen);
        ticked->setChecked(true);
    };
    QObject::connect(&appearance, &Appearance::changed, group, show);
    show();
}

} // namespace

void addChoiceMenus(QMenu& menu, Appearance& appearance, std::span<const char* const> keys)
{
    for (const char* key : keys)
        addChoiceMenu(menu, appearance, optionRow(figureRows(), key));
}

} // namespace attn::ui
