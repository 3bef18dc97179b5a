// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "experiments/alignment_experiment.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"
#include "io/atomic_file.h"
#include "io/mapped_file.h"
#include "laboratory/laboratory_page.h"
#include "laboratory/result_table.h"
#include "loading/model_loader.h"
#include "panels/dialogs.h"
#include "panels/model_picker.h"
#include "state/strings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace attn::ui {

namespace {

constexpr int longestFileName = 100; // pixels of a file's name on a button

// Pairs to begin with, for models that come with the program and translate English to French.
struct OwnPair
{
    const char* pair;
    const char* links; // by hand
};
constexpr OwnPair ownPairs[] = {
    {"I am not deaf.\tJe ne suis pas sourd.", "0-0 1-2 2-1 2-3 3-4"},
    {"She wants to come tomorrow.\tElle veut venir demain.", "0-0 1-1 2?2 3-2 4-3"},
    {"The cat sleeps on the chair.\tLe chat dort sur la chaise.", "0-0 1-1 2-2 3-3 4-4 5-5"},
    {"He bought a red car.\tIl a acheté une voiture rouge.", "0-0 1?1 1-2 2-3 3-5 4-4"},
    {"We have never seen the sea.\tNous n'avons jamais vu la mer.", "0-0 1-1 2?1 2-2 3-3 4-4 5-5"},
    {"My brother likes this old house.\tMon frère aime cette vieille maison.", "0-0 1-1 2-2 3-3 4-4 5-5"},
    {"Where did you put the keys?\tOù as-tu mis les clés ?", "0-0 1?1 2-1 3-2 4-3 5-4 5?5"},
    {"Nobody knows the white horse.\tPersonne ne connaît le cheval blanc.", "0-0 0?1 1?1 1-2 2-3 3-5 4-4"}};

AlignmentPairs parseOwnPairs()
{
    NamedLines pairs{"pairs", {}};
    NamedLines links{"links", {}};
    for (const OwnPair& own : ownPairs) {
        pairs.lines.emplace_back(own.pair);
        links.lines.emplace_back(own.links);
    }
    return parseAlignmentPairs(pairs, links, 0);
}

struct AlignmentWords
{
    Q_DECLARE_TR_FUNCTIONS(attn::ui::AlignmentWords)
};

NamedLines linesOfFile(const QString& file)
{
    const std::string name = QFileInfo(file).fileName().toStdString();
    return {name, linesOf(readWholeFile(QFile::encodeName(file).toStdString(), Limit::Text), name)};
}

// "layer 1, head 3", "Norms, layer 1, head 3", "LRP".
QString readableSite(const AlignedBy& by)
{
    if (const auto* const choice = std::get_if<SiteChoice>(&by.site))
        return AlignmentWords::tr("layer %1, %2").arg(choice->site.layer).arg(headTitle(choice->head).toLower());
    const auto& site = std::get<ReadingSite>(by.site);
    QString name = readingName(site.array);
    if (site.layer)
        name += QStringLiteral(", ") + AlignmentWords::tr("layer %1").arg(*site.layer);
    if (site.head)
        name += QStringLiteral(", ") + AlignmentWords::tr("head %1").arg(*site.head);
    return name;
}

bool isShifted(const AlignedBy& by)
{
    return by.row == TokenRow::Reading;
}

ResultCell numberCell(double value, int decimals = 3)
{
    return {decimal(value, decimals), value};
}

ResultCell countCell(qint64 count)
{
    return {grouped(count), count};
}

// The error rate of every head: layers, read at either step, by heads, their mean and their maximum.
MatrixContent mapOfHeads(const AlignmentResult& result)
{
    MatrixContent content;
    content.title.title =
        result.hasGold() ? AlignmentWords::tr("Agreement with the links by hand") : AlignmentWords::tr("Confidence");
    content.valueName =
        result.hasGold() ? AlignmentWords::tr("1 − alignment error rate") : AlignmentWords::tr("confidence");
    std::vector<std::size_t> sites; // of cells, row by row
    int heads = 0;
    for (std::size_t i = 0; i < result.by.size(); ++i) {
        const auto* const choice = std::get_if<SiteChoice>(&result.by[i].site);
        if (choice == nullptr)
            continue;
        sites.push_back(i);
        heads = std::max(heads, choice->head.head().value_or(0) + 1);
        if (choice->head.head() == 0)
            content.rowLabels << AlignmentWords::tr("layer %1").arg(choice->site.layer)
                    + (isShifted(result.by[i]) ? QStringLiteral(", +1") : QString());
    }
    for (int head = 0; head < heads; ++head)
        content.columnLabels << QString::number(head);
    content.columnLabels << AlignmentWords::tr("mean") << AlignmentWords::tr("max");
    content.columnAxis = AlignmentWords::tr("head");
    content.map.numbers = Numbers::zeros(1, static_cast<Index>(content.rowLabels.size()), heads + 2);
    for (std::size_t cell = 0; cell < sites.size(); ++cell)
        content.map.numbers.values[cell] = static_cast<float>(
            result.hasGold() ? 1 - result.scores[sites[cell]].errorRate() : result.confidences[sites[cell]]);
    content.description = content.title.title;
    return content;
}

// Sentence pairs whose words a model's attention links: by every head and reading, against links by hand.
class AlignmentPage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(AlignmentPage)

public:
    explicit AlignmentPage(const LaboratoryContext& context)
        : LaboratoryPage(context,
                         tr("Links the words of sentence pairs by the attention of a translation model, by every head, "
                            "the mean and the maximum of each layer, and other readings, and counts how far they agree "
                            "with links by hand. Click a sentence to see it in the window."))
        , m_canvas(makeCanvas("alignmentMap", tr("Agreement of every head")))
        , m_sites(new ResultTable(
              "alignmentSites", tr("Alignment by head and reading"),
              {{"site", tr("Aligned by")},
               {"shift", tr("Step"),
                tr("+1: a word's row is that of the step at which the decoder reads it, one later than the step that "
                   "writes it (Chen et al. 2020)")},
               {"aer", tr("AER"), tr("Alignment error rate (Och and Ney 2003): 0 is best")},
               {"precision", tr("Precision"), tr("Share of the links found that are possible")},
               {"recall", tr("Recall"), tr("Share of the sure links that were found")},
               {"links", tr("Links")},
               {"confidence", tr("Confidence"), tr("Mean of the largest weight of a word")}}))
        , m_sentences(new ResultTable(
              "alignmentSentences", tr("Sentences"),
              {{"sentence", tr("No.")},
               {"source", tr("Source")},
               {"aer", tr("AER"), tr("Alignment error rate of the sentence: 0 is best")},
               {"confidence", tr("Confidence"), tr("Mean over target words of the largest weight")},
               {"coverage", tr("Coverage"),
                tr("How far source words get one word's weight in all: 0 is best (coverage deviation, "
                   "Rikters and Fishel 2017)")},
               {"absent", tr("Absent"), tr("Source words without a link")},
               {"repeated", tr("Repeated"), tr("Source words with several links")},
               {"absentminded_out", tr("Spread out"),
                tr("How little target words spread their weight: 0 is best (absentmindedness, Rikters and Fishel "
                   "2017)")},
               {"absentminded_in", tr("Spread in"), tr("The same of source words")},
               {"score", tr("Score"), tr("Sum of coverage and both spreads: 0 is best")}}))
        , m_ofSite(plainLabel())
    {
        keepFolder("laboratory/alignments");
        addControls();
        m_ofSite->setObjectName(QStringLiteral("alignmentOf"));
        auto* below = new QWidget; // as wide as the page, so that all columns are seen
        auto* layout = new QVBoxLayout(below);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_ofSite);
        layout->addWidget(m_sentences, 1);
        QSplitter* const above = split(Qt::Horizontal, {{m_canvas, 360, 2}, {m_sites, 620, 3}});
        setContent(split(Qt::Vertical, {{above, 300, 1}, {below, 300, 1}}));
        connect(m_sites, &ResultTable::chosen, this, [this](int row) { chooseSite(static_cast<std::size_t>(row)); });
        connect(m_sentences, &ResultTable::chosen, this, &AlignmentPage::openSentence);
        connect(m_canvas, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
            if (hit.isCell())
                chooseSite(siteOfCell(*hit.row, *hit.column));
        });
        connect(&jobs(), &JobRunner::busyChanged, this, &AlignmentPage::refresh);
        activateOnChanges();
    }

    void activate() override
    {
        if (m_pairsFile.isEmpty() && (!model() || model()->path != m_model)) {
            m_model.clear();
            forget();
            m_own = canAlign() ? pairsToBeginWith() : nullptr;
            if (m_own)
                start();
        }
        refresh();
    }

    std::optional<Exportable> exportable() const override
    {
        if (m_result.done.empty())
            return std::nullopt;
        return shown(figure(), [csv = m_sites->csv()] { return csv; });
    }

private:
    void addControls()
    {
        m_choosePairs = addControl({"alignmentPairs",
                                    tr("&Pairs…"),
                                    {},
                                    tr("A text file with a source, a tab and its translation on each line")},
                                   new QPushButton);
        m_chooseGold =
            addControl({"alignmentGold",
                        tr("&Links…"),
                        {},
                        tr("Links by hand, a line a pair: 0-1 links source word 0 and target word 1, 0?1 says "
                           "that they may be linked")},
                       new QPushButton);
        m_base = addNumber({"alignmentBase", tr("Fi&rst word"), tr("Number of the first word in the links")}, 0, 1, 0);
        setShown(m_base, false); // of a file of links
        m_readings = addTick({"alignmentReadings",
                              tr("Readings, &too"),
                              {},
                              tr("Norms, value zeroing, rollout, LRP and input gradients, which take longer")},
                             false);
        m_start = addControl({"startAlignment", tr("St&art")}, new QPushButton);
        m_saveLinks = addControl(
            {"saveLinks", tr("Save lin&ks…"), {}, tr("Links of all sentences by what is chosen, in Pharaoh format")},
            new QPushButton);
        m_saveTable =
            addControl({"saveSentences", tr("Save table…"), {}, tr("The table of sentences as comma-separated values")},
                       new QPushButton);
        connect(m_choosePairs, &QPushButton::clicked, this,
                [this] { choose(OpenKind::SentencePairs, m_pairsFile, *m_choosePairs); });
        connect(m_chooseGold, &QPushButton::clicked, this, [this] {
            choose(OpenKind::Links, m_goldFile, *m_chooseGold);
            setShown(m_base, !m_goldFile.isEmpty());
        });
        connect(m_start, &QPushButton::clicked, this, &AlignmentPage::start);
        connect(m_saveLinks, &QPushButton::clicked, this,
                [this] { save(tr("Save the links"), QStringLiteral(".txt"), links()); });
        connect(m_saveTable, &QPushButton::clicked, this,
                [this] { save(tr("Save the table"), QStringLiteral(".csv"), m_sentences->csv()); });
    }

    void choose(OpenKind kind, QString& file, QPushButton& button)
    {
        const QString chosen = chooseFile(kind);
        if (chosen.isEmpty())
            return;
        file = chosen;
        const QString name = QFileInfo(chosen).fileName();
        button.setText(menuText(button.fontMetrics().elidedText(name, Qt::ElideMiddle, longestFileName)));
        button.setAccessibleName(name);
        forget();
        refresh();
    }

    bool canAlign() const { return model() && lackOfAlignment(model()->info).empty(); }

    // Before a file is chosen: the program's own, or what the window shows, which has no links. Null: there are none.
    std::function<AlignmentPairs()> pairsToBeginWith() const
    {
        const std::vector<BundledModel> bundled = bundledModels();
        const auto known = std::ranges::find(bundled, model()->path.toStdString(), &BundledModel::name);
        if (known != bundled.end() && known->languages == std::vector<std::string>{"en", "fr"})
            return parseOwnPairs;
        const Trace& trace = context().study.trace();
        if (trace.hasOneText() || trace.source().text.empty() || trace.target().text.empty())
            return nullptr;
        return [pair = SentencePair{trace.source().text, trace.target().text}] { return AlignmentPairs{{pair}}; };
    }

    void forget()
    {
        jobs().cancel();
        m_result = {};
        m_chosen.reset();
        m_shownSite.reset();
    }

    void start()
    {
        forget();
        message().hide();
        m_model = model()->path;
        const auto read = [own = m_own, pairs = m_pairsFile, gold = m_goldFile, base = m_base->value()] {
            if (pairs.isEmpty())
                return own();
            return parseAlignmentPairs(linesOfFile(pairs),
                                       gold.isEmpty() ? std::nullopt : std::optional(linesOfFile(gold)), base);
        };
        const auto by = [readings = m_readings->isChecked()](const ModelInfo& info) {
            std::vector<AlignedBy> sites;
            for (const TokenRow row : {TokenRow::Predicting, TokenRow::Reading}) {
                std::ranges::copy(crossSites(info, row), std::back_inserter(sites));
                if (readings)
                    std::ranges::copy(alignedReadings(info, row), std::back_inserter(sites));
            }
            return sites;
        };
        Question question = context().question();
        question.edits.clear(); // of the sentence on show
        carryOut(jobs(), AlignmentExperiment({std::move(question), read, by}),
                 std::mem_fn(&AlignmentExperiment::result), [this](const AlignmentResult& result) {
                     if (m_result.by.empty() && !result.by.empty())
                         m_sites->sortByColumn(result.hasGold() ? aerColumn : confidenceColumn,
                                               result.hasGold() ? Qt::AscendingOrder : Qt::DescendingOrder);
                     m_result = result;
                     refresh();
                     if (result.failed > 0)
                         message().showNote(
                             tr("%1 without links, which the model does not read: %2")
                                 .arg(result.failed == 1 ? tr("1 sentence") : tr("%1 sentences").arg(result.failed),
                                      text(result.problem)));
                 });
        refresh();
    }

    // Site of the table of sentences; none: nothing is known yet.
    std::optional<std::size_t> site() const
    {
        if (m_result.done.empty() || m_result.by.empty())
            return std::nullopt;
        if (m_chosen)
            return m_chosen;
        if (const auto best = m_result.best())
            return best;
        return std::ranges::max_element(m_result.confidences) - m_result.confidences.begin();
    }

    void chooseSite(std::size_t site)
    {
        if (site >= m_result.by.size())
            return;
        m_chosen = site;
        refresh();
    }

    std::size_t siteOfCell(int row, int column) const
    {
        const int columns = m_canvas->figure() == nullptr ? 0 : m_canvas->figure()->columns();
        int cell = row * columns + column;
        for (std::size_t i = 0; i < m_result.by.size(); ++i) {
            if (std::holds_alternative<SiteChoice>(m_result.by[i].site) && cell-- == 0)
                return i;
        }
        return m_result.by.size();
    }

    // In the window, with its links by hand, seen by what is chosen.
    void openSentence(int row)
    {
        const auto site = this->site();
        if (!site)
            return;
        const auto number = static_cast<std::size_t>(row);
        const SentencePair pair = m_result.pairs->pairs.at(number);
        context().study.setGold(m_result.hasGold() ? std::make_shared<const GoldTexts>(
                                    GoldTexts{pair.source, pair.reference, m_result.pairs->gold.at(number)})
                                                   : nullptr);
        context().study.edit([&](Question& question) {
            question.model = m_model.toStdString();
            question.text = pair.source;
            question.secondText.reset();
            question.sourceIds.reset();
            question.targetIds.reset();
            question.targetText = pair.reference;
        });
        const AlignedBy& by = m_result.by[*site];
        if (const auto* const choice = std::get_if<SiteChoice>(&by.site))
            context().selection.setSiteAndHead(choice->site, choice->head);
        else
            openReading(std::get<ReadingSite>(by.site));
        context().controller.ask(context().study.question());
    }

    // Seen in the window; of all output tokens where it explains one.
    void openReading(const ReadingSite& site)
    {
        const Reading* const reading = readingOfArray(site.array);
        if (reading == nullptr || !model())
            return;
        const ReadingAbout about{.of = {}, .all = reading->of == ReadingOf::Tokens, .against = {}};
        context().selection.setSiteAndHead({Stage::Cross, site.layer.value_or(model()->info.crossLayers - 1)},
                                           {*reading, site.head});
        context().selection.setAbout(about);
    }

    QByteArray links() const
    {
        std::string lines;
        for (const auto& pair : m_result.done)
            lines += pair->by[site().value_or(0)].links + '\n';
        return QByteArray::fromStdString(lines);
    }

    // Written beside the runs of the window, which never waits for a disk.
    void save(const QString& title, const QString& ending, const QByteArray& bytes)
    {
        const QString name =
            m_pairsFile.isEmpty() ? QStringLiteral("pairs") : QFileInfo(m_pairsFile).completeBaseName();
        const QString proposal = QDir(folder()).filePath(name + ending);
        const QString path = context().dialogs.saveText(this, {title, proposal, QStringLiteral("*") + ending, ending});
        if (path.isEmpty())
            return;
        jobs().start(
            [path, bytes](JobTools&) {
                AtomicFile file(QFile::encodeName(path).toStdString());
                file.write(bytes.toStdString());
                file.commit();
                return false;
            },
            [this, path] { message().showNote(tr("Saved %1").arg(path)); });
    }

    ResultCell siteCell(std::size_t site, int column) const
    {
        const AlignedBy& by = m_result.by[site];
        const AlignmentScore& score = m_result.scores[site];
        const QString reason = text(m_result.absent[site]);
        if (column == 0)
            return {readableSite(by), readableSite(by), reason.isEmpty() ? text(by.name()) : reason, !reason.isEmpty()};
        if (column == 1)
            return {isShifted(by) ? QStringLiteral("+1") : QStringLiteral("0"), isShifted(by) ? 1 : 0};
        if (!reason.isEmpty())
            return {{}, {}, reason};
        if (column == confidenceColumn)
            return numberCell(m_result.confidences[site]);
        if (column == linksColumn && m_result.hasGold())
            return countCell(score.found);
        if (!m_result.hasGold())
            return {};
        return column == aerColumn       ? numberCell(score.errorRate())
            : column == precisionColumn  ? numberCell(score.precision())
            : score.recall().has_value() ? numberCell(*score.recall())
                                         : ResultCell();
    }

    ResultCell sentenceCell(std::size_t sentence, std::size_t site, int column) const
    {
        const AlignedPair& pair = *m_result.done[sentence];
        const PairLinks& links = pair.by[site];
        const AlignmentMeasures& measures = links.measures;
        const QString source = text(m_result.pairs->pairs[sentence].source);
        const QString problem = text(pair.problem);
        switch (column) {
        case 0:
            return countCell(static_cast<qint64>(sentence) + 1);
        case 1:
            return {shortened(source), source,
                    problem.isEmpty() ? source + QLatin1Char('\n') + text(m_result.pairs->pairs[sentence].reference)
                                      : problem,
                    !problem.isEmpty()};
        case 2:
            return m_result.hasGold() ? numberCell(links.score.errorRate()) : ResultCell();
        default:
            break;
        }
        if (!problem.isEmpty())
            return {{}, {}, problem};
        const double values[] = {measures.confidence, measures.coverage, 0, 0, measures.absentOut,
                                 measures.absentIn,   measures.score()};
        return column == 5 ? countCell(measures.absent)
            : column == 6  ? countCell(measures.repeated)
                           : numberCell(values[column - 3]);
    }

    QString reason() const
    {
        if (!model())
            return tr("Open a translation model to align words by; an archive holds none.");
        if (const std::string lack = lackOfAlignment(model()->info); !lack.empty())
            return model()->info.kind == ModelKind::EncoderDecoder
                ? tr("This model has no attention to align with.")
                : tr("This model does not turn one text into another: open a translation model.");
        if (busy())
            return tr("Reading the sentences…");
        return m_pairsFile.isEmpty()
            ? tr("Choose a text file with a source, a tab and its translation on each line, and links by hand if there "
                 "are any, and start.")
            : tr("Press Start.");
    }

    void refresh()
    {
        m_start->setEnabled(canAlign() && (!m_pairsFile.isEmpty() || m_own));
        m_start->setText(jobs().busy() || !m_result.done.empty() ? tr("Start &again") : tr("St&art"));
        m_saveLinks->setEnabled(!jobs().busy() && !m_result.done.empty());
        m_saveTable->setEnabled(m_saveLinks->isEnabled());
        const auto site = this->site();
        const bool grows = site == std::exchange(m_shownSite, site);
        m_sites->show(indexSize(m_result.done) == 0 ? 0 : indexSize(m_result.by),
                      [this](int row, int column) { return siteCell(static_cast<std::size_t>(row), column); });
        m_sentences->show(
            indexSize(m_result.done),
            [this](int row, int column) {
                return sentenceCell(static_cast<std::size_t>(row), m_shownSite.value_or(0), column);
            },
            grows);
        m_sites->setChosen(site ? std::optional(static_cast<int>(*site)) : std::nullopt);
        m_ofSite->setText(site ? tr("Sentences, aligned by %1").arg(nameOf(*site)) : QString());
        redraw();
    }

    QString nameOf(std::size_t site) const
    {
        const QString name = readableSite(m_result.by[site]);
        return isShifted(m_result.by[site]) ? tr("%1, one step later").arg(name) : name;
    }

    FigureLayout figure() const
    {
        if (m_result.done.empty())
            return emptyFigure(look(), reason());
        MatrixContent content = mapOfHeads(m_result);
        content.title.subtitle = m_pairsFile.isEmpty()
            ? tr("%1, pairs to begin with: choose a file of your own").arg(modelLabel(m_model))
            : modelLabel(m_model);
        return [spec = look(), content](QSizeF size) { return std::make_unique<MatrixFigure>(spec, content, size); };
    }

    void redraw() override
    {
        m_canvas->setFigure(figure());
        const auto best = m_result.best();
        if (!best || m_result.done.empty())
            return say({});
        const AlignmentScore& score = m_result.scores[*best];
        say(tr("%1 aligns best: an alignment error rate of %2, precision %3, recall %4, over %5.")
                .arg(capitalized(nameOf(*best)), decimal(score.errorRate(), 3), decimal(score.precision(), 3),
                     score.recall() ? decimal(*score.recall(), 3) : QStringLiteral("–"),
                     m_result.done.size() == 1 ? tr("1 sentence") : tr("%1 sentences").arg(m_result.done.size())));
    }

    static constexpr int aerColumn = 2;
    static constexpr int precisionColumn = 3;
    static constexpr int linksColumn = 5;
    static constexpr int confidenceColumn = 6;

    QPushButton* m_choosePairs = nullptr;
    QPushButton* m_chooseGold = nullptr;
    QSpinBox* m_base = nullptr;
    QCheckBox* m_readings = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_saveLinks = nullptr;
    QPushButton* m_saveTable = nullptr;
    FigureCanvas* m_canvas = nullptr;
    ResultTable* m_sites = nullptr;
    ResultTable* m_sentences = nullptr;
    QLabel* m_ofSite = nullptr;
    QString m_pairsFile;
    std::function<AlignmentPairs()> m_own; // in its place; null: there are none
    QString m_goldFile; // empty: there are no links by hand
    QString m_model; // that aligns
    AlignmentResult m_result;
    std::optional<std::size_t> m_chosen; // site; none: the best
    std::optional<std::size_t> m_shownSite; // in the table of sentences
};

} // namespace

LaboratoryPage* makeAlignmentPage(const LaboratoryContext& context)
{
    return new AlignmentPage(context);
}

} // namespace attn::ui
