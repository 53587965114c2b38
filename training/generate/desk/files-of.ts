import { diffTexts } from '../../../src/main/files/diff-texts.ts'
import { patchText } from '../../../src/main/files/patch/patch-text.ts'
import { readPattern } from '../../../src/main/tools/search/patterns/search-pattern.ts'
import { nearestNames } from '../../../src/main/lib/words/similarity.ts'
import { sizeInWords } from '../../../src/main/files/read-text-file.ts'
import type { ToolResult } from '../../../src/main/tools/registry/tool.ts'
import { isRefusal } from '../../../src/main/lib/expected-errors.ts'
import type { Desk } from './desk.ts'

type Files = Desk['files']
type Given = Readonly<Record<string, unknown>>

/**
 * What the tools for files answer, worked out on paths in memory: the real ones ask the disk for each step, and searching
 * starts a thread. A test compares every answer with that of the real tool on a real folder.
 */
export const FILE_TOOLS: Readonly<Record<string, (files: Files, given: Given) => ToolResult>> = {
  read_file: (files, given) => {
    const path = textOf(given, 'path')
    if (isFolder(files, path)) return fail(`${path} is a folder. Use list_files to see what is in it.`)
    const text = files.get(plain(path))
    if (text === undefined) return fail(missing(files, path))
    return read(plain(path), text, Number(given['offset'] ?? 1), Number(given['limit'] ?? 2_000))
  },
  list_files: (files, given) => {
    const path = textOf(given, 'path', '.')
    if (files.has(plain(path))) return fail(`${path} is a file. Use read_file to read it.`)
    if (plain(path) !== '' && !isFolder(files, path)) return fail(missing(files, path))
    const lines = entriesIn(files, plain(path), Number(given['depth'] ?? 1))
    const place = plain(path) === '' ? 'The workspace' : `${plain(path)}/`
    const count = `${lines.length} ${lines.length === 1 ? 'entry' : 'entries'}`
    return done([lines.length === 0 ? `${place} is empty` : `${place}, ${count}`, ...lines].join('\n'))
  },
  write_file: (files, given) => {
    const path = textOf(given, 'path')
    const content = textOf(given, 'content')
    if (isFolder(files, path)) return fail(`${path} is a folder, so it cannot be written as a file.`)
    const verb = files.has(plain(path)) ? 'Replaced' : 'Created'
    files.set(plain(path), content)
    return done(`${verb} ${plain(path)} (${sizeInWords(Buffer.byteLength(content))}).`)
  },
  patch_file: (files, given) => {
    const path = textOf(given, 'path')
    const text = files.get(plain(path))
    if (isFolder(files, path)) return fail(`${path} is a folder, not a file.`)
    if (text === undefined) return fail(missing(files, path))
    const [old, now] = [textOf(given, 'old_string'), textOf(given, 'new_string')]
    const patched = patchText(text, { old, new: now, all: given['replace_all'] === true })
    if (isRefusal(patched))
      return fail(patched.near === undefined ? patched.refused : `${patched.refused} ${patched.near}`)
    files.set(plain(path), patched.text)
    const places = patched.count === 1 ? '' : ` in ${patched.count} places`
    return done(`Changed ${plain(path)}${places}.\n${diffTexts(text, patched.text)}`)
  },
  search_files: (files, given) =>
    search(files, textOf(given, 'pattern'), plain(textOf(given, 'path', '.')), given['glob']),
}

const textOf = (given: Given, name: string, otherwise = ''): string => {
  const value = given[name]
  return typeof value === 'string' ? value : otherwise
}

const done = (text: string): ToolResult => ({ ok: true, text })
const fail = (reason: string): ToolResult => ({ ok: false, reason })

/** `./docs/` is `docs`, and the workspace itself is nothing. */
const plain = (path: string): string =>
  path
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '')

export const isFolder = (files: Files, path: string): boolean =>
  plain(path) === '' || [...files.keys()].some(each => each.startsWith(`${plain(path)}/`))

function read(name: string, text: string, offset: number, limit: number): ToolResult {
  if (text === '') return done(`${name}, empty`)
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (offset > lines.length) return fail(`${name} has ${lines.length} lines, so there is no line ${offset}.`)
  const page = lines.slice(offset - 1, offset - 1 + limit)
  const last = offset - 1 + page.length
  const more = last < lines.length ? [`[more from line ${last + 1}: read again with offset ${last + 1}]`] : []
  return done([`${name}, lines ${offset}-${last} of ${lines.length}`, ...page, ...more].join('\n'))
}

/** Folders first, each level by name, as the tool walks. */
function entriesIn(files: Files, folder: string, depth: number): string[] {
  const inside = (below: string, level: number): string[] => {
    const start = [folder, below].filter(part => part !== '').join('/')
    const from = start === '' ? 0 : start.length + 1
    const names = [...files.keys()]
      .filter(path => start === '' || path.startsWith(`${start}/`))
      .map(path => path.slice(from))
    const folders = [
      ...new Set(names.filter(name => name.includes('/')).map(name => name.slice(0, name.indexOf('/')))),
    ]
    const own = names.filter(name => !name.includes('/'))
    const shown = (name: string) => (below === '' ? name : `${below}/${name}`)
    return [
      ...folders
        .toSorted(byName)
        .flatMap(name => [`${shown(name)}/`, ...(level < depth ? inside(shown(name), level + 1) : [])]),
      ...own.toSorted(byName).map(name => {
        const path = start === '' ? name : `${start}/${name}`
        return `${shown(name)} (${sizeInWords(Buffer.byteLength(files.get(path)!))})`
      }),
    ]
  }
  return inside('', 1)
}

const byName = (a: string, b: string) => (a < b ? -1 : 1)

function missing(files: Files, given: string): string {
  // Outside the workspace no names are told.
  if (/^[~/]/.test(given)) return `${given} does not exist.`
  const path = plain(given)
  const cut = path.lastIndexOf('/')
  const folder = cut < 0 ? '' : path.slice(0, cut)
  if (!isFolder(files, folder)) return `${given} does not exist, and neither does its folder ${folder}.`
  const names = namesIn(files, folder)
  const near = nearestNames(path.slice(cut + 1), names, 0.5).slice(0, 3)
  const hint = near.length > 0 ? `Near it: ${near.join(', ')}.` : 'List the folder to see what does.'
  return `${given} does not exist. ${hint}`
}

/** The folders that lie in the workspace itself. */
export const foldersOf = (files: ReadonlyMap<string, string>): string[] => [
  ...new Set(
    [...files.keys()].flatMap(path => (path.includes('/') ? [path.slice(0, path.indexOf('/'))] : [])),
  ),
]

/** The names in a folder, of files and folders. */
export function namesIn(files: Files, folder: string): string[] {
  const start = folder === '' ? '' : `${folder}/`
  const inside = [...files.keys()]
    .filter(path => path.startsWith(start))
    .map(path => path.slice(start.length).split('/')[0]!)
  return [...new Set(inside)].toSorted(byName)
}

function search(files: Files, pattern: string, path: string, glob: unknown): ToolResult {
  const read = readPattern(pattern)
  if (isRefusal(read)) return fail(read.refused)
  const expression = new RegExp(read.expression.source, read.expression.flags.replace('g', ''))
  const ending = typeof glob === 'string' ? glob.replace(/^\*/, '') : ''
  const isFile = files.has(path)
  const inside = walked(files, isFile ? '' : path).filter(
    each => (isFile ? each === path : true) && each.endsWith(ending),
  )
  const found = inside.flatMap(each =>
    linesOf(files.get(each)!, expression).map(line => ({ file: each, ...line })),
  )
  const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`
  if (found.length === 0) return done(`No matches in ${count(inside.length, 'file', 'files')}.`)
  const holders = new Set(found.map(({ file }) => file)).size
  const sum = `[${count(found.length, 'match', 'matches')} in ${count(holders, 'file', 'files')}]`
  return done([...found.map(({ file, line, text }) => `${file}:${line}: ${text}`), sum].join('\n'))
}

/** Paths in the order in which a search visits them. */
function walked(files: Files, folder: string): string[] {
  const lines = entriesIn(files, folder, 64)
  const start = folder === '' ? '' : `${folder}/`
  return lines.filter(line => line.endsWith(')')).map(line => start + line.slice(0, line.lastIndexOf(' (')))
}

const linesOf = (text: string, expression: RegExp): { line: number; text: string }[] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line, at) => (expression.test(line) ? [{ line: at + 1, text: line.trimEnd() }] : []))
