// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/language.h"
#include "views/head_squares.h"
#include "views/number_box.h"
#include "views/token_view.h"

#include <QComboBox>
#include <QHBoxLayout>

#include <optional>
#include <variant>

namespace attn::ui {

extern const FigureKind arcsKind;

namespace {

constexpr const char* layoutKey = "layout";

// Box that sets a number of the choices; at `none` it chooses nothing.
NumberBox* choiceBox(const char* key, double none, const QString& ofNone)
{
    const OptionRow<FigureChoices>& row = optionRow(figureRows(), key);
    const QString name = translated(row.label);
    auto* box = new NumberBox;
    box->setObjectName(QLatin1String(key));
    box->setAccessibleName(name);
    box->setToolTip(ofNone);
    box->setPrefix(name + QLatin1Char(' '));
    box->setDecimals(3);
    box->setSingleStep(row.limits.step);
    box->setRange(row.limits.least, row.limits.most);
    box->setValue(none);
    box->setKeyboardTracking(false);
    return box;
}

// The attention as lines. Below it the heads of the layer, a square each, and which weights have a line.
class LinesView final : public TokenView
{
    Q_DECLARE_TR_FUNCTIONS(attn::ui::LinesView)

public:
    explicit LinesView(const ViewContext& context)
        : LinesView(context, new QWidget)
    {
    }

private:
    LinesView(const ViewContext& viewed, QWidget* bar)
        : TokenView(arcsKind, viewed, bar)
        , m_heads(new HeadSquares)
        , m_threshold(choiceBox("threshold", 0, tr("Weights below have no line; 0 leaves out only the faintest")))
        , m_topMass(choiceBox("top-mass", 1,
                              tr("Of each word only the largest weights that make up this part of all it has")))
        , m_layout(new QComboBox)
    {
        setObjectName(QStringLiteral("arcsView"));
        setAccessibleName(tr("Attention as lines"));
        bar->setObjectName(QStringLiteral("linesBar"));
        m_heads->setObjectName(QStringLiteral("headSquares"));
        m_layout->setObjectName(QStringLiteral("linesLayout"));
        const auto& row = optionRow(figureRows(), layoutKey);
        m_layout->setAccessibleName(translated(row.label));
        m_layout->setToolTip(tr("Where the words stand"));
        for (const OptionChoice& choice : std::get<ChoiceMember<FigureChoices>>(row.member).choices)
            m_layout->addItem(translated(choice.label), QLatin1String(choice.name));
        auto* controls = new QHBoxLayout(bar);
        controls->setContentsMargins(8, 4, 8, 4);
        controls->addWidget(m_heads, 1);
        controls->addWidget(m_threshold);
        controls->addWidget(m_topMass);
        controls->addWidget(m_layout);
        connect(m_heads, &HeadSquares::headsChosen, this, [this](const std::vector<int>& heads) {
            context().appearance.choose([&heads](FigureChoices& choices) { choices.heads.ofLayer = heads; });
        });
        connect(m_threshold, &QDoubleSpinBox::valueChanged, this, [this](double value) {
            context().appearance.choose([value](FigureChoices& choices) { choices.threshold = value; });
        });
        connect(m_topMass, &QDoubleSpinBox::valueChanged, this, [this](double value) {
            context().appearance.choose([value](FigureChoices& choices) { choices.topMass = value; });
        });
        connect(m_layout, &QComboBox::activated, this, [this](int index) {
            context().appearance.choose(
                [index](FigureChoices& choices) { choices.linesLayout = static_cast<LinesLayout>(index); });
        });
        connect(&context().appearance, &Appearance::changed, this, &LinesView::showChoices);
        connect(&context().study, &Study::traceChanged, this, &LinesView::showChoices);
        connect(&context().selection, &Selection::changed, this, &LinesView::showChoices);
        showChoices();
    }

    void showChoices()
    {
        const FigureChoices& choices = context().appearance.choices();
        const int count = context().study.trace().heads(context().selection.site());
        m_heads->show(count > 1 ? count : 0, choices.heads.ofLayer, context().selection.head().head(), choices.theme);
        const QSignalBlocker threshold(m_threshold);
        const QSignalBlocker topMass(m_topMass);
        m_threshold->setValue(choices.threshold);
        m_topMass->setValue(choices.topMass);
        m_layout->setCurrentIndex(static_cast<int>(choices.linesLayout));
    }

    HeadSquares* m_heads;
    NumberBox* m_threshold;
    NumberBox* m_topMass;
    QComboBox* m_layout;
};

} // namespace

QWidget* makeLinesView(const ViewContext& context)
{
    return new LinesView(context);
}

} // namespace attn::ui
