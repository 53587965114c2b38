/**
 * Marks inside a word for what the shell does later: parts that cannot be known in advance, and unquoted
 * special characters. They are private-use characters; a text that contains one is not parsed at all.
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

/**
 * One argument as the command would receive it. `text` contains `MARK.maybe` and `MARK.some` where it cannot be
 * known.
 */
export type Word = {
  text: string
  /** The shell passes it unchanged: no variable, substitution, tilde, brace list or wildcard. */
  literal: boolean
  /** It contains an unquoted wildcard. */
  glob: boolean
  /** Names of the commands whose output becomes part of this word. */
  runs: readonly string[]
}

/** `body`: the text of a here-document or here-string, or what the commands of `<(…)` print, if known. */
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
  /** The folder that it would run in, as far as `cd` can be followed. */
  folder: string
  /** Its standard input, if known. */
  input: string | undefined
  /** The earlier commands of the same pipeline. */
  before: readonly Invocation[]
  background: boolean
  /** Whether another command of the pipeline reads its output. */
  piped: boolean
  /** Name of the shell function that contains it. */
  within: string | undefined
}

/** What a command line would run. `unparsed` says why parsing stopped; the commands found before that are included. */
export type ParsedShell = {
  commands: readonly Invocation[]
  /** A plain list of pipelines: no loops, functions, subshells, substitutions, assignments or nested scripts. */
  simple: boolean
  unparsed: string | undefined
}

/** Why a command line cannot be parsed; thrown only inside the parser. */
export class Unparsed extends Error {
  override readonly name = 'Unparsed'
}

/** The last part of a path, in lower case. */
export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase()
