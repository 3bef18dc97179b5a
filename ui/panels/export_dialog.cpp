// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/export_dialog.h"

#include "base/error.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>

#include <chrono>
#include <utility>

namespace attn::ui {

namespace {

constexpr QSize previewSize(420, 360);

}

ExportDialog::ExportDialog(Exportable figure, const ExportHabits& last, QWidget* parent)
    : QDialog(parent)
    , m_figure(std::move(figure))
    , m_form(new QComboBox)
    , m_width(new QDoubleSpinBox)
    , m_dpi(new QSpinBox)
    , m_preview(new QLabel)
{
    setWindowTitle(tr("Export"));
    for (const ExportFormat& format : exportFormats())
        if (format.fits(m_figure))
            m_form->addItem(QCoreApplication::translate("attn::ui", format.title), QLatin1String(format.suffix));
    m_form->setCurrentIndex(std::max(0, m_form->findData(last.suffix)));
    m_width->setObjectName(QStringLiteral("exportWidth"));
    m_width->setRange(leastWidthMm, mostWidthMm);
    m_width->setDecimals(0);
    m_width->setSuffix(tr(" mm"));
    m_width->setValue(last.options.widthMm);
    m_dpi->setObjectName(QStringLiteral("exportDpi"));
    m_dpi->setRange(leastDpi, mostDpi);
    m_dpi->setValue(last.options.dpi);
    m_preview->setFixedSize(previewSize);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_preview->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Save)->setText(tr("Save as…"));
    auto* form = new QFormLayout;
    form->addRow(tr("&Form"), m_form);
    form->addRow(tr("&Width"), m_width);
    form->addRow(tr("&Dots per inch"), m_dpi);
    auto* columns = new QHBoxLayout;
    columns->addLayout(form);
    columns->addWidget(m_preview, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(columns);
    layout->addWidget(buttons);
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(std::chrono::milliseconds(120));
    connect(&m_redraw, &QTimer::timeout, this, &ExportDialog::drawPreview);
    connect(m_form, &QComboBox::currentIndexChanged, this, &ExportDialog::formChanged);
    connect(m_width, &QDoubleSpinBox::valueChanged, &m_redraw, qOverload<>(&QTimer::start));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    formChanged();
}

ExportOptions ExportDialog::options() const
{
    return {m_width->value(), m_dpi->value()};
}

const ExportFormat& ExportDialog::format() const
{
    return *exportFormatOf(QLatin1Char('.') + suffix());
}

void ExportDialog::formChanged()
{
    m_width->setEnabled(format().content == ExportFormat::Content::Drawing);
    m_dpi->setEnabled(format().pixels);
    m_redraw.start();
}

void ExportDialog::drawPreview()
{
    if (!m_width->isEnabled()) {
        m_preview->setText(format().content == ExportFormat::Content::Numbers
                               ? tr("The numbers on the screen with their names, full precision.")
                               : tr("Tokens, every attention map and the log probabilities of this run."));
        return;
    }
    try {
        // As many dots as the preview can show, not as many as the file will have.
        const int dpi = std::max(leastDpi, static_cast<int>(previewSize.width() * 25.4 / m_width->value()));
        const QImage image = renderFigure(m_figure, {m_width->value(), dpi});
        m_preview->setPixmap(
            QPixmap::fromImage(image.scaled(previewSize - QSize(8, 8), Qt::KeepAspectRatio, Qt::SmoothTransformation)));
    } catch (const Error& error) {
        m_preview->setText(QString::fromUtf8(error.what()));
    }
}

} // namespace attn::ui
