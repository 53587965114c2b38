import { readsOf } from './plain-commands.ts'
import type { Invocation, ParsedShell, Redirect } from '../shell-types.ts'

/** Characters that are literal in every shell, or join commands. The rest of a plain command is in quotes. */
const PLAIN_TEXT =
  /^(?:[\p{L}\p{N}\w ./,:=@%+|^*?[\]!-]|(?<=[\w@^])~|&&|;|<(?=[ \w.])|[12]?>(?=&[12](?:[ |;&]|$)| ?\/dev\/null)|(?<=>)&|\\[();]|@\{\d+\})*$/u
/** Quoted text without special or control characters, or characters that hide or reorder text. */
const QUOTED = /'[^'\p{C}\p{Zl}\p{Zp}]*'|"(?:[^"$`\\!\p{C}\p{Zl}\p{Zp}]|\\[\w.|()[\]*+?{}^-])*"/gu

/**
 * Whether a command line only reads and needs no confinement: one or more commands, joined by pipes, `&&` and
 * `;`. Every command and flag is known, with no variables, substitutions or redirections other than from a
 * file and to `/dev/null`. What the words mean on disk is judged elsewhere.
 */
export const onlyReadsPlainly = (command: string, parsed: ParsedShell): boolean =>
  PLAIN_TEXT.test(command.replace(QUOTED, 'x')) &&
  parsed.simple &&
  parsed.commands.length > 0 &&
  parsed.commands.length <= 20 &&
  parsed.commands.every(isPlain) &&
  staysInFolder(command.replace(QUOTED, 'x'), parsed)

/** Whether the folder of each command is certain: `cd` comes first, and all the rest needs its success. */
const staysInFolder = (text: string, { commands }: ParsedShell) =>
  commands.every(({ name }) => name !== 'cd') ||
  (/^ *cd +[^ ;&|<>]+ *&&/.test(text) &&
    !/;|\|\|/.test(text) &&
    commands.slice(1).every(({ name }) => name !== 'cd'))

function isPlain({ name, program, args, redirects, wrappers, background }: Invocation): boolean {
  // A path could name any program, and a wildcard any file.
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
