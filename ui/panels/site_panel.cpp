// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/site_panel.h"

#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_map.h"
#include "figures/look/token_label.h"
#include "figures/look/translated.h"
#include "state/picked_heads.h"
#include "state/strings.h"

#include <QFormLayout>

#include <algorithm>
#include <string>
#include <utility>

namespace attn::ui {

namespace {

const QString ofPicked = QStringLiteral("picked:"); // before what is a summary of the picked heads

void addChoice(QComboBox& picker, const char* title)
{
    picker.addItem(translated(title), picker.count());
}

} // namespace

SitePanel::SitePanel(Study& study, Selection& selection, Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_selection(selection)
    , m_appearance(appearance)
    , m_words(new QCheckBox(mergeWordsText()))
    , m_form(new QFormLayout(this))
{
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_stage = addPicker("stagePicker", tr("&Attention"), [this](const QVariant& stage) {
        Site site{static_cast<Stage>(stage.toInt()), m_selection.site().layer};
        while (site.layer > 0 && heads(site) == 0)
            --site.layer;
        pickNone(m_appearance);
        m_selection.setSite(site);
        fitSelection();
    });
    m_layer = addPicker("layerPicker", tr("La&yer"), [this](const QVariant& layer) {
        m_appearance.choose([](FigureChoices& choices) {
            if (!choices.heads.elsewhere.empty()) // else the same heads of another layer
                choices.heads = {};
        });
        m_selection.setSite({m_selection.site().stage, layer.toInt()});
    });
    m_head = addPicker("headPicker", tr("H&ead"), [this](const QVariant& head) {
        const QString chosen = head.toString();
        if (!chosen.startsWith(ofPicked))
            pickNone(m_appearance);
        m_selection.setHead(parseHead(chosen.section(ofPicked, -1).toStdString(), "head"));
    });
    m_head->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // the names of many heads are long
    m_pair = addPicker("pairPicker", tr("Se&ntences"), [this](const QVariant& pair) {
        m_appearance.choose([&](FigureChoices& choices) { choices.pair = static_cast<PairFilter>(pair.toInt()); });
    });
    m_pair->setToolTip(tr("Of a sentence pair: from the words of which sentence to the words of which"));
    for (const PairRow& row : pairRows)
        addChoice(*m_pair, row.title);
    m_specials = addPicker("specialsPicker", tr("Spec&ial tokens"), [this](const QVariant& specials) {
        m_appearance.choose(
            [&](FigureChoices& choices) { choices.specials = static_cast<SpecialTokens>(specials.toInt()); });
    });
    m_specials->setToolTip(tr("Start, end, separator and language tokens among rows and columns"));
    for (const SpecialsRow& row : specialsRows)
        addChoice(*m_specials, row.title);
    m_colorMap = addPicker("colorMapPicker", tr("&Colours"), [this](const QVariant& map) {
        m_appearance.choose([&](FigureChoices& choices) { choices.colorMap = static_cast<ColorMapName>(map.toInt()); });
    });
    for (const ColorMapRow& row : colorMaps())
        addChoice(*m_colorMap, row.title);
    m_words->setObjectName(QStringLiteral("wordsToggle"));
    m_form->addRow(m_words);
    connect(m_words, &QCheckBox::toggled, &m_appearance, &Appearance::setWords);
    connect(&m_study, &Study::modelChanged, this, &SitePanel::modelChanged);
    connect(&m_study, &Study::traceChanged, this, [this] {
        showPair();
        if (!m_study.model())
            fitSelection();
        if (!m_study.model() || m_offered != offered())
            fill();
    });
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & (Selection::SiteField | Selection::HeadField))
            fill();
    });
    connect(&m_appearance, &Appearance::changed, this, [this] {
        showPicked();
        showSelection();
    });
    showPair();
    fill();
}

// `choose` is given the data of what the user chooses.
QComboBox* SitePanel::addPicker(const char* name, const QString& label, std::function<void(const QVariant&)> choose)
{
    auto* picker = new QComboBox;
    picker->setObjectName(QLatin1String(name));
    m_form->addRow(label, picker);
    connect(picker, &QComboBox::activated, this,
            [picker, choose = std::move(choose)] { choose(picker->currentData()); });
    return picker;
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

std::vector<const Reading*> SitePanel::offered() const
{
    return offeredReadings(m_study.trace(), m_selection.site(), heads(m_selection.site()));
}

void SitePanel::showPicked()
{
    const FigureChoices& choices = m_appearance.choices();
    if (std::exchange(m_picked, choices.heads) != m_picked)
        fill();
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
    if (known)
        pickNone(m_appearance);
    if (other && m_places.contains(path))
        m_selection.setSiteAndHead(m_places[path].site, m_places[path].head);
    else if (other && model)
        m_selection.setSiteAndHead(model->info.bestSite, meanOfHeads);
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
    HeadReading head = m_selection.head();
    const int count = heads(site);
    if (head.head().value_or(0) >= count)
        head = meanOfHeads;
    if (count == 1 && head.reading().of == ReadingOf::Heads)
        head = 0;
    m_selection.setSiteAndHead(site, head);
}

void SitePanel::fill()
{
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
    const auto addHead = [this](const HeadReading& head) { m_head->addItem(headTitle(head), text(headText(head))); };
    const auto picked = m_appearance.choices().heads.existing(m_study.trace(), selected);
    for (const Reading* reading : readings()) {
        if (picked.size() > 1 && reading->of == ReadingOf::Heads)
            m_head->addItem(capitalized(headsName(*reading, picked, selected)), QString(ofPicked + text(reading->id)));
    }
    m_offered = offered();
    for (const Reading* reading : m_offered)
        addHead(*reading);
    for (int head = 0; head < count; ++head)
        addHead(head);
    if (m_stage->count() == 0)
        m_stage->addItem(m_study.opened().isEmpty() ? tr("None yet") : tr("None: this model has no attention"));
    m_stage->setEnabled(m_stage->count() > 1);
    m_layer->setEnabled(m_layer->count() > 1);
    m_head->setEnabled(m_head->count() > 1);
    for (QComboBox* list : {m_layer, m_head}) // an empty list says nothing
        m_form->setRowVisible(list, list->count() > 0);
    showSelection();
}

void SitePanel::showSelection()
{
    if (const int index = m_stage->findData(static_cast<int>(m_selection.site().stage)); index >= 0)
        m_stage->setCurrentIndex(index);
    m_layer->setCurrentIndex(m_layer->findData(m_selection.site().layer));
    const FigureChoices& choices = m_appearance.choices();
    const QString head = text(headText(m_selection.head()));
    const int together = m_head->findData(QString(ofPicked + head));
    m_head->setCurrentIndex(together < 0 ? m_head->findData(head) : together);
    m_words->setChecked(choices.words);
    m_specials->setCurrentIndex(static_cast<int>(choices.specials));
    m_pair->setCurrentIndex(static_cast<int>(choices.pair));
    m_colorMap->setCurrentIndex(static_cast<int>(choices.colorMap));
}

} // namespace attn::ui
