import type { Command } from 'commander'
import { exitBy, loadOnRun, withCommon, withHome } from '../command-line.ts'

const load = () => import('./api-actions.ts')

/** Add the commands about the server for other programs. */
export function addApiCommands(program: Command): void {
  const api = program
    .command('api')
    .description('let other programs on this computer ask your models')
    .addHelpText(
      'after',
      `
The app and “talaria serve” answer programs that use the API of OpenAI (/v1/chat/completions, /v1/responses,
/v1/embeddings) or Anthropic (/v1/messages), on this computer only and with a key. The model “talaria” is the whole agent.

Examples:
  talaria api on
  OPENAI_BASE_URL=http://127.0.0.1:4737/v1 OPENAI_API_KEY=$(talaria api key) my-program
  ANTHROPIC_BASE_URL=http://127.0.0.1:4737 ANTHROPIC_API_KEY=$(talaria api key) my-program

Exit codes: 0 done, 1 failed or not running, 2 bad usage.`,
    )
  withCommon(
    api
      .command('status')
      .description('print whether the server is running, its address, and the requests of today'),
  ).action(exitBy(loadOnRun(load, actions => actions.apiStatus)))
  withHome(api.command('on').description('answer other programs from now on')).action(
    exitBy(loadOnRun(load, actions => actions.apiOn)),
  )
  withHome(api.command('off').description('stop answering other programs')).action(
    loadOnRun(load, actions => actions.apiOff),
  )
  withHome(api.command('key').description('print the key that programs need'))
    .option('--new', 'create a new key; the old key stops working immediately')
    .action(loadOnRun(load, actions => actions.apiKey))
}
