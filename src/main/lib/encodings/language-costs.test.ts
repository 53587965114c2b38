import { expect, test } from 'vitest'
import { costsOfLanguage } from './language-costs.ts'

/** Our own texts, none of which the table was counted in. */
const TEXTS = {
  ru: `Утром мы пошли на рынок и купили молоко, хлеб и яблоки. Потом поезд отправился в город, где нас ждали друзья. Погода была
    хорошая, но к вечеру начался дождь, и мы вернулись домой раньше, чем хотели. Я думаю, что завтра надо будет ещё раз посмотреть
    эти документы и ответить на все вопросы. Дети играли во дворе, а бабушка рассказывала старые истории о деревне, в которой она
    родилась. Пожалуйста, напишите нам, когда вы сможете приехать, чтобы мы приготовили комнату. В этом году осень наступила рано,
    и листья уже покрыли дорогу возле реки.`,
  de: `Für das Frühstück brauchen wir Brötchen, Käse und Äpfel. Später fährt der Zug nach München zurück, und wir müssen früh
    aufstehen. Die Straße ist schön, aber die Häuser sind größer geworden. Natürlich hören wir gern die Geräusche der Vögel; über den
    Dächern fliegen Störche. Möchten Sie noch etwas Süßes? Wir wünschen Ihnen gute Gespräche, schöne Tage und fröhliche Gäste. Außerdem
    gehört der Schlüssel zur Tür des Büros. Er läuft täglich durch das grüne Tal, öffnet die Fenster und begrüßt die Nachbarn.`,
} as const

/** Minimum count: with fewer occurrences, the frequency is not reliable. */
const LEAST = 3

/** Return the cost of each letter of a text, alone and after another, as in `language-pairs.json`. */
function countCosts(text: string) {
  const letters = text.toLowerCase().replaceAll(/[^\p{L}]+/gu, ' ')
  const count = (parts: readonly string[]) => {
    const counts = new Map<string, number>()
    for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
    return counts
  }
  const singles = count(Array.from(letters))
  const pairs = count(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)))
  const often = (counts: Map<string, number>) =>
    [...counts].filter(([part, number]) => number >= LEAST && /[\u0080-\uffff]/.test(part))
  return {
    alone: often(singles).map(([part, number]) => ({ part, cost: -Math.log(number / letters.length) })),
    behind: often(pairs).map(([part, number]) => ({
      part,
      cost: -Math.log(number / singles.get(part[0]!)!),
    })),
  }
}

test.for(['ru', 'de'] as const)('what was counted in %s is what a text of our own has', language => {
  const known = costsOfLanguage(language)
  const counted = countCosts(TEXTS[language])
  for (const kind of ['alone', 'behind'] as const) {
    expect(counted[kind].length).toBeGreaterThan(3)
    const apart = counted[kind].map(({ part, cost }) => Math.abs((known[kind].get(part) ?? Infinity) - cost))
    // A text this short deviates anyway; another way of counting would deviate more than twice as much.
    expect(apart.reduce((sum, each) => sum + each, 0) / apart.length).toBeLessThan(1.2)
  }
})

test('plain letters, and a language that is not there, cost nothing', () => {
  expect(costsOfLanguage('de').alone.has('e')).toBe(false)
  expect(costsOfLanguage('en').behind.size).toBe(0)
  expect(costsOfLanguage('xx').alone.size).toBe(0)
})
