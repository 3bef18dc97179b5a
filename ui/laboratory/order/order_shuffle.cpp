// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/order/order_shuffle.h"

#include "analysis/word_order.h"
#include "figures/kinds/kinds.h"
#include "figures/look/decimal.h"

#include <QShortcut>
#include <QSignalBlocker>

#include <algorithm>
#include <numeric>

namespace attn::ui {

namespace {

constexpr int mostWords = 48;

QString gapText(double gap)
{
    return gap < 1e-3 ? orderOfMagnitude(gap) : percent(gap);
}

} // namespace

OrderShuffle::OrderShuffle(const LaboratoryContext& context)
    : LaboratoryPage(context, {})
    , m_sentence(new QLineEdit)
    , m_words(new QListWidget)
    , m_engine(new QComboBox)
    , m_layer(new QComboBox)
    , m_positions(new QComboBox)
    , m_picture(new QComboBox)
    , m_canvas(makeCanvas("orderFigure", tr("Both orders")))
{
    addControl(tr("&Sentence"), m_sentence, "orderSentence");
    addControlRow();
    buildOrder();
    addControlRow();
    buildChoices();
    setContent(m_canvas);
    connect(m_sentence, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_typed = true;
        setWords(text);
        if (m_engine->currentIndex() == SmallLayer)
            compute();
    });
    connect(m_sentence, &QLineEdit::editingFinished, this, &OrderShuffle::compute);
}

void OrderShuffle::buildOrder()
{
    m_words->setFlow(QListView::LeftToRight);
    m_words->setSpacing(2);
    m_words->setDragDropMode(QAbstractItemView::InternalMove);
    m_words->setDefaultDropAction(Qt::MoveAction);
    m_words->setDropIndicatorShown(true);
    m_words->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_words->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_words->setFixedHeight(m_words->fontMetrics().height() + 34);
    m_words->setToolTip(tr("Drag a word, or choose it and press Alt with Left or Right"));
    addControl(tr("&Order"), m_words, "orderWords");
    auto* shuffle = new QPushButton(tr("S&huffle"));
    shuffle->setObjectName(QStringLiteral("orderShuffle"));
    auto* restore = new QPushButton(tr("&Put back"));
    restore->setObjectName(QStringLiteral("orderRestore"));
    controls().addWidget(shuffle);
    controls().addWidget(restore);
    connect(shuffle, &QPushButton::clicked, this, [this] {
        setOrder(shuffledOrder(m_words->count(), ++m_seed));
        compute();
    });
    connect(restore, &QPushButton::clicked, this, [this] {
        std::vector<int> identity(static_cast<std::size_t>(m_words->count()));
        std::iota(identity.begin(), identity.end(), 0);
        setOrder(identity);
        compute();
    });
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

void OrderShuffle::buildChoices()
{
    m_engine->addItem(tr("a small random layer"));
    m_engine->addItem(tr("the loaded model"));
    m_engine->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    addControl(tr("&Through"), m_engine, "orderEngine");
    m_layerName = addControl(tr("&Layer"), m_layer, "orderLayer");
    m_positions->addItems({tr("without"), tr("with")});
    addControl(tr("Pos&itions"), m_positions, "orderPositions");
    m_picture->addItems({tr("attention weights"), tr("outputs")});
    addControl(tr("Sho&w"), m_picture, "orderPicture");
    controls().addStretch(1);
    m_layer->hide();
    m_layerName->hide();
    connect(m_engine, &QComboBox::activated, this, [this] { m_engineChosen = true; });
    connect(m_engine, &QComboBox::currentIndexChanged, this, &OrderShuffle::compute);
    connect(m_layer, &QComboBox::currentIndexChanged, this, [this](int layer) {
        if (m_runs && layer >= 0) {
            m_result = m_runs->result(layer);
            redraw();
        }
    });
    connect(m_positions, &QComboBox::currentIndexChanged, this, &OrderShuffle::redraw);
    connect(m_picture, &QComboBox::currentIndexChanged, this, &OrderShuffle::redraw);
}

// The loaded model from the start, where it has an order to lose.
void OrderShuffle::nameModel()
{
    const auto& model = context().study.model();
    m_engine->setItemText(LoadedModel, model ? model->name : tr("the loaded model"));
    if (m_engineChosen)
        return;
    const QSignalBlocker blocker(m_engine);
    const bool usable = model && !context().model().isEmpty() && readsInParallel(model->info);
    m_engine->setCurrentIndex(usable ? LoadedModel : SmallLayer);
}

void OrderShuffle::setWords(const QString& sentence)
{
    const QSignalBlocker blocker(m_sentence);
    if (m_sentence->text() != sentence)
        m_sentence->setText(sentence);
    m_filling = true;
    m_words->clear();
    const std::string text = sentence.toStdString();
    std::vector<ByteSpan> spans = blankSeparated(text);
    if (spans.size() > mostWords)
        spans.resize(mostWords);
    for (std::size_t i = 0; i < spans.size(); ++i) {
        auto* item =
            new QListWidgetItem(QString::fromStdString(text.substr(spans[i].begin, spans[i].end - spans[i].begin)));
        item->setData(Qt::UserRole, static_cast<int>(i));
        m_words->addItem(item);
    }
    m_filling = false;
    setOrder(shuffledOrder(m_words->count(), m_seed));
}

void OrderShuffle::setOrder(const std::vector<int>& order)
{
    std::vector<QString> texts(order.size());
    for (int i = 0; i < m_words->count(); ++i)
        texts[static_cast<std::size_t>(m_words->item(i)->data(Qt::UserRole).toInt())] = m_words->item(i)->text();
    for (int i = 0; i < m_words->count(); ++i) {
        const int word = order[static_cast<std::size_t>(i)];
        m_words->item(i)->setText(texts[static_cast<std::size_t>(word)]);
        m_words->item(i)->setData(Qt::UserRole, word);
    }
}

std::vector<int> OrderShuffle::order() const
{
    std::vector<int> order;
    for (int i = 0; i < m_words->count(); ++i)
        order.push_back(m_words->item(i)->data(Qt::UserRole).toInt());
    return order;
}

void OrderShuffle::moveWord(int by)
{
    const int from = m_words->currentRow();
    const int to = from + by;
    if (from < 0 || to < 0 || to >= m_words->count())
        return;
    std::vector<int> moved = order();
    std::swap(moved[static_cast<std::size_t>(from)], moved[static_cast<std::size_t>(to)]);
    setOrder(moved);
    m_words->setCurrentRow(to);
    compute();
}

void OrderShuffle::activate()
{
    nameModel();
    if (!m_typed) {
        const QString sentence = sentenceOnShow(context());
        if (sentence != m_sentence->text() || m_words->count() == 0)
            setWords(sentence.trimmed().isEmpty() ? tr("the cat sat on the mat") : sentence);
    }
    compute();
}

// What is wanted now: at once by the small layer, else unless it is there already or on its way.
void OrderShuffle::compute()
{
    if (m_engine->currentIndex() == LoadedModel)
        return startModel();
    m_asked.clear();
    m_runs.reset();
    m_layer->hide();
    m_layerName->hide();
    jobs().cancel();
    const std::vector<int> shuffled = order();
    std::vector<std::string> words(shuffled.size());
    for (std::size_t i = 0; i < shuffled.size(); ++i)
        words[static_cast<std::size_t>(shuffled[i])] = m_words->item(static_cast<int>(i))->text().toStdString();
    m_result.reset();
    if (words.size() > 1)
        m_result = smallOrderResult(words, shuffled);
    redraw();
}

void OrderShuffle::startModel()
{
    const std::vector<int> words = order();
    QString asked = context().model() + QLatin1Char('\n') + m_sentence->text();
    for (const int word : words)
        asked += QLatin1Char(' ') + QString::number(word);
    if (asked == m_asked && (m_runs || jobs().busy()))
        return m_runs ? redraw() : void();
    m_asked = asked;
    m_runs.reset();
    m_result.reset();
    redraw();
    const auto& model = context().study.model();
    if (context().model().isEmpty() || !model || !readsInParallel(model->info) || words.size() < 2)
        return jobs().cancel();
    Question question = context().question();
    std::string text = m_sentence->text().toStdString();
    const std::vector<ByteSpan> spans = blankSeparated(text);
    question.text = text.substr(0, spans.at(words.size() - 1).end); // without the words beyond the most
    question.secondText.reset();
    carryOut(jobs(), OrderExperiment(std::move(question), words), [this](std::shared_ptr<const OrderExperiment> runs) {
        m_runs = std::move(runs);
        const QSignalBlocker blocker(m_layer);
        const int kept = m_layer->count() == m_runs->layers() ? m_layer->currentIndex() : m_runs->layers() - 1;
        m_layer->clear();
        for (int layer = 0; layer < m_runs->layers(); ++layer)
            m_layer->addItem(QString::number(layer));
        m_layer->setCurrentIndex(kept);
        m_result = m_runs->result(kept);
        redraw();
    });
}

std::array<MatrixContent, 3> OrderShuffle::contents() const
{
    return orderContents(*m_result, m_positions->currentIndex() == 1,
                         m_picture->currentIndex() == 0 ? OrderPicture::Weights : OrderPicture::Outputs);
}

void OrderShuffle::redraw()
{
    m_layer->setVisible(m_runs != nullptr);
    m_layerName->setVisible(m_runs != nullptr);
    if (m_result) {
        m_canvas->setFigure(orderFigure(look(), contents()));
    } else {
        MatrixContent nothing;
        nothing.empty = nothing.description = tr("Nothing is compared yet");
        m_canvas->setFigure(
            [spec = look(), nothing](QSizeF size) { return std::make_unique<MatrixFigure>(spec, nothing, size); });
    }
    sayResult();
}

void OrderShuffle::sayResult()
{
    const auto& model = context().study.model();
    const bool small = m_engine->currentIndex() == SmallLayer;
    if (m_words->count() < 2)
        return say(tr("Two words at least are needed for another order."));
    if (!small && (!model || context().model().isEmpty()))
        return say(tr("No model is open. A small random layer can be looked at without one."));
    if (!small && !readsInParallel(model->info))
        return say(tr("%1 does not read its words in parallel by self-attention (positions: %2): there are no "
                      "positions to leave out.")
                       .arg(model->name, positionsText(model->info.positions)));
    if (!m_result)
        return say({});
    if (std::ranges::is_sorted(m_result->order))
        return say(tr("The words stand in their own order: shuffle them or move one."));
    const double without = m_result->sides[0].largestGap();
    const double with = m_result->sides[1].largestGap();
    QString text;
    if (without < m_result->rounding)
        text = tr("Without positions the output is merely permuted (largest difference %1); ").arg(gapText(without));
    else if (causal())
        text = tr("Even without positions the output changes (%1): the causal mask knows the order, for a word only "
                  "sees the words before it; ")
                   .arg(gapText(without));
    else
        text = tr("Without positions the output changes (%1); ").arg(gapText(without));
    text += with < m_result->rounding ? tr("with positions it is merely permuted, too (%1).").arg(gapText(with))
                                      : tr("with positions it changes (%1).").arg(gapText(with));
    say(text);
}

std::optional<Exportable> OrderShuffle::exportable() const
{
    if (!m_result)
        return std::nullopt;
    Exportable file;
    file.title = tr("Order");
    file.theme = context().appearance.theme();
    const auto shown = contents();
    file.layOut = orderFigure(look(), shown);
    // Both matrices below each other, then what is left.
    file.csv = [shown] {
        QByteArray csv;
        for (const MatrixContent& content : shown)
            csv += matrixCsv(content);
        return csv;
    };
    return file;
}

} // namespace attn::ui
