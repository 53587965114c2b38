import { basename, relative, resolve } from 'node:path'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { readEscapes } from './plain-path.ts'
import { existsAt, findSameLook, looseLookOf, lookOf } from './same-look.ts'
import { walkFolder, withSlashes } from '../walk-folder.ts'

/** Lines of a file that a path names, such as `:10-20`. */
export type Lines = { from: number; to?: number }
/** The meaning of a path that does not exist. `isOnly`: it is the only file of that name in any folder. */
export type Guess = { path: string; lines?: Lines; isOnly?: true }
/** The kind of thing that a tool expects at the path. */
export type Wanted = 'file' | 'folder' | 'any'

/** `steps`: how many parts of the text were reinterpreted. `isBelow`: leading folders were removed. */
type Reading = { text: string; steps: number; lines?: Lines; isBelow?: true }

const MOST_READINGS = 64
const MOST_WALKED = 20_000
const DEEPEST = 64
const MOST_SHOWN = 5

/**
 * Find the only possible meaning of a path that does not exist, for reading: `@src/a.ts`, `src/a.ts:10`,
 * `My%20Notes.txt`, `SRC/A.ts`, `/src/a.ts`, `b/src/a.ts` of a diff, or a name that only one file below the
 * folder has. Undefined if it is unclear.
 */
export async function guessPath(
  workspace: string,
  given: string,
  wanted: Wanted,
): Promise<Guess | Refusal | undefined> {
  const readings = readingsOf(given, basename(workspace))
  for (const look of [lookOf, looseLookOf]) {
    const guess = await firstThatExists(workspace, readings, look)
    if (guess !== undefined) return guess
  }
  const bare = readings.filter(({ text, isBelow }) => !isBelow && !/[/\\]/.test(text) && lookOf(text) !== '')
  return bare.length > 0 ? findOnly(workspace, bare, wanted) : undefined
}

/** Return the reading with the fewest steps that exists; undefined if there are two such paths. */
async function firstThatExists(
  workspace: string,
  readings: readonly Reading[],
  look: (name: string) => string,
): Promise<Guess | undefined> {
  const found = new Map<string, Guess>()
  let steps = 0
  for (const reading of readings) {
    if (found.size > 0 && reading.steps > steps) break
    const wanted = resolve(workspace, reading.text)
    // Ignore case only in the folder of the chat: elsewhere the user has not allowed looking at names.
    if (look === looseLookOf && !isInFolder(workspace, wanted)) continue
    const path = await findSameLook(wanted, look)
    if (isRefusal(path) || !(await existsAt(path))) continue
    steps = reading.steps
    found.set(path, { path, ...(reading.lines && { lines: reading.lines }) })
  }
  return found.size === 1 ? [...found.values()][0] : undefined
}

const isInFolder = (folder: string, path: string) => !/^\.\.(?:[/\\]|$)/.test(relative(folder, path))

/** List all readings of a text, those with the fewest steps first, beginning with the text itself. */
function readingsOf(given: string, workspaceName: string): Reading[] {
  let readings: Reading[] = [{ text: given, steps: 0 }]
  for (const read of [readLines, readAt, readPercent, readControls, readPrefix]) {
    const more = readings.flatMap(reading =>
      read(reading.text, workspaceName).map(({ text, lines }) => {
        const named = lines ?? reading.lines
        const isBelow = read === readPrefix && { isBelow: true as const }
        return { ...reading, text, steps: reading.steps + 1, ...(named && { lines: named }), ...isBelow }
      }),
    )
    readings = [...readings, ...more].slice(0, MOST_READINGS)
  }
  const isSound = ({ text }: Reading) => text.trim() !== '' && !/\p{Cc}/u.test(text)
  return readings.filter(isSound).toSorted((a, b) => a.steps - b.steps)
}

type Read = (text: string, workspaceName: string) => { text: string; lines?: Lines }[]

/** Read line numbers: `a.ts:10`, `a.ts:10-20`, `a.ts:10:5`, `a.ts#L10-L20` and `a.ts(10,5)`. */
const readLines: Read = text => {
  const found =
    /^(.+?)(?::L?(\d{1,9})(?:-L?(\d{1,9})|:\d{1,9})?:?|#L?(\d{1,9})(?:C\d{1,9})?(?:-L?(\d{1,9})(?:C\d{1,9})?)?|\((\d{1,9})(?:,\d{1,9})?\):?)$/is.exec(
      text,
    )
  if (!found) return []
  const [, path = '', colon, colonTo, sharp, sharpTo, bracket] = found
  const from = Math.max(1, Number(colon ?? sharp ?? bracket))
  const to = colonTo ?? sharpTo
  return [{ text: path, lines: { from, ...(to !== undefined && Number(to) >= from && { to: Number(to) }) } }]
}

/** Read `@src/a.ts` and `@/src/a.ts`, as files are named in chats. */
const readAt: Read = text => (text.startsWith('@') ? [{ text: text.replace(/^@\/?/, '') }] : [])

const readPercent: Read = text => {
  const read = readEscapes(text)
  return read === text || read.includes('\0') ? [] : [{ text: read }]
}

/** Control characters from JSON with unescaped backslashes: in `src\test.ts`, `\t` became a tab. */
const ESCAPED: Readonly<Record<string, string>> = {
  '\b': '/b',
  '\t': '/t',
  '\n': '/n',
  '\v': '/v',
  '\f': '/f',
  '\r': '/r',
}
const readControls: Read = text => {
  const read = text.replace(/[\b\t\n\v\f\r]/g, letter => ESCAPED[letter] ?? letter)
  return read === text ? [] : [{ text: read }]
}

/** Remove the `a/` of a diff, the folder's own name, or a leading slash for the folder of the chat. */
const readPrefix: Read = (text, workspaceName) => {
  const below = text.replace(/^\/+/, '')
  const texts = [
    ...(below === text ? [] : [below]),
    ...(/^[abciow]\//.test(text) ? [text.slice(2)] : []),
    ...(below.startsWith(`${workspaceName}/`) ? [below.slice(workspaceName.length + 1)] : []),
    ...(below.startsWith('workspace/') ? [below.slice('workspace/'.length)] : []),
  ]
  return texts.map(each => ({ text: each.replace(/^\/+/, '') }))
}

/** Find the only file of a name below the folder, without hidden and ignored ones. Refuses if several. */
function findOnly(
  workspace: string,
  readings: readonly Reading[],
  wanted: Wanted,
): Guess | Refusal | undefined {
  const byLook = readings.flatMap(reading => [
    { reading, isLoose: false, name: lookOf(reading.text), paths: [] as string[] },
    { reading, isLoose: true, name: looseLookOf(reading.text), paths: [] as string[] },
  ])
  let count = 0
  for (const { path, kind } of walkFolder(workspace, { depth: DEEPEST, hidden: false })) {
    if (++count > MOST_WALKED) return undefined
    if (wanted !== 'any' && kind !== 'link' && kind !== wanted) continue
    const own = basename(path)
    const [exact, loose] = [lookOf(own), looseLookOf(own)]
    for (const { name, isLoose, paths } of byLook) if (name === (isLoose ? loose : exact)) paths.push(path)
  }
  const found = byLook.find(({ paths }) => paths.length > 0)
  if (!found) return undefined
  const { reading, paths } = found
  if (paths.length === 1)
    return { path: paths[0]!, isOnly: true, ...(reading.lines && { lines: reading.lines }) }
  const shown = paths.slice(0, MOST_SHOWN).map(path => withSlashes(relative(workspace, path)))
  const more = paths.length > MOST_SHOWN ? ` and ${paths.length - MOST_SHOWN} more` : ''
  return { refused: `${reading.text} does not exist. Of that name there are: ${shown.join(', ')}${more}.` }
}
