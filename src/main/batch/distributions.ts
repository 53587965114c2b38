import type { Refusal } from '../lib/expected-errors.ts'
import { nearNames } from '../lib/words/similarity.ts'
import { chanceOf } from './row.ts'

/** The probability of each toolset for a row, in percent, independent of the others. */
export type Distribution = Readonly<Record<string, number>>

/** The toolsets of Hermes Agent, with our names. Those that Talaria does not have end up in `missing`. */
const OURS: Readonly<Record<string, string>> = {
  terminal: 'terminal',
  file: 'files',
  web: 'web',
  moa: 'mixture',
}

/** The distributions of Hermes Agent from its `toolset_distributions.py`, with its names. */
const SHIPPED: Readonly<Record<string, Distribution>> = {
  default: { web: 100, vision: 100, image_gen: 100, terminal: 100, file: 100, moa: 100, browser: 100 },
  image_gen: { image_gen: 90, vision: 90, web: 55, terminal: 45, moa: 10 },
  research: { web: 90, browser: 70, vision: 50, moa: 40, terminal: 10 },
  science: { web: 94, terminal: 94, file: 94, vision: 65, browser: 50, image_gen: 15, moa: 10 },
  development: { terminal: 80, file: 80, moa: 60, web: 30, vision: 10 },
  safe: { web: 80, browser: 70, vision: 60, image_gen: 60, moa: 50 },
  balanced: { web: 50, vision: 50, image_gen: 50, terminal: 50, file: 50, moa: 50, browser: 50 },
  minimal: { web: 100 },
  terminal_only: { terminal: 100, file: 100 },
  terminal_web: { terminal: 100, file: 100, web: 100 },
  creative: { image_gen: 90, vision: 90, web: 30 },
  reasoning: { moa: 90, web: 30, terminal: 20 },
  browser_use: { browser: 100, web: 80, vision: 70 },
  browser_only: { browser: 100 },
  browser_tasks: { browser: 97, vision: 12, terminal: 15 },
  terminal_tasks: { terminal: 97, file: 97, web: 97, browser: 75, vision: 50, image_gen: 10 },
  mixed_tasks: { browser: 92, terminal: 92, file: 92, web: 35, vision: 15, image_gen: 15 },
}

/** A distribution over existing toolsets, and the names in it that have no toolset here. */
export type Usable = { name: string; chances: Distribution; missing: string[] }

/**
 * Find a distribution: one of config.yaml (with our names), else one that ships with Talaria. A refusal says
 * that it is unknown, or that none of its toolsets exists. `known`: the toolsets that a batch can have.
 */
export function findDistribution(
  name: string,
  own: Readonly<Record<string, Distribution>>,
  known: readonly string[],
): Usable | Refusal {
  const given = Object.hasOwn(own, name)
    ? Object.entries(own[name]!).map(([toolset, chance]) => ({ toolset, said: toolset, chance }))
    : Object.hasOwn(SHIPPED, name)
      ? Object.entries(SHIPPED[name]!).map(([said, chance]) => ({ toolset: OURS[said] ?? '', said, chance }))
      : undefined
  const names = [...Object.keys(own), ...Object.keys(SHIPPED)]
  if (!given) {
    const [near] = nearNames(name, names, 1)
    const hint = near === undefined ? `There are: ${names.join(', ')}.` : `Did you mean “${near}”?`
    return { refused: `There is no distribution “${name.slice(0, 100)}”. ${hint}` }
  }
  const here = given.filter(({ toolset, chance }) => known.includes(toolset) && chance > 0)
  const missing = given.filter(({ toolset }) => !known.includes(toolset)).map(({ said }) => said)
  if (here.length === 0)
    return {
      refused: `The distribution “${name}” has no toolset that Talaria can give to a batch${missing.length > 0 ? `: ${missing.join(', ')} are not built` : ''}.`,
    }
  return { name, chances: Object.fromEntries(here.map(({ toolset, chance }) => [toolset, chance])), missing }
}

/**
 * Draw the toolsets of a row, each independently. The draw depends only on the row's key, so a batch that
 * continues, another computer and each attempt draw the same. An empty draw takes the most probable toolset,
 * of equal ones the first by name.
 */
export function drawToolsets({ name, chances }: Pick<Usable, 'name' | 'chances'>, key: string): string[] {
  const names = Object.keys(chances).toSorted()
  const drawn = names.filter(each => chanceOf(`draw ${name} ${each} ${key}`) * 100 < chances[each]!)
  if (drawn.length > 0) return drawn
  const likeliest = names.reduce((best, each) => (chances[each]! > chances[best]! ? each : best))
  return [likeliest]
}
