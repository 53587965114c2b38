import { z } from 'zod'
import { many } from '../../../shared/text/amounts.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { newMark } from '../../untrusted/strangers-marks.ts'
import { frameStrangersText, pageSource } from '../../untrusted/strangers-text.ts'
import { cutPage } from './page-parts.ts'
import { tellPage } from './tell-web.ts'
import { uncutLength } from '../../tools/registry/shorten-result.ts'
import { defineTool, type ToolContext, type ToolResult } from '../../tools/registry/tool.ts'
import type { KeptPage } from '../kept-web.ts'
import type { NumberOf } from '../number-pages.ts'
import { WEB_READ, WEB_TOOLSET } from '../web-parts.ts'

const input = z.object({
  address: z.string().trim().min(1).max(4_000),
  page: z.int().min(1).optional(),
})
type Given = z.output<typeof input>

type Parts = {
  /** Fetch a page, or return a kept one. `mayLeadHome`: the user agreed that it leads to their network. */
  read(
    this: void,
    address: string,
    options: { signal: AbortSignal; mayLeadHome: boolean },
  ): Promise<{ id: string; page: KeptPage } | Refusal>
  /** Why an address is asked about each time, and whether it leads home; or why it may not be read. */
  judge(this: void, address: string): { nearby?: string; isHome: boolean } | Refusal
  numberOf: NumberOf
}

/** Characters reserved in a result for the text around the page. */
const AROUND = 1_200
/** Maximum length of one part of a page in characters. */
const MOST_TEXT = 16_000

/** Calls for which the user was told that the address leads to their network. Others may not lead there. */
const toldHome = new WeakSet<Given>()

/** The tool that reads a web page. */
export const webReadTool = (parts: Parts) =>
  defineTool({
    name: WEB_READ,
    says: 'Read a page of the web. Long ones come in parts: page 2 reads on.',
    input,
    toolset: WEB_TOOLSET,
    risk: 'network',
    tell: tellPage,
    async intent(given, { workspace: folder }) {
      const { page } = given
      const address = fullAddress(given.address)
      const judged = parts.judge(address)
      if (isRefusal(judged)) return judged
      const { isHome, ...why } = judged
      if (isHome) toldHome.add(given)
      const shown = showHiddenInLine(URL.parse(address)?.host ?? address.slice(0, 80))
      return {
        title: `Read the page ${shown}${(page ?? 1) > 1 ? `, part ${page}` : ''}`,
        detail: address,
        risk: 'network',
        inWorkspace: true,
        folder,
        web: { kind: 'read', address, ...why },
      }
    },
    run: (given, context) => run(parts, given, context),
  })

/** Complete an address, because models and users leave out `https://`. */
export const fullAddress = (given: string): string =>
  /^[a-z][a-z\d+.-]*:/i.test(given) && !/^[\w.-]+:\d+(?:\/|$)/.test(given) ? given : `https://${given}`

async function run(
  { read, numberOf }: Parts,
  given: Given,
  { sessionId, contextTokens, signal, byUser }: ToolContext,
): Promise<ToolResult> {
  const { page: wanted = 1 } = given
  const mayLeadHome = byUser === true && toldHome.has(given)
  const found = await read(fullAddress(given.address), { signal, mayLeadHome })
  if (isRefusal(found)) return { ok: false, reason: found.refused }
  const { id, page } = found
  const { address, title, site, date, problems, hidden } = page
  const { host } = new URL(address)
  const room = contextTokens === undefined ? MOST_TEXT : uncutLength(MOST_TEXT, contextTokens)
  const all = cutPage(page.markdown, room - AROUND)
  const text = all[wanted - 1]
  if (text === undefined)
    return {
      ok: false,
      reason: `${host}: it has ${many(all.length, 'page')}, so there is no page ${wanted}.`,
    }
  const n = numberOf(sessionId, address)
  const rest = wanted < all.length ? ` Page ${wanted + 1} goes on.` : ''
  const head = [
    // The whole address may be a stranger's choice, since a page can redirect anywhere.
    `[${n}] ${host}, page ${wanted} of ${all.length}.${rest}`,
    ...problems,
    ...(hidden.length > 0 ? [`Left out: ${many(hidden.length, 'text')} that nobody sees on the page.`] : []),
  ].join('\n')
  const about = [
    `Address: ${address}`,
    title === '' ? '' : `Title: ${title}`,
    site === undefined ? '' : `Site: ${site}`,
    date === undefined ? '' : `Date: ${date}`,
  ].filter(line => line !== '')
  const source = pageSource(host)
  return {
    ok: true,
    text: `${head}\n${frameStrangersText(source, [...about, '', text === '' ? '(no text)' : text].join('\n').trim())}`,
    marks: [newMark(source)],
    web: { pages: [{ title: title || host, address, n, pageId: id, ...(date !== undefined && { date }) }] },
  }
}
