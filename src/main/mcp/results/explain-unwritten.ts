import type { StartParts } from '../connections/start-program.ts'
import { isLocal, type KnownServer } from '../servers/known-servers.ts'
import { tellPlaces } from '../servers/tell-places.ts'
import type { ReadResult } from './read-result.ts'

/** The result of a call, with a sentence if the server could not write. */
export type Explained = { ok: true; unwritten?: string } & ReadResult

/** Add to a failed result why the server's program could not write, if the failure shows that. */
export async function withUnwritten(
  server: KnownServer,
  result: ReadResult,
  parts: Pick<StartParts, 'home' | 'keyOf' | 'commands'>,
): Promise<Explained> {
  if (!result.isError || !isLocal(server)) return { ok: true, ...result }
  const { confined } = await parts.commands.rights()
  const { writes } = tellPlaces(server, parts)
  const unwritten = explainUnwritten(result.text, { isConfined: confined, writes })
  return { ok: true, ...result, ...(unwritten !== undefined && { unwritten }) }
}

/** The facts about the server whose text names a system error. */
type Known = {
  /** Whether the server's program is confined. */
  isConfined: boolean
  /** The places where it may write while it is confined, in words. */
  writes: readonly string[]
}

/** A system error as Node, Python, Go and libc write it, at the start of the text that names it. */
const ERROR =
  /\b(?<code>EROFS|ENOSPC|EDQUOT|EACCES|EPERM)\b|read-only file system|no space left on device|disk quota exceeded|permission denied/i
/** How far into a text, and after the error, to search: file contents may mention such errors too. */
const MOST_BEFORE = 2_000
const MOST_BEHIND = 400
/** A whole path in quotes, of plain characters only, because it is quoted in a sentence of Talaria. */
const PATH = /['"“`](?<path>(?:[A-Za-z]:)?[\\/][\w .@%+~\\/-]{1,200})['"”`]/

/**
 * Explain in a sentence why a server could not write or open a file: what failed, why, and what the user can
 * do. Undefined if its text names no such error.
 */
export function explainUnwritten(text: string, { isConfined, writes }: Known): string | undefined {
  const found = ERROR.exec(text.slice(0, MOST_BEFORE))
  if (!found) return undefined
  const kind = kindOf(found.groups?.['code'] ?? found[0])
  // Python names the path after the error, Go and shells before it.
  const { index } = found
  const near = PATH.exec(text.slice(index, index + MOST_BEHIND)) ?? PATH.exec(text.slice(0, index))
  const path = near?.groups?.['path']
  const what = path === undefined ? 'a file' : path
  if (kind === 'full')
    return `The server could not write ${what}, because the disk is full. Make room on it, and call the tool again.`
  const allowed = writes.join(', ')
  if (kind === 'read-only')
    return isConfined
      ? `The server could not write ${what}: it is confined, and may write only in ${allowed}. To let it write elsewhere, name the folder or the file in its command or in one of its variables, on Connections.`
      : `The server could not write ${what}, because the disk or the folder is read-only. Give the server another place, on Connections.`
  return isConfined
    ? `The server could not open ${what}: your account may not, or the file is hidden from confined programs, as files with keys are. It may write in ${allowed}. If it needs another place, name that in its command or in one of its variables, on Connections.`
    : `The server could not open ${what}, because your account may not. Change the rights of the file, or give the server another place, on Connections.`
}

function kindOf(error: string): 'full' | 'read-only' | 'closed' {
  if (/^(?:ENOSPC|EDQUOT)$|space|quota/i.test(error)) return 'full'
  return /^EROFS$|read-only/i.test(error) ? 'read-only' : 'closed'
}
