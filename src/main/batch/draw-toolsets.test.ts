import { expect, test } from 'vitest'
import { isRefusal } from '../lib/expected-errors.ts'
import { drawToolsets, findDistribution } from './distributions.ts'

const KNOWN = ['files', 'terminal', 'web', 'plan']
const DRAWS = 10_000

function usable(name: string, own = {}) {
  const found = findDistribution(name, own, KNOWN)
  if (isRefusal(found)) throw new Error(found.refused)
  return found
}

/** The exact probability of a toolset: its own, plus for the likeliest one that of an empty draw. */
function exactChance(chances: Readonly<Record<string, number>>, name: string): number {
  const names = Object.keys(chances).toSorted()
  const likeliest = names.reduce((best, each) => (chances[each]! > chances[best]! ? each : best))
  const nothing = names.reduce((all, each) => all * (1 - chances[each]! / 100), 1)
  return chances[name]! / 100 + (name === likeliest ? nothing : 0)
}

test.each(['development', 'balanced', 'research', 'terminal_tasks', 'browser_tasks', 'mixed_tasks', 'mine'])(
  'of %s every toolset is drawn as often as its chance says',
  name => {
    const distribution = usable(name, { mine: { files: 3, terminal: 60, plan: 37 } })
    const counts = new Map<string, number>()
    for (let at = 0; at < DRAWS; at++) {
      const drawn = drawToolsets(distribution, `row-${at}-1`)
      expect(drawn.length).toBeGreaterThan(0)
      for (const each of drawn) counts.set(each, (counts.get(each) ?? 0) + 1)
    }
    for (const toolset of Object.keys(distribution.chances)) {
      const p = exactChance(distribution.chances, toolset)
      const error = Math.sqrt((p * (1 - p)) / DRAWS)
      expect(Math.abs((counts.get(toolset) ?? 0) / DRAWS - p), toolset).toBeLessThanOrEqual(3 * error)
    }
  },
)

test('the same row draws the same in every process, and other rows draw others', () => {
  const balanced = usable('balanced')
  const keys = Array.from({ length: 40 }, (_, at) => `row-${at}-1`)
  const drawn = keys.map(key => drawToolsets(balanced, key).join())
  expect(keys.map(key => drawToolsets(balanced, key).join())).toEqual(drawn)
  expect(new Set(drawn).size).toBeGreaterThan(3)
  // Fixed values: another hash or order would change the draws of batches already started.
  expect(['row-1', 'row-2', 'row-3'].map(key => drawToolsets(balanced, key))).toEqual([
    ['files'],
    ['files', 'terminal'],
    ['web'],
  ])
})

test('toolsets that Talaria does not have are named, and a distribution of nothing else is refused', () => {
  expect(usable('development').missing).toEqual(['moa', 'vision'])
  expect(usable('development').chances).toEqual({ terminal: 80, files: 80, web: 30 })
  expect(findDistribution('browser_only', {}, KNOWN)).toEqual({
    refused: expect.stringContaining('browser are not built'),
  })
})

test('an own distribution counts before a shipped one, and an unknown name is answered with a near one', () => {
  expect(usable('minimal', { minimal: { files: 50 } }).chances).toEqual({ files: 50 })
  expect(findDistribution('developmnt', {}, KNOWN)).toEqual({
    refused: expect.stringContaining('Did you mean “development”?'),
  })
  expect(findDistribution('constructor', {}, KNOWN)).toHaveProperty('refused')
})
