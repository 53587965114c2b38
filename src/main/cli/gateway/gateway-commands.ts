import { InvalidArgumentError, Option, type Command } from 'commander'
import { exitBy, loadOnRun, withCommon, withHome } from '../command-line.ts'

const load = () => import('./gateway-actions.ts')
const loadPairing = () => import('./gateway-pairing.ts')

const tokens = (text: string) => {
  if (text === 'none') return null
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1_000) return number
  throw new InvalidArgumentError('Enter a whole number from 1000, or none.')
}

/** Add the commands about messengers. */
export function addGatewayCommands(program: Command): void {
  const gateway = program
    .command('gateway')
    .description('write to the agent from a messenger')
    .addHelpText(
      'after',
      `
Messengers work while the app or “talaria serve” is running, and these commands talk to it. Telegram’s servers can read your
messages and the answers. Nobody can write to the agent until you have paired them at this computer.

Examples:
  talaria gateway connect telegram
  talaria gateway pair
  talaria gateway contact "Ann" --rights ask
  talaria gateway send "Ann" the report is ready

Exit codes: 0 done, 1 failed or not sent, 2 bad usage.`,
    )
  withCommon(
    gateway.command('status').description('print the state of each messenger, and the messages on their way'),
  ).action(exitBy(loadOnRun(load, actions => actions.gatewayStatus)))
  withHome(
    gateway
      .command('connect [platform]')
      .description('connect a messenger; asks for its key, or reads it from standard input'),
  ).action(exitBy(loadOnRun(load, actions => actions.gatewayConnect)))
  withHome(
    gateway
      .command('pair [platform]')
      .description('show a code for a phone, then ask who it is; the code works while this command runs'),
  ).action(exitBy(loadOnRun(loadPairing, actions => actions.gatewayPair)))
  withCommon(gateway.command('contacts').description('print who may write to the agent')).action(
    loadOnRun(load, actions => actions.gatewayContacts),
  )
  withCommon(
    gateway.command('contact <name>').description('change a contact, by its id or its name, and print it'),
  )
    .addOption(
      new Option(
        '--rights <which>',
        'for calls that need approval: deny them, or ask in the messenger',
      ).choices(['deny', 'ask']),
    )
    .option('--name <name>', 'a new name for the contact')
    .option('--folder <dir>', 'the folder of its chats; “none” for its own empty folder')
    .option('--model <id>', 'the model of its chats; “none” for the model of new chats')
    .addOption(
      new Option(
        '--reads-memory <whether>',
        'whether somebody else can read what Talaria remembers about you',
      ).choices(['yes', 'no']),
    )
    .option('--tokens-a-day <count>', 'maximum number of tokens a day, or “none”', tokens)
    .option('--remove', 'remove the contact; its chats stay')
    .action(loadOnRun(load, actions => actions.gatewayContact))
  withHome(
    gateway
      .command('group <title>')
      .description('allow a group where a contact wrote to the agent; “gateway status” lists the groups')
      .option('--forbid', 'stop answering in the group'),
  ).action(loadOnRun(load, actions => actions.gatewayGroup))
  withCommon(
    gateway
      .command('send <name> <text...>')
      .description('send a text to a contact, and wait until the messenger answers'),
  ).action(exitBy(loadOnRun(load, actions => actions.gatewaySend)))
  withHome(
    gateway
      .command('off [platform]')
      .description('switch a messenger off')
      .option('--forget', 'remove its key and its contacts from this computer, too'),
  ).action(loadOnRun(load, actions => actions.gatewayOff))
}
