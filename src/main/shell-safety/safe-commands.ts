import type { Invocation, ParsedShell, Redirect } from './shell-types.ts'

/**
 * `flags`: short flags without a value that only affect output. `valued`: short flags with a value, attached or
 * in the next word. `long`: long flags, with or without `=value`. `most`: maximum number of operands.
 */
type Safe = {
  flags?: string
  valued?: string
  long?: string
  most?: number
  check?(words: readonly string[]): boolean
}

/** Commands that only read and print, with the flags that keep it so. Anything else needs approval. */
const SAFE: Readonly<Record<string, Safe>> = {
  ls: {
    flags: 'aAbBcCdfFgGhHiIklLmnNopqQrRsStuUvwxXZ1',
    long: 'all almost-all human-readable recursive size sort time reverse directory classify color group-directories-first full-time time-style',
  },
  cat: { flags: 'AbeEnstTuv', long: 'number number-nonblank squeeze-blank show-all' },
  head: { flags: 'qv', valued: 'nc', long: 'lines bytes quiet' },
  tail: { flags: 'qvr', valued: 'nc', long: 'lines bytes quiet' },
  nl: { flags: 'p', valued: 'bfhinsvw' },
  wc: { flags: 'lwcmL', long: 'lines words bytes chars max-line-length' },
  pwd: { flags: 'LP' },
  echo: { check: () => true },
  printf: { check: words => words[0] !== '-v' },
  true: {},
  false: {},
  date: {
    flags: 'uR',
    valued: 'dI',
    long: 'utc date iso-8601 rfc-3339 rfc-email',
    check: words => words.every((word, at) => /^[-+]/.test(word) || words[at - 1] === '-d'),
  },
  whoami: { most: 0 },
  id: { flags: 'ugGnr', most: 1 },
  uname: { flags: 'asnrvmpio', most: 0 },
  uptime: { flags: 'ps', most: 0 },
  nproc: { long: 'all', most: 0 },
  which: { flags: 'as' },
  type: { flags: 'atpPf' },
  basename: { flags: 'az', valued: 's' },
  dirname: { flags: 'z' },
  realpath: { flags: 'emszLP' },
  readlink: { flags: 'femnz' },
  stat: { flags: 'LftxsnqF', valued: 'c', long: 'format printf terse file-system' },
  file: { flags: 'bhikLpszEN', long: 'brief mime mime-type mime-encoding' },
  du: {
    flags: 'abcDhHkLlmPsSx0',
    valued: 'dtB',
    long: 'all human-readable summarize max-depth apparent-size total exclude',
  },
  df: { flags: 'ahHiklmPT', valued: 'tx', long: 'human-readable print-type total inodes' },
  ps: { flags: 'AaedfFjlLrTxuwyZ', valued: 'ptoCUG', long: 'forest sort no-headers pid', check: psReads },
  tree: {
    flags: 'adfpshugDFrtvixCnl',
    valued: 'LPI',
    long: 'dirsfirst gitignore noreport filelimit du prune',
  },
  // No `-r`: it would also read hidden files with passwords, which search_files skips.
  grep: {
    flags: 'abcEFGhHilLnoPqsvwxyzZ',
    valued: 'ABCem',
    long: 'count ignore-case line-number files-with-matches files-without-match fixed-strings extended-regexp perl-regexp invert-match word-regexp only-matching context before-context after-context max-count color no-messages regexp',
  },
  rg: {
    flags: 'acFhHiIlnNopPqsSTUvwxz',
    valued: 'ABCegmtTMj',
    long: 'count files files-with-matches files-without-match fixed-strings ignore-case smart-case line-number no-line-number glob type type-not multiline word-regexp only-matching context before-context after-context max-count max-depth sort stats json heading no-heading color regexp max-columns invert-match column trim',
  },
  find: { check: findReads },
  sort: {
    flags: 'bdfgihMnRrVcCmsuz',
    valued: 'kt',
    long: 'numeric-sort reverse unique key field-separator human-numeric-sort version-sort ignore-case',
  },
  uniq: { flags: 'cdDiuz', valued: 'fsw', long: 'count repeated unique ignore-case', most: 1 },
  cut: { flags: 'snz', valued: 'bcdf', long: 'delimiter fields characters complement output-delimiter' },
  tr: { flags: 'cCdst' },
  column: { flags: 'txens', valued: 'scoN' },
  diff: {
    flags: 'abBcdeEinNpqstTuwyZ',
    valued: 'UCWI',
    long: 'brief unified context side-by-side ignore-all-space ignore-blank-lines ignore-case color stat',
  },
  cmp: { flags: 'bls', valued: 'n' },
  comm: { flags: '123i' },
  md5sum: { flags: 'bt' },
  sha1sum: { flags: 'bt' },
  sha256sum: { flags: 'bt' },
  // sed scripts can write files and run commands, except those that only print lines.
  sed: {
    flags: 'nE',
    check: words =>
      words[0] === '-n' &&
      /^\d+(,(\d+|\$))?p$/.test(words[1] ?? '') &&
      words.slice(2).every(word => !word.startsWith('-')),
  },
  git: { check: gitReads },
}

/**
 * Whether a command line only reads: every command is in the table, and nothing is written, substituted or
 * unparsed.
 */
export const onlyReads = (parsed: ParsedShell): boolean =>
  parsed.simple && parsed.commands.length > 0 && parsed.commands.length <= 20 && parsed.commands.every(isSafe)

/**
 * Commands whose every flag was read for what it could start or write, for computers that cannot confine them. Others in
 * the table above start programs, read configuration or write files by flags that look harmless; git and tree among them.
 */
const PLAIN = new Set(
  'ls cat head tail nl wc pwd echo true false whoami id uname uptime nproc basename dirname stat grep uniq cut tr cmp comm md5sum sha1sum sha256sum'.split(
    ' ',
  ),
)

/**
 * The same where nothing confines the command: one command or a pipe of plain words, without quotes, escapes, variables,
 * wildcards or redirections.
 */
export const onlyReadsPlainly = (command: string, parsed: ParsedShell): boolean =>
  /^[\w ./,:=@%+|-]+$/.test(command) &&
  onlyReads(parsed) &&
  parsed.commands.every(({ name, redirects }) => PLAIN.has(name) && redirects.length === 0)

function isSafe(command: Invocation): boolean {
  const { name, program, args, redirects, wrappers, background } = command
  // A path could name any program, and wildcards could match any file, including links to secrets.
  if (!program?.literal || program.text !== name || wrappers.length > 0 || background) return false
  if (!args.every(word => word.literal) || !redirects.every(isHarmless)) return false
  const rule = Object.hasOwn(SAFE, name) ? SAFE[name]! : undefined
  if (!rule) return false
  const words = args.map(word => word.text)
  if (rule.check && !rule.check(words)) return false
  const free = rule.check !== undefined && rule.flags === undefined
  return free || flagsAreKnown(words, rule)
}

const isHarmless = ({ op, target }: Redirect) =>
  target.literal && (target.text === '/dev/null' || (/^[<>]&$/.test(op) && /^[012]$/.test(target.text)))

function flagsAreKnown(words: readonly string[], rule: Safe): boolean {
  let operands = 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (word === '--') {
      operands += words.length - at - 1
      break
    }
    if (word.startsWith('--')) {
      if (!longFlags(rule).includes(word.slice(2).split('=', 1)[0]!)) return false
    } else if (/^-\d+$/.test(word)) {
      if (!rule.valued?.includes('n') && !rule.valued?.includes('C')) return false
    } else if (/^-./.test(word)) {
      const read = readCluster(word.slice(1), rule)
      if (read === 'unknown') return false
      if (read === 'takes next') at++
    } else operands++
  }
  return operands <= (rule.most ?? Infinity)
}

const longFlags = (rule: Safe) => rule.long?.split(/\s+/) ?? []

/** Combined short flags: `-la`, `-n5`, `-A 3`. */
function readCluster(letters: string, rule: Safe): 'known' | 'takes next' | 'unknown' {
  for (const [at, letter] of Array.from(letters).entries()) {
    if (rule.valued?.includes(letter)) return at === letters.length - 1 ? 'takes next' : 'known'
    if (!rule.flags?.includes(letter)) return 'unknown'
  }
  return 'known'
}

/** ps also takes flags without a dash, and `e` would show the environment of every process. */
function psReads(words: readonly string[]): boolean {
  return words.every(
    (word, at) => /^-|^[auxwfjlr]+$/.test(word) || /^-\w*[ptoCUG]$/.test(words[at - 1] ?? ''),
  )
}

const FIND_TESTS =
  /^-(i?name|i?path|i?wholename|i?regex|i?lname|type|xtype|size|empty|newer\w*|[acm](time|min)|maxdepth|mindepth|user|group|perm|links|a|o|not|and|or|prune|print|print0|printf|ls|depth|xdev|mount|true|false|regextype|P|H)$/

function findReads(words: readonly string[]): boolean {
  return words.every(word => !word.startsWith('-') || FIND_TESTS.test(word) || /^-\d+[a-zA-Z]*$/.test(word))
}

const LOG = `oneline graph all decorate stat shortstat numstat summary name-only name-status patch no-patch pretty format
  abbrev-commit abbrev date since until after before author committer grep max-count skip reverse merges no-merges
  first-parent follow diff-filter color no-color word-diff color-words ignore-all-space ignore-space-change unified
  find-renames branches tags remotes topo-order date-order cc raw minimal histogram patience function-context`

/** `--output` writes a file, `-c` and `--ext-diff` run programs, operands of `branch` and `tag` create things. */
const GIT: Readonly<Record<string, Safe>> = {
  status: { flags: 'sbuvz', long: 'short branch porcelain long show-stash ignored untracked-files' },
  log: { flags: 'pimzrc', valued: 'nLSG', long: LOG },
  show: { flags: 'psmzrc', valued: 'n', long: LOG },
  diff: { flags: 'pswbzR', valued: 'UMSG', long: `${LOG} cached staged merge-base` },
  blame: { flags: 'bcelfnpstw', valued: 'LCM', long: 'date porcelain show-email root' },
  branch: {
    flags: 'arvl',
    long: 'all remotes list show-current merged no-merged sort contains verbose',
    most: 0,
  },
  tag: { flags: 'ln', long: 'list sort contains points-at', most: 0 },
  remote: { flags: 'v', most: 0 },
  stash: { check: words => words.length === 1 && words[0] === 'list' },
  'rev-parse': { long: 'abbrev-ref short show-toplevel is-inside-work-tree verify git-dir quiet' },
  'ls-files': {
    flags: 'cdmoiskutvz',
    valued: 'x',
    long: 'cached deleted modified others ignored exclude-standard stage full-name',
  },
  'ls-tree': { flags: 'drtlz', long: 'name-only long full-tree full-name' },
  shortlog: { flags: 'nsec', long: 'numbered summary email since until' },
  describe: { long: 'tags all long abbrev always dirty match' },
}

function gitReads(words: readonly string[]): boolean {
  const from = words[0] === '--no-pager' ? 1 : 0
  const verb = words[from] ?? ''
  const rule = Object.hasOwn(GIT, verb) ? GIT[verb]! : undefined
  const rest = words.slice(from + 1)
  return rule !== undefined && (rule.check ? rule.check(rest) : flagsAreKnown(rest, rule))
}
