import type { Command } from 'commander'
import { exitBy, loadOnRun, withCommon } from '../command-line.ts'

const load = () => import('./web-actions.ts')

/** Add the commands about the web. */
export function addWebCommands(program: Command): void {
  const web = program
    .command('web')
    .description('search the web and read pages, without a model')
    .addHelpText(
      'after',
      `
Talaria asks the search sources one after the other until one answers. Some need no key. A source comes first once you set its key:
  talaria config set BRAVE_API_KEY

The agent itself may use the web once you switch it on:
  talaria tools enable web

Exit codes: 0 done, 1 nothing found or failed, 2 bad usage.`,
    )
  withCommon(web.command('search <words...>').description('search the web')).action(
    exitBy(loadOnRun(load, actions => actions.searchInTerminal)),
  )
  withCommon(web.command('read <address>').description('print the text of a page')).action(
    loadOnRun(load, actions => actions.readPageInTerminal),
  )
  withCommon(web.command('sources').description('print the search sources, and what they need')).action(
    loadOnRun(load, actions => actions.listSources),
  )
  withCommon(web.command('test <source>').description('test one source with a search for two words')).action(
    exitBy(loadOnRun(load, actions => actions.testSource)),
  )
}
