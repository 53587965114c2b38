import type { Invocation } from '../../shell-safety/shell-types.ts'
import { SHELLS } from '../../shell-safety/parse/unwrap-command.ts'

const INTERPRETERS =
  /^(python[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|irb|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|luajit|r|rscript|julia|octave|tclsh[\d.]*|wish|guile|racket|sbcl|clojure|clj|ghci|runghc|iex|elixir|erl|escript|scala|java|jshell|groovy|kotlin|swift|osascript|pwsh|powershell|cmd|wscript|cscript|tsx|ts-node|vite-node|electron|[gmn]?awk|sed|ed|ex|dc|m4|sqlite3|psql|mysql|mariadb|gdb|lldb|jupyter|ipython[\d.]*)$/

/** Programs that start another program or run code that they are given. */
const RUNNERS = new Set(
  `env xargs parallel sudo doas su pkexec run0 runuser setpriv unshare nsenter chroot bwrap firejail proot nice ionice chrt
  taskset nohup setsid time timeout gtimeout stdbuf unbuffer caffeinate fakeroot busybox toybox flock strace ltrace valgrind
  perf script watch entr nodemon expect tmux screen dtach at batch crontab systemd-run start-stop-daemon setarch numactl
  cpulimit eatmydata torsocks proxychains xvfb-run ssh mosh sshpass scp sftp rsync socat nc ncat netcat telnet npx bunx uvx
  pipx corepack nix nix-shell docker podman nerdctl buildah kubectl oc lxc flatpak snap vagrant ansible vi vim nvim view
  vimdiff emacs nano pico less more most man info xdg-open open gtk-launch dbus-send dbus-run-session gdbus busctl code
  talaria rundll32 mshta regsvr32 wsl`.split(/\s+/),
)

/** Shell builtins that change what later commands do, or where. */
const SHELL_STATE = new Set(
  `cd pushd popd alias unalias export declare typeset local readonly set unset shopt enable hash trap read mapfile readarray
  let getopts eval source . exec command builtin coproc function umask ulimit`.split(/\s+/),
)

/** Arguments by which a program starts another one. */
const RUNNING_WORDS: Readonly<Record<string, RegExp>> = {
  git: /^(-c.*|--config-env.*|--exec-path.*|-O.*|--open-files-in-pager.*|--upload-pack.*|--receive-pack.*|--ext-diff|--textconv|--exec.*|-x|foreach|bisect|difftool|mergetool|filter-branch|config|alias|help|instaweb|send-email|ext::.*)$/,
  find: /^-(exec|execdir|ok|okdir|fprint.*|fls)$/,
  fd: /^(-x|-X|--exec.*)$/,
  fdfind: /^(-x|-X|--exec.*)$/,
  rg: /^(--pre.*|--hostname-bin.*)$/,
  tar: /^(--to-command.*|-I.*|--use-compress-program.*|--checkpoint-action.*|-F.*|--info-script.*|--new-volume-script.*|--rsh-command.*)$/,
  sort: /^--compress-program.*$/,
  zip: /^(-T.*|--unzip-command.*)$/,
  npm: /^(exec|x|explore|init|create|config|set|edit|--script-shell.*|--node-options.*|--prefix.*)$/,
  pnpm: /^(exec|dlx|create|init|config|x|--script-shell.*|--dir.*|-C)$/,
  yarn: /^(exec|dlx|node|create|config|--cwd.*)$/,
  go: /^(run|tool|generate|-exec.*|-toolexec.*|env)$/,
  cargo: /^(run|r|--config.*)$/,
  make: /^(-f.*|--file.*|--makefile.*|-C.*|--directory.*|--eval.*|.*=.*)$/,
  uv: /^(run|tool|x)$/,
  poetry: /^(run|shell)$/,
  pipenv: /^(run|shell)$/,
  conda: /^run$/,
  bundle: /^exec$/,
  mise: /^(exec|x|run)$/,
  asdf: /^exec$/,
  direnv: /^exec$/,
  hatch: /^(run|shell)$/,
  pdm: /^run$/,
  gh: /^(alias|extension|codespace|cs)$/,
}

/** Programs whose arguments are too powerful to be left open. */
const NEVER_OPEN = new Set(['git', 'npm', 'pnpm', 'yarn', 'go', 'cargo', 'make', 'gh', 'uv', 'bundle'])

/**
 * Why a command can never be allowed for good; undefined if it can. `more`: with further words. Interpreters,
 * wrappers and other programs that run what they are given can do anything, so such a rule has no limit.
 */
export function whyNeverAllowed(words: readonly string[], more = false): string | undefined {
  const [program = '', ...args] = words
  const name = baseOf(program)
  if (SHELL_STATE.has(name)) return `“${name}” changes how later commands run`
  const running = findRunner(words)
  if (running !== undefined) return `“${running}” runs other programs or code that it is given`
  if (more && (name === 'find' || (NEVER_OPEN.has(name) && args.length === 0)))
    return `“${name} *” would hold for commands that run other programs`
  return undefined
}

/**
 * Like `whyNeverAllowed`, for a parsed command, which must be plain: no wrapper, unknown word or output file.
 */
export function whyNotPlain(command: Invocation): string | undefined {
  const { program, args, redirects, wrappers, background, within } = command
  if (!program?.literal || program.text === '' || !args.every(word => word.literal))
    return 'not all of its words are known in advance'
  if (wrappers.length > 0) return `“${wrappers[0]}” runs other programs or code that it is given`
  if (background || within !== undefined) return 'it does not simply run and end'
  if (!redirects.every(isHarmless)) return 'it redirects its input or output to a file'
  return whyNeverAllowed([program.text, ...args.map(word => word.text)])
}

/** The words of a command that make it run other programs or code; undefined if there are none. */
export function findRunner([program = '', ...args]: readonly string[]): string | undefined {
  const name = baseOf(program)
  if (SHELL_STATE.has(name)) return undefined
  if (SHELLS.has(name) || INTERPRETERS.test(name) || RUNNERS.has(name)) return name
  const running = Object.hasOwn(RUNNING_WORDS, name) ? RUNNING_WORDS[name]! : undefined
  const word = args.find(arg => running?.test(arg))
  return word === undefined ? undefined : `${name} ${word}`
}

const isHarmless = ({ op, target }: Invocation['redirects'][number]) =>
  target.literal && (target.text === '/dev/null' || (/^[<>]&$/.test(op) && /^[012]$/.test(target.text)))

const baseOf = (path: string) =>
  path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .toLowerCase()
    .replace(/\.(exe|cmd|bat|com|ps1)$/, '')
