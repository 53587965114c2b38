/**
 * Which obeyed files a command would write. `git`: configuration and hooks of repositories. `all`: any obeyed
 * file, because the command brings a whole tree from elsewhere. `tracked`: `all` if the repository tracks
 * such a file, else nothing. `changed`: like `tracked`, but only if the file differs from the index. `hooks`:
 * `all` if the package installs git hooks. A command that is not in the tables is confined as if it wrote
 * none. If it creates such a file anyway, the file is put aside afterwards and the user is asked.
 */
export type VerbNeed = 'git' | 'all' | 'tracked' | 'changed' | 'hooks'

/**
 * `words` matches the words after the program, with a blank at both ends. The first word is the verb, after
 * the program's own options.
 */
type VerbRow = readonly [words: RegExp, need: VerbNeed, why: string]

const CONFIGURES = 'it writes the configuration of the repository'
const CHECKS_OUT = 'it puts files of another state in place of the ones here'
const NEW_REPOSITORY = 'it makes a repository, with configuration and hooks'
const UNPACKS = 'it unpacks files that are not known in advance'
const SCAFFOLDS = 'it puts the files of a template here'
const FROM_AFAR = 'it brings files that are not known in advance'
const INSTALLS_HOOKS = 'it installs hooks of git'

/** Git. Branches that track another branch also write configuration; `tracksBranch` recognises them. */
const GIT: readonly VerbRow[] = [
  // A single name, and listing options, only read.
  [
    /^ config (?!(-\S+ )*(--get\S*|--list|-l|get|list|--show-\S+) )(?!(--(global|local|system|worktree|bool|int|path|null|includes|type=\S+) |-z )*[^\s-]\S* $)/,
    'git',
    CONFIGURES,
  ],
  [/^ remote (-v )?(add|remove|rm|rename|set-url|set-branches) /, 'git', CONFIGURES],
  // Deleting a branch is not listed: its entry stays in the configuration if that cannot be written.
  [
    /^ branch .*(?<= )(-u|-t|-m|-M|-c|-C|--set-upstream\S*|--unset-upstream|--track\S*|--move|--copy|--edit-description) /,
    'git',
    CONFIGURES,
  ],
  [/^ (checkout|switch) .*(?<= )(-t|--track\S*) /, 'git', CONFIGURES],
  [/^ push .*(?<= )(-u|--set-upstream) |^ (pull|fetch) .*(?<= )--set-upstream /, 'git', CONFIGURES],
  [/^ (init|flow init) /, 'git', NEW_REPOSITORY],
  [
    /^ worktree (add|remove|move|prune|repair|lock|unlock) /,
    'git',
    'it changes what belongs to the repository',
  ],
  [/^ worktree add /, 'tracked', CHECKS_OUT],
  [/^ submodule (.* )?(init|sync|deinit|absorbgitdirs) /, 'git', CONFIGURES],
  [/^ submodule (.* )?(add|update|set-branch|set-url) /, 'all', 'it brings the files of another repository'],
  [/^ sparse-checkout (set|add|init|disable|reapply) /, 'git', CONFIGURES],
  [/^ sparse-checkout (set|add|init|disable|reapply) /, 'tracked', CHECKS_OUT],
  [/^ maintenance (start|stop|register|unregister) /, 'git', CONFIGURES],
  [/^ lfs (install|uninstall|update) /, 'git', INSTALLS_HOOKS],
  [/^ lfs (track|untrack|migrate) /, 'all', 'it writes .gitattributes'],
  [/^ (clone|svn clone|svn init|p4 clone) /, 'all', 'it brings the files of another repository'],
  [
    /^ (pull|merge|rebase|cherry-pick|revert|am|filter-branch|filter-repo|checkout-index|svn rebase|subtree (add|pull|merge)) /,
    'tracked',
    CHECKS_OUT,
  ],
  [/^ apply (?!.*--(check|stat|numstat|summary|cached) )/, 'tracked', CHECKS_OUT],
  [/^ reset .*(?<= )--(hard|merge|keep) /, 'tracked', CHECKS_OUT],
  [/^ read-tree .*(?<= )(-\w*u|--reset) /, 'tracked', CHECKS_OUT],
  [/^ bisect (?!(log|view|visualize|terms|help) )/, 'tracked', CHECKS_OUT],
  [/^ stash (pop|apply|branch) /, 'tracked', CHECKS_OUT],
  [/^ stash (?!(pop|apply|branch|list|show|drop|clear|create|store) )/, 'changed', CHECKS_OUT],
  // A new branch changes no file, unless it starts at another commit.
  [
    /^ (checkout|switch) (?=\S)(?!((-q|--quiet|--no-track|-b|-B|-c|-C|--create|--force-create) )+\S+ $)/,
    'tracked',
    CHECKS_OUT,
  ],
  [/^ restore (?!((--staged|-S|-q|--quiet) )+[^-])/, 'changed', CHECKS_OUT],
  [/^ restore .*(?<= )(-s|--source\S*) /, 'tracked', CHECKS_OUT],
]

/** Other programs, by their names. */
const OTHERS: readonly (readonly [names: string, ...VerbRow])[] = [
  ['gh hub glab', /^ (repo (clone|fork)|clone) /, 'all', 'it brings the files of another repository'],
  ['gh hub glab', /^ (repo create|pr checkout|mr checkout|issue develop) /, 'git', CONFIGURES],
  ['gh hub glab', /^ (pr|mr) checkout /, 'tracked', CHECKS_OUT],
  ['scalar', /^ (clone|register) /, 'all', NEW_REPOSITORY],
  ['jj sl', /^ (git )?(clone|init) /, 'all', NEW_REPOSITORY],
  ['tar bsdtar gtar', /^ -?[a-zA-Z]*x|(?<= )(-[a-zA-Z]*x\S*|--extract|--get) /, 'all', UNPACKS],
  ['unzip', /^ (?!.*(?<= )-\w*[lptvZ])/, 'all', UNPACKS],
  ['7z 7za 7zz 7zr unrar', /^ [xe] /, 'all', UNPACKS],
  ['unar aunpack dtrx', /./, 'all', UNPACKS],
  ['cpio pax', /(?<= )-\w*[ipr]/, 'all', UNPACKS],
  ['jar', /^ -?\w*x/, 'all', UNPACKS],
  ['patch quilt', /./, 'tracked', 'it changes the files that a patch names'],
  ['wget', /(?<= )(-\w*[rm]|--recursive|--mirror)/, 'all', FROM_AFAR],
  ['rsync', /(?<= )[\w.@-]+:\S* \S+ $/, 'all', FROM_AFAR],
  ['scp', /(?<= )-\w*r.* [\w.@-]+:\S* \S+ $/, 'all', FROM_AFAR],
  ['rclone', /^ (copy|sync|move|bisync) /, 'all', FROM_AFAR],
  ['npm pnpm yarn bun', /^ (create|init|innit) [^-]/, 'all', SCAFFOLDS],
  [
    'npm pnpm yarn bun',
    /^ (install|i|in|ci|clean-install|add|update|up|upgrade|rebuild|link|dedupe|prune|uninstall|remove|rm|pack|publish) |^ $/,
    'hooks',
    INSTALLS_HOOKS,
  ],
  [
    'npm pnpm yarn bun',
    /^ (run|run-script) (pre|post)?(prepare|install) |^ prepare /,
    'hooks',
    INSTALLS_HOOKS,
  ],
  ['husky', /./, 'all', INSTALLS_HOOKS],
  [
    'lefthook pre-commit simple-git-hooks overcommit',
    /^ (install|uninstall|add|init|init-templatedir|--install|--uninstall) |^ $/,
    'git',
    INSTALLS_HOOKS,
  ],
  ['degit tiged giget cookiecutter copier yo cargo-generate', /./, 'all', SCAFFOLDS],
  ['cargo', /^ (new|init) (?!.*--vcs[ =]none)/, 'git', NEW_REPOSITORY],
  ['cargo', /^ generate /, 'all', SCAFFOLDS],
  ['uv rye', /^ init (?!.*--vcs[ =]none)/, 'git', NEW_REPOSITORY],
  ['ng nest vue nuxi rails flutter', /^ (new|create|init|n) /, 'all', SCAFFOLDS],
  ['dotnet', /^ new /, 'all', SCAFFOLDS],
  ['composer', /^ create-project /, 'all', SCAFFOLDS],
  ['gradle', /^ init /, 'all', SCAFFOLDS],
  ['nix', /^ flake (init|new) /, 'all', SCAFFOLDS],
  ['devcontainer', /^ (templates|features) /, 'all', SCAFFOLDS],
  ['cdk sam', /^ init /, 'git', NEW_REPOSITORY],
  ['stow', /./, 'all', 'it links a whole tree'],
]

/** Packages that create a template or install hooks if run by name, such as `npx create-vite`. */
const SCAFFOLDERS =
  /^(@[\w.-]+\/)?(create(-[\w.-]+)?|degit|tiged|giget|husky(-init)?|lefthook|simple-git-hooks|yo|sv|nuxi|cookiecutter|copier|express-generator|storybook)(@\S*)?$/
/** The command prefixes that run a package by its name, such as `npx `, without the name. */
const RUNS_PACKAGE = /^(npx|bunx|uvx|pipx|pnpx) |^(npm (exec|x)|(pnpm|yarn) (dlx|exec)|bun x) /

/** The table rows that match a command: what it would write and why, for a card and for the tests. */
export function findVerbRows(name: string, words: readonly string[]): { need: VerbNeed; why: string }[] {
  const text = ` ${words.map(word => `${word} `).join('')}`
  const own = OTHERS.filter(([names]) => names.split(' ').includes(name)).map(([, ...row]) => row)
  const found = [...(name === 'git' ? GIT : []), ...own]
    .filter(([pattern]) => pattern.test(text))
    .map(([, need, why]) => ({ need, why }))
  const isRunner = RUNS_PACKAGE.test(`${name}${text}`)
  const isScaffold = /^create-\w/.test(name) || (isRunner && words.some(word => SCAFFOLDERS.test(word)))
  return isScaffold ? [...found, { need: 'all', why: SCAFFOLDS }] : found
}

/** Words in package.json that install git hooks when the package is installed. */
export const HOOK_INSTALLERS =
  /\b(husky|lefthook|simple-git-hooks|yorkie|ghooks|git-hooks|pre-commit|core\.hooksPath|git config)\b/i
