// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/controls.h"

#include "figures/look/theme.h"
#include "panels/line_layout.h"

#include <QCoreApplication>
#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QKeyEvent>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QSvgRenderer>
#include <QWidget>

// Static libraries drop resources that nobody names; the macro needs the global namespace.
static void keepResources()
{
    Q_INIT_RESOURCE(attnscope);
}

namespace attn::ui {

namespace {

class ThemedIconEngine final : public QIconEngine
{
public:
    ThemedIconEngine(QByteArray svg, QPalette::ColorRole role)
        : m_svg(std::move(svg))
        , m_role(role)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        // A place that is disabled loses its colour.
        const auto role = mode == QIcon::Selected ? QPalette::HighlightedText
            : mode == QIcon::Disabled             ? QPalette::ButtonText
                                                  : m_role;
        const QColor color = QGuiApplication::palette().color(group, role);
        QByteArray svg = m_svg;
        svg.replace("#000", color.name().toLatin1());
        QSvgRenderer(svg).render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(m_svg, m_role); }

private:
    QByteArray m_svg;
    QPalette::ColorRole m_role;
};

} // namespace

QIcon themedIcon(const QString& name, QPalette::ColorRole role)
{
    keepResources();
    QFile file(QStringLiteral(":/icons/") + name + QStringLiteral(".svg"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new ThemedIconEngine(file.readAll(), role));
}

namespace {

constexpr int deeper = 135; // percent: styles draw buttons lighter than their colour, and the text on it is light

} // namespace

void PrimaryButton::initStyleOption(QStyleOptionButton* option) const
{
    QPushButton::initStyleOption(option);
    if (!isEnabled())
        return;
    option->palette.setColor(QPalette::Button, palette().color(QPalette::Highlight).darker(deeper));
    option->palette.setColor(QPalette::ButtonText, palette().color(QPalette::HighlightedText));
}

void PrimaryButton::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    painter.drawControl(QStyle::CE_PushButton, option);
}

QAction* addListAction(QAbstractItemView& list, const char* name, const QString& text, const QString& tip,
                       const QKeySequence& key)
{
    auto* action = new QAction(text, &list);
    action->setObjectName(QLatin1String(name));
    if (!tip.isEmpty())
        action->setToolTip(tip);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    list.addAction(action);
    return action;
}

QLayout* buttonsOf(const QList<QAction*>& actions)
{
    auto* buttons = new LineLayout;
    buttons->setSpacing(0);
    for (QAction* action : actions) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        buttons->addWidget(button);
    }
    return buttons;
}

QToolButton* makeAgeSign(AgeSign of, const Study& study, const Appearance& appearance)
{
    const bool ofText = of == AgeSign::OfText;
    auto* sign = new QToolButton;
    sign->setObjectName(ofText ? QStringLiteral("notRunSign") : QStringLiteral("olderSign"));
    sign->setText(ofText ? Study::tr("Not run yet") : Study::tr("Shows the choices before"));
    sign->setToolTip(Study::tr("What is shown was made before the last changes. Enter, or a click here, runs the model "
                               "on what is chosen now."));
    sign->setAutoRaise(true);
    sign->hide();
    const auto show = [sign, ofText, &study] {
        const auto& asked = study.asked();
        const Question& edited = study.edited();
        const bool typed = asked && (asked->text != edited.text || asked->secondText != edited.secondText);
        sign->setVisible(study.age() != Age::Current && typed == ofText);
    };
    for (const auto signal :
         {&Study::questionChanged, &Study::modelChanged, &Study::traceChanged, &Study::runBegan, &Study::runEnded})
        QObject::connect(&study, signal, sign, show);
    const auto color = [sign, &appearance] {
        QPalette colors;
        colors.setColor(QPalette::ButtonText, themeColors(appearance.theme()).accent);
        sign->setPalette(colors);
    };
    QObject::connect(&appearance, &Appearance::changed, sign, color);
    color();
    return sign;
}

namespace {

class WindowShortcut final : public QObject
{
public:
    WindowShortcut(QAction* action, QWidget* window)
        : QObject(window)
        , m_action(action)
        , m_window(window)
    {
        QCoreApplication::instance()->installEventFilter(this);
    }

    // Events that are not accepted here go to the actions next.
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::ShortcutOverride || !m_action->isEnabled())
            return false;
        const auto* widget = qobject_cast<QWidget*>(watched);
        const auto* key = static_cast<QKeyEvent*>(event);
        if (widget == nullptr || widget->window() != m_window
            || m_action->shortcut() != QKeySequence(key->keyCombination()))
            return false;
        event->ignore();
        return true;
    }

private:
    QAction* m_action = nullptr;
    QWidget* m_window = nullptr;
};

} // namespace

void claimShortcut(QAction* action, QWidget* window)
{
    new WindowShortcut(action, window);
}

} // namespace attn::ui
