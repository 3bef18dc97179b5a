// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "base/index.h"
#include "experiments/faithfulness_experiment.h"
#include "experiments/sentences.h"
#include "figures/charts/scatter_figure.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "laboratory/laboratory_page.h"
#include "laboratory/result_table.h"
#include "panels/dialogs.h"
#include "state/strings.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr auto integratedArray = "source_integrated_gradients";

// One line of the table, of a sentence or a file of them, or why there is no such reading.
struct FaithfulnessLine
{
    std::string reading;
    std::optional<double> correlation; // none: both are constant in every row, or the reading is not there
    std::optional<std::pair<double, double>> interval; // of a file
    std::optional<double> random;
    std::optional<double> shuffled;
    int rows = 0;
    int sentences = 0;
    std::string absent; // empty: the model has it
};

std::optional<double> ifNumber(std::optional<double> value)
{
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::vector<FaithfulnessLine> tableLines(const FaithfulnessResult& result)
{
    std::vector<FaithfulnessLine> lines;
    for (const Faithfulness& row : result.rows)
        lines.push_back({row.reading,
                         ifNumber(row.correlation),
                         {},
                         ifNumber(row.random),
                         ifNumber(row.shuffled),
                         row.rows,
                         1,
                         {}});
    for (const MeanFaithfulness& mean : result.means)
        lines.push_back({mean.reading,
                         ifNumber(mean.correlation.mean),
                         std::pair(mean.correlation.low, mean.correlation.high),
                         ifNumber(mean.random),
                         ifNumber(mean.shuffled),
                         mean.rows,
                         mean.sentences,
                         {}});
    for (const auto& [method, why] : result.absent)
        lines.push_back({method, {}, {}, {}, {}, 0, 0, why});
    return lines;
}

ResultCell correlationCell(std::optional<double> value)
{
    return value ? ResultCell{signedDecimal(*value, 2), *value} : ResultCell();
}

// Readings of the sentence on show, or of a file of sentences, against erasure.
class FaithfulnessPage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(FaithfulnessPage)

public:
    explicit FaithfulnessPage(const LaboratoryContext& context)
        : LaboratoryPage(context, {})
        , m_canvas(makeCanvas("faithfulnessScatter", tr("A reading against erasure, token by token")))
        , m_table(new ResultTable(
              "faithfulnessTable", tr("Readings by their agreement with erasure"),
              {{"reading", tr("Reading")},
               {"rho", tr("ρ"),
                tr("Spearman's rank correlation of the reading with erasure: what the output's log probability loses "
                   "without each source token. 1: the same order")},
               {"interval", tr("95 %"), tr("Where the mean lies in 95 of 100 samples of the sentences (bootstrap)")},
               {"random", tr("Random"), tr("Control: the same weights in random order, which have the same entropy")},
               {"shuffled", tr("Shuffled model"),
                tr("Control: the same reading of the model with shuffled weights (Adebayo et al. 2018)")},
               {"rows", tr("Rows"), tr("Output tokens that are compared")},
               {"sentences", tr("Sentences")}}))
    {
        setTitle(tr("Faithfulness of readings"));
        keepFolder("laboratory/faithfulness");
        addControls();
        m_table->sortByColumn(1, Qt::DescendingOrder);
        setContent(split(Qt::Horizontal, {{m_table, 400, 2}, {m_canvas, 600, 3}}, narrowPage));
        connect(m_table, &ResultTable::chosen, this, [this](int row) {
            m_chosen = m_lines.at(static_cast<std::size_t>(row)).reading;
            redraw();
        });
        connect(m_canvas, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
            if (hit.isCell())
                lookAtToken(static_cast<std::size_t>(*hit.column));
        });
        connect(&jobs(), &JobRunner::busyChanged, this, &FaithfulnessPage::refresh);
        connect(&context.selection, &Selection::changed, this, [this](Selection::Fields fields) {
            if (fields & Selection::StepField && ofStep() && isVisible())
                activate();
        });
        activateOnChanges();
    }

    void activate() override
    {
        if (!ofFile())
            compareShown();
        refresh();
    }

    std::optional<Exportable> exportable() const override
    {
        if (m_lines.empty())
            return std::nullopt;
        return shown(scatter(), [csv = m_table->csv()] { return csv; });
    }

private:
    struct Asked
    {
        Question question;
        std::optional<int> of;
        bool hides = false;
        bool shuffled = false;

        friend bool operator==(const Asked&, const Asked&) = default;
    };

    void addControls()
    {
        m_of = addChoice({"faithfulnessOf", tr("A&bout"), tr("What the readings are about")},
                         {{"all", tr("every output token")}, {"step", tr("the chosen token")}});
        m_text = addChoice({"faithfulnessText", tr("&Of")}, {{"shown", tr("the sentence")}, {"file", tr("a file")}});
        m_hides =
            addTick({"faithfulnessHide",
                     tr("&Hide erased tokens"),
                     {},
                     tr("Erased tokens are hidden from attention, not replaced by the mask or the unknown token")},
                    false);
        m_shuffled = addTick({"faithfulnessShuffled",
                              tr("Shuffled &weights"),
                              {},
                              tr("Compares with the same readings of the model with its weights in random order")},
                             false);
        m_choose =
            addControl({"faithfulnessFile", tr("Choose &file…"), {}, tr("A text file with a sentence on each line")},
                       new QPushButton);
        m_start = addControl({"startFaithfulness", tr("St&art")}, new QPushButton);
        onChange({m_of, m_text, m_hides, m_shuffled}, [this] {
            jobs().cancel();
            forget();
            activate();
        });
        connect(m_choose, &QPushButton::clicked, this, &FaithfulnessPage::chooseSentences);
        connect(m_start, &QPushButton::clicked, this, [this] {
            forget();
            if (ofFile())
                compareFile();
            else
                compareShown();
        });
    }

    bool ofFile() const { return m_text->currentIndex() == 1; }
    bool ofStep() const { return m_of->currentIndex() == 1; }

    // Position of the output that is chosen in the window, the first where none is.
    std::optional<int> chosenPosition() const
    {
        const Trace& trace = context().study.trace();
        if (!ofStep() || trace.classification())
            return std::nullopt;
        const int step = std::min(context().selection.step().value_or(0), trace.steps() - 1);
        return std::max(step, 0) + trace.firstStepToken();
    }

    void forget()
    {
        m_asked.reset();
        m_result = {};
        m_lines.clear();
    }

    // Unless that is what was asked last.
    void compareShown()
    {
        if (!model()) {
            jobs().cancel();
            return forget();
        }
        Asked asked{context().question(), chosenPosition(), m_hides->isChecked(), m_shuffled->isChecked()};
        if (m_asked == asked)
            return;
        start({.question = asked.question, .of = asked.of, .hides = asked.hides, .shuffled = asked.shuffled});
        m_asked = std::move(asked);
    }

    void chooseSentences()
    {
        const QString file = chooseFile(OpenKind::Sentences);
        if (file.isEmpty())
            return;
        m_file = file;
        m_choose->setText(menuText(QFileInfo(file).fileName()));
        forget();
        refresh();
    }

    void compareFile()
    {
        Question question = context().question();
        question.prefixText.reset(); // of the sentence on show
        question.prefixIds.reset();
        question.edits.clear();
        start({.question = std::move(question),
               .hides = m_hides->isChecked(),
               .shuffled = m_shuffled->isChecked(),
               .sentences = [path = QFile::encodeName(m_file).toStdString()] { return readSentences(path); }});
    }

    void start(FaithfulnessExperiment::Plan plan)
    {
        forget();
        message().hide();
        carryOut(jobs(), FaithfulnessExperiment(std::move(plan)), std::mem_fn(&FaithfulnessExperiment::result),
                 [this](const FaithfulnessResult& result) {
                     m_result = result;
                     refresh();
                     if (result.leftOut > 0)
                         message().showNote(
                             tr("%1 left out: %2")
                                 .arg(result.leftOut == 1 ? tr("1 sentence") : tr("%1 sentences").arg(result.leftOut),
                                      text(result.reason)));
                 });
        refresh();
    }

    bool isUnsettled(const std::string& reading) const { return reading == integratedArray && m_result.unsettled > 0; }

    ResultCell cell(int row, int column) const
    {
        const FaithfulnessLine& line = m_lines.at(static_cast<std::size_t>(row));
        const QString name = readingName(line.reading);
        switch (column) {
        case 0:
            if (isUnsettled(line.reading))
                return {name, name,
                        tr("The path from zero embeddings has not settled for %1 of %2 output tokens: these numbers "
                           "mean nothing")
                            .arg(m_result.unsettled)
                            .arg(m_result.paths),
                        true};
            return {name, name, line.absent.empty() ? text(line.reading) : text(line.absent), !line.absent.empty()};
        case 1:
            return correlationCell(line.correlation);
        case 2:
            return !line.interval
                ? ResultCell()
                : ResultCell{
                    tr("%1 to %2").arg(signedDecimal(line.interval->first, 2), signedDecimal(line.interval->second, 2)),
                    line.interval->first};
        case 3:
            return correlationCell(line.random);
        case 4:
            return correlationCell(line.shuffled);
        default:
            break;
        }
        const int count = column == 5 ? line.rows : line.sentences;
        return line.absent.empty() ? ResultCell{grouped(count), count} : ResultCell();
    }

    // The reading in the scatter: the chosen one, or the one that agrees best.
    const Faithfulness* scattered() const
    {
        const auto& rows = m_result.rows;
        const auto chosen = std::ranges::find(rows, m_chosen, &Faithfulness::reading);
        if (chosen != rows.end())
            return &*chosen;
        const auto best = std::ranges::max_element(rows, {}, [this](const Faithfulness& row) {
            return std::isfinite(row.correlation) && !isUnsettled(row.reading) ? row.correlation : -2;
        });
        return best == rows.end() ? nullptr : &*best;
    }

    // Both are shares of their largest, so that each has room.
    FigureLayout scatter() const
    {
        const Faithfulness* const row = scattered();
        if (row == nullptr || row->tokens.empty())
            return emptyFigure(look(), reason());
        const auto largest = [row](float ComparedToken::*part) {
            float most = 0;
            for (const ComparedToken& token : row->tokens)
                most = std::max(most, std::abs(token.*part));
            return most > 0 ? most : 1.0F;
        };
        const float mostRead = largest(&ComparedToken::reading);
        const float mostErased = largest(&ComparedToken::erasure);
        const Trace& run = *m_result.run;
        const auto labelsOf = [](const Encoding& tokens) { return axisLabels({.groups = tokenAxis(tokens)}); };
        const QStringList sources = labelsOf(run.continuesSource() ? run.sequence() : run.source());
        const bool isText = run.stepsAreTokens() || run.classification() || run.tokenPredictions();
        const QStringList outputs = isText ? QStringList() : run.continuesSource() ? sources : labelsOf(run.target());
        ScatterContent content;
        content.title = {tr("%1 against erasure").arg(readingName(row->reading)),
                         tr("a rank correlation of %1").arg(signedDecimal(row->correlation, 2))};
        content.xAxis = tr("%1, share of the largest").arg(readingName(row->reading));
        content.yAxis = tr("erasure, share of the largest");
        for (const ComparedToken& token : row->tokens) {
            const QString source = sources.value(token.token);
            content.points.push_back(
                {QPointF(static_cast<double>(token.reading / mostRead),
                         static_cast<double>(token.erasure / mostErased)),
                 outputs.isEmpty() ? source : outputs.value(token.output) + QStringLiteral(" \u2190 ") + source});
        }
        return [spec = look(), content](QSizeF size) { return scatterFigure(spec, content, size); };
    }

    // In the window: the token, and the step of the output that the point is about.
    void lookAtToken(std::size_t point)
    {
        const Faithfulness* const row = scattered();
        if (row == nullptr || point >= row->tokens.size())
            return;
        const ComparedToken& token = row->tokens[point];
        const Trace& run = *m_result.run;
        const bool isText = run.stepsAreTokens() || run.classification() || run.tokenPredictions();
        const int step = isText ? token.token : token.output - run.firstStepToken();
        context().selection.setStep(step);
        context().selection.setCell(step, token.token);
    }

    QString reason() const
    {
        if (!model())
            return tr("Open a model to compare its readings; an archive holds none.");
        if (busy())
            return tr("Reading the sentence…");
        if (ofFile() && m_file.isEmpty())
            return tr("Choose a text file with a sentence on each line, and start.");
        if (ofFile() && m_result.sentences == 0)
            return tr("Press Start.");
        if (ofFile())
            return tr("Of a file there are means alone: choose the sentence to see its tokens.");
        return m_result.run ? tr("No row of this reading can be compared.") : tr("Nothing has been compared yet.");
    }

    void refresh()
    {
        m_lines = tableLines(m_result);
        setShown(m_choose, ofFile());
        setShown(m_of, !ofFile());
        m_start->setEnabled(model() != nullptr && (!ofFile() || !m_file.isEmpty()));
        m_start->setText(jobs().busy() || !m_lines.empty() ? tr("Start &again") : tr("St&art"));
        for (const int column : {2, 6}) // the interval, and the number of sentences
            m_table->setColumnHidden(column, !ofFile());
        m_table->setColumnHidden(4, !m_shuffled->isChecked());
        m_table->show(indexSize(m_lines), [this](int row, int column) { return cell(row, column); });
        redraw();
    }

    void redraw() override
    {
        m_canvas->setFigure(scatter());
        const auto best = std::ranges::max_element(m_lines, {}, [this](const FaithfulnessLine& line) {
            return isUnsettled(line.reading) ? -2 : line.correlation.value_or(-2);
        });
        if (best == m_lines.end() || !best->correlation || isUnsettled(best->reading))
            return say({});
        const QString grey = m_result.unsettled > 0 ? QLatin1Char(' ')
                + tr("What is grey is not there or, as integrated gradients here, has not settled: tips say why.")
                                                    : QString();
        say(tr("%1 agrees best with erasure: a rank correlation of %2, in random order %3.")
                .arg(readingName(best->reading), signedDecimal(*best->correlation, 2),
                     best->random ? signedDecimal(*best->random, 2) : QStringLiteral("–"))
            + grey);
    }

    QComboBox* m_of = nullptr;
    QComboBox* m_text = nullptr;
    QCheckBox* m_hides = nullptr;
    QCheckBox* m_shuffled = nullptr;
    QPushButton* m_choose = nullptr;
    QPushButton* m_start = nullptr;
    FigureCanvas* m_canvas = nullptr;
    ResultTable* m_table = nullptr;
    QString m_file;
    std::optional<Asked> m_asked; // of the sentence on show
    FaithfulnessResult m_result;
    std::vector<FaithfulnessLine> m_lines; // of the table
    std::string m_chosen; // reading in the scatter; empty: the best
};

} // namespace

LaboratoryPage* makeFaithfulness(const LaboratoryContext& context)
{
    return new FaithfulnessPage(context);
}

} // namespace attn::ui
