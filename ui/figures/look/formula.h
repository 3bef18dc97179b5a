// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/look/theme.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::ui {

// A formula as a value: a tree that the functions below put together. formula_layout.h sets it.
struct Formula
{
    enum class Kind : std::uint8_t {
        Row, // parts beside each other
        Symbol, // text
        Scripts, // parts: base, below, above; an empty one is not there
        Fraction, // parts: numerator, denominator
        Root, // parts: what is under it
        Sum, // parts: what it runs over, or empty; what is summed
        Fenced, // parts: what is between text[0] and text[1], which grow with it
        Tilde, // parts: what it is over
    };
    // Kind of atom, which decides about the space around it.
    enum class Atom : std::uint8_t { Ordinary, Function, Binary, Relation, Punctuation, Words };

    Kind kind = Kind::Row;
    Atom atom = Atom::Ordinary;
    bool italic = false; // of a symbol
    AttentionRole role = AttentionRole::Other; // of a symbol: its colour
    QString text;
    std::vector<Formula> parts;

    bool empty() const { return kind == Kind::Row && parts.empty(); }
    // Kind of a part of a row: with nothing before it that it could join, a sign belongs to what follows.
    Atom atomAt(std::size_t at) const;
    // The room before parts[at] of a row.
    enum class Gap : std::uint8_t { None, Thin, Medium, Thick, Wide };
    Gap gapBefore(std::size_t at) const;
    // In one line of plain text, for a screen reader and the clipboard: "a_j = exp(e_j) / sum over l of exp(e_l)".
    QString reading() const;
};

namespace math {

Formula variable(const QString& letter); // in italics
Formula number(const QString& digits); // upright, as everything below
Formula function(const QString& name); // "tanh"
Formula words(const QString& text); // between formulas, with room around it
Formula binary(const QString& sign); // "+"; a sign where there is nothing before it
Formula relation(const QString& sign); // "="
Formula punctuation(const QString& sign); // ","

Formula row(std::vector<Formula> parts);
Formula sub(Formula base, Formula below);
Formula sup(Formula base, Formula above);
Formula fraction(Formula numerator, Formula denominator);
Formula root(Formula radicand);
Formula sum(Formula over, Formula summed); // over: empty where that is clear
Formula fenced(Formula content, const QString& fences = QStringLiteral("()"));
Formula apply(const QString& name, Formula argument); // a function of what stands in brackets
Formula tilde(Formula base);
// All of it that has no role yet.
Formula inRole(AttentionRole role, Formula formula);

} // namespace math

} // namespace attn::ui
