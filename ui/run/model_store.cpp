// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/model_store.h"

#include "base/error.h"

#include <QByteArray>
#include <QFile>

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <memory>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <utility>

namespace attn::ui {

namespace {

constexpr std::size_t most = 6;
constexpr std::int64_t mostParameters = 250'000'000; // 1 GB as float32; the last used model stays whatever its size

std::int64_t parametersOf(const LoadedModel& model)
{
    return model.model->info().parameters;
}

} // namespace

std::shared_ptr<const LoadedModel> ModelStore::load(const std::string& nameOrPath, Engine& engine,
                                                    const ProgressCallback& progress, const std::stop_token& stop,
                                                    Reuse reuse)
{
    const Entry* const found = find(nameOrPath);
    const bool isReused = found != nullptr && (reuse == Reuse::Always || found->model->files == modelFiles(nameOrPath));
    if (isReused)
        put({nameOrPath, found->path, found->model});
    else
        keep(nameOrPath, std::make_shared<const LoadedModel>(loadModel(nameOrPath, engine, progress, stop)));
    return m_models.front().model;
}

void ModelStore::keep(const std::string& nameOrPath, std::shared_ptr<const LoadedModel> model)
{
    put({nameOrPath, modelPath(nameOrPath).string(), std::move(model)});
}

// By its name also where there is nothing any more.
const ModelStore::Entry* ModelStore::find(const std::string& nameOrPath) const
{
    auto found = std::ranges::find(m_models, nameOrPath, &Entry::name);
    if (found == m_models.end())
        found = std::ranges::find(m_models, modelPath(nameOrPath).string(), &Entry::path);
    return found == m_models.end() ? nullptr : &*found;
}

void ModelStore::put(Entry entry)
{
    std::erase_if(m_models,
                  [&entry](const Entry& other) { return other.path == entry.path || other.name == entry.name; });
    m_models.push_front(std::move(entry));
    std::int64_t parameters = 0;
    for (const Entry& kept : m_models)
        parameters += parametersOf(*kept.model);
    while (m_models.size() > 1 && (m_models.size() > most || parameters > mostParameters)) {
        parameters -= parametersOf(*m_models.back().model);
        m_models.pop_back();
    }
}

bool ModelStore::holds(const SequenceModel& model) const
{
    return std::ranges::any_of(m_models, [&model](const Entry& entry) { return entry.model->model.get() == &model; });
}

namespace {

struct FreeContext
{
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

// Frees what libcrypto keeps for a thread, which may be one of a pool and outlive everybody.
struct EndOfThread
{
    EndOfThread() = default;
    EndOfThread(const EndOfThread&) = delete;
    EndOfThread& operator=(const EndOfThread&) = delete;
    ~EndOfThread() { OPENSSL_thread_stop(); }
};

void require(bool done)
{
    if (!done)
        throw Error(ErrorKind::Resource, "SHA-256", "libcrypto could not compute it");
}

} // namespace

QString weightsSha256(const std::vector<SeenFile>& files, const std::stop_token& stop)
{
    constexpr qint64 part = qint64{1} << 20;
    const auto isOther = [](const SeenFile& seen) { return fileState(seen.path) != seen.state; };
    if (files.empty() || std::ranges::any_of(files, isOther))
        return {};
    const EndOfThread end;
    const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
    require(context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
    QByteArray bytes(part, Qt::Uninitialized);
    for (const SeenFile& seen : files) {
        const int descriptor = ::open(seen.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // whatever bytes it has
        QFile file;
        if (descriptor < 0
            || !file.open(descriptor, QIODevice::ReadOnly | QIODevice::Unbuffered, QFileDevice::AutoCloseHandle))
            return {};
        while (!file.atEnd()) {
            throwIfStopped(stop);
            const qint64 count = file.read(bytes.data(), part);
            if (count <= 0)
                return {};
            require(EVP_DigestUpdate(context.get(), bytes.constData(), static_cast<std::size_t>(count)) == 1);
        }
        if (fileState(file.handle()) != seen.state)
            return {};
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    require(EVP_DigestFinal_ex(context.get(), digest.data(), &length) == 1);
    const QByteArray found(reinterpret_cast<const char*>(digest.data()), // NOLINT: bytes are bytes
                           static_cast<qsizetype>(length));
    return QString::fromLatin1(found.toHex());
}

} // namespace attn::ui
