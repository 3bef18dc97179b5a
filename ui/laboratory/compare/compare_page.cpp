// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "base/progress.h"
#include "dumps/attention_file.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "laboratory/compare/comparison_figure.h"
#include "laboratory/laboratory_page.h"
#include "panels/model_picker.h"
#include "panels/text_line.h"
#include "run/latest_request.h"
#include "run/user_message.h"
#include "state/strings.h"

#include <QFileInfo>
#include <QPoint>
#include <QScrollArea>
#include <QThreadPool>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace attn::ui {

namespace {

constexpr std::size_t costOfFrame = 300'000; // numbers that are gone through within a frame

// As far as it has come, with names for rows that are no words.
std::shared_ptr<const Comparison> comparisonNow(const ComparisonExperiment& experiment)
{
    Comparison comparison = comparisonOf(experiment.runs());
    for (ComparedMap& map : comparison.maps) {
        for (int row = 0; map.rows != AttentionAxis::Tokens && row < indexSize(map.words); ++row) {
            std::string& word = map.words[static_cast<std::size_t>(row)];
            word = placeName(map.rows, row, word);
        }
    }
    return std::make_shared<const Comparison>(std::move(comparison));
}

// Picture that is to be drawn.
struct WantedPicture
{
    std::shared_ptr<const Comparison> comparison;
    std::optional<QPoint> pair; // of maps, whose difference it is; none: side by side
    NotRun others = NotRun::Yet;
    FigureSpec look;
    std::shared_ptr<const ComparedDifference> known; // of the pair; null: to be computed

    // Null: there is no pair.
    std::shared_ptr<const ComparedDifference> difference() const
    {
        if (known || !pair)
            return known;
        return std::make_shared<const ComparedDifference>(differenceOf(*comparison, pair->x(), pair->y()));
    }
};

// Picture for any size.
struct DrawnPicture
{
    std::shared_ptr<const ComparedDifference> difference; // null: side by side
    FigureLayout layOut;
};

// Large maps take longer than a frame. Throws Error{Cancelled} by ThreadStop.
DrawnPicture draw(const WantedPicture& wanted)
{
    constexpr QSizeF anySize(600, 400);
    const auto difference = wanted.difference();
    ThreadStop::check();
    if (!difference) {
        const auto picture = std::make_shared<const ComparisonPicture>(*wanted.comparison, wanted.look, wanted.others);
        return {nullptr, [picture](QSizeF size) { return picture->layOut(size); }};
    }
    const std::shared_ptr<const Figure> figure = layOutDifference(*wanted.comparison, difference, wanted.look, anySize);
    return {difference, [figure](QSizeF size) { return figure->laidOutAgain({}, size); }};
}

// The walk from one vector for a sentence to the Transformer, as far as the models are there; the last stands in for
// one that is not.
const char* const walk[] = {"rnn-no-attention-en-fr", "rnnsearch-en-fr", "luong-local-p-en-fr", "transformer-en-fr",
                            "luong-general-en-fr"};

// One sentence through two to four models: side by side, or the difference of two.
class ComparePage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(ComparePage)

public:
    explicit ComparePage(const LaboratoryContext& context)
        : LaboratoryPage(context,
                         tr("One sentence through two to four models. All read the same words, in columns, and are "
                            "coloured on one scale; the rows are what each of them writes. Point at a word to find it "
                            "everywhere."))
        , m_canvas(makeCanvas("compareCanvas", tr("Attention of the compared models")))
    {
        addControls();
        auto* scroll = new QScrollArea;
        scroll->setWidget(m_canvas);
        scroll->setAccessibleName(m_canvas->accessibleName());
        scroll->setWidgetResizable(true);
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setContent(scroll);
        m_storeChosen = context.kept.keep("laboratory/compare", m_chosen);
        fillModels();
        connect(&jobs(), &JobRunner::busyChanged, m_run, [this](bool busy) { m_run->setEnabled(!busy); });
        connect(&jobs(), &JobRunner::busyChanged, this, &ComparePage::sayWhatWasNotRun,
                Qt::QueuedConnection); // after the last result
    }

    void activate() override
    {
        // A sentence that was typed here stays until another one is typed in the window.
        const QString typed = sentenceOnShow(context());
        const bool another = typed != std::exchange(m_taken, typed);
        if (another && !typed.trimmed().isEmpty())
            m_sentence->replaceText(typed);
        if (another || !m_comparison)
            run();
    }

    std::optional<Exportable> exportable() const override
    {
        if (!m_comparison)
            return std::nullopt;
        const WantedPicture seen = wanted();
        return shown([seen](QSizeF size) { return draw(seen).layOut(size); },
                     [seen] {
                         const auto difference = seen.difference();
                         return difference ? differenceCsv(*seen.comparison, *difference)
                                           : comparisonCsv(*seen.comparison);
                     });
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        LaboratoryPage::resizeEvent(event);
        fitHeight();
    }

private:
    static constexpr int slotCount = 4;

    void addControls()
    {
        QHBoxLayout* row = addFilledRow();
        m_sentence = addControl({"compareSentence", {}, tr("Sentence")}, new TextLine);
        m_sentence->setPlaceholderText(tr("A sentence for all models"));
        row->setStretchFactor(m_sentence, 1);
        m_run = addControl({"compareRun", tr("&Run")}, new QPushButton);
        connect(m_sentence, &QLineEdit::returnPressed, this, &ComparePage::run);
        connect(m_sentence, &TextLine::tooLong, this, [this](const QString& said) { say(said); });
        connect(m_run, &QPushButton::clicked, this, &ComparePage::run);
        row = addFilledRow();
        for (int i = 0; i < slotCount; ++i) {
            const QByteArray id = "compareModel" + QByteArray::number(i);
            auto* box = addControl({id.constData(), {}, tr("Model %1").arg(i + 1)}, new ElidedComboBox);
            box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
            row->setStretchFactor(box, 1);
            connect(box, &QComboBox::activated, this, &ComparePage::run);
            m_models.at(i) = box;
        }
        addControlRow();
        m_view = addChoice({"compareView", tr("&Show"), tr("Side by side or a difference")});
        m_sameOutput =
            addTick({"sameOutput",
                     tr("All write what the &first one writes"),
                     {},
                     tr("Forces the first model's output on the others, so that their rows can be compared")},
                    false);
        fillViews();
        onChange({m_view}, [this] { redraw(); });
        onChange({m_sameOutput}, [this] { run(); });
    }

    // Bundled models and what was opened lately; what was chosen before, else the walk.
    void fillModels()
    {
        QStringList paths;
        const std::vector<BundledModel> bundled = bundledModels();
        for (const BundledModel& model : bundled)
            paths << QString::fromStdString(model.name);
        for (const QString& recent : context().study.recent()) {
            if (!isAttentionFile(recent.toStdString()))
                paths << recent;
        }
        if (model() && !paths.contains(model()->path))
            paths << model()->path;
        QStringList preferred = m_chosen;
        const bool remembered = !preferred.isEmpty();
        for (const char* name : walk) {
            if (!remembered && preferred.size() < slotCount && paths.contains(QLatin1String(name)))
                preferred << QLatin1String(name);
        }
        preferred.removeIf([&paths](const QString& path) { return !paths.contains(path); });
        for (const QString& path : paths) { // never fewer than two
            if (preferred.size() < 2 && !preferred.contains(path))
                preferred << path;
        }
        for (int i = 0; i < slotCount; ++i) {
            QComboBox& box = *m_models.at(i);
            const QSignalBlocker blocker(box);
            box.clear();
            if (i >= 2)
                box.addItem(tr("(none)"), QString());
            for (const QString& path : paths) {
                const auto model = std::ranges::find(bundled, path.toStdString(), &BundledModel::name);
                const bool isOurs = model != bundled.end();
                box.addItem(isOurs ? modelLabel(*model) : QFileInfo(path).fileName(), path);
                box.setItemData(box.count() - 1, isOurs ? modelTip(*model) : plainTip(path), Qt::ToolTipRole);
            }
            box.setCurrentIndex(std::max(0, box.findData(preferred.value(i))));
        }
    }

    QStringList chosen() const
    {
        QStringList paths;
        for (const QComboBox* box : m_models) {
            if (const QString path = box->currentData().toString(); !path.isEmpty())
                paths << path;
        }
        return paths;
    }

    void run()
    {
        const QString sentence = m_sentence->wholeText();
        const QStringList models = chosen();
        if (sentence.trimmed().isEmpty() || models.size() < 2)
            return say(tr("Type a sentence and choose at least two models."));
        m_chosen = models;
        m_storeChosen();
        std::vector<std::string> paths;
        for (const QString& path : models)
            paths.push_back(path.toStdString());
        Question question = context().question();
        question.text = sentence.toStdString();
        question.secondText.reset();
        question.sourceIds.reset();
        question.prefixIds.reset(); // each model has tokens of its own
        const bool sameOutput = m_sameOutput->isChecked();
        if (sameOutput)
            question.targetText.reset();
        ComparisonExperiment experiment(paths, std::move(question), sameOutput);
        take(comparisonNow(experiment), NotRun::Yet);
        say({});
        carryOut(jobs(), std::move(experiment), comparisonNow,
                 [this](const std::shared_ptr<const Comparison>& comparison) { take(comparison, NotRun::Yet); });
    }

    void take(const std::shared_ptr<const Comparison>& comparison, NotRun others)
    {
        if (comparison != m_comparison)
            m_difference.reset();
        m_comparison = comparison;
        m_others = others;
        fillViews();
        redraw();
    }

    // After a cancelled comparison.
    void sayWhatWasNotRun()
    {
        if (jobs().busy() || !m_comparison)
            return;
        const auto isWaiting = [](const ComparedMap& map) { return map.state == ComparedState::Waiting; };
        if (m_others == NotRun::Yet && std::ranges::any_of(m_comparison->maps, isWaiting))
            return take(m_comparison, NotRun::Cancelled);
        sayVariation();
    }

    // Side by side, then every pair of models that attend to something, as far as that is known.
    void fillViews()
    {
        static const std::vector<ComparedMap> none;
        const std::vector<ComparedMap>& maps = m_comparison ? m_comparison->maps : none;
        const auto compared = [this](const ComparedMap& map) {
            return map.state == ComparedState::Waiting ? m_others == NotRun::Yet : map.site.has_value();
        };
        const QSignalBlocker blocker(m_view);
        const QVariant before = m_view->currentData();
        m_view->clear();
        m_view->addItem(tr("Side by side"));
        for (Index a = 0; a < indexSize(maps); ++a) {
            for (Index b = a + 1; b < indexSize(maps); ++b) {
                if (compared(maps[a]) && compared(maps[b]))
                    m_view->addItem(QString::fromStdString(maps[a].name + " \u2212 " + maps[b].name), QPoint(a, b));
            }
        }
        m_view->setCurrentIndex(before.isValid() ? std::max(0, m_view->findData(before)) : 0);
    }

    // Maps whose difference is shown; none: side by side.
    std::optional<QPoint> pair() const
    {
        const QVariant chosen = m_view->currentData();
        return chosen.isValid() ? std::optional(chosen.toPoint()) : std::nullopt;
    }

    WantedPicture wanted() const
    {
        const auto pair = this->pair();
        const bool known = m_difference && pair == QPoint(m_difference->first, m_difference->second);
        return {m_comparison, pair, m_others, look(), known ? m_difference : nullptr};
    }

    // The figure scrolls where its rows would have no room for their names.
    void fitHeight()
    {
        if (m_comparison)
            m_canvas->setMinimumHeight(pair() ? 0 : leastHeight(*m_comparison, m_canvas->width()));
    }

    void redraw() override
    {
        if (!m_comparison)
            return say({});
        fitHeight();
        m_drawing.end();
        if (drawingCost(*m_comparison) <= costOfFrame)
            return showDrawn(draw(wanted()));
        sayVariation();
        QThreadPool::globalInstance()->start(HandedOver([this, wanted = wanted(), ticket = m_drawing.begin()] {
            const ThreadStop ofMaps(ticket.stop());
            DrawnPicture drawn;
            const auto problem = caught([&] {
                throwIfStopped(ticket.stop()); // before its turn
                drawn = draw(wanted);
            });
            if (problem)
                drawn = {nullptr, emptyFigure(wanted.look, QString::fromUtf8(problem->what()))};
            ticket.report([this, drawn] {
                m_drawing.end();
                showDrawn(drawn);
            });
        }));
    }

    void showDrawn(const DrawnPicture& drawn)
    {
        m_difference = drawn.difference;
        m_canvas->setFigure(drawn.layOut);
        sayVariation();
    }

    void sayVariation()
    {
        const auto known = jobs().busy() ? nullptr : wanted().known;
        say(!known || known->map.rows == 0 || std::isnan(known->variation) // the figure says which are NaN
                ? QString()
                : tr("On the words that both write, %1 of the attention lies elsewhere (0: the same "
                     "map, 100: nothing in common).")
                      .arg(percent(known->variation)));
    }

    TextLine* m_sentence = nullptr;
    QPushButton* m_run = nullptr;
    QCheckBox* m_sameOutput = nullptr;
    QComboBox* m_view = nullptr; // data: as pair()
    std::array<QComboBox*, slotCount> m_models{};
    FigureCanvas* m_canvas = nullptr;
    QStringList m_chosen; // models that were compared last
    KeptValues::Store m_storeChosen;
    QString m_taken; // the window's sentence when it was last looked at
    std::shared_ptr<const Comparison> m_comparison;
    NotRun m_others = NotRun::Yet;
    LatestRequest m_drawing{*this}; // on another thread
    std::shared_ptr<const ComparedDifference> m_difference; // of two maps of it, drawn last; null: side by side
};

} // namespace

LaboratoryPage* makeComparePage(const LaboratoryContext& context)
{
    return new ComparePage(context);
}

} // namespace attn::ui
