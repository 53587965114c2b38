import { CHAT_OPTIONS, type ChatOption } from '../../shared/contract/chats/chat-options.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { resolveOption, type SetValues } from '../../shared/resolve-option.ts'
import { Fault } from '../../shared/rpc.ts'
import type { ProjectRecord } from '../db/chats/project-tables.ts'

/** A chat option of a part of the host, with a lookup of values set outside chats and projects. */
export type OtherOption = ChatOption & {
  inSettings?(this: void): unknown
  /** Return the values set for a folder and those above it, nearest first. */
  inFolders?(this: void, folder: string): readonly { folder: string; value: unknown }[]
}

type Values = Readonly<Record<string, unknown>>
type Place = Pick<Session, 'workspace' | 'projectId' | 'options'>

/** The chat options of parts of the host. The product's are in `shared/contract/chats/chat-options.ts`. */
export type OtherOptions = {
  list: readonly OtherOption[]
  /** Check values by name, and return them as stored; null unsets one. Throws a `bad_input` Fault. */
  check(this: void, given: Values, at: 'chat' | 'project'): Record<string, unknown>
  /** Return the values that apply to a chat, by name. */
  valuesFor(this: void, chat: Place): Record<string, unknown>
  /** Return the initial values for a sub-agent's chat, which belongs to no project. */
  inheritedBy(this: void, chat: Place): Record<string, unknown>
}

/** Open the contributed options. Two options with one name are a programming error. */
export function openOtherOptions(
  list: readonly OtherOption[],
  projectOf: (chat: Pick<Session, 'projectId'>) => Pick<ProjectRecord, 'options'> | undefined,
): OtherOptions {
  const names = [...CHAT_OPTIONS, ...list].map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) throw new Error(`There are two options “${twice}” of chats.`)

  const setByPeople = ({ name, schema }: ChatOption, chat: Place): SetValues<unknown> => ({
    chat: fitting(schema, chat.options?.[name]),
    project: fitting(schema, projectOf(chat)?.options?.[name]),
  })
  const valueFor = (option: OtherOption, chat: Place) =>
    resolveOption(option, {
      ...setByPeople(option, chat),
      folder: option.inFolders?.(chat.workspace),
      settings: option.inSettings?.(),
    })

  return {
    list,
    check: (given, at) =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, checkValue(list, name, value, at)]),
      ),
    valuesFor: chat => Object.fromEntries(list.map(option => [option.name, valueFor(option, chat)])),
    inheritedBy: chat =>
      Object.fromEntries(
        list.flatMap(option => {
          const value = resolveOption({ ...option, default: undefined }, setByPeople(option, chat))
          return option.inherited && value !== undefined ? [[option.name, value]] : []
        }),
      ),
  }
}

/** Return a stored value if it is valid; one from an older version may not be, and counts as not set. */
const fitting = (schema: ChatOption['schema'], stored: unknown): unknown =>
  stored === undefined ? undefined : schema.safeParse(stored).data

const PLACES = { chat: 'a chat', project: 'a project' } as const

function checkValue(
  list: readonly ChatOption[],
  name: string,
  value: unknown,
  at: keyof typeof PLACES,
): unknown {
  const bad = (text: string) => new Fault('bad_input', text)
  const option = list.find(each => each.name === name)
  if (!option) {
    const isField = CHAT_OPTIONS.some(each => each.name === name)
    const known = list.length === 0 ? '' : ` There are: ${list.map(each => each.name).join(', ')}.`
    throw bad(
      isField
        ? `“${name}” is a field of its own, not one of “options”.`
        : `There is no option “${name.slice(0, 64)}”.${known}`,
    )
  }
  if (!option.precedence.includes(at)) throw bad(`“${name}” cannot be set for ${PLACES[at]}.`)
  if (value === null) return null
  const parsed = option.schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { message = '', path = [] } = parsed.error.issues[0] ?? {}
  throw bad(`“${[name, ...path].join('.')}” cannot have this value. ${message}`)
}
