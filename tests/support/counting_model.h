// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/sequence_model.h"
#include "support/fake_model.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace attn::test {

// A model that counts what is asked of it.
class CountingModel final : public SequenceModel
{
public:
    explicit CountingModel(std::shared_ptr<const SequenceModel> model)
        : m_model(std::move(model))
    {
    }

    FakeWork takeWork() const { return std::exchange(*m_work, {}); }

    const ModelInfo& info() const override { return m_model->info(); }
    std::uint64_t workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const override
    {
        return m_model->workBytes(length, capture, engine);
    }
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override
    {
        ++m_work->encoded;
        return m_model->encode(source, context);
    }
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                        RunContext& context) const override
    {
        return std::make_unique<State>(m_model->start(std::move(encoded), context), *m_work);
    }

private:
    class State final : public DecoderState
    {
    public:
        State(std::unique_ptr<DecoderState> state, FakeWork& work)
            : m_state(std::move(state))
            , m_work(work)
        {
        }
        void extend(std::span<const TokenId> inputs, RunContext& context) override
        {
            m_work.inputs += static_cast<int>(inputs.size());
            m_state->extend(inputs, context);
        }
        void step(std::span<const TokenId> inputs, RunContext& context) override
        {
            m_work.inputs += static_cast<int>(inputs.size());
            m_state->step(inputs, context);
        }
        void reorder(std::span<const int> parents) override { m_state->reorder(parents); }
        NumberView logits() const override { return m_state->logits(); }
        int position() const override { return m_state->position(); }

    private:
        std::unique_ptr<DecoderState> m_state;
        FakeWork& m_work;
    };

    std::shared_ptr<const SequenceModel> m_model;
    std::shared_ptr<FakeWork> m_work = std::make_shared<FakeWork>();
};

} // namespace attn::test
