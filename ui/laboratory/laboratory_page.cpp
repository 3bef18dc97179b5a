// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/laboratory_page.h"

#include <QComboBox>

namespace attn::ui {

namespace {

constexpr int narrowestBox = 90; // pixels of a combo box on a narrow page

} // namespace

QString sentenceOnShow(const LaboratoryContext& context)
{
    if (!context.document.model()) {
        if (const std::string& text = context.document.trace().provenance().text; !text.empty())
            return QString::fromStdString(text);
    }
    return QString::fromStdString(context.question().text);
}

LaboratoryPage::LaboratoryPage(const LaboratoryContext& context, const QString& about, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_heading(new QLabel)
    , m_layout(new QVBoxLayout(this))
    , m_controls(new QHBoxLayout)
    , m_notes(new QWidget(this))
    , m_message(new MessageBar)
    , m_result(new QLabel)
    , m_progressRow(new QWidget)
    , m_progress(new QProgressBar)
    , m_progressText(new QLabel)
    , m_jobs(context.controller)
{
    QFont large = m_heading->font();
    large.setPointSizeF(large.pointSizeF() * 1.35);
    large.setBold(true);
    m_heading->setFont(large);
    auto* text = new QLabel(about);
    text->setObjectName(QStringLiteral("about"));
    text->setWordWrap(true);
    m_result->setObjectName(QStringLiteral("result"));
    m_result->setWordWrap(true);
    m_result->setTextFormat(Qt::PlainText);
    m_result->hide();
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("cancelJob"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(260);
    m_progress->setObjectName(QStringLiteral("jobProgress"));
    auto* progressLayout = new QHBoxLayout(m_progressRow);
    progressLayout->setContentsMargins(0, 0, 0, 0);
    progressLayout->addWidget(m_progress);
    progressLayout->addWidget(m_progressText, 1);
    progressLayout->addWidget(cancel);
    m_progressRow->hide();
    m_message->hide();
    m_layout->setContentsMargins(16, 12, 16, 8);
    m_layout->setSpacing(8);
    m_layout->addWidget(m_heading);
    m_layout->addWidget(text);
    m_layout->addLayout(m_controls);
    auto* notes = new QVBoxLayout(m_notes);
    notes->setContentsMargins(0, 0, 0, 0);
    notes->addWidget(m_message);
    notes->addWidget(m_result);
    notes->addWidget(m_progressRow);
    connect(cancel, &QPushButton::clicked, &m_jobs, &JobRunner::cancel);
    connect(&m_jobs, &JobRunner::busyChanged, this, [this](bool busy) {
        m_progressRow->setVisible(busy);
        m_progress->setValue(0);
        m_progressText->clear();
        if (busy)
            m_message->hide();
    });
    connect(&m_jobs, &JobRunner::progressed, this, [this](const QString& what, double fraction) {
        m_progressText->setText(what);
        m_progress->setValue(static_cast<int>(fraction * 1000));
    });
    connect(&m_jobs, &JobRunner::failed, this, [this](const UserMessage& problem) { m_message->show(problem); });
}

void LaboratoryPage::setTitle(const QString& title)
{
    m_heading->setText(title);
}

QString LaboratoryPage::title() const
{
    return m_heading->text();
}

void LaboratoryPage::addControl(const QString& label, QWidget* control)
{
    auto* name = new QLabel(label);
    name->setBuddy(control);
    if (qobject_cast<QComboBox*>(control) != nullptr)
        control->setMinimumWidth(narrowestBox);
    m_controls->addWidget(name);
    m_controls->addWidget(control);
}

void LaboratoryPage::setContent(QWidget* content)
{
    if (m_notes->parentWidget() == this)
        m_layout->addWidget(m_notes);
    m_layout->addWidget(content, 1);
}

void LaboratoryPage::activateOnChanges()
{
    const auto refresh = [this] {
        if (isVisible() && !m_context.document.running())
            activate();
    };
    connect(&m_context.document, &Document::modelChanged, this, refresh);
    connect(&m_context.document, &Document::traceChanged, this, refresh);
    connect(&m_context.document, &Document::runningChanged, this, refresh);
}

void LaboratoryPage::say(const QString& text)
{
    m_result->setText(text);
    m_result->setVisible(!text.isEmpty());
}

FigureSpec LaboratoryPage::look() const
{
    FigureSpec spec;
    spec.theme = m_context.appearance.theme();
    spec.colorMap = m_context.appearance.colorMap();
    spec.words = m_context.appearance.words();
    return spec;
}

} // namespace attn::ui
