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

/** All sources in their usual order: those that the person set up, then those that ask for nothing. */
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

/** How long a source that limited us is left alone, and how long one may take, in ms. */
const PAUSE_MS = 10 * 60_000
const ANSWER_MS = 12_000

/** What a search needs to know of the settings, at the time of each search. */
type Needs = {
  fetchAddress: FetchAddress
  /** The key of a name, or the address of the person's own server. */
  keyOf(name: string): string | undefined
  /** The names of the sources that are switched off, and of those that are asked first. */
  settings(): { off: readonly string[]; first: readonly string[] }
  isLocked(): boolean
  now(): number
}

type Answer = Exclude<Awaited<ReturnType<SearchWeb>>, Refusal>

/** Asks the sources for words: one after the other, until one answers. */
export function openSearch({ fetchAddress, keyOf, settings, isLocked, now }: Needs) {
  /** When each source that limited us may be asked again. */
  const paused = new Map<string, number>()

  function inOrder(): readonly SearchSource[] {
    const { first } = settings()
    const rank = ({ name }: SearchSource) => (first.includes(name) ? first.indexOf(name) : first.length)
    return SOURCES.toSorted((a, b) => rank(a) - rank(b))
  }

  const keyFor = ({ key }: SearchSource) => (key === undefined ? '' : keyOf(key)?.trim() || undefined)

  /** It answers on this computer. */
  function isNearby({ isOwnServer, key }: SearchSource): boolean {
    const host = isOwnServer && key !== undefined ? URL.parse(keyOf(key)?.trim() ?? '')?.hostname : undefined
    return host !== undefined && isThisComputer(host)
  }

  /** What is missing before it can be asked. */
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
      // What the person did not set up was not passed over.
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
    /** Ask one source, whatever is switched on, and say what came; undefined for a name that there is not. */
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

/** Every source knows something of them. */
const TEST_WORDS = 'blue whale'

const inMinutes = (ms: number): string => {
  const minutes = Math.ceil(ms / 60_000)
  return byCount(minutes, 'a minute', `${minutes} minutes`)
}

/** Why no source answered. */
function whyNone(passed: readonly PassedSource[], isLocked: boolean): string {
  if (isLocked)
    return 'The offline lock is on, so nothing outside this computer is searched. A SearXNG on this computer would work (SEARXNG_URL).'
  if (passed.length === 0)
    return 'Every source of searches is switched off in the settings (web.sources_off).'
  return `No source answered. ${passed.map(({ source, why }) => `${source}: ${why}`).join(' ')}`
}
