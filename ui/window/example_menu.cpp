// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/example_menu.h"

#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "loading/model_loader.h"
#include "panels/controls.h"
#include "question/question.h"
#include "state/strings.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

constexpr qsizetype longestOutput = 60; // characters of it

// Titles of bundled cards.
[[maybe_unused]] constexpr const char* titles[] = {QT_TRANSLATE_NOOP("attn::ui", "word order: European Economic Area")};

// By what it shows.
QString labelOf(const ModelExample& example)
{
    const QString text = example.file.empty() ? QString::fromStdString(example.text)
                                              : QFileInfo(QString::fromStdString(example.file))
                                                    .completeBaseName()
                                                    .replace(QLatin1Char('-'), QLatin1Char(' '));
    const QString title = example.title.empty() ? QString() : translated(example.title.c_str());
    if (const auto& shown = example.attention) {
        const QString look = ExampleMenu::tr("%1 → %2 %3", "a word looks at another, weight")
                                 .arg(QString::fromStdString(shown->query), QString::fromStdString(shown->key),
                                      decimal(shown->weight, 2));
        return (title.isEmpty() ? look : title) + QStringLiteral(" – ") + (title.isEmpty() ? text : look);
    }
    if (!title.isEmpty())
        return title;
    QString output = QString::fromStdString(example.output);
    if (output.size() > longestOutput)
        output = output.left(longestOutput) + QChar(u'…');
    return output.isEmpty() ? text : ExampleMenu::tr("%1 – gives “%2”").arg(text, output);
}

std::optional<ModelExample> openingOf(const BundledModel& model)
{
    const auto examples =
        model.task == ModelTask::Translation ? std::vector<ModelExample>() : readModelCard(model.directory).examples;
    const bool hasText = !examples.empty() && examples.front().file.empty() && !examples.front().text.empty();
    return hasText ? std::optional(examples.front()) : std::nullopt;
}

} // namespace

std::optional<ModelExample> openingExample(const std::string& model)
{
    const auto carded = cardedModel(model);
    return carded ? openingOf(*carded) : std::nullopt;
}

bool isOpeningText(const std::string& text)
{
    return text == usualQuestion().text || std::ranges::any_of(bundledModels(), [&text](const BundledModel& model) {
               const auto example = openingOf(model);
               return example && example->text == text;
           });
}

ExampleMenu::ExampleMenu(const Parts& parts, QWidget* parent)
    : QMenu(tr("E&xamples"), parent)
    , m_parts(parts)
{
    setObjectName(QStringLiteral("examplesMenu"));
    setIcon(themedIcon(QStringLiteral("examples")));
    connect(&parts.study, &Study::modelChanged, this, &ExampleMenu::list);
    connect(
        &parts.controller, &RunController::finished, this,
        [this] {
            const auto asked = m_parts.controller.busy() ? std::nullopt : std::exchange(m_asked, std::nullopt);
            if (asked && asked->attention && m_parts.study.asked() && m_parts.study.asked()->text == asked->text)
                show(*asked->attention);
            if (!asked)
                askFirstFile();
            const auto opening = m_parts.controller.busy() ? std::nullopt : std::exchange(m_opening, std::nullopt);
            if (asked || !opening || !opening->attention || !m_parts.study.asked())
                return;
            if (m_parts.study.asked()->text == opening->text)
                select(*opening->attention);
            else if (isFirstLook() && m_parts.study.trace().heads(opening->attention->site.site) > 0)
                m_parts.selection.setSiteAndHead(opening->attention->site.site, opening->attention->site.head);
        },
        Qt::QueuedConnection); // once all others know that it has ended
    const auto forget = [this] {
        if (!m_parts.controller.busy()) // with what is asked instead
            m_asked.reset();
    };
    connect(&parts.controller, &RunController::failed, this, forget);
    connect(&parts.controller, &RunController::cancelled, this, forget, Qt::QueuedConnection);
    list();
}

// Whether the model has answered for the first time, and nobody has chosen a head.
bool ExampleMenu::isFirstLook() const
{
    const Study& study = m_parts.study;
    const Selection& selection = m_parts.selection;
    return std::ranges::count(study.runs().runs(), study.opened(), &Run::opened) == 1 && study.model()
        && selection.site() == study.model()->info.bestSite && selection.head() == HeadReading(meanOfHeads);
}

void ExampleMenu::list()
{
    clear();
    m_first.reset();
    const auto model = cardedModel(m_parts.study.opened().toStdString());
    m_opening = model ? openingOf(*model) : std::nullopt;
    for (const ModelExample& example : model ? readModelCard(model->directory).examples : std::vector<ModelExample>()) {
        if (!m_first && !example.file.empty())
            m_first = example;
        addAction(menuText(labelOf(example)), this, [this, example] { ask(example); });
    }
    setEnabled(!isEmpty());
}

// As it was asked for the card: greedily, with nothing that was chosen for another sentence.
void ExampleMenu::ask(const ModelExample& example)
{
    const auto& model = m_parts.study.model();
    const bool hears = model && model->info.input == InputKind::Sound;
    m_parts.study.edit([&example, hears](Question& question) {
        Question asked = usualQuestion();
        asked.model = question.model;
        asked.text = example.file.empty() ? example.text : question.text; // which another model reads
        if (!example.file.empty())
            (hears ? asked.audio : asked.image) = example.file;
        asked.precision = question.precision;
        question = std::move(asked);
    });
    m_asked = example;
    m_parts.running.run();
}

// A model of pictures or sounds that was opened with none shows what it does.
void ExampleMenu::askFirstFile()
{
    const auto& model = m_parts.study.model();
    if (!model || m_parts.controller.busy() || !m_first)
        return;
    const Question& edited = m_parts.study.edited();
    if (model->info.input == InputKind::Sound ? !edited.audio : model->info.readsPictures() && !edited.image)
        ask(*m_first);
}

// The first token of the word that looks, where its attention is selected.
std::optional<int> ExampleMenu::select(const ExampleWeight& weight)
{
    const Trace& trace = m_parts.study.trace();
    if (trace.heads(weight.site.site) == 0)
        return std::nullopt;
    m_parts.selection.setSiteAndHead(weight.site.site, weight.site.head);
    FigureSpec spec = m_parts.views.current().spec();
    spec.words = true;
    const Map axes = mapAxes(trace, spec.mapSpec());
    const auto row = axisLabels(axes.rows).indexOf(QString::fromStdString(weight.query));
    if (row < 0)
        return std::nullopt;
    const int first = axes.rows.groups[static_cast<std::size_t>(row)].first;
    if (trace.hasRowsOfSteps(weight.site.site))
        m_parts.selection.setStep(first);
    return first;
}

void ExampleMenu::show(const ExampleWeight& weight)
{
    m_parts.views.showView(QStringLiteral("arcs"));
    const auto first = select(weight);
    if (!first)
        return;
    m_parts.appearance.choose([first](FigureChoices& choices) {
        choices.picked = {*first};
        choices.shading = Shading::AttendedTo;
    });
}

} // namespace attn::ui
