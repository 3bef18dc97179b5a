// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/kept_values.h"

#include "base/error.h"

#include <memory>
#include <utility>

namespace attn::ui {

namespace {

bool isStoredAs(QVariant stored, const QVariant& value)
{
    return stored.convert(value.metaType()) && stored == value;
}

} // namespace

KeptValues::Store KeptValues::add(const char* key, std::function<QVariant()> value,
                                  const std::function<void(const QVariant&)>& restore)
{
    const QVariant stored = QSettings().value(QLatin1String(key));
    if (stored.isValid()) {
        try {
            restore(stored);
        } catch (const Error&) { // it makes no sense
        }
    }
    const auto known = std::make_shared<QVariant>(stored.isValid() ? stored : value());
    const auto write = [key = QString(QLatin1String(key)), value = std::move(value), known](QSettings& settings) {
        const QVariant now = value();
        if (now.isValid() && (!isStoredAs(*known, now) || !settings.contains(key)))
            settings.setValue(key, now);
        *known = now;
    };
    m_values.emplace_back(write);
    return [write] {
        QSettings settings;
        write(settings);
    };
}

bool KeptValues::save() const
{
    QSettings settings;
    for (const auto& write : m_values)
        write(settings);
    settings.sync();
    return settings.status() == QSettings::NoError;
}

} // namespace attn::ui
