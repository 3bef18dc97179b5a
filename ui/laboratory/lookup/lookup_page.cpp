// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/lookup/lookup_page.h"

#include "figures/look/decimal.h"
#include "figures/parts/panel_figure.h"

#include <QHeaderView>
#include <QSplitter>

#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double softest = 0.01;
constexpr double sharpest = 100;
constexpr int sliderSteps = 400; // from softest to sharpest, in equal ratios

int stepOf(double sharpness)
{
    return static_cast<int>(std::lround(std::log(sharpness / softest) / std::log(sharpest / softest) * sliderSteps));
}

double sharpnessAt(int step)
{
    return softest * std::pow(sharpest / softest, static_cast<double>(step) / sliderSteps);
}

} // namespace

LookupPage::LookupPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(context,
                     tr("A table answers only a query that equals one of its keys. Attention answers every query: each "
                        "value contributes as much as its key fits, and the sharpness says how much the best fit is "
                        "preferred."),
                     parent)
    , m_table(new LookupTable(this))
    , m_plane(new QueryPlane)
    , m_weights(makeCanvas("lookupWeights", tr("Scores, weights and contributions")))
{
    buildControls();
    auto* upper = new QSplitter(Qt::Horizontal);
    upper->addWidget(buildTable());
    upper->addWidget(m_plane);
    upper->setStretchFactor(0, 1);
    upper->setStretchFactor(1, 1);
    upper->setSizes({400, 400});
    upper->setChildrenCollapsible(false);
    auto* content = new QSplitter(Qt::Vertical);
    content->addWidget(upper);
    content->addWidget(m_weights);
    content->setStretchFactor(0, 3);
    content->setStretchFactor(1, 2);
    content->setSizes({340, 250});
    content->setChildrenCollapsible(false);
    setContent(content);
    connect(m_table, &LookupTable::edited, this, &LookupPage::changed);
    connect(m_table, &LookupTable::refused, this, [this](const QString& reason) { message().showNote(reason); });
    connectFigures();
    restoreExample();
}

void LookupPage::buildControls()
{
    for (std::size_t i = 0; i < m_query.size(); ++i) {
        m_query[i] = new NumberBox;
        m_query[i]->setAccessibleName(tr("Component %1 of the query").arg(i + 1));
        m_query[i]->setRange(-LookupTable::largest, LookupTable::largest);
        m_query[i]->setSingleStep(0.1);
        m_query[i]->setDecimals(3);
        if (i == 0)
            addControl(tr("&Query"), m_query[i], "query1");
        else
            controls().addWidget(m_query[i]);
        m_query[i]->setObjectName(QStringLiteral("query%1").arg(i + 1));
        connect(m_query[i], &NumberBox::valueChanged, this, &LookupPage::changed);
    }
    controls().addSpacing(12);
    m_width = new QSpinBox;
    m_width->setAccessibleName(tr("Components of a key, d"));
    m_width->setRange(1, LookupTable::mostWidth);
    m_width->setValue(2);
    addControl(tr("&d"), m_width, "keyWidth");
    connect(m_width, &QSpinBox::valueChanged, m_table, &LookupTable::setKeyWidth);
    controls().addSpacing(12);
    m_slider = new QSlider(Qt::Horizontal);
    m_slider->setAccessibleName(tr("Sharpness"));
    m_slider->setRange(0, sliderSteps);
    m_slider->setPageStep(sliderSteps / 20);
    m_slider->setMinimumWidth(120);
    addControl(tr("&Sharpness"), m_slider, "sharpnessSlider");
    m_sharpness = new NumberBox;
    m_sharpness->setObjectName(QStringLiteral("sharpness"));
    m_sharpness->setAccessibleName(tr("Sharpness"));
    m_sharpness->setDecimals(3);
    m_sharpness->setRange(softest, sharpest);
    m_sharpness->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    controls().addWidget(m_sharpness);
    m_scaled = new QPushButton(tr("1/√d"));
    m_scaled->setObjectName(QStringLiteral("scaledDotProduct"));
    m_scaled->setCheckable(true);
    m_scaled->setToolTip(tr("The sharpness of scaled dot-product attention"));
    m_scaled->setAccessibleName(tr("Sharpness of scaled dot-product attention"));
    controls().addWidget(m_scaled);
    controls().addStretch();
    connect(m_slider, &QSlider::valueChanged, this, [this](int step) { setSharpness(sharpnessAt(step)); });
    connect(m_sharpness, &NumberBox::valueChanged, this, &LookupPage::setSharpness);
    connect(m_scaled, &QPushButton::clicked, this, &LookupPage::useScaledDotProduct);
}

QWidget* LookupPage::buildTable()
{
    m_view = new QTableView;
    m_view->setObjectName(QStringLiteral("lookupTable"));
    m_view->setAccessibleName(tr("Key-value table"));
    m_view->setModel(m_table);
    m_view->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::SelectedClicked
                            | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    m_view->setTabKeyNavigation(false);
    m_view->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + 8);
    m_add = new QPushButton(tr("&Add entry"));
    m_add->setObjectName(QStringLiteral("addEntry"));
    m_remove = new QPushButton(tr("&Remove entry"));
    m_remove->setObjectName(QStringLiteral("removeEntry"));
    auto* restore = new QPushButton(tr("Restore e&xample"));
    restore->setObjectName(QStringLiteral("restoreExample"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_add);
    buttons->addWidget(m_remove);
    buttons->addStretch();
    buttons->addWidget(restore);
    auto* side = new QWidget;
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view, 1);
    layout->addLayout(buttons);
    connect(m_add, &QPushButton::clicked, this, [this] {
        m_table->append();
        m_view->setCurrentIndex(m_table->index(m_table->rowCount() - 1, 0));
        m_view->setFocus();
    });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        const QModelIndex chosen = m_view->currentIndex();
        m_table->remove(chosen.isValid() ? chosen.row() : m_table->rowCount() - 1);
    });
    connect(restore, &QPushButton::clicked, this, &LookupPage::restoreExample);
    return side;
}

// What is pointed at in one figure is marked in the other.
void LookupPage::connectFigures()
{
    connect(m_plane, &FigureCanvas::hovered, this, [this](const FigureHit& hit) { Q_EMIT hovered(hit.text); });
    connect(m_plane, &QueryPlane::queryMoved, this, [this](double x, double y) { setQuery({x, y}); });
    const auto point = [this](FigureCanvas* other) {
        return [this, other](const FigureHit& hit) {
            Highlight marks;
            marks.row = hit.row;
            other->setMarks(marks);
        };
    };
    connect(m_plane, &FigureCanvas::hovered, this, point(m_weights));
    connect(m_weights, &FigureCanvas::hovered, this, point(m_plane));
    connect(m_weights, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
        if (hit.isCell())
            m_view->setCurrentIndex(m_table->index(hit.row, 0));
    });
}

void LookupPage::restoreExample()
{
    m_settling = true;
    m_isScaled = true;
    m_table->restoreExample();
    setQuery({2.5, 1.5});
    m_settling = false;
    changed();
}

void LookupPage::setQuery(const std::vector<double>& query)
{
    const bool outer = std::exchange(m_settling, true);
    for (std::size_t i = 0; i < m_query.size(); ++i)
        m_query[i]->setValue(i < query.size() ? query[i] : 0);
    m_settling = outer;
    changed();
}

void LookupPage::setSharpness(double sharpness)
{
    if (m_settling)
        return;
    m_isScaled = false;
    m_content.sharpness = static_cast<float>(sharpness);
    changed();
}

void LookupPage::useScaledDotProduct()
{
    m_isScaled = true;
    changed();
}

void LookupPage::changed()
{
    if (std::exchange(m_settling, true))
        return;
    const int width = m_table->keyWidth();
    m_width->setValue(width);
    if (m_isScaled)
        m_content.sharpness = 1 / std::sqrt(static_cast<float>(width));
    m_scaled->setChecked(m_isScaled);
    m_slider->setValue(stepOf(static_cast<double>(m_content.sharpness)));
    if (static_cast<float>(m_sharpness->value()) != m_content.sharpness) // else it is being typed there
        m_sharpness->setValue(static_cast<double>(m_content.sharpness));
    m_content.names = m_table->names();
    m_content.entries = m_table->entries();
    m_content.query.clear();
    for (int i = 0; i < LookupTable::mostWidth; ++i) {
        NumberBox* component = m_query[i];
        component->setVisible(i < width);
        if (i < width)
            m_content.query.push_back(static_cast<float>(component->value()));
    }
    m_settling = false;
    m_add->setEnabled(m_table->rowCount() < LookupTable::mostRows);
    m_remove->setEnabled(m_table->rowCount() > 0);
    message().hide();
    m_content.exact = exactLookup(m_content.query, m_content.entries);
    m_content.answer = softLookup(m_content.query, m_content.entries, m_content.sharpness);
    redraw();
}

QString LookupPage::outcome() const
{
    if (m_content.entries.empty())
        return tr("The table is empty: neither lookup has an answer.");
    const QString soft = shortDecimal(m_content.answer.result);
    if (!m_content.exact)
        return tr("Exact lookup: no key equals the query %1. Soft lookup: %2.")
            .arg(lookupVector(m_content.query), soft);
    const std::size_t row = *m_content.exact;
    return tr("Exact lookup: the key of “%1” equals the query, so the answer is %2. Soft lookup: %3.")
        .arg(m_content.names.value(static_cast<qsizetype>(row)), shortDecimal(m_content.entries[row].value), soft);
}

void LookupPage::redraw()
{
    say(outcome());
    const FigureSpec spec = look();
    m_plane->show(spec, m_content);
    m_weights->setFigure([spec, content = m_content](QSizeF size) { return lookupFigure(spec, content, size); });
}

std::optional<Exportable> LookupPage::exportable() const
{
    const FigureSpec spec = look();
    const LookupContent content = m_content;
    const FigureLayout weights = [spec, content](QSizeF size) { return lookupFigure(spec, content, size); };
    FigureLayout plane;
    if (content.query.size() == 2)
        plane = [spec, content](QSizeF size) { return std::make_unique<KeyPlaneFigure>(spec, content, size); };
    Exportable result;
    result.title = title();
    result.theme = spec.theme;
    result.layOut = [weights, plane, theme = spec.theme](QSizeF size) {
        return layOutPanels({weights, plane}, 1, size, theme);
    };
    result.csv = [content] { return lookupCsv(content); };
    return result;
}

void LookupPage::activate()
{
    redraw();
}

} // namespace attn::ui
