import type { Call, CallId, Format } from './format-types.ts'

/** The id of a call: nine letters and digits, because some templates accept nothing else. */
export const callId = (ordinal: number): string => `call${String(ordinal % 100_000).padStart(5, '0')}`

/** The calls of a conversation up to one message, and their ids. */
export type CallsSoFar = {
  /** Add the calls of a message; returns how many precede them. `raw`: the message as the model wrote it. */
  add(calls: readonly { id: string; name: string }[], raw?: string): number
  /** The id that the model sees on a call and on its result; undefined in formats without ids. */
  idOf(call: string): { idInText: string } | undefined
}

/** Count the calls of a conversation, for models trained on call ids that are repeated with the results. */
export function countCalls(format: Format): CallsSoFar {
  const ids = new Map<string, string>()
  let count = 0
  return {
    add(calls, raw) {
      const known = idsOfCalls(format, calls, count, raw)
      for (const [at, { id }] of calls.entries()) if (known[at] !== undefined) ids.set(id, known[at])
      count += calls.length
      return count - calls.length
    },
    idOf(call) {
      const idInText = ids.get(call)
      return idInText === undefined ? undefined : { idInText }
    },
  }
}

/**
 * The ids for the calls of one message. A reply as the model wrote it has its own ids. `earlier` is the
 * number of preceding calls.
 */
function idsOfCalls(
  format: Format,
  calls: readonly Pick<Call, 'name'>[],
  earlier: number,
  raw: string | undefined,
): string[] {
  const form = idForm(format)
  if (form === undefined) return []
  const given = raw === undefined ? [] : idsIn(format, raw)
  // An unreadable call also has an id. The ids then do not line up with the calls, so none is used.
  const own = given.length === calls.length ? given : []
  return calls.map(({ name }, at) => {
    const id = own[at]
    const isUsable = id !== undefined && VALID[form].test(id)
    if (form === 'place') return `${namePrefix(format)}${name}:${isUsable ? id : earlier + at}`
    return isUsable ? id : callId(earlier + at)
  })
}

const VALID = { place: /^\d{1,3}$/, nine: /^[a-zA-Z0-9]{9}$/ } as const satisfies Record<
  CallId['form'],
  RegExp
>

function idForm({ notation }: Format): CallId['form'] | undefined {
  if (notation.kind === 'named') return notation.id?.form
  return notation.kind === 'json' && notation.id !== undefined ? 'nine' : undefined
}

/** The text before the name that belongs to the id of a call, such as `functions.`. */
const namePrefix = ({ each }: Format): string => /(?<![^<>[\]|])[^<>[\]|]*$/.exec(each?.[0] ?? '')?.[0] ?? ''

/** The ids that a reply gives to its calls, in order. */
function idsIn(format: Format, raw: string): string[] {
  const { notation, mark } = format
  const from = raw.indexOf(mark)
  if (from < 0) return []
  const body = raw.slice(from + mark.length)
  if (notation.kind === 'json' && notation.id !== undefined) return idsInList(body, notation.id)
  if (notation.kind !== 'named' || !notation.id) return []
  const { before, after } = notation.id
  const pattern =
    after === undefined
      ? `${literally(before)}(\\w{1,40})${literally(notation.joint)}`
      : `${literally((format.each?.[0] ?? '') + before)}(\\w{1,40})${literally(after)}`
  return [...body.matchAll(new RegExp(pattern, 'g'))].flatMap(([, id]) => id ?? [])
}

function idsInList(body: string, key: string): string[] {
  try {
    const list: unknown = JSON.parse(body.slice(0, body.lastIndexOf(']') + 1))
    if (!Array.isArray(list)) return []
    return list.map((call: unknown) => {
      const id =
        call !== null && typeof call === 'object' ? new Map(Object.entries(call)).get(key) : undefined
      return typeof id === 'string' ? id : ''
    })
  } catch {
    return []
  }
}

const literally = (text: string): string => text.replace(/[^\w\s]/g, String.raw`\$&`)
