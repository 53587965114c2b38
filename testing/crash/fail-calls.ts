import child, { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Which calls fail: all calls from one line of our sources, or only the first. */
export type Fault = { site: string; how: 'always' | 'once' }

const CODES = ['EACCES', 'EISDIR', 'ENOSPC', 'EMFILE']
/** Functions that open, read, write or remove files, start programs, or send signals. */
const CALLS: readonly [owner: Record<string, unknown>, names: readonly string[]][] = [
  [
    fs,
    `accessSync chmodSync closeSync existsSync fstatSync lstatSync mkdirSync mkdtempSync openSync readFileSync readSync
    readdirSync readlinkSync realpathSync renameSync rmSync statSync unlinkSync writeFileSync writeSync`.split(
      /\s+/,
    ),
  ],
  [promises, 'chmod lstat mkdir open readFile readdir realpath rename rm stat unlink writeFile'.split(' ')],
  [child, ['spawn', 'fork']],
  [process as unknown as Record<string, unknown>, ['kill']],
]

/** Lines of our sources that make watched calls, with the name of the call. */
const seen = new Set<string>()
let fault: Fault | undefined
let hits = 0

/**
 * From now on, count calls and fail those that `setFault` names. Call this before importing the code under
 * test.
 */
export function watchCalls(folders: RegExp): void {
  for (const [owner, names] of CALLS)
    for (const name of names) {
      const real = owner[name] as (...given: unknown[]) => unknown
      const watched = function (this: unknown, ...given: unknown[]) {
        const site = siteOf(name, folders)
        if (site !== undefined) seen.add(site)
        if (site === undefined || site !== fault?.site || (fault.how === 'once' && hits > 0))
          return real.apply(this, given)
        return fail(name, hits++)
      }
      owner[name] = Object.assign(watched, real)
    }
  syncBuiltinESMExports()
}

/** The call sites seen so far. */
export const sitesSeen = (): string[] => [...seen]

/** Let a call fail from now on, or none. Returns how often the previous one failed. */
export function setFault(next: Fault | undefined): number {
  const before = hits
  fault = next
  hits = 0
  return before
}

function siteOf(name: string, folders: RegExp): string | undefined {
  // The calling line. Calls that Node makes internally are not ours.
  const [, , , frame = ''] = new Error('where').stack?.split('\n') ?? []
  const place = /\/src\/main\/(\S+?:\d+)/.exec(frame)?.[1]
  return place !== undefined && folders.test(place) ? `${name} in ${place}` : undefined
}

function fail(name: string, hit: number): unknown {
  if (name === 'existsSync') return false
  const code = name === 'kill' ? 'EPERM' : name === 'spawn' || name === 'fork' ? 'E2BIG' : CODES[hit % 4]!
  // Every second start fails as if there were no file descriptors: later, and without pipes.
  if ((name === 'spawn' || name === 'fork') && hit % 2 === 0) {
    const stillborn = new ChildProcess()
    process.nextTick(() => stillborn.emit('error', errorOf('EMFILE', name)))
    return stillborn
  }
  throw errorOf(code, name)
}

const errorOf = (code: string, name: string) =>
  Object.assign(new Error(`${code}: made up, ${name}`), { code })
