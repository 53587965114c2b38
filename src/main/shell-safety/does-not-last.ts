import { posix } from 'node:path'
import { parseShell } from './parse/parse-shell.ts'
import { MARK, type Invocation } from './shell-types.ts'

const NEW_SHELL = 'each call begins in a new shell'
const BEFORE = 'Put it before the command that needs it, in the same call.'

/** Commands that change the folder. */
const FOLDERS = new Set(['cd', 'pushd', 'popd', 'chdir'])
/** Other commands that change a shell's settings, and the arguments with which they do. */
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

/** Whether a command changes the shell's settings. `(…)`, pipes and `&` plainly affect only a subshell. */
const isSetting = ({ name, args, wrappers, piped, before, background }: Invocation): boolean => {
  if (wrappers.length > 0 || piped || before.length > 0 || background) return false
  if (FOLDERS.has(name)) return true
  const wanted = SETTINGS[name]
  return (
    wanted !== undefined && (args.length === 0 ? wanted.test('') : args.some(({ text }) => wanted.test(text)))
  )
}

/** Whether a command only prints something fixed. */
const isIdle = ({ name, args, redirects }: Invocation): boolean =>
  redirects.length === 0 &&
  (['pwd', 'true', ':'].includes(name) || (name === 'echo' && args.every(({ literal }) => literal)))

/**
 * Tell the model if a command ends with a shell setting that nothing used, such as `cd` or `export`;
 * undefined otherwise. `folder` is where it ran.
 */
export function whatDoesNotLast(command: string, folder: string, home: string): string | undefined {
  // To the parser, assignments alone are not commands.
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

/** The folder that the last of several changes leads to, if it is known. */
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
