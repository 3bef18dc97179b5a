// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/length/length_page.h"

#include "base/error.h"
#include "loading/length_scores.h"
#include "panels/model_picker.h"
#include "window/dialogs.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QSignalBlocker>
#include <QSplitter>

#include <functional>
#include <utility>

namespace attn::ui {

namespace {

const auto folderKey = QStringLiteral("laboratory/pairs");

} // namespace

LengthPage::LengthPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(
        context,
        tr("A model without attention must put a whole sentence into one vector, and the longer the sentence, the more "
           "is lost. With attention the decoder looks back at every word. The longer the sentences of a file, the more "
           "can be seen."),
        parent)
    , m_models(new QListWidget)
    , m_stack(new QStackedWidget)
    , m_empty(new QLabel)
    , m_chart(new LengthChart)
{
    buildControls();
    m_models->setObjectName(QStringLiteral("lengthModels"));
    m_models->setAccessibleName(tr("Models to compare"));
    m_models->setSpacing(2);
    m_empty->setObjectName(QStringLiteral("lengthEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::PlainText);
    m_stack->addWidget(m_chart);
    m_stack->addWidget(m_empty);
    auto* content = new QSplitter;
    content->addWidget(m_stack);
    content->addWidget(m_models);
    content->setStretchFactor(0, 1);
    content->setStretchFactor(1, 0);
    content->setSizes({700, 180});
    content->setChildrenCollapsible(false);
    setContent(content);
    connect(m_chart, &LengthChart::pointed, this, &LaboratoryPage::hovered);
    connect(m_models, &QListWidget::itemChanged, this, [this] {
        enableControls();
        redraw();
    });
    connect(&jobs(), &JobRunner::busyChanged, this, &LengthPage::enableControls);
    connect(&context.study, &Study::modelChanged, this, [this] {
        if (isVisible())
            activate();
    });
}

void LengthPage::buildControls()
{
    m_origin = new QComboBox;
    m_origin->setAccessibleName(tr("Where the numbers come from"));
    m_origin->addItems({tr("From the model cards"), tr("Measured on a file")});
    addControl(tr("&Numbers"), m_origin, "lengthOrigin");
    m_measure = new QComboBox;
    m_measure->setAccessibleName(tr("Measure"));
    m_measure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_measure->setMinimumContentsLength(12);
    m_measure->addItems({tr("BLEU"), tr("Log probability per token")});
    addControl(tr("&Measure"), m_measure, "lengthMeasure");
    m_choose = new QPushButton(tr("Choose &file…"));
    m_choose->setObjectName(QStringLiteral("choosePairs"));
    m_choose->setToolTip(tr("A text file with a source, a tab and a reference on each line"));
    controls().addWidget(m_choose);
    m_most = new QSpinBox;
    m_most->setAccessibleName(tr("Sentences to read from the start of the file"));
    m_most->setRange(0, static_cast<int>(LengthExperiment::mostPairs));
    m_most->setSingleStep(50);
    m_most->setSpecialValueText(tr("all"));
    addControl(tr("&Sentences"), m_most, "lengthSentences");
    m_start = new QPushButton(tr("St&art"));
    m_start->setObjectName(QStringLiteral("measureLengths"));
    controls().addWidget(m_start);
    controls().addStretch();
    connect(m_origin, &QComboBox::currentIndexChanged, this, [this] {
        listModels();
        redraw();
    });
    connect(m_measure, &QComboBox::currentIndexChanged, this, &LengthPage::redraw);
    connect(m_choose, &QPushButton::clicked, this, &LengthPage::chooseFile);
    connect(m_start, &QPushButton::clicked, this, &LengthPage::start);
}

LengthPage::Origin LengthPage::origin() const
{
    return m_origin->currentIndex() == 0 ? Origin::Cards : Origin::File;
}

LengthMeasure LengthPage::measure() const
{
    return origin() == Origin::Cards || m_measure->currentIndex() == 0 ? LengthMeasure::Bleu
                                                                       : LengthMeasure::LogProbability;
}

void LengthPage::readCards()
{
    if (std::exchange(m_cardsRead, true))
        return;
    for (const BundledModel& model : bundledModels())
        m_tips[model.name] = modelTip(model);
    std::vector<Error> problems;
    m_cards = cardCurves(problems);
    for (const Error& problem : problems)
        message().show(userMessage(problem));
}

void LengthPage::addModel(const QString& name, const std::string& id, bool ticked)
{
    auto* item = new QListWidgetItem(name, m_models);
    item->setData(Qt::UserRole, QString::fromStdString(id));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
    const auto found = m_tips.find(id);
    item->setToolTip(found == m_tips.end() ? QString::fromStdString(id) : found->second);
}

// The models that have curves to show or can make some; what was ticked or not stays so.
void LengthPage::listModels()
{
    std::map<QString, bool> before;
    for (int i = 0; i < m_models->count(); ++i)
        before[m_models->item(i)->data(Qt::UserRole).toString()] = m_models->item(i)->checkState() == Qt::Checked;
    const QSignalBlocker quiet(m_models);
    m_models->clear();
    const auto add = [&](const QString& name, const std::string& id) {
        const auto known = before.find(QString::fromStdString(id));
        addModel(name, id, known == before.end() || known->second);
    };
    if (origin() == Origin::Cards) {
        for (const LengthCurve& curve : m_cards.curves)
            add(QString::fromStdString(curve.model), curve.model);
    } else {
        bool openListed = false;
        const auto& open = context().study.model();
        for (const BundledModel& model : bundledModels()) {
            if (!isEncoderDecoder(model.directory))
                continue;
            add(QString::fromStdString(model.name), model.name);
            openListed = openListed || (open && open->path.toStdString() == model.name);
        }
        if (open && !openListed && open->info.kind == ModelKind::EncoderDecoder && open->readsText)
            add(tr("%1 (open)").arg(open->name), open->path.toStdString());
    }
    m_models->setVisible(m_models->count() > 0);
    enableControls();
}

QStringList LengthPage::tickedModels() const
{
    QStringList ids;
    for (int i = 0; i < m_models->count(); ++i) {
        if (m_models->item(i)->checkState() == Qt::Checked)
            ids << m_models->item(i)->data(Qt::UserRole).toString();
    }
    return ids;
}

void LengthPage::enableControls()
{
    const bool file = origin() == Origin::File;
    for (QWidget* control : std::initializer_list<QWidget*>{m_measure, m_choose, m_most})
        control->setEnabled(file);
    m_start->setEnabled(file && !m_file.isEmpty() && !tickedModels().isEmpty());
    m_start->setText(jobs().busy() ? tr("Start &again") : tr("St&art"));
}

void LengthPage::chooseFile()
{
    QSettings settings;
    const QString folder = settings.value(folderKey, QDir::homePath()).toString();
    const QString file = context().dialogs.openSentencePairs(this, folder);
    if (file.isEmpty())
        return;
    settings.setValue(folderKey, QFileInfo(file).absolutePath());
    jobs().cancel();
    m_file = file;
    m_measured.clear();
    m_choose->setText(QFileInfo(file).fileName());
    m_choose->setToolTip(
        tr("%1\nChooses another text file with a source, a tab and a reference on each line").arg(file));
    message().hide();
    enableControls();
    redraw();
}

void LengthPage::start()
{
    const Question asked = context().question();
    LengthExperiment::Plan plan;
    plan.file = QFile::encodeName(m_file).toStdString();
    for (const QString& model : tickedModels())
        plan.models.push_back(model.toStdString());
    plan.measure = measure();
    plan.most = m_most->value();
    plan.sourceLanguage = asked.sourceLanguage;
    plan.targetLanguage = asked.targetLanguage;
    m_measured.erase(plan.measure);
    redraw();
    message().hide();
    carryOut(jobs(), LengthExperiment(plan), std::mem_fn(&LengthExperiment::curves),
             [this](const LengthCurves& curves) { keep(curves); });
}

void LengthPage::keep(const LengthCurves& curves)
{
    m_measured[curves.measure] = curves;
    redraw();
    if (curves.leftOut > 0)
        message().showNote(tr("%1 left out that not every model could read: %2")
                               .arg(sentenceCount(curves.leftOut), QString::fromStdString(curves.reason)));
}

void LengthPage::redraw()
{
    const bool cards = origin() == Origin::Cards;
    const auto found = m_measured.find(measure());
    const LengthCurves all = cards ? m_cards : found == m_measured.end() ? LengthCurves{} : found->second;
    const QStringList ticked = tickedModels();
    m_shown = all;
    std::erase_if(m_shown.curves, [&](const LengthCurve& curve) {
        return !ticked.contains(QString::fromStdString(curve.model)) || curve.points.empty();
    });
    if (!m_shown.curves.empty()) {
        m_chart->showCurves(m_shown);
        m_stack->setCurrentWidget(m_chart);
        return say(lengthSummary(m_shown));
    }
    say({});
    m_stack->setCurrentWidget(m_empty);
    if (!all.curves.empty())
        m_empty->setText(tr("Tick a model to see its curve."));
    else if (cards)
        m_empty->setText(tr("No bundled model says how it does by sentence length. Measure some on a file."));
    else if (m_file.isEmpty())
        m_empty->setText(tr("Choose a text file with a source, a tab and a reference on each line, tick two or more "
                            "models, and start."));
    else
        m_empty->setText(jobs().busy() ? tr("Measuring…") : tr("Tick two or more models, and start."));
}

std::optional<Exportable> LengthPage::exportable() const
{
    if (m_shown.curves.empty())
        return std::nullopt;
    Exportable result;
    result.title = title();
    result.theme = context().appearance.theme();
    result.layOut = m_chart->layout(lengthSummary(m_shown));
    result.csv = [curves = m_shown] { return lengthCsv(curves); };
    return result;
}

void LengthPage::activate()
{
    readCards();
    listModels();
    redraw();
}

} // namespace attn::ui
