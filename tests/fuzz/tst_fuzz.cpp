// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "io/zip_archive.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

using attn::fuzz::NamedTarget;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Random = std::mt19937;

std::size_t below(Random& random, std::size_t end)
{
    return random() % end;
}

// As a fuzzer without knowledge would: some bytes changed, taken away, repeated, or put where others were.
void damage(Bytes& bytes, const Bytes& other, Random& random)
{
    for (std::size_t i = 1 + below(random, 4); i > 0; --i) {
        if (bytes.empty())
            bytes.push_back(0);
        const std::size_t at = below(random, bytes.size());
        const auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        const auto count = static_cast<std::ptrdiff_t>(1 + below(random, std::min<std::size_t>(bytes.size() - at, 16)));
        switch (below(random, 6)) {
        case 0:
            *here = static_cast<std::uint8_t>(random());
            break;
        case 1:
            *here ^= static_cast<std::uint8_t>(1U << below(random, 8));
            break;
        case 2:
            bytes.erase(here, here + count);
            break;
        case 3: {
            const Bytes part(here, here + count);
            bytes.insert(here, part.begin(), part.end());
            break;
        }
        case 4:
            bytes.resize(at); // cut short
            break;
        default:
            if (!other.empty()) {
                const std::size_t from = below(random, other.size());
                const std::size_t length = 1 + below(random, std::min<std::size_t>(other.size() - from, 32));
                const auto begin = other.begin() + static_cast<std::ptrdiff_t>(from);
                bytes.insert(here, begin, begin + static_cast<std::ptrdiff_t>(length));
            }
        }
    }
}

std::vector<Bytes> corpusOf(const std::string& target)
{
    const attn::ZipReader packed(std::filesystem::path(ATTN_SOURCE_DIR "/tests/fuzz/corpus") / (target + ".zip"));
    constexpr std::uint64_t largest = std::uint64_t{1} << 20U;
    std::vector<Bytes> corpus;
    for (const std::string& name : packed.names()) {
        const attn::ByteSource input = packed.open(name, largest);
        Bytes bytes(input.size);
        input.read(std::as_writable_bytes(std::span(bytes)));
        corpus.push_back(std::move(bytes));
    }
    return corpus;
}

} // namespace

// Every fuzz target with its corpus and the same damaged inputs each time. The sanitizers say what is wrong, and an
// exception that is none of ours ends the test.
class TestFuzz : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("ATTNSCOPE_MODELS", ATTN_MODELS);
        qputenv("ATTNSCOPE_LIMITS", "regex-time=2"); // an expression may be slow
    }

    void survives_data()
    {
        QTest::addColumn<int>("place");
        const std::vector<NamedTarget>& targets = attn::fuzz::targets();
        for (std::size_t i = 0; i < targets.size(); ++i)
            QTest::newRow(targets[i].name) << static_cast<int>(i);
    }
    void survives()
    {
        QFETCH(int, place);
        const NamedTarget& tried = attn::fuzz::targets()[static_cast<std::size_t>(place)];
        const std::vector<Bytes> corpus = corpusOf(tried.name);
        QVERIFY2(!corpus.empty(), "the target has no corpus");
        for (const Bytes& bytes : corpus)
            tried.target(bytes.data(), bytes.size());
        tried.target(nullptr, 0);
        constexpr int damaged = 3000;
        Random random(1);
        for (int i = 0; i < damaged; ++i) {
            Bytes bytes = corpus[below(random, corpus.size())];
            damage(bytes, corpus[below(random, corpus.size())], random);
            tried.target(bytes.data(), bytes.size());
        }
    }
};

ATTN_TEST(TestFuzz)
#include "tst_fuzz.moc"
