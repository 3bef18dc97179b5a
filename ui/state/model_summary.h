// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/seen_file.h"
#include "models/model_info.h"
#include "question/question.h"
#include "tensor/tensor.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace attn {
class Tokenizer;
}

namespace attn::ui {

// Facts of the model in use.
struct ModelSummary
{
    QString name;
    QString path; // what opens it again: bundled name, directory or file
    std::vector<SeenFile> weightFiles; // that its weights were read from, by path
    ModelInfo info;
    QString maskToken; // what stands for a masked word; empty without a masked-token head
    bool readsText = true; // has a tokenizer
    QStringList specialTokens; // "eos 3 </s>": as config.json names them
    std::shared_ptr<const Tokenizer> writes = {}; // of what it produces; null: it knows ids only
    QStringList languages; // of a multilingual model, as it names them
    QString sourceLanguage; // what its files name
    QString targetLanguage;
    Tensor positions; // the first positions' encoding, [positions, width]; empty when there is none
    std::vector<SeenFile> files; // all that it was made of, as they were then

    bool readsPairs() const { return info.readsPairs() && readsText; }
    // Opened by the same path, and made of the same files, unchanged.
    bool isSame(const ModelSummary& other) const { return path == other.path && files == other.files; }
};

// Whether two models are known to be different ones; null: not known.
inline bool differ(const std::shared_ptr<const ModelSummary>& one, const std::shared_ptr<const ModelSummary>& other)
{
    return one && other && !one->isSame(*other);
}

// A question without what makes no difference to this model's answer: the size of a beam that is not searched with, the
// seed of what draws nothing, a text that the model does not read. Two questions that differ in nothing else are equal
// here.
Question effectiveQuestion(Question question, const ModelSummary& model);

} // namespace attn::ui
