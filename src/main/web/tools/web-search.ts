import { z } from 'zod'
import { many } from '../../../shared/text/amounts.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { newMark } from '../../untrusted/strangers-marks.ts'
import { frameStrangersText, searchSource } from '../../untrusted/strangers-text.ts'
import { tellSearch } from './tell-web.ts'
import { defineTool, type ToolContext, type ToolResult } from '../../tools/registry/tool.ts'
import type { KeptSearch } from '../kept-web.ts'
import type { NumberOf } from '../number-pages.ts'
import { WEB_SEARCH, WEB_TOOLSET } from '../web-parts.ts'

const input = z.object({
  query: z.string().trim().min(1).max(400).describe('a few words, as for a search engine'),
})

type Parts = {
  /** Search, or return recent results for the same words. */
  find(this: void, words: string, signal: AbortSignal): Promise<KeptSearch | Refusal>
  numberOf: NumberOf
}

/** The tool that searches the web. */
export const webSearchTool = ({ find, numberOf }: Parts) =>
  defineTool({
    name: WEB_SEARCH,
    says: 'Search the web. The numbers of the results are for citing, such as [2].',
    input,
    toolset: WEB_TOOLSET,
    risk: 'network',
    tell: tellSearch,
    async intent({ query }, { workspace: folder }) {
      const words = showHiddenInLine(query)
      return {
        title: `Search the web for “${words.length > 80 ? `${words.slice(0, 79).toWellFormed()}…` : words}”`,
        detail: query,
        risk: 'network',
        inWorkspace: true,
        folder,
        web: { kind: 'search', words: query },
      }
    },
    async run({ query }, { sessionId, signal }: ToolContext): Promise<ToolResult> {
      const found = await find(query, signal)
      if (isRefusal(found)) return { ok: false, reason: found.refused }
      const { answeredBy, hits, passed } = found
      const pages = hits.map(({ title, address, date }) => ({
        title,
        address,
        ...(date !== undefined && { date }),
        n: numberOf(sessionId, address),
      }))
      const aside = passed.map(({ source, why }) => `${source}: ${why}`).join(' ')
      const head = [
        hits.length === 0
          ? `${answeredBy} found nothing. Try other words.`
          : `${answeredBy} found ${many(hits.length, 'page')}. Read one with web_read.`,
        ...(aside === '' ? [] : [`Not answered: ${aside}`]),
      ].join('\n')
      if (hits.length === 0) return { ok: true, text: head, web: { answeredBy, pages } }
      const list = hits.map(({ title, address, snippet, date }, at) =>
        [
          `[${pages[at]!.n}] ${title}${date === undefined ? '' : ` (${date})`}`,
          address,
          ...(snippet === '' ? [] : [snippet]),
        ].join('\n'),
      )
      const source = searchSource(answeredBy)
      return {
        ok: true,
        text: `${head}\n${frameStrangersText(source, list.join('\n\n'))}`,
        marks: [newMark(source)],
        web: { answeredBy, pages },
      }
    },
  })
