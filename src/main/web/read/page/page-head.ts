import type { PageDocument } from '../dom.ts'
import { squeezeSpace } from '../markdown/element-kinds.ts'
import type { LinkedData } from './linked-data.ts'

/** The head of a page that was read. */
export type PageHead = { title: string; site?: string; date?: string; canonical?: string }

const LONGEST_TITLE = 300
const LONGEST_SITE = 100

/** Read title, site, date and canonical address of a page, in any of the common forms. */
export function readHead(document: PageDocument, address: string, data: LinkedData): PageHead {
  const meta = readMeta(document)
  const site = clean(meta('og:site_name', 'application-name') ?? data.site, LONGEST_SITE)
  const title = chooseTitle(document, {
    said: meta('og:title', 'twitter:title', 'dc.title', 'citation_title') ?? data.title,
    site,
    address,
  })
  const date = readDay(
    data.published,
    meta(
      'article:published_time',
      'article:published',
      'datepublished',
      'date',
      'dc.date',
      'dc.date.issued',
      'dcterms.created',
      'dcterms.date',
      'citation_publication_date',
      'citation_date',
      'parsely-pub-date',
      'sailthru.date',
      'pubdate',
      'publish-date',
      'publication_date',
      'og:published_time',
    ),
    timeOf(document),
  )
  const canonical = canonicalOf(document, address)
  return { title, ...(site && { site }), ...(date && { date }), ...(canonical && { canonical }) }
}

function readMeta(document: PageDocument): (...names: string[]) => string | undefined {
  const said = new Map<string, string>()
  for (const meta of document.querySelectorAll('meta')) {
    const name = meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('itemprop')
    const content = meta.getAttribute('content')?.trim()
    const key = name?.trim().toLowerCase()
    if (key && content && !said.has(key)) said.set(key, content)
  }
  return (...names) => names.map(name => said.get(name)).find(each => each !== undefined)
}

const clean = (text: string | undefined, longest: number): string | undefined => {
  const bare = squeezeSpace(text ?? '').trim()
  if (bare === '') return undefined
  return bare.length > longest ? `${bare.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : bare
}

type Titles = { said: string | undefined; site: string | undefined; address: string }

function chooseTitle(document: PageDocument, { said, site, address }: Titles): string {
  const whole = clean(document.querySelector('title')?.textContent ?? undefined, LONGEST_TITLE)
  const headings = [...document.querySelectorAll('h1')]
    .map(each =>
      squeezeSpace(each.textContent ?? '')
        .replace(/(?<!\s)\s*[¶#§🔗]+\s*$/u, '')
        .trim(),
    )
    .filter(Boolean)
  const named = clean(said, LONGEST_TITLE)
  // A heading that also occurs in the window title is the title of the page.
  const inBoth = headings.find(each => each.length > 3 && (whole?.includes(each) === true || named === each))
  const title = inBoth ?? named ?? whole ?? headings[0] ?? ''
  return clean(withoutSite(title, site, address), LONGEST_TITLE) ?? ''
}

/** Remove the name of the site at the end of a title. */
function withoutSite(title: string, site: string | undefined, address: string): string {
  const parts = title.split(/\s+[|–—·•»:-]\s+|\s*\|\s*/)
  const last = parts.at(-1)
  if (parts.length < 2 || last === undefined) return title
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  const host = plain((URL.parse(address)?.hostname ?? '').replace(/^www\./, '').replace(/\.[a-z]+$/, ''))
  const isSite =
    (site !== undefined && plain(last) === plain(site)) ||
    (plain(last).length > 2 && host.includes(plain(last)))
  return isSite ? title.slice(0, title.lastIndexOf(last)).replace(/(?<!\s)\s*[|–—·•»:-]\s*$/, '') : title
}

function timeOf(document: PageDocument): string | undefined {
  const marked =
    document.querySelector('[itemprop="datePublished"]') ??
    document.querySelector('time[pubdate]') ??
    document.querySelector('article time[datetime]') ??
    document.querySelector('main time[datetime]')
  return (
    marked?.getAttribute('datetime') ??
    marked?.getAttribute('content') ??
    marked?.textContent?.trim() ??
    undefined
  )
}

/** The first of these texts that is a date, as YYYY-MM-DD. */
export function readDay(...said: (string | undefined)[]): string | undefined {
  for (const each of said) {
    if (each === undefined || each.length > 60) continue
    const written = /^\s*(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?!\d)/.exec(each)
    const day = written ? `${written[1]}-${written[2]}-${written[3]}` : dayInWords(each)
    if (day === undefined || Number.isNaN(Date.parse(day))) continue
    const year = Number(day.slice(0, 4))
    if (year >= 1985 && year <= 2100) return day
  }
  return undefined
}

/** Read a date in English words, in whatever time zone it was written. */
function dayInWords(text: string): string | undefined {
  if (!/[a-z]{3}/i.test(text) || !/\d{4}/.test(text)) return undefined
  const bare = text
    .replace(/(\d)(?:st|nd|rd|th)\b/, '$1')
    .replace(/(?<!\s)\s+(?:[A-Z]{2,5}|[+-]\d{4}|GMT.*)$/, '')
  const time = Date.parse(`${bare} UTC`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10)
}

/** The canonical address of a page, if it is on the same site. Others could be false claims. */
function canonicalOf(document: PageDocument, address: string): string | undefined {
  const link = document.querySelector('link[rel="canonical"]')?.getAttribute('href')
  const said = link === undefined || link === null ? null : URL.parse(link, address)
  const here = URL.parse(address)
  if (said === null || here === null || !/^https?:$/.test(said.protocol) || said.username !== '')
    return undefined
  const bare = (host: string) => host.replace(/^(?:www|m|mobile|amp)\./, '')
  if (bare(said.hostname) !== bare(here.hostname) || said.href.length > 1_000) return undefined
  return said.href === here.href ? undefined : said.href
}
