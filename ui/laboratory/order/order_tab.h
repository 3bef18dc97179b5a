// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/look/color_map.h"
#include "figures/look/theme.h"
#include "figures/parts/matrix_figure.h"
#include "figures/parts/panel_figure.h"
#include "laboratory/laboratory_page.h"

#include <QEvent>

#include <algorithm>
#include <memory>

namespace attn::ui {

// One reading of the Order page: controls, a picture, and a result in a sentence. The picture is the last in its
// layout.
class OrderTab : public QWidget
{
    Q_OBJECT

public:
    OrderTab(const LaboratoryContext& context, JobRunner& jobs)
        : m_context(context)
        , m_jobs(jobs)
    {
    }

    virtual void activate() = 0; // it is in front, perhaps with another model or sentence
    virtual void restyle() = 0; // colours have changed
    virtual std::optional<Exportable> exportable() = 0;
    const QString& result() const { return m_result; }
    // Between its controls and its picture.
    void place(QWidget* notes)
    {
        static_cast<QBoxLayout*>(layout())->insertWidget(layout()->count() - 1, notes);
        notes->show();
    }

Q_SIGNALS:
    void said(const QString& result);
    void hovered(const QString& text);

protected:
    const LaboratoryContext& context() const { return m_context; }
    JobRunner& jobs() { return m_jobs; }
    void say(const QString& text)
    {
        m_result = text;
        Q_EMIT said(text);
    }
    void changeEvent(QEvent* event) override
    {
        QWidget::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) // after its children have the new one, too
            QMetaObject::invokeMethod(this, &OrderTab::restyle, Qt::QueuedConnection);
    }
    // Colours of the window; for values around zero with the map for these.
    FigureSpec look(bool aroundZero) const
    {
        FigureSpec spec;
        spec.theme = m_context.appearance.theme();
        spec.colorMap = aroundZero ? divergingColors() : m_context.appearance.colorMap();
        return spec;
    }

private:
    LaboratoryContext m_context;
    JobRunner& m_jobs;
    QString m_result;
};

// A matrix of as many rows as columns, with square cells at the top of its room.
inline FigureLayout squareMatrix(const FigureSpec& spec, const MatrixContent& content)
{
    return [spec, content](QSizeF size) -> std::unique_ptr<const Figure> {
        auto matrix = std::make_unique<MatrixFigure>(spec, content, size);
        const double higher = matrix->cellsRect().height() - matrix->cellsRect().width();
        if (higher > 0 && size.height() > 0)
            matrix = std::make_unique<MatrixFigure>(spec, content, size - QSizeF(0, higher));
        std::vector<Panel> panels;
        panels.push_back({std::move(matrix), {}});
        const QSizeF whole(size.width(), std::max(size.height(), panels.front().figure->size().height()));
        return std::make_unique<PanelFigure>(std::move(panels), whole, themeColors(spec.theme).background);
    };
}

// A control with its name before it.
inline void addNamed(QBoxLayout& row, const QString& label, QWidget* control, const char* name)
{
    auto* text = new QLabel(label);
    text->setBuddy(control);
    control->setObjectName(QLatin1String(name));
    control->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    row.addWidget(text);
    row.addWidget(control);
}

} // namespace attn::ui
