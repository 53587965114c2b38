import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HelpGroup } from '../../shared/contract/help.ts'
import { undefinedIfMissing } from '../lib/expected-errors.ts'
import { helpFolder } from '../lib/disk/shipped-files.ts'
import { letOthersRun } from '../lib/timing.ts'
import type { Document } from './read-document.ts'

/** The document folders that Help shows, in order. All others are for developers of Talaria. */
const GROUPS = [
  ['guide', 'Guide'],
  ['models', 'Models'],
  ['security', 'Security'],
  ['data', 'Your data'],
  ['reference', 'Reference'],
] as const

/** The order of the guide, for reading from first to last. Pages not named follow by title. */
const GUIDE_ORDER =
  `first-steps chat files memory search learning skills projects schedules permissions connections messengers web sub-agents branches
  temporary-chats mixtures batches other-agents small-server privacy keyboard desktop backups terminal`.split(
    /\s+/,
  )

/** Maximum size of a page in bytes; a larger file is not one of our documents. */
const LONGEST_PAGE = 1_000_000
const LARGEST_PICTURE = 2_000_000
const MOST_PICTURES = 20
/** A reference to a picture in a page, in Markdown or HTML. */
const PICTURE = /\.\.\/images\/([\w.-]+)/g
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
}

/** A parsed page. `id` is its group and name, such as `guide/chat`. */
export type HelpDocument = Document & { id: string; group: string; markdown: string }

/** The documents that ship with Talaria. */
export type Help = {
  /** Return all pages in order. Unchanged ones are not read again. */
  readPages(): Promise<HelpDocument[]>
  /** Return the pictures of a page as data URLs, by name. Missing or too large ones are left out. */
  readPictures(markdown: string): Promise<Record<string, string>>
}

/** Open the documents in a folder. Files are read on request, and only if the folder lists their names. */
export function openHelp(folder: string = helpFolder()): Help {
  const images = join(folder, 'images')
  const known = new Map<string, { version: string; page: HelpDocument }>()

  async function readPage(group: string, name: string): Promise<HelpDocument | undefined> {
    const id = `${group}/${name}`
    const file = join(folder, `${id}.md`)
    const found = await stat(file).catch(undefinedIfMissing)
    if (!found?.isFile() || found.size > LONGEST_PAGE) return undefined
    const version = `${found.mtimeMs} ${found.size}`
    const last = known.get(id)
    if (last?.version === version) return last.page
    // A leading comment is for editors of the page, and not part of it.
    const markdown = (await readFile(file, 'utf8')).replace(/^<!--[^]*?-->\s*/, '')
    // The Markdown parser is loaded with the first page.
    const { readDocument } = await import('./read-document.ts')
    const page = { id, group, markdown, ...readDocument(markdown, name) }
    known.set(id, { version, page })
    await letOthersRun()
    return page
  }

  return {
    async readPages() {
      const pages: HelpDocument[] = []
      for (const [group] of GROUPS) {
        const names = (await namesOf(join(folder, group))).flatMap(
          name => /^([\w-]+)\.md$/.exec(name)?.[1] ?? [],
        )
        const found: HelpDocument[] = []
        for (const name of names) {
          const page = await readPage(group, name)
          if (page) found.push(page)
        }
        pages.push(
          ...found.toSorted((a, b) => placeOf(a) - placeOf(b) || a.title.localeCompare(b.title, 'en')),
        )
      }
      return pages
    },
    async readPictures(markdown) {
      const names = new Set(Array.from(markdown.matchAll(PICTURE), ([, name]) => name!))
      const there = names.size === 0 ? [] : await namesOf(images)
      const pictures: Record<string, string> = {}
      for (const name of there.filter(each => names.has(each)).slice(0, MOST_PICTURES)) {
        const type = TYPES[/\.([a-z]+)$/.exec(name)?.[1] ?? '']
        const file = join(images, name)
        if (type === undefined || (await stat(file)).size > LARGEST_PICTURE) continue
        pictures[name] = `data:${type};base64,${await readFile(file, 'base64')}`
      }
      return pictures
    },
  }
}

/** Group pages, without their texts. */
export const groupPages = (pages: readonly HelpDocument[]): HelpGroup[] =>
  GROUPS.map(([group, title]) => ({
    title,
    pages: pages
      .filter(each => each.group === group)
      .map(({ id, title: of, about, sections }) => ({
        id,
        title: of,
        about,
        headings: sections.flatMap(({ heading: text, anchor, level }) =>
          text === null || anchor === null ? [] : [{ text, anchor, level }],
        ),
      })),
  })).filter(({ pages: of }) => of.length > 0)

function placeOf({ group, id }: HelpDocument): number {
  const place = group === 'guide' ? GUIDE_ORDER.indexOf(id.slice(group.length + 1)) : -1
  return place < 0 ? GUIDE_ORDER.length : place
}

/** Return the names in a folder; empty if it is missing. */
async function namesOf(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(undefinedIfMissing)) ?? []
}
