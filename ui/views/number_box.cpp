// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/number_box.h"

#include "figures/look/decimal.h"

#include <QLineEdit>
#include <QLocale>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace attn::ui {

namespace {

QString plain(QString text)
{
    return text.replace(QChar(0x2212), QLatin1Char('-')).replace(QLatin1Char(','), QLatin1Char('.'));
}

} // namespace

NumberBox::NumberBox(QWidget* parent)
    : QDoubleSpinBox(parent)
{
    setLocale(QLocale::c());
}

QSize NumberBox::sizeHint() const
{
    const QString decimalPlaces = QLatin1Char('.') + QString(decimals(), QLatin1Char('0'));
    return QDoubleSpinBox::sizeHint() + QSize(fontMetrics().horizontalAdvance(decimalPlaces), 0);
}

QString NumberBox::textFromValue(double value) const
{
    return shortDecimal(value, decimals());
}

double NumberBox::valueFromText(const QString& text) const
{
    return QDoubleSpinBox::valueFromText(plain(text));
}

QValidator::State NumberBox::validate(QString& text, int& position) const
{
    QString read = plain(text);
    return QDoubleSpinBox::validate(read, position);
}

SeedBox::SeedBox(QWidget* parent)
    : QAbstractSpinBox(parent)
{
    lineEdit()->setText(QString::number(m_value));
    connect(lineEdit(), &QLineEdit::textChanged, this, [this] {
        const auto now = typed();
        if (!now || *now == m_value)
            return;
        m_value = *now;
        Q_EMIT valueChanged();
    });
    connect(this, &QAbstractSpinBox::editingFinished, this, [this] {
        if (!typed())
            setValue(m_value);
    });
}

std::optional<quint64> SeedBox::typed() const
{
    bool valid = false;
    const quint64 value = text().toULongLong(&valid);
    return valid ? std::optional(value) : std::nullopt;
}

void SeedBox::setValue(quint64 value)
{
    lineEdit()->setText(QString::number(value));
}

QValidator::State SeedBox::validate(QString& text, int&) const
{
    if (text.isEmpty())
        return QValidator::Intermediate;
    bool valid = false;
    text.toULongLong(&valid);
    return valid && text.front().isDigit() ? QValidator::Acceptable : QValidator::Invalid;
}

void SeedBox::stepBy(int steps)
{
    const auto far = static_cast<quint64>(std::abs(steps));
    if (steps < 0)
        setValue(m_value - std::min<quint64>(far, m_value));
    else
        setValue(m_value + std::min<quint64>(far, std::numeric_limits<quint64>::max() - m_value));
}

QAbstractSpinBox::StepEnabled SeedBox::stepEnabled() const
{
    return (m_value > 0 ? StepDownEnabled : StepNone)
        | (m_value < std::numeric_limits<quint64>::max() ? StepUpEnabled : StepNone);
}

} // namespace attn::ui
