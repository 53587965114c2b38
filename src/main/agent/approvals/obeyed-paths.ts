import { readdirSync, statSync } from 'node:fs'
import { basename, join, posix, relative } from 'node:path'
import type { Obeyed } from '../../confinement/obeyed/obeyed-names.ts'
import { isWithin } from '../../confinement/profile.ts'
import { onlyReadsConfined } from '../../shell-safety/reads/confined-reads.ts'
import type { Invocation } from '../../shell-safety/shell-types.ts'

/** Maximum words, and maximum entries of copied folders, to check for one command. */
const MAX_WORDS = 400
const MAX_ENTRIES = 2_000

/** Who obeys a file at an absolute path (`whoObeys`). */
export type WhoObeys = (path: string) => Obeyed | undefined

/** Programs that take file names or texts but do not write the named files. */
const NAMES_ONLY = new Set(
  'gh glab curl source . export unset alias kill wait trap read direnv man docker-credential'.split(' '),
)
const COPIES = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'gcp', 'gmv', 'ditto'])
/** Verbs of git that write the files they name; other verbs only store or show them. */
const GIT_WRITES = /^(rm|mv|apply)$/

/**
 * The obeyed files that a command names in a way that may write, move or remove them. The name may be an
 * argument, the value of a flag, part of code for an interpreter, a redirection target, or a file to copy.
 */
export function filesNamedToWrite(
  command: Invocation,
  workspace: string,
  whoObeys: WhoObeys,
): { path: string; by: string }[] {
  const { name, args, folder, redirects, input } = command
  const words = args.map(({ text }) => text)
  const written = redirects
    .filter(({ op }) => op.includes('>') && !op.endsWith('('))
    .map(({ target }) => target.text)
  const onlyReads = onlyReadsConfined('', {
    commands: [{ ...command, redirects: [] }],
    simple: true,
    unparsed: undefined,
  })
  const isNaming =
    !onlyReads && !NAMES_ONLY.has(name) && (name !== 'git' || words.some(word => GIT_WRITES.test(word)))
  const candidates = COPIES.has(name)
    ? copiedTo(command)
    : isNaming
      ? [...words, ...(input === undefined ? [] : [input])].flatMap(namesInWord)
      : []
  const found = new Map<string, { path: string; by: string }>()
  for (const text of [...written, ...candidates].slice(0, MAX_WORDS)) {
    if (text === '' || text.length > 1_000) continue
    const path = posix.resolve(folder, text)
    if (!isWithin(workspace, path)) continue
    const obeyed = whoObeys(path)
    const shown = relative(workspace, path)
    if (obeyed?.tier === 1) found.set(shown, { path: shown, by: obeyed.by })
  }
  return [...found.values()]
}

/** The names in a word: the word itself, the value of its flag, and names inside code or text. */
function namesInWord(word: string): string[] {
  const values = [
    word,
    word.replace(/^--?[\w-]+=|^[\w-]+=/, ''),
    word.replace(/^-\w/, ''),
    ...word.split(':'),
  ]
  const isText = /[\s'"`(),;]/.test(word)
  return [...values, ...(isText ? word.split(/[\s'"`(),;=<>|&]+/).slice(0, MAX_WORDS) : [])]
}

/** The files that `cp` and its like write, and for `mv` those that disappear. Folders are searched. */
function copiedTo({ name, args, folder }: Invocation): string[] {
  const words = args.map(({ text }) => text)
  const at = words.findIndex(word => /^(-t|--target-directory)$/.test(word))
  const flag = words.find(word => word.startsWith('--target-directory='))
  const into = flag?.slice(flag.indexOf('=') + 1) ?? (at >= 0 ? words[at + 1] : undefined)
  const operands = words.filter((word, index) => !word.startsWith('-') && (at < 0 || index !== at + 1))
  const sources = into === undefined && operands.length > 1 ? operands.slice(0, -1) : operands
  // `ln -s ../a/.envrc` creates `.envrc` here.
  const target = into ?? (operands.length > 1 ? operands.at(-1)! : '.')
  const isFolder = into !== undefined || isFolderAt(posix.resolve(folder, target)) || sources.length > 1
  let left = MAX_ENTRIES
  const below = (path: string, inner = ''): string[] => {
    const entries = entriesOf(join(path, inner))
    left -= entries.length
    if (left < 0) return []
    return entries.flatMap(entry => {
      const way = join(inner, entry.name)
      return entry.isDirectory() && entry.name !== 'node_modules' ? [way, ...below(path, way)] : [way]
    })
  }
  return sources.flatMap(source => {
    const path = posix.resolve(folder, source)
    const isContent = /(^|\/)\.$/.test(source) || (name === 'rsync' && source.endsWith('/'))
    const to = isContent || !isFolder ? target : join(target, basename(path))
    const inner = isFolderAt(path) ? below(path) : []
    return [
      to,
      ...inner.map(way => join(to, way)),
      ...(name === 'mv' ? [source, ...inner.map(way => join(source, way))] : []),
    ]
  })
}

const isFolderAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    // Either nothing exists there, or it is a file.
    return []
  }
}

/** Options of `clone` whose value is the next word. */
const CLONE_VALUES =
  /^(-[bocjuC]|--(branch|origin|config|jobs|depth|reference|filter|template|separate-git-dir|upload-pack|shallow-since|bundle-uri))$/

/** Whether a command's words place the files that it brings in a folder outside the chat's folder. */
export function leadsOutside({ name, args, folder }: Invocation, workspace: string): boolean {
  const words = args.map(({ text }) => text)
  const valueOf = (...flags: string[]) => {
    const at = words.findIndex(word => flags.includes(word))
    const joined = words.find(word =>
      flags.some(flag => flag.startsWith('--') && word.startsWith(`${flag}=`)),
    )
    return at >= 0 ? words[at + 1] : joined?.slice(joined.indexOf('=') + 1)
  }
  const operands = words.filter(
    (word, at) => !word.startsWith('-') && !CLONE_VALUES.test(words[at - 1] ?? ''),
  )
  // The verb and the address precede the folder.
  const least = { git: 3, gh: 4, degit: 2, tiged: 2, giget: 2, scp: 2 }[name]
  const into =
    name === 'unzip'
      ? valueOf('-d')
      : /^(tar|bsdtar|gtar)$/.test(name)
        ? valueOf('-C', '--directory')
        : least !== undefined && operands.length >= least
          ? operands.at(-1)
          : undefined
  const at = posix.resolve(folder, into ?? '.')
  return !/[\uE000-\uE008]/.test(into ?? '') && !isWithin(workspace, at)
}
