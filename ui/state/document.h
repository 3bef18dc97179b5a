// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/model_info.h"
#include "tensor/tensor.h"
#include "trace/trace.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace attn::ui {

// What the window knows of the model in use.
struct ModelSummary
{
    QString name;
    QString path; // what opens it again: bundled name, directory or archive
    ModelInfo info;
    QString maskToken; // what stands for a masked word; empty without a masked-token head
    bool readsText = true; // has a tokenizer
    QStringList languages; // of a multilingual model, as it names them
    QString sourceLanguage; // what its files name
    QString targetLanguage;
    Tensor positions; // the first positions' encoding, [positions, width]; empty when there is none
};

// The result on show: one model, one trace. Views read it and listen.
class Document : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    const Trace& trace() const { return m_trace; }
    const std::optional<ModelSummary>& model() const { return m_model; } // none for an archive
    bool running() const { return m_running; }
    quint64 revision() const { return m_revision; } // another number for every state of the trace

    // A result takes the place of another: what views remember of the old one (hypothesis, step, zoom) ends.
    void replaceTrace(Trace trace, bool running);
    // The result on show has grown.
    void growTrace(Trace trace, bool running);
    void setModel(std::optional<ModelSummary> model);
    void setRunning(bool running);

Q_SIGNALS:
    void traceReplaced(); // before traceChanged(), while trace() is still the old one
    void traceChanged();
    void modelChanged();
    void runningChanged(bool running);

private:
    Trace m_trace;
    std::optional<ModelSummary> m_model;
    bool m_running = false;
    quint64 m_revision = 0;
};

} // namespace attn::ui
