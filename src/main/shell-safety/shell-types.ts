/**
 * Marks inside a word for what the shell does later: unknown parts, and unquoted special characters. They are
 * private-use characters; a text that contains one is not parsed at all.
 */
export const MARK = {
  /** Unknown and possibly empty, such as an environment variable. */
  maybe: '\uE000',
  /** Unknown but not empty. */
  some: '\uE001',
  open: '\uE002',
  comma: '\uE003',
  close: '\uE004',
  split: '\uE005',
  star: '\uE006',
  any: '\uE007',
  bracket: '\uE008',
} as const

/** One argument as the command would get it. `MARK.maybe` and `MARK.some` stand for unknown parts. */
export type Word = {
  text: string
  /** Whether the shell changes nothing in it: no variable, substitution, tilde, brace list or wildcard. */
  literal: boolean
  /** Whether the argument contains an unquoted wildcard. */
  glob: boolean
  /** Names of the commands whose output becomes part of this word. */
  runs: readonly string[]
}

/** `body`: the text of a here-document or here-string, or the known output of the commands in `<(…)`. */
export type Redirect = { op: string; target: Word; body?: string }

/** One command that would run, without wrappers such as `sudo` and `env`. */
export type Invocation = {
  /** The last part of the command's path in lower case; empty for a redirection alone. */
  name: string
  /** The command as written, after quote removal. */
  program: Word | undefined
  args: readonly Word[]
  redirects: readonly Redirect[]
  wrappers: readonly string[]
  /** The flags of the wrappers. */
  wrapperFlags: readonly Word[]
  /** The folder that the command would run in, as far as `cd` can be followed. */
  folder: string
  /** The command's standard input, if known. */
  input: string | undefined
  /** The earlier commands of the same pipeline. */
  before: readonly Invocation[]
  background: boolean
  /** Whether another command of the pipeline reads its output. */
  piped: boolean
  /** Name of the shell function that contains the command. */
  within: string | undefined
}

/** The commands that a command line would run. `unparsed`: why parsing stopped; earlier commands are kept. */
export type ParsedShell = {
  commands: readonly Invocation[]
  /** Whether there are only pipelines: no loops, functions, subshells, substitutions or nested scripts. */
  simple: boolean
  unparsed: string | undefined
}

/** Why a command line cannot be parsed. Thrown only inside the parser. */
export class Unparsed extends Error {
  override readonly name = 'Unparsed'
}

/** The last part of a path, in lower case. */
export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase()
