/** The folder below the home in which scripts inside other programs append events, one file for each session. */
export const SPOOL = 'inbox'

/** Longest line of the spool, in bytes. */
export const LINE_BYTES = 400_000

/** Ids of sessions in the product: the program, a colon, and its own id. */
const SESSION_CHARS = 200

/** Whether a program may be called so in the spool, where its name is that of a folder. */
export const isProgramName = (name: string): boolean => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,59}$/.test(name)

/** Whether a program may call a session so, whose file has this name. */
export const isSessionName = (agent: string, name: string): boolean =>
  /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(name) && sessionId(agent, name).length <= SESSION_CHARS

/** The id of a session of another program in the product: `claude-code:0f3c…`. */
export const sessionId = (agent: string, name: string): string => `${agent}:${name}`

/** A file of the spool, by its name: one that programs append to, or one that the host took to read it. */
export type SpoolName = { session: string; isTaken: boolean }

/** What a name in the folder of a program says; undefined when it is none of ours. */
export function readSpoolName(agent: string, name: string): SpoolName | undefined {
  const taken = /^(.+)\.jsonl\.\d+-\d+-\d+\.taken$/.exec(name)
  const [, session] = taken ?? /^(.+)\.jsonl$/.exec(name) ?? []
  return session !== undefined && isSessionName(agent, session)
    ? { session, isTaken: taken !== null }
    : undefined
}

let taken = 0

/**
 * A new name for a file that is taken. No two are ever the same, whoever takes them, since a rename would replace the other file
 * unasked. The names of one session sort in the order in which they were taken.
 */
export const takenName = (name: string, now: number): string =>
  `${name}.${String(Math.floor(now)).padStart(14, '0')}-${process.pid}-${++taken}.taken`
