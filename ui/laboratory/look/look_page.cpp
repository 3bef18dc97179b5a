// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "base/index.h"
#include "experiments/look_experiment.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/parts/panel_figure.h"
#include "laboratory/laboratory_page.h"
#include "loading/model_card.h"
#include "loading/model_loader.h"
#include "state/run_words.h"
#include "state/strings.h"

#include <QFileInfo>
#include <QSignalBlocker>

#include <algorithm>
#include <string>
#include <utility>

namespace attn::ui {

extern const FigureKind pictureKind;

namespace {

constexpr auto captioner = "captioner-scenes"; // where no other one is open
constexpr Site looksAt{Stage::Cross, 0};

enum class Look : std::uint8_t { SoftAndHard, Coverage, Grey };

// A captioner and what its words look at: softly or hard, through its gate or past it, all words together, and with
// what they look at made grey.
class LookPage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(LookPage)

public:
    explicit LookPage(const LaboratoryContext& context)
        : LaboratoryPage(context,
                         tr("A captioner (Xu et al. 2015) looks at the picture anew for each word: softly, at all "
                            "patches by their weights, or hard, at one. Does it say what it sees?"))
        , m_canvas(makeCanvas("lookFigure", tr("The picture under the weights of the words")))
    {
        m_picture = addChoice({"lookPicture", tr("&Picture")});
        m_show = addChoice({"lookShow", tr("S&how")},
                           {{"soft", tr("soft and hard attention")},
                            {"coverage", tr("all words together")},
                            {"grey", tr("patches made grey")}});
        m_gate = addTick({"lookGate", tr("G&ate"), {}, tr("Untick to read all of the context, past the gate")}, true);
        m_word = addChoice({"lookWord", tr("Loo&ked at by")});
        m_grey = addNumber({"lookGrey", tr("Gre&y")}, 0, 0, 0);
        setContent(m_canvas);
        onChange({m_picture, m_show, m_gate, m_word}, [this] { start(); });
        onChange({m_grey}, [this] { redraw(); });
        connect(&jobs(), &JobRunner::busyChanged, this, &LookPage::redraw);
        activateOnChanges();
    }

    void activate() override
    {
        listPictures();
        start();
    }

    std::optional<Exportable> exportable() const override
    {
        if (!hasResult())
            return std::nullopt;
        return shown(figure(), [csv = csv()] { return csv; });
    }

private:
    Look mode() const { return static_cast<Look>(m_show->currentIndex()); }

    // One that is open and looks as a captioner does.
    bool isCaptionerOpen() const
    {
        return model() && model()->info.input == InputKind::Picture && model()->info.crossHeads == 1
            && model()->info.crossLayers == 1;
    }

    // The picture on show, and those that come with the captioner.
    void listPictures()
    {
        const QVariant chosen = m_picture->currentData();
        const QSignalBlocker blocker(m_picture);
        m_picture->clear();
        const auto& own = context().study.edited().image;
        if (isCaptionerOpen() && own)
            m_picture->addItem(QFileInfo(QString::fromStdString(*own)).fileName(), QString::fromStdString(*own));
        for (const BundledModel& one : bundledModels()) {
            if (one.name != captioner)
                continue;
            for (const ModelExample& example : readModelCard(one.directory).examples) {
                const QString path = QString::fromStdString(example.file);
                if (!path.isEmpty() && m_picture->findData(path) < 0)
                    m_picture->addItem(QFileInfo(path).completeBaseName().replace(QLatin1Char('-'), QLatin1Char(' ')),
                                       path);
            }
        }
        if (m_picture->count() > 0)
            m_picture->setCurrentIndex(std::max(0, m_picture->findData(chosen)));
    }

    void start()
    {
        setShown(m_gate, mode() != Look::Grey);
        setShown(m_word, mode() == Look::Grey);
        setShown(m_grey, mode() == Look::Grey);
        if (m_picture->count() > 0) {
            Question question;
            question.model = isCaptionerOpen() ? context().question().model : captioner;
            question.image = m_picture->currentData().toString().toStdString();
            const LookExperiment::Plan plan{question, mode() == Look::Grey || m_gate->isChecked()};
            ask(
                m_looked, plan, [plan] { return LookExperiment(plan); }, [this] { looked(); });
        }
        redraw();
    }

    void looked()
    {
        listWords();
        if (mode() == Look::Grey) {
            const QVariant word = m_word->currentData();
            const GreyExperiment::Plan plan{m_looked.asked->question,
                                            word.toInt() < 0 ? std::nullopt : std::optional(word.toInt())};
            ask(
                m_greyed, plan, [plan] { return GreyExperiment(plan); }, [this] { greyed(); });
        }
        redraw();
    }

    void greyed()
    {
        const QSignalBlocker blocker(m_grey);
        const int last = indexSize(m_greyed.result->runs()) - 1;
        const bool isNew = std::exchange(m_listed, m_greyed.result) != m_greyed.result;
        m_grey->setRange(0, last);
        if (isNew)
            m_grey->setValue(last);
        redraw();
    }

    // Another caption's: the one with the largest weight comes first to the eye.
    void listWords()
    {
        const Trace& soft = m_looked.result->soft();
        const QStringList words = wordsOf(soft);
        QStringList listed;
        for (int i = 1; i < m_word->count(); ++i)
            listed << m_word->itemText(i);
        if (listed == words)
            return;
        const QSignalBlocker blocker(m_word);
        m_word->clear();
        m_word->addItem(tr("all words"), -1);
        const Numbers weights = soft.matrix(looksAt, 0);
        int best = 0;
        for (int row = 0; row < words.size(); ++row) {
            m_word->addItem(words[row], row);
            if (row < weights.rows && std::ranges::max(weights.row(row)) > std::ranges::max(weights.row(best)))
                best = row;
        }
        m_word->setCurrentIndex(best + 1);
    }

    static QStringList wordsOf(const Trace& trace) { return axisLabels({.groups = tokenAxis(trace.target())}); }

    bool hasResult() const { return mode() == Look::Grey ? m_greyed.result != nullptr : m_looked.result != nullptr; }

    const Trace& greyRun() const { return m_greyed.result->runs().at(static_cast<std::size_t>(m_grey->value())); }

    FigureSpec pictureSpec(const QString& title) const
    {
        FigureSpec spec = look();
        spec.kind = &pictureKind;
        spec.site = looksAt;
        spec.head = HeadReading(0);
        spec.overlay = context().appearance.choices().overlay;
        spec.opacity = context().appearance.choices().opacity;
        spec.title = title;
        return spec;
    }

    static FigureLayout pictureOf(const FigureSpec& spec, const Trace& trace)
    {
        return [spec, trace](QSizeF size) { return layoutFigure(spec, trace, size); };
    }

    FigureLayout figure() const
    {
        if (!hasResult())
            return emptyFigure(look(), reason());
        if (mode() == Look::Grey) {
            FigureSpec spec = pictureSpec(tr("%n patches made grey", nullptr, m_grey->value()));
            if (const int word = m_word->currentData().toInt(); word >= 0)
                spec.currentStep = std::min(word, greyRun().steps() - 1);
            else
                spec.picked = allWords(greyRun());
            return pictureOf(spec, greyRun());
        }
        if (mode() == Look::Coverage) {
            FigureSpec spec = pictureSpec(tr("Weights of all words together"));
            spec.picked = allWords(m_looked.result->soft());
            return pictureOf(spec, m_looked.result->soft());
        }
        return [panels = std::vector{pictureOf(pictureSpec(tr("Soft attention")), m_looked.result->soft()),
                                     pictureOf(pictureSpec(tr("Hard attention")), m_looked.result->hard())},
                theme = look().theme](QSizeF size) { return layOutPanels(panels, 2, size, theme); };
    }

    static std::vector<int> allWords(const Trace& trace)
    {
        std::vector<int> words;
        for (int row = 0; row < trace.steps(); ++row)
            words.push_back(row);
        return words;
    }

    QString reason() const
    {
        if (m_picture->count() == 0)
            return tr("Open a captioner and a picture: none comes with this program.");
        return busy() ? tr("Reading the picture…") : tr("Nothing has been read yet.");
    }

    QString said() const
    {
        if (mode() == Look::Grey)
            return saidOfGrey();
        const Trace& soft = m_looked.result->soft();
        if (mode() == Look::Coverage) {
            const std::vector<double> sums = coverage(soft);
            const auto [least, most] = std::ranges::minmax(sums);
            return tr("“%1” looks at each patch between %2 and %3 times in all. The paper's training asks for once: "
                      "its "
                      "(1 − times)² is %4 on average here.")
                .arg(runOutput(soft), shortDecimal(least, 2), shortDecimal(most, 2),
                     shortDecimal(coverageLoss(sums), 2));
        }
        const QString hard = runOutput(m_looked.result->hard());
        const QString captions = hard == runOutput(soft)
            ? tr("Hard and soft attention write the same: “%1”.").arg(hard)
            : tr("Soft attention writes “%1”, hard attention “%2”.").arg(runOutput(soft), hard);
        return captions + QLatin1Char(' ') + saidOfGate(soft);
    }

    QString saidOfGate(const Trace& run) const
    {
        float least = 1;
        float most = 0;
        for (const auto& step : run.path()) {
            least = std::min(least, step->gate.value_or(1));
            most = std::max(most, step->gate.value_or(1));
        }
        if (!m_gate->isChecked())
            return tr("All of the context is read; the gate would let through %1 to %2 of it.")
                .arg(decimal(double{least}, 2), decimal(double{most}, 2));
        return tr("The gate lets through %1 to %2 of the context.")
            .arg(decimal(double{least}, 2), decimal(double{most}, 2));
    }

    QString saidOfGrey() const
    {
        const std::vector<Trace>& runs = m_greyed.result->runs();
        const QString before = runOutput(runs.front());
        const int grey = indexSize(runs) - 1;
        return m_greyed.result->isOther()
            ? tr("The caption first changes when %n patches are grey: “%1” becomes “%2”.", nullptr, grey)
                  .arg(before, runOutput(runs.back()))
            : tr("All patches grey, the caption is still “%1”.").arg(before);
    }

    void redraw() override
    {
        m_canvas->setFigure(figure());
        say(hasResult() ? said() : QString());
    }

    QByteArray csv() const
    {
        QString text;
        const auto add = [&text](const QStringList& fields) {
            QStringList quoted;
            for (const QString& field : fields)
                quoted << csvField(field);
            text += quoted.join(QLatin1Char(',')) + QLatin1Char('\n');
        };
        if (mode() == Look::Grey) {
            add({tr("grey patches"), tr("caption")});
            for (int i = 0; i < indexSize(m_greyed.result->runs()); ++i)
                add({QString::number(i), runOutput(m_greyed.result->runs()[static_cast<std::size_t>(i)])});
            return text.toUtf8();
        }
        const bool all = mode() == Look::Coverage;
        add(all ? QStringList{tr("patch"), tr("times")}
                : QStringList{tr("attention"), tr("word"), tr("patch"), tr("weight")});
        const Trace& soft = m_looked.result->soft();
        const std::vector<std::string>& patches = soft.source().tokens;
        if (all) {
            const std::vector<double> sums = coverage(soft);
            for (std::size_t i = 0; i < sums.size(); ++i)
                add({QString::fromStdString(patches.at(i)), csvNumber(sums[i])});
            return text.toUtf8();
        }
        for (const auto& [name, run] : {std::pair(tr("soft"), &soft), {tr("hard"), &m_looked.result->hard()}}) {
            const Numbers weights = run->matrix(looksAt, 0);
            const QStringList words = wordsOf(*run);
            for (Index row = 0; row < weights.rows; ++row) {
                for (Index column = 0; column < weights.columns; ++column)
                    add({name, words.value(row), QString::fromStdString(patches.at(static_cast<std::size_t>(column))),
                         csvNumber(double{weights.at(row, column)})});
            }
        }
        return text.toUtf8();
    }

    FigureCanvas* m_canvas = nullptr;
    QComboBox* m_picture = nullptr;
    QComboBox* m_show = nullptr;
    QCheckBox* m_gate = nullptr;
    QComboBox* m_word = nullptr;
    QSpinBox* m_grey = nullptr;
    Answered<LookExperiment, LookExperiment::Plan> m_looked;
    Answered<GreyExperiment, GreyExperiment::Plan> m_greyed;
    std::shared_ptr<const GreyExperiment> m_listed; // whose number of grey patches is chosen from
};

} // namespace

LaboratoryPage* makeLookPage(const LaboratoryContext& context)
{
    return new LookPage(context);
}

} // namespace attn::ui
