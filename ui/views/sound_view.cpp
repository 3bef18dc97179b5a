// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/strings.h"
#include "views/token_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>

#include <algorithm>

namespace attn::ui {

extern const FigureKind soundKind;

namespace {

// The sound, and the words that were heard in it.
class SoundView final : public TokenView
{
    Q_DECLARE_TR_FUNCTIONS(attn::ui::SoundView)

public:
    explicit SoundView(const ViewContext& context)
        : TokenView(soundKind, context, nullptr)
    {
        setObjectName(QStringLiteral("soundView"));
        setAccessibleName(tr("Attention over the sound"));
        setWhatsThis(tr("Click a word, or a moment of the sound"));
    }

protected:
    // A word that is picked is heard, one that is let go is not.
    void choose(const FigureHit& hit) override
    {
        TokenView::choose(hit);
        const auto place = TokenFigure::placeOf(hit);
        if (!place || place->side != TokenSide::Rows || tokens() == nullptr)
            return;
        const auto name = tokens()->nameOf(*place);
        const FigureChoices& now = context().appearance.choices();
        const bool isPicked = name && now.shading == TokenFigure::shadingOf(place->side)
            && std::ranges::find(now.picked, *name) != now.picked.end();
        Q_EMIT hearAsked(isPicked ? tokens()->timeOf(*place).value_or(TimeSpan()) : TimeSpan());
    }
};

} // namespace

QWidget* makeSoundView(const ViewContext& context)
{
    return new SoundView(context);
}

} // namespace attn::ui
