import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StrangersMark, ToolCall } from '../../../shared/contract/chats/messages.ts'
import { keepNewest, writeAtomic } from '../../lib/disk/durable-files.ts'
import { newId } from '../../lib/ids.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { shortenFailure } from './shorten-failure.ts'
import type { ToolResult } from './tool.ts'

/** Share of the context window that one result may fill, and a low estimate of characters per token. */
const WINDOW_SHARE = 0.35
const CHARACTERS_A_TOKEN = 3
/** Minimum length of a result in characters, even in a tiny context window. */
const LEAST = 400
const MOST_FILES = 200

/** Maximum number of characters of one result for a model with this context window. */
export const charactersFor = (contextTokens: number): number =>
  Math.floor(contextTokens * WINDOW_SHARE * CHARACTERS_A_TOKEN)

/** The length up to which a result is never cut for a model with this context window. */
export const uncutLength = (limit: number, contextTokens: number): number =>
  Math.max(LEAST, Math.min(limit, charactersFor(contextTokens)))

/** Finds the notes where a result was cut, with the number of characters and the advice. */
export const CUT_NOTE = /\n?\[… ([\d,]+) characters cut(?:, [\d,]+ lines)?(?:; ([^\n]*?))? …\]\n?/g

/** Stores the marks of a result under the name of its file, before the file is written. */
type KeepMarks = (name: string, marks: readonly StrangersMark[]) => void

/**
 * Create the function that shortens results for the model. It keeps the beginning and the end, notes the cut
 * between them, and saves the full text, with the marks of the result, to a file that the model can read.
 */
export const createResultCap =
  (home: string, limits: { result_limit: number; error_limit: number }, keepMarks: KeepMarks = () => {}) =>
  async (call: ToolCall, result: ToolResult, contextTokens: number): Promise<ToolResult> => {
    const text = result.ok ? result.text : result.reason
    // If a command failed, its output matters most.
    const isCommand = call.name === 'terminal'
    const limit = uncutLength(
      result.ok || isCommand ? limits.result_limit : limits.error_limit,
      contextTokens,
    )
    if (text.length <= limit) return result
    // Pages of read_file fit, and already have a file. Only a very long name or reason is ever cut.
    const advice =
      call.name === 'read_file'
        ? 'the rest is in the file'
        : adviceFor(
            await saveOutput(home, text, { before: name => keepMarks(name, result.marks ?? []) }),
            result.dropped,
          )
    const short = isCommand && !result.ok ? shortenFailure(text, limit, advice) : shorten(text, limit, advice)
    // Marks, obeyed files and web use are not part of the text, so they stay.
    const { marks, obeyed, web } = result
    const kept = { ...(marks && { marks }), ...(obeyed && { obeyed }), ...(web && { web }) }
    if (!result.ok) return { ok: false, reason: short, ...kept }
    return { ok: true, text: short, ...kept, ...(result.attachments && { attachments: result.attachments }) }
  }

function adviceFor(path: string | undefined, dropped = 0): string {
  if (path === undefined) return 'it could not be kept'
  const what =
    dropped === 0
      ? 'the full text is'
      : `${dropped.toLocaleString('en')} characters in the middle were not kept; its beginning and its end are`
  return `${what} in ${path}, read it with read_file, offset and limit`
}

function shorten(text: string, limit: number, advice: string): string {
  const note = (cut: number) => `\n[… ${cut.toLocaleString('en')} characters cut; ${advice} …]\n`
  const room = Math.max(0, limit - note(text.length).length)
  const head = Math.ceil(room / 2)
  const tail = text.slice(text.length - (room - head))
  return (text.slice(0, head) + note(text.length - room) + tail).toWellFormed()
}

/** Save a part of a result in the cache and return its path; undefined if it cannot be written. */
export async function saveOutput(
  home: string,
  content: string | Uint8Array,
  { extension = 'txt', before }: { extension?: string; before?(name: string): void } = {},
): Promise<string | undefined> {
  const folder = join(home, 'cache', 'outputs')
  const name = `${newId('out')}.${extension}`
  const path = join(folder, name)
  try {
    before?.(name)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    writeAtomic(path, content, { mode: 0o600 })
    keepNewest(folder, 'out_', MOST_FILES)
    return path
  } catch (error) {
    // A full disk loses the file, not the answer.
    fileErrorCode(error)
    return undefined
  }
}
