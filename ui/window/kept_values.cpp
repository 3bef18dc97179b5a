// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/kept_values.h"

#include "base/error.h"

namespace attn::ui {

void KeptValues::add(const char* key, std::function<QVariant()> value,
                     const std::function<void(const QVariant&)>& restore)
{
    if (const QVariant stored = QSettings().value(QLatin1String(key)); stored.isValid()) {
        try {
            restore(stored);
        } catch (const Error&) { // it makes no sense
        }
    }
    m_values.emplace_back(QLatin1String(key), std::move(value));
}

void KeptValues::save() const
{
    QSettings settings;
    for (const auto& [key, value] : m_values) {
        if (const QVariant now = value(); now.isValid())
            settings.setValue(key, now);
    }
}

} // namespace attn::ui
