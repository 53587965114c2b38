import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolCall } from '../../shared/contract/messages.ts'
import { keepNewest } from '../lib/backups.ts'
import { newId } from '../lib/ids.ts'
import { writeAtomic } from '../lib/write-atomic.ts'
import type { ToolResult } from './tool.ts'

/** How much of the model’s window one result may fill, and how many characters a token stands for at the least. */
const WINDOW_SHARE = 0.35
const CHARACTERS_A_TOKEN = 3
/** However small a window is, a result gets this many characters. */
const LEAST = 400
const MOST_FILES = 200

/**
 * Make what shortens the results that a model gets to see: the beginning and the end stay, the cut between them is
 * named, and the whole text is kept in a file that the model can read.
 */
export const createCap =
  (home: string, limits: { result_limit: number; error_limit: number }) =>
  async (call: ToolCall, result: ToolResult, contextTokens: number): Promise<ToolResult> => {
    const text = result.ok ? result.text : result.reason
    const forWindow = Math.floor(contextTokens * WINDOW_SHARE * CHARACTERS_A_TOKEN)
    const wanted = Math.min(result.ok ? limits.result_limit : limits.error_limit, forWindow)
    const limit = Math.max(LEAST, wanted)
    if (text.length <= limit) return result
    // What read_file returned lies in a file already.
    const advice =
      call.name === 'read_file'
        ? 'read fewer lines at once, with offset and limit'
        : adviceFor(await saveOutput(home, text))
    const short = shorten(text, limit, advice)
    return result.ok ? { ok: true, text: short } : { ok: false, reason: short }
  }

const adviceFor = (path: string | undefined) =>
  path === undefined
    ? 'it could not be kept'
    : `the full text is in ${path}, read it with read_file, offset and limit`

function shorten(text: string, limit: number, advice: string): string {
  const note = (cut: number) => `\n[… ${cut.toLocaleString('en')} characters cut; ${advice} …]\n`
  const room = Math.max(0, limit - note(text.length).length)
  const head = Math.ceil(room / 2)
  const tail = text.slice(text.length - (room - head))
  return (text.slice(0, head) + note(text.length - room) + tail).toWellFormed()
}

/** Keep a text in the cache and return its path; undefined when the disk does not take it. */
async function saveOutput(home: string, text: string): Promise<string | undefined> {
  const folder = join(home, 'cache', 'outputs')
  const path = join(folder, `${newId('out')}.txt`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    writeAtomic(path, text, { mode: 0o600 })
    keepNewest(folder, 'out_', MOST_FILES)
    return path
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}
