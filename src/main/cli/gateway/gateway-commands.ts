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
The app and “talaria serve” carry the messengers; these commands speak to the one that runs. Telegram’s servers can read
what you write and what is answered. Nobody is heard before they are paired at this computer.

Examples:
  talaria gateway connect telegram
  talaria gateway pair
  talaria gateway contact "Ann" --rights ask
  talaria gateway send "Ann" the report is ready

Exit codes: 0 done, 1 failed or not sent, 2 bad usage.`,
    )
  withCommon(
    gateway.command('status').description('print how each messenger stands, and what is on its way'),
  ).action(exitBy(loadOnRun(load, actions => actions.gatewayStatus)))
  withHome(
    gateway
      .command('connect [platform]')
      .description('connect a messenger; asks for its key, or reads it from standard input'),
  ).action(exitBy(loadOnRun(load, actions => actions.gatewayConnect)))
  withHome(
    gateway
      .command('pair [platform]')
      .description('show a code for a phone, then ask who it is; it works while this command runs'),
  ).action(exitBy(loadOnRun(loadPairing, actions => actions.gatewayPair)))
  withCommon(gateway.command('contacts').description('print who may write to the agent')).action(
    loadOnRun(load, actions => actions.gatewayContacts),
  )
  withCommon(
    gateway.command('contact <name>').description('change a contact, by its id or its name, and print it'),
  )
    .addOption(
      new Option('--rights <which>', 'what happens where a call would ask: denied, or asked there').choices([
        'deny',
        'ask',
      ]),
    )
    .option('--name <name>', 'another name for it')
    .option('--folder <dir>', 'the folder of its chats; “none” for an empty one of its own')
    .option('--model <id>', 'the model of its chats; “none” for that of new chats')
    .addOption(
      new Option(
        '--reads-memory <whether>',
        'whether the chats of somebody else read what is remembered of you',
      ).choices(['yes', 'no']),
    )
    .option('--tokens-a-day <count>', 'most tokens a day, or none', tokens)
    .option('--remove', 'hear it no more; its chats stay')
    .action(loadOnRun(load, actions => actions.gatewayContact))
  withHome(
    gateway
      .command('group <title>')
      .description('allow a group in which a contact spoke to the agent; status prints them')
      .option('--forbid', 'answer there no more'),
  ).action(loadOnRun(load, actions => actions.gatewayGroup))
  withCommon(
    gateway
      .command('send <name> <text...>')
      .description('send a text to a contact, and wait for the answer of the messenger'),
  ).action(exitBy(loadOnRun(load, actions => actions.gatewaySend)))
  withHome(
    gateway
      .command('off [platform]')
      .description('switch a messenger off')
      .option('--forget', 'remove its key and its contacts from this computer, too'),
  ).action(loadOnRun(load, actions => actions.gatewayOff))
}
