// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/experiment.h"
#include "nn/engine.h"
#include "support/word_models.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace attn::test {

// What experiments work with in tests: tiny models in a folder of their own, loaded once, and everything they say.
class Workplace
{
public:
    // Of the function of word_models.h.
    std::string model(QString (*make)(const QString& folder)) const { return make(m_folder.path()).toStdString(); }

    std::string write(const char* name, const QByteArray& bytes) const
    {
        QFile file(m_folder.filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("%s cannot be written", name);
        return file.fileName().toStdString();
    }

    std::shared_ptr<const LoadedModel> load(const std::string& path)
    {
        auto& model = m_models[path];
        if (!model)
            model = std::make_shared<const LoadedModel>(loadModel(path, engine));
        return model;
    }

    Workbench bench()
    {
        return {engine, [this](const std::string& path) { return load(path); }, stop.get_token(),
                [this](const ExperimentProgress& how) { said.push_back(how); }};
    }

    Engine engine{2};
    std::stop_source stop;
    std::vector<ExperimentProgress> said;

private:
    QTemporaryDir m_folder;
    std::map<std::string, std::shared_ptr<const LoadedModel>> m_models;
};

inline Question asked(const std::string& model, const std::string& text)
{
    Question question;
    question.model = model;
    question.text = text;
    return question;
}

} // namespace attn::test
