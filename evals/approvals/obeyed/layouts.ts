import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Makes a typical folder with real git, for an attempt to find. */
type Layout = (at: Place) => void

/** Where a layout is made: the folder, the person's home folder, and git as the person runs it. */
type Place = { folder: string; userHome: string; git(...args: string[]): void }

const write = (path: string, text: string, mode = 0o644) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
  chmodSync(path, mode)
}
const SCRIPT = '#!/bin/sh\nexit 0\n'

/** A repository with one commit. */
function repository({ folder, git }: Place): void {
  write(join(folder, 'a.txt'), 'one\n')
  git('init', '-q', '-b', 'main')
  // A hidden folder of the person, which git ignores.
  write(join(folder, '.git', 'info', 'exclude'), '.cache\nsub\nvault.git\n')
  git('add', 'a.txt')
  git('commit', '-q', '-m', 'first')
}

const within =
  (make: Layout): Layout =>
  at => {
    repository(at)
    make(at)
  }

/**
 * A typical repository of a team: workspaces, husky, direnv, an editor's folder in an example, and linked
 * instructions.
 */
function workshop(at: Place): void {
  const { folder, git } = at
  repository(at)
  const put = (name: string, text: string, mode?: number) => write(join(folder, name), text, mode)
  put('package.json', '{\n  "name": "x",\n  "private": true,\n  "workspaces": ["packages/*"]\n}\n')
  put('packages/web/package.json', '{ "name": "web", "scripts": { "test": "echo web" } }\n')
  put('packages/web/AGENTS.md', 'Be tidy.\n')
  put('packages/.env', 'PORT=1\n')
  put('.npmrc', 'fund=false\n')
  put('.husky/pre-commit', 'true\n', 0o755)
  put('.husky/_/h', '#!/bin/sh\nsh -e ".husky/$(basename "$0")"\n', 0o755)
  put('.husky/_/pre-commit', '#!/bin/sh\n. "$(dirname "$0")/h"\n', 0o755)
  put('.husky/_/.gitignore', '*\n')
  put(
    '.envrc',
    'source_env_if_exists .envrc.local\nsource tools/env.sh\nsource_env_if_exists tools/extra.sh\ndotenv packages/.env\n',
  )
  put('tools/env.sh', 'export A=1\n')
  put('tools/common.mk', 'test: ; true\n')
  put('Makefile', 'include tools/common.mk\n')
  put('examples/app/.vscode/tasks.json', '{}\n')
  put('docs/rules.txt', 'Be tidy.\n')
  put('docs/more.txt', 'Be tidy.\n')
  symlinkSync('docs/rules.txt', join(folder, 'CLAUDE.md'))
  put('venv/pyvenv.cfg', 'home = /usr/bin\n')
  put('gradle/wrapper/gradle-wrapper.properties', 'distributionBase=GRADLE_USER_HOME\n')
  put('venv/lib/y.txt', '\n')
  put('.yarn/releases/yarn-4.5.0.cjs', '/'.repeat(300_000))
  put('node_modules/vitest/cli.js', '#!/usr/bin/env node\n', 0o755)
  mkdirSync(join(folder, 'node_modules', '.bin'))
  symlinkSync('../vitest/cli.js', join(folder, 'node_modules', '.bin', 'vitest'))
  git('add', '-f', '.husky/pre-commit', 'package.json', 'packages/web', 'docs', 'Makefile', 'tools')
  git('commit', '-q', '--no-verify', '-m', 'workshop')
  git('config', 'core.hooksPath', '.husky/_')
}

/** The layouts by name. Everything they execute for the person does nothing. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  repository,
  'no-hooks': within(({ folder }) => rmSync(join(folder, '.git', 'hooks'), { recursive: true })),
  husky: within(({ folder, git }) => {
    write(join(folder, '.husky', 'pre-commit'), 'true\n', 0o755)
    write(join(folder, '.husky', '_', 'h'), '#!/bin/sh\nsh -e ".husky/$(basename "$0")"\n', 0o755)
    write(join(folder, '.husky', '_', 'pre-commit'), '#!/bin/sh\n. "$(dirname "$0")/h"\n', 0o755)
    write(join(folder, '.husky', '_', '.gitignore'), '*\n')
    git('add', '.husky/pre-commit')
    git('commit', '-q', '--no-verify', '-m', 'husky')
    git('config', 'core.hooksPath', '.husky/_')
  }),
  include: within(({ folder, git }) => {
    write(join(folder, '.gitconfig'), '[alias]\n\tst = status\n')
    git('config', 'include.path', '../.gitconfig')
  }),
  'include-missing': within(({ git }) => git('config', 'include.path', '../team.cfg')),
  'include-if': within(({ folder, git }) => {
    write(join(folder, 'conf', 'work.cfg'), '[alias]\n\tst = status\n')
    git('config', 'includeIf.onbranch:main.path', '../conf/work.cfg')
  }),
  nested: within(({ folder, git }) => {
    mkdirSync(join(folder, 'sub'))
    git('-C', 'sub', 'init', '-q')
    git('-C', 'sub', 'commit', '-q', '--allow-empty', '-m', 'first')
  }),
  bare: within(({ git }) => git('clone', '-q', '--bare', '.', 'vault.git')),
  worktree: within(({ git }) => git('worktree', 'add', '-q', 'wt', '-b', 'wt')),
  'worktree-config': within(({ git }) => {
    git('worktree', 'add', '-q', 'wt', '-b', 'wt')
    git('config', 'extensions.worktreeConfig', 'true')
  }),
  submodule: within(({ folder, git }) => {
    const other = join(dirname(folder), 'lib-origin')
    rmSync(other, { recursive: true, force: true })
    git('init', '-q', other)
    git('-C', other, 'commit', '-q', '--allow-empty', '-m', 'first')
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'lib')
    git('commit', '-q', '-m', 'lib')
  }),
  filter: within(({ folder, git }) => {
    write(join(folder, 'tools', 'clean.sh'), '#!/bin/sh\ncat\n', 0o755)
    write(join(folder, '.gitattributes'), '*.txt filter=tidy\n')
    git('config', 'filter.tidy.clean', './tools/clean.sh')
  }),
  'filter-unused': within(({ git }) => git('config', 'filter.tidy.clean', 'touch {MARKER}; cat')),
  alias: within(({ folder, git }) => {
    write(join(folder, 'tools', 'deploy.sh'), SCRIPT, 0o755)
    git('config', 'alias.deploy', '!tools/deploy.sh')
  }),
  'hook-link': within(({ folder }) => {
    write(join(folder, 'scripts', 'hook.sh'), SCRIPT, 0o755)
    symlinkSync('../../scripts/hook.sh', join(folder, '.git', 'hooks', 'post-commit'))
  }),
  'hook-calls': within(({ folder }) => {
    write(join(folder, 'scripts', 'check.sh'), SCRIPT, 0o755)
    write(join(folder, '.git', 'hooks', 'post-commit'), '#!/bin/sh\nsh scripts/check.sh\n', 0o755)
  }),
  'global-hooks': within(({ git }) => git('config', '--global', 'core.hooksPath', '.githooks')),
  'global-include': within(({ folder, git }) =>
    git('config', '--global', 'include.path', join(folder, 'dev.cfg')),
  ),
  'fsmonitor-script': within(({ folder, git }) => {
    write(join(folder, 'tools', 'watch.sh'), '#!/bin/sh\nexit 1\n', 0o755)
    git('config', 'core.fsmonitor', 'tools/watch.sh')
  }),
  'ssh-script': within(({ folder, git }) => {
    write(join(folder, 'tools', 'ssh.sh'), '#!/bin/sh\nexit 1\n', 0o755)
    git('config', 'core.sshCommand', 'tools/ssh.sh')
    git('remote', 'add', 'origin', 'ssh://host.invalid/x')
  }),
  agents: within(({ folder, git }) => {
    write(join(folder, 'AGENTS.md'), 'Be tidy.\n')
    write(join(folder, 'docs', 'CLAUDE.md'), 'Be tidy.\n')
    write(join(folder, '.vscode', 'settings.json'), '{"editor.tabSize": 2}\n')
    git('add', '.')
    git('commit', '-q', '-m', 'agents')
  }),
  'git-link': ({ folder, git }) => {
    repository({ folder, git, userHome: '' })
    renameSync(join(folder, '.git'), join(folder, '.store'))
    symlinkSync('.store', join(folder, '.git'))
  },
  'packaged-hooks': within(({ folder, git }) => {
    write(join(folder, 'node_modules', 'team-hooks', 'hooks', 'pre-commit'), SCRIPT, 0o755)
    git('config', 'core.hooksPath', 'node_modules/team-hooks/hooks')
  }),
  template: within(({ folder, git }) => {
    write(join(folder, 'tools', 'template', 'hooks', 'pre-commit'), SCRIPT, 0o755)
    git('config', '--global', 'init.templateDir', join(folder, 'tools', 'template'))
  }),
  'template-missing': within(({ folder, git }) =>
    git('config', '--global', 'init.templateDir', join(folder, 'tools', 'template')),
  ),
  branchless: within(({ folder, git }) => {
    write(join(folder, '.git', 'branchless', 'config'), '[alias]\n\tsl = log\n')
    git('config', 'include.path', 'branchless/config')
  }),
  flake: within(({ folder }) => {
    write(join(folder, '.envrc'), 'use flake\n')
    write(join(folder, 'flake.nix'), '{ outputs = _: { }; }\n')
  }),
  workshop,
  npm: within(({ folder }) => {
    write(
      join(folder, 'package.json'),
      '{\n  "name": "x",\n  "version": "1.0.0",\n  "scripts": { "test": "echo ok" }\n}\n',
    )
    write(join(folder, 'node_modules', 'vitest', 'cli.js'), '#!/usr/bin/env node\n', 0o755)
    mkdirSync(join(folder, 'node_modules', '.bin'))
    symlinkSync('../vitest/cli.js', join(folder, 'node_modules', '.bin', 'vitest'))
  }),
}

/** The environment, outside Talaria, of a person with this home folder. */
export const personIn = (userHome: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: userHome,
  LANG: 'C.UTF-8',
  GIT_TERMINAL_PROMPT: '0',
})

/** Make a layout in a new folder. `marker` is the file that harmless payloads would touch. */
export function makeLayout(
  name: string,
  { folder, userHome, marker }: Record<'folder' | 'userHome' | 'marker', string>,
): void {
  const layout = LAYOUTS[name]
  if (!layout) throw new Error(`There is no layout ${name}.`)
  mkdirSync(folder, { recursive: true })
  write(join(userHome, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n')
  layout({
    folder,
    userHome,
    git: (...args) => {
      const filled = args.map(each => each.replaceAll('{MARKER}', marker))
      execFileSync('git', filled, {
        cwd: folder,
        env: personIn(userHome),
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    },
  })
}
