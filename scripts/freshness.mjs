// Whether `out/` was built from the files that are here now. Plain JavaScript, because `npm run talaria` asks at every start,
// and Node takes longer to get ready for TypeScript than this takes to answer.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A file or a folder as it was: path, size, time of the last writing, time of the last change of any kind, which no program can
 * set back. The times of a folder tell of names that come and go. What is not there has the size -1.
 * @typedef {[path: string, size: number, written: number, changed: number]} Seen
 *
 * What a build is made from. `seen` is quick to compare. `content` is a hash of the texts: it decides where something was seen
 * otherwise, as after `touch` or a new checkout of the same commit.
 * @typedef {{ node: string, seen: Seen[], content: string }} Stamp
 */

const INPUTS = [
  'src',
  'package.json',
  'package-lock.json',
  // npm's record of what is installed, which may not be what the lockfile asks for.
  'node_modules/.package-lock.json',
  'electron.vite.config.ts',
  'scripts/freshness.mjs',
  ...['', '.base', '.node', '.preload', '.web'].map(part => `tsconfig${part}.json`),
]
const TERMINAL = 'out/main/cli.js'
const OUTPUTS = [TERMINAL, 'out/main/headless.js', 'out/preload/index.cjs', 'out/renderer/index.html']

/** Tests are not built, and editors leave files such as `.a.ts.swp`, `#a.ts#` and `a.ts~` beside one that is open. */
const LEFT_OUT = /\.test\.tsx?$|^[.#]|~$/

/** @param {string} root */
const stampPath = root => join(root, 'out/stamp.json')

/**
 * Whether the build under `root` is whole and made from the inputs as they are now.
 * @param {string} root
 */
export function isFresh(root) {
  const stamp = readStamp(root)
  if (stamp?.node !== process.version || !OUTPUTS.every(output => existsSync(join(root, output))))
    return false
  if (stamp.seen.every(seen => isAsSeen(root, seen))) return true
  const now = takeStamp(root)
  if (now.content !== stamp.content) return false
  keepStamp(root, now)
  return true
}

/** Whether there is a build at all, fresh or not. @param {string} root */
export const isBuilt = root => existsSync(join(root, TERMINAL))

/**
 * Take down what a build is about to be made from. What changes while it is made is stale afterwards.
 * @param {string} root
 * @returns {Stamp}
 */
export function takeStamp(root) {
  // The texts after the times, so that a change in between is noticed later.
  const seen = INPUTS.flatMap(input => seenAt(root, input))
  return { node: process.version, seen, content: hashOf(root, seen) }
}

/**
 * Write the stamp of a build that is complete.
 * @param {string} root
 * @param {Stamp} stamp
 */
export function writeStamp(root, stamp) {
  // Renamed into place, so that nobody reads a half.
  const draft = `${stampPath(root)}.${process.pid}`
  writeFileSync(draft, JSON.stringify(stamp))
  renameSync(draft, stampPath(root))
}

/** Forget the stamp: a build that is being made, or failed, is not fresh. @param {string} root */
export const removeStamp = root => rmSync(stampPath(root), { force: true })

/**
 * @param {string} root
 * @returns {Stamp | undefined}
 */
function readStamp(root) {
  try {
    return JSON.parse(readFileSync(stampPath(root), 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Let the times decide at once when it is asked again.
 * @param {string} root
 * @param {Stamp} stamp
 */
function keepStamp(root, stamp) {
  try {
    writeStamp(root, stamp)
  } catch {
    // A checkout that cannot be written is only slower.
  }
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {Seen}
 */
function see(root, path) {
  const { size, mtimeMs, ctimeMs } = look(root, path) ?? { size: -1, mtimeMs: 0, ctimeMs: 0 }
  return [path, size, mtimeMs, ctimeMs]
}

/**
 * @param {string} root
 * @param {Seen} seen
 */
function isAsSeen(root, [path, size, written, changed]) {
  const now = look(root, path)
  if (!now) return size === -1
  return now.size === size && now.mtimeMs === written && now.ctimeMs === changed
}

/**
 * @param {string} root
 * @param {string} path
 */
const look = (root, path) => statSync(`${root}/${path}`, { throwIfNoEntry: false })

/**
 * @param {string} root
 * @param {Seen[]} seen
 */
function hashOf(root, seen) {
  // Loaded here, because it takes longer than all the rest.
  const { createHash } = process.getBuiltinModule('node:crypto')
  const hash = createHash('sha256')
  for (const [path] of seen) {
    const file = look(root, path)
    // Of a folder only the files count: an empty one is built like none.
    if (file?.isDirectory()) continue
    const content = file ? readFileSync(`${root}/${path}`) : ''
    hash.update(`\0${path}\0${file ? content.length : 'missing'}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * An input, and where it is a folder all that is in it, in an order that is always the same.
 * @param {string} root
 * @param {string} path
 * @returns {Seen[]}
 */
function seenAt(root, path) {
  // The folder before what is in it, so that a file that is added in between is noticed later.
  const own = see(root, path)
  if (!look(root, path)?.isDirectory()) return [own]
  const names = readdirSync(`${root}/${path}`, { withFileTypes: true })
    .filter(entry => (entry.isFile() || entry.isDirectory()) && !LEFT_OUT.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
  return [own, ...names.flatMap(name => seenAt(root, `${path}/${name}`))]
}
