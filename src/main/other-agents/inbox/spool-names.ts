/** The folder below the home to which scripts inside other programs append events, one file per session. */
export const SPOOL = 'inbox'

/** Maximum length of a line of the spool, in bytes. */
export const LINE_BYTES = 400_000

/** Maximum length of a session id: the program, a colon, and its own id. */
const SESSION_CHARS = 200

/** Return whether a program may have this name in the spool, where it is a folder name. */
export const isProgramName = (name: string): boolean => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,59}$/.test(name)

/** Return whether a program may use this session name, which is its file's name. */
export const isSessionName = (agent: string, name: string): boolean =>
  /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(name) && sessionId(agent, name).length <= SESSION_CHARS

/** Return Talaria's id for another program's session: `claude-code:0f3c…`. */
export const sessionId = (agent: string, name: string): string => `${agent}:${name}`

/** A spool file by its name: one that programs append to, or one that the host took for reading. */
export type SpoolName = { session: string; isTaken: boolean }

/** Parse a file name in a program's folder; undefined if it is not one of ours. */
export function readSpoolName(agent: string, name: string): SpoolName | undefined {
  const taken = /^(.+)\.jsonl\.\d+-\d+-\d+\.taken$/.exec(name)
  const [, session] = taken ?? /^(.+)\.jsonl$/.exec(name) ?? []
  return session !== undefined && isSessionName(agent, session)
    ? { session, isTaken: taken !== null }
    : undefined
}

let taken = 0

/**
 * Return a new name for a taken file. Names are never reused, even by other processes, because a rename would
 * replace the other file. The names of one session sort in the order they were taken.
 */
export const takenName = (name: string, now: number): string =>
  `${name}.${String(Math.floor(now)).padStart(14, '0')}-${process.pid}-${++taken}.taken`
