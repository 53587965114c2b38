import { join } from 'node:path'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import type { WebHit } from '../../../../shared/contract/connections/web.ts'
import { ORIGIN_RULES } from '../../../../shared/origin-rules.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { SMALLEST_WEB_WINDOW } from '../../../../shared/words/web-words.ts'
import type { PromptSection } from '../../../agent/prompt.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { Secrets } from '../../../config/secrets.ts'
import type { Store } from '../../../db/store.ts'
import { isRefusal, type Refusal } from '../../../lib/expected-errors.ts'
import { redactText } from '../../../untrusted/redact.ts'
import { openKeptWeb, type KeptPage, type KeptSearch, pageInChat } from '../../../web/kept-web.ts'
import { numberPages } from '../../../web/number-pages.ts'
import { openSearch } from '../../../web/search/open-web-search.ts'
import { fullAddress, webReadTool } from '../../../web/tools/web-read.ts'
import { webSearchTool } from '../../../web/tools/web-search.ts'
import {
  WEB_READ,
  WEB_SEARCH,
  WEB_TOOLSET,
  type FetchAddress,
  type ReadFetched,
} from '../../../web/web-parts.ts'
import type { SpawnReader } from '../../../documents/read-document.ts'
import { judgeLiteral, judgePlace } from '../../../web/addresses/judge-address.ts'
import { keyInAddress } from '../../../web/addresses/keys-in-addresses.ts'
import type { PageReader } from '../../../web/read/read-fetched.ts'

type Needs = {
  home: string
  /** Whether nothing may be written to the cache. */
  isReadOnly: boolean
  config: ConfigHandle
  secrets: Pick<Secrets, 'get'>
  store: Pick<Store, 'messages'>
  network: { isLocked(): boolean; fetchAddress: FetchAddress }
  /** Starts the document reader, for PDF and office files. */
  spawn: SpawnReader | undefined
  /** Replaces the network and the reader in tests. */
  access: { fetchAddress: FetchAddress; readFetched: ReadFetched } | undefined
  now(): number
  report(error: unknown): void
}

/** The web for models and users: searches, pages, their cache, and the text for models while it is off. */
export function webFeature(needs: Needs) {
  const { home, isReadOnly, config, secrets, store, network, now, report } = needs
  const own = readLazily(needs.spawn)
  const { fetchAddress, readFetched } = needs.access ?? {
    fetchAddress: network.fetchAddress,
    readFetched: own,
  }
  const kept = openKeptWeb({ folder: join(home, 'cache', 'web'), isReadOnly, now, report })
  const sources = openSearch({
    fetchAddress,
    keyOf: secrets.get,
    settings: () => ({ off: config.current.web.sources_off, first: config.current.web.sources_first }),
    isLocked: network.isLocked,
    now,
  })
  const numberOf = numberPages(sessionId => store.messages.history(sessionId))

  async function find(words: string, signal: AbortSignal): Promise<KeptSearch | Refusal> {
    const before = await kept.search(words)
    if (before) return before
    const found = await sources.search(words, { signal })
    if (isRefusal(found)) return found
    const { answeredBy, hits, passed } = found
    const search = { answeredBy, hits: hits.map(withoutSecrets), passed: [...passed] }
    if (hits.length > 0) await kept.keepSearch(words, search)
    return search
  }

  /** Hosts with a public name that resolved to this computer or the user's network. */
  const leadHome = new Set<string>()
  const isAllowed = (host: string) => config.current.web.private_hosts.includes(host)

  /**
   * Return why to ask about an address each time (`isHome`: it leads to the user's network), or a refusal.
   */
  function judge(address: string): { nearby?: string; isHome: boolean } | Refusal {
    const { verdict: place, url } = judgePlace(address)
    const whole = judgeLiteral(address)
    if (whole.verdict === 'never' || whole.verdict === 'invalid')
      return { refused: `This address is not read, because ${whole.why}.` }
    if (!url) return { refused: 'This is not a web address.' }
    const isPrivate = place.verdict === 'private' || leadHome.has(url.host)
    const isHome = isPrivate && !isAllowed(url.host)
    const key = keyInAddress(url)
    const home = place.verdict === 'private' ? place.why : HOME
    const carries =
      key === undefined ? [] : [`it contains a login secret (${key}), which would be sent along`]
    const whys = [...(isHome ? [home] : []), ...carries]
    return { isHome, ...(whys.length > 0 && { nearby: whys.join(', and ') }) }
  }

  async function read(
    address: string,
    { signal, mayLeadHome }: { signal: AbortSignal; mayLeadHome: boolean },
  ): Promise<{ id: string; page: KeptPage } | Refusal> {
    const before = await kept.page(address)
    if (before) return before
    const judged = judge(address)
    if (isRefusal(judged)) return judged
    const { host } = new URL(address)
    const mayPrivate = [...config.current.web.private_hosts, ...(mayLeadHome ? [host] : [])]
    const fetched = await fetchAddress(address, { signal, mayPrivate })
    signal.throwIfAborted()
    if (isRefusal(fetched)) {
      if (fetched.privateHost !== undefined) leadHome.add(fetched.privateHost)
      return fetched
    }
    const made = await readFetched(fetched, { signal, browser: config.current.web.look_in_browser })
    signal.throwIfAborted()
    if (isRefusal(made)) return made
    const { title, site, date, markdown, hidden, problems } = made
    const page: KeptPage = {
      address: fetched.address,
      title: redactText(title),
      ...(site !== undefined && { site }),
      ...(date !== undefined && { date }),
      markdown: redactText(markdown),
      hidden: hidden.map(redactText),
      problems: [...problems],
      readAt: now(),
    }
    return { id: await kept.keepPage(address, page), page }
  }

  const section: PromptSection = {
    name: 'web',
    title: 'The web',
    order: 750,
    ignoredWhenStale: true,
    text({ session, tools, contextTokens, trained }) {
      const { asks, without } = ORIGIN_RULES[session.origin]
      const isOf = asks === 'person' && !without.includes(WEB_TOOLSET)
      const isOff = tools.length > 0 && tools.every(({ name }) => name !== WEB_SEARCH)
      return isOf && isOff && trained === undefined && contextTokens >= SMALLEST_WEB_WINDOW ? OFF : ''
    },
  }

  return {
    tools: [webSearchTool({ find, numberOf }), webReadTool({ read, judge, numberOf })],
    sections: [section],
    /** Return whether a tool is useful with a context window: pages would fill a small one. */
    mayOffer: (tool: string, _session: unknown, contextTokens: number) =>
      (tool !== WEB_SEARCH && tool !== WEB_READ) || contextTokens >= SMALLEST_WEB_WINDOW,
    handlers: {
      async 'web.search'({ words }, signal) {
        const found = await find(words, signal)
        if (isRefusal(found)) throw new Fault('not_ready', found.refused)
        return found
      },
      async 'web.page'({ pageId, sessionId }) {
        const page = await kept.pageOf(pageId)
        if (page) return asShown(page)
        const read =
          sessionId === undefined ? undefined : pageInChat(store.messages.history(sessionId), pageId)
        if (!read)
          throw new Fault('not_found', 'This page is no longer stored. What was read from it is in the chat.')
        return read
      },
      async 'web.read'({ address }, signal) {
        const asked = fullAddress(address)
        // The user asks in person, so addresses in the user's network are allowed.
        const found = await read(asked, { signal, mayLeadHome: true })
        if (isRefusal(found)) throw new Fault('not_ready', found.refused)
        const { id: pageId, page } = found
        return { pageId, ...asShown(page), problems: page.problems }
      },
      'web.sources': () => ({ sources: sources.list() }),
      async 'web.test'({ source }, signal) {
        const outcome = await sources.test(source, signal)
        if (!outcome) throw new Fault('bad_input', `There is no source “${source}”.`)
        return outcome
      },
    } satisfies Partial<HostHandlers>,
    async close() {
      kept.close()
      await own.close()
    },
  }
}

const HOME = 'its name leads to this computer or to your own network'

const asShown = ({ title, address, date, readAt, markdown, hidden }: KeptPage) => ({
  title,
  address,
  ...(date !== undefined && { date }),
  readAt,
  markdown,
  hidden,
})

/** Remove everything that looks like a secret from a hit, because it is stored on disk. */
const withoutSecrets = (hit: WebHit): WebHit => ({
  ...hit,
  title: redactText(hit.title),
  snippet: redactText(hit.snippet),
})

/** Load the page reader with the first page. */
function readLazily(spawn: SpawnReader | undefined): PageReader {
  let reader: Promise<PageReader> | undefined
  const read: ReadFetched = async (...given) => {
    reader ??= import('../../../web/read/read-fetched.ts').then(({ makeReadFetched }) =>
      makeReadFetched(spawn ? { spawn } : {}),
    )
    return (await reader)(...given)
  }
  return Object.assign(read, { close: async () => (await reader)?.close() })
}

/** The text that a model reads while the web is off. */
const OFF =
  'You cannot search the web or read its pages in this chat. If a task needs it, say so: the user can switch it on under “Web” below the message field, or by typing /web on.'
