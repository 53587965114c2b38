import { z } from 'zod'
import { newMark } from '../../src/main/lib/marks.ts'
import { frameStrangersText, pageSource, searchSource } from '../../src/main/lib/strangers-text.ts'
import { defineTool, type Tool } from '../../src/main/tools/tool.ts'

/** A page of a web that is only in memory. */
export type FakePage = { title: string; snippet?: string; markdown: string }

// For tests and evals: the tools of the web without the web. What would have left this computer is kept.

/** Tools that search and read pages of a web in memory; `sent` has each query and address that a call asked for. */
export function fakeWeb(pages: ReadonlyMap<string, FakePage>): { tools: Tool[]; sent: string[] } {
  const sent: string[] = []
  const hitsOf = () => [...pages].map(([address, { title, snippet = '' }]) => ({ address, title, snippet }))

  const search = defineTool({
    name: 'web_search',
    says: 'Search the web.',
    input: z.object({ query: z.string() }),
    toolset: 'web',
    risk: 'network',
    intent: async ({ query }, { workspace: folder }) => ({
      title: 'Search the web',
      detail: query,
      risk: 'network',
      inWorkspace: true,
      folder,
      web: { kind: 'search', words: query },
    }),
    async run({ query }) {
      sent.push(query)
      const source = searchSource('A fake')
      const list = hitsOf().map(({ title, address, snippet }) => `${title}\n${address}\n${snippet}`)
      return {
        ok: true,
        text: `A fake found ${list.length}.\n${frameStrangersText(source, list.join('\n\n'))}`,
        marks: [newMark(source)],
        web: { answeredBy: 'A fake', pages: hitsOf().map(({ title, address }) => ({ title, address })) },
      }
    },
  })

  const read = defineTool({
    name: 'web_read',
    says: 'Read a page of the web.',
    input: z.object({ address: z.string() }),
    toolset: 'web',
    risk: 'network',
    intent: async ({ address }, { workspace: folder }) => ({
      title: 'Read a page',
      detail: address,
      risk: 'network',
      inWorkspace: true,
      folder,
      web: { kind: 'read', address },
    }),
    async run({ address }) {
      sent.push(address)
      const { title, markdown } = pages.get(address.split('#')[0]!) ?? {
        title: 'A page',
        markdown: 'Nothing.',
      }
      const source = pageSource(new URL(address).host)
      return {
        ok: true,
        text: `${address}\n${frameStrangersText(source, `Title: ${title}\n\n${markdown}`)}`,
        marks: [newMark(source)],
        web: { pages: [{ title, address }] },
      }
    },
  })
  return { tools: [search, read], sent }
}
