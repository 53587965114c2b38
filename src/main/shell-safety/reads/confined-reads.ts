import { revisionAndPath } from './git-reads.ts'
import { GIT_READS } from './confined-git.ts'
import { readsOf } from './plain-commands.ts'
import { evaluatesUnknown } from './evaluated-values.ts'
import { psReads } from './process-reads.ts'
import { printsHelp } from './printed-help.ts'
import { onlyShows } from './showing-words.ts'
import { setsSteering } from './steering-variables.ts'
import { MARK, type Invocation, type ParsedShell, type Redirect, type Word } from '../shell-types.ts'

/** Flags of pagers that start a command, write a file, or read key bindings that do. */
const PAGES = /^\+(?!\d+$|[gG]$|\/)|^-\w*[kKoO]|^--(lesskey|log|k|o)/
/**
 * Commands that read, with the words that make them do more. This judges only a command's purpose: in *Look*
 * it can write nothing, reach nothing and see no keys, even if its text hides more.
 */
const READERS: Readonly<Record<string, RegExp | undefined>> = Object.fromEntries([
  ...`ls cat head nl wc tac rev cut tr fold fmt expand unexpand paste join comm cmp diff diff3 colordiff stat file du df
    free uptime uname whoami id groups arch nproc lscpu lsblk lsmod lspci lsusb locale cal ncal pwd echo true false : test
    [ basename dirname realpath readlink which whereis type whatis man apropos help ps pgrep pstree grep egrep fgrep zgrep
    rgrep ag ack column od hexdump strings seq expr bc factor numfmt look cksum sum b2sum md5sum md5 shasum
    sha1sum sha224sum sha256sum sha384sum sha512sum zcat bzcat xzcat zstdcat nm objdump readelf size cloc tokei bat
    batcat less more cd pushd popd read shift break continue exit return tput getconf pr sleep jq tree exa eza lsd dir vdir
    tsort wdiff zdiff zcmp zless iconv csvlook mdcat glow nproc shuf ts time tty users groups hostid`
    .split(/\s+/)
    .map(name => [name, undefined] as const),
  ['tail', /^(-\w*[fF]\w*|--follow.*|--retry)$/],
  ['tree', /^-\w*[oR]|^--output/],
  ['jq', /^(-n|--null-input)$|\$ENV|\benv\b|^-\w*f$|^--(from-file|rawfile|slurpfile|argfile)/],
  ['file', /^-\w*[Cmf]|^--(c|mag|f)/],
  // A name sets the host name, and some flags ask other computers.
  ['hostname', /^[^-]|^-\w*[fidAy]|^--(?!short|help|version)/],
  ['getent', undefined],
  ['less', PAGES],
  ['more', PAGES],
  ['zless', PAGES],
  ['zmore', PAGES],
  ['man', /^-(?![kfwa]+$)/],
  ['whatis', /^-/],
  ['apropos', /^-/],
  ['bat', /^--(pager|conf)|^cache$/],
  ['batcat', /^--(pager|conf)|^cache$/],
  ['ag', /^--(pager|path-to-ignore|hidden|unrestricted|follow)|^-\w*[ufU]/],
  ['ack', /^--(pager|ackrc|out|follow)/],
  ['cloc', /^--(ext|vcs|conf|force|read|unpack|git|list|script|match|count|out|report|sql|write)/],
  ['diff3', /^--d/],
  ['nm', /^--pl|^@/],
  ['objdump', /^--pl|^@/],
  ['size', /^--pl|^@/],
  ['glow', /^https?:|^-\w*[pt]|^--(pager|tui|conf)/],
  ['mdcat', /^https?:|^-\w*p|^--pag/],
  ['date', /^(-\w*[sf]\w*|--s.*|--f.*|\d+)$/],
  ['sort', /^-\w*[oT]|^--(o|co|te|fi)/],
  ['rg', /^--(pre|hostname-bin|search-zip|hidden|no-ignore|unrestricted|follow).*$|^-\w*[zu.]\w*$/],
  ['fd', /^(-\w*[xXHIuL]\w*|--(exec|hidden|no-ignore|unrestricted|follow).*)$/],
  ['fdfind', /^(-\w*[xXHIuL]\w*|--(exec|hidden|no-ignore|unrestricted|follow).*)$/],
  ['find', /^-(delete|fprint.*|fls|ok|okdir|follow|L)$/],
  ['printf', /^-|%n/],
  ['xxd', /^-\w*r/],
  ['sdiff', /^-\w*o|^--(o|d)/],
  ['yq', /^(-\w*i\w*|--in-?place.*|-\w*w\w*|-\w*s\w*|--spl.*)$|\benv\b|\bload|\bsystem\b/],
  ['set', /^(?![-+][euxo]+$|pipefail$)/],
  ['gzip', /^-(?!\w*[clt])/],
  ['gunzip', /^-(?!\w*[clt])/],
  ['zstdcat', /^-\w*o|^--o/],
  ['shuf', /^-\w*o|^--o/],
  ['base64', /^-\w*o|^--o/],
  ['base32', /^-\w*o|^--o/],
  ['iconv', /^-\w*o|^--o/],
  ['top', /^-(?!\w*b)/],
] as const)

const WRAPPERS = new Set(['time', 'timeout', 'gtimeout', 'nice', 'ionice', 'stdbuf', 'command', 'xargs'])
/** Variables that may hold a password. */
const SECRET = /\$\{?[!#]?\w*(KEY|SECRET|TOKEN|PASS|CRED|AUTH|PRIVATE|COOKIE|SESSION|DATABASE_URL|_DSN|!)/i

/** Whether a command line is meant only to read, so that it may run in *Look* without approval. */
export const onlyReadsConfined = (command: string, parsed: ParsedShell): boolean =>
  parsed.unparsed === undefined &&
  parsed.commands.length > 0 &&
  parsed.commands.length <= 60 &&
  !/[^\P{C}\n\t]/u.test(command) &&
  !setsSteering(command, parsed) &&
  !evaluatesUnknown(command, parsed) &&
  !SECRET.test(command) &&
  parsed.commands.every(isReader)

function isReader(command: Invocation): boolean {
  const { name, program, args, redirects, wrappers, background } = command
  if (background || !wrappers.every(each => WRAPPERS.has(each)) || !redirects.every(isHarmless)) return false
  // Without its own process namespace, as on macOS, a command would see other processes here.
  if ([...args, ...redirects.map(({ target }) => target)].some(word => ENVIRONMENT.test(word.text)))
    return false
  if (!program) return true
  if (!program.literal || program.text !== name || program.glob) return false
  return isReading(name, args)
}

function isReading(name: string, args: readonly Word[]): boolean {
  const words = args.map(word => word.text)
  if (name === 'ps') return psReads(words)
  if (printsHelp(name, words)) return true
  if (readsOf(name, args)) return true
  if (name === 'git') return gitReads(words)
  if (/^([gmn]?awk)$/.test(name)) return !words.some(changesInAwk)
  if (name === 'getent') return LOCAL_NAMES.test(words[0] ?? '')
  // The second file is written.
  if (name === 'uniq' || name === 'xxd')
    return !READERS[name]?.test(words.join(' ')) && operandCount(words) < 2
  if (name === 'python' || name === 'python3') {
    if (/^-m json\.tool\b/.test(words.join(' '))) return operandCount(words.slice(2)) < 2
    return /^-m pip (list|show|freeze)\b/.test(words.join(' '))
  }
  // They replace a file that they are given, which always fails in *Look*.
  if ((name === 'gzip' || name === 'gunzip') && !words.some(word => /^-\w*[clt]/.test(word)))
    return words.length === 0
  if (name === 'npx') return words.length === 2 && /^(--version|-v)$/.test(words[1]!)
  const shows = onlyShows(name, words)
  if (shows !== undefined) return shows
  return Object.hasOwn(READERS, name) && !words.some(word => READERS[name]?.test(word))
}

/** Paths where Linux shows the environment of processes. */
const ENVIRONMENT = new RegExp(`(?:^|/)environ$|^/proc/.*[${MARK.maybe}${MARK.some}]`, 's')

/** Databases of `getent` on this computer. Others, such as hosts, may ask other computers. */
const LOCAL_NAMES = /^(passwd|group|services|protocols|shells|rpc)$/

const operandCount = (words: readonly string[]) => words.filter(word => !/^-./.test(word)).length

/** Whether an `awk` program or flag runs, reads or writes more than its input, or comes from a file. */
function changesInAwk(word: string): boolean {
  if (/^-[fildopE]|^--(?!version|help|field-sep|assign|re-interval|posix|traditional|csv)/.test(word))
    return true
  if (/system|getline|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|@|inplace/.test(word)) return true
  // Printing to a command or a file. Text in quotes is only printed.
  const program = word.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  return /\|\s*["&]|print[^;}\n]*[^|]\|(?!\|)|print[^;}]*>\s*["$\w]/.test(program)
}

function gitReads(words: readonly string[]): boolean {
  let at = 0
  for (; at < words.length && words[at]!.startsWith('-'); at++) {
    if (words[at] === '-C') at++
    else if (words[at] === '-c') {
      if (
        !/^(color\.\w+|core\.quote[pP]ath|log\.\w+|diff\.(renames|algorithm)|advice\.\w+)=|^core\.pager=(cat)?$/.test(
          words[++at] ?? '',
        )
      )
        return false
    } else if (!/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs|--version|--help)$/.test(words[at]!))
      return false
  }
  const verb = words[at] ?? ''
  const rest = words.slice(at + 1)
  const isOdd = rest.some(word =>
    /^(--(out|ext-|textc|open|upl|exec|filters|show-s|remerge|diff-merges=r|web).*|-O.*)$|%G/.test(word),
  )
  return Object.hasOwn(GIT_READS, verb) && !isOdd && GIT_READS[verb]!(rest)
}

const isHarmless = ({ op, target }: Redirect): boolean =>
  /^<(<<|<-?|\()?$/.test(op) ||
  (target.literal &&
    (/^\/dev\/(null|stdout|stderr)$/.test(target.text) ||
      (/^[<>]&$/.test(op) && /^([012]|-)$/.test(target.text))))

const NO_FILES = new Set(
  'echo printf : true false seq expr date test [ [[ basename dirname which type whereis command tput set read exit return man help whatis apropos getent id groups whereis'.split(
    ' ',
  ),
)
const OF_ARCHIVES = /^(?:tar|unzip|zipinfo|openssl)$/
const SCRIPTED = /^([efzr]?grep|rg|ag|ack|fd|fdfind|jq|yq|sed|[gmn]?awk|tr|numfmt|look)$/

/** The words of a reading command that may name files, as far as the command is known. */
export function filesNamedBy({ name, args, redirects }: Invocation): Word[] {
  const inputs = redirects.filter(({ op }) => op === '<').map(({ target }) => target)
  const known = readsOf(name, args)
  if (known) return [...inputs, ...known.opens]
  if (NO_FILES.has(name)) return [...inputs, ...args.filter(word => word.glob)]
  // The arguments are names of packages.
  if (onlyShows(name, ['']) !== undefined && !OF_ARCHIVES.test(name))
    return [...inputs, ...args.filter(word => word.glob || /[./]/.test(word.text))]
  const words = name === 'git' ? args.flatMap(revisionAndPath) : args
  const isGiven = words.some(word => /^-\w*[ef]$|^--(expression|regexp|file)/.test(word.text))
  let scripts = SCRIPTED.test(name) && !isGiven ? 1 : 0
  const files = words.filter((word, at) => {
    if (word.text.startsWith('-')) return /^-{1,2}[\w-]*=?[~/.]/.test(word.text) && word.text.includes('/')
    if (/^-\w*[efFAtdvgn]$/.test(words[at - 1]?.text ?? '') || scripts-- > 0) return false
    return true
  })
  return [
    ...inputs,
    ...files.map(word => ({ ...word, text: word.text.replace(/^--?[\w-]*=?(?=[~/.])/, '') })),
  ]
}
