// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/formula.h"

#include "figures/look/language.h"

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

Formula symbol(const QString& text, Formula::Atom atom, bool italic = false)
{
    Formula made;
    made.kind = Formula::Kind::Symbol;
    made.atom = atom;
    made.italic = italic;
    made.text = text;
    return made;
}

Formula composite(Formula::Kind kind, std::vector<Formula> parts)
{
    Formula made;
    made.kind = kind;
    made.parts = std::move(parts);
    return made;
}

bool isFunctionCall(const Formula& formula)
{
    return formula.parts.size() == 2 && formula.parts[0].atom == Formula::Atom::Function
        && formula.parts[1].kind == Formula::Kind::Fenced;
}

// Whether it falls apart beside a sign that binds as a fraction bar does; below the bar products do, too.
bool wantsBrackets(const Formula& formula, bool below)
{
    if (formula.kind != Formula::Kind::Row)
        return false;
    if (below)
        return formula.parts.size() > 1 && !isFunctionCall(formula);
    for (std::size_t i = 0; i < formula.parts.size(); ++i) {
        const Formula::Atom atom = formula.atomAt(i);
        if (atom == Formula::Atom::Relation
            || (atom == Formula::Atom::Binary && formula.parts[i].text != QStringLiteral("·")))
            return true;
    }
    return false;
}

QString bracketed(const QString& text, bool brackets)
{
    return brackets ? QLatin1Char('(') + text + QLatin1Char(')') : text;
}

// A script of one word, or in brackets.
QString scriptReading(const QString& mark, const Formula& script)
{
    if (script.empty())
        return {};
    const QString text = script.reading();
    const bool word = std::ranges::all_of(text, [](QChar letter) { return letter.isLetterOrNumber(); });
    return mark + bracketed(text, !word);
}

QString sumReading(const Formula& over, const Formula& summed)
{
    if (over.empty())
        return translated(QT_TRANSLATE_NOOP("attn::ui", "sum of %1")).arg(summed.reading());
    return translated(QT_TRANSLATE_NOOP("attn::ui", "sum over %1 of %2")).arg(over.reading(), summed.reading());
}

QString rootReading(const Formula& radicand)
{
    return QStringLiteral("√") + bracketed(radicand.reading(), radicand.kind != Formula::Kind::Symbol);
}

} // namespace

Formula::Atom Formula::atomAt(std::size_t at) const
{
    const Atom own = parts[at].atom;
    if (own != Atom::Binary)
        return own;
    if (at == 0)
        return Atom::Ordinary;
    const Formula& before = parts[at - 1];
    const bool complete = before.kind == Kind::Row || before.kind == Kind::Sum; // a function with what it is of
    return before.atom == Atom::Ordinary || (before.atom == Atom::Function && complete) ? Atom::Binary : Atom::Ordinary;
}

Formula::Gap Formula::gapBefore(std::size_t at) const
{
    if (at == 0)
        return Gap::None;
    const Formula& left = parts[at - 1];
    const Formula& right = parts[at];
    const Atom before = atomAt(at - 1);
    const Atom after = atomAt(at);
    const auto either = [&](Atom one) { return before == one || after == one; };
    if (after == Atom::Punctuation)
        return Gap::None;
    if (either(Atom::Words))
        return Gap::Wide;
    if (either(Atom::Relation))
        return Gap::Thick;
    if (either(Atom::Binary))
        return Gap::Medium;
    if (before == Atom::Punctuation)
        return Gap::Thin;
    if (left.atom == Atom::Binary) // a sign
        return Gap::None;
    if (before == Atom::Function)
        return right.kind == Kind::Fenced ? Gap::None : Gap::Thin;
    const bool plain = left.kind == Kind::Symbol || left.kind == Kind::Fenced;
    return after == Atom::Function || !plain || right.kind == Kind::Fraction ? Gap::Thin : Gap::None;
}

QString Formula::reading() const
{
    switch (kind) {
    case Kind::Symbol:
        return text;
    case Kind::Scripts:
        return parts[0].reading() + scriptReading(QStringLiteral("_"), parts[1])
            + scriptReading(QStringLiteral("^"), parts[2]);
    case Kind::Fraction:
        return bracketed(parts[0].reading(), wantsBrackets(parts[0], false)) + QStringLiteral(" / ")
            + bracketed(parts[1].reading(), wantsBrackets(parts[1], true));
    case Kind::Root:
        return rootReading(parts[0]);
    case Kind::Sum:
        return sumReading(parts[0], parts[1]);
    case Kind::Fenced:
        return text[0] + parts[0].reading() + text[1];
    case Kind::Tilde:
        return parts[0].reading() + QLatin1Char('~');
    case Kind::Row:
        break;
    }
    QString said;
    for (std::size_t i = 0; i < parts.size(); ++i)
        said += (gapBefore(i) == Gap::None || said.endsWith(QLatin1Char(' ')) ? QString() : QStringLiteral(" "))
            + parts[i].reading();
    return said;
}

namespace math {

Formula variable(const QString& letter)
{
    return symbol(letter, Formula::Atom::Ordinary, true);
}

Formula number(const QString& digits)
{
    return symbol(digits, Formula::Atom::Ordinary);
}

Formula function(const QString& name)
{
    return symbol(name, Formula::Atom::Function);
}

Formula words(const QString& text)
{
    return symbol(text, Formula::Atom::Words);
}

Formula binary(const QString& sign)
{
    return symbol(sign, Formula::Atom::Binary);
}

Formula relation(const QString& sign)
{
    return symbol(sign, Formula::Atom::Relation);
}

Formula punctuation(const QString& sign)
{
    return symbol(sign, Formula::Atom::Punctuation);
}

Formula row(std::vector<Formula> parts)
{
    return composite(Formula::Kind::Row, std::move(parts));
}

Formula sub(Formula base, Formula below)
{
    const Formula::Atom atom = base.atom;
    Formula made = composite(Formula::Kind::Scripts, {std::move(base), std::move(below), {}});
    made.atom = atom;
    return made;
}

Formula sup(Formula base, Formula above)
{
    return composite(Formula::Kind::Scripts, {std::move(base), {}, std::move(above)});
}

Formula fraction(Formula numerator, Formula denominator)
{
    return composite(Formula::Kind::Fraction, {std::move(numerator), std::move(denominator)});
}

Formula root(Formula radicand)
{
    return composite(Formula::Kind::Root, {std::move(radicand)});
}

Formula sum(Formula over, Formula summed)
{
    Formula made = composite(Formula::Kind::Sum, {std::move(over), std::move(summed)});
    made.atom = Formula::Atom::Function;
    return made;
}

Formula fenced(Formula content, const QString& fences)
{
    Formula made = composite(Formula::Kind::Fenced, {std::move(content)});
    made.text = fences;
    return made;
}

Formula apply(const QString& name, Formula argument)
{
    Formula made = row({function(name), fenced(std::move(argument))});
    made.atom = Formula::Atom::Function;
    return made;
}

Formula tilde(Formula base)
{
    return composite(Formula::Kind::Tilde, {std::move(base)});
}

Formula inRole(AttentionRole role, Formula formula)
{
    if (formula.role == AttentionRole::Other)
        formula.role = role;
    for (Formula& part : formula.parts)
        part = inRole(role, std::move(part));
    return formula;
}

} // namespace math

} // namespace attn::ui
