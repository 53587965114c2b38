import { byCount } from '../../../shared/text/amounts.ts'
import type { PassedSource, WebSource } from '../../../shared/contract/connections/web.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { isThisComputer, OfflineError } from '../../lib/network/offline.ts'
import type { FetchAddress, NotFetched, SearchWeb } from '../web-parts.ts'
import { cleanHits } from './clean-hits.ts'
import { languageOfWords } from './language-of-words.ts'
import { isTrouble, troubleByStatus, type SearchSource, type SourceTrouble } from './search-source.ts'
import { duckDuckGo, mojeek } from './sources/page-sources.ts'
import { marginalia, wikipedia } from './sources/open-sources.ts'
import { brave, exa, firecrawl, tavily } from './sources/keyed-sources.ts'
import { searxng } from './sources/own-server.ts'

/** All sources in their usual order: those set up by the user, then those that need no setup. */
const SOURCES: readonly SearchSource[] = [
  searxng,
  brave,
  tavily,
  exa,
  firecrawl,
  duckDuckGo,
  mojeek,
  marginalia,
  wikipedia,
]

/** How long to leave a source alone after a rate limit, and how long to wait for an answer, in ms. */
const PAUSE_MS = 10 * 60_000
const ANSWER_MS = 12_000

/** The dependencies of a search, including the settings at the time of each search. */
type Needs = {
  fetchAddress: FetchAddress
  /** The value of a key, or the address of the user's own server. */
  keyOf(name: string): string | undefined
  /** The names of the sources that are switched off, and of those that are asked first. */
  settings(): { off: readonly string[]; first: readonly string[] }
  isLocked(): boolean
  now(): number
}

type Answer = Exclude<Awaited<ReturnType<SearchWeb>>, Refusal>

/** Create the search. It asks the sources in order until one answers. */
export function openSearch({ fetchAddress, keyOf, settings, isLocked, now }: Needs) {
  /** When each rate-limited source may be asked again, in ms since 1970. */
  const paused = new Map<string, number>()

  function inOrder(): readonly SearchSource[] {
    const { first } = settings()
    const rank = ({ name }: SearchSource) => (first.includes(name) ? first.indexOf(name) : first.length)
    return SOURCES.toSorted((a, b) => rank(a) - rank(b))
  }

  const keyFor = ({ key }: SearchSource) => (key === undefined ? '' : keyOf(key)?.trim() || undefined)

  /** Whether a source is on this computer. */
  function isNearby({ isOwnServer, key }: SearchSource): boolean {
    const host = isOwnServer && key !== undefined ? URL.parse(keyOf(key)?.trim() ?? '')?.hostname : undefined
    return host !== undefined && isThisComputer(host)
  }

  /** Say what a source lacks before it can be asked; undefined if nothing. */
  function lackOf(source: SearchSource): string | undefined {
    const { key, isOwnServer, title } = source
    const given = keyFor(source)
    if (key === undefined) return undefined
    if (given === undefined)
      return isOwnServer
        ? `Set ${key} to the address of your ${title}, such as http://localhost:8888.`
        : `Its key is missing: ${key}.`
    if (isOwnServer && !/^https?:\/\/[^\s/@]/.test(given))
      return `${key} is not a web address such as http://localhost:8888.`
    return undefined
  }

  async function askSource(
    source: SearchSource,
    words: string,
    signal: AbortSignal,
  ): Promise<{ hits: Answer['hits'] } | SourceTrouble> {
    const { title } = source
    const asked = source.ask(words, { key: keyFor(source) ?? '', language: languageOfWords(words) })
    const limit = AbortSignal.timeout(ANSWER_MS)
    const { address, ...options } = asked
    const page = await fetchAddress(address, {
      ...options,
      signal: AbortSignal.any([signal, limit]),
      subject: `a search with ${title}`,
    }).catch((error: unknown): NotFetched => {
      signal.throwIfAborted()
      if (limit.aborted) return { refused: `${title} did not answer in time.` }
      if (error instanceof OfflineError) return { refused: 'The offline lock is on.' }
      throw error
    })
    signal.throwIfAborted()
    if (isRefusal(page)) {
      if (limit.aborted) return { why: `${title} did not answer in time.` }
      const { status, refused } = page
      return (status !== undefined && troubleByStatus(source, { status, cut: false }, '')) || { why: refused }
    }
    const text = new TextDecoder().decode(page.bytes)
    const trouble = troubleByStatus(source, page, text)
    if (trouble) return trouble
    const read = await source.read(text, asked)
    return isTrouble(read) ? read : { hits: cleanHits(read) }
  }

  async function tryOne(source: SearchSource, words: string, signal: AbortSignal) {
    const outcome = await askSource(source, words, signal)
    if ('why' in outcome && outcome.pauses) paused.set(source.name, now() + PAUSE_MS)
    else paused.delete(source.name)
    return outcome
  }

  const search: SearchWeb = async (words, { signal }) => {
    const passed: PassedSource[] = []
    let empty: string | undefined
    const { off } = settings()
    for (const source of inOrder()) {
      const { name, title } = source
      // Sources that the user did not set up do not count as passed over.
      if (off.includes(name) || keyFor(source) === undefined) continue
      const pass = (why: string) => void passed.push({ source: title, why })
      const lack = lackOf(source)
      const until = paused.get(name) ?? 0
      if (lack !== undefined) pass(lack)
      else if (isLocked() && !isNearby(source)) pass('The offline lock is on.')
      else if (until > now()) pass(`It limited searches, and is asked again in ${inMinutes(until - now())}.`)
      else {
        const outcome = await tryOne(source, words, signal)
        if ('why' in outcome) pass(outcome.why)
        else if (outcome.hits.length === 0) {
          empty ??= title
          pass('It found nothing.')
        } else return { ok: true, answeredBy: title, hits: outcome.hits, passed }
      }
    }
    if (empty !== undefined)
      return {
        ok: true,
        answeredBy: empty,
        hits: [],
        passed: passed.filter(each => each.source !== empty),
      }
    return { refused: whyNone(passed, isLocked()) }
  }

  return {
    search,
    /** The sources as Settings shows them, in the order in which they are asked. */
    list(): WebSource[] {
      const { off } = settings()
      return inOrder().map(source => {
        const needs = lackOf(source)
        return {
          name: source.name,
          title: source.title,
          says: source.says,
          on: !off.includes(source.name),
          ...(source.key !== undefined && { key: source.key }),
          ...(needs !== undefined && { needs }),
          nearby: isNearby(source),
        }
      })
    },
    /** Ask one source, even if it is switched off, and report the result; undefined for an unknown name. */
    async test(name: string, signal: AbortSignal): Promise<{ ok: boolean; text: string } | undefined> {
      const source = SOURCES.find(each => each.name === name)
      if (!source) return undefined
      const lack = lackOf(source)
      if (lack !== undefined) return { ok: false, text: lack }
      if (isLocked() && !isNearby(source))
        return { ok: false, text: 'The offline lock is on, so it was not asked.' }
      const outcome = await tryOne(source, TEST_WORDS, signal)
      if ('why' in outcome) return { ok: false, text: outcome.why }
      const [first] = outcome.hits
      return first
        ? { ok: true, text: `It works. For “${TEST_WORDS}” it found, among others: ${first.title}` }
        : { ok: false, text: `It answers, but found nothing for “${TEST_WORDS}”.` }
    },
  }
}

/** Words about which every source knows something. */
const TEST_WORDS = 'blue whale'

const inMinutes = (ms: number): string => {
  const minutes = Math.ceil(ms / 60_000)
  return byCount(minutes, 'a minute', `${minutes} minutes`)
}

/** Explain why no source answered. */
function whyNone(passed: readonly PassedSource[], isLocked: boolean): string {
  if (isLocked)
    return 'The offline lock is on, so nothing outside this computer is searched. A SearXNG on this computer would work (SEARXNG_URL).'
  if (passed.length === 0)
    return 'Every source of searches is switched off in the settings (web.sources_off).'
  return `No source answered. ${passed.map(({ source, why }) => `${source}: ${why}`).join(' ')}`
}
