// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sentences.h"
#include "experiments/sweep.h"
#include "laboratory/laboratory_page.h"
#include "laboratory/sweep/sweep_text.h"
#include "panels/dialogs.h"
#include "state/strings.h"

#include <QFile>
#include <QFileInfo>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>

#include <functional>
#include <optional>
#include <utility>

namespace attn::ui {

namespace {

std::optional<Question> questionOf(const Run* run)
{
    return run == nullptr ? std::nullopt : run->question;
}

HeadChanges changesOf(const SweepResult& result)
{
    HeadChanges changes;
    for (const SweptHead& head : result.heads)
        changes[{head.site, head.head}] = head.change;
    return changes;
}

// Change of the output without each head or source token: of the sentence on show, or of a file of sentences.
class SweepPage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(SweepPage)

public:
    explicit SweepPage(const LaboratoryContext& context)
        : LaboratoryPage(
            context,
            tr("Take away one head after the other, or one word of the source, and see what the model then "
               "makes of the output that it had: the change of its log probability, and how far the "
               "distributions move. Click a head to see it in the window."))
        , m_table(new QTableView)
    {
        keepFolder("laboratory/sentences");
        addControls();
        m_sorted.setSourceModel(&m_rows);
        m_sorted.setSortRole(SweepModel::sortRole);
        m_table->setObjectName(QStringLiteral("sweepTable"));
        m_table->setAccessibleName(tr("What becomes of the output"));
        m_table->setModel(&m_sorted);
        m_table->setSortingEnabled(true);
        m_table->sortByColumn(-1, Qt::AscendingOrder); // in the order of the model
        m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
        m_table->setSelectionMode(QAbstractItemView::SingleSelection);
        m_table->setTabKeyNavigation(false);
        m_table->setShowGrid(false);
        m_table->setAlternatingRowColors(true);
        m_table->verticalHeader()->hide();
        m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
        m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
        m_canvas = makeCanvas("sweepMap", tr("The output without each head or token"));
        setContent(split(Qt::Horizontal, {{m_canvas, 640, 2}, {m_table, 370, 1}}, narrowPage));
        connect(m_canvas, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
            if (!hit.isCell() || !m_shown.overHeads())
                return;
            const std::vector<Site> sites = m_shown.sites();
            if (const auto row = static_cast<std::size_t>(*hit.row); row < sites.size())
                lookAtHead(m_shown.head(sites[row], *hit.column));
        });
        const auto lookAtRow = [this](const QModelIndex& index) {
            if (const auto head = m_rows.headAt(m_sorted.mapToSource(index).row()))
                lookAtHead(&*head);
        };
        connect(m_table, &QTableView::clicked, this, lookAtRow);
        connect(m_table, &QTableView::activated, this, lookAtRow);
        connect(&jobs(), &JobRunner::busyChanged, this, &SweepPage::refresh);
        activateOnChanges();
    }

    void activate() override
    {
        // One head alone makes no picture.
        const Trace& trace = context().study.trace();
        const std::vector<Site> sites = trace.sites();
        if (m_opens && sites.size() == 1 && trace.heads(sites.front()) == 1) {
            const QSignalBlocker blocker(m_over);
            m_over->setCurrentIndex(1);
            forget();
        }
        m_opens = m_opens && sites.empty();
        if (!ofFile())
            sweepShown();
        refresh();
    }

    std::optional<Exportable> exportable() const override
    {
        if (m_shown.result.heads.empty() && m_shown.result.tokens.empty())
            return std::nullopt;
        return shown(sweepFigure(look(), m_shown), [result = m_shown.result] { return sweepCsv(result); });
    }

private:
    using Asked = std::pair<Question, SweepOver>;

    void addControls()
    {
        m_over = addChoice({"sweepOver", tr("&Without"), tr("What is taken away")},
                           {{"heads", tr("each head")}, {"tokens", tr("each source token")}});
        m_text = addChoice({"sweepText", tr("&Of")}, {{"shown", tr("the sentence")}, {"file", tr("a file")}});
        m_choose =
            addControl({"chooseSentences", tr("Choose &file…"), {}, tr("A text file with a sentence on each line")},
                       new QPushButton);
        m_start = addControl({"startSweep", tr("St&art")}, new QPushButton);
        m_measure = addChoice({"sweepMeasure", tr("&Show"), tr("What the map shows")},
                              {{"logprob", tr("log probability")}, {"kl", tr("KL divergence")}});
        onChange({m_over, m_text}, [this] {
            jobs().cancel();
            forget();
            activate();
        });
        onChange({m_measure}, [this] { refresh(); });
        connect(m_choose, &QPushButton::clicked, this, &SweepPage::chooseSentences);
        connect(m_start, &QPushButton::clicked, this, [this] {
            m_asked.reset();
            if (ofFile())
                sweepFile();
            else
                sweepShown();
        });
    }

    bool ofFile() const { return m_text->currentIndex() == 1; }
    SweepOver over() const { return m_over->currentIndex() == 0 ? SweepOver::Heads : SweepOver::SourceTokens; }

    void forget()
    {
        m_asked.reset();
        m_shown.result = {};
        m_shown.result.over = over();
    }

    // Unless that is what was asked last.
    void sweepShown()
    {
        if (!model()) {
            jobs().cancel();
            return forget();
        }
        Asked asked(context().question(), over());
        if (m_asked == asked)
            return;
        start(Sweep::Plan{.question = asked.first, .over = asked.second, .fitted = true});
        m_asked = std::move(asked);
    }

    void chooseSentences()
    {
        const QString file = chooseFile(OpenKind::Sentences);
        if (file.isEmpty())
            return;
        m_file = file;
        m_choose->setText(menuText(QFileInfo(file).fileName()));
        m_choose->setToolTip(plainTip(tr("%1\nChooses another text file with a sentence on each line").arg(file)));
        forget();
        refresh();
    }

    void sweepFile()
    {
        const std::string path = QFile::encodeName(m_file).toStdString();
        Question question = context().question();
        question.prefixText.reset(); // of the sentence on show
        question.prefixIds.reset();
        start(Sweep::Plan{.question = std::move(question),
                          .sentences = [path] { return readSentences(path); },
                          .over = over(),
                          .fitted = true});
    }

    void start(Sweep::Plan plan)
    {
        forget();
        message().hide();
        plan.question.capture = {.attention = false};
        m_shown.kind = model()->info.kind;
        const bool ofShown = !ofFile() && context().study.age() == Age::Current;
        const std::optional<int> run = ofShown ? context().study.shown() : std::nullopt;
        const auto isStillThere = [this, run, session = context().study.sessions(),
                                   question = questionOf(context().study.runs().find(run))] {
            return run && context().study.sessions() == session
                && questionOf(context().study.runs().find(run)) == question;
        };
        carryOut(jobs(), Sweep(std::move(plan)), std::mem_fn(&Sweep::result),
                 [this, run, isStillThere](const SweepResult& result) {
                     m_shown.result = result;
                     refresh();
                     if (!result.heads.empty() && isStillThere())
                         context().study.setWithoutHeads(*run, changesOf(result));
                     if (result.leftOut > 0)
                         message().showNote(
                             tr("%1 left out that the model does not read: %2")
                                 .arg(result.leftOut == 1 ? tr("1 sentence") : tr("%1 sentences").arg(result.leftOut),
                                      text(result.reason)));
                 });
        refresh();
    }

    void lookAtHead(const SweptHead* head)
    {
        if (head != nullptr)
            context().selection.setSiteAndHead(head->site, head->head);
    }

    QString reason() const
    {
        if (!model())
            return tr("Open a model to take something away from it; an archive holds none.");
        if (busy())
            return tr("Reading the sentence…");
        if (ofFile() && m_file.isEmpty())
            return tr("Choose a text file with a sentence on each line, and start.");
        if (ofFile() && m_shown.result.sentences == 0)
            return tr("Press Start.");
        if (m_shown.result.sentences > 0 && m_shown.overHeads() && m_shown.result.heads.empty())
            return tr("This model has no attention, so there are no heads to take away.");
        if (m_shown.result.sentences > 0 && !m_shown.result.predicts)
            return tr("This model predicts nothing, so there is no output that could change.");
        return tr("Nothing has been taken away yet.");
    }

    void refresh()
    {
        setShown(m_choose, ofFile());
        m_start->setEnabled(model() != nullptr && (!ofFile() || !m_file.isEmpty()));
        m_start->setText(jobs().busy() || m_shown.result.sentences > 0 ? tr("Start &again") : tr("St&art"));
        m_shown.measure = m_measure->currentIndex() == 0 ? SweepMeasure::LogProbability : SweepMeasure::Divergence;
        m_shown.empty = reason();
        m_rows.show(m_shown);
        m_table->setColumnHidden(0, !m_shown.overHeads() && m_shown.result.count <= 1); // the number of the sentence
        redraw();
    }

    void redraw() override
    {
        m_canvas->setFigure(sweepFigure(look(), m_shown));
        say(sweepSentence(m_shown));
    }

    bool m_opens = true; // for the first time with a run
    QComboBox* m_over = nullptr;
    QComboBox* m_text = nullptr;
    QPushButton* m_choose = nullptr;
    QPushButton* m_start = nullptr;
    QComboBox* m_measure = nullptr;
    FigureCanvas* m_canvas = nullptr;
    SweepModel m_rows;
    QSortFilterProxyModel m_sorted;
    QTableView* m_table = nullptr;
    QString m_file;
    std::optional<Asked> m_asked; // of the sentence on show
    ShownSweep m_shown;
};

} // namespace

LaboratoryPage* makeSweepPage(const LaboratoryContext& context)
{
    return new SweepPage(context);
}

} // namespace attn::ui
