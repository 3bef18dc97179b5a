// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/thread_stop.h"
#include "run/window_tokenizer.h"
#include "support/test_program.h"

#include <QTest>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

using namespace attn;
using namespace attn::ui;

namespace {

const std::vector<TokenId> longer{1, 2, 3};

// Names every id "p" and its number; does something before that for more than so many.
class ScriptedTokenizer final : public Tokenizer
{
public:
    explicit ScriptedTokenizer(std::function<void()> before, std::size_t quiet = 1)
        : m_before(std::move(before))
        , m_quiet(quiet)
    {
    }

    Encoding encode(std::string_view text) const override
    {
        m_before();
        Encoding encoding = plainEncoding({7});
        encoding.text = text;
        return encoding;
    }
    Encoding encodePair(std::string_view first, std::string_view) const override { return encode(first); }
    Encoding describe(std::span<const TokenId> ids) const override
    {
        if (ids.size() > m_quiet)
            m_before();
        Encoding encoding;
        for (const TokenId id : ids) {
            encoding.ids.push_back(id);
            encoding.tokens.push_back("p" + std::to_string(id));
            encoding.text += encoding.tokens.back();
        }
        return encoding;
    }
    std::string description() const override { return "scripted"; }
    NamedTokens namedTokens() const override { return {}; }

private:
    std::function<void()> m_before;
    std::size_t m_quiet;
};

void takeLong()
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (std::chrono::steady_clock::now() < end)
        ThreadStop::check();
}

void fail()
{
    throw Error(ErrorKind::Resource, "text", "is not for this tokenizer");
}

std::shared_ptr<const Tokenizer> scripted(std::function<void()> before)
{
    return std::make_shared<const ScriptedTokenizer>(std::move(before));
}

void elsewhere(const std::function<void()>& work)
{
    std::thread(work).join();
}

} // namespace

class TestWindowTokenizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aQuickOneIsAsItIs()
    {
        const WindowTokenizer tokenizer(scripted([] {}));
        QCOMPARE(tokenizer.describe(longer).text, std::string("p1p2p3"));
        QCOMPARE(tokenizer.describe(longer).text, std::string("p1p2p3"));
        QCOMPARE(tokenizer.encode("x").text, std::string("x"));
    }

    void oneThatFailsNamesPieces()
    {
        for (const bool isWindowFirst : {true, false}) {
            const WindowTokenizer tokenizer(scripted(fail));
            QVERIFY(!tokenizer.problem());
            const auto verifyPieces = [&] {
                const Encoding pieces = tokenizer.describe(longer);
                QCOMPARE(pieces.tokens, (std::vector<std::string>{"p1", "p2", "p3"})); // nobody had named them
                QVERIFY(pieces.text.empty());
            };
            if (isWindowFirst)
                verifyPieces();
            elsewhere(verifyPieces); // what is drawn and written there needs no text
            verifyPieces();
            QVERIFY(tokenizer.problem());
            QVERIFY_THROWS_EXCEPTION(Error, (void)tokenizer.encode("x"));
        }
    }

    void whatFailsOnceIsNoFailureOfTheRest()
    {
        bool fails = true;
        const WindowTokenizer tokenizer(scripted([&fails] {
            if (fails)
                fail();
        }));
        QVERIFY(tokenizer.describe(longer).text.empty());
        QVERIFY(!tokenizer.problem()); // it was the window that asked, for what may have been half an output
        fails = false;
        QCOMPARE(tokenizer.describe(std::vector<TokenId>{1, 2}).text, std::string("p1p2"));
        QCOMPARE(tokenizer.describe(std::vector<TokenId>{9}).tokens.front(), std::string("p9"));
        elsewhere([&] { QCOMPARE(tokenizer.describe(std::vector<TokenId>{8, 9}).text, std::string("p8p9")); });
        QVERIFY(!tokenizer.problem());
    }

    void aTokenThatFailsIsNamedByItsNumber()
    {
        int asked = 0;
        const WindowTokenizer tokenizer(std::make_shared<const ScriptedTokenizer>(
            [&asked] {
                ++asked;
                fail();
            },
            0));
        for (int i = 0; i < 3; ++i)
            elsewhere([&] { QCOMPARE(tokenizer.describe(longer).tokens.front(), std::string("<1>")); });
        elsewhere([&] { QCOMPARE(tokenizer.describe(std::vector<TokenId>{1}).tokens.front(), std::string("<1>")); });
        QCOMPARE(asked, 4); // the three together, then each
        QVERIFY(tokenizer.problem());
    }

    void whatIsKnownIsBounded()
    {
        int asked = 0;
        const WindowTokenizer tokenizer(scripted([&asked] { ++asked; }));
        const std::vector<TokenId> first(20'000, 1);
        (void)tokenizer.describe(first);
        (void)tokenizer.describe(first); // which is known now
        QCOMPARE(asked, 1);
        for (TokenId id = 2; id < 5; ++id)
            (void)tokenizer.describe(std::vector<TokenId>(20'000, id));
        QCOMPARE(asked, 4);
        (void)tokenizer.describe(first);
        QCOMPARE(asked, 5);
    }

    void aRunThatIsCancelledIsNoFailure()
    {
        bool isSlow = true;
        const WindowTokenizer tokenizer(scripted([&isSlow] {
            if (isSlow)
                takeLong();
        }));
        elsewhere([&] {
            std::stop_source stop;
            stop.request_stop();
            const ThreadStop ofTexts(stop.get_token());
            try {
                (void)tokenizer.describe(longer);
                QFAIL("it went on");
            } catch (const Error& error) {
                QCOMPARE(error.kind(), ErrorKind::Cancelled);
            }
        });
        QVERIFY(!tokenizer.problem());
        isSlow = false;
        QCOMPARE(tokenizer.describe(longer).text, std::string("p1p2p3"));
    }
};

ATTN_TEST(TestWindowTokenizer)
#include "tst_window_tokenizer.moc"
