// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/choice_panel.h"

#include "base/index.h"
#include "figures/charts/bar_list_figure.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"
#include "figures/look/value_scale.h"
#include "figures/parts/no_numbers.h"
#include "maps/map.h"
#include "panels/controls.h"
#include "panels/line_layout.h"
#include "state/edit_place.h"
#include "state/strings.h"

#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>

namespace attn::ui {

namespace {

constexpr int mostWeights = 5;
constexpr double leastHidden = 0.05; // share of hidden tokens that is named
constexpr double barPitch = 1.3; // of a line of text
constexpr int barMargins = 14;
constexpr double axisLines = 1.2; // below bars of both signs
constexpr double leastBars = 0.9; // of the height that they want
constexpr std::size_t costOfFacts = 300'000; // weights that are gone through within a frame
constexpr auto pause = std::chrono::milliseconds(40);
constexpr int lowWindow = 700; // where the candidates need the room more
constexpr int fewWeights = 3;

QString withoutMnemonic(QString text)
{
    return text.remove(QLatin1Char('&')).remove(QChar(0x2026));
}

} // namespace

ChoicePanel::ChoicePanel(Study& study, Selection& selection, Appearance& appearance, const EditList& edits,
                         QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_selection(selection)
    , m_appearance(appearance)
    , m_edits(edits)
    , m_title(plainLabel())
    , m_bars(new FigureCanvas)
    , m_cellRow(new QWidget)
    , m_head(plainLabel())
{
    setObjectName(QStringLiteral("choicePanel"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_title->setObjectName(QStringLiteral("choiceTitle"));
    for (QLabel* line : {m_title, m_head})
        line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_bars->setObjectName(QStringLiteral("choiceWeights"));
    m_bars->setCursor(Qt::PointingHandCursor);
    m_bars->setMinimumHeight(1); // in a low window its numbers stand in the title
    m_bars->installEventFilter(this);
    m_head->setObjectName(QStringLiteral("choiceHead"));
    auto* cell = new LineLayout(m_cellRow);
    cell->setContentsMargins(0, 0, 0, 0);
    cell->setSpacing(2);
    for (const EditRow& row : editRows()) {
        for (const char* const wanted : {"hideCells", "setCells", "scaleCells"}) {
            if (std::string_view(row.id) == wanted)
                cell->addWidget(addButton(wanted, row.id, translated(row.title)));
        }
    }
    m_cellRow->findChild<QToolButton*>(QStringLiteral("setCellsButton"))
        ->setToolTip(tr("Or drag the cell up or down in the heatmap (zoomed in: with Ctrl)"));
    auto* why = addButton("why", nullptr, tr("Why?"));
    why->setToolTip(tr("Where this weight comes from, step by step, beside the picture"));
    cell->addWidget(why);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 0);
    layout->setSpacing(2);
    layout->addWidget(m_title);
    layout->addWidget(m_cellRow); // where its buttons stay, whatever the number of bars
    layout->addWidget(m_bars);
    layout->addWidget(m_head);
    m_later.setSingleShot(true);
    m_later.setInterval(pause);
    connect(&m_later, &QTimer::timeout, this, &ChoicePanel::show);
    connect(m_bars, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
        const int column = hit.isCell() && *hit.row < indexSize(m_columns)
            ? m_columns[static_cast<std::size_t>(*hit.row)]
            : MapAxis::sink; // which is no cell of a token
        if (column != MapAxis::sink)
            chooseWeight(column);
    });
    connect(why, &QToolButton::clicked, this, [this] {
        if (const auto place = hit())
            Q_EMIT whyAsked(*place);
    });
    connect(&study, &Study::traceReplaced, this, [this] {
        if (!m_study.onlyEditsDiffer())
            m_cell.reset();
    });
    connect(&study, &Study::traceChanged, this, &ChoicePanel::later);
    connect(&study, &Study::readingsChanged, this, &ChoicePanel::later);
    connect(&appearance, &Appearance::changed, this, &ChoicePanel::later);
    connect(&edits, &QAbstractItemModel::dataChanged, this, &ChoicePanel::later);
    connect(&selection, &Selection::changed, this, [this](Selection::Fields fields) {
        const bool elsewhere = (fields & (Selection::SiteField | Selection::LeafField))
            || ((fields & Selection::StepField) && m_cell && m_selection.step() != m_cell->row);
        if (elsewhere)
            m_cell.reset();
        const bool comes = std::exchange(m_comes, m_selection.moment().has_value()) != m_selection.moment().has_value();
        if (comes || (fields & ~Selection::Fields(Selection::CellField | Selection::MomentField)))
            later();
    });
    show();
}

QToolButton* ChoicePanel::addButton(const char* name, const char* edit, const QString& text)
{
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name) + QStringLiteral("Button"));
    button->setText(withoutMnemonic(text));
    if (edit == nullptr)
        return button;
    button->setCheckable(std::string_view(edit) == "hideCells");
    m_buttons.emplace_back(button, edit);
    connect(button, &QToolButton::clicked, this, [this, button, edit] {
        if (const auto place = hit())
            Q_EMIT editAsked(edit, spec(), *place, button->mapToGlobal(QPoint(0, button->height())));
        later(); // the button shows what applies, not that it was pressed
    });
    return button;
}

bool ChoicePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_bars && event->type() == QEvent::Resize)
        later();
    return QWidget::eventFilter(watched, event);
}

void ChoicePanel::chooseCell(int rowToken, int columnToken)
{
    m_cell = Cell{m_selection.site(), rowToken, columnToken};
    show();
}

// Its attention is the one that the pictures show then, and it is marked there.
void ChoicePanel::chooseWeight(int column)
{
    const auto row = m_cell ? std::optional(m_cell->row) : m_selection.step();
    const FigureSpec of = spec();
    m_selection.setSiteAndHead(of.site, of.head);
    if (!row)
        return;
    chooseCell(*row, column);
    if (const auto at = hit())
        m_selection.setCell(at->row, at->column);
}

void ChoicePanel::later()
{
    if (!m_later.isActive())
        m_later.start();
}

// The rows and columns that the pictures have, whole; of an attention that no step looks by, the one by which steps do.
FigureSpec ChoicePanel::spec() const
{
    FigureSpec spec;
    static_cast<FigureChoices&>(spec) = m_appearance.choices();
    spec.site = m_cell ? m_cell->site : m_selection.site();
    spec.head = m_selection.head().withAbout(m_selection.about());
    spec.about = m_selection.about();
    spec.leaf = m_selection.leaf();
    spec.currentStep = m_selection.step();
    spec.rows.reset();
    spec.columns.reset();
    if (!m_cell && !m_study.trace().hasOneText()) {
        const FigureSpec ofSteps = stepAttention(spec, m_study.trace());
        spec.site = ofSteps.site;
        spec.head = ofSteps.head;
    }
    return spec;
}

std::optional<FigureHit> ChoicePanel::hit() const
{
    if (!m_cell)
        return std::nullopt;
    MapSpec wanted = spec().mapSpec();
    const Map axes = mapAxes(m_study.trace(), wanted);
    FigureHit hit;
    hit.part = FigureHit::Part::Cell;
    hit.row = axes.rows.indexOf(m_cell->row);
    hit.column = axes.columns.indexOf(m_cell->column);
    if (!hit.row || !hit.column)
        return std::nullopt;
    hit.rowToken = m_cell->row;
    hit.columnToken = m_cell->column;
    hit.text =
        axisLabels(axes.rows).at(*hit.row) + QStringLiteral(" \u2190 ") + axisLabels(axes.columns).at(*hit.column);
    wanted.rows = ShownSpan{*hit.row, *hit.row};
    const Map map = mapOf(m_study.trace(), wanted);
    if (map.numbers.rows > 0 && map.hasNumber(0, *hit.column))
        hit.value = map.at(0, *hit.column);
    return hit;
}

void ChoicePanel::show()
{
    const FigureSpec of = spec();
    showWeights(of);
    showCell();
    showHead(of);
    setVisible(!m_title->isHidden() || !m_cellRow->isHidden() || !m_head->isHidden());
}

// The strongest of the row of the chosen step, and the chosen one.
void ChoicePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool low = window()->height() < lowWindow;
    if (std::exchange(m_isLow, low) != low)
        later();
}

void ChoicePanel::showWeights(const FigureSpec& spec)
{
    const Trace& trace = m_study.trace();
    m_columns.clear();
    const auto step = m_cell ? std::optional(m_cell->row) : m_selection.step();
    const bool ofSteps = trace.hasRowsOfSteps(spec.site) || m_cell;
    MapSpec wanted = spec.mapSpec();
    std::optional<Index> row;
    QString name;
    QString query; // that asks, where the name is that of what is written
    if (step && ofSteps && !m_selection.moment()) {
        const Map axes = mapAxes(trace, wanted);
        row = axes.rows.indexOf(*step);
        name = row ? axisLabels(axes.rows).value(*row) : QString();
        query = row ? rowQueries(spec, trace, axes.rows).value(*row) : QString();
    }
    auto content = std::make_shared<BarListContent>();
    if (row) {
        wanted.rows = ShownSpan{*row, *row};
        const Map map = mapOf(trace, wanted);
        const QStringList labels = axisLabels(map.columns);
        std::vector<std::pair<BarListContent::Entry, int>> all;
        for (Index column = 0; map.numbers.rows > 0 && column < map.numbers.columns; ++column) {
            const bool isSink = map.columns.isSink(column);
            const int token = isSink ? MapAxis::sink : map.columns.token(column).value_or(MapAxis::noToken);
            if (token == MapAxis::noToken || !map.hasNumber(0, column))
                continue;
            const bool chosen = m_cell && map.columns.indexOf(m_cell->column) == column;
            all.push_back({{.label = labels.value(column), .value = map.at(0, column), .taken = chosen}, token});
        }
        std::ranges::stable_sort(all, [](const auto& a, const auto& b) {
            return std::pair(a.first.taken, std::abs(a.first.value))
                > std::pair(b.first.taken, std::abs(b.first.value));
        });
        if (const int most = m_isLow ? fewWeights : mostWeights; indexSize(all) > most)
            all.resize(static_cast<std::size_t>(most));
        double largest = 0;
        for (const auto& one : all)
            largest = std::max(largest, numberOrLeast(std::abs(one.first.value)));
        const int places = placesOf(largest);
        const double least = std::pow(10, -places); // that is named, unless it is chosen
        std::erase_if(all,
                      [least](const auto& one) { return !one.first.taken && !(std::abs(one.first.value) >= least); });
        std::ranges::stable_sort(
            all, [](const auto& a, const auto& b) { return std::abs(a.first.value) > std::abs(b.first.value); });
        content->signs = map.isSigned;
        content->most = map.isSigned || map.numbers.rows == 0 ? 0 : weightScaleEnd(std::as_const(map.numbers).row(0));
        for (auto& [entry, token] : all) {
            content->least = std::min(content->least, entry.value);
            content->most = std::max(content->most, std::abs(entry.value));
            entry.number = map.isSigned ? signedDecimal(entry.value, places) : decimal(entry.value, places);
            content->entries.push_back(std::move(entry));
            m_columns.push_back(token);
        }
        if (const double hidden = hiddenShare(wanted, map, *step); hidden >= leastHidden) {
            content->most = std::max(content->most, hidden);
            content->entries.push_back(
                {.label = tr("special tokens"), .value = hidden, .number = decimal(hidden, places)});
            m_columns.push_back(MapAxis::sink);
        }
    }
    m_title->setVisible(!m_columns.empty());
    m_bars->setVisible(!m_columns.empty());
    const double lines = static_cast<double>(m_columns.size()) * barPitch + (content->signs ? axisLines : 0);
    const int high = barMargins + static_cast<int>(lines * fontMetrics().height());
    // A picture whose rows no step writes has bars of another attention beside it.
    const bool isOther = spec.site.stage != m_selection.site().stage;
    const QString title = isOther
        ? tr("\u201C%1\u201D looks at, in %2, %3")
              .arg(name, attentionName(spec.site.stage, trace.kind()), shownHeads(spec, trace))
        : tr("\u201C%1\u201D looks at").arg(name);
    QStringList numbers;
    for (const BarListContent::Entry& entry : content->entries)
        numbers << entry.label + QLatin1Char(' ') + entry.number;
    const bool narrow = m_bars->height() < high * leastBars && m_bars->maximumHeight() == high;
    const double linesThere = static_cast<double>(m_bars->height() - barMargins) / fontMetrics().height();
    const auto fitting = static_cast<std::size_t>(
        std::max(0.0, (linesThere - (content->signs ? axisLines : 0)) / (barPitch * leastBars)));
    const bool squeezed = narrow && fitting < 2;
    const auto withNumbers = [&]() -> QString {
        return title + QLatin1Char(' ') + numbers.join(QStringLiteral(" \u00B7 "));
    };
    const QString asked = query.isEmpty() ? query : tr(" \u00B7 asked by \u201C%1\u201D").arg(query);
    m_title->setToolTip(plainTip((narrow ? withNumbers() : title) + asked));
    while (numbers.size() > 1 && m_title->fontMetrics().horizontalAdvance(withNumbers()) > m_title->width())
        numbers.removeLast();
    m_title->setText(squeezed ? withNumbers() : title);
    m_bars->setAccessibleName(title);
    content->ground = palette().color(QPalette::Window);
    m_bars->setMaximumHeight(high);
    FigureSpec look;
    look.theme = m_appearance.theme();
    look.baseFontPoints = m_appearance.choices().baseFontPoints;
    if (narrow && fitting < content->entries.size())
        content->entries.resize(squeezed ? 0 : fitting);
    m_bars->setFigure([look, content](QSizeF size) { return barListFigure(look, *content, size); });
}

// The part of a row that goes to special tokens that are hidden; 0: it is not known, or there are none.
double ChoicePanel::hiddenShare(MapSpec wanted, const Map& shown, int step) const
{
    const Trace& trace = m_study.trace();
    const bool sums = wanted.head.reading().values == ReadingValues::Distribution;
    if (!sums || wanted.specials != SpecialTokens::Hidden || shown.numbers.rows == 0 || shownTexts(wanted, trace)
        || !hidesSpecials(wanted, trace))
        return 0;
    wanted.specials = SpecialTokens::Shown;
    wanted.rows.reset();
    const auto row = mapAxes(trace, wanted).rows.indexOf(step);
    if (!row)
        return 0;
    wanted.rows = ShownSpan{*row, *row};
    double hidden = 0;
    const Map whole = mapOf(trace, wanted);
    for (Index column = 0; column < whole.numbers.columns; ++column)
        hidden += double{whole.counted(0, column)};
    for (Index column = 0; column < shown.numbers.columns; ++column)
        hidden -= double{shown.counted(0, column)};
    return std::isfinite(hidden) ? hidden : 0;
}

void ChoicePanel::showCell()
{
    const auto at = hit();
    m_cellRow->setVisible(at.has_value() && m_study.model());
    if (m_cellRow->isHidden())
        return;
    m_title->setText(at->text + QStringLiteral("   ") + decimal(static_cast<double>(at->value), 2));
    const EditPlace place = editPlace(spec(), m_study.trace(), *at);
    for (const auto& [button, id] : m_buttons) {
        const auto row = std::ranges::find(editRows(), std::string_view(id), &EditRow::id);
        button->setVisible(row->fits(place));
        button->setChecked(button->isCheckable() && row->fits(place) && m_edits.applies(editTexts(*row, place)));
    }
}

// The chosen head's, where there are others.
void ChoicePanel::showHead(const FigureSpec& spec)
{
    const Trace& trace = m_study.trace();
    const auto head = spec.head.head();
    m_head->setVisible(head && trace.heads(spec.site) > 1 && factsCost(spec, trace) < costOfFacts);
    if (m_head->isHidden())
        return;
    const auto facts = std::tuple(m_study.revision(), spec.leaf, spec.site.stage);
    if (!m_facts || m_factsOf != facts) {
        FigureSpec plainly = spec;
        plainly.headOrder = HeadOrder::Place;
        m_facts = headFacts(plainly, trace);
        m_factsOf = facts;
    }
    const HeadKey key{spec.site, *head};
    const HeadWords words(spec, m_facts);
    const QString does = words.job(key);
    m_head->setVisible(!does.isEmpty());
    m_head->setText(capitalized(headName(spec.head)) + QStringLiteral(": ") + does);
    m_head->setToolTip(plainTip(words.sentence(key)));
}

} // namespace attn::ui
