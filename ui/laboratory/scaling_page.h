// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_page.h"

namespace attn::ui {

class ScalingPage final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit ScalingPage(const LaboratoryContext& context, QWidget* parent = nullptr);

    std::optional<Exportable> exportable() const override;
    void activate() override;
};

} // namespace attn::ui
