// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "loading/model_card.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "robust/hostile_files.h"
#include "session/session.h"
#include "support/test_program.h"
#include "trace/archive.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

using namespace attn;
using namespace attn::test;

namespace {

namespace fs = std::filesystem;

// Opens as the program does; throws where the tokenizer cannot be read, too.
void open(const fs::path& path, Engine& engine)
{
    if (isSessionPath(path)) {
        readSession(path);
    } else if (isArchivePath(path)) {
        readArchive(path);
    } else if (path.extension() == ".bin") {
        openCheckpoint(path);
    } else {
        const LoadedModel model = loadModel(path.string(), engine);
        if (fs::exists(path / "scores.json"))
            readLengthScores(path);
        if (model.tokenizerProblem)
            throw Error(*model.tokenizerProblem);
    }
}

// The error says what is wrong with the file that is at fault, and with which of its fields.
bool blames(const Error& error, const HostileSet& set, const fs::path& folder)
{
    const bool isOfContents = error.kind() == ErrorKind::Format || error.kind() == ErrorKind::Unsupported;
    return isOfContents && std::ranges::any_of(set.blamed, [&](const std::string& file) {
               const std::string text = error.what();
               return text.starts_with((folder / file).string() + ": ")
                   && (file != "config.json" || text.find(set.field) != std::string::npos);
           });
}

} // namespace

// Nothing that a stranger sends ends the program or takes long, and what is refused is said of the file at fault.
class TestHostile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySetOpensOrNamesItsFault()
    {
        Engine engine;
        for (const HostileSet& set : hostileSets()) {
            QTemporaryDir folder;
            const fs::path place(folder.path().toStdString());
            for (const auto& [name, bytes] : set.files) {
                std::ofstream file(place / name, std::ios::binary);
                file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
            }
            try {
                open(set.opened.empty() ? place : place / set.opened, engine);
                QVERIFY2(set.opens, qPrintable(QString::fromStdString(set.name) + " opens"));
            } catch (const Error& error) {
                QVERIFY2(blames(error, set, place), (set.name + ": " + error.what()).c_str());
            }
        }
    }
};

ATTN_TEST(TestHostile)

#include "tst_hostile.moc"
