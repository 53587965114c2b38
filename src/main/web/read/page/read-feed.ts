import { pageText } from '../../../documents/web/html.ts'
import { walkMarkup } from '../../../documents/web/markup.ts'
import { many } from '../../../../shared/text/amounts.ts'
import { parseJson } from '../../../lib/expected-errors.ts'
import { absoluteAddress } from '../markdown/inline-text.ts'
import { readDay } from './page-head.ts'

/** A feed as a list of its entries. */
export type Feed = { title: string; date?: string; markdown: string; problems: string[] }

type Entry = { title: string; link: string; date: string; text: string }

const MOST_ENTRIES = 200
const LONGEST_TEXT = 400

/** Read a feed (RSS, Atom, RDF or JSON Feed), one line per entry with its date; undefined for other texts. */
export function readFeed(text: string, address: string): Feed | undefined {
  const found = /^\s*\{/.test(text) ? fromJson(text) : fromMarkup(text)
  if (!found) return undefined
  const { title, entries } = found
  const shown = entries.slice(0, MOST_ENTRIES)
  const dates = entries.map(entry => readDay(entry.date)).filter(each => each !== undefined)
  const newest = dates.toSorted().at(-1)
  return {
    title: oneLine(title),
    ...(newest && { date: newest }),
    markdown: shown.map(entry => sayEntry(entry, address)).join('\n'),
    problems: [
      `It is a feed with ${many(entries.length, 'entry', 'entries')}.`,
      ...(shown.length < entries.length ? [`Only the first ${MOST_ENTRIES} are shown.`] : []),
    ],
  }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function sayEntry({ title, link, date, text }: Entry, address: string): string {
  const target = absoluteAddress(link || null, address)
  const named = oneLine(plain(title)) || 'Without a title'
  const day = readDay(date)
  const about = oneLine(plain(text))
  const head = target === undefined ? named : `[${named.replaceAll(/[[\]]/g, '')}](${target})`
  const short =
    about.length > LONGEST_TEXT ? `${about.slice(0, LONGEST_TEXT).replace(/(?<!\s)\s+\S*$/, '')} …` : about
  return `- ${day === undefined ? '' : `${day} `}${head}${short === '' || short === named ? '' : `: ${short}`}`
}

/** Convert a summary to plain text, because it may be HTML. */
const plain = (text: string) => (/<[a-z!/]|&[a-z#]/i.test(text) ? pageText(text).text : text)

function fromMarkup(text: string): { title: string; entries: Entry[] } | undefined {
  const entries: Entry[] = []
  let title = ''
  let entry: Entry | undefined
  let isFeed = false
  const path: string[] = []
  const add = (said: string) => {
    const name = path.at(-1) ?? ''
    if (!entry) {
      if (name === 'title' && /^(?:channel|feed|rdf)$/.test(path.at(-2) ?? '')) title += said
      return
    }
    // Deeper elements are HTML of the entry.
    const part = path.find(each => /^(?:description|summary|content|encoded)$/.test(each))
    if (part !== undefined) {
      if (part !== 'content' || entry.text.length < LONGEST_TEXT) entry.text += said
    } else if (name === 'title') entry.title += said
    else if (name === 'link') entry.link += said.trim()
    else if (/^(?:pubdate|published|date)$/.test(name)) entry.date += said.trim()
    else if (name === 'updated' && entry.date === '') entry.date = said.trim()
  }
  walkMarkup(text, {
    open(tag) {
      const name = tag.name.toLowerCase()
      if (path.length === 0) isFeed = /^(?:rss|feed|rdf|channel)$/.test(name)
      path.push(name)
      if (name === 'item' || name === 'entry') entry = { title: '', link: '', date: '', text: '' }
      else if (
        name === 'link' &&
        entry &&
        entry.link === '' &&
        (tag.get('rel') ?? 'alternate') === 'alternate'
      )
        entry.link = tag.get('href') ?? ''
    },
    close(name) {
      const at = path.lastIndexOf(name.toLowerCase())
      if (at >= 0) path.length = at
      if (entry && /^(?:item|entry)$/i.test(name)) {
        entries.push(entry)
        entry = undefined
      }
    },
    text: add,
  })
  return isFeed ? { title, entries } : undefined
}

function fromJson(text: string): { title: string; entries: Entry[] } | undefined {
  const feed = parseJson(text)
  if (typeof feed !== 'object' || feed === null || !('items' in feed) || !Array.isArray(feed.items))
    return undefined
  const say = (item: object, ...names: string[]): string => {
    const values: Record<string, unknown> = { ...item }
    return (
      (names.map(name => values[name]).find(value => typeof value === 'string' && value !== '') as
        | string
        | undefined) ?? ''
    )
  }
  const items: unknown[] = feed.items
  const entries = items.flatMap(item =>
    typeof item === 'object' && item !== null
      ? [
          {
            title: say(item, 'title'),
            link: say(item, 'url', 'external_url', 'id'),
            date: say(item, 'date_published', 'date_modified'),
            text: say(item, 'summary', 'content_text', 'content_html'),
          },
        ]
      : [],
  )
  return { title: say(feed, 'title'), entries }
}
