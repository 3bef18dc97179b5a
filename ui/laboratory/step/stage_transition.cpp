// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/step/stage_transition.h"

#include <QPainter>
#include <QPixmap>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr int longestTransition = 160; // milliseconds

// One picture over another one, so that nothing below is painted while one becomes the other.
class Cover final : public QWidget
{
public:
    Cover(QWidget* parent, QPixmap before, QPixmap after)
        : QWidget(parent)
        , m_before(std::move(before))
        , m_after(std::move(after))
    {
        setObjectName(QStringLiteral("stageTransition"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_OpaquePaintEvent);
        setGeometry(parent->rect());
    }

    void setPart(double part)
    {
        m_part = part;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.drawPixmap(0, 0, m_after);
        painter.setOpacity(1 - m_part);
        painter.drawPixmap(0, 0, m_before);
    }

private:
    QPixmap m_before;
    QPixmap m_after;
    double m_part = 0; // of the way
};

} // namespace

StageTransition::StageTransition(QScrollArea& area)
    : QObject(&area)
    , m_area(area)
{
    m_way.setStartValue(0.0);
    m_way.setEndValue(1.0);
    m_way.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_way, &QVariantAnimation::valueChanged, this, [this](const QVariant& part) {
        if (m_show)
            m_show(part.toDouble());
    });
    connect(&m_way, &QVariantAnimation::finished, this, &StageTransition::finish);
    connect(m_area.verticalScrollBar(), &QAbstractSlider::actionTriggered, this, [this] {
        m_gliding = false; // people scroll from where they are
        m_way.stop();
        finish();
    });
}

int StageTransition::duration() const
{
    return std::min(m_area.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &m_area),
                    longestTransition);
}

void StageTransition::over(const std::function<void()>& change, How how)
{
    m_way.stop();
    finish();
    if (duration() <= 0 || !m_area.isVisible())
        return change();
    const QPixmap before = m_area.viewport()->grab();
    const int from = m_area.verticalScrollBar()->value();
    change();
    if (!m_area.isVisible())
        return;
    const int to = m_area.verticalScrollBar()->value();
    if (how == How::Glide && to != from)
        glide(from, to);
    else
        fade(before);
    m_way.setDuration(duration());
    m_way.start();
}

void StageTransition::fade(const QPixmap& before)
{
    auto* cover = new Cover(m_area.viewport(), before, m_area.viewport()->grab());
    m_cover = cover;
    m_show = [cover](double part) { cover->setPart(part); };
    cover->show();
}

void StageTransition::glide(int from, int to)
{
    m_end = to;
    m_gliding = true;
    QScrollBar* bar = m_area.verticalScrollBar();
    m_show = [bar, from, to](double part) { bar->setValue(static_cast<int>(std::lround(from + (to - from) * part))); };
    bar->setValue(from);
}

void StageTransition::finish()
{
    m_show = nullptr;
    delete std::exchange(m_cover, nullptr);
    if (std::exchange(m_gliding, false))
        m_area.verticalScrollBar()->setValue(m_end);
}

} // namespace attn::ui
