const any = () => true
const none = (pattern: RegExp) => (words: readonly string[]) => !words.some(word => pattern.test(word))
const first = (pattern: RegExp) => (words: readonly string[]) => words.length === 0 || pattern.test(words[0]!)
const flagsOnly = (words: readonly string[]) => words.every(word => word.startsWith('-'))
const changesRefs =
  /^(-\w*[dDmMcCfu]\w*|--(delete|move|copy|force|set-upstream.*|unset-upstream|edit-description|track.*|annotate|sign|create-reflog|file.*|message.*))$/

/** Git subcommands that show something, with a check of their arguments. */
export const GIT_READS: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  status: any,
  log: any,
  show: any,
  diff: any,
  blame: none(/^--contents/),
  annotate: any,
  'rev-parse': any,
  'rev-list': any,
  'merge-base': any,
  'ls-files': any,
  'ls-tree': any,
  'cat-file': any,
  'diff-tree': any,
  'diff-index': any,
  'diff-files': any,
  'show-ref': any,
  'show-branch': any,
  'for-each-ref': any,
  'name-rev': any,
  'range-diff': any,
  'count-objects': any,
  'check-ignore': any,
  'check-attr': any,
  'check-ref-format': any,
  'verify-commit': none(/^/),
  whatchanged: any,
  cherry: any,
  shortlog: any,
  describe: any,
  grep: any,
  var: any,
  version: any,
  // `-w` opens a browser.
  help: none(/^-/),
  branch: words =>
    (flagsOnly(words) ||
      words.some(word =>
        /^(-\w*[lar]\w*|--(list|contains|no-contains|merged|no-merged|points-at|remotes|all))/.test(word),
      )) &&
    none(changesRefs)(words),
  tag: words =>
    (flagsOnly(words) ||
      words.some(word =>
        /^(-\w*l|-n\d*|--(list|contains|no-contains|merged|no-merged|points-at))/.test(word),
      )) &&
    none(/^(-[dfasum]|--(delete|force|annotate|sign|file|message).*)$/)(words),
  remote: words => first(/^(-v|--verbose|get-url)$/)(words) || (words.length === 1 && words[0] === 'show'),
  stash: words => /^(list|show)$/.test(words[0] ?? ''),
  reflog: none(/^(expire|delete|drop|write)$/),
  config: words =>
    words.some(word => /^(--get.*|--list|-l|get|list|--show-\w+)$/.test(word)) ||
    (words.filter(word => !word.startsWith('-')).length === 1 &&
      none(/^--(unset|add|replace|rename|remove|edit).*|^-e$/)(words)),
  'symbolic-ref': words =>
    words.filter(word => !word.startsWith('-')).length === 1 && none(/^(-d|--delete)$/)(words),
  worktree: words => words[0] === 'list',
  submodule: words => words.length === 0 || /^(status|summary)$/.test(words[0]!),
  notes: words => /^(list|show)$/.test(words[0] ?? ''),
  bisect: words => /^log$/.test(words[0] ?? ''),
  'sparse-checkout': words => words[0] === 'list',
  lfs: words => /^(ls-files|status|env|version)$/.test(words[0] ?? ''),
}
