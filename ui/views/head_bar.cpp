// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/head_bar.h"

#include "figures/kinds/shown_matrix.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"
#include "state/selection.h"
#include "state/strings.h"

#include <QHBoxLayout>

namespace attn::ui {

namespace {

constexpr int leastBarWidth = 220;

} // namespace

HeadBar::HeadBar(const ViewContext& context)
    : m_context(context)
    , m_leastFirst(new QCheckBox)
    , m_picked(plainLabel())
{
    setObjectName(QStringLiteral("headBar"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSizeConstraint(QLayout::SetNoConstraint); // small windows squeeze it
    setMinimumWidth(leastBarWidth);
    setFixedHeight(m_leastFirst->sizeHint().height() + 16);
    addChoice("sort");
    const auto& leastFirst = optionRow(figureRows(), "least-first");
    m_leastFirst->setObjectName(QStringLiteral("leastFirst"));
    m_leastFirst->setText(translated(leastFirst.label));
    m_leastFirst->setToolTip(translated(leastFirst.help));
    row->addWidget(m_leastFirst);
    addChoice("tile-label");
    row->addStretch(1);
    m_picked->setObjectName(QStringLiteral("pickedHeads"));
    row->addWidget(m_picked);
    for (const Reading* reading : readings()) {
        if (reading->of == ReadingOf::Heads)
            addReading(*reading);
    }
    m_none = addButton(QStringLiteral("pickNone"), tr("Pick none"));
    m_none->setToolTip(tr("One head at a time again (Esc)"));
    connect(m_leastFirst, &QCheckBox::toggled, this, [this](bool least) {
        m_context.appearance.choose([least](FigureChoices& choices) { choices.leastFirst = least; });
    });
    connect(m_none, &QToolButton::clicked, this, [this] { pickNone(m_context.appearance); });
    connect(&m_context.appearance, &Appearance::changed, this, &HeadBar::refresh);
    connect(&m_context.selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & (Selection::SiteField | Selection::HeadField))
            refresh();
    });
    connect(&m_context.study, &Study::traceChanged, this, &HeadBar::refresh);
    refresh();
}

QComboBox* HeadBar::addChoice(const char* key)
{
    const OptionRow<FigureChoices>& row = optionRow(figureRows(), key);
    auto* picker = new QComboBox;
    picker->setObjectName(QLatin1String(key) + QStringLiteral("Heads"));
    picker->setToolTip(translated(row.help));
    for (const OptionChoice& choice : std::get<ChoiceMember<FigureChoices>>(row.member).choices)
        picker->addItem(translated(choice.label), QLatin1String(choice.name));
    picker->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    picker->setMinimumContentsLength(12);
    auto* label = plainLabel(translated(row.label));
    label->setBuddy(picker);
    layout()->addWidget(label);
    layout()->addWidget(picker);
    connect(picker, &QComboBox::activated, this, [this, &row, picker] {
        m_context.appearance.choose(
            [&](FigureChoices& choices) { setOption(row, choices, picker->currentData().toString().toStdString()); });
    });
    m_choices.emplace_back(&row, picker);
    return picker;
}

void HeadBar::addReading(const Reading& reading)
{
    QToolButton* const button =
        addButton(QLatin1String(reading.id) + QStringLiteral("OfPicked"), translated(reading.name));
    button->setCheckable(true);
    connect(button, &QToolButton::clicked, this, [this, &reading] {
        m_context.selection.setHead(reading);
        refresh();
    });
    m_readings.emplace_back(&reading, button);
}

QToolButton* HeadBar::addButton(const QString& name, const QString& text)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(text);
    layout()->addWidget(button);
    return button;
}

void HeadBar::refresh()
{
    const FigureChoices& choices = m_context.appearance.choices();
    for (const auto& [row, picker] : m_choices)
        picker->setCurrentIndex(std::get<ChoiceMember<FigureChoices>>(row->member).get(choices));
    m_leastFirst->setChecked(choices.leastFirst);
    m_leastFirst->setEnabled(measureOf(choices.headOrder) != nullptr);
    const Site site = m_context.selection.site();
    const auto picked = choices.heads.existing(m_context.study.trace(), site);
    const HeadReading shown = m_context.selection.head();
    m_picked->setText(picked.size() == 1 ? tr("1 picked") : tr("%1 picked").arg(picked.size()));
    for (QWidget* const widget : {static_cast<QWidget*>(m_picked), static_cast<QWidget*>(m_none)})
        widget->setVisible(!picked.empty());
    for (const auto& [reading, button] : m_readings) {
        button->setVisible(picked.size() > 1);
        button->setToolTip(capitalized(headsName(*reading, picked, site)));
        button->setChecked(shown == *reading);
    }
}

} // namespace attn::ui
