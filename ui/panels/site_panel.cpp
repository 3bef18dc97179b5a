// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/site_panel.h"

#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_map.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"
#include "panels/model_picker.h"
#include "state/selection.h"
#include "state/strings.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QStandardItemModel>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace attn::ui {

namespace {

constexpr int mostSteps = 4096; // of integrated gradients
constexpr std::chrono::milliseconds progressDelay{300}; // what comes sooner need not be announced

// Whether the reading is chosen in the list of heads.
bool isOfHeads(const Reading& reading)
{
    return reading.of == ReadingOf::OneHead || reading.of == ReadingOf::Heads;
}

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
    m_form->setVerticalSpacing(2); // useful in a small window
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
    m_head->setPlaceholderText(QStringLiteral("\u2014")); // of readings that have none
    m_reading =
        addPicker("readingPicker", tr("Read&ing"), [this](const QVariant& id) { chooseReading(id.toString()); });
    addReadings();
    addAbout();
    addOptions();
    addProgress();
    m_pair = addPicker("pairPicker", tr("Se&ntences"), [this](const QVariant& pair) {
        m_appearance.choose([&](FigureChoices& choices) { choices.pair = static_cast<PairFilter>(pair.toInt()); });
    });
    m_pair->setToolTip(tr("Of a sentence pair: from the words of which sentence to the words of which"));
    for (const PairRow& row : pairRows)
        addChoice(*m_pair, row.title);
    m_specials = addPicker("specialsPicker", tr("Spe&cial tokens"), [this](const QVariant& specials) {
        m_appearance.choose(
            [&](FigureChoices& choices) { choices.specials = static_cast<SpecialTokens>(specials.toInt()); });
    });
    m_specials->setToolTip(tr("Start, end, separator and language tokens among rows and columns"));
    for (const SpecialsRow& row : specialsRows)
        addChoice(*m_specials, row.title);
    m_colorMap = addPicker("colorMapPicker", tr("Colo&urs"), [this](const QVariant& map) {
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
        if (!m_study.model())
            fill();
        refreshReadings();
        showAbout();
    });
    connect(&m_study, &Study::readingsChanged, this, [this] {
        refreshReadings();
        showAbout();
    });
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & (Selection::SiteField | Selection::HeadField))
            fill();
        if (fields & Selection::AboutField)
            showAbout();
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
    auto* picker = new ElidedComboBox;
    picker->setObjectName(QLatin1String(name));
    picker->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // names of heads may be long
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

// Token that is explained, whether of every output token, and against which other one.
void SitePanel::addAbout()
{
    m_about = new QWidget;
    auto* row = new QHBoxLayout(m_about);
    row->setContentsMargins(0, 0, 0, 0);
    m_explained = plainLabel();
    m_explained->setObjectName(QStringLiteral("explainedToken"));
    // Not wrapped: of rows that come and go, one that is as high as it is narrow has Qt 6.4 hide another.
    m_explained->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_all = new QToolButton;
    m_all->setObjectName(QStringLiteral("explainAll"));
    m_all->setText(tr("All words"));
    m_all->setCheckable(true);
    m_all->setToolTip(tr("Explain every output token: one row each"));
    m_alone = new QToolButton;
    m_alone->setObjectName(QStringLiteral("explainAlone"));
    m_alone->setText(QStringLiteral("\u00D7"));
    m_alone->setAutoRaise(true);
    m_alone->setToolTip(tr("Explain the token itself, not its difference from the other one"));
    m_alone->setAccessibleName(m_alone->toolTip());
    row->addWidget(m_explained, 1);
    row->addWidget(m_alone);
    row->addWidget(m_all);
    m_form->addRow(tr("Explained"), m_about);
    m_others = plainLabel();
    m_others->setObjectName(QStringLiteral("explainOthers"));
    m_others->setText(tr("Grey rows: %1 computes them").arg(m_all->text()));
    m_others->setToolTip(tr("One output token is explained at a time, which is quicker"));
    m_others->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_form->addRow(m_others);
    connect(m_all, &QToolButton::clicked, this, [this](bool all) {
        ReadingAbout about = m_selection.about();
        about.all = all;
        m_selection.setAbout(about);
    });
    connect(m_alone, &QToolButton::clicked, this, [this] {
        ReadingAbout about = m_selection.about();
        about.against.reset();
        m_selection.setAbout(about);
    });
}

void SitePanel::addOptions()
{
    m_steps = new QSpinBox;
    m_steps->setObjectName(QStringLiteral("readingSteps"));
    m_steps->setRange(0, mostSteps);
    m_steps->setSingleStep(32);
    m_steps->setKeyboardTracking(false);
    m_steps->setSpecialValueText(tr("as many as needed"));
    m_steps->setToolTip(tr("Steps of the path from the baseline to the text"));
    m_form->addRow(tr("Steps"), m_steps);
    m_baseline = addPicker("baselinePicker", tr("Baseline"), [this](const QVariant&) { tellOptions(); });
    m_baseline->setToolTip(
        plainTip(tr("Begin of the path, which stands for no text: zero embeddings, or the same token in every place")));
    m_hides = new QCheckBox(tr("&Hide erased tokens"));
    m_hides->setObjectName(QStringLiteral("eraseHides"));
    m_hides->setToolTip(tr("Erased tokens are hidden from attention, not replaced by another token"));
    m_form->addRow(m_hides);
    connect(m_steps, &QSpinBox::valueChanged, this, &SitePanel::tellOptions);
    connect(m_hides, &QCheckBox::toggled, this, &SitePanel::tellOptions);
    fillBaselines();
}

void SitePanel::tellOptions()
{
    Q_EMIT optionsChosen(m_steps->value(), m_hides->isChecked(), m_baseline->currentData().toString());
}

// The chosen one stays where the model has it.
void SitePanel::fillBaselines()
{
    const QVariant chosen = m_baseline->currentData();
    m_baseline->clear();
    m_baseline->addItem(tr("zero embeddings"), QString());
    if (const auto& model = m_study.model()) {
        QStringList ids; // some have several names
        for (const QString& token : model->info.input == InputKind::Text ? model->specialTokens : QStringList()) {
            const QString id = token.section(QLatin1Char(' '), 1, 1);
            const QString spelled = token.section(QLatin1Char(' '), 2);
            if (!ids.contains(id))
                m_baseline->addItem(tr("token %1").arg(spelled.isEmpty() ? QLatin1Char('#') + id : spelled),
                                    token.section(QLatin1Char(' '), 0, 0));
            ids << id;
        }
    }
    m_baseline->setCurrentIndex(std::max(0, m_baseline->findData(chosen)));
    if (m_baseline->currentData() != chosen)
        tellOptions();
}

bool SitePanel::hasNotSettled(const Reading& reading) const
{
    const auto& kept = m_study.trace().readings();
    const bool integrates = reading.computed && std::string_view(reading.computed->array) == "integrated_gradients";
    const ReadArray* const array =
        kept && integrates ? kept->find("source_integrated_gradients", m_selection.about()) : nullptr;
    return array != nullptr && array->completeness && !array->completeness->settled();
}

// Hiding is offered where nothing can be put in, too: there it is what makes the reading possible.
void SitePanel::showOptions()
{
    const auto& computed = m_selection.head().reading().computed;
    const auto& kept = m_study.trace().readings();
    const bool erases = computed && std::string_view(computed->method) == "erasure";
    const bool integrates = computed && std::string_view(computed->array) == "integrated_gradients";
    m_form->setRowVisible(m_steps, integrates);
    m_form->setRowVisible(m_baseline, integrates && m_baseline->count() > 1);
    m_form->setRowVisible(m_hides, erases || (m_study.model() && kept && kept->lacks.contains("erasure")));
}

void SitePanel::addProgress()
{
    m_computing = new QWidget;
    auto* row = new QHBoxLayout(m_computing);
    row->setContentsMargins(0, 0, 0, 0);
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("readingProgress"));
    m_progress->setTextVisible(false);
    auto* cancel = new QToolButton;
    cancel->setObjectName(QStringLiteral("cancelReading"));
    cancel->setText(tr("Cancel"));
    row->addWidget(m_progress, 1);
    row->addWidget(cancel);
    m_form->addRow(m_computing);
    connect(cancel, &QToolButton::clicked, this, &SitePanel::cancelRequested);
    m_later.setSingleShot(true);
    m_later.setInterval(progressDelay);
    connect(&m_later, &QTimer::timeout, this, [this] { m_form->setRowVisible(m_computing, true); });
    m_form->setRowVisible(m_computing, false);
}

void SitePanel::setComputing(bool computing)
{
    if (computing)
        return m_later.start();
    m_later.stop();
    m_form->setRowVisible(m_computing, false);
}

void SitePanel::setProgress(const QString& what, double fraction)
{
    constexpr int parts = 1000;
    m_progress->setRange(0, fraction < 0 ? 0 : parts);
    m_progress->setValue(static_cast<int>(fraction * parts));
    m_progress->setToolTip(tr("Computing %1").arg(what));
    m_progress->setAccessibleName(m_progress->toolTip());
}

void SitePanel::explainAgainst(int id)
{
    ReadingAbout about = m_selection.about();
    about.against = id;
    m_selection.setAbout(about);
    if (explainsOutput(m_selection.head().reading()))
        return;
    const auto fits = [this](const Reading* reading) {
        const char* const lack = lackOf(*reading);
        return reading->of == ReadingOf::Tokens && reading->values == ReadingValues::Signed
            && (lack == nullptr || lack == notComputed);
    };
    const auto reading = std::ranges::find_if(readings(), fits);
    if (reading != readings().end())
        chooseReading(text((*reading)->id));
}

// Heads that were looked at come back after a reading that has none.
void SitePanel::chooseReading(const QString& id)
{
    const HeadReading now = m_selection.head();
    if (isOfHeads(now.reading()))
        m_weights = now;
    const auto row = std::ranges::find_if(readings(), [&](const Reading* reading) { return id == text(reading->id); });
    pickNone(m_appearance);
    if (row == readings().end())
        m_selection.setHead(now.head() ? HeadReading(*now.head()) : m_weights);
    else
        m_selection.setHead({**row, now.head()});
    fitSelection();
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
    fillBaselines();
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
    if (head.reading().of == ReadingOf::Tokens && keptArray(head.reading(), m_study.trace(), site).empty()
        && m_study.model() && m_study.trace().heads(m_study.model()->info.bestSite) > 0)
        site = m_study.model()->info.bestSite;
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
    fillHeads();
    refreshReadings();
    if (m_stage->count() == 0)
        m_stage->addItem(m_study.opened().isEmpty() ? tr("None yet") : tr("None: this model has no attention"));
    m_stage->setEnabled(m_stage->count() > 1);
    const Reading& reading = m_selection.head().reading();
    // Lists with nothing to choose are not there; what a model lacks is said.
    m_form->setRowVisible(m_stage, m_stage->count() > 1 || sites().empty());
    m_form->setRowVisible(m_layer, m_layer->count() > 1 && reading.of != ReadingOf::Tokens);
    m_form->setRowVisible(m_head, m_head->count() > 1 && (isOfHeads(reading) || reading.of == ReadingOf::EachHead));
    showSelection();
    showAbout();
}

void SitePanel::fillHeads()
{
    const Site selected = m_selection.site();
    const int count = heads(selected);
    const auto addHead = [this](const HeadReading& head) { m_head->addItem(headTitle(head), text(headText(head))); };
    const auto picked = m_appearance.choices().heads.existing(m_study.trace(), selected);
    for (const Reading* reading : readings()) {
        if (picked.size() > 1 && reading->of == ReadingOf::Heads)
            m_head->addItem(capitalized(headsName(*reading, picked, selected)), QString(ofPicked + text(reading->id)));
    }
    const HeadReading now = m_selection.head();
    if (now.reading().of == ReadingOf::EachHead) {
        m_head->addItem(tr("All heads together"), text(now.reading().id));
        for (int head = 0; head < count; ++head)
            m_head->addItem(headTitle(head), text(headText(now.ofHead(head))));
        return;
    }
    for (const Reading* reading : readings()) {
        if (reading->of == ReadingOf::Heads && count > 1)
            addHead(*reading);
    }
    for (int head = 0; head < count; ++head)
        addHead(head);
}

// Once; what the run has not is greyed later, and says why.
void SitePanel::addReadings()
{
    m_reading->addItem(tr("Attention weights"), QString());
    m_reading->setItemData(0,
                           plainTip(tr("How much of each token's value a head takes, as the model computes it. Large "
                                       "weights need not matter for the output.")),
                           Qt::ToolTipRole);
    for (const Reading* reading : readings()) {
        if (!isOfHeads(*reading))
            m_reading->addItem(translated(reading->name), text(reading->id));
    }
}

void SitePanel::refreshReadings()
{
    auto& items = *qobject_cast<QStandardItemModel*>(m_reading->model());
    for (const Reading* reading : readings()) {
        const int index = isOfHeads(*reading) ? -1 : m_reading->findData(text(reading->id));
        if (index < 0)
            continue;
        const char* const lack = lackOf(*reading);
        const bool maySettle = m_study.model() && hasNotSettled(*reading); // with other options
        const bool needsModel = lack == notComputed && !m_study.model();
        const bool lacks = lack != nullptr && !maySettle && (lack != notComputed || needsModel);
        QStringList tip{tr("%1 (%2)").arg(translated(reading->meaning), QLatin1String(reading->paper))};
        if (lacks)
            tip.prepend(needsModel ? tr("Not in this archive: the model computes it, and is not open.")
                                   : tr("Not here: %1.").arg(translated(lack)));
        items.item(index)->setToolTip(plainTip(tip.join(QStringLiteral("\n\n"))));
        items.item(index)->setEnabled(!lacks);
    }
    m_reading->setEnabled(m_study.opened().isEmpty() || !sites().empty());
    showReading();
}

const char* SitePanel::lackOf(const Reading& reading) const
{
    const Trace& trace = m_study.trace();
    const ReadingAbout about = m_study.model() ? m_selection.about() : heldAbout(trace, reading, m_selection.about());
    return reading.lack(readingInput(trace, {m_selection.site(), {reading, {}, about}}));
}

void SitePanel::showReading()
{
    const Reading& reading = m_selection.head().reading();
    const int index = m_reading->findData(isOfHeads(reading) ? QString() : text(reading.id));
    m_reading->setCurrentIndex(std::max(index, 0));
    m_reading->setToolTip(m_reading->isEnabled()
                              ? m_reading->itemData(m_reading->currentIndex(), Qt::ToolTipRole).toString()
                              : tr("Not here: %1.").arg(tr("this model has no attention")));
}

void SitePanel::showAbout()
{
    const Reading& reading = m_selection.head().reading();
    const ReadingAbout& about = m_selection.about();
    showOptions();
    m_form->setRowVisible(m_about, explainsOutput(reading));
    const bool maySeeAll = reading.of == ReadingOf::Tokens && m_study.trace().steps() > 1;
    m_form->setRowVisible(m_others, explainsOutput(reading) && maySeeAll && !about.all && m_study.model());
    if (!explainsOutput(reading))
        return;
    FigureSpec spec;
    spec.head = m_selection.head().withAbout(about);
    m_explained->setText(explainedName(spec, m_study.trace()));
    m_explained->setToolTip(
        plainTip(m_explained->text() + QStringLiteral("\n\n")
                 + tr("Click an output token to choose it; a right click on another candidate compares the two")));
    m_all->setVisible(maySeeAll);
    m_all->setChecked(about.all);
    m_alone->setVisible(about.against.has_value());
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
    showReading();
    m_words->setChecked(choices.words);
    m_specials->setCurrentIndex(static_cast<int>(choices.specials));
    m_pair->setCurrentIndex(static_cast<int>(choices.pair));
    m_colorMap->setCurrentIndex(static_cast<int>(choices.colorMap));
}

} // namespace attn::ui
