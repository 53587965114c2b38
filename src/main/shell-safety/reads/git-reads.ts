import { operandsOf, type Flags } from './command-flags.ts'
import type { Word } from '../shell-types.ts'

const LOG = `oneline graph all decorate stat shortstat numstat summary name-only name-status patch no-patch pretty format
  abbrev-commit abbrev date since until after before author committer grep max-count skip reverse merges no-merges
  first-parent follow diff-filter color no-color word-diff color-words ignore-all-space ignore-space-change unified
  find-renames find-copies branches tags remotes topo-order date-order cc raw minimal histogram patience
  function-context no-ext-diff no-textconv check relative exit-code quiet cherry-pick left-right no-decorate`

/** Git subcommands that read. `--output`, `-c`, `--ext-diff`, and operands of `branch` and `tag` do more. */
const VERBS: Readonly<Record<string, Flags & { check?: (words: readonly string[]) => boolean }>> = {
  status: {
    flags: 'sbvz',
    attached: 'u',
    long: 'short branch porcelain long show-stash ignored untracked-files',
  },
  log: { flags: 'pimzrcs', attached: 'UMC', valued: 'nLSG', long: LOG },
  show: { flags: 'psmzrc', attached: 'UMC', valued: 'n', long: LOG },
  diff: { flags: 'pswbzR', attached: 'UMC', valued: 'SG', long: `${LOG} cached staged merge-base` },
  blame: { flags: 'bcelfnpstw', attached: 'MC', valued: 'L', long: 'date porcelain show-email root' },
  branch: {
    flags: 'arvl',
    long: 'all remotes list show-current merged no-merged sort contains verbose format',
    most: 1,
    // A name would be created, unless it filters a list.
    check: words =>
      words.every(word => word.startsWith('-')) ||
      words.some(word => /^(-\w*l|--list|--(no-)?merged|--contains)$/.test(word)),
  },
  tag: {
    flags: 'ln',
    long: 'list sort contains points-at merged',
    most: 1,
    check: words =>
      words.every(word => word.startsWith('-')) ||
      words.some(word => /^(-l|--list|--contains|--points-at|--merged)$/.test(word)),
  },
  remote: {
    flags: 'v',
    long: 'verbose',
    most: 2,
    check: words =>
      words.every(word => word.startsWith('-')) || (words[0] === 'get-url' && words.length === 2),
  },
  stash: { flags: 'p', long: 'stat patch', check: words => /^(list|show)$/.test(words[0] ?? '') },
  reflog: {
    flags: 'n',
    valued: 'n',
    long: 'all date oneline format',
    check: words => !words.some(word => /^(expire|delete|drop|write)$/.test(word)),
  },
  'rev-parse': {
    long: 'abbrev-ref short show-toplevel show-prefix is-inside-work-tree is-inside-git-dir verify git-dir quiet symbolic-full-name',
  },
  'rev-list': { flags: 'n', valued: 'n', long: `count left-right ${LOG}` },
  'merge-base': { long: 'is-ancestor all fork-point octopus' },
  'ls-files': {
    flags: 'cdmoiskutvz',
    valued: 'x',
    long: 'cached deleted modified others ignored exclude-standard stage full-name error-unmatch',
  },
  'ls-tree': { flags: 'drtlz', long: 'name-only long full-tree full-name' },
  'cat-file': { flags: 'tse' },
  'show-ref': { long: 'heads tags verify head hash' },
  'for-each-ref': { long: 'sort format count contains merged points-at' },
  'count-objects': { flags: 'vH' },
  config: {
    long: 'get',
    most: 1,
    // Other keys may hold passwords.
    check: words =>
      words.length === 2 &&
      words[0] === '--get' &&
      /^(user\.(name|email)|core\.\w+|init\.\w+|branch\.[\w/.-]+|pull\.\w+)$/i.test(words[1]!),
  },
  shortlog: { flags: 'nsec', long: 'numbered summary email since until all no-merges' },
  describe: { long: 'tags all long abbrev always dirty match exact-match contains' },
  grep: {
    flags: 'niclwEFPhHIvoL',
    valued: 'ABCe',
    long: 'line-number ignore-case count files-with-matches word-regexp extended-regexp fixed-strings name-only cached heading break',
  },
  'check-ignore': { flags: 'vn' },
  whatchanged: { flags: 'p', valued: 'n', long: LOG },
  version: {},
}

/** The operands of a git command that only reads: revisions, paths or both; undefined for other commands. */
export function gitOperands(args: readonly Word[]): readonly Word[] | undefined {
  const from = /^(--no-pager|-P)$/.test(args[0]?.text ?? '') ? 1 : 0
  const verb = args[from]?.text ?? ''
  if (verb === '--version' && args.length === from + 1) return []
  const known = Object.hasOwn(VERBS, verb) ? VERBS[verb]! : undefined
  const rest = args.slice(from + 1)
  const words = rest.map(word => word.text)
  // `%G?` runs the program that checks signatures.
  if (!known || (known.check && !known.check(words)) || words.some(word => word.includes('%G')))
    return undefined
  return operandsOf(rest, known, word => word.text)?.flatMap(revisionAndPath)
}

/** Split `REVISION:path`, which names a file in the repository. */
export function revisionAndPath(word: Word): Word[] {
  const at = word.text.indexOf(':')
  return at < 0
    ? [word]
    : [{ ...word, text: word.text.slice(at + 1).replace(/^\([^)]*\)|^[/!^]+/, '') || '.' }]
}
