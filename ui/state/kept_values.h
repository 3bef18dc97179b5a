// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QVariant>

#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

namespace attn::ui {

// Between which numbers a value that is kept lies, both included.
struct KeptRange
{
    double least = std::numeric_limits<double>::lowest();
    double most = std::numeric_limits<double>::max();
};

// Values that survive a restart, in QSettings' default place. Each value is described once: its key, how it is read and
// how it is set.
class KeptValues
{
public:
    // Stores one value at once, for those that a program which is ended from outside must not forget.
    using Store = std::function<void()>;

    // Sets what is stored now, unless it makes no sense: numbers and enumerations lie in the range, and `set` may
    // throw Error.
    template<class Get, class Set>
    Store keep(const char* key, Get get, Set set, KeptRange range = {})
    {
        using Value = std::remove_cvref_t<decltype(get())>;
        if constexpr (std::is_enum_v<Value> || std::is_same_v<Value, int> || std::is_same_v<Value, double>) {
            return add(
                key, [get] { return QVariant(static_cast<double>(get())); },
                [&](const QVariant& stored) {
                    bool valid = false;
                    const double number = stored.toDouble(&valid);
                    if (valid && number >= range.least && number <= range.most)
                        set(static_cast<Value>(number));
                });
        } else {
            return add(
                key, [get] { return QVariant::fromValue(get()); },
                [&](const QVariant& stored) { set(stored.value<Value>()); });
        }
    }
    // The same of a value that lives as long as this.
    template<class Value>
    Store keep(const char* key, Value& value, KeptRange range = {})
    {
        return keep(
            key, [&value] { return value; }, [&value](const Value& stored) { value = stored; }, range);
    }
    // The same of an object's property.
    template<class Owner, class Value, class Given>
    Store keep(const char* key, Owner& owner, Value (Owner::*get)() const, void (Owner::*set)(Given),
               KeptRange range = {})
    {
        return keep(
            key, [&owner, get] { return (owner.*get)(); }, [&owner, set](const auto& value) { (owner.*set)(value); },
            range);
    }
    // The same with a form of its own; a value that is not valid is not stored.
    Store add(const char* key, std::function<QVariant()> value, const std::function<void(const QVariant&)>& restore);
    // All that are others than when they were read or stored: what another window has stored since stays. False: the
    // settings cannot be written.
    bool save() const;

private:
    std::vector<std::function<void(QSettings&)>> m_values;
};

} // namespace attn::ui
