// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/word_order.h"
#include "base/index.h"
#include "experiments/order_experiment.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/look/value_scale.h"
#include "figures/parts/panel_figure.h"
#include "laboratory/laboratory_page.h"
#include "maps/map_range.h"
#include "panels/text_line.h"
#include "state/strings.h"

#include <QListWidget>
#include <QShortcut>
#include <QSignalBlocker>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace attn::ui {

namespace {

constexpr int mostWords = 48;

QString gapText(double gap)
{
    return gap < 1e-3 ? orderOfMagnitude(gap) : percent(gap);
}

std::vector<int> ownOrder(int words)
{
    std::vector<int> order(static_cast<std::size_t>(words));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

// Original, shuffled and put back, and what is left between them per word.
using OrderContents = std::array<MatrixContent, 3>;

FigureLayout orderFigure(const FigureSpec& spec, const OrderContents& contents)
{
    return [spec, contents](QSizeF wanted) -> std::unique_ptr<const Figure> {
        // In a file: as in the window, not as high as each matrix wants to be; a narrow one in two rows.
        const bool natural = wanted.height() <= 0;
        const bool narrow = natural && wanted.width() < 700;
        const double row = natural
            ? std::max(narrow ? 0.0 : 0.45 * wanted.width(), 150.0 + 18 * contents[2].map.numbers.rows)
            : wanted.height();
        const QSizeF size(wanted.width(), narrow ? 2 * row : row);
        const std::array<double, 3> shares = narrow ? std::array{0.5, 0.5, 0.4} : std::array{0.37, 0.37, 0.26};
        std::vector<Panel> panels;
        QPointF corner;
        for (std::size_t i = 0; i < contents.size(); ++i) {
            FigureSpec look = spec;
            if (i < 2 && contents[i].least < 0)
                look.colorMap = divergingColors();
            const QSizeF room(size.width() * shares[i], row);
            panels.push_back({std::make_unique<MatrixFigure>(look, contents[i], room), corner});
            corner = narrow && i == 1 ? QPointF(0, row) : QPointF(corner.x() + room.width(), corner.y());
        }
        // Pointing at a cell shows the same one in the other order, and its word's row on the right.
        const auto spread = [](int panel, const Highlight& highlight) {
            Highlight marks = highlight;
            if ((panel == 2) != (highlight.panel == 2))
                marks.column.reset();
            return marks;
        };
        return std::make_unique<PanelFigure>(std::move(panels), size, themeColors(spec.theme).background, spread);
    };
}

// The same self-attention on the words of a sentence in two orders, without and with positions: by a small random layer
// or by the loaded model.
class OrderShuffle final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(OrderShuffle)

public:
    explicit OrderShuffle(const LaboratoryContext& context)
        : LaboratoryPage(context, {})
    {
        setTitle(tr("Order"));
        addFilledRow();
        m_sentence = addControl({"orderSentence", tr("&Sentence")}, new TextLine);
        addFilledRow();
        addOrder();
        addControlRow();
        m_engine = addChoice({"orderEngine", tr("&Through")},
                             {{"small", tr("a small random layer")}, {"model", tr("the loaded model")}});
        m_layer = addChoice({"orderLayer", tr("&Layer")});
        m_positions =
            addChoice({"orderPositions", tr("Pos&itions")}, {{"without", tr("without")}, {"with", tr("with")}});
        m_picture = addChoice({"orderPicture", tr("Sho&w")},
                              {{"weights", tr("attention weights")}, {"outputs", tr("outputs")}});
        setShown(m_layer, false);
        m_canvas = makeCanvas("orderFigure", tr("Both orders"));
        setContent(m_canvas);
        connect(m_sentence, &QLineEdit::textEdited, this, [this](const QString& text) {
            m_typed = true;
            setWords(text);
            if (!throughModel())
                compute();
        });
        connect(m_sentence, &QLineEdit::editingFinished, this, &OrderShuffle::compute);
        connect(m_sentence, &TextLine::wholeChanged, this, [this] { // a long text was taken away
            m_typed = true;
            setWords(m_sentence->wholeText());
            compute();
        });
        connect(m_sentence, &TextLine::tooLong, this, [this](const QString& said) { say(said); });
        connect(m_engine, &QComboBox::activated, this, [this] { m_engineChosen = true; });
        onChange({m_engine}, [this] { compute(); });
        onChange({m_layer}, [this] { showLayer(); });
        onChange({m_positions, m_picture}, [this] { redraw(); });
    }

    void activate() override
    {
        nameModel();
        if (!m_typed) {
            const QString sentence = sentenceOnShow(context());
            if (sentence != m_sentence->wholeText() || m_words->count() == 0)
                setWords(sentence.trimmed().isEmpty() ? tr("the cat sat on the mat") : sentence);
        }
        compute();
    }

    std::optional<Exportable> exportable() const override
    {
        if (!m_result)
            return std::nullopt;
        // Both matrices below each other, then what is left.
        return shown(orderFigure(look(), contents()), [all = contents()] {
            QByteArray csv;
            for (const MatrixContent& content : all)
                csv += matrixCsv(content);
            return csv;
        });
    }

private:
    enum Engine : int { SmallLayer, LoadedModel };

    bool throughModel() const { return m_engine->currentIndex() == LoadedModel; }
    bool withPositions() const { return m_positions->currentIndex() == 1; }
    bool showsWeights() const { return m_picture->currentIndex() == 0; }
    // Whether the loaded model has an order to lose.
    bool modelFits() const { return readsWords() && readsInParallel(model()->info); }
    bool readsWords() const { return model() && model()->info.input == InputKind::Text; }

    void addOrder()
    {
        m_words = new QListWidget;
        m_words->setFlow(QListView::LeftToRight);
        m_words->setSpacing(2);
        m_words->setDragDropMode(QAbstractItemView::InternalMove);
        m_words->setDefaultDropAction(Qt::MoveAction);
        m_words->setDropIndicatorShown(true);
        m_words->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
        m_words->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_words->setFixedHeight(m_words->fontMetrics().height() + 34);
        addControl({"orderWords", tr("&Order"), {}, tr("Drag a word, or choose it and press Alt with Left or Right")},
                   m_words);
        connect(addControl({"orderShuffle", tr("S&huffle")}, new QPushButton), &QPushButton::clicked, this,
                [this] { reorder(shuffledOrder(m_words->count(), ++m_seed)); });
        connect(addControl({"orderRestore", tr("&Put back")}, new QPushButton), &QPushButton::clicked, this,
                [this] { reorder(ownOrder(m_words->count())); });
        // A drop moves an item, or inserts one and removes another.
        const auto changed = [this] {
            if (!m_filling)
                QMetaObject::invokeMethod(this, &OrderShuffle::compute, Qt::QueuedConnection);
        };
        connect(m_words->model(), &QAbstractItemModel::rowsMoved, this, changed);
        connect(m_words->model(), &QAbstractItemModel::rowsInserted, this, changed);
        connect(m_words->model(), &QAbstractItemModel::rowsRemoved, this, changed);
        for (const auto& [key, by] : {std::pair{Qt::Key_Left, -1}, std::pair{Qt::Key_Right, 1}}) {
            auto* shortcut = new QShortcut(QKeySequence(Qt::ALT | key), m_words);
            shortcut->setContext(Qt::WidgetShortcut);
            connect(shortcut, &QShortcut::activated, this, [this, by = by] { moveWord(by); });
        }
    }

    // The loaded model from the start, where it has an order to lose.
    void nameModel()
    {
        m_engine->setItemText(LoadedModel, model() ? model()->name : tr("the loaded model"));
        const QSignalBlocker blocker(m_engine);
        if (!m_engineChosen)
            m_engine->setCurrentIndex(modelFits() ? LoadedModel : SmallLayer);
    }

    void setWords(const QString& sentence)
    {
        const QSignalBlocker blocker(m_sentence);
        if (m_sentence->wholeText() != sentence)
            m_sentence->replaceText(sentence);
        m_filling = true;
        m_words->clear();
        const std::string text = sentence.toStdString();
        for (const ByteSpan& span : blankSeparated(text)) {
            if (m_words->count() == mostWords)
                break;
            auto* item = new QListWidgetItem(QString::fromStdString(text.substr(span.begin, span.end - span.begin)));
            item->setData(Qt::UserRole, m_words->count());
            m_words->addItem(item);
        }
        m_filling = false;
        setOrder(shuffledOrder(m_words->count(), m_seed));
    }

    // In the sentence's order.
    QStringList words() const
    {
        QStringList words(m_words->count());
        for (int i = 0; i < m_words->count(); ++i) {
            const int place = m_words->item(i)->data(Qt::UserRole).toInt();
            if (place < words.size()) // one that was being dragged may be of the sentence before
                words[place] = m_words->item(i)->text();
        }
        return words;
    }

    void setOrder(const std::vector<int>& order)
    {
        const QStringList all = words();
        for (int i = 0; i < m_words->count(); ++i) {
            m_words->item(i)->setText(all[order[i]]);
            m_words->item(i)->setData(Qt::UserRole, order[i]);
        }
    }

    void reorder(const std::vector<int>& order)
    {
        setOrder(order);
        compute();
    }

    // Order of the words as they stand in the list.
    std::vector<int> order() const
    {
        std::vector<int> order;
        for (int i = 0; i < m_words->count(); ++i)
            order.push_back(m_words->item(i)->data(Qt::UserRole).toInt());
        return order;
    }

    void moveWord(int by)
    {
        const int from = m_words->currentRow();
        const int to = from + by;
        if (from < 0 || to < 0 || to >= m_words->count())
            return;
        std::vector<int> moved = order();
        std::swap(moved[from], moved[to]);
        m_words->setCurrentRow(to);
        reorder(moved);
    }

    // Computes what is wanted now: at once by the small layer, else unless it is there already or on its way.
    void compute()
    {
        if (throughModel())
            return askModel();
        m_runs = {};
        jobs().cancel();
        std::vector<std::string> texts;
        for (const QString& word : words())
            texts.push_back(word.toStdString());
        m_result.reset();
        if (texts.size() > 1)
            m_result = smallOrderResult(texts, order());
        redraw();
    }

    void askModel()
    {
        const std::vector<int> wanted = order();
        if (!modelFits() || wanted.size() < 2) {
            m_runs = {};
            m_result.reset();
            jobs().cancel();
            return redraw();
        }
        const auto make = [&] {
            m_result.reset();
            redraw();
            Question question = context().question();
            const std::string text = m_sentence->wholeText().toStdString();
            const std::vector<ByteSpan> spans = blankSeparated(text);
            question.text = text.substr(0, spans.at(wanted.size() - 1).end); // without the words beyond the most
            question.secondText.reset();
            return OrderExperiment(std::move(question), wanted);
        };
        ask(m_runs, std::tuple(model()->path, m_sentence->wholeText(), wanted), make, [this] {
            const QSignalBlocker blocker(m_layer);
            const int layers = m_runs.result->layers();
            const int kept = m_layer->count() == layers ? m_layer->currentIndex() : layers - 1;
            m_layer->clear();
            for (int layer = 0; layer < layers; ++layer)
                m_layer->addItem(QString::number(layer), layer);
            m_layer->setCurrentIndex(kept);
            showLayer();
        });
    }

    void showLayer()
    {
        if (!m_runs.result || m_layer->currentIndex() < 0)
            return;
        m_result = m_runs.result->result(m_layer->currentIndex());
        redraw();
    }

    MatrixContent contentOf(const Numbers& matrix) const
    {
        MatrixContent content;
        content.map.numbers = matrix;
        for (const std::string& word : m_result->words)
            content.rowLabels << readableToken(word);
        content.rowAxis = tr("word");
        return content;
    }

    MatrixContent sideContent(const Numbers& matrix) const
    {
        MatrixContent content = contentOf(matrix);
        if (showsWeights()) {
            content.columnLabels = content.rowLabels;
            content.rowAxis = tr("query");
            content.columnAxis = tr("key");
            content.valueName = tr("attention weight");
        } else {
            for (int i = 0; i < matrix.columns; ++i)
                content.columnLabels << QString::number(i);
            content.columnAxis = tr("dimension");
            content.valueName = tr("output");
        }
        return content;
    }

    MatrixContent gapContent() const
    {
        Numbers gaps{indexSize(m_result->words), 2, {}};
        for (std::size_t word = 0; word < m_result->sides[0].gaps.size(); ++word) {
            for (const OrderSide& side : m_result->sides)
                gaps.values.push_back(static_cast<float>(side.gaps[word]));
        }
        const double largest = rangeOfNumbers(gaps.values).value_or(NumberRange{}).most;
        MatrixContent content = contentOf(gaps);
        content.columnLabels = QStringList{tr("without"), tr("with")};
        content.columnAxis = tr("positions");
        content.valueName = tr("difference, relative");
        content.most = std::max(weightScaleEnd(gaps.values), largest);
        content.title = {tr("What is left"), tr("0: the output merely moved")};
        content.description =
            tr("How far each word's output differs between the two orders, at most %1.").arg(decimal(largest, 3));
        return content;
    }

    OrderContents contents() const
    {
        const OrderSide& side = m_result->sides[withPositions() ? 1 : 0];
        const bool weights = showsWeights();
        const Numbers& before = weights ? side.weights : side.outputs;
        const Numbers& after = weights ? side.weightsBack : side.outputsBack;
        OrderContents contents{sideContent(before), sideContent(after), gapContent()};
        const auto scaleEnd = weights ? weightScaleEnd : largestMagnitude;
        const double most = std::max(scaleEnd(before.values), scaleEnd(after.values));
        const QString how = withPositions() ? tr("with positions") : tr("without positions");
        const QString what = weights ? tr("Attention") : tr("Outputs");
        contents[0].title = {tr("%1, words in their order").arg(what), how};
        contents[1].title = {tr("%1, words shuffled").arg(what), tr("%1, put back for comparison").arg(how)};
        if (weights && m_result->causal) {
            contents[0].map.setBlank(laterKeys(ownOrder(indexSize(m_result->order))));
            contents[1].map.setBlank(laterKeys(m_result->places()));
        }
        for (MatrixContent* content : {contents.data(), &contents[1]}) {
            content->most = most;
            content->least = weights ? 0 : -most;
            content->description =
                content->title.title + QStringLiteral(", ") + content->title.subtitle + QLatin1Char('.');
        }
        return contents;
    }

    // Keys that a query does not see because they come after it: with the words at these places.
    static std::function<bool(int, int)> laterKeys(std::vector<int> places)
    {
        return [places = std::move(places)](int query, int key) { return places.at(key) > places.at(query); };
    }

    void redraw() override
    {
        setShown(m_layer, m_runs.result != nullptr);
        m_canvas->setFigure(m_result ? orderFigure(look(), contents())
                                     : emptyFigure(look(), tr("Nothing is compared yet")));
        say(outcome());
    }

    QString outcome() const
    {
        if (m_words->count() < 2)
            return tr("Two words at least are needed for another order.");
        if (throughModel() && !model())
            return tr("No model is open. A small random layer can be looked at without one.");
        if (throughModel() && !readsWords())
            return tr("%1 reads no words that could be shuffled.").arg(model()->name);
        if (throughModel() && !modelFits())
            return tr("%1 does not read its words in parallel by self-attention (positions: %2): there are no "
                      "positions to leave out.")
                .arg(model()->name, text(positionsText(model()->info.positions, inWords)));
        if (!m_result)
            return {};
        if (std::ranges::is_sorted(m_result->order))
            return tr("The words stand in their own order: shuffle them or move one.");
        const int incomparable = std::max(m_result->sides[0].incomparable(), m_result->sides[1].incomparable());
        if (incomparable > 0)
            return tr("The output of %1 of %2 words is no number: whether it moved or changed cannot be said.")
                .arg(incomparable)
                .arg(m_result->words.size());
        const double without = m_result->sides[0].largestGap();
        const double with = m_result->sides[1].largestGap();
        const bool causal = m_runs.result && m_runs.result->causal();
        const QString first = without < m_result->rounding
            ? tr("Without positions the output is merely permuted (largest difference %1); ")
            : causal ? tr("Even without positions the output changes (%1): the causal mask knows the order, for a "
                          "word only sees the words before it; ")
                     : tr("Without positions the output changes (%1); ");
        const QString second = with < m_result->rounding ? tr("with positions it is merely permuted, too (%1).")
                                                         : tr("with positions it changes (%1).");
        return first.arg(gapText(without)) + second.arg(gapText(with));
    }

    TextLine* m_sentence = nullptr;
    QListWidget* m_words = nullptr; // data: the word's place in the sentence
    QComboBox* m_engine = nullptr;
    QComboBox* m_layer = nullptr;
    QComboBox* m_positions = nullptr;
    QComboBox* m_picture = nullptr;
    FigureCanvas* m_canvas = nullptr;
    std::uint64_t m_seed = 0;
    bool m_typed = false; // the sentence is the page's own
    bool m_engineChosen = false; // by hand
    bool m_filling = false;
    Answered<OrderExperiment, std::tuple<QString, QString, std::vector<int>>> m_runs; // of the loaded model
    std::optional<OrderResult> m_result;
};

} // namespace

LaboratoryPage* makeOrderShuffle(const LaboratoryContext& context)
{
    return new OrderShuffle(context);
}

} // namespace attn::ui
