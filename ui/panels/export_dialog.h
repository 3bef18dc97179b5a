// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "panels/dialogs.h"
#include "run/latest_request.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFontComboBox>
#include <QFormLayout>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QList>
#include <QSpinBox>
#include <QTimer>

#include <optional>

namespace attn::ui {

// Chooses the form of an export and how the figure looks in it, and shows what will be written.
class ExportDialog final : public QDialog
{
    Q_OBJECT

public:
    ExportDialog(Exportable figure, const ExportHabits& last, QWidget* parent = nullptr);

    QString suffix() const { return QLatin1String(format().suffix); }
    ExportOptions options() const;
    FigureChoices choices() const; // of the figure as it is to be written

private:
    // Rows or columns from one to another.
    struct Span
    {
        QSpinBox* first = nullptr;
        QSpinBox* last = nullptr;
    };

    const ExportFormat& format() const;
    void addFile(QFormLayout& form, const ExportHabits& last);
    void addLook(QFormLayout& form, const ExportHabits& last);
    void addParts(QFormLayout& form);
    Span addSpan(QFormLayout& form, const QString& label, const char* name, int count);
    std::optional<ShownSpan> chosenSpan(const Span& span, const std::optional<ShownSpan>& own) const;
    QCheckBox* addCheck(QFormLayout& form, const QString& text, const char* name, bool checked);
    void formChanged();
    void drawPreview();
    void showPreview(const QImage& image, const std::optional<Error>& problem);

    Exportable m_figure;
    QComboBox* m_form = nullptr;
    QComboBox* m_preset = nullptr;
    QDoubleSpinBox* m_width = nullptr;
    QSpinBox* m_dpi = nullptr;
    QDoubleSpinBox* m_delay = nullptr; // in seconds
    QList<QWidget*> m_look; // how the figure is drawn; empty: it cannot be drawn otherwise
    QComboBox* m_theme = nullptr;
    QFontComboBox* m_family = nullptr;
    QDoubleSpinBox* m_font = nullptr;
    QLineEdit* m_title = nullptr;
    QComboBox* m_numbers = nullptr;
    QCheckBox* m_titled = nullptr;
    QCheckBox* m_axisNames = nullptr;
    QCheckBox* m_legend = nullptr;
    QCheckBox* m_mark = nullptr;
    Span m_rows;
    Span m_columns;
    QLabel* m_preview = nullptr;
    QTimer m_redraw;
    LatestRequest m_drawing{*this}; // of the preview, on another thread
};

} // namespace attn::ui
