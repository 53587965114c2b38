import { expect, test } from 'vitest'
import { obeyedByName } from './obeyed-names.ts'

const FIRST = [
  [
    'git',
    '.git',
    '.git/config',
    '.git/commondir',
    '.git/hooks/pre-commit',
    '.git/config.worktree',
    '.git/gitdir',
  ],
  [
    'git',
    '.git/info/attributes',
    '.git/objects/info/alternates',
    '.git/worktrees/a/commondir',
    'sub/.git/config',
  ],
  ['git', '.git/worktrees/a/gitdir', '.git/modules/lib/config', '.git/modules/a/b/hooks/post-checkout'],
  ['git', '.git/own/run', '.git/info', '.git/objects/info/http-alternates'],
  ['git', '.gitmodules', '.gitattributes', 'deep/.gitattributes', '.GIT/Config'],
  ['git hooks', '.husky/pre-commit', '.husky', 'web/.husky/_/h'],
  ['direnv', '.envrc', 'a/b/.envrc'],
  ['VS Code', '.vscode/tasks.json', '.vscode', 'all.code-workspace'],
  ['JetBrains', '.idea/workspace.xml', 'a.iml'],
  ['vim', '.exrc', '.nvim.lua'],
  ['MCP clients', '.mcp.json', 'mcp.json'],
  ['containers for development', '.devcontainer/devcontainer.json', '.devcontainer.json'],
  [
    'agents',
    'AGENTS.md',
    'docs/CLAUDE.md',
    'skills/x/SKILL.md',
    '.cursorrules',
    '.cursor/rules/a.mdc',
    '.claude/settings.json',
  ],
  ['agents', '.github/copilot-instructions.md', 'SOUL.md', '.hermes.md'],
  ['your shell', '.bashrc', 'dotfiles/.zshrc'],
] as const
const SECOND = [
  [
    '`npm`',
    'package.json',
    '.npmrc',
    'node_modules/.bin/vitest',
    'vite.config.ts',
    'a/b.config.mjs',
    '.eslintrc.cjs',
  ],
  ['`yarn`', '.yarnrc.yml'],
  ['`pnpm`', '.pnpmfile.cjs'],
  ['`make`', 'Makefile', 'GNUmakefile', 'rules.mk'],
  ['`just`', 'justfile'],
  ['GitHub', '.github/workflows/ci.yml'],
  ['`pre-commit`', '.pre-commit-config.yaml'],
  ['`pip`', 'pyproject.toml', 'setup.py'],
  ['`pytest`', 'tests/conftest.py'],
  ['`python`', 'sitecustomize.py'],
  ['`cargo`', 'build.rs', '.cargo/config.toml'],
] as const
const NOBODY = [
  [
    '.git/objects/ab/cdef',
    '.git/refs/heads/main',
    '.git/index',
    '.git/index.lock',
    '.git/HEAD',
    '.git/logs/HEAD',
  ],
  [
    '.git/COMMIT_EDITMSG',
    '.git/FETCH_HEAD',
    '.git/ORIG_HEAD',
    '.git/MERGE_MSG',
    '.git/packed-refs',
    '.git/shallow',
  ],
  [
    '.git/info/refs',
    '.git/info/exclude',
    '.git/info/sparse-checkout',
    '.git/index.stash.12',
    '.git/next-index-12.lock',
    '.git/annex/objects/x',
    '.git/EDIT_DESCRIPTION',
  ],
  [
    '.git/rebase-merge/done',
    '.git/worktrees/a/HEAD',
    '.git/worktrees/a/index',
    '.git/modules/lib/objects/ab/cd',
  ],
  ['.git/modules/a/b/refs/heads/main', 'src/index.ts', 'README.md', 'notes/agents-i-met.md', 'gitconfig.md'],
  [
    'node_modules/a/package.json',
    'node_modules/a/AGENTS.md',
    '.gitignore',
    'config.ts',
    'src/vscode/a.ts',
    'skills.md',
  ],
].flat()

test.each(FIRST.flatMap(([by, ...paths]) => paths.map(path => [path, by])))(
  '%s is obeyed by %s',
  (path, by) => {
    expect(obeyedByName(path)).toEqual({ tier: 1, by })
  },
)

test.each(SECOND.flatMap(([by, ...paths]) => paths.map(path => [path, by])))(
  '%s runs with %s',
  (path, by) => {
    expect(obeyedByName(path)).toEqual({ tier: 2, by })
  },
)

test.each(NOBODY)('nobody obeys %s', path => {
  expect(obeyedByName(path)).toBeUndefined()
})
