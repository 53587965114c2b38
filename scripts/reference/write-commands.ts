import type { Command, Help, Option } from 'commander'
import { asCode, fromTerminal, madeBy, plainText } from './write-markdown.ts'

/** Options of every command, which the sections do not repeat. */
const EVERYWHERE: ReadonlySet<string> = new Set(['--home', '--help'])

/**
 * The reference of the terminal as Markdown: every command of `program` with its arguments, options, defaults
 * and help.
 */
export function writeCommands(program: Command): string {
  const commands = commandsOf(program)
  const parts = [
    madeBy('the definitions of the commands'),
    '# Command line',
    'Every command of `talaria`, with its arguments, options and defaults. `talaria help` says the same in a terminal.',
    `Every command takes \`--home <dir>\`, ${optionText(program, homeOf(program))}, and \`-h\` or \`--help\`, which prints its help.`,
    commands.map(command => `- ${linkTo(command)}: ${plainText(command.description())}`).join('\n'),
    ...sectionOf(program, 2, 'talaria'),
    ...commands.flatMap(command => sections(command, 2)),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The commands of a group that its help shows, without the `help` that commander adds to each group. */
const commandsOf = (group: Command): Command[] =>
  group
    .createHelp()
    .visibleCommands(group)
    .filter(each => each.name() !== 'help' || group.parent === null)

const sections = (command: Command, level: number): string[] => [
  ...sectionOf(command, level, nameOf(command)),
  ...commandsOf(command).flatMap(each => sections(each, Math.min(level + 1, 4))),
]

function sectionOf(command: Command, level: number, name: string): string[] {
  const help = command.createHelp()
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long === undefined || !EVERYWHERE.has(long))
  const aliases = command.aliases().map(alias => asCode(alias))
  const standard = standardOf(command)
  const after = afterHelp(command)
  return [
    `${'#'.repeat(level)} ${name}`,
    ...(command.description() === '' ? [] : [sentence(command.description())]),
    `\`\`\`text\n${help.commandUsage(command)}\n\`\`\``,
    ...(aliases.length > 0 ? [`Also called ${aliases.join(' or ')}.`] : []),
    ...(standard === undefined
      ? []
      : [`Without a command of its own it does what ${linkTo(standard)} does.`]),
    ...listed(
      'Arguments',
      help
        .visibleArguments(command)
        .map(each => `- ${asCode(each.name())}: ${plainText(help.argumentDescription(each))}`),
    ),
    ...listed(
      'Options',
      options.map(option => `- ${asCode(option.flags)}: ${optionText(command, option, help)}`),
    ),
    ...(after === '' ? [] : [fromTerminal(after)]),
  ]
}

const listed = (title: string, rows: readonly string[]): string[] =>
  rows.length === 0 ? [] : [`${title}:`, rows.join('\n')]

const optionText = (command: Command, option: Option, help: Help = command.createHelp()): string =>
  plainText(help.optionDescription(option))

/** The full name of a command, such as `talaria models add`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}

const linkTo = (command: Command): string =>
  `[${nameOf(command)}](#${nameOf(command).replaceAll(' ', '-').toLowerCase()})`

const sentence = (text: string): string =>
  `${plainText(text.slice(0, 1).toUpperCase() + text.slice(1).replace(/\.$/, ''))}.`

/** The option that names the home folder, from the first command that has it. */
function homeOf(group: Command): Option {
  for (const command of group.commands) {
    const own = command.options.find(({ long }) => long === '--home')
    if (own) return own
  }
  throw new Error('No command has the option --home.')
}

/** The default command of a group. Commander keeps its name private. */
function standardOf(group: Command): Command | undefined {
  const { _defaultCommandName: name } = group as unknown as { _defaultCommandName?: string | null }
  return group.commands.find(each => each.name() === name)
}

/** The text below the help of a command. Commander keeps it in listeners, which write it. */
function afterHelp(command: Command): string {
  let text = ''
  const write = (part: string) => void (text += part)
  // A command is an emitter, but its types do not say so.
  const emitter = command as unknown as NodeJS.EventEmitter
  emitter.emit('afterHelp', { error: false, command, write })
  return text.trim()
}
