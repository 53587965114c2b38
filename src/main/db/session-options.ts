import { CHAT_OPTIONS, unsetOptions, type OptionValues } from '../../shared/contract/chat-options.ts'
import { parseJson } from '../lib/expected-errors.ts'

/** Options that are set for a chat; what is undefined stays as it is. `options`: those that parts of the host bring; null takes one back. */
export type GivenOptions = { [K in keyof OptionValues]?: OptionValues[K] | undefined } & {
  options?: Readonly<Record<string, unknown>> | undefined
}

type Stored = Record<string, unknown>

/** The options of a chat from its column. Those that no part brings any more stay there. */
export function readOptions(column: string): OptionValues & { options?: Record<string, unknown> } {
  const stored = storedIn(column)
  const own = CHAT_OPTIONS.flatMap(({ name }) => (name in stored ? [[name, stored[name]] as const] : []))
  const others = Object.entries(stored).filter(([name]) => !NAMES.has(name))
  return {
    ...unsetOptions(),
    ...(Object.fromEntries(own) as Partial<OptionValues>),
    ...(others.length > 0 && { options: Object.fromEntries(others) }),
  }
}

/**
 * Take the options out of the fields of a chat: what its column is to hold, with what it `held` before, and the other fields. Undefined
 * for the column when none is given, so that it stays.
 */
export function takeOptions<T extends GivenOptions>(
  { options = {}, ...fields }: T,
  held?: () => string | undefined,
): [Stored | undefined, Omit<T, keyof GivenOptions>] {
  const others = Object.entries(fields).filter(([name]) => !NAMES.has(name))
  const own = Object.entries(fields).filter(([name, value]) => NAMES.has(name) && value !== undefined)
  const given = [...own, ...Object.entries(options)]
  const rest = Object.fromEntries(others) as Omit<T, keyof GivenOptions>
  if (given.length === 0) return [undefined, rest]
  const all = { ...storedIn(held?.() ?? '{}'), ...Object.fromEntries(given) }
  return [Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)), rest]
}

const NAMES: ReadonlySet<string> = new Set(CHAT_OPTIONS.map(({ name }) => name))

const storedIn = (column: string) => (parseJson(column) ?? {}) as Stored
