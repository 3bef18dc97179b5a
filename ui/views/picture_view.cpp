// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/picture_figure.h"
#include "figures/look/language.h"
#include "state/strings.h"
#include "views/token_view.h"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QRubberBand>
#include <QToolButton>

#include <algorithm>
#include <memory>
#include <vector>

namespace attn::ui {

extern const FigureKind pictureKind;

namespace {

// The picture under its weights; its words are those over the views, whose arrow keys go from one to the next here,
// too. A rubber band over the picture picks patches for an edit. Below it how the weights are drawn.
class PictureView final : public TokenView
{
    Q_DECLARE_TR_FUNCTIONS(attn::ui::PictureView)

public:
    explicit PictureView(const ViewContext& context)
        : PictureView(context, new QWidget)
    {
    }

    FigureSpec spec() const override
    {
        FigureSpec spec = TokenView::spec();
        if (m_sheet->isChecked()) {
            spec.currentStep.reset();
            spec.picked.clear();
        } else if (spec.specials == SpecialTokens::Hidden) {
            spec.specials = SpecialTokens::Shown; // beside the picture, where they take nothing away from it
        }
        return spec;
    }

protected:
    std::shared_ptr<const Figure> makeFigure(const FigureSpec& spec, const Trace& trace) override
    {
        return std::make_shared<const PictureFigure>(spec, trace, room(), PictureFigure::Words::Elsewhere);
    }

    void mousePressEvent(QMouseEvent* event) override
    {
        TokenView::mousePressEvent(event);
        m_dragged = false;
    }

    void mouseMoveEvent(QMouseEvent* event) override
    {
        const PictureFigure* const shown = picture();
        if (!pressed() || (event->buttons() & Qt::LeftButton) == 0 || shown == nullptr)
            return TokenView::mouseMoveEvent(event);
        const QPointF moved = event->position() - *pressed();
        m_dragged = m_dragged || moved.manhattanLength() >= QApplication::startDragDistance();
        if (!m_dragged)
            return;
        m_band->setGeometry(QRectF(*pressed(), event->position()).normalized().toRect());
        m_band->show();
    }

    void mouseReleaseEvent(QMouseEvent* event) override
    {
        const PictureFigure* const shown = picture();
        if (event->button() != Qt::LeftButton || !m_dragged || shown == nullptr)
            return TokenView::mouseReleaseEvent(event);
        m_dragged = false;
        m_band->hide();
        dropClick();
        const FigureHit hit = shown->band(m_band->geometry());
        if (hit.part != FigureHit::Part::Nothing)
            Q_EMIT menuRequested(hit, event->globalPosition().toPoint());
    }

    // Chooses what was hit; in a sheet, the word of the panel.
    void choose(const FigureHit& hit) override
    {
        const PictureFigure* const shown = picture();
        if (shown == nullptr)
            return;
        const bool wasSheet = shown->isSheet();
        const FigureHit chosen = hit.isCell() ? shown->hitOf(TokenPlace{TokenSide::Rows, hit.row.value_or(0)}) : hit;
        if (wasSheet && TokenFigure::placeOf(chosen)) {
            m_sheet->setChecked(false);
            letGo();
        }
        TokenView::choose(chosen);
    }

    bool handleKey(QKeyEvent* event) override
    {
        const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
        return (by != 0 && walkWords(by)) || TokenView::handleKey(event);
    }

private:
    PictureView(const ViewContext& viewed, QWidget* bar)
        : TokenView(pictureKind, viewed, bar, Bar::InCorner)
        , m_overlay(chooser("overlay"))
        , m_shading(chooser("shade"))
        , m_sheet(new QToolButton)
        , m_band(new QRubberBand(QRubberBand::Rectangle, this))
    {
        setObjectName(QStringLiteral("pictureView"));
        setAccessibleName(tr("Attention over the picture"));
        bar->setObjectName(QStringLiteral("pictureBar"));
        m_sheet->setObjectName(QStringLiteral("pictureSheet"));
        m_sheet->setText(tr("Sheet"));
        m_sheet->setToolTip(tr("The picture, and one for each word"));
        m_sheet->setCheckable(true);
        auto* controls = new QHBoxLayout(bar);
        controls->setContentsMargins(8, 4, 8, 4);
        for (QComboBox* box : {m_overlay, m_shading}) {
            auto* name = plainLabel(translated(optionRow(figureRows(), box->objectName().toUtf8().constData()).label));
            name->setBuddy(box);
            box->setAccessibleName(name->text());
            controls->addWidget(name);
            m_names.push_back(name);
            controls->addWidget(box);
        }
        controls->addWidget(m_sheet);
        connect(m_overlay, &QComboBox::activated, this, [this](int index) {
            context().appearance.choose(
                [index](FigureChoices& choices) { choices.overlay = static_cast<Overlay>(index); });
        });
        connect(m_shading, &QComboBox::activated, this, [this](int index) {
            const bool one = context().study.trace().attendsToItself(context().selection.site());
            context().appearance.choose([index, one](FigureChoices& choices) {
                choices.shading = static_cast<Shading>(index);
                if (!one)
                    choices.picked.clear();
            });
        });
        connect(m_sheet, &QToolButton::toggled, this, &PictureView::relayout);
        connect(&context().appearance, &Appearance::changed, this, &PictureView::showChoices);
        connect(&context().study, &Study::traceChanged, this, &PictureView::showChoices);
        connect(&context().selection, &Selection::changed, this, [this](Selection::Fields fields) {
            const bool plays = (fields & Selection::PlayField) && context().selection.plays();
            if (plays)
                m_sheet->setChecked(false);
            const bool ofPatches = context().appearance.choices().shading == Shading::Attending
                && !context().study.trace().attendsToItself(context().selection.site());
            if ((plays || (fields & Selection::StepField)) && ofPatches) // what the word looks at
                letGo();
            if (fields & Selection::SiteField)
                showChoices();
        });
        showChoices();
    }

    // A box with the values of a row.
    static QComboBox* chooser(const char* key)
    {
        auto* box = new QComboBox;
        box->setObjectName(QLatin1String(key));
        for (const OptionChoice& choice : offeredChoices(optionRow(figureRows(), key)))
            box->addItem(translated(choice.label), QLatin1String(choice.name));
        return box;
    }

    void showChoices()
    {
        const FigureChoices& choices = context().appearance.choices();
        m_overlay->setCurrentIndex(static_cast<int>(choices.overlay));
        m_shading->setCurrentIndex(static_cast<int>(choices.shading));
        const Trace& trace = context().study.trace();
        const bool patches = trace.attendsToItself(context().selection.site());
        m_shading->setVisible(patches);
        m_names.back()->setVisible(patches);
        m_sheet->setVisible(!patches && trace.steps() > 1);
        setWhatsThis(patches ? tr("Click a patch; drag to hide some")
                             : tr("Click a word or a patch; drag over patches to hide them"));
    }

    const PictureFigure* picture() { return dynamic_cast<const PictureFigure*>(currentFigure()); }

    // From the word that is shown; false: there is none, or the keyboard is at a patch.
    bool walkWords(int by)
    {
        const PictureFigure* const shown = picture();
        if (shown == nullptr || shown->isSheet() || !shown->isWord({}))
            return false;
        const auto at = TokenFigure::placeOf(keyboardHit());
        if (at && !shown->isWord(*at))
            return false;
        const auto word = shown->word();
        const int next = word ? std::clamp(*word + by, 0, shown->rows() - 1) : 0;
        if (next != word)
            choose(shown->hitOf(TokenPlace{TokenSide::Rows, next}));
        return true;
    }

    QComboBox* m_overlay;
    QComboBox* m_shading;
    std::vector<QLabel*> m_names; // of the two
    QToolButton* m_sheet;
    QRubberBand* m_band;
    bool m_dragged = false;
};

} // namespace

QWidget* makePictureView(const ViewContext& context)
{
    return new PictureView(context);
}

} // namespace attn::ui
