// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/export_dialog.h"

#include "base/error.h"
#include "base/index.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/language.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"
#include "run/latest_request.h"
#include "run/user_message.h"
#include "state/strings.h"
#include "views/number_box.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QThreadPool>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <variant>

namespace attn::ui {

namespace {

constexpr QSize previewSize(460, 420);
constexpr int previewMargin = 8;

// Width of a figure, in millimetres.
struct WidthRow
{
    const char* title; // for translated()
    double width;
};
constexpr WidthRow widthRows[] = {{QT_TRANSLATE_NOOP("attn::ui", "ACL, one column"), 77},
                                  {QT_TRANSLATE_NOOP("attn::ui", "ACL, two columns"), 160},
                                  {QT_TRANSLATE_NOOP("attn::ui", "IEEE, one column"), 88},
                                  {QT_TRANSLATE_NOOP("attn::ui", "IEEE, two columns"), 181},
                                  {QT_TRANSLATE_NOOP("attn::ui", "Nature, one column"), 89},
                                  {QT_TRANSLATE_NOOP("attn::ui", "Nature, two columns"), 183},
                                  {QT_TRANSLATE_NOOP("attn::ui", "NeurIPS, text width"), 140},
                                  {QT_TRANSLATE_NOOP("attn::ui", "Slide"), 254}};

// The rows and columns that the figure would have without a choice of them.
std::pair<int, int> extentOf(const FigureSource& source)
{
    FigureSpec whole = source.spec;
    whole.rows.reset();
    whole.columns.reset();
    if (whole.kind->csv != nullptr) {
        const auto figure = layoutFigure(whole, source.trace, QSizeF(600, 0));
        return {figure->rows(), figure->columns()};
    }
    if (whole.kind->numbers == heatmapContent) {
        const Map axes = whole.shownRuns(source.trace).axes(whole.mapSpec());
        return {indexSize(axes.rows.groups), indexSize(axes.columns.groups)};
    }
    const MatrixContent content = whole.kind->numbers(whole, source.trace);
    return {content.rows(), content.columns()};
}

} // namespace

ExportDialog::ExportDialog(Exportable figure, const ExportHabits& last, QWidget* parent)
    : QDialog(parent)
    , m_figure(std::move(figure))
    , m_preview(plainLabel())
{
    setWindowTitle(tr("Export"));
    m_preview->setObjectName(QStringLiteral("exportPreview"));
    m_preview->setMinimumSize(previewSize);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_preview->setWordWrap(true);
    m_preview->setAccessibleName(tr("Preview of the file"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Save)->setText(tr("Save as…"));
    buttons->button(QDialogButtonBox::Save)->setDefault(true);
    auto* panel = new QVBoxLayout;
    auto* form = new QFormLayout;
    addFile(*form, last);
    if (m_figure.source) {
        addLook(*form, last);
        addParts(*form);
    }
    panel->addLayout(form);
    panel->addStretch();
    auto* columns = new QHBoxLayout;
    columns->addLayout(panel);
    columns->addWidget(m_preview, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(columns, 1);
    layout->addWidget(buttons);
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(std::chrono::milliseconds(120));
    connect(&m_redraw, &QTimer::timeout, this, &ExportDialog::drawPreview);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    formChanged();
}

void ExportDialog::addFile(QFormLayout& form, const ExportHabits& last)
{
    const auto redraw = qOverload<>(&QTimer::start);
    m_form = new QComboBox;
    m_form->setObjectName(QStringLiteral("exportForm"));
    for (int i = 0; i < static_cast<int>(exportFormats().size()); ++i) {
        const ExportFormat& one = exportFormats()[static_cast<std::size_t>(i)];
        if (!one.fits(m_figure))
            continue;
        m_form->addItem(translated(one.title), i);
        const bool report = one.content == ExportFormat::Content::Report;
        if (last.suffix == QLatin1String(one.suffix) && report == last.options.report)
            m_form->setCurrentIndex(m_form->count() - 1);
    }
    m_width = new NumberBox;
    m_width->setObjectName(QStringLiteral("exportWidth"));
    m_width->setRange(leastWidthMm, mostWidthMm);
    m_width->setDecimals(0);
    m_width->setSuffix(tr(" mm"));
    m_width->setValue(last.options.widthMm);
    m_preset = new QComboBox;
    m_preset->setObjectName(QStringLiteral("exportPreset"));
    m_preset->setAccessibleName(tr("Usual widths"));
    m_preset->addItem(tr("Usual widths"));
    for (const WidthRow& row : widthRows)
        m_preset->addItem(QStringLiteral("%1: %2 mm").arg(translated(row.title)).arg(row.width), row.width);
    m_dpi = new QSpinBox;
    m_dpi->setObjectName(QStringLiteral("exportDpi"));
    m_dpi->setRange(leastDpi, mostDpi);
    m_dpi->setValue(last.options.dpi);
    m_delay = new NumberBox;
    m_delay->setObjectName(QStringLiteral("exportDelay"));
    m_delay->setRange(0, 60);
    m_delay->setSpecialValueText(tr("as it is written"));
    m_delay->setSingleStep(0.1);
    m_delay->setSuffix(tr(" s"));
    m_delay->setValue(last.options.delay / 1000.0);
    auto* widths = new QHBoxLayout;
    widths->addWidget(m_width);
    widths->addWidget(m_preset);
    form.addRow(tr("&Format"), m_form);
    form.addRow(tr("&Width"), widths);
    qobject_cast<QLabel*>(form.labelForField(widths))->setBuddy(m_width);
    form.addRow(tr("&Dots per inch"), m_dpi);
    form.addRow(tr("&Each step"), m_delay);
    connect(m_form, &QComboBox::currentIndexChanged, this, &ExportDialog::formChanged);
    connect(m_width, &QDoubleSpinBox::valueChanged, &m_redraw, redraw);
    connect(m_preset, &QComboBox::activated, this, [this](int index) {
        if (index > 0)
            m_width->setValue(m_preset->itemData(index).toDouble());
        m_preset->setCurrentIndex(0);
    });
}

QCheckBox* ExportDialog::addCheck(QFormLayout& form, const QString& text, const char* name, bool checked)
{
    auto* box = new QCheckBox(text);
    box->setObjectName(QLatin1String(name));
    box->setChecked(checked);
    form.addRow(QString(), box);
    m_look << box;
    connect(box, &QCheckBox::toggled, &m_redraw, qOverload<>(&QTimer::start));
    return box;
}

void ExportDialog::addLook(QFormLayout& form, const ExportHabits& last)
{
    const auto redraw = qOverload<>(&QTimer::start);
    m_theme = new QComboBox;
    m_theme->setObjectName(QStringLiteral("exportTheme"));
    for (const ThemeRow& row : themeRows)
        m_theme->addItem(translated(row.title).remove(QLatin1Char('&')));
    m_theme->setCurrentIndex(static_cast<int>(last.look.theme));
    m_family = new QFontComboBox;
    m_family->setObjectName(QStringLiteral("exportFontFamily"));
    m_family->setEditable(false);
    m_family->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_family->setCurrentFont(QFont(last.look.fontFamily.isEmpty() ? usualFontFamily() : last.look.fontFamily));
    m_font = new NumberBox;
    m_font->setObjectName(QStringLiteral("exportFont"));
    const NumberLimits& points = optionRow(figureRows(), "font-size").limits;
    m_font->setRange(points.least, points.most);
    m_font->setDecimals(1);
    m_font->setSuffix(tr(" pt"));
    m_font->setValue(last.look.baseFontPoints);
    m_numbers = new QComboBox;
    m_numbers->setObjectName(QStringLiteral("exportNumbers"));
    const auto& numbers = optionRow(figureRows(), "numbers");
    for (const OptionChoice& choice : std::get<ChoiceMember<FigureChoices>>(numbers.member).choices)
        m_numbers->addItem(translated(choice.label));
    m_numbers->setCurrentIndex(static_cast<int>(m_figure.source->spec.numbers));
    m_title = new QLineEdit(m_figure.source->spec.title);
    m_title->setObjectName(QStringLiteral("exportTitle"));
    m_title->setPlaceholderText(tr("Made from the model and the head"));
    m_look << m_theme << m_family << m_font << m_title << m_numbers;
    form.addRow(tr("T&heme"), m_theme);
    form.addRow(tr("F&ont"), m_family);
    form.addRow(tr("Font &size"), m_font);
    form.addRow(tr("&Title"), m_title);
    form.addRow(tr("&Numbers in cells"), m_numbers);
    m_titled = addCheck(form, tr("Show the t&itle"), "exportTitled", !last.look.noTitle);
    m_axisNames = addCheck(form, tr("Show the &axis names"), "exportAxisNames", !last.look.noAxisNames);
    m_legend = addCheck(form, tr("Show the colour &bar"), "exportLegend", !last.look.noLegend);
    m_mark = addCheck(form, tr("&Mark the step"), "exportMark",
                      m_figure.source->spec.currentStep.has_value() && !m_figure.source->spec.noMark);
    const bool hasCells = m_figure.source->spec.kind->csv == nullptr;
    for (QWidget* const ofCells :
         {static_cast<QWidget*>(m_numbers), static_cast<QWidget*>(m_axisNames), static_cast<QWidget*>(m_legend)})
        form.setRowVisible(ofCells, hasCells);
    connect(m_theme, &QComboBox::currentIndexChanged, &m_redraw, redraw);
    connect(m_numbers, &QComboBox::currentIndexChanged, &m_redraw, redraw);
    connect(m_family, &QComboBox::currentIndexChanged, &m_redraw, redraw);
    connect(m_font, &QDoubleSpinBox::valueChanged, &m_redraw, redraw);
    connect(m_title, &QLineEdit::textChanged, &m_redraw, redraw);
    connect(m_titled, &QCheckBox::toggled, m_title, &QWidget::setEnabled);
}

void ExportDialog::addParts(QFormLayout& form)
{
    if (m_figure.source->spec.kind->csv != nullptr)
        return;
    const auto [rows, columns] = extentOf(*m_figure.source);
    m_rows = addSpan(form, tr("&Rows"), "exportRows", rows);
    m_columns = addSpan(form, tr("Col&umns"), "exportColumns", columns);
    const auto set = [](const Span& boxes, const std::optional<ShownSpan>& span) {
        if (!span || boxes.first == nullptr)
            return;
        boxes.last->setValue(span->last);
        boxes.first->setValue(span->first);
    };
    set(m_rows, m_figure.source->spec.rows);
    set(m_columns, m_figure.source->spec.columns);
}

ExportDialog::Span ExportDialog::addSpan(QFormLayout& form, const QString& label, const char* name, int count)
{
    if (count < 2)
        return {};
    const Span span{new QSpinBox, new QSpinBox};
    for (QSpinBox* box : {span.first, span.last}) {
        box->setObjectName(QLatin1String(name)
                           + (box == span.first ? QStringLiteral("First") : QStringLiteral("Last")));
        box->setRange(0, count - 1);
        m_look << box;
        connect(box, &QSpinBox::valueChanged, &m_redraw, qOverload<>(&QTimer::start));
    }
    span.last->setValue(count - 1);
    span.last->setAccessibleName(tr("to"));
    connect(span.first, &QSpinBox::valueChanged, span.last, &QSpinBox::setMinimum);
    connect(span.last, &QSpinBox::valueChanged, span.first, &QSpinBox::setMaximum);
    auto* line = new QHBoxLayout;
    line->addWidget(span.first);
    line->addWidget(plainLabel(tr("to")));
    line->addWidget(span.last);
    line->addStretch();
    form.addRow(label, line);
    qobject_cast<QLabel*>(form.labelForField(line))->setBuddy(span.first);
    return span;
}

// None: all of them.
std::optional<ShownSpan> ExportDialog::chosenSpan(const Span& span, const std::optional<ShownSpan>& own) const
{
    if (span.first == nullptr)
        return own;
    const ShownSpan chosen{span.first->value(), span.last->value()};
    const bool whole = chosen.first == 0 && chosen.last == span.last->maximum();
    return whole ? std::nullopt : std::optional(chosen);
}

ExportOptions ExportDialog::options() const
{
    return {m_width->value(), m_dpi->value(), static_cast<int>(std::lround(m_delay->value() * 1000)),
            format().content == ExportFormat::Content::Report};
}

FigureChoices ExportDialog::choices() const
{
    if (!m_figure.source)
        return {};
    FigureChoices choices = m_figure.source->spec;
    choices.theme = static_cast<Theme>(m_theme->currentIndex());
    const QString family = m_family->currentText();
    choices.fontFamily = family == usualFontFamily() ? QString() : family;
    choices.baseFontPoints = m_font->value();
    choices.numbers = static_cast<CellNumbers>(m_numbers->currentIndex());
    choices.title = m_title->text();
    choices.noTitle = !m_titled->isChecked();
    choices.noAxisNames = !m_axisNames->isChecked();
    choices.noLegend = !m_legend->isChecked();
    choices.markStep = m_mark->isChecked() && !choices.currentStep;
    choices.noMark = !m_mark->isChecked() && choices.currentStep;
    choices.rows = chosenSpan(m_rows, choices.rows);
    choices.columns = chosenSpan(m_columns, choices.columns);
    return choices;
}

const ExportFormat& ExportDialog::format() const
{
    return exportFormats()[m_form->currentData().toUInt()];
}

void ExportDialog::formChanged()
{
    m_width->setEnabled(format().isDrawn());
    m_preset->setEnabled(format().isDrawn());
    m_dpi->setEnabled(format().pixels);
    m_delay->setEnabled(format().content == ExportFormat::Content::Steps);
    for (QWidget* widget : m_look)
        widget->setEnabled(format().content != ExportFormat::Content::Run);
    if (m_title != nullptr && !m_titled->isChecked())
        m_title->setEnabled(false);
    m_redraw.start();
}

// Without waiting for the one before, which is cancelled.
void ExportDialog::drawPreview()
{
    m_drawing.end();
    if (!format().isDrawn()) {
        m_preview->setText(format().content == ExportFormat::Content::Numbers
                               ? tr("The numbers on the screen with their names, full precision.")
                               : tr("Tokens, every attention map and the log probabilities of this run."));
        return;
    }
    const LatestRequest::Ticket ticket = m_drawing.begin();
    ExportOptions drawn = options();
    // Dots for the size of the preview, not for that of the file.
    drawn.dpi = std::max(leastDpi, static_cast<int>(m_preview->width() * devicePixelRatioF() * 25.4 / drawn.widthMm));
    drawn.stop = ticket.stop();
    QThreadPool::globalInstance()->start(HandedOver([this, figure = withChoices(m_figure, choices()), drawn, ticket] {
        QImage image;
        const std::optional<Error> problem = caught([&] {
            throwIfStopped(drawn.stop); // before its turn
            image = renderFigure(figure, drawn);
        });
        ticket.report([this, image, problem] {
            m_drawing.end();
            showPreview(image, problem);
        });
    }));
}

void ExportDialog::showPreview(const QImage& image, const std::optional<Error>& problem)
{
    if (problem)
        return m_preview->setText(QString::fromUtf8(problem->what()));
    const QSize room = (m_preview->size() - QSize(previewMargin, previewMargin)) * devicePixelRatioF();
    QPixmap shown = QPixmap::fromImage(image.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    shown.setDevicePixelRatio(devicePixelRatioF());
    m_preview->setPixmap(shown);
}

} // namespace attn::ui
