// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/decoding_panel.h"

#include "base/index.h"
#include "panels/model_picker.h"
#include "text/tokenizer.h"
#include "views/number_box.h"

#include <QCoreApplication>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStringList>
#include <QStyle>
#include <QToolButton>

#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

namespace attn::ui {

namespace {

// Index of the entry that follows a given output, behind the ways to search.
int forced()
{
    return indexSize(std::get<ChoiceMember<DecodingOptions>>(optionRow(decodingRows(), "decode").member).choices);
}

QSpinBox* boxFor(const NumberLimits& limits, int)
{
    auto* box = new QSpinBox;
    box->setRange(static_cast<int>(limits.least), static_cast<int>(limits.most));
    if (limits.zero != nullptr)
        box->setSpecialValueText(QCoreApplication::translate("options", limits.zero));
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

// Beside each other; the first takes what room there is.
QWidget* lineOf(const std::pair<QWidget*, QWidget*>& parts)
{
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(parts.first, 1);
    layout->addWidget(parts.second);
    return line;
}

} // namespace

DecodingPanel::DecodingPanel(Study& study, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_form(new QFormLayout(this))
    , m_target(new TextLine)
    , m_drawAgain(new QPushButton(tr("Draw again")))
    , m_prefix(new QLineEdit)
{
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const DecodingRow& seed = optionRow(decodingRows(), "seed");
    for (const DecodingRow& row : decodingRows()) {
        if (row.label == nullptr)
            continue;
        m_fields.push_back(fieldOf(row));
        QWidget* control = m_fields.back().control;
        control->setObjectName(QLatin1String(row.key));
        control->setToolTip(QCoreApplication::translate("options", row.help));
        QWidget* line = m_fields.back().line = &row == &seed ? besideSeed(control) : control;
        m_form->addRow(QCoreApplication::translate("options", row.label), line);
        if (auto* label = qobject_cast<QLabel*>(m_form->labelForField(line)))
            label->setBuddy(control);
    }
    m_search = findChild<QComboBox*>(QStringLiteral("decode"));
    m_search->disconnect(this); // its last entry is no search
    connect(m_search, &QComboBox::currentIndexChanged, this, &DecodingPanel::chooseSearch);
    m_target->setObjectName(QStringLiteral("forcedTarget"));
    m_form->addRow(tr("&Output"), m_target);
    m_prefixRow = prefixRow();
    m_form->addRow(tr("Begins with"), m_prefixRow);
    connect(m_target, &TextLine::edited, this, [this](const QString& text) {
        m_study.edit([&text](Question& question) {
            if (question.targetText)
                question.targetText = text.toStdString();
        });
    });
    connect(m_target, &TextLine::tooLong, this, &DecodingPanel::tooLong);
    connect(&m_study, &Study::questionChanged, this, &DecodingPanel::showQuestion);
    connect(&m_study, &Study::modelChanged, this, &DecodingPanel::showQuestion);
    showQuestion();
}

QWidget* DecodingPanel::besideSeed(QWidget* seed)
{
    seed->setAccessibleName(tr("Seed"));
    m_drawAgain->setObjectName(QStringLiteral("drawAgain"));
    m_drawAgain->setToolTip(tr("The same with another seed, beside this run (Ctrl+D)"));
    connect(m_drawAgain, &QPushButton::clicked, this, &DecodingPanel::drawAgainRequested);
    return lineOf({seed, m_drawAgain});
}

QWidget* DecodingPanel::prefixRow()
{
    m_prefix->setObjectName(QStringLiteral("beginsWith"));
    m_prefix->setReadOnly(true);
    m_prefix->setAccessibleName(tr("What the output begins with"));
    m_prefix->setToolTip(tr("The output was made to begin with this, and goes on freely"));
    auto* drop = new QToolButton;
    drop->setObjectName(QStringLiteral("beginFreely"));
    drop->setIcon(style()->standardIcon(QStyle::SP_LineEditClearButton));
    drop->setAutoRaise(true);
    drop->setToolTip(tr("Let the next run begin freely"));
    drop->setAccessibleName(drop->toolTip());
    connect(drop, &QToolButton::clicked, this, [this] {
        m_study.edit([](Question& question) {
            question.prefixText.reset();
            question.prefixIds.reset();
        });
    });
    return lineOf({m_prefix, drop});
}

DecodingPanel::Field DecodingPanel::fieldOf(const DecodingRow& row)
{
    return std::visit(
        [&](const auto& member) -> Field {
            using Member = std::remove_cvref_t<decltype(member)>;
            if constexpr (std::is_same_v<Member, ChoiceMember<DecodingOptions>>) {
                auto* box = new ElidedComboBox;
                box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
                for (const OptionChoice& choice : member.choices)
                    box->addItem(QCoreApplication::translate("options", choice.label), QLatin1String(choice.name));
                connect(box, &QComboBox::currentIndexChanged, this, [this, member](int index) {
                    m_study.edit([&](Question& question) { member.set(question.decoding, index); });
                });
                return {row, box,
                        [box, member](const DecodingOptions& options) { box->setCurrentIndex(member.get(options)); }};
            } else if constexpr (requires { boxFor(row.limits, DecodingOptions().*member); }) {
                auto* box = boxFor(row.limits, DecodingOptions().*member);
                connect(box, &std::remove_pointer_t<decltype(box)>::valueChanged, this, [this, box, member] {
                    m_study.edit([&](Question& question) { question.decoding.*member = box->value(); });
                });
                return {row, box, [box, member](const DecodingOptions& options) {
                            if (box->value() != options.*member) // or what is being typed would be written anew
                                box->setValue(options.*member);
                        }};
            } else {
                return {row, new QWidget, [](const DecodingOptions&) {}}; // rows with a label are of the kinds above
            }
        },
        row.member);
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

bool DecodingPanel::offersToFollow() const
{
    return m_search->count() > forced();
}

void DecodingPanel::chooseSearch(int index)
{
    if (index < 0)
        return;
    m_study.edit([&](Question& question) {
        question.decoding.search = index == forced() ? Search::Greedy : static_cast<Search>(index);
        if (index == forced())
            question.targetText = m_target->wholeText().toStdString();
        else if (offersToFollow())
            question.targetText.reset();
    });
}

// A followed output leaves nothing to search for, and nothing to end. A model that follows none keeps it for later.
void DecodingPanel::showQuestion()
{
    const Question& edited = m_study.edited();
    const auto& model = m_study.model();
    const ModelKind kind = model ? model->info.kind : ModelKind::EncoderDecoder;
    const bool follows = edited.targetText && kind != ModelKind::DecoderOnly;
    const QSignalBlocker blocker(m_search);
    if (kind == ModelKind::DecoderOnly)
        m_search->removeItem(forced());
    else if (!offersToFollow())
        m_search->addItem(tr("Follow a given output"), QLatin1String(followsOutput));
    for (const Field& field : m_fields)
        field.load(edited.decoding);
    m_target->setPlaceholderText(model && !model->writes ? tr("Ids of the output to follow, such as 5 9 2")
                                                         : tr("Output to follow; empty: greedy"));
    if (follows)
        m_search->setCurrentIndex(forced());
    if (edited.targetText && m_target->wholeText().toStdString() != *edited.targetText)
        m_target->replaceText(QString::fromStdString(*edited.targetText));
    const bool hard = model && model->info.hardAttention;
    const DecodingOptions used = fitted(edited.decoding, kind, hard);
    for (const Field& field : m_fields) {
        const bool ends = (field.row.scope & decoding_scope::EncoderDecoder) != 0;
        const bool fits = concerns(field.row, kind, hard) && isUsed(field.row, used) && !(follows && ends);
        m_form->setRowVisible(field.line, fits || field.control == m_search);
    }
    m_form->setRowVisible(m_target, follows);
    const bool decodes = model && kind != ModelKind::EncoderOnly && !follows;
    m_drawAgain->setEnabled(decodes);
    const bool prefixed = edited.prefixText || edited.prefixIds;
    m_form->setRowVisible(m_prefixRow, decodes && prefixed);
    if (prefixed)
        showPrefix();
}

void DecodingPanel::showPrefix()
{
    const Question& edited = m_study.edited();
    QString text = QString::fromStdString(edited.prefixText.value_or(std::string()));
    if (edited.prefixIds) {
        const auto& model = m_study.model();
        const Encoding read =
            model && model->writes ? model->writes->describe(*edited.prefixIds) : plainEncoding(*edited.prefixIds);
        QStringList pieces;
        for (const std::string& piece : read.tokens)
            pieces << QString::fromStdString(piece);
        text = read.text.empty() ? pieces.join(QLatin1Char(' ')) : QString::fromStdString(read.text);
    }
    m_prefix->setText(text.simplified());
    m_prefix->end(false); // where it goes on
}

} // namespace attn::ui
