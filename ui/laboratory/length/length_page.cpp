// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "base/memory.h"
#include "experiments/length_experiment.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "laboratory/laboratory_page.h"
#include "loading/model_card.h"
#include "panels/dialogs.h"
#include "panels/model_picker.h"
#include "state/strings.h"
#include "views/chart_canvas.h"

#include <QBarCategoryAxis>
#include <QFile>
#include <QFileInfo>
#include <QFontInfo>
#include <QGraphicsSimpleTextItem>
#include <QHash>
#include <QHelpEvent>
#include <QLineF>
#include <QLineSeries>
#include <QListWidget>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <utility>

namespace attn::ui {

namespace {

constexpr double reach = 12; // pixels from a point
constexpr int narrow = 680; // pixels
constexpr int beforeName = 12; // likewise, of a line, and behind it

QString rangeText(int from, int to)
{
    return from == to ? QString::number(from) : QStringLiteral("%1–%2").arg(from).arg(to);
}

// Told apart with every kind of colour vision (after Okabe and Ito 2008), with a contrast of at least 3 on the ground.
QColor lineColor(int index, Theme theme)
{
    constexpr std::array<QRgb, 7> light{0xff0072b2, 0xffb85000, 0xff00775a, 0xff9c4a80,
                                        0xff5a5e68, 0xff7a6400, 0xff8e1b1b};
    constexpr std::array<QRgb, 7> dark{0xff56b4e9, 0xfff2a54a, 0xff2fc79a, 0xffe08cc0,
                                       0xffc9ccd3, 0xfff0e442, 0xffff7f6b};
    const auto& colors = theme == Theme::Dark ? dark : light;
    return QColor::fromRgb(colors[static_cast<std::size_t>(index) % colors.size()]);
}

QString modelName(const LengthCurve& curve)
{
    return QFileInfo(text(curve.model)).fileName();
}

// With round bounds around the values.
QAbstractAxis* measureAxis(const LengthCurves& curves)
{
    const bool bleu = curves.measure == LengthMeasure::Bleu;
    double least = 0;
    double most = bleu ? 1 : -100;
    for (const LengthCurve& curve : curves.curves) {
        for (const LengthPoint& point : curve.points) {
            least = std::min(least, point.value);
            most = std::max(most, point.value);
        }
    }
    return roundAxis(least, bleu ? most * 1.05 : std::min(0.0, most * 0.9), 6);
}

// A number as the chart shows it.
QString measured(LengthMeasure measure, double value)
{
    return decimal(value, measure == LengthMeasure::Bleu ? 1 : 2);
}

// A line per range of lengths and model (RFC 4180).
QByteArray lengthCsv(const LengthCurves& curves)
{
    QString lines = QStringLiteral("source words from,source words to,model,sentences,%1\r\n")
                        .arg(curves.measure == LengthMeasure::Bleu ? QStringLiteral("BLEU")
                                                                   : QStringLiteral("log probability per token"));
    for (const LengthCurve& curve : curves.curves) {
        for (const LengthPoint& point : curve.points) {
            lines += QStringLiteral("%1,%2,").arg(point.from).arg(point.to) + csvField(modelName(curve))
                + QStringLiteral(",%1,").arg(point.sentences) + csvNumber(point.value) + QStringLiteral("\r\n");
        }
    }
    return lines.toUtf8();
}

// One line per model over the ranges of lengths; the points say what they are when pointed at.
class LengthChart final : public ChartCanvas
{
    Q_OBJECT

public:
    LengthChart()
    {
        setObjectName(QStringLiteral("lengthChart"));
        setAccessibleName(tr("Quality by sentence length"));
        viewport()->setMouseTracking(true);
    }

    static QString sentenceCount(int sentences)
    {
        return sentences == 1 ? tr("1 sentence") : tr("%1 sentences").arg(grouped(sentences));
    }

    // From the shortest to the longest sentences, model by model; for people who cannot see the chart, too.
    static QString summary(const LengthCurves& curves)
    {
        QStringList parts;
        int sentences = 0;
        for (const LengthCurve& curve : curves.curves) {
            if (curve.points.empty())
                continue;
            int read = 0;
            for (const LengthPoint& point : curve.points)
                read += point.sentences;
            sentences = std::max(sentences, read);
            const LengthPoint& first = curve.points.front();
            const LengthPoint& last = curve.points.back();
            parts << tr("%1 %2 → %3")
                         .arg(modelName(curve), measured(curves.measure, first.value),
                              measured(curves.measure, last.value));
        }
        if (parts.isEmpty())
            return {};
        return conclusion(curves)
            + tr("%1 from the shortest to the longest of %2: %3.")
                  .arg(curves.measure == LengthMeasure::Bleu ? tr("BLEU") : tr("Log probability per token"),
                       curves.file.empty()
                           ? heldOut(curves, sentences)
                           : tr("%1 of %2", "sentences of a file").arg(sentenceCount(sentences), text(curves.file)),
                       parts.join(QStringLiteral(", ")));
    }

    static QString heldOut(const LengthCurves& curves, int sentences)
    {
        return curves.testSet.empty()
            ? tr("%1 held-out sentences, beam search").arg(grouped(sentences))
            : tr("%1 held-out sentences of %2, beam search").arg(grouped(sentences), text(curves.testSet));
    }

    // The model that long sentences cost most, and the one that is best at them.
    static QString conclusion(const LengthCurves& curves)
    {
        const LengthCurve* worst = nullptr;
        const LengthCurve* best = nullptr;
        const auto loss = [](const LengthCurve& curve) {
            return curve.points.front().value - curve.points.back().value;
        };
        for (const LengthCurve& curve : curves.curves) {
            if (indexSize(curve.points) < 2)
                continue;
            if (worst == nullptr || loss(curve) > loss(*worst))
                worst = &curve;
            if (best == nullptr || curve.points.back().value > best->points.back().value)
                best = &curve;
        }
        if (worst == nullptr)
            return {};
        QString said = loss(*worst) > 0
            ? tr("Long sentences cost %1 most: %2 becomes %3. ")
                  .arg(modelName(*worst), measured(curves.measure, worst->points.front().value),
                       measured(curves.measure, worst->points.back().value))
            : tr("Long sentences cost no model anything. ");
        if (best != worst)
            said += tr("%1 is best at them. ").arg(modelName(*best));
        return said;
    }

    void showCurves(const LengthCurves& curves, Theme theme)
    {
        m_curves = curves;
        m_ranges.clear();
        for (const LengthCurve& curve : curves.curves) {
            for (const LengthPoint& point : curve.points)
                m_ranges.emplace_back(point.from, point.to);
        }
        std::ranges::sort(m_ranges);
        m_ranges.erase(std::unique(m_ranges.begin(), m_ranges.end()), m_ranges.end());
        auto* chart = new QChart;
        auto* across = new QBarCategoryAxis;
        for (const auto& [from, to] : m_ranges)
            across->append(rangeText(from, to));
        QAbstractAxis* up = measureAxis(curves);
        across->setTitleText(tr("source words"));
        up->setTitleText(measureName(curves.measure));
        for (const LengthCurve& curve : curves.curves) {
            QList<QPointF> points;
            for (const LengthPoint& point : curve.points)
                points.append({columnOf(point), point.value});
            addLine(*chart, modelName(curve), points, LineForm::Marked);
        }
        setAxes(*chart, across, up);
        chart->legend()->hide(); // each line has its name at its end
        show(chart, theme);
        addNames(*chart, theme);
        applyColors(theme);
        fitLabels();
        connect(chart, &QChart::plotAreaChanged, this, &LengthChart::placeNames);
        placeNames();
        setAccessibleDescription(summary(curves));
    }

Q_SIGNALS:
    void pointed(const QString& text); // empty: at nothing

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        ChartCanvas::resizeEvent(event);
        if (!m_curves.curves.empty())
            fitLabels();
    }

    bool viewportEvent(QEvent* event) override
    {
        switch (event->type()) {
        case QEvent::MouseMove:
            point(static_cast<QMouseEvent*>(event)->position());
            break;
        case QEvent::Leave:
            m_pointed.clear();
            Q_EMIT pointed({});
            break;
        case QEvent::ToolTip:
            if (m_pointed.isEmpty())
                QToolTip::hideText();
            else
                QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), plainTip(m_pointed), this);
            return true;
        default:
            break;
        }
        return ChartCanvas::viewportEvent(event);
    }

private:
    static QString measureName(LengthMeasure measure)
    {
        return measure == LengthMeasure::Bleu ? tr("BLEU") : tr("log probability per token");
    }

    double columnOf(const LengthPoint& point) const
    {
        const auto found = std::ranges::find(m_ranges, std::pair(point.from, point.to));
        return static_cast<double>(found - m_ranges.begin());
    }

    // Smaller where the lengths would be cut.
    void fitLabels()
    {
        QFont small = font();
        small.setPointSizeF(QFontInfo(font()).pointSizeF() * (width() < narrow ? 0.85 : 1));
        chart()->axes(Qt::Horizontal).constFirst()->setLabelsFont(small);
        double widest = 0;
        for (QGraphicsSimpleTextItem* name : m_names) {
            name->setFont(small);
            widest = std::max(widest, name->boundingRect().width());
        }
        QMargins around = chart()->margins();
        around.setRight(static_cast<int>(widest) + beforeName);
        chart()->setMargins(around);
    }

    void addNames(QChart& chart, Theme theme)
    {
        m_names.clear();
        for (const LengthCurve& curve : m_curves.curves) {
            auto* name = new QGraphicsSimpleTextItem(modelName(curve), &chart);
            name->setBrush(lineColor(curve.number, theme));
            m_names.push_back(name);
        }
    }

    // Behind the ends of the lines, none over another.
    void placeNames()
    {
        std::vector<std::pair<double, int>> ends; // from above to below
        for (int i = 0; i < indexSize(m_names); ++i) {
            const auto& points = m_curves.curves[i].points;
            m_names[i]->setVisible(!points.empty());
            if (!points.empty())
                ends.emplace_back(
                    chart()->mapToPosition({columnOf(points.back()), points.back().value}, chart()->series().at(i)).y(),
                    i);
        }
        std::ranges::sort(ends);
        const double high = m_names.empty() ? 0 : m_names.front()->boundingRect().height();
        double lowest = chart()->plotArea().bottom() - high * (static_cast<double>(ends.size()) - 0.5);
        double free = chart()->plotArea().top() - high;
        for (const auto& [y, i] : ends) {
            const double top = std::max(free, std::min(y - high / 2, lowest));
            m_names[i]->setPos(chart()->plotArea().right() + beforeName / 2.0, top);
            free = top + high;
            lowest += high;
        }
    }

    // Calm lines behind, and for every model the colour that it has whatever else is shown.
    void applyColors(Theme theme)
    {
        for (QAbstractAxis* axis : chart()->axes())
            axis->setLinePenColor(themeColors(theme).muted);
        chart()->axes(Qt::Horizontal).constFirst()->setGridLineVisible(false);
        const auto series = chart()->series();
        for (std::size_t i = 0; i < m_curves.curves.size(); ++i) {
            auto* line = static_cast<QLineSeries*>(series.at(static_cast<qsizetype>(i)));
            line->setPen(QPen(lineColor(m_curves.curves[i].number, theme), 2));
            line->setMarkerSize(4.5);
        }
    }

    // Where a point of a curve is drawn, in the viewport.
    QPointF pointAt(int curve, int point) const
    {
        const auto series = chart()->series();
        const LengthPoint& shown = m_curves.curves.at(curve).points.at(point);
        const QPointF inChart = chart()->mapToPosition({columnOf(shown), shown.value}, series.at(curve));
        return mapFromScene(chart()->mapToScene(inChart));
    }

    QString textOf(int curve, int point) const
    {
        const LengthCurve& line = m_curves.curves.at(curve);
        const LengthPoint& shown = line.points.at(point);
        return tr("%1, %2 words, %3: %4 %5")
            .arg(modelName(line), rangeText(shown.from, shown.to), sentenceCount(shown.sentences),
                 measureName(m_curves.measure), measured(m_curves.measure, shown.value));
    }

    void point(QPointF position)
    {
        QString nearest;
        double distance = reach;
        for (int curve = 0; curve < indexSize(m_curves.curves); ++curve) {
            const auto count = indexSize(m_curves.curves[curve].points);
            for (int i = 0; i < count; ++i) {
                const double away = QLineF(pointAt(curve, i), position).length();
                if (away < distance) {
                    distance = away;
                    nearest = textOf(curve, i);
                }
            }
        }
        if (nearest == m_pointed)
            return;
        m_pointed = nearest;
        Q_EMIT pointed(nearest);
    }

    LengthCurves m_curves;
    std::vector<QGraphicsSimpleTextItem*> m_names; // by curve; of the chart
    std::vector<std::pair<int, int>> m_ranges; // from .. to, the columns of the chart
    QString m_pointed;
};

// Quality by sentence length: of the bundled models as their cards say, or measured on a file of sentence pairs.
class LengthPage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(LengthPage)

public:
    explicit LengthPage(const LaboratoryContext& context)
        : LaboratoryPage(context,
                         tr("A model without attention must put a whole sentence into one vector, and the longer the "
                            "sentence, the more is lost. With attention the decoder looks back at every word."))
        , m_models(new QListWidget)
        , m_stack(new QStackedWidget)
        , m_empty(plainLabel())
        , m_chart(new LengthChart)
    {
        keepFolder("laboratory/pairs");
        addControls();
        m_models->setObjectName(QStringLiteral("lengthModels"));
        m_models->setAccessibleName(tr("Models to compare"));
        m_models->setSpacing(2);
        m_empty->setObjectName(QStringLiteral("lengthEmpty"));
        m_empty->setAlignment(Qt::AlignCenter);
        m_empty->setWordWrap(true);
        m_stack->addWidget(m_chart);
        m_stack->addWidget(m_empty);
        setContent(split(Qt::Horizontal, {{m_stack, 700, 1}, {m_models, 180}}));
        activateOnChanges();
        connect(m_chart, &LengthChart::pointed, this, &LaboratoryPage::hovered);
        connect(m_models, &QListWidget::itemChanged, this, [this] {
            enableControls();
            redraw();
        });
        connect(&jobs(), &JobRunner::busyChanged, this, &LengthPage::enableControls);
    }

    void activate() override
    {
        readCards();
        listModels();
        redraw();
    }

    std::optional<Exportable> exportable() const override
    {
        if (m_shown.curves.empty())
            return std::nullopt;
        return shown(m_chart->layout(LengthChart::summary(m_shown)), [curves = m_shown] { return lengthCsv(curves); });
    }

private:
    void addControls()
    {
        m_origin = addChoice({"lengthOrigin", tr("&Numbers"), tr("Where the numbers come from")},
                             {{"cards", tr("From the model cards")}, {"file", tr("Measured on a file")}});
        m_measure = addChoice({"lengthMeasure", tr("&Measure")},
                              {{"bleu", tr("BLEU")}, {"logProbability", tr("Log probability per token")}});
        m_measure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_measure->setMinimumContentsLength(12);
        m_choose = addControl({"choosePairs",
                               tr("Choose &file…"),
                               {},
                               tr("A text file with a source, a tab and a reference on each line")},
                              new QPushButton);
        constexpr auto mostShown = std::numeric_limits<int>::max();
        m_most = addNumber({"lengthSentences", tr("&Sentences"), tr("Sentences to read from the start of the file")}, 0,
                           static_cast<int>(std::min<std::uint64_t>(limit(Limit::Sentences), mostShown)), 0, 50);
        m_most->setSpecialValueText(tr("all"));
        m_start = addControl({"measureLengths", tr("St&art")}, new QPushButton);
        onChange({m_origin}, [this] {
            listModels();
            redraw();
        });
        onChange({m_measure}, [this] { redraw(); });
        connect(m_choose, &QPushButton::clicked, this, &LengthPage::choosePairs);
        connect(m_start, &QPushButton::clicked, this, &LengthPage::start);
    }

    // Or what was measured on a file.
    bool showsCards() const { return m_origin->currentIndex() == 0; }

    LengthMeasure measure() const
    {
        return showsCards() || m_measure->currentIndex() == 0 ? LengthMeasure::Bleu : LengthMeasure::LogProbability;
    }

    void readCards()
    {
        if (std::exchange(m_cardsRead, true))
            return;
        for (const BundledModel& model : bundledModels())
            m_tips[text(model.name)] = modelTip(model);
        std::vector<Error> problems;
        m_cards = cardCurves(problems);
        for (const Error& problem : problems)
            message().show(userMessage(problem));
    }

    // The models that have curves to show or can make some; what was ticked or not stays so.
    void listModels()
    {
        QStringList unticked;
        for (int i = 0; i < m_models->count(); ++i) {
            if (m_models->item(i)->checkState() == Qt::Unchecked)
                unticked << m_models->item(i)->data(Qt::UserRole).toString();
        }
        const QSignalBlocker quiet(m_models);
        m_models->clear();
        const auto add = [&](const QString& name, const QString& id) {
            auto* item = new QListWidgetItem(name, m_models);
            item->setData(Qt::UserRole, id);
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
            item->setCheckState(unticked.contains(id) ? Qt::Unchecked : Qt::Checked);
            item->setToolTip(m_tips.value(id, plainTip(id)));
        };
        if (showsCards()) {
            for (const LengthCurve& curve : m_cards.curves)
                add(text(curve.model), text(curve.model));
        } else {
            bool openListed = false;
            for (const BundledModel& bundled : bundledModels()) {
                if (!isEncoderDecoder(bundled.directory))
                    continue;
                add(text(bundled.name), text(bundled.name));
                openListed = openListed || (model() && model()->path == text(bundled.name));
            }
            if (model() && !openListed && model()->info.kind == ModelKind::EncoderDecoder && model()->readsText)
                add(tr("%1 (open)").arg(model()->name), model()->path);
        }
        m_models->setVisible(m_models->count() > 0);
        enableControls();
    }

    QStringList tickedModels() const
    {
        QStringList ids;
        for (int i = 0; i < m_models->count(); ++i) {
            if (m_models->item(i)->checkState() == Qt::Checked)
                ids << m_models->item(i)->data(Qt::UserRole).toString();
        }
        return ids;
    }

    void enableControls()
    {
        for (QWidget* control : std::initializer_list<QWidget*>{m_measure, m_choose, m_most})
            control->setEnabled(!showsCards());
        m_start->setEnabled(!showsCards() && !m_file.isEmpty() && !tickedModels().isEmpty());
        m_start->setText(jobs().busy() ? tr("Start &again") : tr("St&art"));
    }

    void choosePairs()
    {
        const QString file = chooseFile(OpenKind::SentencePairs);
        if (file.isEmpty())
            return;
        m_file = file;
        m_measured.clear();
        m_choose->setText(menuText(QFileInfo(file).fileName()));
        m_choose->setToolTip(
            plainTip(tr("%1\nChooses another text file with a source, a tab and a reference on each line").arg(file)));
        enableControls();
        redraw();
    }

    void start()
    {
        LengthExperiment::Plan plan;
        plan.file = QFile::encodeName(m_file).toStdString();
        for (const QString& model : tickedModels())
            plan.models.push_back(model.toStdString());
        plan.measure = measure();
        plan.most = m_most->value();
        plan.question = context().question();
        m_measured.erase(plan.measure);
        redraw();
        message().hide();
        carryOut(jobs(), LengthExperiment(plan), std::mem_fn(&LengthExperiment::curves),
                 [this](const LengthCurves& curves) {
                     m_measured[curves.measure] = curves;
                     redraw();
                     if (curves.leftOut > 0)
                         message().showNote(tr("%1 left out that not every model could read: %2")
                                                .arg(LengthChart::sentenceCount(curves.leftOut), text(curves.reason)));
                 });
    }

    void redraw() override
    {
        const auto found = m_measured.find(measure());
        const LengthCurves all = showsCards() ? m_cards : found == m_measured.end() ? LengthCurves{} : found->second;
        const QStringList ticked = tickedModels();
        m_shown = all;
        std::erase_if(m_shown.curves, [&](const LengthCurve& curve) {
            return !ticked.contains(text(curve.model)) || curve.points.empty();
        });
        if (!m_shown.curves.empty()) {
            m_chart->showCurves(m_shown, look().theme);
            m_stack->setCurrentWidget(m_chart);
            return say(LengthChart::summary(m_shown));
        }
        say({});
        m_stack->setCurrentWidget(m_empty);
        m_empty->setText(
            !all.curves.empty() ? tr("Tick a model to see its curve.")
                : showsCards()  ? tr("No bundled model says how it does by sentence length. Measure some on a file.")
                : m_file.isEmpty()
                ? tr("Choose a text file with a source, a tab and a reference on each line, tick two or more "
                     "models, and start.")
                : jobs().busy() ? tr("Measuring…")
                                : tr("Tick two or more models, and start."));
    }

    QComboBox* m_origin = nullptr;
    QComboBox* m_measure = nullptr;
    QPushButton* m_choose = nullptr;
    QSpinBox* m_most = nullptr;
    QPushButton* m_start = nullptr;
    QListWidget* m_models = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_empty = nullptr;
    LengthChart* m_chart = nullptr;
    QString m_file;
    bool m_cardsRead = false;
    QHash<QString, QString> m_tips; // of the bundled models, by name
    LengthCurves m_cards;
    std::map<LengthMeasure, LengthCurves> m_measured; // on the file
    LengthCurves m_shown;
};

} // namespace

LaboratoryPage* makeLengthPage(const LaboratoryContext& context)
{
    return new LengthPage(context);
}

} // namespace attn::ui

#include "length_page.moc"
