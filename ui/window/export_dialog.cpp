// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/export_dialog.h"

#include "base/error.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>

#include <chrono>

namespace attn::ui {

namespace {

constexpr QSize previewSize(420, 360);

}

ExportDialog::ExportDialog(const ExportRequest& request, QWidget* parent)
    : QDialog(parent)
    , m_request(request)
    , m_layout(new QFormLayout)
    , m_form(new QComboBox)
    , m_width(new QDoubleSpinBox)
    , m_dpi(new QSpinBox)
    , m_preview(new QLabel)
{
    setWindowTitle(tr("Export"));
    m_form->addItem(tr("PNG image"), QStringLiteral("png"));
    m_form->addItem(tr("SVG drawing"), QStringLiteral("svg"));
    m_form->addItem(tr("PDF document"), QStringLiteral("pdf"));
    if (request.figure.archive) {
        m_form->addItem(tr("NumPy archive of the run (.npz)"), QStringLiteral("npz"));
        m_form->addItem(tr("JSON of the run"), QStringLiteral("json"));
    }
    if (request.figure.csv)
        m_form->addItem(tr("CSV of the numbers shown"), QStringLiteral("csv"));
    m_form->setCurrentIndex(std::max(0, m_form->findData(request.suffix)));
    m_width->setRange(20, 2000);
    m_width->setDecimals(0);
    m_width->setSuffix(tr(" mm"));
    m_width->setValue(request.options.widthMm);
    m_dpi->setRange(30, 1200);
    m_dpi->setValue(request.options.dpi);
    m_preview->setFixedSize(previewSize);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_preview->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Save)->setText(tr("Save as…"));
    m_layout->addRow(tr("&Form"), m_form);
    m_layout->addRow(tr("&Width"), m_width);
    m_layout->addRow(tr("&Dots per inch"), m_dpi);
    auto* columns = new QHBoxLayout;
    columns->addLayout(m_layout);
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

void ExportDialog::formChanged()
{
    const QString form = suffix();
    const bool drawing = form == QLatin1String("png") || form == QLatin1String("svg") || form == QLatin1String("pdf");
    m_width->setEnabled(drawing);
    m_dpi->setEnabled(form == QLatin1String("png"));
    m_redraw.start();
}

void ExportDialog::drawPreview()
{
    if (!m_width->isEnabled()) {
        m_preview->setText(suffix() == QLatin1String("csv")
                               ? tr("The numbers on the screen with their names, full precision.")
                               : tr("Tokens, every attention map and the log probabilities of this run."));
        return;
    }
    try {
        // As many dots as the preview can show, not as many as the file will have.
        const int dpi = std::max(30, static_cast<int>(previewSize.width() * 25.4 / m_width->value()));
        const QImage image = renderFigure(m_request.figure, {m_width->value(), dpi});
        m_preview->setPixmap(
            QPixmap::fromImage(image.scaled(previewSize - QSize(8, 8), Qt::KeepAspectRatio, Qt::SmoothTransformation)));
    } catch (const Error& error) {
        m_preview->setText(QString::fromUtf8(error.what()));
    }
}

} // namespace attn::ui
