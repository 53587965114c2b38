import type { Command } from 'commander'
import { Fault } from '../../../shared/rpc.ts'
import { looseName, nearNames } from '../../lib/words/similarity.ts'
import { openHelp, type HelpDocument } from '../../help/open-help.ts'
import { hasColours } from '../output/markdown-styler.ts'
import { pageForTerminal } from '../output/document-text.ts'
import { printLine, showTable, stripControls } from '../output/terminal-text.ts'

/** Width of the text if the output is not a terminal, and its maximum on a wide terminal, in columns. */
const USUAL_COLUMNS = 80
const WIDEST = 100

/** How many similar names are offered for an unknown topic. */
const MOST_NEAR = 3

/**
 * Print the help of a command, or a page of the guide; without a name, the commands and the topics. If a
 * command and a page share a name, it means the command, and `guide/NAME` the page. Throws a `not_found`
 * Fault for an unknown name.
 */
export async function printHelp(program: Command, words: readonly string[]): Promise<void> {
  const command = findCommand(program, words)
  const pages = await openHelp().readPages()
  if (command) {
    command.outputHelp()
    const page = words.length === 0 ? undefined : pages.find(each => nameOf(each) === words[0])
    if (page) printLine(`\nThe guide has a page about this: talaria help ${page.id}`)
    if (words.length === 0) printLine(`\nTopics, for “talaria help TOPIC”:\n${topicList(program, pages)}`)
    return
  }
  const page = findPage(pages, words.join(' '))
  if (page) {
    const columns = Math.min(process.stdout.columns ?? USUAL_COLUMNS, WIDEST)
    const ids = new Set(pages.map(({ id }) => id))
    printLine(
      pageForTerminal(page.markdown, {
        columns,
        isStyled: hasColours(process.stdout),
        topicOf: address => topicOf(address, page.id, ids),
      }),
    )
    return
  }
  throw unknownTopic(program, pages, words.join(' '))
}

/** Find the command with this path of names; without names, the program itself. */
function findCommand(program: Command, words: readonly string[]): Command | undefined {
  let group: Command | undefined = program
  for (const word of words)
    group = group?.commands.find(each => each.name() === word || each.aliases().includes(word))
  return group
}

/** Find a page by its id, its name or its title. */
function findPage(pages: readonly HelpDocument[], given: string): HelpDocument | undefined {
  const wanted = given.replace(/\.md$/, '')
  return (
    pages.find(({ id }) => id === wanted) ??
    pages.find(page => nameOf(page) === wanted) ??
    pages.find(({ title }) => looseName(title) === looseName(wanted))
  )
}

const nameOf = ({ id }: HelpDocument): string => id.slice(id.indexOf('/') + 1)

/** List the topic to type for each page, with its title. */
const topicList = (program: Command, pages: readonly HelpDocument[]): string =>
  showTable(
    pages.map(page => [`  ${shortName(program, pages, page)}`, page.title]),
    process.stdout.columns ?? USUAL_COLUMNS,
  )

/** The name of a page if it is unique, otherwise the id of the page. */
function shortName(program: Command, pages: readonly HelpDocument[], page: HelpDocument): string {
  const name = nameOf(page)
  const isOnly = pages.filter(each => nameOf(each) === name).length === 1
  return isOnly && findCommand(program, [name]) === undefined ? name : page.id
}

/**
 * The command that shows a linked page, such as `talaria help chat`; undefined if the link leads elsewhere.
 */
function topicOf(address: string, from: string, ids: ReadonlySet<string>): string | undefined {
  const url = URL.parse(address, `docs://help/${from}.md`)
  if (url?.protocol !== 'docs:' || address.startsWith('#')) return undefined
  const id = url.pathname.slice(1).replace(/\.md$/, '')
  return ids.has(id) ? `talaria help ${id}` : undefined
}

function unknownTopic(program: Command, pages: readonly HelpDocument[], given: string): Fault {
  const names = pages.map(page => shortName(program, pages, page))
  const near = nearNames(given, [...names, ...program.commands.map(each => each.name())], MOST_NEAR)
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`
  return new Fault(
    'not_found',
    `There is no command and no topic “${stripControls(given)}”.${hint}\nTopics:\n${topicList(program, pages)}`,
  )
}
