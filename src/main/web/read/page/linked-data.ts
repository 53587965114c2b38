import { parseJson } from '../../../lib/expected-errors.ts'
import type { PageDocument } from '../dom.ts'

/** Facts about its article that a page gives to search engines (JSON-LD). */
export type LinkedData = {
  title?: string
  site?: string
  published?: string
  /** The text of the article. Some pages have it only here and show it by script. */
  text?: string
  /** The page says that not everyone may read it in full. */
  isLocked?: boolean
}

const ARTICLES =
  /^(?:News|Blog|Tech|Scholarly|Medical|Opinion|Analysis|Review|Report|Satirical|Advertiser)*(?:Article|Posting|NewsArticle|Report)$|^(?:Recipe|Question|HowTo|WebPage|Product|DiscussionForumPosting|SocialMediaPosting)$/
const DEEPEST = 6
const MOST_SCRIPTS = 20

/** Read a page's JSON-LD. Call this before its scripts are removed. */
export function readLinkedData(document: PageDocument): LinkedData {
  const found: Record<string, unknown>[] = []
  const scripts = [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, MOST_SCRIPTS)
  for (const script of scripts) {
    const text = (script.textContent ?? '').trim().replace(/^<!--|-->$|^\/\/<!\[CDATA\[|\/\/\]\]>$/g, '')
    gather(parseJson(text), found, 0)
  }
  const typed = (item: Record<string, unknown>) =>
    [item['@type']].flat().filter(each => typeof each === 'string')
  const article =
    found.find(item => typed(item).some(type => ARTICLES.test(type) && type !== 'WebPage')) ??
    found.find(item => typed(item).includes('WebPage'))
  if (!article) return {}
  const publisher = [article['publisher']].flat()[0]
  return compact({
    title: textOf(article['headline']) ?? textOf(article['name']),
    site: isObject(publisher) ? textOf(publisher['name']) : undefined,
    published: textOf(article['datePublished']),
    text: textOf(article['articleBody']) ?? textOf(article['text']),
    isLocked:
      article['isAccessibleForFree'] === false ||
      /^false$/i.test(String(article['isAccessibleForFree'])) ||
      undefined,
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

function gather(value: unknown, found: Record<string, unknown>[], depth: number): void {
  if (depth > DEEPEST || found.length > 500) return
  if (Array.isArray(value)) for (const each of value) gather(each, found, depth + 1)
  else if (isObject(value)) {
    if ('@type' in value) found.push(value)
    for (const key of ['@graph', 'mainEntity', 'mainEntityOfPage']) gather(value[key], found, depth + 1)
  }
}

function compact(data: { [K in keyof LinkedData]: LinkedData[K] | undefined }): LinkedData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))
}
