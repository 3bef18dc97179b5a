// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/input_panel.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QToolButton>

namespace attn::ui {

namespace {

constexpr int historyLength = 200;

}

InputPanel::InputPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new QComboBox)
    , m_open(new QPushButton(tr("Open…")))
    , m_text(new QLineEdit)
    , m_run(new QPushButton(tr("Run")))
    , m_cancel(new QPushButton(tr("Cancel")))
{
    m_model->setObjectName(QStringLiteral("modelPicker"));
    m_model->setAccessibleName(tr("Model"));
    m_model->setToolTip(tr("The model that translates"));
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_open->setObjectName(QStringLiteral("openButton"));
    m_open->setToolTip(tr("Open a checkpoint directory or an attention archive"));
    m_text->setObjectName(QStringLiteral("sentence"));
    m_text->setAccessibleName(tr("Sentence to translate"));
    m_text->setPlaceholderText(tr("Type an English sentence and press Enter"));
    m_text->setClearButtonEnabled(true);
    for (auto* clear : m_text->findChildren<QToolButton*>())
        clear->setAccessibleName(tr("Clear the sentence"));
    m_text->installEventFilter(this);
    m_run->setObjectName(QStringLiteral("runButton"));
    m_run->setToolTip(tr("Translate the sentence (Enter)"));
    m_cancel->setObjectName(QStringLiteral("cancelButton"));
    m_cancel->setToolTip(tr("Stop the run (Esc)"));
    m_cancel->setEnabled(false);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 4);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_run);
    layout->addWidget(m_cancel);
    layout->addSpacing(12);
    layout->addWidget(m_model);
    layout->addWidget(m_open);
    connect(m_text, &QLineEdit::returnPressed, this, &InputPanel::runRequested);
    connect(m_run, &QPushButton::clicked, this, &InputPanel::runRequested);
    connect(m_cancel, &QPushButton::clicked, this, &InputPanel::cancelRequested);
    connect(m_open, &QPushButton::clicked, this, &InputPanel::openRequested);
    connect(m_model, &QComboBox::activated, this,
            [this](int index) { Q_EMIT modelChosen(m_model->itemData(index).toString()); });
}

void InputPanel::setHistory(const QStringList& history)
{
    m_history = history.mid(std::max<qsizetype>(0, history.size() - historyLength));
    m_recalled = -1;
}

void InputPanel::remember(const QString& text)
{
    m_history.removeAll(text);
    setHistory(m_history + QStringList(text));
}

void InputPanel::setModels(const QList<Entry>& bundled, const QStringList& recent)
{
    const QSignalBlocker blocker(m_model);
    const QString current = model();
    m_model->clear();
    for (const Entry& entry : bundled)
        m_model->addItem(entry.label, entry.path);
    if (!recent.isEmpty())
        m_model->insertSeparator(m_model->count());
    for (const QString& path : recent) {
        m_model->addItem(QFileInfo(path).fileName(), path);
        m_model->setItemData(m_model->count() - 1, path, Qt::ToolTipRole);
    }
    setModel(current);
}

void InputPanel::setModel(const QString& path)
{
    const QSignalBlocker blocker(m_model);
    m_model->setCurrentIndex(path.isEmpty() ? -1 : m_model->findData(path));
}

void InputPanel::setBusy(bool busy)
{
    m_cancel->setEnabled(busy);
}

void InputPanel::focusText()
{
    m_text->setFocus();
    m_text->selectAll();
}

void InputPanel::recall(int direction)
{
    if (m_history.isEmpty())
        return;
    if (m_recalled < 0)
        m_draft = m_text->text();
    qsizetype next = m_recalled < 0 ? m_history.size() + direction : m_recalled + direction;
    // The newest entry is usually what stands in the box already.
    if (m_recalled < 0 && next >= 0 && next < m_history.size() && m_history[next] == m_draft)
        next += direction;
    if (next < 0)
        return;
    m_recalled = next < m_history.size() ? next : -1;
    m_text->setText(m_recalled < 0 ? m_draft : m_history[m_recalled]);
}

bool InputPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            recall(key == Qt::Key_Up ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace attn::ui
