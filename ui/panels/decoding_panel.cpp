// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/decoding_panel.h"

#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>

namespace attn::ui {

namespace {

constexpr int forced = 3; // after the values of Search

template<class Box>
void limit(Box* box, const char* option)
{
    const NumberLimits& limits = optionRow(decodingRows(), option).limits;
    using Number = decltype(box->value());
    box->setRange(static_cast<Number>(limits.least), static_cast<Number>(limits.most));
}

} // namespace

DecodingPanel::DecodingPanel(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
    , m_search(new QComboBox)
    , m_beam(new QSpinBox)
    , m_temperature(new NumberBox)
    , m_topK(new QSpinBox)
    , m_topP(new NumberBox)
    , m_hard(new QComboBox)
    , m_seed(new SeedBox)
    , m_maxLength(new QSpinBox)
    , m_target(new QLineEdit)
{
    m_search->setObjectName(QStringLiteral("searchPicker"));
    m_search->addItem(tr("Greedy"), static_cast<int>(Search::Greedy));
    m_search->addItem(tr("Beam search"), static_cast<int>(Search::Beam));
    m_search->addItem(tr("Sampling"), static_cast<int>(Search::Sampling));
    m_search->addItem(tr("Follow a given output"), forced);
    m_beam->setObjectName(QStringLiteral("beamSize"));
    limit(m_beam, "beam");
    m_temperature->setObjectName(QStringLiteral("temperature"));
    m_temperature->setDecimals(3);
    limit(m_temperature, "temperature");
    m_temperature->setSingleStep(0.1);
    m_topK->setObjectName(QStringLiteral("topK"));
    limit(m_topK, "top-k");
    m_topK->setSpecialValueText(tr("all"));
    m_topP->setObjectName(QStringLiteral("topP"));
    m_topP->setDecimals(3);
    limit(m_topP, "top-p");
    m_topP->setSingleStep(0.05);
    m_hard->setObjectName(QStringLiteral("hardAttention"));
    m_hard->addItems({tr("Takes the largest weight"), tr("Draws by the weights")});
    m_seed->setObjectName(QStringLiteral("seed"));
    m_maxLength->setObjectName(QStringLiteral("maxLength"));
    limit(m_maxLength, "max-length");
    m_maxLength->setToolTip(tr("Most tokens to produce, the end token counted"));
    m_target->setObjectName(QStringLiteral("forcedTarget"));
    m_target->setPlaceholderText(tr("Output to follow; empty: greedy"));
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->addRow(tr("&Decoding"), m_search);
    m_form->addRow(tr("&Beam"), m_beam);
    m_form->addRow(tr("&Temperature"), m_temperature);
    m_form->addRow(tr("Top-&k"), m_topK);
    m_form->addRow(tr("Top-&p"), m_topP);
    m_form->addRow(tr("Hard atte&ntion"), m_hard);
    m_form->addRow(tr("&Seed"), m_seed);
    m_form->addRow(tr("&Output"), m_target);
    m_form->addRow(tr("Lon&gest"), m_maxLength);
    setOptions({});
    for (QComboBox* box : {m_search, m_hard}) {
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            showFitting();
            Q_EMIT changed();
        });
    }
    for (QSpinBox* box : {m_beam, m_topK, m_maxLength})
        connect(box, &QSpinBox::valueChanged, this, &DecodingPanel::changed);
    for (NumberBox* box : {m_temperature, m_topP})
        connect(box, &NumberBox::valueChanged, this, &DecodingPanel::changed);
    connect(m_seed, &SeedBox::valueChanged, this, &DecodingPanel::changed);
    connect(m_target, &QLineEdit::textChanged, this, &DecodingPanel::changed);
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
    DecodingOptions options;
    if (!follows())
        options.search = static_cast<Search>(m_search->currentData().toInt());
    options.beamSize = m_beam->value();
    options.temperature = m_temperature->value();
    options.topK = m_topK->value();
    options.topP = m_topP->value();
    options.seed = m_seed->value();
    options.maxLength = m_maxLength->value();
    options.sampleHardAttention = m_hard->currentIndex() == 1;
    return options;
}

void DecodingPanel::setOptions(const DecodingOptions& options)
{
    m_search->setCurrentIndex(m_search->findData(static_cast<int>(options.search)));
    m_beam->setValue(options.beamSize);
    m_temperature->setValue(options.temperature);
    m_topK->setValue(options.topK);
    m_topP->setValue(options.topP);
    m_seed->setValue(options.seed);
    m_hard->setCurrentIndex(options.sampleHardAttention ? 1 : 0);
    m_maxLength->setValue(options.maxLength);
    showFitting();
}

void DecodingPanel::setKind(ModelKind kind)
{
    if (kind == m_kind)
        return;
    m_kind = kind;
    const int entry = m_search->findData(forced);
    if (kind == ModelKind::DecoderOnly) {
        m_forcesLater = follows();
        if (m_forcesLater)
            m_search->setCurrentIndex(0);
        m_search->removeItem(entry);
    } else if (entry < 0) {
        m_search->addItem(tr("Follow a given output"), forced);
        if (m_forcesLater)
            m_search->setCurrentIndex(m_search->count() - 1);
        m_forcesLater = false;
    }
    showFitting();
}

void DecodingPanel::setHardAttention(bool has)
{
    m_hasHard = has;
    showFitting();
}

bool DecodingPanel::drawsPosition() const
{
    return m_hasHard && m_hard->currentIndex() == 1;
}

bool DecodingPanel::follows() const
{
    return m_search->currentData().toInt() == forced;
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
        m_search->setCurrentIndex(m_search->findData(forced));
    showFitting();
}

void DecodingPanel::showFitting()
{
    const int how = m_search->currentData().toInt();
    const auto show = [this](QWidget* field, bool fits) {
        field->setVisible(fits);
        m_form->labelForField(field)->setVisible(fits);
    };
    show(m_beam, how == static_cast<int>(Search::Beam));
    const bool samples = how == static_cast<int>(Search::Sampling);
    for (QWidget* field : std::initializer_list<QWidget*>{m_temperature, m_topK, m_topP})
        show(field, samples);
    show(m_hard, m_hasHard);
    show(m_seed, samples || drawsPosition());
    show(m_target, how == forced);
    show(m_maxLength, how != forced && m_kind == ModelKind::EncoderDecoder);
}

} // namespace attn::ui
