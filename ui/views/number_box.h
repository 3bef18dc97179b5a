// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>
#include <QDoubleSpinBox>

#include <optional>

namespace attn::ui {

// A real number written as everywhere else: a minus sign, the language's decimal sign, no zeros at the end. A hyphen,
// and a point and a comma in any language, are read as these.
class NumberBox final : public QDoubleSpinBox
{
    Q_OBJECT

public:
    explicit NumberBox(QWidget* parent = nullptr);

    QSize sizeHint() const override; // with room for all decimals
    QSize minimumSizeHint() const override { return sizeHint(); }
    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
};

// A seed, of the whole range that seeds have.
class SeedBox final : public QAbstractSpinBox
{
    Q_OBJECT

public:
    explicit SeedBox(QWidget* parent = nullptr);

    quint64 value() const { return m_value; }
    void setValue(quint64 value);

    QValidator::State validate(QString& text, int& position) const override;
    void stepBy(int steps) override;

Q_SIGNALS:
    void valueChanged();

protected:
    StepEnabled stepEnabled() const override;

private:
    std::optional<quint64> typed() const;

    quint64 m_value = 0; // the last that made sense
};

} // namespace attn::ui
