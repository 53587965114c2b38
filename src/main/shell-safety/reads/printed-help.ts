const namesIn = (text: string) => new Set(text.split(' '))
/** Programs that print their version or help for this short flag or word, and then read no script. */
const ASKED_BY: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/^-v$/, namesIn('node npm pnpm yarn ruby perl php git docker make gcc g++ clang nvim deno')],
  [/^-V$/, namesIn('python python2 python3 pip pip3 ssh tmux rustc rg fd bat cargo gawk mawk nvim screen')],
  [
    /^-h$/,
    namesIn(
      'npm git docker cargo go node python python3 pip pip3 rg fd fdfind jq bat kubectl gh pnpm deno uv',
    ),
  ],
  [/^-version$/, namesIn('java javac sqlite3 ffmpeg terraform')],
]
/** Programs whose first word is a subcommand, which may be followed by `--help`. */
const WITH_COMMANDS = namesIn(
  'git go docker podman kubectl npm cargo openssl helm terraform gh brew gem composer conda hg svn',
)
/** Subcommands that run what the next word names. */
const RUNS =
  /^(?:run|run-script|rum|urn|exec|x|dlx|start|stop|restart|test|tst|t|create|init|install|shell|ssh|attach|build)$/
/** Programs that take the next word as a command, a script or a file. */
const TAKES_COMMANDS = /^(?:\.|source|eval|exec|builtin|command|env|xargs|nohup|setsid|sudo|doas)$/

/**
 * Whether a program is only asked for its version or help. Not for `bash run --help` and `make version`,
 * which run what the first word names.
 */
export function printsHelp(name: string, words: readonly string[]): boolean {
  if (!/^[\w.+-]+$/.test(name) || TAKES_COMMANDS.test(name) || words.length === 0 || words.length > 4)
    return false
  const last = words.at(-1)!
  const before = words.slice(0, -1)
  if (before.length === 0)
    return (
      /^--(?:version|help)$/.test(last) ||
      (WITH_COMMANDS.has(name) && /^(?:version|help)$/.test(last)) ||
      ASKED_BY.some(([flag, names]) => flag.test(last) && names.has(name))
    )
  return (
    WITH_COMMANDS.has(name) &&
    before.every(word => /^[a-z][\w-]*$/.test(word)) &&
    (last === '--help'
      ? !before.slice(0, -1).some(word => RUNS.test(word))
      : // An alias of git may run anything.
        name !== 'git' &&
        /^(?:--version|version|--client)$/.test(last) &&
        !before.some(word => RUNS.test(word)))
  )
}
