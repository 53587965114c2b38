import { operandsOf } from './command-flags.ts'

/** Programs with subcommands, and the subcommands that only show something, whatever follows. */
const SHOWING: Readonly<Record<string, RegExp>> = {
  npm: /^(ls|list|la|ll|explain|why|root|prefix|query|fund|pkg get|config (get|list|ls)|get|outdated --help)$/,
  yarn: /^(list|why|info|workspaces info|workspaces list|config get|config list)$/,
  pnpm: /^(ls|list|la|ll|why|root|bin|licenses list|config get|config list)$/,
  bun: /^(pm ls|pm bin)$/,
  pip: /^(list|show|freeze|check|inspect|config list|debug|help)$/,
  pip3: /^(list|show|freeze|check|inspect|config list|debug|help)$/,
  uv: /^(pip list|pip show|pip freeze|pip tree|tree|python list)$/,
  poetry: /^(show|env info|env list|check|about)$/,
  pipenv: /^(graph)$/,
  conda: /^(list|info|env list)$/,
  pyenv: /^(version|versions|root|which)$/,
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
  unzip: /^(-l|-v|-Z|-p)$/,
  zipinfo: /^/,
  openssl: /^(version|dgst|x509|asn1parse)$/,
  command: /^-[vV]$/,
  jest: /^--listTests$/,
  tsc: /^(--showConfig|--listFilesOnly)$/,
}

/** Subcommands that only show if nothing follows: `npm run build` runs, `npm version 2.0.0` writes. */
const ALONE: Readonly<Record<string, RegExp>> = {
  npm: /^(run|run-script|bin|version|help)$/,
  yarn: /^bin$/,
  pyenv: /^(global|local)$/,
}

/** Flags that name a program, a command, or a place for settings. Most tools accept shortened ones. */
const STARTERS: Readonly<Record<string, RegExp>> = {
  npm: /^--(node-o|script-s|viewer|browser|git|userc|globalc|shell|editor|init)/,
  pip: /^--(py|conf|log)/,
  pip3: /^--(py|conf|log)/,
  uv: /^(-p|--(py|conf|proj|dir))/,
  go: /^--?(toolexec|exec|export|compiled|test|overlay|modfile|vettool|pkgdir|C|w|u|o)(=|$)/,
  cargo: /^(\+|--conf|-Z|-C)/,
  dpkg: /^--(pre|post|status-l|root|inst|admin|log|hook|force)/,
  apt: /^(-[a-z]*[oc]|--(op|conf))/,
  'apt-cache': /^(-[a-z]*[oc]|--(op|conf))/,
  rpm: /^(-\w*[DErp]$|--(pipe|eval|def|load|rc|mac|root|db|undef))/,
  pacman: /^--(conf|hook|root|sysroot|db|gpg)/,
  openssl: /^-(engine|prov|conf|rand|writerand)/,
  gem: /^--(conf|norc)/,
  bundle: /^--gemfile/,
  composer: /^(-d|--work)/,
  brew: /^--(cmd|debugger)/,
}

/** Whether a program with subcommands only shows something; undefined for an unknown program. */
export function onlyShows(name: string, words: readonly string[]): boolean | undefined {
  if (name === 'tar') return listsArchive(words)
  if (!Object.hasOwn(SHOWING, name)) return undefined
  if (words.some(word => STARTERS[name]?.test(word))) return false
  if (words.length === 1 && ALONE[name]?.test(words[0]!)) return true
  const isShown = [1, 2].some(
    count => words.length >= count && SHOWING[name]!.test(words.slice(0, count).join(' ')),
  )
  return isShown && !/outdated(?! --help)|--fix|audit/.test(words.join(' '))
}

/** Whether `tar` only lists a local archive, not one at `host:path`, and its flags start no program. */
function listsArchive([first = '', ...rest]: readonly string[]): boolean {
  // `tar tzf a.tgz` is the old form of `tar -tzf a.tgz`.
  const words = [/^[tvzjJf]+$/.test(first) ? `-${first}` : first, ...rest]
  const operands = operandsOf(
    words,
    {
      flags: 'tvzjJapk',
      valued: 'f',
      long: 'list verbose file gzip bzip2 xz zstd auto-compress exclude wildcards strip-components numeric-owner full-time force-local',
      lastOnly: true,
    },
    word => word,
  )
  return (
    operands !== undefined &&
    words.some(word => /^-\w*t|^--list$/.test(word)) &&
    !words.some(word => word.includes(':') && !word.includes('/'))
  )
}
