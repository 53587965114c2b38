/**
 * Stand-ins inside a word for what the shell does later: parts that nobody can know beforehand, and unquoted characters
 * with a meaning. They come from the private use area, and text that contains one of them is not parsed at all.
 */
export const MARK = {
  /** Something unknown that may be empty, such as a variable of the environment. */
  maybe: '\uE000',
  /** Something unknown that is not empty. */
  some: '\uE001',
  open: '\uE002',
  comma: '\uE003',
  close: '\uE004',
  split: '\uE005',
  star: '\uE006',
  any: '\uE007',
  bracket: '\uE008',
} as const

/** One argument as the command would get it. `text` may hold `MARK.maybe` and `MARK.some` where it cannot be known. */
export type Word = {
  text: string
  /** True when the shell passes it exactly as it stands: no variable, substitution, tilde, brace list or wildcard. */
  literal: boolean
  /** True when it holds an unquoted wildcard. */
  glob: boolean
  /** Names of the commands whose output becomes part of this word. */
  runs: readonly string[]
}

export type Redirect = { op: string; target: Word; body?: string }

/** One command that would run, with wrappers such as `sudo` and `env` taken off. */
export type Invocation = {
  /** The last part of the command's path in lower case; empty for a redirection alone. */
  name: string
  /** The command as it was written, after quotes. */
  program: Word | undefined
  args: readonly Word[]
  redirects: readonly Redirect[]
  wrappers: readonly string[]
  /** The folder that it would run in, as far as `cd` could be followed. */
  folder: string
  /** What it reads from its standard input, when that is known. */
  input: string | undefined
  /** The commands of the same pipeline before this one. */
  before: readonly Invocation[]
  background: boolean
  /** Whether another command of the pipeline reads its output. */
  piped: boolean
  /** Name of the shell function whose body holds it. */
  within: string | undefined
}

/** What a command line would run. `unparsed` says why the reading stopped; the commands found until then are still there. */
export type ParsedShell = {
  commands: readonly Invocation[]
  /** True for a plain list of pipelines: no loops, functions, subshells, substitutions, assignments or nested scripts. */
  simple: boolean
  unparsed: string | undefined
}

/** A reason why a command line cannot be read; thrown inside the parser only. */
export class Unparsed extends Error {
  override readonly name = 'Unparsed'
}

/** The last part of a path, in lower case. */
export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase()
