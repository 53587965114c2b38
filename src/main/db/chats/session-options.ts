import { isDeepStrictEqual } from 'node:util'
import {
  CHAT_OPTIONS,
  unsetForProject,
  unsetOptions,
  type OptionValues,
  type ProjectOptionValues,
} from '../../../shared/contract/chats/chat-options.ts'
import { parseJson } from '../../lib/expected-errors.ts'

/** Options to set for a chat; undefined ones stay. `options`: those of other parts; null unsets one. */
export type GivenOptions = { [K in keyof OptionValues]?: OptionValues[K] | undefined } & {
  options?: Readonly<Record<string, unknown>> | undefined
}

type Stored = Record<string, unknown>

type Others = { options?: Record<string, unknown> }

/** Read a chat's options from its column. Options that no part knows any longer are kept. */
export const readOptions = (column: string): OptionValues & Others => readInto(unsetOptions(), column)

/** Read a project's options from its column, in the same way. */
export const readProjectOptions = (column: string): ProjectOptionValues & Others =>
  readInto(unsetForProject(), column)

function readInto<T extends object>(unset: T, column: string): T & Others {
  const all = Object.entries(storedIn(column))
  const own = all.filter(([name]) => name in unset)
  const others = all.filter(([name]) => !NAMES.has(name))
  return {
    ...unset,
    ...(Object.fromEntries(own) as Partial<T>),
    ...(others.length > 0 && { options: Object.fromEntries(others) }),
  }
}

/** Split a project's fields into its options column, which holds only options that are set, and the rest. */
export function takeProjectOptions<T extends ProjectOptionValues & { options?: Stored | undefined }>({
  options = {},
  ...fields
}: T): [column: string, Omit<T, keyof ProjectOptionValues | 'options'>] {
  const unset: Stored = unsetForProject()
  const own = Object.entries(fields).filter(([name]) => name in unset)
  const others = Object.entries(fields).filter(([name]) => !(name in unset))
  const set = own.filter(([name, value]) => !isDeepStrictEqual(value, unset[name]))
  const rest = Object.fromEntries(others) as Omit<T, keyof ProjectOptionValues | 'options'>
  return [JSON.stringify({ ...Object.fromEntries(set), ...options }), rest]
}

/**
 * Split a chat's fields into the new options column, merged with what it `held`, and the rest. The column is
 * undefined if no option is given, so that it stays unchanged.
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
