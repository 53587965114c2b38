import { baseName, type Invocation, type Word } from '../shell-types.ts'

/** `valued`: short flags that take the next word. `before`: how many arguments precede the command. */
type Wrapper = { valued?: string; long?: readonly string[]; before?: number; assigns?: boolean }

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: 'CghpRrtTuUD',
    long: ['--user', '--group', '--host', '--prompt', '--chdir', '--role', '--type', '--chroot'],
    assigns: true,
  },
  doas: { valued: 'uC' },
  pkexec: { long: ['--user'] },
  run0: { long: ['--user'] },
  env: { valued: 'uCS', long: ['--unset', '--chdir', '--split-string'], assigns: true },
  nice: { valued: 'n', long: ['--adjustment'] },
  ionice: { valued: 'cntu', long: ['--class', '--classdata'] },
  chrt: { before: 1 },
  taskset: { before: 1 },
  nohup: {},
  setsid: {},
  time: { valued: 'fo', long: ['--format', '--output'] },
  timeout: { valued: 'ks', long: ['--kill-after', '--signal'], before: 1 },
  gtimeout: { valued: 'ks', long: ['--kill-after', '--signal'], before: 1 },
  command: {},
  builtin: {},
  exec: { valued: 'a' },
  stdbuf: { valued: 'ioe', long: ['--input', '--output', '--error'] },
  unbuffer: {},
  unshare: { valued: 'SGRw', long: ['--root', '--wd', '--setuid', '--setgid'] },
  setarch: { before: 1 },
  linux32: {},
  linux64: {},
  'systemd-run': { valued: 'pEuGt', long: ['--unit', '--property', '--setenv', '--slice', '--uid', '--gid'] },
  firejail: {},
  parallel: { valued: 'jnSa', long: ['--jobs'] },
  prlimit: {},
  numactl: {},
  'dbus-run-session': {},
  'xvfb-run': {},
  caffeinate: { valued: 'tw' },
  fakeroot: {},
  busybox: {},
  toybox: {},
  chroot: { before: 1, long: ['--userspec', '--groups'] },
  flock: { valued: 'wE', long: ['--timeout', '--wait'], before: 1 },
  strace: { valued: 'aeIoOpPsSuUX' },
  xargs: {
    valued: 'aEIiLlnPsd',
    long: [
      '--arg-file',
      '--delimiter',
      '--max-args',
      '--max-procs',
      '--max-lines',
      '--replace',
      '--max-chars',
    ],
  },
}

/** `flags`: those of the wrappers, without the words that they take. */
export type Unwrapped = { words: readonly Word[]; wrappers: readonly string[]; flags: readonly Word[] }

/** Remove `sudo`, `env`, `timeout` and other wrappers from the front of a command, with their flags. */
export function unwrapCommand(words: readonly Word[]): Unwrapped {
  const wrappers: string[] = []
  const flags: Word[] = []
  let from = 0
  while (wrappers.length < 20) {
    const name = baseName(words[from]?.text ?? '')
    const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
    if (!wrapper) break
    const next = afterFlags(words, from + 1, name, wrapper)
    if (next === undefined || next >= words.length) break
    wrappers.push(name)
    flags.push(...words.slice(from + 1, next).filter(({ text }) => text.startsWith('-')))
    from = next
  }
  return { words: words.slice(from), wrappers, flags }
}

/** Index of the wrapped command; undefined if the wrapper only answers a question, like `command -v`. */
function afterFlags(
  words: readonly Word[],
  from: number,
  name: string,
  wrapper: Wrapper,
): number | undefined {
  let at = from
  let before = wrapper.before ?? 0
  for (; at < words.length; at++) {
    const text = words[at]!.text
    if (text === '--') {
      at++
      break
    }
    if (name === 'command' && /^-[vV]/.test(text)) return undefined
    if (/^-./.test(text)) {
      if (name === 'env' && /^(-\w*S|--split-string)/.test(text)) return undefined
      const takesNext = text.startsWith('--')
        ? wrapper.long?.includes(text)
        : endsValued(text, wrapper.valued ?? '')
      if (takesNext) at++
    } else if (wrapper.assigns && /^[A-Za-z_]\w*=/.test(text)) continue
    else if (before > 0) before--
    else break
  }
  return at + (words[at - 1]?.text === '--' ? before : 0)
}

/** Whether a cluster such as `-Eu` takes the next word, because its last letter does; `-uroot` does not. */
function endsValued(flag: string, valued: string): boolean {
  const letters = flag.slice(1)
  const first = Array.from(letters).findIndex(letter => valued.includes(letter))
  return first >= 0 && first === letters.length - 1
}

export const SHELLS = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'mksh',
  'ash',
  'fish',
  'csh',
  'tcsh',
  'rbash',
])

/** A nested script: its text, and the values of `$0`, `$1` … inside it. */
export type Script = { text: Word; values: readonly Word[] }

/** The scripts in a command's arguments: `sh -c`, `eval`, `su -c`, `ssh host`, `watch`, `trap` and others. */
export function scriptsOf(name: string, args: readonly Word[]): Script[] {
  if (SHELLS.has(name)) return shellScripts(args)
  const operands = args.filter(word => !word.text.startsWith('-'))
  switch (name) {
    case 'eval':
      return [joined(args[0]?.text === '--' ? args.slice(1) : args)]
    case 'su':
    case 'runuser':
    case 'script':
      return valueOf(args, /^-[a-z]*c$/, '--command')
    case 'env':
      return valueOf(args, /^-[a-zA-Z]*S$/, '--split-string')
    case 'watch':
      return [joined(afterNumbers(args))]
    case 'tar':
    case 'bsdtar':
      return [
        ...attached(args, /^--checkpoint-action=exec=(.+)$/s),
        ...attached(args, /^--(?:to-command|use-compress-program|new-volume-script|info-script)=(.+)$/s),
      ]
    case 'git':
      // Aliases that begin with `!`, pagers, editors: a shell runs most values that are commands.
      return [
        ...valueOf(args, /^-c$/, '--config-env').flatMap(({ text }) => attached([text], /^[\w.-]+=!?(.+)$/s)),
        ...attached(args, /^!(.+)$/s),
      ]
    case 'vim':
    case 'vi':
    case 'nvim':
    case 'ex':
      return [
        ...valueOf(args, /^-[a-zA-Z]*c$/, '--cmd').flatMap(({ text }) => attached([text], /^:*!(.+)$/s)),
        ...attached(args, /^\+:*!(.+)$/s),
      ]
    case 'sg':
      return valueOf(args, /^-c$/, '--command')
    case 'trap':
      return operands.slice(0, 1).map(text => ({ text, values: [] }))
    case 'ssh': {
      const host = args.findIndex(
        (word, at) =>
          !word.text.startsWith('-') && !/^-[bcDEeFIiJLlmOopQRSWw]$/.test(args[at - 1]?.text ?? ''),
      )
      return host < 0 ? [] : [joined(args.slice(host + 1))]
    }
    default:
      return []
  }
}

function shellScripts(args: readonly Word[]): Script[] {
  const flag = args.findIndex(word => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word.text) || word.text === '--command')
  if (flag < 0) return []
  let at = flag + 1
  while (/^[-+]/.test(args[at]?.text ?? '')) at += /^[-+]\w*[oO]$/.test(args[at]!.text) ? 2 : 1
  const text = args[at]
  return text ? [{ text, values: args.slice(at + 1) }] : []
}

function valueOf(args: readonly Word[], short: RegExp, long: string): Script[] {
  const scripts: Script[] = []
  for (const [at, word] of args.entries()) {
    const next = args[at + 1]
    if ((short.test(word.text) || word.text === long) && next) scripts.push({ text: next, values: [] })
    const attached = word.text.startsWith(`${long}=`) ? word.text.slice(long.length + 1) : undefined
    const clustered = /^-[a-z]*S(.+)$/s.exec(word.text)?.[1]
    const text = attached ?? (long === '--split-string' ? clustered : undefined)
    if (text !== undefined) scripts.push({ text: { ...word, text }, values: [] })
  }
  return scripts
}

/** Scripts that follow a flag after `=`. */
const attached = (args: readonly Word[], pattern: RegExp): Script[] =>
  args.flatMap(word => {
    const text = pattern.exec(word.text)?.[1]
    return text === undefined ? [] : [{ text: { ...word, text }, values: [] }]
  })

function afterNumbers(args: readonly Word[]): readonly Word[] {
  let at = 0
  while (args[at]?.text.startsWith('-')) at += /^(-n|--interval)$/.test(args[at]!.text) ? 2 : 1
  return args.slice(at)
}

const joined = (words: readonly Word[]): Script => ({
  text: {
    text: words.map(word => word.text).join(' '),
    literal: words.every(word => word.literal),
    glob: false,
    runs: words.flatMap(word => word.runs),
  },
  values: [],
})

/** Whether a command runs its standard input as a script. */
export function readsScript(command: Invocation): boolean {
  if (command.name === 'at' || command.name === 'batch') return true
  if (/^(g|b)?make$/.test(command.name))
    return /(^|\s)(-\w*f ?|--(?:make)?file[= ])(-|\/dev\/(stdin|fd\/0))(\s|$)/.test(
      command.args.map(word => word.text).join(' '),
    )
  if (command.name === 'source' || command.name === '.')
    return /^(\/dev\/(stdin|fd\/0)|-)$/.test(command.args[0]?.text ?? '')
  if (!SHELLS.has(command.name)) return false
  const operand = command.args.find(word => !/^-./.test(word.text))
  const flags = command.args.map(word => word.text).filter(text => text.startsWith('-'))
  if (flags.some(flag => /^-[a-z]*c/.test(flag))) return false
  return (
    operand === undefined || operand.text === '-' || operand.text === '/dev/stdin' || flags.includes('-s')
  )
}
