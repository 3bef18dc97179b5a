// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/scaling/scaling_page.h"

#include "base/index.h"
#include "laboratory/scaling/scaling_text.h"
#include "state/strings.h"

#include <QSignalBlocker>

#include <algorithm>
#include <bit>
#include <utility>

namespace attn::ui {

namespace {

constexpr int mostWidth = 1024;
constexpr int mostKeys = 256;
constexpr int scoresWanted = 6400; // of a histogram

QSpinBox* numberBox(const QString& accessible, int least, int most, int value)
{
    auto* box = new QSpinBox;
    box->setAccessibleName(accessible);
    box->setRange(least, most);
    box->setValue(value);
    return box;
}

} // namespace

ScalingPage::ScalingPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(context,
                     tr("The dot product of two random vectors of width d has a standard deviation of √d. Unscaled, "
                        "the softmax saturates: one key takes everything and almost no gradient is left. Divided by "
                        "√d the scores stay as wide whatever d is."),
                     parent)
    , m_sampling(context.controller)
    , m_canvas(makeCanvas("histograms", tr("Histograms of scores and of the largest weights")))
{
    buildControls();
    buildHeadRow();
    setContent(m_canvas);
    connect(&m_sampling, &JobRunner::failed, this, [this](const UserMessage& problem) { message().show(problem); });
    connect(&jobs(), &JobRunner::busyChanged, this, &ScalingPage::tellHead);
    activateOnChanges();
    connect(&context.selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (isVisible() && (fields & (Selection::SiteField | Selection::HeadField))) {
            chooseSelected();
            readHead();
        }
    });
}

void ScalingPage::buildControls()
{
    m_powers = new QSlider(Qt::Horizontal);
    m_powers->setObjectName(QStringLiteral("widthSlider"));
    m_powers->setAccessibleName(tr("Width d in powers of two"));
    m_powers->setRange(0, std::countr_zero(static_cast<unsigned>(mostWidth)));
    m_powers->setPageStep(1);
    m_powers->setTickPosition(QSlider::TicksBelow);
    m_powers->setFixedWidth(170);
    m_width = numberBox(tr("Width d"), 1, mostWidth, 64);
    m_keys = numberBox(tr("Number of keys"), 2, mostKeys, 32);
    m_seed = numberBox(tr("Seed of the random vectors"), 1, 9999, 1);
    m_common = new QCheckBox(tr("All on one a&xis"));
    m_common->setObjectName(QStringLiteral("commonAxis"));
    m_common->setChecked(true);
    m_powers->setValue(6);
    addControl(tr("&d"), m_width, "width");
    controls().addWidget(m_powers);
    controls().addSpacing(8);
    addControl(tr("&Keys"), m_keys, "keys");
    controls().addSpacing(8);
    addControl(tr("&Seed"), m_seed, "seed");
    controls().addSpacing(8);
    controls().addWidget(m_common);
    controls().addStretch(1);
    connect(m_powers, &QSlider::valueChanged, this, [this](int power) { m_width->setValue(1 << power); });
    connect(m_width, &QSpinBox::valueChanged, this, [this](int width) {
        const QSignalBlocker quiet(m_powers);
        m_powers->setValue(static_cast<int>(std::bit_width(static_cast<unsigned>(width))) - 1);
        sample();
    });
    connect(m_keys, &QSpinBox::valueChanged, this, &ScalingPage::sample);
    connect(m_seed, &QSpinBox::valueChanged, this, &ScalingPage::sample);
    connect(m_common, &QCheckBox::toggled, this, &ScalingPage::redraw);
}

void ScalingPage::buildHeadRow()
{
    addControlRow();
    m_site = new QComboBox;
    m_site->setAccessibleName(tr("Attention of the model"));
    m_head = new QComboBox;
    m_head->setObjectName(QStringLiteral("head"));
    m_head->setAccessibleName(tr("Head of the model"));
    for (QComboBox* box : {m_site, m_head})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_note = new QLabel;
    m_note->setObjectName(QStringLiteral("headNote"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    addControl(tr("&Model's head"), m_site, "site");
    controls().addWidget(m_head);
    controls().addSpacing(8);
    controls().addWidget(m_note, 1);
    connect(m_site, &QComboBox::currentIndexChanged, this, [this] {
        listHeads();
        readHead();
    });
    connect(m_head, &QComboBox::currentIndexChanged, this, &ScalingPage::readHead);
}

void ScalingPage::activate()
{
    if (!m_sample)
        sample();
    listSites();
    readHead();
    redraw();
}

ScoreExperiment ScalingPage::experiment() const
{
    const int keys = m_keys->value();
    return {m_width->value(), keys, std::clamp(scoresWanted / keys, 1, 400),
            static_cast<std::uint64_t>(m_seed->value())};
}

void ScalingPage::sample()
{
    carryOut(m_sampling, SamplingExperiment(experiment()), [this](std::shared_ptr<const SamplingExperiment> sample) {
        m_sample = std::move(sample);
        const ScoreExperiment& shown = m_sample->settings();
        say(sampleSentence(shown.width, shown.keys, m_sample->numbers()[0], m_sample->numbers()[1]));
        redraw();
    });
}

void ScalingPage::listSites()
{
    const auto& model = context().study.model();
    const std::vector<Site> sites = model ? model->info.sites() : std::vector<Site>();
    const auto kind = model ? model->info.kind : ModelKind::EncoderDecoder;
    QStringList names;
    for (const Site& entry : sites)
        names << tr("%1, layer %2").arg(stageName(entry.stage, kind)).arg(entry.layer);
    QStringList listed;
    for (int i = 0; i < m_site->count(); ++i)
        listed << m_site->itemText(i);
    if (names != listed) {
        const QSignalBlocker quiet(m_site);
        m_site->clear();
        for (Index i = 0; i < indexSize(sites); ++i)
            m_site->addItem(names[i], QVariant::fromValue(i));
        chooseSelected();
    }
    m_site->setEnabled(!sites.empty());
    listHeads();
}

std::optional<Site> ScalingPage::site() const
{
    const auto& model = context().study.model();
    const std::vector<Site> sites = model ? model->info.sites() : std::vector<Site>();
    const int index = m_site->currentIndex();
    if (index < 0 || static_cast<std::size_t>(index) >= sites.size())
        return std::nullopt;
    return sites[index];
}

void ScalingPage::chooseSelected()
{
    const auto& model = context().study.model();
    if (!model)
        return;
    const std::vector<Site> sites = model->info.sites();
    const auto found = std::ranges::find(sites, context().selection.site());
    const QSignalBlocker quietSite(m_site);
    if (found != sites.end())
        m_site->setCurrentIndex(static_cast<int>(found - sites.begin()));
    listHeads();
    const QSignalBlocker quietHead(m_head);
    const HeadChoice chosen = context().selection.head();
    if (const int* head = std::get_if<int>(&chosen); head != nullptr && *head < m_head->count())
        m_head->setCurrentIndex(*head);
}

void ScalingPage::listHeads()
{
    const auto chosen = site();
    const int heads = chosen ? context().study.model()->info.heads(*chosen) : 0;
    const QSignalBlocker quiet(m_head);
    while (m_head->count() > heads)
        m_head->removeItem(m_head->count() - 1);
    while (m_head->count() < heads)
        m_head->addItem(headName(HeadChoice(m_head->count())));
    m_head->setEnabled(heads > 1);
}

void ScalingPage::readHead()
{
    const auto chosen = site();
    const QString model = context().model();
    const int head = m_head->currentIndex();
    if (model.isEmpty() || !chosen || head < 0) {
        jobs().cancel();
        m_read.reset();
        tellHead();
        redraw();
        return;
    }
    const Question question = context().question();
    if (question != m_asked) {
        m_sentence.reset();
        m_read.reset();
    }
    const bool known = m_sentence && m_sentence->scoring.contains(*chosen);
    if (known && m_read && m_read->scores().site == *chosen && m_read->scores().head == head && !jobs().busy())
        return;
    m_asked = question;
    carryOut(jobs(), HeadScoresExperiment(question, *chosen, head, m_sentence),
             [this](std::shared_ptr<const HeadScoresExperiment> read) {
                 m_read = std::move(read);
                 m_sentence = m_read->sentence();
                 tellHead();
                 redraw();
             });
}

void ScalingPage::tellHead()
{
    if (context().model().isEmpty())
        m_note->setText(tr("Open a model to see the scores of its own heads here; an archive holds none."));
    else if (m_site->count() == 0)
        m_note->setText(tr("This model has no attention, so there are no scores to compare with."));
    else
        m_note->setText(m_read ? headSentence(m_read->scores()) : QString());
}

std::optional<std::pair<double, double>> ScalingPage::commonRange() const
{
    if (!m_common->isChecked())
        return std::nullopt;
    std::vector<const ScoreNumbers*> shown;
    if (m_sample) {
        for (const ScoreNumbers& numbers : m_sample->numbers())
            shown.push_back(&numbers);
    }
    if (m_read) {
        shown.push_back(&m_read->scores().own);
        if (m_read->scores().other)
            shown.push_back(&*m_read->scores().other);
    }
    return scoreRange(shown);
}

std::vector<HistogramContent> ScalingPage::randomContents(bool weights) const
{
    std::vector<HistogramContent> result;
    for (std::size_t i = 0; m_sample && i < SamplingExperiment::kinds.size(); ++i) {
        const Compatibility kind = SamplingExperiment::kinds.at(i);
        const ScoreNumbers& numbers = m_sample->numbers().at(i);
        const int width = m_sample->settings().width;
        result.push_back(
            weights ? weightContent(sampleTitle(kind, width), numbers)
                    : scoreContent(sampleTitle(kind, width), numbers, commonRange(), expectedDeviation(kind, width)));
    }
    return result;
}

std::vector<HistogramContent> ScalingPage::headContents(bool weights) const
{
    if (!m_read) {
        HistogramContent empty;
        empty.title = {tr("The model's head"), {}};
        empty.empty = context().model().isEmpty() ? tr("No model is open.")
            : m_site->count() == 0                ? tr("The model has no attention.")
            : busy()                              ? tr("Reading the sentence…")
                                                  : tr("There are no scores.");
        return {empty};
    }
    std::vector<HistogramContent> result;
    const HeadScores& head = m_read->scores();
    const auto add = [&](bool other, const ScoreNumbers& numbers) {
        const FigureTitle title = headTitle(head, other);
        HistogramContent content =
            weights ? weightContent(title, numbers) : scoreContent(title, numbers, commonRange(), std::nullopt);
        content.measured = true;
        result.push_back(std::move(content));
    };
    add(false, head.own);
    if (head.other)
        add(true, *head.other);
    return result;
}

std::vector<HistogramContent> ScalingPage::contents() const
{
    std::vector<HistogramContent> all;
    for (const bool weights : {false, true}) {
        std::ranges::move(randomContents(weights), std::back_inserter(all));
        std::ranges::move(headContents(weights), std::back_inserter(all));
    }
    return all;
}

void ScalingPage::redraw()
{
    m_canvas->setFigure(
        [shown = contents(), spec = look()](QSizeF size) { return histogramPanels(spec, shown, size); });
}

std::optional<Exportable> ScalingPage::exportable() const
{
    if (!m_sample)
        return std::nullopt;
    const auto shown = contents();
    const FigureSpec spec = look();
    return Exportable{title(),
                      spec.theme,
                      [shown, spec](QSizeF size) { return histogramPanels(spec, shown, size); },
                      [shown] { return histogramCsv(shown); },
                      {}};
}

} // namespace attn::ui
