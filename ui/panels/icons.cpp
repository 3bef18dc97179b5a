// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

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

} // namespace attn::ui
