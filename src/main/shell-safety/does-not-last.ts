import { posix } from 'node:path'
import { parseShell } from './parse/parse-shell.ts'
import { MARK, type Invocation } from './shell-types.ts'

const NEW_SHELL = 'each call begins in a new shell'
const BEFORE = 'Put it before the command that needs it, in the same call.'

/** Changes of the folder, and of what else a shell forgets when it ends. */
const FOLDERS = new Set(['cd', 'pushd', 'popd', 'chdir'])
/** Each with what its arguments must be to change something; without, they only show. */
const SETTINGS: Readonly<Record<string, RegExp>> = {
  export: /^(?!-p)\S/,
  declare: /=/,
  typeset: /=/,
  readonly: /=/,
  local: /=/,
  alias: /=/,
  unalias: /./,
  unset: /./,
  umask: /^[0-7augorwx=+,-]*[0-7=+]/,
  ulimit: /^(?:\d+|unlimited)$/,
  set: /^[-+]./,
  shopt: /^-[su]/,
  trap: /./,
  source: /./,
  '.': /./,
  activate: /^/,
  deactivate: /^/,
  nvm: /^use$/,
  fnm: /^use$/,
  conda: /^(?:de)?activate$/,
  mamba: /^(?:de)?activate$/,
  micromamba: /^(?:de)?activate$/,
  pyenv: /^(?:shell|activate)$/,
  rbenv: /^shell$/,
  jenv: /^shell$/,
  asdf: /^shell$/,
  sdk: /^use$/,
  rvm: /^use$/,
  workon: /./,
  module: /^(?:load|unload|swap|purge)$/,
}

/** Whether it is a setting of the shell. `(…)`, pipes and `&` have a shell of their own, which is plain to who writes them. */
const isSetting = ({ name, args, wrappers, piped, before, background }: Invocation): boolean => {
  if (wrappers.length > 0 || piped || before.length > 0 || background) return false
  if (FOLDERS.has(name)) return true
  const wanted = SETTINGS[name]
  return (
    wanted !== undefined && (args.length === 0 ? wanted.test('') : args.some(({ text }) => wanted.test(text)))
  )
}

/** Only shows or says something that depends on nothing. */
const isIdle = ({ name, args, redirects }: Invocation): boolean =>
  redirects.length === 0 &&
  (['pwd', 'true', ':'].includes(name) || (name === 'echo' && args.every(({ literal }) => literal)))

/**
 * What the model should know about a command that ends with a setting of the shell that nothing used, such as `cd` or
 * `export`; undefined for others. `folder` is where it ran.
 */
export function whatDoesNotLast(command: string, folder: string, home: string): string | undefined {
  // Assignments alone are no commands for the parser.
  if (/^\s*(?:[A-Za-z_]\w{0,200}=[^\s;&|()`$]{0,500}(?:\s+|$))+$/.test(command))
    return `This does not last: ${NEW_SHELL}. ${BEFORE}`
  const { commands, unparsed } = parseShell(command, folder, home)
  if (unparsed !== undefined) return undefined
  const used = commands.findLastIndex(each => !isSetting(each) && !isIdle(each))
  const last = commands.slice(used + 1).filter(isSetting)
  if (last.length === 0) return undefined
  const moves = last.filter(({ name }) => FOLDERS.has(name))
  const others = last.length > moves.length ? ` ${BEFORE}` : ''
  if (moves.length === 0) return `This does not last: ${NEW_SHELL}.${others}`
  const target = folderAfter(moves, home)
  const named = target === undefined ? 'cwd' : `cwd ${JSON.stringify(shownFrom(folder, target))}`
  return `This does not last: the next call begins in the folder of the chat again. Give ${named} with it.${others}`
}

/** Where the last of some changes leads, if that is known. */
function folderAfter(moves: readonly Invocation[], home: string): string | undefined {
  const last = moves.at(-1)!
  const words = last.args.filter(({ text }) => !/^-[LPe@]+$|^--$/.test(text))
  if (last.name === 'popd' || words.length > 1) return undefined
  const [word] = words
  if (!word) return last.name === 'cd' ? home : undefined
  const { text, glob } = word
  const isUnknown =
    glob || text === '-' || /^[+-]\d/.test(text) || Object.values(MARK).some(mark => text.includes(mark))
  return isUnknown || text.length > 500 ? undefined : posix.resolve(last.folder, text)
}

function shownFrom(folder: string, target: string): string {
  const below = posix.relative(folder, target)
  return below === '' ? '.' : below.startsWith('..') ? target : below
}
