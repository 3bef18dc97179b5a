// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace attn {

// Values that a pickle describes, as data: values refer to one another by number, so that shared and circular ones are
// harmless.
struct PickleValue
{
    using Ref = std::uint32_t;

    struct None
    {
    };
    struct Tuple
    {
        std::vector<Ref> items;
    };
    struct List
    {
        std::vector<Ref> items;
    };
    struct Dictionary // an OrderedDict too
    {
        std::vector<std::pair<Ref, Ref>> items;
    };
    struct Global
    {
        std::string name; // "torch.FloatStorage"
    };
    struct Large // an integer beyond 64 bits
    {
        std::string bytes; // little-endian
    };
    struct Persistent // something outside the pickle: a storage
    {
        Ref id;
    };
    struct Call // what would be a function's result
    {
        Ref function;
        Ref arguments;
    };

    std::variant<None, bool, std::int64_t, double, std::string, Large, Tuple, List, Dictionary, Global, Persistent,
                 Call>
        data;
};

// A pickle (protocols 2 to 5) read as data. Only names that torch.save writes for tensors are accepted, every other one
// is refused with its name, and nothing is ever called. Throws Error{Format, Unsupported}.
class Pickle
{
public:
    using Ref = PickleValue::Ref;

    // Reads one pickle from the start of `bytes`, within Limit::Pickle; there may be more behind it.
    Pickle(std::span<const std::byte> bytes, const std::string& where);

    std::size_t length() const { return m_length; } // bytes read
    Ref root() const { return m_root; }
    std::size_t size() const { return m_values.size(); } // values are numbered from 0

    // Null when the value is of another kind.
    template<class T>
    const T* get(Ref value) const
    {
        return std::get_if<T>(&m_values[value].data);
    }
    // The value of a text key in a dictionary.
    std::optional<Ref> find(const PickleValue::Dictionary& dictionary, std::string_view key) const;
    // "torch.FloatStorage" for a global, otherwise empty.
    std::string_view globalName(Ref value) const;

private:
    friend class PickleMachine;

    std::vector<PickleValue> m_values;
    std::size_t m_length = 0;
    Ref m_root = 0;
};

} // namespace attn
