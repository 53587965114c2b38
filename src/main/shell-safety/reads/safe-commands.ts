import { readsOf } from './plain-commands.ts'
import type { Invocation, ParsedShell, Redirect } from '../shell-types.ts'

/** Characters that mean themselves to every shell, or join commands; the rest of a plain command is in quotes. */
const PLAIN_TEXT =
  /^(?:[\p{L}\p{N}\w ./,:=@%+|^*?[\]!-]|(?<=[\w@^])~|&&|;|<(?=[ \w.])|[12]?>(?=&[12](?:[ |;&]|$)| ?\/dev\/null)|(?<=>)&|\\[();]|@\{\d+\})*$/u
/** Text in quotes in which nothing is special. Control characters and those that hide or reorder text stay outside. */
const QUOTED = /'[^'\p{C}\p{Zl}\p{Zp}]*'|"(?:[^"$`\\!\p{C}\p{Zl}\p{Zp}]|\\[\w.|()[\]*+?{}^-])*"/gu

/**
 * Whether a command line only reads and needs nothing to confine it: one command or several, joined by pipes, `&&` and `;`,
 * every command and flag known, no variables, substitutions or redirections but from a file and to `/dev/null`. What its
 * words mean on the disk is judged elsewhere.
 */
export const onlyReadsPlainly = (command: string, parsed: ParsedShell): boolean =>
  PLAIN_TEXT.test(command.replace(QUOTED, 'x')) &&
  parsed.simple &&
  parsed.commands.length > 0 &&
  parsed.commands.length <= 20 &&
  parsed.commands.every(isPlain) &&
  staysInFolder(command.replace(QUOTED, 'x'), parsed)

/**
 * Where a command runs must not depend on what happened before: `cd` comes first, and nothing runs that does not need its
 * success.
 */
const staysInFolder = (text: string, { commands }: ParsedShell) =>
  commands.every(({ name }) => name !== 'cd') ||
  (/^ *cd +[^ ;&|<>]+ *&&/.test(text) &&
    !/;|\|\|/.test(text) &&
    commands.slice(1).every(({ name }) => name !== 'cd'))

function isPlain({ name, program, args, redirects, wrappers, background }: Invocation): boolean {
  // A path could name any program, and wildcards in its place any file.
  if (!program?.literal || program.text !== name || wrappers.length > 0 || background) return false
  return (
    args.every(word => word.literal || word.glob) &&
    redirects.every(isHarmless) &&
    readsOf(name, args) !== undefined
  )
}

const isHarmless = ({ op, target }: Redirect) =>
  target.literal &&
  (op === '<' || target.text === '/dev/null' || (/^[<>]&$/.test(op) && /^[012]$/.test(target.text)))
