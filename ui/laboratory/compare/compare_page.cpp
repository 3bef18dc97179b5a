// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/compare/compare_page.h"

#include "figures/look/decimal.h"
#include "panels/model_picker.h"

#include <QFileInfo>
#include <QScrollArea>
#include <QSettings>

#include <algorithm>
#include <functional>
#include <utility>

namespace attn::ui {

namespace {

const auto modelsKey = QStringLiteral("laboratory/compare");

// The walk from one vector for a sentence to the Transformer, as far as the models are there; the last stands in for
// one that is not.
const char* const walk[] = {"rnn-no-attention-en-fr", "rnnsearch-en-fr", "luong-local-p-en-fr", "transformer-en-fr",
                            "luong-general-en-fr"};

} // namespace

ComparePage::ComparePage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(
        context,
        tr("One sentence through two to four models. All read the same words, in columns, and are coloured "
           "on one scale; the rows are what each of them writes. Point at a word to find it everywhere."),
        parent)
    , m_canvas(makeCanvas("compareCanvas", tr("Attention of the compared models")))
{
    addSentence();
    addControlRow();
    addModels();
    addControlRow();
    addViews();
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_canvas);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setContent(scroll);
    fillModels();
    connect(&jobs(), &JobRunner::busyChanged, m_run, [this](bool busy) { m_run->setEnabled(!busy); });
    connect(
        &jobs(), &JobRunner::busyChanged, this,
        [this](bool busy) {
            if (!busy)
                sayWhatWasNotRun();
        },
        Qt::QueuedConnection); // after the last result
}

void ComparePage::addSentence()
{
    m_sentence = new QLineEdit;
    m_sentence->setObjectName(QStringLiteral("compareSentence"));
    m_sentence->setAccessibleName(tr("Sentence"));
    m_sentence->setPlaceholderText(tr("A sentence for all models"));
    m_run = new QPushButton(tr("&Run"));
    m_run->setObjectName(QStringLiteral("compareRun"));
    controls().addWidget(m_sentence, 1);
    controls().addWidget(m_run);
    connect(m_sentence, &QLineEdit::returnPressed, this, &ComparePage::run);
    connect(m_run, &QPushButton::clicked, this, &ComparePage::run);
}

void ComparePage::addModels()
{
    for (int i = 0; i < slotCount; ++i) {
        auto* box = new ElidedComboBox;
        box->setObjectName(QStringLiteral("compareModel%1").arg(i));
        box->setAccessibleName(tr("Model %1").arg(i + 1));
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        m_models.at(static_cast<std::size_t>(i)) = box;
        controls().addWidget(box, 1);
        connect(box, &QComboBox::activated, this, &ComparePage::run);
    }
}

void ComparePage::addViews()
{
    m_view = new QComboBox;
    m_view->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_view->setAccessibleName(tr("Side by side or a difference"));
    m_sameOutput = new QCheckBox(tr("All write what the &first one writes"));
    m_sameOutput->setObjectName(QStringLiteral("sameOutput"));
    m_sameOutput->setToolTip(tr("Forces the first model's output on the others, so that their rows can be compared"));
    addControl(tr("&Show"), m_view, "compareView");
    controls().addSpacing(12);
    controls().addWidget(m_sameOutput);
    controls().addStretch(1);
    fillViews();
    connect(m_view, &QComboBox::currentIndexChanged, this, &ComparePage::redraw);
    connect(m_sameOutput, &QCheckBox::toggled, this, &ComparePage::run);
}

// Bundled models and what was opened lately; what was chosen before, else the walk.
void ComparePage::fillModels()
{
    QStringList paths;
    const std::vector<BundledModel> bundled = bundledModels();
    for (const BundledModel& model : bundled)
        paths << QString::fromStdString(model.name);
    for (const QString& recent : context().study.recent()) {
        if (!recent.endsWith(QStringLiteral(".npz")) && !recent.endsWith(QStringLiteral(".json")))
            paths << recent;
    }
    if (const QString open = context().model(); !open.isEmpty() && !paths.contains(open))
        paths << open;
    QStringList preferred = QSettings().value(modelsKey).toStringList();
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
        QComboBox& box = *m_models.at(static_cast<std::size_t>(i));
        const QSignalBlocker blocker(box);
        box.clear();
        if (i >= 2)
            box.addItem(tr("(none)"), QString());
        for (const QString& path : paths) {
            const auto model = std::ranges::find(bundled, path.toStdString(), &BundledModel::name);
            const bool isOurs = model != bundled.end();
            box.addItem(isOurs ? modelLabel(*model) : QFileInfo(path).fileName(), path);
            box.setItemData(box.count() - 1, isOurs ? modelTip(*model) : path, Qt::ToolTipRole);
        }
        box.setCurrentIndex(std::max(0, box.findData(preferred.value(i))));
    }
}

QStringList ComparePage::chosen() const
{
    QStringList paths;
    for (const QComboBox* box : m_models) {
        if (const QString path = box->currentData().toString(); !path.isEmpty())
            paths << path;
    }
    return paths;
}

void ComparePage::activate()
{
    // A sentence that was typed here stays until another one is typed in the window.
    const QString typed = sentenceOnShow(context());
    const bool another = typed != std::exchange(m_taken, typed);
    if (another && !typed.trimmed().isEmpty())
        m_sentence->setText(typed);
    if (another || !m_comparison)
        run();
}

void ComparePage::run()
{
    const QString sentence = m_sentence->text();
    const QStringList models = chosen();
    if (sentence.trimmed().isEmpty() || models.size() < 2)
        return say(tr("Type a sentence and choose at least two models."));
    QSettings().setValue(modelsKey, models);
    std::vector<std::string> paths;
    for (const QString& path : models)
        paths.push_back(path.toStdString());
    Question question = context().question();
    question.text = sentence.toStdString();
    question.secondText.reset();
    question.sourceIds.reset();
    const bool sameOutput = m_sameOutput->isChecked();
    if (sameOutput)
        question.targetText.reset();
    ComparisonExperiment experiment(paths, std::move(question), sameOutput);
    m_runs = experiment.runs();
    fillViews();
    say({});
    carryOut(jobs(), std::move(experiment), std::mem_fn(&ComparisonExperiment::runs),
             [this](const std::vector<ComparedRun>& runs) { take(runs); });
}

void ComparePage::take(const std::vector<ComparedRun>& runs)
{
    m_runs = runs;
    fillViews();
    m_comparison = std::make_shared<const Comparison>(comparisonOf(m_runs));
    redraw();
}

// After a cancelled comparison.
void ComparePage::sayWhatWasNotRun()
{
    if (jobs().busy())
        return;
    std::vector<ComparedRun> runs = m_runs;
    for (ComparedRun& run : runs) {
        if (run.state == ComparedState::Waiting)
            run.state = ComparedState::Cancelled;
    }
    take(runs);
}

// Side by side, then every pair of models that attend to something, as far as that is known.
void ComparePage::fillViews()
{
    const auto compared = [](const ComparedRun& run) {
        return run.trace ? run.site.has_value() : run.state == ComparedState::Waiting;
    };
    const QSignalBlocker blocker(m_view);
    const QVariant before = m_view->currentData();
    m_view->clear();
    m_view->addItem(tr("Side by side"));
    for (std::size_t a = 0; a < m_runs.size(); ++a) {
        for (std::size_t b = a + 1; b < m_runs.size(); ++b) {
            if (compared(m_runs[a]) && compared(m_runs[b]))
                m_view->addItem(QString::fromStdString(m_runs[a].name + " \u2212 " + m_runs[b].name),
                                QPoint(static_cast<int>(a), static_cast<int>(b)));
        }
    }
    m_view->setCurrentIndex(before.isValid() ? std::max(0, m_view->findData(before)) : 0);
}

FigureLayout ComparePage::layOut() const
{
    if (!m_comparison)
        return {};
    const auto pair = m_view->currentData();
    return [comparison = m_comparison, spec = look(), differs = pair.isValid(),
            which = pair.toPoint()](QSizeF size) -> std::unique_ptr<const Figure> {
        if (differs)
            return layOutDifference(*comparison, which.x(), which.y(), spec, size);
        return layOutComparison(*comparison, spec, size);
    };
}

// The figure scrolls where its rows would have no room for their names.
void ComparePage::fitHeight()
{
    if (m_comparison)
        m_canvas->setMinimumHeight(m_view->currentData().isValid() ? 0 : leastHeight(*m_comparison, m_canvas->width()));
}

void ComparePage::resizeEvent(QResizeEvent* event)
{
    LaboratoryPage::resizeEvent(event);
    fitHeight();
}

void ComparePage::redraw()
{
    if (auto layout = layOut()) {
        fitHeight();
        m_canvas->setFigure(std::move(layout));
    }
    describe();
}

// A result in words.
void ComparePage::describe()
{
    if (!m_comparison || jobs().busy())
        return say({});
    const auto pair = m_view->currentData();
    if (!pair.isValid())
        return say({});
    const auto difference = differenceOf(*m_comparison, pair.toPoint().x(), pair.toPoint().y());
    if (difference.map.rows == 0)
        return say({});
    say(tr("On the words that both write, %1 of the attention lies elsewhere (0: the same map, 100: nothing in "
           "common).")
            .arg(percent(difference.variation)));
}

std::optional<Exportable> ComparePage::exportable() const
{
    auto layout = layOut();
    if (!layout)
        return std::nullopt;
    const auto pair = m_view->currentData();
    return Exportable{title(),
                      look().theme,
                      std::move(layout),
                      [comparison = m_comparison, differs = pair.isValid(), which = pair.toPoint()] {
                          return differs ? differenceCsv(*comparison, which.x(), which.y())
                                         : comparisonCsv(*comparison);
                      },
                      {}};
}

} // namespace attn::ui
