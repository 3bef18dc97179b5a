// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QCoreApplication>
#include <QStringList>

#include <span>
#include <string_view>

namespace attn::ui {

// Where in a list of what can be chosen the row of an id stands. Throws attn::Error{Input} that lists the ids.
template<class Row>
int rowNamed(std::span<const Row> rows, std::string_view id, const char* where)
{
    QStringList ids;
    for (const Row& row : rows) {
        if (id == row.id)
            return static_cast<int>(&row - rows.data());
        ids << QLatin1String(row.id);
    }
    const QString said =
        QCoreApplication::translate("attn::ui", "there is no '%1'").arg(QString::fromUtf8(id.data(), std::ssize(id)));
    const QString advice = QCoreApplication::translate("attn::ui", "use one of %1").arg(ids.join(QStringLiteral(", ")));
    throw Error(ErrorKind::Input, where, said.toStdString(), advice.toStdString());
}

} // namespace attn::ui
