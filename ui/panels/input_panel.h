// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QStringList>
#include <QWidget>

namespace attn::ui {

// The sentence, the model, run and cancel.
class InputPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit InputPanel(QWidget* parent = nullptr);

    QString text() const { return m_text->text(); }
    void setText(const QString& text) { m_text->setText(text); }

    // Sentences that were run, most recent last; up and down walk through them.
    const QStringList& history() const { return m_history; }
    void setHistory(const QStringList& history);
    void remember(const QString& text);

    // What opens a model again and how the list shows it.
    struct Entry
    {
        QString path;
        QString label;
    };
    void setModels(const QList<Entry>& bundled, const QStringList& recent);
    void setModel(const QString& path); // without a signal
    QString model() const { return m_model->currentData().toString(); }

    void setBusy(bool busy);
    void focusText();

Q_SIGNALS:
    void runRequested();
    void cancelRequested();
    void modelChosen(const QString& path);
    void openRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void recall(int direction);

    QComboBox* m_model = nullptr;
    QPushButton* m_open = nullptr;
    QLineEdit* m_text = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_cancel = nullptr;
    QStringList m_history;
    qsizetype m_recalled = -1; // index in the history; -1: the draft
    QString m_draft;
};

} // namespace attn::ui
