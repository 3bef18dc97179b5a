// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/word_models.h"

#include "support/whole_files.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>

namespace attn::test {

namespace {

QString casePath(const QString& name, const QString& file)
{
    return QStringLiteral(ATTN_TEST_DATA) + QStringLiteral("/cases/") + name + QLatin1Char('/') + file;
}

QJsonObject configOf(const QString& name)
{
    return QJsonDocument::fromJson(readFile(casePath(name, QStringLiteral("config.json")))).object();
}

QByteArray words(char side, int count)
{
    QByteArray lines = "<pad>\n<unk>\n<s>\n</s>\n";
    for (int i = 4; i < count; ++i)
        lines += side + QByteArray::number(i) + '\n';
    return lines;
}

QString write(const QString& folder, const QString& name, const QString& weights, const QJsonObject& config)
{
    const QDir directory(folder + QLatin1Char('/') + name);
    directory.mkpath(QStringLiteral("."));
    const bool marian = config.contains(QStringLiteral("vocab_size"));
    const int sources = config[marian ? QStringLiteral("vocab_size") : QStringLiteral("source_vocab_size")].toInt();
    const int targets = config[marian ? QStringLiteral("vocab_size") : QStringLiteral("target_vocab_size")].toInt();
    writeFile(directory.filePath(QStringLiteral("config.json")), QJsonDocument(config).toJson());
    writeFile(directory.filePath(QStringLiteral("model.safetensors")),
              readFile(casePath(weights, QStringLiteral("model.safetensors"))));
    writeFile(directory.filePath(QStringLiteral("source.vocab")), words('s', sources));
    writeFile(directory.filePath(QStringLiteral("target.vocab")), words('t', targets));
    return directory.path();
}

const QString recurrent = QStringLiteral("rnn-bahdanau-gru");
const QString marianCase = QStringLiteral("marian-relu");

} // namespace

QString recurrentModel(const QString& folder)
{
    return write(folder, QStringLiteral("recurrent"), recurrent, configOf(recurrent));
}

QString endlessModel(const QString& folder)
{
    QJsonObject config = configOf(recurrent);
    config[QStringLiteral("bad_words_ids")] = QJsonArray{QJsonArray{config[QStringLiteral("eos_token_id")]}};
    return write(folder, QStringLiteral("endless"), recurrent, config);
}

QString transformerModel(const QString& folder)
{
    return write(folder, QStringLiteral("transformer"), marianCase, configOf(marianCase));
}

QString blindModel(const QString& folder)
{
    const QString plain = QStringLiteral("rnn-none-unidirectional");
    return write(folder, QStringLiteral("blind"), plain, configOf(plain));
}

QString hardModel(const QString& folder)
{
    const QString hard = QStringLiteral("rnn-bahdanau-hard");
    return write(folder, QStringLiteral("hard"), hard, configOf(hard));
}

QString lostModel(const QString& folder)
{
    const QString path = write(folder, QStringLiteral("lost"), marianCase, configOf(marianCase));
    const QString file = path + QStringLiteral("/model.safetensors");
    QByteArray bytes = readFile(file);
    constexpr qsizetype lengthBytes = 8;
    const qsizetype header = qFromLittleEndian<qint64>(bytes.constData());
    const QJsonObject table = QJsonDocument::fromJson(bytes.mid(lengthBytes, header))
                                  .object()[QStringLiteral("model.shared.weight")]
                                  .toObject();
    const qsizetype width = table[QStringLiteral("shape")].toArray().at(1).toInt() * qsizetype{4};
    const qsizetype begin = table[QStringLiteral("data_offsets")].toArray().at(0).toInt();
    writeFile(file, bytes.replace(lengthBytes + header + begin + 6 * width, width, QByteArray(width, '\xff')));
    return path;
}

QString brokenModel(const QString& folder)
{
    const QString path = write(folder, QStringLiteral("broken"), recurrent, configOf(recurrent));
    const QString weights = path + QStringLiteral("/model.safetensors");
    writeFile(weights, readFile(weights).chopped(100));
    return path;
}

} // namespace attn::test
