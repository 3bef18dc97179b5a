// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/language.h"
#include "state/strings.h"
#include "views/token_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>

namespace attn::ui {

extern const FigureKind textKind;
extern const FigureKind labelsKind;

namespace {

// The text itself, shaded. Below it whether what is attended to or what attends is shown.
class TextView final : public TokenView
{
    Q_DECLARE_TR_FUNCTIONS(attn::ui::TextView)

public:
    explicit TextView(const ViewContext& context)
        : TextView(context, new QWidget)
    {
    }

protected:
    void wheelEvent(QWheelEvent* event) override
    {
        scroll(-event->angleDelta().y() / 2.0);
        event->accept();
    }

    bool handleKey(QKeyEvent* event) override
    {
        if (event->key() != Qt::Key_PageUp && event->key() != Qt::Key_PageDown)
            return TokenView::handleKey(event);
        scroll((event->key() == Qt::Key_PageUp ? -0.6 : 0.6) * height());
        return true;
    }

    // Into what is seen.
    void walkedTo(TokenPlace place) override
    {
        const QRectF box = tokens()->rectOf(place);
        const double highest = 60;
        const double lowest = tokens()->size().height() - 70;
        if (box.top() < highest)
            scroll(box.top() - highest);
        else if (box.bottom() > lowest)
            scroll(box.bottom() - lowest);
    }

private:
    TextView(const ViewContext& viewed, QWidget* bar)
        : TokenView(textKind, viewed, bar)
        , m_shading(new QComboBox)
        , m_letGo(new QToolButton)
    {
        setObjectName(QStringLiteral("textView"));
        setAccessibleName(tr("Attention as shades of the text"));
        bar->setObjectName(QStringLiteral("textBar"));
        const auto& row = optionRow(figureRows(), "shade");
        auto* name = plainLabel(translated(row.label));
        name->setBuddy(m_shading);
        m_shading->setObjectName(QStringLiteral("shading"));
        m_shading->setAccessibleName(name->text());
        for (const OptionChoice& choice : std::get<ChoiceMember<FigureChoices>>(row.member).choices)
            m_shading->addItem(translated(choice.label), QLatin1String(choice.name));
        m_letGo->setObjectName(QStringLiteral("letGo"));
        m_letGo->setText(tr("Let go"));
        m_letGo->setToolTip(tr("No word is picked any more (Esc)"));
        auto* controls = new QHBoxLayout(bar);
        controls->setContentsMargins(8, 4, 8, 4);
        controls->addWidget(name);
        controls->addWidget(m_shading);
        controls->addWidget(m_letGo);
        controls->addWidget(plainLabel(tr("Click a word, with Ctrl one more")), 1);
        connect(m_shading, &QComboBox::activated, this, &TextView::turn);
        connect(m_letGo, &QToolButton::clicked, this, [this] { letGo(); });
        connect(&context().appearance, &Appearance::changed, this, &TextView::showChoices);
        showChoices();
    }

    // Turns to another side. Picked words of one text stay: they have both sides.
    void turn(int index)
    {
        const bool one = context().study.trace().attendsToItself(context().selection.site());
        context().appearance.choose([index, one](FigureChoices& choices) {
            choices.shading = static_cast<Shading>(index);
            if (!one)
                choices.picked.clear();
        });
    }

    void showChoices()
    {
        const FigureChoices& choices = context().appearance.choices();
        m_shading->setCurrentIndex(static_cast<int>(choices.shading));
        m_letGo->setEnabled(!choices.picked.empty());
    }

    // By so many pixels.
    void scroll(double by)
    {
        const double most = tokens() == nullptr ? 0 : tokens()->scrollRange();
        const double to = std::clamp(placed().y() + by, 0.0, most);
        setPlaced(to > 0 ? QRectF(0, to, 1, 1) : QRectF());
        relayout();
    }

    QComboBox* m_shading;
    QToolButton* m_letGo;
};

} // namespace

QWidget* makeTextView(const ViewContext& context)
{
    return new TextView(context);
}

// The text with what a head predicts of its tokens.
QWidget* makeLabelsView(const ViewContext& context)
{
    auto* hint = new QWidget;
    hint->setObjectName(QStringLiteral("labelsBar"));
    auto* line = new QHBoxLayout(hint);
    line->setContentsMargins(8, 4, 8, 4);
    line->addWidget(plainLabel(TokenView::tr("Click a token to follow it in every view")));
    return new TokenView(labelsKind, context, hint);
}

} // namespace attn::ui
