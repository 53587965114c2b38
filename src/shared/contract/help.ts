import { z } from 'zod'
import { call } from '../rpc.ts'

/** A heading below the title of a page. `anchor` is the part after `#` in a link. */
const HelpHeading = z.object({ text: z.string(), anchor: z.string(), level: z.int() })

/**
 * A page of Help. `id` is its group and its name, such as `guide/chat`; `about` is its first sentence, which
 * may be empty.
 */
const HelpPage = z.object({
  id: z.string(),
  title: z.string(),
  about: z.string(),
  headings: z.array(HelpHeading),
})

/** The pages that Talaria ships with, in groups that are never empty. */
const HelpGroup = z.object({ title: z.string(), pages: z.array(HelpPage) })
export type HelpGroup = z.infer<typeof HelpGroup>

/**
 * A passage that contains all words of a query. `heading` and `anchor` are null above the first heading;
 * `excerpt` is text without marks.
 */
const HelpPassage = z.object({
  id: z.string(),
  title: z.string(),
  heading: z.string().nullable(),
  anchor: z.string().nullable(),
  excerpt: z.string(),
})
export type HelpPassage = z.infer<typeof HelpPassage>

/** Maximum number of passages that a search returns. */
export const MOST_PASSAGES = 40

/** The documents that ship with Talaria. Nothing is downloaded. */
export const help = {
  'help.list': call(z.object({}), z.object({ groups: z.array(HelpGroup) })),
  /**
   * A page as Markdown, with links relative to its group. `pictures`: its pictures as data URLs, by their
   * names in the folder of pictures, such as `chat.png`. Throws `not_found` for an id that is not in the
   * list.
   */
  'help.page': call(
    z.object({ id: z.string().min(1).max(100) }),
    z.object({
      id: z.string(),
      title: z.string(),
      text: z.string(),
      pictures: z.record(z.string(), z.string()),
    }),
  ),
  /**
   * Find passages with all words of a query in titles, headings or text, best first; at most `MOST_PASSAGES`.
   */
  'help.find': call(z.object({ query: z.string().max(200) }), z.object({ passages: z.array(HelpPassage) })),
}
