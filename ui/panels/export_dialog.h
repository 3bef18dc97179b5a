// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/dialogs.h"

#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>
#include <QTimer>

namespace attn::ui {

// Chooses form and size of an export and shows what will be written.
class ExportDialog final : public QDialog
{
    Q_OBJECT

public:
    ExportDialog(Exportable figure, const ExportHabits& last, QWidget* parent = nullptr);

    QString suffix() const { return m_form->currentData().toString(); }
    ExportOptions options() const;

private:
    const ExportFormat& format() const;
    void formChanged();
    void drawPreview();

    Exportable m_figure;
    QComboBox* m_form = nullptr;
    QDoubleSpinBox* m_width = nullptr;
    QSpinBox* m_dpi = nullptr;
    QLabel* m_preview = nullptr;
    QTimer m_redraw;
};

} // namespace attn::ui
