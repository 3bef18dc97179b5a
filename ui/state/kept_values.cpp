// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/kept_values.h"

#include "base/error.h"

#include <utility>

namespace attn::ui {

KeptValues::Store KeptValues::add(const char* key, std::function<QVariant()> value,
                                  const std::function<void(const QVariant&)>& restore)
{
    if (const QVariant stored = QSettings().value(QLatin1String(key)); stored.isValid()) {
        try {
            restore(stored);
        } catch (const Error&) { // it makes no sense
        }
    }
    const auto write = [key = QString(QLatin1String(key)), value = std::move(value)](QSettings& settings) {
        if (const QVariant now = value(); now.isValid())
            settings.setValue(key, now);
    };
    m_values.emplace_back(write);
    return [write] {
        QSettings settings;
        write(settings);
    };
}

void KeptValues::save() const
{
    QSettings settings;
    for (const auto& write : m_values)
        write(settings);
}

} // namespace attn::ui
