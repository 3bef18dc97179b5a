// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/attention_formulas.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace attn::ui::formulas {

using namespace math;

namespace {

Formula letter(const char* name)
{
    return variable(QString::fromUtf8(name));
}

Formula at(Formula base, const QString& place)
{
    return place.isEmpty() ? base : sub(std::move(base), variable(place));
}

Formula at(const char* base, const char* place)
{
    return sub(letter(base), letter(place));
}

Formula plus()
{
    return binary(QStringLiteral("+"));
}

Formula minus()
{
    return binary(QStringLiteral("\u2212"));
}

Formula dot()
{
    return binary(QStringLiteral("·"));
}

Formula equals()
{
    return relation(QStringLiteral("="));
}

Formula one()
{
    return number(QStringLiteral("1"));
}

Formula distance()
{
    return row({letter("j"), minus(), letter("i")});
}

// Vectors one after the other.
Formula stacked(const std::vector<Formula>& vectors)
{
    Formula inside;
    for (const Formula& vector : vectors) {
        if (!inside.empty())
            inside.parts.push_back(punctuation(QStringLiteral(";")));
        inside.parts.push_back(vector);
    }
    return fenced(std::move(inside), QStringLiteral("[]"));
}

Formula exponential(Formula of)
{
    return apply(QStringLiteral("exp"), std::move(of));
}

// Sum of all keys' exponentials.
Formula exponentials()
{
    return sum(letter("l"), exponential(at("e", "l")));
}

Formula encoding(Formula position)
{
    return apply(QStringLiteral("PE"), std::move(position));
}

Formula bias(Formula of)
{
    return row({letter("b"), fenced(std::move(of))});
}

const QString keyPlace = QStringLiteral("j");

} // namespace

Formula query()
{
    return inRole(AttentionRole::Query, letter("q"));
}

Formula key(const QString& place)
{
    return inRole(AttentionRole::Key, at(letter("k"), place));
}

Formula value(const QString& place)
{
    return inRole(AttentionRole::Value, at(letter("v"), place));
}

Formula width()
{
    return letter("d");
}

Formula projectedQuery(const QString& weight)
{
    return inRole(AttentionRole::Query, row({variable(weight), letter("q")}));
}

Formula scoredAnnotations(const QString& place)
{
    return inRole(AttentionRole::Key, row({letter("U"), at(letter("h"), place), plus(), letter("b")}));
}

Formula featureProducts()
{
    return row({inRole(AttentionRole::Query, at("q", "i")), inRole(AttentionRole::Key, at("k", "i"))});
}

Formula queryOfInput()
{
    return row({query(), equals(), at("W", "Q"), letter("x")});
}

Formula queryOfSummary()
{
    return row(
        {query(), equals(), stacked({at("x", "t"), sub(tilde(letter("h")), row({letter("t"), minus(), one()}))})});
}

Formula keyOfInput()
{
    return row({key(keyPlace), equals(), at("W", "K"), at("x", "j")});
}

Formula queryOfLatent()
{
    return row({query(), equals(), at("W", "Q"), letter("z")});
}

Formula keyOfLatent()
{
    return row({key(keyPlace), equals(), stacked({row({at("W", "K"), at("z", "j")}), at("r", "j")})});
}

Formula keyOfAnnotation()
{
    return row({key(keyPlace), equals(), letter("W"), at("h", "j")});
}

Formula product(const QString& place)
{
    return row({query(), dot(), key(place)});
}

Formula productByFeatures()
{
    return row({query(), dot(), key(), equals(), sum(letter("i"), featureProducts())});
}

Formula overRoot(Formula product, Formula width)
{
    return fraction(std::move(product), root(std::move(width)));
}

Formula times(const QString& factor, Formula product)
{
    return row({number(factor), fenced(std::move(product))});
}

Formula generalProduct()
{
    return row({sup(query(), inRole(AttentionRole::Query, function(QStringLiteral("T")))), letter("W"), key()});
}

Formula lowRankProduct()
{
    return row({fenced(projectedQuery(QStringLiteral("U"))), dot(),
                fenced(inRole(AttentionRole::Key, row({letter("W"), letter("k")})))});
}

Formula scoreVector(bool learnedQuery)
{
    return learnedQuery ? inRole(AttentionRole::Query, letter("v")) : letter("v");
}

Formula tanhLayer(const Additive& terms)
{
    const QString name = QStringLiteral("tanh");
    return terms.learnedQuery ? apply(name, terms.key)
                              : apply(name, row({projectedQuery(QStringLiteral("W")), plus(), terms.key}));
}

Formula additiveScore(const Additive& terms)
{
    return row({scoreVector(terms.learnedQuery), dot(), tanhLayer(terms)});
}

Formula scores(Formula made)
{
    return row({at("e", "j"), equals(), std::move(made)});
}

Formula biased(Formula product)
{
    return row({std::move(product), plus(), bias(distance())});
}

Formula discounted()
{
    return row({at("e", "j"), minus(), function(QStringLiteral("log")),
                sum(letter("s"), exponential(sub(letter("e"), row({letter("s"), letter("j")}))))});
}

Formula capped(const QString& cap)
{
    return scores(row({number(cap), apply(QStringLiteral("tanh"), fraction(at("e", "j"), number(cap)))}));
}

Formula hiddenScore()
{
    return row({at("e", "j"), equals(), minus(), number(QStringLiteral("∞"))});
}

Formula predictedMiddle()
{
    const Formula layer =
        apply(QStringLiteral("tanh"),
              row({inRole(AttentionRole::Query, at("W", "p")), inRole(AttentionRole::Query, letter("q"))}));
    return row({letter("p"), equals(), fenced(row({letter("S"), minus(), one()})),
                apply(QStringLiteral("sigmoid"), row({letter("v"), dot(), layer}))});
}

Formula monotonicMiddle()
{
    return row({letter("p"), equals(),
                apply(QStringLiteral("min"),
                      row({letter("t"), punctuation(QStringLiteral(",")), letter("S"), minus(), one()}))});
}

Formula outsideWindow()
{
    return row({fenced(row({letter("j"), minus(), apply(QStringLiteral("round"), letter("p"))}), QStringLiteral("||")),
                relation(QStringLiteral(">")), letter("D")});
}

Formula gaussian()
{
    const Formula away = sup(fenced(row({letter("j"), minus(), letter("p")})), number(QStringLiteral("2")));
    const Formula reach = sup(fenced(row({letter("D"), number(QStringLiteral("/")), number(QStringLiteral("2"))})),
                              number(QStringLiteral("2")));
    return row({at("a", "j"), exponential(row({minus(), fraction(away, row({number(QStringLiteral("2")), reach}))}))});
}

Formula softmax()
{
    return row({at("a", "j"), equals(), fraction(exponential(at("e", "j")), exponentials())});
}

Formula softmaxWithSink()
{
    return row({at("a", "j"), equals(),
                fraction(exponential(at("e", "j")), row({exponential(letter("s")), plus(), exponentials()}))});
}

Formula weightOne()
{
    return row({at("a", "j"), equals(), one()});
}

Formula weightedSum()
{
    return row({letter("c"), equals(), sum(letter("j"), row({at("a", "j"), value(keyPlace)}))});
}

Formula joined(bool readsItself)
{
    return readsItself ? stacked({letter("c"), letter("s"), at("c", "d")}) : stacked({letter("c"), letter("s")});
}

Formula attentionalState(bool readsItself)
{
    return apply(QStringLiteral("tanh"), row({at("W", "c"), joined(readsItself)}));
}

Formula headsJoined()
{
    return stacked({sub(letter("c"), one()), number(QStringLiteral("…")), at("c", "h")});
}

Formula headsProjected()
{
    return row({at("W", "O"), headsJoined()});
}

Formula positionProduct()
{
    return row({encoding(letter("p")), dot(), encoding(letter("r"))});
}

Formula sinusoidProduct()
{
    const Formula angle = row({at("ω", "i"), fenced(row({letter("p"), minus(), letter("r")}))});
    return row({positionProduct(), equals(), sum(letter("i"), apply(QStringLiteral("cos"), angle))});
}

Formula offsetMatrix()
{
    return row({encoding(row({letter("p"), plus(), letter("k")})), equals(), at("M", "k"), encoding(letter("p"))});
}

Formula rotatedQuery()
{
    return row({at("R", "i"), query()});
}

Formula rotatedKey(const QString& place)
{
    return row({at(letter("R"), place), key()});
}

Formula rotaryProduct()
{
    const Formula between = sub(letter("R"), row({letter("j"), minus(), letter("i")}));
    return row({fenced(rotatedQuery()), dot(), fenced(rotatedKey(keyPlace)), equals(), query(), dot(), between, key()});
}

Formula bucketBias()
{
    const Formula bucket = row({function(QStringLiteral("bucket")), fenced(distance())});
    return scores(row({product(keyPlace), plus(), sub(letter("b"), bucket)}));
}

Formula linearBias()
{
    return scores(row({overRoot(product(keyPlace), width()), minus(), letter("m"),
                       fenced(row({letter("i"), minus(), letter("j")}), QStringLiteral("||"))}));
}

Formula sinusoids()
{
    const auto wave = [](const char* name) {
        return row({function(QString::fromLatin1(name)), at("ω", "i"), letter("p")});
    };
    const QString comma = QStringLiteral(",");
    const Formula exponent =
        row({minus(), number(QStringLiteral("2")), letter("i"), number(QStringLiteral("/")), letter("d")});
    return row({encoding(letter("p")), equals(), fenced(row({wave("sin"), punctuation(comma), wave("cos")})),
                punctuation(comma), words({}), at("ω", "i"), equals(), sup(number(QStringLiteral("10000")), exponent)});
}

Formula ofScheme(PositionScheme scheme)
{
    switch (scheme) {
    case PositionScheme::Sinusoidal:
        return sinusoids();
    case PositionScheme::Rotary:
        return rotaryProduct();
    case PositionScheme::Relative:
        return bucketBias();
    default:
        return {};
    }
}

Formula lookup(const LookupWords& said, const QString& sharpness)
{
    const auto upright = [](const QString& text, AttentionRole role) { return inRole(role, number(text)); };
    return row({number(said.weights), equals(),
                apply(QStringLiteral("softmax"),
                      row({number(sharpness), dot(), upright(said.query, AttentionRole::Query), dot(),
                           upright(said.key, AttentionRole::Key)})),
                words({}), number(said.result), equals(),
                sum({}, row({number(said.weight), dot(), upright(said.value, AttentionRole::Value)}))});
}

Formula named(std::string_view name)
{
    struct NamedFormula
    {
        std::string_view name;
        Formula (*formula)();
    };
    static constexpr NamedFormula known[] = {
        {"softmax", softmax},
        {"weighted-sum", weightedSum},
        {"scaled-product", [] { return scores(overRoot(product(keyPlace), width())); }},
        {"sinusoids", sinusoids},
        {"offset", offsetMatrix},
        {"rotary", rotaryProduct}};
    const auto* const found = std::ranges::find(known, name, &NamedFormula::name);
    return found == std::end(known) ? Formula() : found->formula();
}

std::vector<Formula> all()
{
    const Formula known = number(QStringLiteral("64"));
    const Additive annotated{scoredAnnotations(keyPlace), false};
    const Additive pooled{scoredAnnotations(keyPlace), true};
    return {query(),
            key(),
            value(),
            projectedQuery(QStringLiteral("U")),
            featureProducts(),
            queryOfInput(),
            queryOfSummary(),
            queryOfLatent(),
            keyOfInput(),
            keyOfLatent(),
            keyOfAnnotation(),
            product(),
            productByFeatures(),
            scores(overRoot(product(keyPlace), known)),
            overRoot(product(), width()),
            scores(times(QStringLiteral("0.125"), product(keyPlace))),
            generalProduct(),
            lowRankProduct(),
            tanhLayer(annotated),
            additiveScore(annotated),
            additiveScore(pooled),
            scores(biased(product(keyPlace))),
            discounted(),
            capped(QStringLiteral("50")),
            hiddenScore(),
            predictedMiddle(),
            monotonicMiddle(),
            outsideWindow(),
            gaussian(),
            softmax(),
            softmaxWithSink(),
            weightOne(),
            weightedSum(),
            joined(true),
            attentionalState(false),
            headsJoined(),
            headsProjected(),
            sinusoidProduct(),
            offsetMatrix(),
            rotatedQuery(),
            rotatedKey(QStringLiteral("i")),
            rotaryProduct(),
            bucketBias(),
            linearBias(),
            sinusoids(),
            lookup({QStringLiteral("weights"), QStringLiteral("query"), QStringLiteral("key"), QStringLiteral("result"),
                    QStringLiteral("weight"), QStringLiteral("value")},
                   QStringLiteral("0.7"))};
}

} // namespace attn::ui::formulas
