// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/decoding_panel.h"

#include "panels/number_box.h"

#include <QCoreApplication>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSpinBox>

#include <type_traits>

namespace attn::ui {

namespace {

constexpr int forced = static_cast<int>(Search::Sampling) + 1; // index of the last entry

QString inWords(const char* source)
{
    return QCoreApplication::translate("options", source);
}

QSpinBox* boxFor(const NumberLimits& limits, int)
{
    auto* box = new QSpinBox;
    box->setRange(static_cast<int>(limits.least), static_cast<int>(limits.most));
    if (limits.zero != nullptr)
        box->setSpecialValueText(inWords(limits.zero));
    return box;
}

NumberBox* boxFor(const NumberLimits& limits, double)
{
    auto* box = new NumberBox;
    box->setDecimals(3);
    box->setRange(limits.least, limits.most);
    box->setSingleStep(limits.step);
    return box;
}

SeedBox* boxFor(const NumberLimits&, std::uint64_t)
{
    return new SeedBox;
}

} // namespace

DecodingPanel::DecodingPanel(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
    , m_target(new QLineEdit)
{
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const DecodingRow& row : decodingRows()) {
        if (row.label == nullptr)
            continue;
        m_fields.push_back(fieldOf(row));
        QWidget* control = m_fields.back().control;
        control->setObjectName(QLatin1String(row.key));
        control->setToolTip(inWords(row.help));
        m_form->addRow(inWords(row.label), control);
    }
    m_search = findChild<QComboBox*>(QStringLiteral("decode"));
    m_search->addItem(tr("Follow a given output"));
    m_target->setObjectName(QStringLiteral("forcedTarget"));
    m_target->setPlaceholderText(tr("Output to follow; empty: greedy"));
    m_form->addRow(tr("&Output"), m_target);
    setOptions({});
    connect(m_target, &QLineEdit::textChanged, this, &DecodingPanel::changed);
}

DecodingPanel::Field DecodingPanel::fieldOf(const DecodingRow& row)
{
    return visitOption(row, m_options, [&](auto& value) -> Field {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, ChoiceMember<DecodingOptions>>) {
            auto* box = new QComboBox;
            for (const OptionChoice& choice : value.choices)
                box->addItem(inWords(choice.label));
            connect(box, &QComboBox::currentIndexChanged, this, [this, choice = value](int index) {
                if (index >= 0 && static_cast<std::size_t>(index) < choice.choices.size())
                    choice.set(m_options, index);
                choose();
            });
            return {row, box, [this, box, choice = value] { box->setCurrentIndex(choice.get(m_options)); }};
        } else if constexpr (std::is_same_v<
                                 Value, int> || std::is_same_v<Value, double> || std::is_same_v<Value, std::uint64_t>) {
            auto* box = boxFor(row.limits, value);
            connect(box, &std::remove_pointer_t<decltype(box)>::valueChanged, this, [this, box, &value] {
                value = box->value();
                choose();
            });
            return {row, box, [box, &value] { box->setValue(value); }};
        } else {
            return {row, new QWidget, [] {}}; // rows with a label are of the kinds above
        }
    });
}

void DecodingPanel::choose()
{
    showFitting();
    Q_EMIT changed();
}

// Fields leave Enter to the panel that they are in.
void DecodingPanel::keyPressEvent(QKeyEvent* event)
{
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == 0;
    if (!plain || (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter))
        return QWidget::keyPressEvent(event);
    event->accept();
    Q_EMIT applied();
}

DecodingOptions DecodingPanel::options() const
{
    DecodingOptions options = m_options;
    if (follows())
        options.search = Search::Greedy;
    return options;
}

void DecodingPanel::setOptions(const DecodingOptions& options)
{
    m_options = options;
    for (const Field& field : m_fields)
        field.load();
    showFitting();
}

void DecodingPanel::setKind(ModelKind kind)
{
    if (kind == m_kind)
        return;
    m_kind = kind;
    const bool offered = m_search->count() > forced;
    if (kind == ModelKind::DecoderOnly) {
        m_forcesLater = follows();
        if (m_forcesLater)
            m_search->setCurrentIndex(0);
        m_search->removeItem(forced);
    } else if (!offered) {
        m_search->addItem(tr("Follow a given output"));
        if (m_forcesLater)
            m_search->setCurrentIndex(forced);
        m_forcesLater = false;
    }
    showFitting();
}

void DecodingPanel::setHardAttention(bool has)
{
    m_hasHard = has;
    showFitting();
}

bool DecodingPanel::follows() const
{
    return m_search != nullptr && m_search->currentIndex() == forced;
}

bool DecodingPanel::forces() const
{
    return follows() || m_forcesLater;
}

QString DecodingPanel::forcedTarget() const
{
    return follows() ? m_target->text() : QString();
}

void DecodingPanel::setForced(bool forces, const QString& text)
{
    m_target->setText(text);
    if (forces)
        m_search->setCurrentIndex(forced);
    showFitting();
}

// A followed output leaves nothing to search for, and nothing to end.
void DecodingPanel::showFitting()
{
    const DecodingOptions used = fitted(options(), m_kind, m_hasHard);
    for (const Field& field : m_fields) {
        const bool ends = (field.row.scope & decoding_scope::EncoderDecoder) != 0;
        const bool fits = concerns(field.row, m_kind, m_hasHard) && isUsed(field.row, used) && !(follows() && ends);
        m_form->setRowVisible(field.control, fits || field.control == m_search);
    }
    m_form->setRowVisible(m_target, follows());
}

} // namespace attn::ui
