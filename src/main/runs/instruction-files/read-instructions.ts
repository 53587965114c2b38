import { dirname, join, relative, resolve, sep } from 'node:path'
import { isRefusal } from '../../lib/expected-errors.ts'
import { cutText } from '../../lib/disk/read-file-start.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { mentionsIn, type Mention } from './mentions.ts'
import { instructionNames } from './names.ts'
import { readInside, type Area, type NotRead, type ReadFile } from './read-inside.ts'
import { foldersDown } from './repository.ts'

/** A file of instructions. `place`: it is nearer than the ones before it, or another file names it. */
export type ProjectFile = {
  file: string
  text: string
  place?: { kind: 'nearer' } | { kind: 'named'; by: string }
}

/** The instructions for agents in the chat's folders, and sentences about what is not used and why. */
export type Instructions = {
  files: ProjectFile[]
  notUsed: string[]
  /** Nothing is used, because the user does not trust the folder of the chat. */
  untrusted: boolean
}

type Sources = {
  /** Talaria's home. */
  home: string
  trusts(folder: string): boolean
  /** Why a text must not reach a model, as a phrase that continues “because it …”. */
  unsafe(text: string): string | undefined
}

/** Maximum depth of files that name files, and maximum number of named files. */
const DEEPEST = 5
const MOST_NAMED = 50
/** Maximum notes in the texts, and sentences, so that a text full of names cannot fill the prompt. */
const MOST_MARKS = 20
const MOST_SAID = 20

/** Maximum characters of `SOUL.md`, in addition to `limit` characters of instructions. */
const soulLimit = (limit: number): number => Math.round(limit / 4)

/**
 * Read the instructions in a chat's folders, from the root of the repository down, the nearest last. They
 * share `limit` characters, and the nearest folder gets them first. Adds `SOUL.md` of the chat's own folder.
 */
export async function readInstructions(
  workspace: string,
  limit: number,
  sources: Sources,
): Promise<Instructions> {
  const folders = await foldersDown(workspace, sources.home)
  const own = folders.at(-1)!
  const show = (path: string) => shownFrom(own, path)
  if (!sources.trusts(workspace)) return untrusted(folders, show)
  const trusted = folders.filter(folder => folder === own || sources.trusts(folder))
  const reading = new Reading({ folder: trusted[0]!, home: sources.home }, limit, sources, show)
  const files: ProjectFile[] = []
  for (const folder of folders.toReversed()) {
    if (trusted.includes(folder)) {
      const read = await reading.folder(folder)
      const isNearer = (each: ProjectFile) => each.place === undefined
      // Files of outer folders are put before these, so the nearer files say that they take precedence.
      if (read.length > 0) for (const each of files) if (isNearer(each)) each.place = { kind: 'nearer' }
      files.unshift(...read)
    } else {
      const names = await readableNames(folder, folders[0]!, show)
      if (names.length > 0) reading.say(`${inWords(names)}, because you trust only ${show(trusted[0]!)}.`)
    }
  }
  return { files: [...files, ...(await reading.soul(own))], notUsed: reading.notUsed(), untrusted: false }
}

async function untrusted(folders: readonly string[], show: (path: string) => string): Promise<Instructions> {
  const own = folders.at(-1)!
  const names: string[] = []
  for (const folder of folders) names.push(...(await readableNames(folder, folders[0]!, show)))
  const soul = await readInside({ folder: own, home: own }, join(own, 'SOUL.md'), 100)
  if (!isRefusal(soul)) names.push('SOUL.md')
  return {
    files: [],
    notUsed: names.length > 0 ? [`${inWords(names)}, because you do not trust this folder yet.`] : [],
    untrusted: names.length > 0,
  }
}

async function readableNames(
  folder: string,
  area: string,
  show: (path: string) => string,
): Promise<string[]> {
  const { main, local } = await instructionNames(folder)
  const names: string[] = []
  for (const name of [...main, ...local]) {
    const read = await readInside({ folder: area, home: area }, join(folder, name), 100)
    // Files that are empty or lead outside are not named before the folder is trusted.
    if (!isRefusal(read) && read.text.trim() !== '') names.push(show(join(folder, name)))
  }
  return names
}

/** Join names, such as `a, b and c`. */
const inWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** A path that the model may use in the chat's folder, with hidden characters made visible. */
function shownFrom(own: string, path: string): string {
  const way = relative(own, path).split(sep).join('/') || 'this folder'
  return showHiddenInLine(way.length > 300 ? `…${way.slice(-300)}` : way)
}

/** One pass over all folders of a chat: what was read, the characters left, and what was not used. */
class Reading {
  /** By real path: the name in the prompt, and the text of the whole file as far as it was read. */
  private readonly read = new Map<string, { shown: string; text: string }>()
  private readonly said: string[] = []
  private room: number
  private named = 0
  private marks = 0

  private readonly area: Area
  private readonly limit: number
  private readonly unsafe: Sources['unsafe']
  private readonly show: (path: string) => string

  constructor(area: Area, limit: number, { unsafe }: Sources, show: (path: string) => string) {
    this.area = area
    this.limit = limit
    this.unsafe = unsafe
    this.show = show
    this.room = limit
  }

  say(sentence: string): void {
    this.said.push(sentence)
  }

  notUsed(): string[] {
    const all = [...new Set(this.said)]
    const more = all.length - MOST_SAID
    return more > 0 ? [...all.slice(0, MOST_SAID), `${more} more files, for such reasons.`] : all
  }

  /** The instructions of one folder: its first usable file with the files it names, and the user's own. */
  async folder(folder: string): Promise<ProjectFile[]> {
    const { main, local, folders } = await instructionNames(folder)
    const files: ProjectFile[] = []
    let used: string | undefined
    const beside: string[] = []
    for (const name of main) {
      const path = join(folder, name)
      if (used !== undefined) {
        if (!(await this.saysNoMore(path))) beside.push(this.show(path))
        continue
      }
      const taken = await this.take(path)
      if (taken === undefined) continue
      used = taken[0]?.file ?? this.show(path)
      files.push(...taken)
    }
    if (beside.length > 0) this.say(`${inWords(beside)}, because ${used} is read instead.`)
    for (const name of local) files.push(...((await this.take(join(folder, name))) ?? []))
    const rules = folders.map(name => this.show(join(folder, name)))
    if (rules.length > 0) this.say(`${inWords(rules)}, because Talaria reads no folders of rules.`)
    return files
  }

  /** Read `SOUL.md` of the chat's own folder, which says how to sound there. */
  async soul(folder: string): Promise<ProjectFile[]> {
    const limit = soulLimit(this.limit)
    const read = await readInside(this.area, join(folder, 'SOUL.md'), limit + 1)
    if (isRefusal(read)) {
      if (!read.missing) this.say(`SOUL.md, because it ${read.refused}.`)
      return []
    }
    if (read.text.trim() === '') return []
    const text = read.text.slice(0, limit).toWellFormed()
    const reason = this.unsafe(text)
    if (reason !== undefined) {
      this.say(`SOUL.md, because it ${reason}.`)
      return []
    }
    return [{ file: 'SOUL.md', text: this.cut('SOUL.md', read.text, limit) }]
  }

  /** Take a file and those that it names; empty if it is already in the prompt, undefined if unusable. */
  private async take(path: string): Promise<ProjectFile[] | undefined> {
    const shown = this.show(path)
    const read = await readInside(this.area, path, this.limit + 1)
    if (isRefusal(read)) {
      const why = read.missing === true ? 'is a link to a file that does not exist' : read.refused
      this.say(`${shown}, because it ${why}.`)
      return undefined
    }
    if (this.read.has(read.real)) return []
    const refused = this.refuse(read)
    if (refused === undefined) return this.put(read, shown, [])
    this.say(`${shown}, because ${refused}.`)
    return undefined
  }

  /** Why a text cannot be used, as a clause. */
  private refuse({ text }: ReadFile): string | undefined {
    if (text.trim() === '') return 'it is empty'
    const reason = this.unsafe(text.slice(0, this.limit))
    if (reason !== undefined) return `it ${reason}`
    const nearer = `the nearer files take all ${this.limit.toLocaleString('en-US')} characters`
    return this.room <= 0 ? nearer : undefined
  }

  /** Count a text against the limit, and read the files that it names. `above`: the files that led to it. */
  private async put(
    { real, text }: ReadFile,
    shown: string,
    above: readonly string[],
  ): Promise<ProjectFile[]> {
    const by = above.at(-1)
    this.read.set(real, { shown, text })
    const room = this.room
    const kept = text.slice(0, room)
    this.room -= kept.length
    const { mentions, more } = mentionsIn(kept)
    if (more) this.say(`files that ${shown} names late, because it names very many.`)
    const named: ProjectFile[] = []
    let marked = ''
    let from = 0
    for (const mention of mentions) {
      const found = await this.name(mention, real, [...above, real])
      if (found === undefined) continue
      if ('files' in found) {
        named.push(...found.files)
        continue
      }
      const path = showHiddenInLine(mention.paths.at(-1)!.slice(0, 200))
      this.say(`${path}, which ${shown} names, because it ${found.refused}.`)
      if (++this.marks > MOST_MARKS) continue
      marked += `${kept.slice(from, mention.end)} [not read: it ${found.mark ?? found.refused}]`
      from = mention.end
    }
    const rest = this.cut(shown, text, room).slice(from)
    const place = by === undefined ? {} : { place: { kind: 'named', by: this.read.get(by)!.shown } as const }
    return [{ file: shown, text: marked + rest, ...place }, ...named]
  }

  private cut(shown: string, text: string, room: number): string {
    if (text.length <= room) return text
    this.say(`the end of ${shown}: only its first ${room.toLocaleString('en-US')} characters fit.`)
    return cutText(text, room)
  }

  /** Resolve a mention to files or a reason against it; undefined for a plain word or a known file. */
  private async name(
    { paths, isClear }: Mention,
    from: string,
    above: readonly string[],
  ): Promise<{ files: ProjectFile[] } | (NotRead & { mark?: string }) | undefined> {
    const found = await this.firstOf(paths, from)
    if (isRefusal(found)) {
      // `@types/node` is a package, even if a folder of that name exists.
      const isFolder = found.refused === 'is a folder'
      const isMeant = isFolder ? paths[0]!.endsWith('/') : !found.missing
      return isClear || isMeant ? found : undefined
    }
    const { real } = found.read
    if (above.includes(real)) return { refused: 'leads in a circle back to this file' }
    if (this.read.has(real)) return undefined
    if (above.length > DEEPEST) return { refused: `lies more than ${DEEPEST} files deep` }
    if (this.named >= MOST_NAMED) return { refused: `comes after ${MOST_NAMED} others` }
    const { text } = found.read
    const reason = this.unsafe(text.slice(0, this.limit))
    if (reason !== undefined) return { refused: reason, mark: 'is not safe' }
    if (text.trim() === '') return { refused: 'is empty' }
    if (this.room <= 0) return { refused: 'finds no room' }
    this.named++
    return { files: await this.put(found.read, this.show(found.path), above) }
  }

  private async firstOf(
    paths: readonly string[],
    from: string,
  ): Promise<{ read: ReadFile; path: string } | NotRead> {
    let last: NotRead = { refused: 'does not exist', missing: true }
    for (const given of paths) {
      if (/^~[\\/]/.test(given)) return { refused: 'leads out of the folder that you trust' }
      const path = resolve(dirname(from), given)
      const read = await readInside(this.area, path, this.limit + 1)
      if (!isRefusal(read)) return { read, path }
      last = read
      if (!read.missing) return read
    }
    return last
  }

  /** Whether a file beside the used one adds nothing: it has the same text, or only names that file. */
  private async saysNoMore(path: string): Promise<boolean> {
    const read = await readInside(this.area, path, this.limit + 1)
    if (isRefusal(read)) return false
    const text = read.text.trim()
    if (text === '' || this.read.has(read.real)) return true
    if ([...this.read.values()].some(each => each.text.trim() === text)) return true
    const { mentions } = mentionsIn(text)
    const [only] = mentions
    if (only === undefined || mentions.length > 1 || !/^(?:#[^\n]*\n\s*)?@\S+$/.test(text)) return false
    const found = await this.firstOf(only.paths, read.real)
    return !isRefusal(found) && this.read.has(found.read.real)
  }
}
