import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { WebHit } from '../../shared/contract/connections/web.ts'
import { fileErrorCode, parseJson } from '../lib/expected-errors.ts'
import { newId } from '../lib/ids.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'
import { framesIn } from '../untrusted/strangers-text.ts'

/** How long searches and pages are kept, in ms. */
const KEPT_MS = 20 * 60_000
/** Maximum number of kept searches and pages, and their total bytes. */
const MOST_KEPT = 200
const MOST_BYTES = 50_000_000

const KeptSearch = z.object({
  answeredBy: z.string(),
  hits: z.array(WebHit),
  passed: z.array(z.object({ source: z.string(), why: z.string() })),
})
/** The results of a search. */
export type KeptSearch = z.infer<typeof KeptSearch>

const KeptPage = z.object({
  /** The last address after redirects. */
  address: z.string(),
  title: z.string(),
  site: z.string().optional(),
  date: z.string().optional(),
  markdown: z.string(),
  hidden: z.array(z.string()),
  problems: z.array(z.string()),
  readAt: z.number(),
})
/** A page that was read. */
export type KeptPage = z.infer<typeof KeptPage>

type Entry = { id: string; at: number; bytes: number }

/**
 * Keep searches and pages for 20 minutes, each in a file of a cache folder in the home. So they count towards
 * its size, are in no backup, and are deleted with the folder when a chat or a memory is deleted for good.
 * Files from an earlier start are deleted. The caller redacts secrets first.
 */
export function openKeptWeb({
  folder,
  isReadOnly,
  now,
  report,
}: {
  folder: string
  isReadOnly: boolean
  now(): number
  report(error: unknown): void
}) {
  /** Searches and pages by the words or address requested. */
  const searches = new Map<string, Entry>()
  const pages = new Map<string, Entry>()
  const pathOf = (id: string) => join(folder, `${id}.json`)
  const ready = isReadOnly ? Promise.resolve() : removeLeft(folder).catch(report)
  let timer: NodeJS.Timeout | undefined

  async function read<T>(schema: z.ZodType<T>, entry: Entry | undefined): Promise<T | undefined> {
    if (!entry || entry.at + KEPT_MS <= now()) return undefined
    try {
      return schema.safeParse(parseJson(await readFile(pathOf(entry.id), 'utf8'))).data
    } catch (error) {
      // A purge may have deleted the file.
      fileErrorCode(error)
      return undefined
    }
  }

  async function keep(list: Map<string, Entry>, asked: string, value: unknown, id: string): Promise<void> {
    if (isReadOnly) return
    await ready
    const text = JSON.stringify(value)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(pathOf(id), text, { mode: 0o600 })
    } catch (error) {
      // With a full disk, it is just fetched again.
      fileErrorCode(error)
      return
    }
    const before = list.get(asked)
    if (before) await rm(pathOf(before.id), { force: true })
    list.delete(asked)
    list.set(asked, { id, at: now(), bytes: Buffer.byteLength(text) })
    await tidy()
  }

  /** Delete files that are too old or too many. */
  async function tidy(): Promise<void> {
    const gone: string[] = []
    let bytes = [...searches.values(), ...pages.values()].reduce((sum, entry) => sum + entry.bytes, 0)
    // The oldest come first, and pages take nearly all of the space.
    for (const list of [searches, pages])
      for (const [asked, entry] of list) {
        const isTooMuch = list.size > MOST_KEPT || (bytes > MOST_BYTES && list.size > 1)
        if (entry.at + KEPT_MS > now() && !isTooMuch) continue
        list.delete(asked)
        bytes -= entry.bytes
        gone.push(entry.id)
      }
    await Promise.all(gone.map(id => rm(pathOf(id), { force: true }).catch(report)))
    clearTimeout(timer)
    if (searches.size + pages.size > 0) timer = setTimeout(() => void tidy(), KEPT_MS).unref()
  }

  return {
    search: (words: string) => read(KeptSearch, searches.get(plainWords(words))),
    keepSearch: (words: string, found: KeptSearch) =>
      keep(searches, plainWords(words), found, newId('search')),
    /** The kept page of an address, with its id. */
    async page(address: string): Promise<{ id: string; page: KeptPage } | undefined> {
      const entry = pages.get(plainAddress(address))
      const page = await read(KeptPage, entry)
      return entry && page && { id: entry.id, page }
    },
    async keepPage(address: string, page: KeptPage): Promise<string> {
      const id = newId('page')
      await keep(pages, plainAddress(address), page, id)
      return id
    },
    /** The page that was read under this id. */
    pageOf: (id: string) =>
      read(
        KeptPage,
        [...pages.values()].find(each => each.id === id),
      ),
    close: () => clearTimeout(timer),
  }
}

async function removeLeft(folder: string): Promise<void> {
  try {
    for (const name of await readdir(folder)) await rm(join(folder, name), { force: true, recursive: true })
  } catch (error) {
    if (fileErrorCode(error) !== 'ENOENT') throw error
  }
}

/** Normalise the words of a search, so that equal searches match. */
const plainWords = (words: string): string => words.toLowerCase().replaceAll(/\s+/g, ' ').trim()
/** Remove the part of an address that leads to a section of the page. */
const plainAddress = (address: string): string => {
  const url = URL.parse(address)
  if (!url) return address
  url.hash = ''
  return url.href
}

/** Rebuild a page that is no longer kept: the parts that the model read, without the removed texts. */
export function pageInChat(messages: readonly Message[], pageId: string) {
  const parts = messages.flatMap(message => {
    const page =
      message.role === 'tool' ? message.record.web?.pages.find(each => each.pageId === pageId) : undefined
    return page && message.role === 'tool' ? [{ page, at: message.at, text: message.text }] : []
  })
  const [first] = parts
  if (!first) return undefined
  const { title, address, date } = first.page
  const texts = new Set(parts.map(({ text }) => bodyOf(text)))
  return {
    title,
    address,
    ...(date !== undefined && { date }),
    readAt: first.at,
    markdown: [...texts].join('\n\n'),
    hidden: [],
    fromChat: true as const,
  }
}

/** The text of a page, without the result's lines about it. */
const bodyOf = (result: string): string =>
  framesIn(result)
    .map(({ text }) => text.replace(/^(?:(?:Title|Site|Date): [^\n]*\n)*\n/, '').trim())
    .join('\n\n')
