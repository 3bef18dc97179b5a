// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/progress.h"
#include "run/window_tokenizer.h"
#include "support/test_program.h"
#include "support/verify_error.h"

#include <QTest>

#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
using namespace attn::ui;

namespace {

const std::vector<TokenId> longer{1, 2, 3};

// Names every id "p" and its number, after doing something.
class ScriptedTokenizer final : public Tokenizer
{
public:
    explicit ScriptedTokenizer(std::function<void()> before)
        : m_before(std::move(before))
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
};

void fail()
{
    throw Error(ErrorKind::Resource, "text", "is not for this tokenizer");
}

std::shared_ptr<const Tokenizer> scripted(std::function<void()> before)
{
    return std::make_shared<const ScriptedTokenizer>(std::move(before));
}

} // namespace

class TestWindowTokenizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTextIsDescribedOnce()
    {
        int asked = 0;
        const WindowTokenizer tokenizer(scripted([&asked] { ++asked; }));
        for (int i = 0; i < 2; ++i)
            QCOMPARE(tokenizer.describe(longer).text, std::string("p1p2p3"));
        QCOMPARE(asked, 1);
        QVERIFY(!tokenizer.problem());
        QCOMPARE(tokenizer.encode("x").text, std::string("x"));
    }

    void oneThatFailsNamesNumbers()
    {
        bool fails = true;
        const WindowTokenizer tokenizer(scripted([&fails] {
            if (fails)
                fail();
        }));
        const Encoding numbers = tokenizer.describe(longer);
        QCOMPARE(numbers.tokens, (std::vector<std::string>{"<1>", "<2>", "<3>"}));
        QVERIFY(numbers.text.empty());
        QVERIFY(tokenizer.problem());
        QVERIFY_THROWS_EXCEPTION(Error, (void)tokenizer.encode("x"));
        fails = false;
        QCOMPARE(tokenizer.describe(std::vector<TokenId>{1, 2}).text, std::string("p1p2"));
    }

    void whatIsKnownIsBounded()
    {
        int asked = 0;
        const WindowTokenizer tokenizer(scripted([&asked] { ++asked; }));
        for (const TokenId id : {1, 2, 3, 4, 1})
            (void)tokenizer.describe(std::vector<TokenId>(20'000, id));
        QCOMPARE(asked, 5);
    }

    void aRunThatIsCancelledIsNoFailure()
    {
        const WindowTokenizer tokenizer(scripted([] { ThreadStop::check(); }));
        {
            std::stop_source stop;
            stop.request_stop();
            const ThreadStop ofTexts(stop.get_token());
            test::verifyError(ErrorKind::Cancelled, {}, [&] { (void)tokenizer.describe(longer); });
        }
        QVERIFY(!tokenizer.problem());
        QCOMPARE(tokenizer.describe(longer).text, std::string("p1p2p3"));
    }

    void oneThatIsCancelledPieceByPieceIsNoFailureEither()
    {
        std::stop_source stop;
        const WindowTokenizer tokenizer(scripted([&stop, asked = 0]() mutable {
            if (++asked == 1)
                fail(); // so that pieces are described
            stop.request_stop();
            ThreadStop::check();
        }));
        const ThreadStop ofTexts(stop.get_token());
        test::verifyError(ErrorKind::Cancelled, {}, [&] { (void)tokenizer.describe(longer); });
        QVERIFY(!tokenizer.problem());
    }
};

ATTN_TEST(TestWindowTokenizer)
#include "tst_window_tokenizer.moc"
