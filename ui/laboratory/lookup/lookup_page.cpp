// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/charts/key_plane_figure.h"
#include "figures/look/decimal.h"
#include "figures/parts/panel_figure.h"
#include "laboratory/laboratory_page.h"
#include "views/number_box.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineF>
#include <QLocale>
#include <QMouseEvent>
#include <QSlider>
#include <QTableView>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr int mostEntries = 12;
constexpr int mostComponents = 4; // of a key
constexpr double largestNumber = 1000; // of components and values
constexpr int longestName = 40;
constexpr double softest = 0.01;
constexpr double sharpest = 100;
constexpr int sliderSteps = 400; // from softest to sharpest, in equal ratios
constexpr double snap = 5; // pixels

int stepOf(double sharpness)
{
    return static_cast<int>(std::lround(std::log(sharpness / softest) / std::log(sharpest / softest) * sliderSteps));
}

double sharpnessAt(int step)
{
    return softest * std::pow(sharpest / softest, static_cast<double>(step) / sliderSteps);
}

// With a decimal point or, as people of many countries type it, a comma; to three decimals, as a query has.
std::optional<float> numberFrom(QString text)
{
    text = text.trimmed().replace(QLatin1Char(','), QLatin1Char('.')).replace(QChar(0x2212), QLatin1Char('-'));
    bool valid = false;
    const double number = QLocale::c().toDouble(text, &valid);
    if (!valid || !std::isfinite(number) || std::abs(number) > largestNumber)
        return std::nullopt;
    return static_cast<float>(std::round(number * 1000) / 1000);
}

// Text of a column after the name's: a component of the key or, in the last, the value.
template<class Entry>
auto& numberIn(Entry& entry, int column)
{
    return column > indexSize(entry.key) ? entry.value : entry.key.at(static_cast<std::size_t>(column) - 1);
}

// A key-value table that can be edited: a name, the components of the key, the value. What is no number in a cell for
// numbers is refused and the old one stays.
class LookupTable final : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    int keyWidth() const { return m_width; }
    const QStringList& names() const { return m_names; }
    const std::vector<LookupEntry>& entries() const { return m_entries; }

    void restoreExample()
    {
        beginResetModel();
        m_width = 2;
        m_names = {tr("cat"), tr("dog"), tr("horse"), tr("goldfish"), tr("tortoise")};
        m_entries = {{{3, 1}, 15}, {{2, 2.5F}, 12}, {{-1, 3}, 27}, {{-3, -1}, 10}, {{0.5F, -3}, 100}};
        endResetModel();
        Q_EMIT edited();
    }

    // New components are 0.
    void setKeyWidth(int width)
    {
        if (width == m_width)
            return;
        beginResetModel();
        m_width = width;
        for (LookupEntry& entry : m_entries)
            entry.key.resize(width);
        endResetModel();
        Q_EMIT edited();
    }

    // An entry of zeros.
    void append()
    {
        const int row = rowCount();
        beginInsertRows({}, row, row);
        m_names << tr("entry %1").arg(row + 1);
        m_entries.push_back({std::vector<float>(m_width), 0});
        endInsertRows();
        Q_EMIT edited();
    }

    void remove(int row)
    {
        beginRemoveRows({}, row, row);
        m_names.removeAt(row);
        m_entries.erase(m_entries.begin() + row);
        endRemoveRows();
        Q_EMIT edited();
    }

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : indexSize(m_entries); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_width + 2; }

    QVariant data(const QModelIndex& index, int role) const override
    {
        if (role == Qt::TextAlignmentRole && index.column() > 0)
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole))
            return {};
        if (index.column() == 0)
            return m_names.value(index.row());
        return significant(static_cast<double>(numberIn(m_entries.at(index.row()), index.column())), 6);
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (role != Qt::DisplayRole)
            return {};
        if (orientation == Qt::Vertical)
            return section + 1;
        if (section == 0)
            return tr("entry");
        return section > m_width ? tr("value") : tr("key %1").arg(section);
    }

    Qt::ItemFlags flags(const QModelIndex& index) const override
    {
        return QAbstractTableModel::flags(index) | Qt::ItemIsEditable;
    }

    bool setData(const QModelIndex& index, const QVariant& value, int role) override
    {
        if (role != Qt::EditRole || !index.isValid())
            return false;
        const QString typed = value.toString();
        if (index.column() == 0) {
            m_names[index.row()] = typed.trimmed().left(longestName);
        } else {
            const auto parsed = numberFrom(typed);
            if (!parsed) {
                Q_EMIT refused(tr("“%1” is not a number between −%2 and %2; the old value stays.")
                                   .arg(typed.left(longestName))
                                   .arg(largestNumber));
                return false;
            }
            numberIn(m_entries.at(index.row()), index.column()) = *parsed;
        }
        Q_EMIT dataChanged(index, index);
        Q_EMIT edited();
        return true;
    }

Q_SIGNALS:
    void edited();
    void refused(const QString& reason);

private:
    int m_width = 2;
    QStringList m_names;
    std::vector<LookupEntry> m_entries; // as many as names
};

// The plane of keys, in which the query follows the mouse and the arrow keys. Near the end of a key it snaps to it.
class QueryPlane final : public FigureCanvas
{
    Q_OBJECT

public:
    QueryPlane()
    {
        setObjectName(QStringLiteral("queryPlane"));
        setAccessibleName(tr("Keys and query"));
        setCursor(Qt::CrossCursor);
    }

    void showContent(const FigureSpec& spec, const LookupContent& content)
    {
        m_content = content;
        // The ground stays under the pointer.
        const double limit = m_dragging && plane() != nullptr ? plane()->limit() : 0;
        setFigure([spec, content, limit](QSizeF size) {
            return std::make_unique<KeyPlaneFigure>(spec, content, size, limit);
        });
    }

Q_SIGNALS:
    void queryMoved(double x, double y);
    void released();

protected:
    void mousePressEvent(QMouseEvent* event) override
    {
        if (event->button() != Qt::LeftButton || !canMove())
            return FigureCanvas::mousePressEvent(event);
        m_dragging = true;
        moveTo(event->position());
    }

    void mouseMoveEvent(QMouseEvent* event) override
    {
        if ((event->buttons() & Qt::LeftButton) == 0 && std::exchange(m_dragging, false))
            Q_EMIT released(); // a menu or a question may have had the release
        if (m_dragging && canMove())
            return moveTo(event->position());
        FigureCanvas::mouseMoveEvent(event);
    }

    void mouseReleaseEvent(QMouseEvent* event) override
    {
        if (std::exchange(m_dragging, false))
            Q_EMIT released();
        FigureCanvas::mouseReleaseEvent(event);
    }

    void keyPressEvent(QKeyEvent* event) override
    {
        constexpr std::pair<int, std::pair<int, int>> ways[] = {
            {Qt::Key_Left, {-1, 0}}, {Qt::Key_Right, {1, 0}}, {Qt::Key_Up, {0, 1}}, {Qt::Key_Down, {0, -1}}};
        const auto* way = std::ranges::find(ways, event->key(), [](const auto& entry) { return entry.first; });
        if (way == std::end(ways) || m_content.query.size() != 2)
            return FigureCanvas::keyPressEvent(event);
        const double step = event->modifiers().testFlag(Qt::ShiftModifier) ? 0.5 : 0.1;
        moveQuery(static_cast<double>(m_content.query[0]) + way->second.first * step,
                  static_cast<double>(m_content.query[1]) + way->second.second * step);
    }

private:
    // Null before the first layout.
    const KeyPlaneFigure* plane() const { return dynamic_cast<const KeyPlaneFigure*>(figure()); }
    bool canMove() const { return plane() != nullptr && m_content.query.size() == 2; }
    void moveQuery(double x, double y) { Q_EMIT queryMoved(std::round(x * 100) / 100, std::round(y * 100) / 100); }

    void moveTo(QPointF point)
    {
        for (const LookupEntry& entry : m_content.entries) {
            const QPointF key(static_cast<double>(entry.key.at(0)), static_cast<double>(entry.key.at(1)));
            if (QLineF(plane()->toPoint(key.x(), key.y()), point).length() < snap)
                return Q_EMIT queryMoved(key.x(), key.y());
        }
        const QPointF free = plane()->toPlane(point);
        moveQuery(free.x(), free.y());
    }

    LookupContent m_content;
    bool m_dragging = false;
};

// A key-value table and a query, both edited in place, and what a lookup answers exactly and softly.
class LookupPage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(LookupPage)

public:
    explicit LookupPage(const LaboratoryContext& context)
        : LaboratoryPage(context,
                         tr("A table answers only a query that equals one of its keys. Attention answers every query: "
                            "each value contributes as much as its key fits, and the sharpness says how much the best "
                            "fit is preferred. In the example a value is the years that an animal lives, and its key "
                            "two traits that were made up."))
        , m_table(new LookupTable(this))
        , m_plane(new QueryPlane)
        , m_weights(makeCanvas("lookupWeights", tr("Scores, weights and contributions")))
    {
        addControls();
        auto* upper = split(Qt::Horizontal, {{makeTable(), 400, 1}, {m_plane, 400, 1}});
        setContent(split(Qt::Vertical, {{upper, 340, 3}, {m_weights, 250, 2}}));
        connect(m_table, &LookupTable::edited, this, &LookupPage::changed);
        connect(m_table, &LookupTable::refused, this, [this](const QString& reason) { message().showNote(reason); });
        connectFigures();
        restoreExample();
    }

    void activate() override { redraw(); }

    std::optional<Exportable> exportable() const override
    {
        const bool flat = m_content.query.size() == 2;
        return shown(
            [weights = weights(), plane = flat ? keyPlane() : FigureLayout(), theme = look().theme](QSizeF size) {
                return layOutPanels({weights, plane}, 1, size, theme);
            },
            [content = m_content] { return lookupCsv(content); });
    }

private:
    void addControls()
    {
        for (int i = 0; i < mostComponents; ++i) {
            const QByteArray id = "query" + QByteArray::number(i + 1);
            NumberBox* box = m_query.at(i) = addControl(
                {id.constData(), i == 0 ? tr("&Query") : QString(), tr("Component %1 of the query").arg(i + 1)},
                new NumberBox);
            box->setRange(-largestNumber, largestNumber);
            box->setSingleStep(0.1);
            box->setDecimals(3);
            connect(box, &NumberBox::valueChanged, this, &LookupPage::changed);
        }
        m_width = addNumber({"keyWidth", tr("&d"), tr("Components of a key, d")}, 1, mostComponents, 2);
        connect(m_width, &QSpinBox::valueChanged, m_table, &LookupTable::setKeyWidth);
        addControlRow();
        m_slider = addControl({"sharpnessSlider", tr("&Sharpness")}, new QSlider(Qt::Horizontal));
        m_slider->setRange(0, sliderSteps);
        m_slider->setPageStep(sliderSteps / 20);
        m_slider->setMinimumWidth(120);
        m_sharpness = addControl({"sharpness", {}, tr("Sharpness")}, new NumberBox);
        m_sharpness->setDecimals(3);
        m_sharpness->setRange(softest, sharpest);
        m_sharpness->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        m_scaled = addControl({"scaledDotProduct", tr("1/√d"), tr("Sharpness of scaled dot-product attention"),
                               tr("The sharpness of scaled dot-product attention")},
                              new QPushButton);
        m_scaled->setCheckable(true);
        connect(m_slider, &QSlider::valueChanged, this, [this](int step) { setSharpness(sharpnessAt(step)); });
        connect(m_sharpness, &NumberBox::valueChanged, this, &LookupPage::setSharpness);
        connect(m_scaled, &QPushButton::clicked, this, [this] {
            m_isScaled = true;
            changed();
        });
    }

    QWidget* makeTable()
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
        auto* buttons = new QHBoxLayout;
        const auto addButton = [&](const char* id, const QString& text, auto act) {
            auto* button = new QPushButton(text);
            button->setObjectName(QLatin1String(id));
            buttons->addWidget(button);
            connect(button, &QPushButton::clicked, this, act);
            return button;
        };
        m_add = addButton("addEntry", tr("&Add entry"), [this] {
            m_table->append();
            m_view->setCurrentIndex(m_table->index(m_table->rowCount() - 1, 0));
            m_view->setFocus();
        });
        m_remove = addButton("removeEntry", tr("&Remove entry"), [this] {
            const QModelIndex chosen = m_view->currentIndex();
            m_table->remove(chosen.isValid() ? chosen.row() : m_table->rowCount() - 1);
        });
        buttons->addStretch();
        addButton("restoreExample", tr("Restore e&xample"), [this] { restoreExample(); });
        auto* side = new QWidget;
        auto* layout = new QVBoxLayout(side);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_view, 1);
        layout->addLayout(buttons);
        return side;
    }

    // Marks in one figure what is pointed at in the other.
    void connectFigures()
    {
        connect(m_plane, &FigureCanvas::hovered, this, [this](const FigureHit& hit) { Q_EMIT hovered(hit.text); });
        connect(m_plane, &QueryPlane::queryMoved, this, [this](double x, double y) { setQuery({x, y}); });
        connect(m_plane, &QueryPlane::released, this, &LookupPage::redraw);
        const auto point = [](FigureCanvas* other) {
            return [other](const FigureHit& hit) {
                Highlight marks;
                marks.row = hit.row;
                other->setMarks(marks);
            };
        };
        connect(m_plane, &FigureCanvas::hovered, this, point(m_weights));
        connect(m_weights, &FigureCanvas::hovered, this, point(m_plane));
        connect(m_weights, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
            if (hit.isCell())
                m_view->setCurrentIndex(m_table->index(*hit.row, 0));
        });
    }

    void restoreExample()
    {
        m_settling = true;
        m_isScaled = true;
        m_table->restoreExample();
        setQuery({2.5, 1.5});
        m_settling = false;
        changed();
    }

    void setQuery(const std::vector<double>& query)
    {
        const bool outer = std::exchange(m_settling, true);
        for (std::size_t i = 0; i < m_query.size(); ++i)
            m_query.at(i)->setValue(i < query.size() ? query[i] : 0);
        m_settling = outer;
        changed();
    }

    void setSharpness(double sharpness)
    {
        if (m_settling)
            return;
        m_isScaled = false;
        m_content.sharpness = static_cast<float>(sharpness);
        changed();
    }

    void changed()
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
        for (int i = 0; i < mostComponents; ++i) {
            m_query.at(i)->setVisible(i < width);
            if (i < width)
                m_content.query.push_back(static_cast<float>(m_query.at(i)->value()));
        }
        m_settling = false;
        m_add->setEnabled(m_table->rowCount() < mostEntries);
        m_remove->setEnabled(m_table->rowCount() > 0);
        message().hide();
        m_content.exact = exactLookup(m_content.query, m_content.entries);
        m_content.answer = softLookup(m_content.query, m_content.entries, m_content.sharpness);
        redraw();
    }

    QString outcome() const
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

    FigureLayout weights() const
    {
        return [spec = look(), content = m_content](QSizeF size) { return lookupFigure(spec, content, size); };
    }

    FigureLayout keyPlane() const
    {
        return [spec = look(), content = m_content](QSizeF size) {
            return std::make_unique<KeyPlaneFigure>(spec, content, size);
        };
    }

    void redraw() override
    {
        say(outcome());
        m_plane->showContent(look(), m_content);
        m_weights->setFigure(weights());
    }

    LookupTable* m_table = nullptr;
    QTableView* m_view = nullptr;
    QPushButton* m_add = nullptr;
    QPushButton* m_remove = nullptr;
    std::array<NumberBox*, mostComponents> m_query{};
    QSpinBox* m_width = nullptr;
    QSlider* m_slider = nullptr; // logarithm of the sharpness
    NumberBox* m_sharpness = nullptr;
    QPushButton* m_scaled = nullptr;
    QueryPlane* m_plane = nullptr;
    FigureCanvas* m_weights = nullptr;
    LookupContent m_content;
    bool m_isScaled = true; // the sharpness stays 1/sqrt(d) when d changes
    bool m_settling = false; // several controls change at once
};

} // namespace

LaboratoryPage* makeLookupPage(const LaboratoryContext& context)
{
    return new LookupPage(context);
}

} // namespace attn::ui

#include "lookup_page.moc"
