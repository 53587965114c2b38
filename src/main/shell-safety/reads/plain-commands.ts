import { findStarts } from '../find-arguments.ts'
import { operandsOf, type Flags } from './command-flags.ts'
import { gitOperands } from './git-reads.ts'
import { psReads } from './process-reads.ts'
import { awkProgramReads, jqProgramReads, sedScriptReads } from './script-reads.ts'
import type { Word } from '../shell-types.ts'

/**
 * A command that only reads, wherever it runs. `script`: whether to accept the first operand as a pattern or
 * script, or with `expressions`, each value of `-e`. `names`: operands are text, not files. `isDeep`: flags
 * with which it reads files in subfolders; without them it never does.
 */
type Plain = Flags & {
  script?: (text: string) => boolean
  names?: boolean
  expressions?: boolean
  isDeep?: RegExp
  check?: (words: readonly string[]) => boolean
  operands?: (args: readonly Word[]) => readonly Word[] | undefined
}

const pattern = () => true
const SUM: Plain = { flags: 'bt' }

const GREP: Plain = {
  script: pattern,
  expressions: true,
  flags: 'abcEFGhHilLnoPqrsvwxz',
  valued: 'ABCm',
  long: 'count ignore-case line-number files-with-matches files-without-match fixed-strings extended-regexp perl-regexp invert-match word-regexp line-regexp only-matching context before-context after-context max-count color colour no-messages recursive include exclude exclude-dir with-filename no-filename quiet silent text null',
  isDeep: /^(-\w*r\w*|--recursive)$/,
}

/** Commands that read only what their words name. Every flag was checked for what it could start or write. */
const PLAIN: Readonly<Record<string, Plain>> = {
  ls: {
    flags: 'aAbBcCdfFgGhiIklmnNopqQrRsStuUvwxXZ1',
    long: 'all almost-all human-readable recursive size sort time reverse directory classify color group-directories-first full-time time-style',
  },
  cat: { flags: 'AbeEnstTuv', long: 'number number-nonblank squeeze-blank show-all' },
  head: { flags: 'qvz', valued: 'nc', long: 'lines bytes quiet' },
  tail: {
    flags: 'qvrz',
    valued: 'nc',
    long: 'lines bytes quiet',
    operands: args => {
      // `tail +2` is the old form of `tail -n +2`; some versions take it for a file.
      const known: Flags = { flags: 'qvrz', valued: 'nc', long: 'lines bytes quiet' }
      return operandsOf(args, known, textOf)?.filter(word => !/^\+\d+$/.test(word.text))
    },
  },
  tac: {},
  nl: { flags: 'p', valued: 'bfhinsvw' },
  wc: { flags: 'lwcmL', long: 'lines words bytes chars max-line-length' },
  rev: {},
  fold: { flags: 'bs', valued: 'w' },
  fmt: { valued: 'w' },
  expand: { flags: 'i', valued: 't' },
  unexpand: { flags: 'a', valued: 't' },
  paste: { flags: 'sz', valued: 'd' },
  join: { flags: 'i', valued: '12atjov' },
  od: { flags: 'abcdofhisxv', valued: 'AjNt' },
  xxd: { flags: 'bueip', valued: 'cglos', most: 1 },
  hexdump: { flags: 'bcCdoxv', valued: 'ns' },
  strings: { flags: 'a', valued: 'nt' },
  base64: { flags: 'dDi', valued: 'w', long: 'decode wrap' },
  pwd: { flags: 'LP', most: 0 },
  echo: { names: true, operands: args => args },
  printf: { names: true, operands: printfOperands },
  true: { names: true },
  false: { names: true },
  date: {
    flags: 'uR',
    attached: 'I',
    valued: 'd',
    long: 'utc date iso-8601 rfc-3339 rfc-email',
    names: true,
    check: words => words.every((word, at) => /^[-+]/.test(word) || words[at - 1] === '-d'),
  },
  cal: { flags: '13my', names: true, check: words => words.every(word => /^-?\w+$/.test(word)) },
  seq: { flags: 'w', names: true, check: words => words.every(word => /^-?[\d.]+$|^-w$/.test(word)) },
  whoami: { most: 0 },
  id: { flags: 'ugGnr', most: 1, names: true },
  groups: { most: 1, names: true },
  uname: { flags: 'asnrvmpio', most: 0 },
  arch: { most: 0 },
  uptime: { flags: 'ps', most: 0 },
  // `-f` may ask other computers for the name.
  hostname: { flags: 's', most: 0 },
  nproc: { long: 'all', most: 0 },
  free: { flags: 'bkmghtw', most: 0 },
  lscpu: { most: 0 },
  locale: { flags: 'a', most: 0 },
  which: { flags: 'as', names: true },
  type: { flags: 'atpPf', names: true },
  basename: { flags: 'az', valued: 's', names: true },
  dirname: { flags: 'z', names: true },
  realpath: { flags: 'emszLP' },
  readlink: { flags: 'femnz' },
  stat: { flags: 'ftxsnqF', valued: 'c', long: 'format printf terse file-system' },
  file: { flags: 'bhikNE', long: 'brief mime mime-type mime-encoding' },
  du: {
    flags: 'abchkmPsSx0',
    valued: 'dtB',
    long: 'all human-readable summarize max-depth apparent-size total exclude',
  },
  df: { flags: 'ahHiklmPT', valued: 'tx', long: 'human-readable print-type total inodes' },
  ps: {
    flags: 'AaedfFjlLrTxuwyZ',
    valued: 'ptoCUG',
    long: 'forest sort no-headers pid',
    names: true,
    check: psReads,
  },
  pgrep: { flags: 'lafnoxci', names: true },
  tree: {
    flags: 'adfpshugDFrtvixCnq',
    valued: 'LPI',
    lastOnly: true,
    long: 'dirsfirst gitignore noreport filelimit du prune',
  },
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: {
    script: pattern,
    expressions: true,
    flags: 'acFhHiIlnNopPqsSTvwx',
    valued: 'ABCgmtTM',
    long: 'count files files-with-matches files-without-match fixed-strings ignore-case smart-case line-number no-line-number glob type type-not multiline word-regexp only-matching context before-context after-context max-count max-depth sort stats json heading no-heading color max-columns invert-match column trim',
    isDeep: /^/,
  },
  find: { operands: findOperands },
  sort: {
    flags: 'bdfgihMnRrVcCmsuz',
    valued: 'kt',
    long: 'numeric-sort reverse unique key field-separator human-numeric-sort version-sort ignore-case',
  },
  uniq: { flags: 'cdDiuz', valued: 'fsw', long: 'count repeated unique ignore-case', most: 1 },
  cut: { flags: 'snz', valued: 'bcdf', long: 'delimiter fields characters complement output-delimiter' },
  tr: { flags: 'cCdst', names: true },
  column: { flags: 'txn', valued: 'scoN' },
  diff: {
    flags: 'abBcdeEinNpqrstTuwyZ',
    valued: 'UCWI',
    long: 'brief unified context side-by-side ignore-all-space ignore-blank-lines ignore-case color stat recursive',
    isDeep: /^/,
  },
  cmp: { flags: 'bls', valued: 'n', most: 2 },
  comm: { flags: '123i' },
  md5sum: SUM,
  sha1sum: SUM,
  sha224sum: SUM,
  sha256sum: SUM,
  sha384sum: SUM,
  sha512sum: SUM,
  b2sum: SUM,
  cksum: {},
  sum: {},
  sed: {
    script: sedScriptReads,
    expressions: true,
    flags: 'nEruz',
    long: 'quiet silent regexp-extended null-data sandbox debug posix',
  },
  awk: { script: awkProgramReads, valued: 'Fv' },
  gawk: { script: awkProgramReads, valued: 'Fv' },
  mawk: { script: awkProgramReads, valued: 'Fv' },
  jq: {
    script: jqProgramReads,
    flags: 'rjacsneSCMR',
    long: 'raw-output compact-output slurp null-input exit-status sort-keys raw-input tab color-output monochrome-output join-output ascii-output',
  },
  git: { operands: gitOperands },
  // The target of `-`, `..` or a list of folders is not known here.
  cd: { most: 1, check: words => words.length === 1 && !/^-|^\.\.(\/|$)|\/\.\.(\/|$)/.test(words[0]!) },
}

/** Programs that only print if asked for their version, in any folder. */
const VERSIONED =
  /^(?:(?:node|npm|python[23]?|pip3?|ruby|perl|php|javac?|gcc|g\+\+|cc|c\+\+|clang|clang\+\+|make|cmake|ninja|git|bash|zsh|jq|rg|curl|wget|docker|openssl|sqlite3|psql|mysql|tar|gzip|sed|grep|find|vim|systemctl) --version|(?:node|npm|ruby|perl|php|git|docker|make|gcc) -v|(?:python[23]?|pip3?|ssh|tmux) -V|(?:java|javac|sqlite3|ffmpeg) -version|openssl version)$/

const textOf = (word: Word) => word.text

/** The files that a reading command opens. `isDeep`: also everything in their subfolders. */
type PlainRead = { opens: readonly Word[]; isDeep: boolean }

/** The files and folders that a command reads; undefined if it is not known to only read. */
export function readsOf(name: string, args: readonly Word[]): PlainRead | undefined {
  const words = args.map(textOf)
  if (words.length === 1 && VERSIONED.test(`${name} ${words[0]!}`)) return { opens: [], isDeep: false }
  const known = Object.hasOwn(PLAIN, name) ? PLAIN[name]! : undefined
  if (!known || (known.check && !known.check(words))) return undefined
  // A wildcard may expand to any number of operands.
  if (known.most !== undefined && known.most > 0 && args.some(word => word.glob)) return undefined
  const { scripts, rest } = known.expressions ? takeExpressions(args) : { scripts: [], rest: args }
  const operands = known.operands ? known.operands(rest) : operandsOf(rest, known, textOf)
  // A wildcard in the value of a flag would turn all but its first match into operands.
  const inFlags = rest.filter(word => word.glob && /^--[\w-]+=/.test(word.text))
  if (!operands || rest.some(word => word.glob && !operands.includes(word) && !inFlags.includes(word)))
    return undefined
  const isDeep =
    known.isDeep !== undefined && (words.length === 0 || words.some(word => known.isDeep!.test(word)))
  if (known.names) return { opens: operands.filter(word => word.glob), isDeep: false }
  if (!known.script) return { opens: [...operands, ...inFlags], isDeep }
  const programs = scripts.length > 0 ? scripts : operands.slice(0, 1)
  const isRead = programs.every(word => word.literal && known.script!(word.text))
  if (programs.length === 0 || !isRead) return undefined
  const files = scripts.length > 0 ? operands : operands.slice(1)
  const here: Word[] = isDeep && files.length === 0 ? [{ ...programs[0]!, text: '.' }] : []
  return { opens: [...files, ...here, ...inFlags], isDeep }
}

/** Separate the scripts of `-e SCRIPT` and `-ne SCRIPT` from the other arguments. */
function takeExpressions(args: readonly Word[]): { scripts: Word[]; rest: Word[] } {
  const scripts: Word[] = []
  const rest: Word[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    const flags = /^-(\w*)e$/.exec(word.text)?.[1]
    if (flags === undefined || args[at + 1] === undefined) {
      rest.push(word)
      continue
    }
    if (flags !== '') rest.push({ ...word, text: `-${flags}` })
    scripts.push(args[++at]!)
  }
  return { scripts, rest }
}

/** The operands of `printf`; undefined for `-v` and `%n`, which store into variables. */
function printfOperands(args: readonly Word[]): readonly Word[] | undefined {
  const [format = '', ...values] = args.map(textOf)
  if (
    !args[0]?.literal ||
    format.startsWith('-') ||
    /%(?!%|-?\d*(\.\d+)?[sdibxXof])/.test(format.replaceAll('%%', ''))
  )
    return undefined
  return values.some(value => value.includes('[')) ? undefined : args
}

const FIND_TESTS =
  /^-(i?name|i?path|i?wholename|i?regex|i?lname|type|xtype|size|empty|newer\w*|[acm](time|min)|maxdepth|mindepth|user|group|perm|links|a|o|not|and|or|prune|print|print0|printf|ls|depth|xdev|mount|true|false|regextype|P|H)$/

function findOperands(args: readonly Word[]): readonly Word[] | undefined {
  const isKnown = args.every(
    ({ text }) => !text.startsWith('-') || FIND_TESTS.test(text) || /^-\d+[a-zA-Z]*$/.test(text),
  )
  const starts = findStarts(args)
  return isKnown ? [...starts, ...args.filter(word => word.glob && !starts.includes(word))] : undefined
}
