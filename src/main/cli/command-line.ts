import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'

/** Parse a whole number within limits from the command line. */
export const wholeNumber = (min: number, max: number) => (text: string) => {
  const number = Number(text)
  if (Number.isInteger(number) && number >= min && number <= max) return number
  throw new InvalidArgumentError(`Enter a whole number from ${min} to ${max}.`)
}

/** Parse pages of a document from the command line: `3`, `3-5`, or `3-` for page 3 to the last. */
export function pageRange(text: string): PageRange {
  const [, from, dash, to] = /^\s*(\d{1,7})\s*(-)?\s*(\d{1,7})?\s*$/.exec(text) ?? []
  const first = Number(from)
  const last = to !== undefined ? Number(to) : dash === undefined ? first : Infinity
  // Two numbers need a dash between them.
  if (from !== undefined && first > 0 && last >= first && (dash !== undefined || to === undefined))
    return { from: first, to: last }
  throw new InvalidArgumentError('Enter one page, such as 3, or a range, such as 3-5.')
}

/** A range of pages of a document, counted from 1, both ends included. */
export type PageRange = { from: number; to: number }

/** A command action whose module is loaded only when the command runs. */
export const loadOnRun =
  <Module, Given extends unknown[], Result>(
    load: () => Promise<Module>,
    choose: (module: Module) => (...given: Given) => Result,
  ) =>
  async (...given: Given): Promise<Awaited<Result>> =>
    await choose(await load())(...given)

/** Exit codes besides 0 for success. */
export const FAILED = 1
export const BAD_USAGE = 2

/** A command action that sets the exit code: 0 if `work` resolves to true, else `FAILED`. */
export const exitBy =
  <Given extends unknown[]>(work: (...given: Given) => Promise<boolean>) =>
  async (...given: Given): Promise<void> => {
    process.exitCode = (await work(...given)) ? 0 : FAILED
  }

/** Add the option that names the home folder. */
export const withHome = (command: Command): Command =>
  command.option('--home <dir>', 'the home folder (default: TALARIA_HOME, then ~/.talaria)')

/** Add the options that most commands have: JSON, and the home folder. */
export const withCommon = (command: Command, json = 'print one JSON object'): Command =>
  withHome(command.option('--json', json))

/** Visit all commands below a group, each group before its own commands. */
export function everyCommand(group: Command, visit: (command: Command) => void): void {
  for (const command of group.commands) {
    visit(command)
    everyCommand(command, visit)
  }
}

/** The user's current folder. `npm run` changes it and keeps the original in INIT_CWD. */
export const currentFolder = () => process.env['INIT_CWD'] ?? process.cwd()

/** The absolute path of a file given on the command line. */
export const absolutePath = (given: string) =>
  resolve(currentFolder(), given.replace(/^~(?=$|[/\\])/, homedir()))

/**
 * Copy the options of a group to the command that runs. If a group and its commands share an option,
 * commander assigns it to the group, wherever the user typed it.
 */
export const shareOptions = (group: Command): Command =>
  group.hook('preAction', (_group, command) => {
    for (const [name, value] of Object.entries(group.opts()))
      if (command !== group && command.getOptionValue(name) === undefined) command.setOptionValue(name, value)
  })
