// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/model_picker.h"

#include "figures/look/language.h"
#include "figures/look/token_label.h"
#include "loading/model_card.h"
#include "state/strings.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFileInfo>
#include <QLocale>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

constexpr int widest = 40; // characters
constexpr int narrowest = 20;
constexpr int popupMargin = 24; // pixels: frame and scroll bar
constexpr int elisionMargin = 4;
constexpr int detailRole = Qt::UserRole + 1; // a second line
constexpr int lineMargin = 4; // above and below an entry

QString escaped(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString scoreText(const ModelScore& score)
{
    const QLocale locale;
    switch (score.measure) {
    case ModelScore::Measure::Bleu:
        return score.testSet.empty()
            ? ModelPicker::tr("BLEU %1").arg(locale.toString(score.value, 'f', 1))
            : ModelPicker::tr("BLEU %1 on %2").arg(locale.toString(score.value, 'f', 1), readableToken(score.testSet));
    case ModelScore::Measure::Accuracy:
        return ModelPicker::tr("%1% right").arg(locale.toString(score.value * 100, 'f', 1));
    case ModelScore::Measure::Perplexity:
        break;
    }
    return ModelPicker::tr("perplexity %1").arg(locale.toString(score.value, 'f', 1));
}

// An entry with what its card says below it.
class CardDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        const QString detail = index.data(detailRole).toString();
        if (detail.isEmpty())
            return size;
        const QFontMetrics metrics(smaller(option.font));
        return {std::max(size.width(), metrics.horizontalAdvance(detail) + 2 * lineMargin),
                size.height() + metrics.height() + lineMargin};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QString detail = index.data(detailRole).toString();
        if (detail.isEmpty())
            return QStyledItemDelegate::paint(painter, option, index);
        QStyleOptionViewItem entry = option;
        initStyleOption(&entry, index);
        const QString title = std::exchange(entry.text, QString());
        const QStyle* style = entry.widget != nullptr ? entry.widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &entry, painter, entry.widget);
        const bool selected = entry.state.testFlag(QStyle::State_Selected);
        const QRect room = entry.rect.adjusted(lineMargin, lineMargin / 2, -lineMargin, -lineMargin / 2);
        const auto draw = [&](const QFont& font, QPalette::ColorRole role, int flags, const QString& text) {
            painter->setFont(font);
            painter->setPen(entry.palette.color(selected ? QPalette::HighlightedText : role));
            painter->drawText(room, flags | Qt::TextSingleLine,
                              QFontMetrics(font).elidedText(text, Qt::ElideRight, room.width()));
        };
        painter->save();
        draw(entry.font, QPalette::Text, Qt::AlignLeft | Qt::AlignTop, title);
        draw(smaller(entry.font), QPalette::PlaceholderText, Qt::AlignLeft | Qt::AlignBottom, detail);
        painter->restore();
    }

private:
    static QFont smaller(QFont font)
    {
        constexpr double factor = 0.9;
        if (font.pointSizeF() > 0)
            font.setPointSizeF(font.pointSizeF() * factor);
        return font;
    }
};

} // namespace

QString modelLabel(const BundledModel& model)
{
    if (model.family.empty())
        return QString::fromStdString(model.name);
    QStringList parts{QString::fromStdString(familyText(model, inWords)),
                      QString::fromStdString(languagesText(model, inWords))};
    if (model.task != ModelTask::Translation || model.languages.size() < 2) // "English to French" says it
        parts << QString::fromStdString(taskText(model.task, inWords));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" \u2013 "));
}

QString cardTitle(const QString& path)
{
    const auto carded = cardedModel(path.toStdString());
    return carded && !carded->family.empty() ? modelLabel(*carded) : QString();
}

QString modelLabel(const QString& path)
{
    const QString title = cardTitle(path);
    return title.isEmpty() ? QFileInfo(path).fileName() : title;
}

QString modelTip(const BundledModel& model)
{
    const ModelCard card = readModelCard(model.directory);
    QStringList datasets;
    for (const std::string& name : card.datasets)
        datasets << QString::fromStdString(name);
    QStringList paragraphs{QStringLiteral("<b>%1</b>").arg(escaped(model.name))};
    if (!model.summary.empty())
        paragraphs << escaped(model.summary);
    if (!datasets.isEmpty())
        paragraphs << ModelPicker::tr("Learned from: %1").arg(datasets.join(QStringLiteral(", ")).toHtmlEscaped());
    if (card.score)
        paragraphs << ModelPicker::tr("On its test set: %1").arg(scoreText(*card.score).toHtmlEscaped());
    if (const auto bytes = model.bytes(); bytes > 0)
        paragraphs << ModelPicker::tr("Size: %1")
                          .arg(QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeSIFormat));
    return QStringLiteral("<qt>") + paragraphs.join(QStringLiteral("<br>")) + QStringLiteral("</qt>");
}

QString modelDetail(const BundledModel& model)
{
    QStringList parts;
    if (const ModelCard card = readModelCard(model.directory); card.score)
        parts << scoreText(*card.score);
    if (const auto bytes = model.bytes(); bytes > 0)
        parts << QLocale().formattedDataSize(static_cast<qint64>(bytes), 0, QLocale::DataSizeSIFormat);
    parts << QString::fromStdString(model.name);
    return parts.join(QStringLiteral(" · "));
}

void ElidedComboBox::showPopup()
{
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + popupMargin);
    QComboBox::showPopup();
}

void ElidedComboBox::initStyleOption(QStyleOptionComboBox* option) const
{
    QComboBox::initStyleOption(option);
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this);
    if (option->fontMetrics.horizontalAdvance(option->currentText) > room.width())
        option->currentText =
            option->fontMetrics.elidedText(option->currentText, Qt::ElideRight, room.width() - elisionMargin);
}

ModelPicker::ModelPicker(QWidget* parent)
    : ElidedComboBox(parent)
{
    setObjectName(QStringLiteral("modelPicker"));
    setAccessibleName(tr("Model"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setMaximumWidth(fontMetrics().averageCharWidth() * widest + 40);
    setPlaceholderText(tr("No model"));
    setItemDelegate(new CardDelegate(this));
    connect(this, &QComboBox::activated, this, [this](int index) {
        sayWhichOne();
        Q_EMIT chosenByUser(itemData(index).toString());
    });
    sayWhichOne();
}

QSize ModelPicker::minimumSizeHint() const
{
    const QSize least = ElidedComboBox::minimumSizeHint();
    return {std::min(least.width(), fontMetrics().averageCharWidth() * narrowest + elisionMargin), least.height()};
}

void ModelPicker::setModels(const std::vector<BundledModel>& bundled, const QStringList& recent)
{
    const QSignalBlocker blocker(this);
    const QString current = chosen();
    clear();
    for (const BundledModel& model : bundled) {
        addItem(modelLabel(model), QString::fromStdString(model.name));
        setItemData(count() - 1, modelTip(model), Qt::ToolTipRole);
        const QString detail = modelDetail(model);
        setItemData(count() - 1, detail, detailRole);
        setItemData(count() - 1, QString(modelLabel(model) + QStringLiteral(", ") + detail), Qt::AccessibleTextRole);
    }
    if (!recent.isEmpty() && count() > 0)
        insertSeparator(count());
    for (const QString& path : recent) {
        const QString label = modelLabel(path);
        const QString name = QFileInfo(path).fileName();
        addItem(label, path);
        setItemData(count() - 1, plainTip(path), Qt::ToolTipRole);
        if (label != name) { // which may be another one's label, too
            setItemData(count() - 1, name, detailRole);
            setItemData(count() - 1, QString(label + QStringLiteral(", ") + name), Qt::AccessibleTextRole);
        }
    }
    setChosen(current);
}

void ModelPicker::setChosen(const QString& path)
{
    const QSignalBlocker blocker(this);
    setCurrentIndex(path.isEmpty() ? -1 : findData(path));
    sayWhichOne();
}

void ModelPicker::sayWhichOne()
{
    const QString tip = currentData(Qt::ToolTipRole).toString();
    setToolTip(tip.isEmpty() ? tr("The model that reads the text") : tip);
}

} // namespace attn::ui
