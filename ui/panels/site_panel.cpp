// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/site_panel.h"

#include "figures/look/color_map.h"
#include "state/strings.h"

#include <QCoreApplication>
#include <QFormLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr int meanData = -1;
constexpr int maxData = -2;

int toData(HeadChoice head)
{
    if (const int* one = std::get_if<int>(&head))
        return *one;
    return std::get<HeadSummary>(head) == HeadSummary::Mean ? meanData : maxData;
}

HeadChoice fromData(int data)
{
    if (data >= 0)
        return data;
    return data == meanData ? HeadSummary::Mean : HeadSummary::Max;
}

template<class Value>
struct Named
{
    Value value;
    const char* label;
};
constexpr Named<SpecialTokens> specialChoices[] = {
    {SpecialTokens::Shown, QT_TRANSLATE_NOOP("attn::ui", "Shown")},
    {SpecialTokens::Hidden, QT_TRANSLATE_NOOP("attn::ui", "Hidden")},
    {SpecialTokens::HiddenRenormalized, QT_TRANSLATE_NOOP("attn::ui", "Hidden, rows renormalised")}};
constexpr Named<PairFilter> pairChoices[] = {{PairFilter::All, QT_TRANSLATE_NOOP("attn::ui", "Both, A and B")},
                                             {PairFilter::AToA, QT_TRANSLATE_NOOP("attn::ui", "A \u2192 A")},
                                             {PairFilter::AToB, QT_TRANSLATE_NOOP("attn::ui", "A \u2192 B")},
                                             {PairFilter::BToA, QT_TRANSLATE_NOOP("attn::ui", "B \u2192 A")},
                                             {PairFilter::BToB, QT_TRANSLATE_NOOP("attn::ui", "B \u2192 B")}};

} // namespace

SitePanel::SitePanel(Study& study, Selection& selection, Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_selection(selection)
    , m_appearance(appearance)
    , m_stage(new QComboBox)
    , m_layer(new QComboBox)
    , m_head(new QComboBox)
    , m_words(new QCheckBox(tr("Merge subwords into &words")))
    , m_specials(new QComboBox)
    , m_pair(new QComboBox)
    , m_colorMap(new QComboBox)
    , m_form(new QFormLayout(this))
{
    m_stage->setObjectName(QStringLiteral("stagePicker"));
    m_layer->setObjectName(QStringLiteral("layerPicker"));
    m_head->setObjectName(QStringLiteral("headPicker"));
    m_words->setObjectName(QStringLiteral("wordsToggle"));
    m_colorMap->setObjectName(QStringLiteral("colorMapPicker"));
    for (const ColorMapRow& row : colorMaps())
        m_colorMap->addItem(QCoreApplication::translate("attn::ui", row.title), m_colorMap->count());
    m_specials->setObjectName(QStringLiteral("specialsPicker"));
    m_specials->setToolTip(tr("Start, end, separator and language tokens among rows and columns"));
    for (const auto& [value, label] : specialChoices)
        m_specials->addItem(QCoreApplication::translate("attn::ui", label), static_cast<int>(value));
    m_pair->setObjectName(QStringLiteral("pairPicker"));
    m_pair->setToolTip(tr("Of a sentence pair: from the words of which sentence to the words of which"));
    for (const auto& [value, label] : pairChoices)
        m_pair->addItem(QCoreApplication::translate("attn::ui", label), static_cast<int>(value));
    QFormLayout* layout = m_form;
    layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    layout->addRow(tr("&Attention"), m_stage);
    layout->addRow(tr("La&yer"), m_layer);
    layout->addRow(tr("H&ead"), m_head);
    layout->addRow(tr("Se&ntences"), m_pair);
    layout->addRow(tr("Spec&ial tokens"), m_specials);
    layout->addRow(tr("&Colours"), m_colorMap);
    layout->addRow(m_words);
    connect(m_stage, &QComboBox::activated, this, [this] {
        Site site{static_cast<Stage>(m_stage->currentData().toInt()), m_selection.site().layer};
        while (site.layer > 0 && heads(site) == 0)
            --site.layer;
        m_selection.setSite(site);
        fitSelection();
    });
    connect(m_layer, &QComboBox::activated, this, [this] {
        m_selection.setSite({m_selection.site().stage, m_layer->currentData().toInt()});
    });
    connect(m_head, &QComboBox::activated, this,
            [this] { m_selection.setHead(fromData(m_head->currentData().toInt())); });
    connect(m_words, &QCheckBox::toggled, &m_appearance, &Appearance::setWords);
    connect(m_specials, &QComboBox::activated, this,
            [this] { m_appearance.setSpecials(static_cast<SpecialTokens>(m_specials->currentData().toInt())); });
    connect(m_pair, &QComboBox::activated, this,
            [this] { m_appearance.setPair(static_cast<PairFilter>(m_pair->currentData().toInt())); });
    connect(m_colorMap, &QComboBox::activated, this,
            [this] { m_appearance.setColorMap(static_cast<ColorMapName>(m_colorMap->currentData().toInt())); });
    connect(&m_study, &Study::modelChanged, this, &SitePanel::modelChanged);
    connect(&m_study, &Study::traceChanged, this, [this] {
        showPair();
        if (m_study.model())
            return;
        fitSelection();
        fill();
    });
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & (Selection::SiteField | Selection::HeadField))
            fill();
    });
    connect(&m_appearance, &Appearance::changed, this, &SitePanel::showSelection);
    showPair();
    fill();
}

void SitePanel::showPair()
{
    const auto& segments = m_study.trace().source().segments;
    m_form->setRowVisible(m_pair, std::ranges::find(segments, 1) != segments.end());
}

std::vector<Site> SitePanel::sites() const
{
    return m_study.model() ? m_study.model()->info.sites() : m_study.trace().sites();
}

int SitePanel::heads(Site site) const
{
    return m_study.model() ? m_study.model()->info.heads(site) : m_study.trace().heads(site);
}

void SitePanel::modelChanged()
{
    const auto& model = m_study.model();
    const QString path = model ? model->path : QString();
    const bool known = !m_modelPath.isEmpty() && path != m_modelPath;
    const bool other = known || m_bestFirst;
    m_bestFirst = false;
    if (known)
        m_places[m_modelPath] = {m_selection.site(), m_selection.head()};
    m_modelPath = path;
    if (other && m_places.contains(path))
        m_selection.setSiteAndHead(m_places[path].site, m_places[path].head);
    else if (other && model)
        m_selection.setSiteAndHead(model->info.bestSite, HeadSummary::Mean);
    fitSelection();
    fill();
}

void SitePanel::fitSelection()
{
    const std::vector<Site> existing = sites();
    if (existing.empty())
        return;
    Site site = m_selection.site();
    if (std::ranges::find(existing, site) == existing.end())
        site = m_study.model() ? m_study.model()->info.bestSite : firstShownSite(m_study.trace());
    HeadChoice head = m_selection.head();
    const int count = heads(site);
    const int* one = std::get_if<int>(&head);
    if (one != nullptr && *one >= count)
        head = HeadSummary::Mean;
    if (count == 1)
        head = 0;
    m_selection.setSiteAndHead(site, head);
}

void SitePanel::fill()
{
    const QSignalBlocker stageBlocker(m_stage);
    const QSignalBlocker layerBlocker(m_layer);
    const QSignalBlocker headBlocker(m_head);
    m_stage->clear();
    m_layer->clear();
    m_head->clear();
    const Site selected = m_selection.site();
    for (const Site& site : sites()) {
        const int stage = static_cast<int>(site.stage);
        if (m_stage->findData(stage) < 0)
            m_stage->addItem(stageName(site.stage, m_study.kind()), stage);
        if (site.stage == selected.stage)
            m_layer->addItem(QString::number(site.layer), site.layer);
    }
    const int count = heads(selected);
    if (count > 1) {
        m_head->addItem(headName(HeadSummary::Mean), meanData);
        m_head->addItem(headName(HeadSummary::Max), maxData);
    }
    for (int head = 0; head < count; ++head)
        m_head->addItem(headName(head), head);
    if (m_stage->count() == 0)
        m_stage->addItem(tr("None: this model has no attention"));
    m_stage->setEnabled(m_stage->count() > 1);
    m_layer->setEnabled(m_layer->count() > 1);
    m_head->setEnabled(m_head->count() > 1);
    for (QComboBox* list : {m_layer, m_head}) // an empty list says nothing
        m_form->setRowVisible(list, list->count() > 0);
    showSelection();
}

void SitePanel::showSelection()
{
    const QSignalBlocker wordsBlocker(m_words);
    if (const int index = m_stage->findData(static_cast<int>(m_selection.site().stage)); index >= 0)
        m_stage->setCurrentIndex(index);
    m_layer->setCurrentIndex(m_layer->findData(m_selection.site().layer));
    m_head->setCurrentIndex(m_head->findData(toData(m_selection.head())));
    m_words->setChecked(m_appearance.words());
    m_specials->setCurrentIndex(m_specials->findData(static_cast<int>(m_appearance.specials())));
    m_pair->setCurrentIndex(m_pair->findData(static_cast<int>(m_appearance.pair())));
    m_colorMap->setCurrentIndex(m_colorMap->findData(static_cast<int>(m_appearance.colorMap())));
}

} // namespace attn::ui
