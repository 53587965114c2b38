import type { HostClient } from '../../../shared/contract/index.ts'
import { many } from '../../../shared/text/amounts.ts'
import { jsonLine, showHidden, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { withClient } from '../open-client.ts'
import { dayOf, printAside, printLine, stripControls } from '../output/terminal-text.ts'

type Options = { home?: string; json?: true }
type Found = Awaited<ReturnType<HostClient['web.search']>>

/** Describe the results of a search for the user. */
export function describeSearch({ answeredBy, hits, passed }: Found): string {
  const head =
    hits.length === 0 ? `${answeredBy} found nothing.` : `${answeredBy} found ${many(hits.length, 'page')}.`
  const list = hits.map(({ title, address, snippet, date }, at) =>
    [
      `${at + 1}. ${inLine(title)}${date === undefined ? '' : ` (${inLine(date)})`}`,
      `   ${inLine(address)}`,
      ...(snippet === '' ? [] : [`   ${inLine(snippet)}`]),
    ].join('\n'),
  )
  const aside = passed.map(({ source, why }) => `(${source}: ${inLine(why)})`)
  return [head, ...list, ...aside].join('\n')
}

/** Search the web without a model. Resolves to false if nothing was found. */
export async function searchInTerminal(words: readonly string[], { home, json }: Options): Promise<boolean> {
  const found = await withClient(home, client => client['web.search']({ words: words.join(' ') }))
  printLine(json ? jsonLine(found) : describeSearch(found))
  return found.hits.length > 0
}

/** Print the text of a page. */
export async function readPageInTerminal(address: string, { home, json }: Options): Promise<void> {
  const page = await withClient(home, client => client['web.read']({ address }))
  if (json) return printLine(jsonLine(page))
  const { title, address: last, date, readAt, markdown, hidden, problems } = page
  printAside(
    [title, last, ...(date === undefined ? [] : [date]), `read on ${dayOf(readAt)}`]
      .filter(each => each !== '')
      .map(inLine)
      .join(' · '),
  )
  for (const problem of problems) printAside(`(${inLine(problem)})`)
  if (hidden.length > 0) printAside(`(Left out: ${many(hidden.length, 'text')} that the page does not show)`)
  printLine(stripControls(showHidden(markdown)))
}

/** Print the search sources in the order in which they are asked. */
export async function listSources({ home, json }: Options): Promise<void> {
  const { sources } = await withClient(home, client => client['web.sources']({}))
  if (json) return printLine(jsonLine({ sources }))
  for (const { name, title, on, needs, says } of sources) {
    const state = on ? (needs === undefined ? 'on' : 'not set up') : 'off'
    printLine(`${name.padEnd(12)} ${state.padEnd(10)}  ${title}. ${says}`)
    if (on && needs !== undefined) printLine(`${' '.repeat(25)}${needs}`)
  }
}

/** Search one source for two words, and print the result. Resolves to false if the source does not work. */
export async function testSource(source: string, { home, json }: Options): Promise<boolean> {
  const outcome = await withClient(home, client => client['web.test']({ source }))
  printLine(json ? jsonLine(outcome) : inLine(outcome.text))
  return outcome.ok
}

const inLine = (text: string): string => stripControls(showHiddenInLine(text))
