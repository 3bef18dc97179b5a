// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "models/sequence_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace attn::test {

// Probabilities that follow a prefix of decoder inputs (the start token first).
using Script = std::function<std::vector<double>(const std::vector<TokenId>& prefix)>;

struct FakeEncoded final : EncoderOutput
{
    int length = 0;
    int sourceLength() const override { return length; }
};

// What was asked of a fake model.
struct FakeWork
{
    int encoded = 0; // sources
    int inputs = 0; // of decoders
};

// Predicts what its script says. Its cross attention row at step i is [1 - m, m, 0, ...] with m = (last input) / 100,
// its decoder row is the inputs / 100: a row that belongs to another hypothesis is noticed.
class FakeState final : public DecoderState
{
public:
    FakeState(const Script& script, int vocabulary, int sourceLength, FakeWork& work)
        : m_script(script)
        , m_vocabulary(vocabulary)
        , m_sourceLength(sourceLength)
        , m_work(work)
        , m_prefixes(1)
    {
    }
    void extend(std::span<const TokenId> inputs, RunContext& context) override
    {
        throwIfStopped(context.stop);
        const int first = position();
        m_logits.clear();
        m_rows = static_cast<int>(inputs.size());
        m_work.inputs += m_rows;
        const int all = first + m_rows;
        std::vector<float> self(inputs.size() * static_cast<std::size_t>(all));
        std::vector<float> cross;
        for (int row = 0; row < m_rows; ++row) {
            const TokenId token = inputs[static_cast<std::size_t>(row)];
            m_prefixes.at(0).push_back(token);
            addLogits(m_prefixes[0]);
            addCross(cross, token);
            std::ranges::transform(m_prefixes[0], self.begin() + row * all,
                                   [](TokenId read) { return static_cast<float>(read) / 100; });
        }
        report(context, 0, first, {self.data(), m_rows, all}, {cross.data(), m_rows, m_sourceLength});
    }

    void step(std::span<const TokenId> inputs, RunContext& context) override
    {
        throwIfStopped(context.stop);
        if (inputs.size() != m_prefixes.size())
            throw std::logic_error("as many inputs as live hypotheses are needed");
        m_logits.clear();
        m_rows = static_cast<int>(inputs.size());
        m_work.inputs += m_rows;
        for (std::size_t h = 0; h < inputs.size(); ++h) {
            m_prefixes[h].push_back(inputs[h]);
            addLogits(m_prefixes[h]);
            std::vector<float> self;
            for (const TokenId token : m_prefixes[h])
                self.push_back(static_cast<float>(token) / 100);
            std::vector<float> cross;
            addCross(cross, inputs[h]);
            const int row = position() - 1;
            const int hypothesis = static_cast<int>(h);
            report(context, hypothesis, row, {self.data(), 1, row + 1}, {cross.data(), 1, m_sourceLength});
        }
    }

    void reorder(std::span<const int> parents) override
    {
        std::vector<std::vector<TokenId>> chosen;
        for (const int parent : parents)
            chosen.push_back(m_prefixes.at(static_cast<std::size_t>(parent)));
        m_prefixes = std::move(chosen);
    }

    NumberView logits() const override { return {m_logits.data(), m_rows, m_vocabulary}; }
    int position() const override { return static_cast<int>(m_prefixes.at(0).size()); }

private:
    static void report(RunContext& context, int hypothesis, int row, NumberView self, NumberView cross)
    {
        if (!context.capture.attention)
            return;
        context.sink.attention({{Stage::Decoder, 0}, hypothesis, row, self, {}});
        context.sink.attention({{Stage::Cross, 0}, hypothesis, row, cross, {}});
    }
    void addLogits(const std::vector<TokenId>& prefix)
    {
        for (const double probability : m_script(prefix))
            m_logits.push_back(static_cast<float>(std::log(probability)) + 3.0F); // a constant changes nothing
    }
    void addCross(std::vector<float>& rows, TokenId last) const
    {
        const float weight = static_cast<float>(last) / 100;
        for (int column = 0; column < m_sourceLength; ++column)
            rows.push_back(column == 0 ? 1 - weight : column == 1 ? weight : 0);
    }

    const Script& m_script;
    int m_vocabulary;
    int m_sourceLength;
    FakeWork& m_work;
    std::vector<std::vector<TokenId>> m_prefixes;
    std::vector<float> m_logits;
    int m_rows = 0;
};

class FakeModel final : public SequenceModel
{
public:
    FakeModel(int vocabulary, TokenId endToken, Script script)
        : m_script(std::move(script))
    {
        m_info.family = "fake";
        m_info.sourceVocabulary = vocabulary;
        m_info.targetVocabulary = vocabulary;
        m_info.decoderStart = 0;
        m_info.endToken = endToken;
        m_info.decoderLayers = m_info.crossLayers = m_info.crossHeads = m_info.decoderHeads = 1;
    }

    ModelInfo& editInfo() { return m_info; }
    const FakeWork& work() const { return *m_work; }
    const ModelInfo& info() const override { return m_info; }
    std::uint64_t workBytes(const RunLength& /*length*/, const Capture& /*capture*/,
                            const Engine& /*engine*/) const override
    {
        return 0;
    }
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override
    {
        throwIfStopped(context.stop);
        ++m_work->encoded;
        auto encoded = std::make_shared<FakeEncoded>();
        encoded->length = static_cast<int>(source.ids.size());
        return encoded;
    }
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                        RunContext& /*context*/) const override
    {
        const int length = encoded ? encoded->sourceLength() : 2;
        return std::make_unique<FakeState>(m_script, m_info.targetVocabulary, length, *m_work);
    }
    Tensor positionalEncoding(int) const override { return {}; }

private:
    ModelInfo m_info;
    Script m_script;
    std::shared_ptr<FakeWork> m_work = std::make_shared<FakeWork>();
};

} // namespace attn::test
