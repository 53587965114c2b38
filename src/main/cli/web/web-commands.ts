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
The sources are asked one after the other until one answers. Some need nothing; yours come first once you set their key:
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
  withCommon(web.command('sources').description('print the sources of searches, and what they need')).action(
    loadOnRun(load, actions => actions.listSources),
  )
  withCommon(web.command('test <source>').description('ask one source for two words')).action(
    exitBy(loadOnRun(load, actions => actions.testSource)),
  )
}
