// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/laboratory_page.h"
#include "laboratory/scaling/scaling_text.h"
#include "state/strings.h"

#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <bit>
#include <utility>

namespace attn::ui {

namespace {

constexpr int mostWidth = 1024;
constexpr int mostKeys = 256;
constexpr int scoresWanted = 6400; // of a histogram

// Histograms of random scores and of the scores of one of the model's heads, and of what their softmax makes of them.
class ScalingPage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(ScalingPage)

public:
    explicit ScalingPage(const LaboratoryContext& context)
        : LaboratoryPage(context,
                         tr("The dot product of two random vectors of width d has a standard deviation of √d. "
                            "Unscaled, the softmax saturates: one key takes everything and almost no gradient is "
                            "left. Divided by √d the scores stay as wide whatever d is."))
        , m_sampling(context.controller)
        , m_canvas(makeCanvas("histograms", tr("Histograms of scores and of the largest weights")))
    {
        addRandomControls();
        addControlRow();
        addHeadControls();
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

    void activate() override
    {
        if (!m_sample)
            sample();
        listSites();
        readHead();
        redraw();
    }

    std::optional<Exportable> exportable() const override
    {
        if (!m_sample)
            return std::nullopt;
        return shown(layout(), [all = contents()] { return histogramCsv(all); });
    }

private:
    void addRandomControls()
    {
        m_width = addNumber({"width", tr("&d"), tr("Width d")}, 1, mostWidth, 64);
        m_powers = addControl({"widthSlider", {}, tr("Width d in powers of two")}, new QSlider(Qt::Horizontal));
        m_powers->setRange(0, std::countr_zero(static_cast<unsigned>(mostWidth)));
        m_powers->setPageStep(1);
        m_powers->setTickPosition(QSlider::TicksBelow);
        m_powers->setFixedWidth(170);
        m_powers->setValue(6);
        m_keys = addNumber({"keys", tr("&Keys", "of attention"), tr("Number of keys")}, 2, mostKeys, 32);
        m_seed = addNumber({"seed", tr("&Seed"), tr("Seed of the random vectors")}, 1, 9999, 1);
        m_all = addTick({"allHistograms", tr("All &histograms")}, false);
        m_common = addTick({"commonAxis", tr("All on one a&xis")}, true);
        m_common->setEnabled(false);
        connect(m_powers, &QSlider::valueChanged, this, [this](int power) { m_width->setValue(1 << power); });
        connect(m_width, &QSpinBox::valueChanged, this, [this](int width) {
            const QSignalBlocker quiet(m_powers);
            m_powers->setValue(static_cast<int>(std::bit_width(static_cast<unsigned>(width))) - 1);
            sample();
        });
        onChange({m_keys, m_seed}, [this] { sample(); });
        onChange({m_common}, [this] { redraw(); });
        onChange({m_all}, [this] {
            m_common->setEnabled(m_all->isChecked());
            redraw();
        });
    }

    void addHeadControls()
    {
        m_site = addChoice({"site", tr("&Model's head"), tr("Attention of the model")});
        m_head = addChoice({"head", {}, tr("Head of the model")});
        m_note = plainLabel();
        m_note->setObjectName(QStringLiteral("headNote"));
        m_note->setWordWrap(true);
        notes()->layout()->addWidget(m_note); // in a line of its own
        onChange({m_site}, [this] {
            listHeads();
            readHead();
        });
        onChange({m_head}, [this] { readHead(); });
    }

    void sample()
    {
        const int keys = m_keys->value();
        const ScoreExperiment settings{m_width->value(), keys, std::clamp(scoresWanted / keys, 1, 400),
                                       static_cast<std::uint64_t>(m_seed->value())};
        carryOut(m_sampling, SamplingExperiment(settings), [this](std::shared_ptr<const SamplingExperiment> sample) {
            m_sample = std::move(sample);
            const ScoreExperiment& shown = m_sample->settings();
            say(sampleSentence(shown.width, shown.keys, m_sample->numbers()[0], m_sample->numbers()[1]));
            redraw();
        });
    }

    std::vector<Site> sites() const { return model() ? model()->info.sites() : std::vector<Site>(); }

    // Lists the sites of the model that the window has open.
    void listSites()
    {
        const std::vector<Site> listed = sites();
        QStringList names;
        for (const Site& site : listed)
            names << tr("%1, layer %2").arg(stageName(site.stage, model()->info.kind)).arg(site.layer);
        if (names != std::exchange(m_siteNames, names)) {
            const QSignalBlocker quiet(m_site);
            m_site->clear();
            m_site->addItems(names);
            chooseSelected();
        }
        m_site->setEnabled(!listed.empty());
        listHeads();
    }

    std::optional<Site> site() const
    {
        const std::vector<Site> listed = sites();
        const int index = m_site->currentIndex();
        return index >= 0 && index < std::ssize(listed) ? std::optional(listed[index]) : std::nullopt;
    }

    void chooseSelected()
    {
        const std::vector<Site> listed = sites();
        const auto found = std::ranges::find(listed, context().selection.site());
        const QSignalBlocker quietSite(m_site);
        if (found != listed.end())
            m_site->setCurrentIndex(static_cast<int>(found - listed.begin()));
        listHeads();
        const QSignalBlocker quietHead(m_head);
        if (const auto head = context().selection.head().head(); head && *head < m_head->count())
            m_head->setCurrentIndex(*head);
    }

    void listHeads()
    {
        const auto chosen = site();
        const int heads = chosen ? model()->info.heads(*chosen) : 0;
        const QSignalBlocker quiet(m_head);
        while (m_head->count() > heads)
            m_head->removeItem(m_head->count() - 1);
        while (m_head->count() < heads)
            m_head->addItem(headTitle(m_head->count()));
        m_head->setEnabled(heads > 1);
    }

    void readHead()
    {
        const auto chosen = site();
        const int head = m_head->currentIndex();
        if (!chosen || head < 0) {
            jobs().cancel();
            m_read.reset();
            tellHead();
            return redraw();
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

    void tellHead()
    {
        m_note->setText(!model() ? tr("Open a model to see the scores of its own heads here; an archive holds none.")
                            : m_site->count() == 0
                            ? tr("This model has no attention, so there are no scores to compare with.")
                            : m_read ? headSentence(m_read->scores())
                                     : QString());
    }

    std::optional<std::pair<double, double>> commonRange() const
    {
        if (!m_common->isChecked())
            return std::nullopt;
        std::vector<const ScoreNumbers*> all;
        for (std::size_t i = 0; m_sample && i < m_sample->numbers().size(); ++i)
            all.push_back(&m_sample->numbers().at(i));
        if (m_read)
            all.push_back(&m_read->scores().own);
        if (m_read && m_read->scores().other)
            all.push_back(&*m_read->scores().other);
        return scoreRange(all);
    }

    // Scores, or the largest weights; the random ones first.
    void addContents(std::vector<HistogramContent>& all, bool weights) const
    {
        const auto range = commonRange();
        const auto add = [&](const FigureTitle& title, const ScoreNumbers& numbers, bool measured,
                             std::optional<double> deviation = {}) {
            all.push_back(weights ? weightContent(title, numbers) : scoreContent(title, numbers, range, deviation));
            all.back().measured = measured;
        };
        for (std::size_t i = 0; m_sample && i < SamplingExperiment::kinds.size(); ++i) {
            const Compatibility kind = SamplingExperiment::kinds.at(i);
            const int width = m_sample->settings().width;
            add(sampleTitle(kind, width), m_sample->numbers().at(i), false, expectedDeviation(kind, width));
        }
        if (!m_read) {
            HistogramContent empty;
            empty.title = {tr("The model's head"), {}};
            empty.empty = !model()     ? tr("No model is open.")
                : m_site->count() == 0 ? tr("The model has no attention.")
                : busy()               ? tr("Reading the sentence…")
                                       : tr("There are no scores.");
            all.push_back(empty);
            return;
        }
        const HeadScores& head = m_read->scores();
        add(headTitle(head, false), head.own, true);
        if (head.other)
            add(headTitle(head, true), *head.other, true);
    }

    std::vector<HistogramContent> contents() const
    {
        std::vector<HistogramContent> all;
        addContents(all, false);
        addContents(all, true);
        return all;
    }

    // The histogram of softmax weights of unscaled scores, large, until all are asked for.
    std::vector<HistogramContent> seen() const
    {
        if (m_all->isChecked() || !m_sample)
            return contents();
        const ScoreExperiment& settings = m_sample->settings();
        HistogramContent large =
            weightContent(sampleTitle(SamplingExperiment::kinds.front(), settings.width), m_sample->numbers().front());
        large.title = {
            tr("What the best of %1 keys gets: the largest weight of softmax(q · k), not divided").arg(settings.keys),
            tr("random vectors, d = %1").arg(settings.width)};
        return {large};
    }

    FigureLayout layout() const
    {
        return [all = seen(), spec = look()](QSizeF size) { return histogramPanels(spec, all, size); };
    }

    void redraw() override { m_canvas->setFigure(layout()); }

    JobRunner m_sampling;
    QSlider* m_powers = nullptr; // of two
    QSpinBox* m_width = nullptr;
    QSpinBox* m_keys = nullptr;
    QSpinBox* m_seed = nullptr;
    QCheckBox* m_all = nullptr;
    QCheckBox* m_common = nullptr;
    QComboBox* m_site = nullptr;
    QComboBox* m_head = nullptr;
    QLabel* m_note = nullptr;
    FigureCanvas* m_canvas = nullptr;
    QStringList m_siteNames; // as they are listed
    std::shared_ptr<const SamplingExperiment> m_sample;
    std::optional<Question> m_asked; // what m_sentence is of
    std::shared_ptr<const ScoredSentence> m_sentence;
    std::shared_ptr<const HeadScoresExperiment> m_read; // of a head
};

} // namespace

LaboratoryPage* makeScalingPage(const LaboratoryContext& context)
{
    return new ScalingPage(context);
}

} // namespace attn::ui
