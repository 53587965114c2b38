/**
 * The program that obeys a file with this name. Tier 1 is obeyed without being asked: by git at the next `git
 * status`, by direnv at the next `cd`, by an editor that opens the folder, by agents that read instructions.
 * Tier 2 runs only if the user runs it, as with `npm test`. `by` is worded for sentences such as “git obeys
 * it” or “`make` runs it”.
 */
export type Obeyed = { tier: 1 | 2; by: string }

type Row = readonly [by: string, pattern: RegExp]

/** Tier 1, obeyed without being asked. Paths are in lower case, with forward slashes, and begin with one. */
const FIRST: readonly Row[] = [
  ['git', /\/\.(gitmodules|gitattributes|gitconfig|lfsconfig)$|\/\.config\/git\//],
  ['git hooks', /\/\.husky(\/|$)/],
  // Other version control, which prompts and editors call all the time.
  ['version control', /\/\.(hg|sl)\/(hgrc|config)[\w-]*$|\/\.jj\/(.*\/)?config\.toml$/],
  [
    'direnv',
    /\/\.(envrc(?!\.(example|sample|template|dist)$)(\.[\w-]+)*|direnvrc|autoenv(\.zsh)?|in)$|\/\.config\/direnv\//,
  ],
  ['VS Code', /\/\.vscode(\/|$)|\.code-workspace$/],
  ['JetBrains', /\/\.(idea|fleet)(\/|$)|\.(iml|ipr|iws)$/],
  [
    'an editor',
    /\/\.(zed|vs|nova|sublime-project|kateproject|helix|lsp|theia|externaltoolbuilders)(\/|$)|\.sublime-project$|\/\.dir-locals(-2)?\.el$|\/\.vim\/coc-settings\.json$|\/\.ycm_extra_conf\.py$/,
  ],
  // Configurations of programs that an editor starts when it opens a folder.
  ['an editor', /\/(\.?rust-analyzer\.toml|\.?hie\.yaml|omnisharp\.json)$|\/\.(bsp|sourcekit-lsp)\//],
  // Trusting a folder once covers later changes of its file, which the shell reads at each prompt.
  ['mise', /\/\.?mise(\.[\w.-]+)?\.toml$|\/\.?mise\/config(\.[\w-]+)*\.toml$|\/\.config\/mise\//],
  ['vim', /\/[._](exrc|vimrc|gvimrc|nvimrc|nvim\.lua|lvimrc|local\.vimrc)$/],
  ['a debugger', /\/\.(gdbinit|lldbinit)$/],
  ['R', /\/\.(rprofile|renviron)$/],
  ['containers for development', /\/\.devcontainer(\/|\.json$|$)/],
  ['MCP clients', /\/\.?mcp\.json$/],
  [
    'agents',
    /\/(agents?(\.override|\.local)?|claude(\.local)?|gemini|hermes|soul|qwen|warp|skill)\.md$|\/\.(claude|codex|gemini|agents?|cursor|windsurf|codeium|clinerules|roo|kilocode|continue|opencode|kiro|augment|junie|amazonq|qwen|goose|trae|hermes|talaria|crush|factory|openhands|aiassistant|amp|claude-plugin|codebuddy|firebender|tabnine|vibe|zencoder)(\/|$)|\/\.(cursorrules|cursorignore|windsurfrules|clinerules|roorules[\w-]*|roomodes|goosehints|hermes\.md|aider[\w.-]*|augment-guidelines|rules)$|\/(opencode|\.?crush)\.jsonc?$|\/crush\.md$|\/\.github\/(copilot-instructions\.md|(instructions|prompts|chatmodes|agents|skills)\/)/,
  ],
  [
    'your shell',
    /\/\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|inputrc|xprofile|xsessionrc|xinitrc|pam_environment|tmux\.conf|screenrc)$|\/\.config\/fish\//,
  ],
  ['your desktop', /\/\.config\/(autostart|systemd|environment\.d)\//],
]

/** Tier 2, run only if the user runs it. */
const SECOND: readonly Row[] = [
  ['`npm`', /\/node_modules\/\.bin(\/|$)|\/package\.json$|\/\.npmrc$/],
  ['`yarn`', /\/\.yarnrc(\.yml)?$|\/\.yarn\/(releases|plugins|sdks)\/|\/\.pnp\.(c|loader\.m)js$/],
  ['`pnpm`', /\/\.?pnpmfile\.[cm]?js$|\/pnpm-workspace\.yaml$/],
  ['`bun`', /\/bunfig\.toml$/],
  ['`deno`', /\/deno\.jsonc?$/],
  ['`make`', /\/(gnu)?makefile(\.\w+)?$|\.(mk|mak|make)$/],
  ['`just`', /\/\.?justfile$|\.just$/],
  ['`task`', /\/taskfile(\.dist)?\.ya?ml$/],
  ['`rake`', /\/rakefile$|\.rake$/],
  ['`bundle`', /\/gemfile$|\.gemspec$|\/\.bundle\/config$/],
  ['`pre-commit`', /\/\.pre-commit-(config|hooks)\.ya?ml$/],
  [
    'git hooks',
    /\/\.?lefthook(-local)?\.(ya?ml|toml|json)$|\/\.lefthook(-local)?\/|\/\.?lint-?staged(rc)?(\.\w+)?$|\/\.simple-git-hooks\.\w+$/,
  ],
  ['GitHub', /\/\.github(\/|$)/],
  [
    'the build server',
    /\/\.(gitea|forgejo|woodpecker|buildkite)\/|\/\.(gitlab-ci|travis|drone|appveyor)\.ya?ml$|\/\.circleci\/|\/(jenkinsfile|azure-pipelines\.ya?ml)$/,
  ],
  ['`pytest`', /\/(conftest\.py|pytest\.ini|tox\.ini|noxfile\.py)$/],
  ['`pip`', /\/(pyproject\.toml|setup\.(py|cfg))$/],
  ['checkers of Python', /\/(\.?pylintrc(\.toml)?|\.?mypy\.ini|\.flake8|\.coveragerc|\.sqlfluff)$/],
  ['`python`', /\/(sitecustomize|usercustomize)\.py$|\.pth$|\/pyvenv\.cfg$|\/\.pdbrc(\.py)?$/],
  ['`rustup`', /\/rust-toolchain(\.toml)?$/],
  ['`cargo`', /\/(build\.rs|cargo\.toml)$|\/\.cargo\/config(\.toml)?$/],
  ['`cmake`', /\/(cmakelists\.txt|cmakepresets\.json)$|\.cmake$/],
  ['`gradle`', /\/gradlew(\.bat)?$|\.gradle(\.kts)?$|\/gradle\/wrapper\/|\/gradle\.properties$/],
  ['`mvn`', /\/pom\.xml$|\/mvnw(\.cmd)?$|\/\.mvn\//],
  [
    '`docker`',
    /\/(dockerfile|containerfile)(\.[\w.-]+)?$|\.dockerfile$|\/(docker-)?compose(\.[\w.-]+)?\.ya?ml$/,
  ],
  ['`nix`', /\/(flake|shell|default)\.nix$/],
  ['`mise`', /\/\.tool-versions$|\/\.?mise(-tasks)?\//],
  ['Ruby', /\/\.(rspec|irbrc|pryrc|rubocop\.yml|solargraph\.yml)$/],
  ['`bazel`', /\/(\.bazelrc|\.bazelversion|tools\/bazel|[^/]+\.(bazel|bzl))$/],
  [
    '`dotnet`',
    /\/directory\.(build|packages)\.(props|targets|rsp)$|\/nuget\.config$|\/\.config\/dotnet-tools\.json$/,
  ],
  ['`ansible`', /\/ansible\.cfg$/],
  ['`composer`', /\/composer\.json$/],
  ['`mix`', /\/mix\.exs$/],
  ['`vagrant`', /\/vagrantfile$/],
  ['`npm`', /\/tsconfig(\.[\w-]+)?\.json$/],
  // Read by the tools that `npm test` and `npm run build` start.
  [
    '`npm`',
    /\.config\.(js|cjs|mjs|ts|cts|mts|jsx|tsx)$|\/\.(eslintrc|prettierrc|stylelintrc|babelrc|mocharc|swcrc|postcssrc|nycrc|commitlintrc)(\.[cm]?[jt]s|\.jsonc?|\.ya?ml)?$|\/\.[\w-]+rc\.[cm]?[jt]s$|\/(jest|babel)\.config\.json$|\/[\w-]+\.(conf|workspace)\.[cm]?[jt]s$|\/gulpfile\.[cm]?[jt]s$|\/gruntfile\.[cm]?[jt]s$/,
  ],
]

/**
 * Matches git's own data in a git folder, from which nothing runs: objects, refs, the index, logs, and the
 * state of unfinished operations. Paths are relative to the git folder, in lower case. Everything else there
 * decides what git does.
 */
const STATE = new RegExp(
  [
    String.raw`^(objects(?!/info/(http-)?alternates$)|refs|logs|lfs|reftable|rr-cache)(/|$)`,
    String.raw`^(index|index\.[\w.-]+|next-index-[\w.-]+|sharedindex\.\w+|packed-refs(\.new)?|shallow|description|git-daemon-export-ok|opencode|add_edit\.patch|edit_description|gc\.(log|pid)|gitk\.cache|addp-hunk-edit\.diff|[\w.-]+\.lock)$`,
    String.raw`^info/(refs|exclude|sparse-checkout|grafts)$`,
    // The steps of a rebase that start something are compared by content: see `git-obeyed.ts`.
    String.raw`^(rebase-merge|rebase-apply|sequencer|notes_merge_worktree)(/|$)`,
    // Data that other programs keep there about commits, never programs.
    String.raw`^(annex|svn|hgremotes|branchless|stgit|patches|machete|gk|gitbutler|filter-repo|ai|cursor|opencode)(/|$)`,
    String.raw`^\w*(head|_msg|_editmsg|_mode|_rr|_merge|_start|_log|_names|_terms|_expected_rev|_ancestors_ok|_autostash)$`,
    String.raw`^fsmonitor--daemon([./].*)?$`,
  ].join('|'),
)

/** Whether git obeys a path in a git folder: its configuration, hooks and links to other git folders. */
export function isObeyedByGit(path: string): boolean {
  const [first = '', name, ...rest] = path.toLowerCase().split('/')
  if (first === '') return true
  // Submodules and linked worktrees have git folders inside. A submodule's name may contain slashes.
  if (first === 'worktrees') return rest.length > 0 && isObeyedByGit(rest.join('/'))
  if (first === 'modules')
    return name !== undefined && !rest.some((_part, at) => STATE.test(rest.slice(at).join('/')))
  return !STATE.test([first, name, ...rest].filter(part => part !== undefined).join('/'))
}

/**
 * Return which program obeys a file or folder, by its name alone; undefined if none does. The path is
 * relative to the folder of the chat, with forward slashes. Case does not matter, because many disks ignore
 * it. `git-obeyed.ts` finds what a git configuration names, such as a folder of hooks.
 */
export function obeyedByName(path: string): Obeyed | undefined {
  const lower = `/${path.toLowerCase()}`
  const inGit = /\/\.git(?:\/(?<rest>.*))?$/.exec(lower)
  if (inGit) return isObeyedByGit(inGit.groups?.['rest'] ?? '') ? { tier: 1, by: 'git' } : undefined
  const isBin = /\/node_modules\/\.bin(\/|$)/.test(lower)
  // Of packages, only their programs are obeyed.
  if (!isBin && /\/node_modules\//.test(lower)) return undefined
  const first = FIRST.find(([, pattern]) => pattern.test(lower))
  if (first) return { tier: 1, by: first[0] }
  const second = SECOND.find(([, pattern]) => pattern.test(lower))
  return second && { tier: 2, by: second[0] }
}
