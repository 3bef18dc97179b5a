// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace attn::ui {

// A page of the help. An image whose address is "formula:" and a name of formulas::named() is that formula, set in the
// page's letters and colours; one that is a file is an SVG picture; no other is loaded.
class HelpText final : public QTextBrowser
{
    Q_OBJECT

public:
    using QTextBrowser::QTextBrowser;

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

} // namespace attn::ui
