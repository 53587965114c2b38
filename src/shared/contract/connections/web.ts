import { z } from 'zod'
import { call } from '../../rpc.ts'

/** A page that a search found, or that was read. `date`: the date on the page, as written there. */
export const WebHit = z.object({
  title: z.string().max(500),
  address: z.string().max(4_000),
  /** The source's description of the page: a stranger's text. */
  snippet: z.string().max(2_000),
  date: z.string().max(100).optional(),
})
export type WebHit = z.infer<typeof WebHit>

/** A source that did not answer a search, and the reason as a sentence. */
export const PassedSource = z.object({ source: z.string(), why: z.string() })
export type PassedSource = z.infer<typeof PassedSource>

/**
 * The pages that a call found or read on the web, as data for cards, citations and marks of strangers' text.
 * `answeredBy`: the source of a search, in words. `n`: the number by which the model cites the page, the same
 * for an address in a whole chat. `pageId`: the id of the text that the model read, for `web.page`.
 */
export const WebUse = z.object({
  answeredBy: z.string().optional(),
  pages: z.array(
    z.object({
      title: z.string(),
      address: z.string(),
      date: z.string().optional(),
      n: z.int().optional(),
      pageId: z.string().optional(),
    }),
  ),
})
export type WebUse = z.infer<typeof WebUse>
export type UsedPage = WebUse['pages'][number]

/** A page that an answer cites by its number, or that was read for it. */
export const Cite = z.object({
  n: z.int(),
  title: z.string(),
  address: z.string(),
  date: z.string().optional(),
  pageId: z.string().optional(),
})
export type Cite = z.infer<typeof Cite>

/** One search source, as Settings shows it. `needs`: what is missing before it can be used, as a sentence. */
export const WebSource = z.object({
  name: z.string(),
  title: z.string(),
  says: z.string(),
  on: z.boolean(),
  /** The name of its key or address in `.env`. */
  key: z.string().optional(),
  needs: z.string().optional(),
  /** The source runs on this computer, so the offline lock lets it through. */
  nearby: z.boolean(),
})
export type WebSource = z.infer<typeof WebSource>

/** A page that was read, with its text in Markdown. */
const WebPage = z.object({
  title: z.string(),
  address: z.string(),
  date: z.string().optional(),
  readAt: z.number(),
  markdown: z.string(),
  /** Texts that were removed because they are not visible on the page, in words. */
  hidden: z.array(z.string()),
  /**
   * The page is no longer stored, so this is only the part that the chat has: the passages that were read.
   */
  fromChat: z.literal(true).optional(),
})

/** Searching the web without a model, the texts that a model read, and the sources. */
export const web = {
  'web.search': call(
    z.object({ words: z.string().trim().min(1).max(400) }),
    z.object({ answeredBy: z.string(), hits: z.array(WebHit), passed: z.array(PassedSource) }),
  ),
  /**
   * The text of a page as the model read it. The page is kept for 20 minutes, the parts that the model read
   * as long as the chat.
   */
  'web.page': call(z.object({ pageId: z.string().max(100), sessionId: z.string().optional() }), WebPage),
  /** Read a page that the user names. */
  'web.read': call(
    z.object({ address: z.string().trim().min(1).max(4_000) }),
    WebPage.extend({ pageId: z.string(), problems: z.array(z.string()) }),
  ),
  'web.sources': call(z.object({}), z.object({ sources: z.array(WebSource) })),
  /** Search one source for two words, and describe the result. */
  'web.test': call(z.object({ source: z.string().max(40) }), z.object({ ok: z.boolean(), text: z.string() })),
}
