import { revisionAndPath } from './git-reads.ts'
import { GIT_READS } from './confined-git.ts'
import { readsOf } from './plain-commands.ts'
import type { Invocation, ParsedShell, Redirect, Word } from './shell-types.ts'

/**
 * Commands that read, each with the words that make it do more. Here only what a command is meant for is judged: what runs
 * in *Look* can write nothing, reach nothing and see no keys, even if its text hides more.
 */
const READERS: Readonly<Record<string, RegExp | undefined>> = Object.fromEntries([
  ...`ls cat head nl wc tac rev cut tr fold fmt expand unexpand paste join comm cmp diff diff3 colordiff stat file du df
    free uptime uname whoami id groups arch nproc lscpu lsblk lsmod lspci lsusb locale cal ncal pwd echo true false : test
    [ basename dirname realpath readlink which whereis type whatis man apropos help ps pgrep pstree grep egrep fgrep zgrep
    rgrep ag ack column od hexdump strings base64 base32 seq expr bc factor numfmt look cksum sum b2sum md5sum md5 shasum
    sha1sum sha224sum sha256sum sha384sum sha512sum zcat bzcat xzcat zstdcat nm objdump readelf size ldd cloc tokei bat
    batcat less more cd pushd popd read shift break continue exit return tput getconf pr sleep jq tree exa eza lsd dir vdir
    tsort wdiff zdiff zcmp zless iconv csvlook mdcat glow nproc shuf ts time tty users groups hostid getent`
    .split(/\s+/)
    .map(name => [name, undefined] as const),
  ['tail', /^(-\w*[fF]\w*|--follow.*|--retry)$/],
  ['tree', /^-\w*[oR]|^--output/],
  ['jq', /^(-n|--null-input)$|\$ENV|\benv\b|^-\w*f$|^--(from-file|rawfile|slurpfile|argfile)/],
  ['file', /^-\w*[Cmf]\b|^--(compile|magic-file|files-from)/],
  ['hostname', /^[^-]/],
  ['date', /^(-\w*[sf]\w*|--s.*|--f.*|\d+)$/],
  ['sort', /^-\w*[oT]|^--(output|outp.*|compress.*|temp.*|files0.*)/],
  ['rg', /^--(pre|hostname-bin|search-zip|hidden|no-ignore|unrestricted|follow).*$|^-\w*[zu.]\w*$/],
  ['fd', /^(-\w*[xXHIuL]\w*|--(exec|hidden|no-ignore|unrestricted|follow).*)$/],
  ['fdfind', /^(-\w*[xXHIuL]\w*|--(exec|hidden|no-ignore|unrestricted|follow).*)$/],
  ['find', /^-(delete|fprint.*|fls|ok|okdir|follow|L)$/],
  ['printf', /^-|%n/],
  ['xxd', /^-\w*r/],
  ['sdiff', /^-\w*o|^--output/],
  ['yq', /^(-\w*i\w*|--in-?place.*|-\w*w\w*)$|\benv\b|\bload/],
  ['set', /^(?![-+][euxo]+$|pipefail$)/],
  ['gzip', /^-(?!\w*[cl])/],
  ['gunzip', /^-(?!\w*[cl])/],
  ['top', /^-(?!\w*b)/],
] as const)

/** What takes a first word that says what to do: the words that only show something. */
const SHOWING: Readonly<Record<string, RegExp>> = {
  npm: /^(ls|list|la|ll|explain|why|root|prefix|bin|query|run|run-script|fund|help|pkg get|config (get|list|ls)|get|version|outdated --help)$/,
  yarn: /^(list|why|info|workspaces info|workspaces list|config get|config list|bin)$/,
  pnpm: /^(ls|list|la|ll|why|root|bin|licenses list|config get|config list)$/,
  bun: /^(pm ls|pm bin)$/,
  pip: /^(list|show|freeze|check|inspect|config list|debug|help)$/,
  pip3: /^(list|show|freeze|check|inspect|config list|debug|help)$/,
  uv: /^(pip list|pip show|pip freeze|pip tree|tree|python list)$/,
  poetry: /^(show|env info|env list|check|about)$/,
  pipenv: /^(graph)$/,
  conda: /^(list|info|env list)$/,
  pyenv: /^(version|versions|root|which|global|local)$/,
  nvm: /^(ls|list|current|which)$/,
  cargo: /^(tree|metadata|pkgid|locate-project|help|--list|search --help)$/,
  rustup: /^(show|toolchain list|target list|component list|which)$/,
  go: /^(list|env|version|doc|help|mod graph|mod why|mod verify)$/,
  gem: /^(list|env|environment|which|contents|specification)$/,
  bundle: /^(list|show|info|platform|config list)$/,
  composer: /^(show|info|licenses|why)$/,
  dotnet: /^(--info|--list-sdks|--list-runtimes|list)$/,
  brew: /^(list|ls|info|deps|leaves|config|--prefix)$/,
  dpkg: /^(-l|-L|-s|-S|--list|--listfiles|--status|--print-architecture)$/,
  'dpkg-query': /^(-W|-l|-L|-s|-S|--show|--list)$/,
  apt: /^(list|show|policy|search|depends|rdepends)$/,
  'apt-cache': /^(show|policy|search|depends|rdepends|madison|showpkg|pkgnames|stats)$/,
  rpm: /^-q\w*$/,
  pacman: /^-Q\w*$/,
  tar: /^(-?[zjJ]*t[vzjJ]*f?|-?tv?[zjJ]?f|--list)$/,
  unzip: /^(-l|-v|-Z|-p)$/,
  zipinfo: /^/,
  openssl: /^(version|dgst|x509|asn1parse)$/,
  command: /^-[vV]$/,
  jest: /^--listTests$/,
  tsc: /^(--showConfig|--listFilesOnly)$/,
  java: /^-version$/,
  sqlite3: /^-version$/,
}

const WRAPPERS = new Set(['time', 'timeout', 'gtimeout', 'nice', 'ionice', 'stdbuf', 'command', 'xargs'])
/** Variables that decide what other programs do. */
const STEERING =
  /(?:^|[\s;&|("'`])(?:PATH|CDPATH|HOME|ENV|BASH_ENV|SHELLOPTS|PROMPT_COMMAND|LD_\w+|DYLD_\w+|GIT_(?!PAGER=cat|OPTIONAL_LOCKS=)\w+|(?!GIT_)\w*PAGER(?!=cat)|EDITOR|VISUAL|NODE_\w+|PYTHON\w+|PERL5?\w*|RUBY\w+)\+?=/
/** Variables that may hold a password. */
const SECRET = /\$\{?[!#]?\w*(KEY|SECRET|TOKEN|PASS|CRED|AUTH|PRIVATE|COOKIE|SESSION|DATABASE_URL|_DSN|!)/i

/** Whether a command line is meant to read only, so that it may run unasked in *Look*. */
export const onlyReadsConfined = (command: string, parsed: ParsedShell): boolean =>
  parsed.unparsed === undefined &&
  parsed.commands.length > 0 &&
  parsed.commands.length <= 60 &&
  !/[^\P{C}\n\t]/u.test(command) &&
  !STEERING.test(command) &&
  !SECRET.test(command) &&
  parsed.commands.every(isReader)

function isReader(command: Invocation): boolean {
  const { name, program, args, redirects, wrappers, background } = command
  if (background || !wrappers.every(each => WRAPPERS.has(each)) || !redirects.every(isHarmless)) return false
  if (!program) return true
  if (!program.literal || program.text !== name || program.glob) return false
  return isReading(name, args)
}

function isReading(name: string, args: readonly Word[]): boolean {
  const words = args.map(word => word.text)
  const asks = /^(--version|-v|-V|-version|version|--help|-h|help)$/
  if (words.length === 1 && asks.test(words[0]!) && /^[\w.+-]+$/.test(name)) return true
  const isHelp = words.length <= 4 && words.every(word => /^(-{0,2}[a-z][\w-]*|-h)$/.test(word))
  if (isHelp && /^(--help|--version|version|--client)$/.test(words.at(-1)!)) return true
  if (readsOf(name, args)) return true
  if (name === 'git') return gitReads(words)
  if (name === 'sed') return !words.some(word => CHANGES_SED.test(word))
  if (/^([gmn]?awk)$/.test(name)) return !words.some(word => CHANGES_AWK.test(word))
  if (name === 'uniq' || name === 'xxd')
    return !READERS[name]?.test(words.join(' ')) && operandCount(words) < 2
  if (name === 'python' || name === 'python3')
    return /^-m (pip (list|show|freeze)|json\.tool)\b/.test(words.join(' '))
  if (name === 'npx') return words.length === 2 && /^(--version|-v)$/.test(words[1]!)
  const showing = Object.hasOwn(SHOWING, name) ? SHOWING[name] : undefined
  if (showing)
    return (
      [1, 2].some(count => words.length >= count && showing.test(words.slice(0, count).join(' '))) &&
      !/outdated|--fix|audit/.test(words.join(' '))
    )
  return Object.hasOwn(READERS, name) && !words.some(word => READERS[name]?.test(word))
}

const operandCount = (words: readonly string[]) => words.filter(word => !word.startsWith('-')).length

/** In place, from a file, or a script that runs or writes something. */
const CHANGES_SED =
  /^(-\w*i.*|--in-place.*|-\w*f.*|--file.*)$|(^|[;{}\n/\d$])\s*[ewWrR]\s|^\s*\d*e$|^s(.).*\3.*\3[gpiI\d]*[ew]/
const CHANGES_AWK =
  /system\s*\(|getline|ENVIRON|@load|@include|inplace|\|\s*["&]|print[^;}]*>\s*["$\w]|^(-f.*|--file.*|-i|--include.*|-E|-l)$/

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
    /^(--out(p.*)?(=.*)?|--ext-diff|--textconv|-O.*|--open-files-in-pager.*|--upload-pack.*|--exec.*)$/.test(
      word,
    ),
  )
  return Object.hasOwn(GIT_READS, verb) && !isOdd && GIT_READS[verb]!(rest)
}

const isHarmless = ({ op, target }: Redirect): boolean =>
  /^<(<<|<-?|\()?$/.test(op) ||
  (target.literal &&
    (/^\/dev\/(null|stdout|stderr)$/.test(target.text) ||
      (/^[<>]&$/.test(op) && /^([012]|-)$/.test(target.text))))

const NO_FILES = new Set(
  'echo printf : true false seq expr date test [ [[ basename dirname which type whereis command tput set read exit return man help whatis'.split(
    ' ',
  ),
)
const SCRIPTED = /^([efzr]?grep|rg|ag|ack|fd|fdfind|jq|yq|sed|[gmn]?awk|tr|numfmt|look)$/

/** The words of a reading command that may name files, for what is known of the command. */
export function filesNamedBy({ name, args, redirects }: Invocation): Word[] {
  const inputs = redirects.filter(({ op }) => op === '<').map(({ target }) => target)
  const known = readsOf(name, args)
  if (known) return [...inputs, ...known.opens]
  if (NO_FILES.has(name)) return [...inputs, ...args.filter(word => word.glob)]
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
