import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseShell } from '../../shell-safety/parse/parse-shell.ts'
import { decideUnder } from '../../../../testing/agent/a-rule.ts'
import { obeyedByCommands } from './obeyed-by-command.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-obeyed-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], {
    cwd: folder,
    stdio: 'pipe',
  })
/** A repository with a branch `main`, a remote branch that does not exist locally yet, and these files. */
const aRepository = (files: Record<string, string>) => {
  put(files)
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'First', '--allow-empty')
  git('update-ref', 'refs/remotes/origin/topic', 'HEAD')
}
const need = (command: string) => obeyedByCommands(parseShell(command, folder, '/home/ada'), folder)
const mays = (commands: readonly string[]) => commands.map(command => `${need(command).may}: ${command}`)
const all = (may: string, commands: readonly string[]) => commands.map(command => `${may}: ${command}`)

const ORDINARY = [
  'git checkout -b x',
  'git switch -c x',
  'git commit -m "Change AGENTS.md and .vscode -u"',
  'git add -A',
  'git add AGENTS.md .vscode',
  'git stash',
  'git stash list',
  'git fetch origin',
  'git push',
  'git push origin main',
  'git branch x',
  'git branch -d x',
  'git tag v1',
  'git diff -- .vscode',
  'git log -p AGENTS.md',
  'git config user.name',
  'git config --get-all remote.origin.url',
  'git remote -v',
  'git worktree list',
  'git reset',
  'git reset HEAD~1',
  'git restore --staged AGENTS.md',
  'git restore src/a.ts',
  'git checkout src/a.ts',
  'git checkout -- src/a.ts',
  'git apply --check x.patch',
  'npm test',
  'npm run build',
  'npm ci',
  'npm install left-pad',
  'npx vitest run',
  'npx tsc --noEmit',
  'make',
  'make -j4 all',
  'cargo build',
  'pytest -q',
  'cp -r src dist',
  'cp AGENTS.md src/notes.md',
  'mv src/a.ts src/b.ts',
  'rm -rf node_modules dist',
  'mkdir -p src/deep',
  'tar -czf out.tgz src',
  'tar -tf out.tgz',
  'unzip -l a.zip',
  'tar -xf a.tgz -C /tmp/elsewhere',
  'git clone https://example.org/a.git /tmp/elsewhere/a',
  'cat AGENTS.md > copy.md',
  'grep -rn x .vscode',
  'sed -n 1,5p AGENTS.md',
  'echo "see .envrc and AGENTS.md"',
  'gh pr create --body "it changes AGENTS.md"',
  'pre-commit run --all-files',
  'npm init -y',
]

const CONFIGURES = [
  'git config user.name Ada',
  'git config --unset user.name',
  'git -C . remote add a https://example.org/a.git',
  'cd src && git remote set-url origin x',
  'git branch -u origin/topic',
  'git branch -m other',
  'git branch new origin/topic',
  'git checkout -t origin/topic',
  'git checkout topic',
  'git switch topic',
  'git push -u origin main',
  'git push --set-upstream origin main',
  'git init sub',
  'git worktree prune',
  'git submodule init',
  'git maintenance start',
  'git lfs install',
  'pre-commit install',
  'lefthook install',
  'cargo new thing',
  'sudo git config a.b c',
  'sh -c "git config core.x y"',
]

const REWRITES = [
  'git clone https://example.org/a.git',
  'git clone --depth 1 https://example.org/a.git sub',
  'git submodule add https://example.org/a.git lib',
  'git submodule update --init',
  'git lfs track "*.png"',
  'tar -xzf a.tgz',
  'tar xf a.tgz',
  'tar --extract -f a.tgz',
  'unzip a.zip',
  '7z x a.7z',
  'npm create vite@latest app',
  'npm init vite app',
  'pnpm create vite app',
  'npx create-vite app',
  'npx -y degit a/b app',
  'npx husky init',
  'npx husky',
  'yarn dlx create-next-app x',
  'bunx create-vite',
  'cookiecutter gh:a/b',
  'flutter create app',
  'rsync -a host.example.org:site/ .',
  'npm install husky',
]

const NAMES = [
  'echo x > .envrc',
  'printf x | tee .vscode/tasks.json',
  'touch .mcp.json',
  'sed -i s/a/b/ AGENTS.md',
  'mkdir .cursor',
  'cd .vscode && touch tasks.json',
  'cp ../template/.envrc .',
  'ln -s ../x .exrc',
  'ln -s ../template/.envrc',
  'mv .vscode old',
  'rm .husky/pre-commit',
  'chmod +x .husky/pre-commit',
  'dd if=x of=.envrc',
  'install -m 755 x .husky/pre-commit',
  "python3 -c \"open('.envrc', 'w')\"",
  'python3 - <<E\nopen(".envrc", "w")\nE',
  `node -e "fs.writeFileSync('CLAUDE.md', x)"`,
  'curl -s x > .ENVRC',
  'git mv docs .devcontainer',
  'git rm AGENTS.md',
]

test('ordinary commands need nothing of what programs obey', () => {
  aRepository({ 'src/a.ts': 'a', 'package.json': '{"scripts":{"test":"vitest"}}', 'README.md': '' })
  const others = ['git checkout main', 'git pull', 'git merge main', 'git reset --hard', 'git stash pop']
  expect(mays([...ORDINARY, ...others])).toEqual(all('nothing', [...ORDINARY, ...others]))
})

test('what follows another branch, adds a remote or makes a repository writes configuration of git', () => {
  aRepository({ 'src/a.ts': 'a' })
  expect(mays(CONFIGURES)).toEqual(all('git', CONFIGURES))
})

test('what brings a tree from elsewhere may write all of it', () => {
  aRepository({ 'src/a.ts': 'a' })
  expect(mays(REWRITES)).toEqual(all('all', REWRITES))
})

test('a file that programs obey is found in words, redirections, code and copies', () => {
  put({ '.vscode/tasks.json': '{}', 'docs/a': '', 'AGENTS.md': '' })
  expect(mays(NAMES)).toEqual(all('all', NAMES))
  expect(mays(['echo x > .git/hooks/pre-commit', 'rm -rf .git'])).toEqual(
    all('git', ['echo x > .git/hooks/pre-commit', 'rm -rf .git']),
  )
  expect(need('echo x > .envrc').files).toEqual([{ path: '.envrc', by: 'direnv' }])
})

describe('where the repository tracks such a file', () => {
  test('what puts another state in its place may write it, and the card names it', () => {
    aRepository({ 'AGENTS.md': 'x', '.vscode/tasks.json': '{}', 'src/a.ts': 'a' })
    const moving = [
      'git checkout main',
      'git checkout HEAD~1 -- .',
      'git checkout -b x main',
      'git pull',
      'git merge main',
      'git rebase main',
      'git cherry-pick main',
      'git revert HEAD',
      'git am x.patch',
      'git apply x.patch',
      'patch -p1 < x.patch',
      'git reset --hard HEAD~1',
      'git stash pop',
      'git bisect start',
      'git restore --source=HEAD~1 .',
      'git worktree add sub',
      'gh pr checkout 3',
    ]
    expect(mays(moving)).toEqual(all('all', moving))
    expect(need('git pull').files).toEqual([
      { path: '.vscode', by: 'VS Code' },
      { path: 'AGENTS.md', by: 'agents' },
    ])
    expect(mays(ORDINARY)).toEqual(all('nothing', ORDINARY))
  })

  test('what only takes back changes writes it where it was changed', () => {
    aRepository({ 'AGENTS.md': 'x', 'src/a.ts': 'a' })
    const back = ['git stash', 'git restore .', 'git checkout .', 'git checkout -- AGENTS.md']
    expect(mays(back)).toEqual(all('nothing', back))
    put({ 'AGENTS.md': 'longer than before' })
    expect(mays(back)).toEqual(all('all', back))
    expect(need('git restore src').may).toBe('nothing')
  })

  test('in a folder of the chat within the repository, only what lies in it counts', () => {
    aRepository({ 'AGENTS.md': 'x', 'web/a.ts': 'a' })
    const within = join(folder, 'web')
    expect(obeyedByCommands(parseShell('git pull', within, '/home/ada'), within).may).toBe('nothing')
  })
})

test('an index that cannot be read here counts as one that tracks such a file', () => {
  aRepository({ 'src/a.ts': 'a' })
  writeFileSync(join(folder, '.git', 'index'), 'DIRC and no more')
  expect(need('git pull').may).toBe('all')
})

test('installing packages matters where the package installs hooks of git', () => {
  const install = ['npm install', 'npm ci', 'yarn', 'pnpm add x', 'bun install']
  put({ 'package.json': '{"scripts":{"prepare":"husky"}}' })
  expect(mays(install)).toEqual(all('all', install))
  expect(need('npm ci --ignore-scripts').may).toBe('nothing')
  put({ 'package.json': '{"devDependencies":{"simple-git-hooks":"2"}}' })
  expect(mays(install)).toEqual(all('all', install))
  put({ 'package.json': '{"scripts":{"test":"vitest"}}' })
  expect(mays(install)).toEqual(all('nothing', install))
})

test('a folder that is copied or moved is looked into', () => {
  put({ 'template/.vscode/tasks.json': '{}', 'template/a.ts': '', 'plain/a.ts': '' })
  const copies = ['cp -r template app', 'cp -r template/. .', 'mv template app', 'rsync -a template/ app']
  expect(mays(copies)).toEqual(all('all', copies))
  expect(mays(['cp -r plain app', 'mv plain app', 'cp -r template /tmp/elsewhere'])).toEqual(
    all('nothing', ['cp -r plain app', 'mv plain app', 'cp -r template /tmp/elsewhere']),
  )
})

test('a link counts as what it leads to, and what others obey through a link counts too', () => {
  put({ 'docs/agents-text.md': '', 'env/rc': '' })
  symlinkSync('docs/agents-text.md', join(folder, 'CLAUDE.md'))
  symlinkSync('env/rc', join(folder, '.envrc'))
  symlinkSync('.envrc', join(folder, 'plain'))
  symlinkSync('nothing-yet', join(folder, '.exrc'))
  const through = [
    'echo x > docs/agents-text.md',
    'echo x > env/rc',
    'echo x > plain',
    'echo x > nothing-yet',
  ]
  expect(mays(through)).toEqual(all('all', through))
  expect(need('echo x > docs/other.md').may).toBe('nothing')
})

test('each mode asks about it, and where nobody is there it is denied', () => {
  aRepository({ 'AGENTS.md': 'x' })
  const here = (command: string, mode: 'ask' | 'reads' | 'full' | 'none') =>
    decideUnder(
      { title: '', detail: command, risk: 'execute', inWorkspace: true, folder, workspace: folder, command },
      [],
      mode,
    )
  for (const command of ['git pull', 'git config a.b c', 'echo x > .envrc', 'npm create vite app']) {
    const verdicts = (['ask', 'reads', 'full', 'none'] as const).map(mode => here(command, mode).verdict)
    expect(verdicts, command).toEqual(['ask', 'ask', 'ask', 'deny'])
    expect(here(command, 'ask'), command).toMatchObject({ inEveryMode: true })
    expect(here(command, 'none'), command).toMatchObject({
      reason: expect.stringContaining('in every mode') as string,
    })
  }
  expect(here('git pull', 'full')).toMatchObject({
    obeyed: 'all',
    obeyedFiles: [{ path: 'AGENTS.md', by: 'agents' }],
    reason:
      'It may change what programs obey without being asked: it puts files of another state in place of the ones here.',
  })
  for (const command of ['git checkout -b x', 'git commit -m x', 'npm test', 'make'])
    expect(here(command, 'full').verdict, command).toBe('allow')
})
