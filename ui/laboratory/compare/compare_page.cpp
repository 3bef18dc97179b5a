// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/compare/compare_page.h"

#include "figures/look/decimal.h"
#include "panels/elided_combo_box.h"
#include "panels/model_label.h"

#include <QFileInfo>
#include <QScrollArea>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

const auto modelsKey = QStringLiteral("laboratory/compare");

// The walk from one vector for a sentence to the Transformer, as far as the models are there; the last stands in for
// one that is not.
const char* const walk[] = {"rnn-no-attention-en-fr", "rnnsearch-en-fr", "luong-local-p-en-fr", "transformer-en-fr",
                            "luong-general-en-fr"};

// What the inference thread works through, a model at a time.
struct Task
{
    std::vector<std::string> models;
    Question question;
    bool sameOutput = false; // what the first model writes is forced on the others
    std::size_t next = 0;
};

ComparedRun runNext(Task& task, JobTools& tools)
{
    ComparedRun result;
    const std::string& path = task.models[task.next];
    result.name = QFileInfo(QString::fromStdString(path)).fileName();
    try {
        const auto model = tools.models.load(path, tools.engine, {}, tools.stop);
        result.name = QString::fromStdString(model->name);
        Question question = task.question;
        question.model = path;
        if (!model->tokenizers.source)
            throw Error(ErrorKind::Input, model->name, "has no tokenizer, so it cannot read the sentence");
        result.trace = answer(fitted(std::move(question), *model), *model, tools.engine, {tools.stop});
        const ModelInfo& info = model->model->info();
        if (info.hasSite(info.bestSite))
            result.site = info.bestSite;
        if (task.sameOutput && task.next == 0 && info.kind == ModelKind::EncoderDecoder)
            task.question.targetText = result.trace->target().text;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
        result.problem = QString::fromStdString(error.problem());
    }
    ++task.next;
    return result;
}

} // namespace

ComparePage::ComparePage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(
        context,
        tr("One sentence through two to four models. All read the same words, in columns, and are coloured "
           "on one scale; the rows are what each of them writes. Point at a word to find it everywhere."),
        parent)
    , m_canvas(new FigureCanvas)
{
    m_canvas->setObjectName(QStringLiteral("compareCanvas"));
    m_canvas->setAccessibleName(tr("Attention of the compared models"));
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(sentenceRow());
    layout->addWidget(modelRow());
    layout->addWidget(viewRow());
    layout->addWidget(notes());
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_canvas);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(scroll, 1);
    setContent(content);
    fillModels();
    connect(m_canvas, &FigureCanvas::hovered, this, [this](const FigureHit& hit) { Q_EMIT hovered(hit.text); });
    connect(&this->context().appearance, &Appearance::changed, this, &ComparePage::show);
    connect(&jobs(), &JobRunner::busyChanged, m_run, [this](bool busy) { m_run->setEnabled(!busy); });
    connect(
        &jobs(), &JobRunner::busyChanged, this,
        [this](bool busy) {
            if (!busy)
                sayWhatWasNotRun();
        },
        Qt::QueuedConnection); // after the last result
}

QWidget* ComparePage::sentenceRow()
{
    m_sentence = new QLineEdit;
    m_sentence->setObjectName(QStringLiteral("compareSentence"));
    m_sentence->setAccessibleName(tr("Sentence"));
    m_sentence->setPlaceholderText(tr("A sentence for all models"));
    m_run = new QPushButton(tr("&Run"));
    m_run->setObjectName(QStringLiteral("compareRun"));
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_run);
    connect(m_sentence, &QLineEdit::returnPressed, this, &ComparePage::run);
    connect(m_run, &QPushButton::clicked, this, &ComparePage::run);
    return row;
}

QWidget* ComparePage::modelRow()
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (int i = 0; i < slotCount; ++i) {
        auto* box = new ElidedComboBox;
        box->setObjectName(QStringLiteral("compareModel%1").arg(i));
        box->setAccessibleName(tr("Model %1").arg(i + 1));
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        m_models.at(static_cast<std::size_t>(i)) = box;
        layout->addWidget(box, 1);
        connect(box, &QComboBox::activated, this, &ComparePage::run);
    }
    return row;
}

QWidget* ComparePage::viewRow()
{
    m_view = new QComboBox;
    m_view->setObjectName(QStringLiteral("compareView"));
    m_view->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_view->setAccessibleName(tr("Side by side or a difference"));
    m_sameOutput = new QCheckBox(tr("All write what the &first one writes"));
    m_sameOutput->setObjectName(QStringLiteral("sameOutput"));
    m_sameOutput->setToolTip(tr("Forces the first model's output on the others, so that their rows can be compared"));
    auto* name = new QLabel(tr("&Show"));
    name->setBuddy(m_view);
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(name);
    layout->addWidget(m_view);
    layout->addSpacing(12);
    layout->addWidget(m_sameOutput);
    layout->addStretch(1);
    fillViews();
    connect(m_view, &QComboBox::currentIndexChanged, this, &ComparePage::show);
    connect(m_sameOutput, &QCheckBox::toggled, this, &ComparePage::run);
    return row;
}

// Bundled models and what was opened lately; what was chosen before, else the walk.
void ComparePage::fillModels()
{
    QStringList paths;
    const std::vector<BundledModel> bundled = bundledModels();
    for (const BundledModel& model : bundled)
        paths << QString::fromStdString(model.name);
    for (const QString& recent : context().document.recent()) {
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
    auto task = std::make_shared<Task>();
    for (const QString& path : models)
        task->models.push_back(path.toStdString());
    task->question = context().question();
    task->question.text = sentence.toStdString();
    task->question.secondText.reset();
    task->question.sourceIds.reset();
    task->sameOutput = m_sameOutput->isChecked();
    if (task->sameOutput)
        task->question.targetText.reset();
    m_runs.assign(static_cast<std::size_t>(models.size()), {});
    for (int i = 0; i < models.size(); ++i)
        m_runs[static_cast<std::size_t>(i)] = {QFileInfo(models[i]).fileName(), {}, {}, tr("Not run yet"), true};
    m_ran = models;
    fillViews();
    say({});
    jobs().start(
        [this, task](JobTools& tools) {
            const auto count = static_cast<double>(task->models.size());
            tools.progress(QString::fromStdString(task->models[task->next]), static_cast<double>(task->next) / count);
            const std::size_t index = task->next;
            ComparedRun result = runNext(*task, tools);
            tools.publish([this, index, result = std::move(result)] { take(index, result); });
            return task->next < task->models.size();
        },
        [this] { describe(); });
}

void ComparePage::take(std::size_t index, ComparedRun run)
{
    m_runs.at(index) = std::move(run);
    fillViews();
    m_comparison = std::make_shared<const Comparison>(comparisonOf(m_runs));
    show();
}

// After a cancelled comparison.
void ComparePage::sayWhatWasNotRun()
{
    if (jobs().busy())
        return;
    bool missing = false;
    for (ComparedRun& run : m_runs) {
        if (std::exchange(run.waiting, false)) {
            run.problem = tr("Not run: the comparison was cancelled");
            missing = true;
        }
    }
    if (!missing)
        return;
    fillViews();
    m_comparison = std::make_shared<const Comparison>(comparisonOf(m_runs));
    show();
}

// Side by side, then every pair of models that attend to something, as far as that is known.
void ComparePage::fillViews()
{
    const auto compared = [](const ComparedRun& run) { return run.trace ? run.site.has_value() : run.waiting; };
    const QSignalBlocker blocker(m_view);
    const QVariant before = m_view->currentData();
    m_view->clear();
    m_view->addItem(tr("Side by side"));
    for (std::size_t a = 0; a < m_runs.size(); ++a) {
        for (std::size_t b = a + 1; b < m_runs.size(); ++b) {
            if (compared(m_runs[a]) && compared(m_runs[b]))
                m_view->addItem(m_runs[a].name + QStringLiteral(" \u2212 ") + m_runs[b].name,
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

void ComparePage::show()
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
