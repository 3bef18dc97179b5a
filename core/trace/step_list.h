// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace attn {

struct TraceStep;

// A growing list of steps whose copies share their storage: copying costs the same however long the list is, and a copy
// keeps the length it had. Only one of the copies may append. Copies may be read on other threads while that one grows:
// elements never move, and a reader touches only those below its own length.
class StepList
{
public:
    using Element = std::shared_ptr<const TraceStep>;

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    const Element& operator[](std::size_t index) const { return m_storage->at(index); }
    const Element& at(std::size_t index) const
    {
        if (index >= m_size)
            throw std::out_of_range("step " + std::to_string(index) + " of " + std::to_string(m_size));
        return m_storage->at(index);
    }
    const Element& front() const { return at(0); }

    void append(Element element)
    {
        if (!m_storage)
            m_storage = std::make_shared<Storage>();
        m_storage->place(m_size, std::move(element));
        ++m_size;
    }

private:
    // Blocks of 64, 128, 256 ... elements.
    class Storage
    {
    public:
        const Element& at(std::size_t index) const
        {
            const auto [block, offset] = locate(index);
            return m_blocks[block][offset];
        }
        void place(std::size_t index, Element element)
        {
            const auto [block, offset] = locate(index);
            if (!m_blocks.at(block))
                m_blocks[block] = std::make_unique<Element[]>(firstBlock << block);
            m_blocks[block][offset] = std::move(element);
        }

    private:
        static constexpr std::size_t firstBlock = 64;
        static std::pair<std::size_t, std::size_t> locate(std::size_t index)
        {
            const auto block = static_cast<std::size_t>(std::bit_width(index / firstBlock + 1)) - 1;
            return {block, index - firstBlock * ((std::size_t{1} << block) - 1)};
        }

        std::array<std::unique_ptr<Element[]>, 40> m_blocks;
    };

    std::shared_ptr<Storage> m_storage;
    std::size_t m_size = 0;
};

} // namespace attn
