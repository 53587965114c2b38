import { posix } from 'node:path'
import { z } from 'zod'
import { MessageText, type ToolCall } from '../../src/shared/contract/chats/messages.ts'
import { fail, readRows } from '../command-line.ts'

/** Among the tools of a row, this means that no call at all is right too. */
const NONE = 'none'

const Value = z.union([z.string(), z.number(), z.boolean()])
const Expected = z.strictObject({
  tool: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  arguments: z.record(z.string(), z.union([Value, z.array(Value).min(1)])).optional(),
})

/**
 * A request of a person, and the wanted call; `expect` is null if no tool is wanted. `folder` says for which
 * of the two folders it is written.
 */
export const RequestRow = z.object({
  id: z.string().min(1),
  text: MessageText,
  expect: Expected.nullable(),
  folder: z.enum(['full', 'empty']).default('full'),
  /** Tools that are switched off in its chat. */
  off: z.array(z.string()).default([]),
})
export type RequestRow = z.infer<typeof RequestRow>

/** The first call of a chat, as the model wrote it. */
export type FirstCall = Pick<ToolCall, 'name' | 'arguments'>

/**
 * The requests of several files. Ends the program if a file has no such rows, or if two rows have the same
 * id.
 */
export function readRequests(paths: readonly string[]): RequestRow[] {
  const rows = paths.flatMap(path => readRows(path, RequestRow))
  const ids = rows.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  return twice === undefined ? rows : fail(`Two rows have the id ${twice}.`)
}

/** Whether a request wants a tool, none, or accepts either. */
export function wantsTool({ expect }: Pick<RequestRow, 'expect'>): 'tool' | 'none' | 'either' {
  if (expect === null) return 'none'
  return toolsOf(expect).includes(NONE) ? 'either' : 'tool'
}

/** Whether the tool of a call is wanted, and whether its arguments are right too. */
export function compareCall(
  { expect }: Pick<RequestRow, 'expect'>,
  call: FirstCall | undefined,
): { tool: boolean; whole: boolean } {
  if (expect === null || !call) return { tool: false, whole: false }
  const tool = toolsOf(expect).includes(call.name)
  const wanted = Object.entries(expect.arguments ?? {})
  return { tool, whole: tool && wanted.every(([name, value]) => holds(name, value, call.arguments[name])) }
}

const toolsOf = ({ tool }: z.infer<typeof Expected>): readonly string[] =>
  typeof tool === 'string' ? [tool] : tool

type Wanted = z.infer<typeof Value>

/** Whether an argument has a wanted value. One of several is enough. */
const holds = (name: string, wanted: Wanted | Wanted[], given: unknown): boolean =>
  [wanted].flat().some(each => {
    if (typeof each !== 'string') return each === given
    if (name === 'path') return asPath(each) === asPath(typeof given === 'string' ? given : '.')
    return typeof given === 'string' && inOneLine(given).includes(inOneLine(each))
  })

/** A path in its normal form: `./notes.md` is `notes.md`, and an empty path is the folder itself. */
const asPath = (path: string): string => posix.normalize(path.trim()).replace(/(?<=.)\/$/, '')

const inOneLine = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()
