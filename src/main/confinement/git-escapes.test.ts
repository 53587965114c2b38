import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { confinedTest } from '../../../testing/can-confine.ts'
import { aFolderToConfine } from '../../../testing/folder-to-confine.ts'
import { runConfined, WORK } from '../../../testing/run-confined.ts'
import { openConfinement, type Confiner } from './open-confinement.ts'

let base: string
let folder: string
let confiner: Confiner
/** Outside of what a command may write, so that whatever leaves it was not confined. */
let mark: string

beforeAll(() => {
  base = aFolderToConfine()
  confiner = openConfinement({ home: join(base, 'home'), userHome: base, readable: () => [] })
  mkdirSync(join(base, 'marks'))
  mark = join(base, 'marks/ran')
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const put = (name: string, text: string) => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode: 0o755 })
}

/** A git of the person, with all their rights. */
function git(command: string, at = '.') {
  const env = { ...process.env, HOME: base, GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true' }
  return spawnSync('git', ['-c', 'protocol.file.allow=always', ...command.split(' ')], {
    cwd: join(folder, at),
    encoding: 'utf8',
    env,
  })
}
/** Set something in the configuration of the repository, as the person. */
const set = (key: string, value: string, at = '.') =>
  spawnSync('git', ['config', key, value], { cwd: join(folder, at), env: { ...process.env, HOME: base } })

const IDENTITY = '[user]\n\tname = Ada\n\temail = ada@example.org\n'
beforeEach(() => {
  writeFileSync(join(base, '.gitconfig'), IDENTITY)
  rmSync(mark, { force: true })
  folder = mkdtempSync(join(base, 'folder-'))
  git('init -q')
  put('a.txt', 'one\n')
  git('add a.txt')
  git('commit -qm First')
})

/** What a command writes: programs that leave the mark, and settings that name one. */
const SCRIPT = () => `#!/bin/sh\ntouch ${mark}\ncat\n`
const prelude = () =>
  `evil() { mkdir -p "$(dirname "$1")"; printf '%s\\n' '#!/bin/sh' 'touch ${mark}' cat > "$1"; chmod +x "$1"; }\n` +
  `monitor() { printf '[core]\\n\\tfsmonitor = "touch ${mark};:"\\n'; }\n`

type Escape = {
  name: string
  /** What the person has set up. */
  prepare?(): void
  /** What the confined command does; `MARK` is the file that must not come to be. */
  attack: string
  /** What the person does afterwards, beside `status` and `commit`. */
  then?: readonly string[]
  /** A path that is told afterwards, where the attempt cannot be prevented; without it, it must be. */
  told?: string
  /** The folder of the chat, if it is not that of the repository. */
  chat?: string
}

/** A script in the folder that the configuration names. */
const named = (key: string, value: string, then: readonly string[] = []): Escape => ({
  name: `a script that ${key} names`,
  prepare() {
    put('tools/run.sh', '#!/bin/sh\ncat\n')
    git('add tools')
    git('commit -qm Tools')
    set(key, value)
  },
  attack: 'evil tools/run.sh',
  then,
})

const hooksAt = (path: string) => () => {
  set('core.hooksPath', path)
  put(join(path, 'pre-push'), '#!/bin/sh\n')
}
const worktree = () => git('worktree add -q wt -b other')
const submodule = () => {
  const origin = mkdtempSync(join(base, 'origin-'))
  spawnSync('git', ['clone', '-q', folder, origin])
  git(`submodule --quiet add ${origin} sub`)
  git('commit -qm Sub')
}

const escapes: Escape[] = [
  {
    name: 'commondir',
    attack:
      'mkdir -p .cache/g && cp -r .git/objects .git/refs .git/HEAD .git/config .cache/g && monitor >> .cache/g/config && echo ../.cache/g > .git/commondir',
    told: '.git/commondir',
  },
  {
    name: 'commondir from a program that was started',
    attack: `sh -c "echo ../x > .git/commondir"; echo 12 passing`,
    told: '.git/commondir',
  },
  { name: 'hook in a folder of hooks', prepare: hooksAt('.githooks'), attack: 'evil .githooks/pre-commit' },
  {
    name: 'new folder of hooks',
    prepare: () => set('core.hooksPath', '.githooks'),
    attack: 'evil .githooks/pre-commit',
    told: '.githooks/pre-commit',
  },
  {
    name: 'folder of hooks behind a renamed parent',
    prepare: hooksAt('tools/git/hooks'),
    attack: 'mv tools tools2 && evil tools/git/hooks/pre-commit',
    told: 'tools/git/hooks/pre-commit',
  },
  {
    name: 'folder of hooks that is a link',
    prepare() {
      hooksAt('real')()
      symlinkSync('real', join(folder, 'link'))
      set('core.hooksPath', 'link')
    },
    attack: 'evil evil/pre-commit; ln -sfn evil link',
    told: 'link',
  },
  {
    name: 'folder that a link of hooks leads to',
    prepare() {
      hooksAt('real')()
      symlinkSync('real', join(folder, 'link'))
      set('core.hooksPath', 'link')
    },
    attack: 'evil real/pre-commit',
  },
  {
    name: 'hooks in the whole folder',
    prepare: () => set('core.hooksPath', '.'),
    attack: 'evil pre-commit',
    told: 'pre-commit',
  },
  {
    name: 'hook in the whole folder that is there',
    prepare() {
      set('core.hooksPath', '.')
      put('pre-commit', '#!/bin/sh\n')
    },
    attack: 'evil pre-commit',
  },
  {
    name: 'husky: its hook',
    prepare() {
      set('core.hooksPath', '.husky/_')
      put(
        '.husky/_/h',
        '#!/bin/sh\ns="$(dirname "$(dirname "$0")")/$(basename "$0")"\n[ -f "$s" ] && sh -e "$s"\n',
      )
      put('.husky/_/pre-commit', '#!/bin/sh\n. "$(dirname "$0")/h"\n')
    },
    attack: 'evil .husky/pre-commit',
  },
  {
    name: 'husky: its own script',
    prepare() {
      set('core.hooksPath', '.husky/_')
      put('.husky/_/pre-commit', '#!/bin/sh\n. "$(dirname "$0")/h"\n')
      put('.husky/_/h', '#!/bin/sh\n')
    },
    attack: 'evil .husky/_/h',
  },
  {
    name: 'folder of hooks that the person has everywhere',
    prepare() {
      writeFileSync(join(base, '.gitconfig'), `${IDENTITY}[core]\n\thooksPath = .githooks\n`)
      put('.githooks/pre-push', '')
    },
    attack: 'evil .githooks/pre-commit',
  },
  {
    name: 'the same, not there yet',
    prepare: () => writeFileSync(join(base, '.gitconfig'), `${IDENTITY}[core]\n\thooksPath = .githooks\n`),
    attack: 'evil .githooks/pre-commit',
    told: '.githooks/pre-commit',
  },
  {
    name: 'hook that is a link to a script',
    prepare() {
      put('scripts/check.sh', '#!/bin/sh\n')
      rmSync(join(folder, '.git/hooks/pre-commit'), { force: true })
      mkdirSync(join(folder, '.git/hooks'), { recursive: true })
      symlinkSync('../../scripts/check.sh', join(folder, '.git/hooks/pre-commit'))
    },
    attack: 'evil scripts/check.sh',
  },
  {
    name: 'script that a hook starts',
    prepare() {
      put('scripts/check.sh', '#!/bin/sh\n')
      put('.git/hooks/pre-commit', '#!/bin/sh\n# Checks.\nset -e\n./scripts/check.sh\n')
    },
    attack: 'evil scripts/check.sh',
    told: 'scripts/check.sh',
  },
  {
    name: 'missing folder of hooks',
    prepare: () => rmSync(join(folder, '.git/hooks'), { recursive: true, force: true }),
    attack: 'evil .git/hooks/pre-commit',
    told: '.git/hooks/pre-commit',
  },
  {
    name: 'included file',
    prepare() {
      set('include.path', '../.gitconfig')
      put('.gitconfig', '[alias]\n\tst = status\n')
    },
    attack: 'monitor >> .gitconfig',
  },
  {
    name: 'included file that is not there',
    prepare: () => set('include.path', '../more.cfg'),
    attack: 'monitor > more.cfg',
    told: 'more.cfg',
  },
  {
    name: 'included file under a condition, in another spelling',
    prepare() {
      put('conf/more cfg', '')
      put('.git/config', '[INCLUDEIF "gitdir:**"]\n\tPath = "../conf/more\\\n cfg" ; ours\n')
    },
    attack: 'monitor > "conf/more cfg"',
  },
  {
    name: 'file that an included file includes',
    prepare() {
      set('include.path', '../one.cfg')
      put('one.cfg', '[include] path = deep/two.cfg\n')
      put('deep/two.cfg', '')
    },
    attack: 'monitor > deep/two.cfg',
  },
  {
    name: 'file in the folder that the own configuration includes',
    prepare() {
      put('team.cfg', '')
      writeFileSync(
        join(base, '.gitconfig'),
        `${IDENTITY}[include]\n\tpath = ${folder.replace(base, '~')}/team.cfg\n`,
      )
    },
    attack: 'monitor > team.cfg',
  },
  {
    name: 'config.worktree',
    prepare: () => set('extensions.worktreeConfig', 'true'),
    attack: 'monitor > .git/config.worktree',
    told: '.git/config.worktree',
  },
  {
    name: 'commondir of a worktree',
    prepare: worktree,
    attack: 'echo ../../../x > .git/worktrees/wt/commondir',
  },
  { name: '.git file of a worktree', prepare: worktree, attack: 'mkdir x; echo gitdir: ../x > wt/.git' },
  { name: '.git file that is replaced', prepare: worktree, attack: 'rm wt/.git && git init -q wt' },
  { name: 'gitdir of a worktree', prepare: worktree, attack: 'echo /x/.git > .git/worktrees/wt/gitdir' },
  {
    name: 'config.worktree of a worktree',
    prepare() {
      worktree()
      set('extensions.worktreeConfig', 'true')
    },
    attack: 'monitor > .git/worktrees/wt/config.worktree',
    then: ['-C wt status'],
    told: '.git/worktrees/wt/config.worktree',
  },
  { name: 'configuration of a submodule', prepare: submodule, attack: 'monitor >> .git/modules/sub/config' },
  { name: 'hook of a submodule', prepare: submodule, attack: 'evil .git/modules/sub/hooks/post-checkout' },
  {
    name: 'commondir of a submodule',
    prepare: submodule,
    attack: 'echo ../x > .git/modules/sub/commondir',
    told: '.git/modules/sub/commondir',
  },
  {
    name: 'objects of another place',
    attack: 'echo /x/objects > .git/objects/info/alternates',
    told: '.git/objects/info/alternates',
  },
  {
    name: 'attributes of the repository',
    attack: 'mkdir -p .git/info; echo "* filter=x" > .git/info/attributes',
    told: '.git/info/attributes',
  },
  {
    name: 'file of attributes that the configuration names',
    prepare() {
      put('attributes', '')
      set('core.attributesFile', 'attributes')
    },
    attack: 'echo "* filter=x" > attributes',
  },
  {
    name: 'folder that new repositories are made from',
    prepare() {
      put('template/hooks/.keep', '')
      writeFileSync(join(base, '.gitconfig'), `${IDENTITY}[init]\n\ttemplateDir = ${folder}/template\n`)
    },
    attack: 'evil template/hooks/post-checkout',
  },
  { name: 'bare repository', prepare: () => git('init -q --bare store'), attack: 'monitor >> store/config' },
  {
    name: 'hook of a bare repository',
    prepare: () => git('init -q --bare store'),
    attack: 'evil store/hooks/post-receive',
  },
  {
    name: 'new bare repository with a place of work',
    attack: 'cp -r .git store && monitor >> store/config && git config -f store/config core.worktree ..',
    then: ['-C store status'],
    told: 'store/config',
  },
  {
    name: 'new repository in the folder',
    attack: 'mkdir in && git -C in init -q && monitor >> in/.git/config',
    then: ['-C in status'],
    told: 'in/.git/config',
  },
  {
    name: 'renamed folder of submodules',
    prepare: submodule,
    attack: 'mv .git/modules .git/m2 && cp -r .git/m2 .git/modules && monitor >> .git/modules/sub/config',
    told: '.git/modules/sub/config',
  },
  {
    name: 'link named .git that leads elsewhere now',
    prepare() {
      git('init -q --bare store')
      mkdirSync(join(folder, 'in'))
      symlinkSync('../store', join(folder, 'in/.git'))
    },
    attack: 'cp -r store other && monitor >> other/config && ln -sfn ../other in/.git',
    told: 'in/.git',
  },
  {
    name: 'own program in a git folder, which a setting starts',
    prepare() {
      put('.git/own/run', '#!/bin/sh\n')
      set('core.fsmonitor', '.git/own/run')
    },
    attack: 'evil .git/own/run',
  },
  { name: 'renamed .git', attack: 'mv .git .git2 && git init -q' },
  { name: 'removed configuration', attack: 'rm .git/config' },
  {
    name: 'folder above the chat',
    chat: 'web',
    prepare() {
      put('web/hooks/pre-push', '')
      set('core.hooksPath', 'web/hooks')
    },
    attack: 'evil hooks/pre-commit',
  },
  {
    name: 'chat in a linked worktree',
    chat: 'wt',
    prepare() {
      worktree()
      put('wt/.husky/pre-push', '')
      set('core.hooksPath', '.husky')
    },
    attack: 'evil .husky/pre-commit',
  },
  {
    name: 'steps of a rebase that the person continues',
    prepare() {
      put('b.txt', 'two\n')
      git('add b.txt')
      git('commit -qm Second')
    },
    attack: `GIT_SEQUENCE_EDITOR="sh -c 'printf \\"break\\nexec touch MARK\\n\\" > \\$0'" git rebase -q -i HEAD~1; cat .git/rebase-merge/git-rebase-todo`,
    then: ['rebase --continue'],
    told: '.git/rebase-merge/git-rebase-todo',
  },
  {
    name: 'strategy of a rebase',
    attack: 'mkdir -p .git/rebase-merge; echo x/y > .git/rebase-merge/strategy',
    told: '.git/rebase-merge/strategy',
  },
  named('core.fsmonitor', 'tools/run.sh'),
  named('filter.x.clean', './tools/run.sh %f'),
  named('filter.x.process', '"$(git rev-parse --show-toplevel)"/tools/run.sh'),
  named('diff.external', './tools/run.sh', ['diff HEAD~1']),
  named('diff.x.textconv', 'sh tools/run.sh'),
  named('diff.x.command', 'sh -c \'./tools/run.sh "$1"\''),
  named('merge.x.driver', '${PWD}/tools/run.sh %O %A %B'),
  named('alias.check', '!sh tools/run.sh', ['check']),
  named('alias.deploy', '!cd tools && ../tools/run.sh', ['deploy']),
  named('core.sshCommand', 'tools/run.sh'),
  named('core.pager', 'tools/run.sh | less'),
  named('sequence.editor', '$GIT_ROOT/tools/run.sh', ['rebase -i HEAD~1']),
  named('gpg.program', './tools/run.sh'),
  named('credential.helper', '!./tools/run.sh'),
  named('core.gitProxy', 'tools/run.sh'),
  named('trailer.x.command', 'bash ./tools/run.sh'),
  named('remote.origin.uploadpack', './tools/run.sh'),
]

describe('a confined command leaves nothing that git obeys outside', () => {
  for (const { name, prepare, attack, then = [], told, chat = '.' } of escapes)
    confinedTest(name, async () => {
      prepare?.()
      rmSync(mark, { force: true })
      const work = await runConfined(confiner, prelude() + attack.replaceAll('MARK', mark), WORK, {
        folder: join(folder, chat),
      })
      expect(existsSync(mark), 'it was not confined').toBe(false)
      put('a.txt', 'two\n')
      put(join(chat, 'new.txt'), 'new\n')
      for (const command of ['status', 'add a.txt', 'commit -qm Next', ...then]) git(command)
      git('status', chat)
      git('commit -q --allow-empty -m Next', chat)
      const changed = work.changedGit.map(path => path.replace(`${folder}/`, ''))
      if (told !== undefined) return expect(changed).toContain(told)
      expect({ changed, hasRun: existsSync(mark), hasFailed: work.code !== 0 }, work.output).toEqual({
        changed: [],
        hasRun: false,
        hasFailed: true,
      })
    })

  // Otherwise the table above could pass because nothing ever runs.
  test('the payload runs where nothing confines it', () => {
    put('.git/hooks/pre-commit', SCRIPT())
    git('commit -q --allow-empty -m Next')
    expect(existsSync(mark)).toBe(true)
  })
})

confinedTest('ordinary work goes on without rights, and nothing of it is told', async () => {
  const commands = [
    'git add -A && git commit -qm Second',
    'git log --oneline && git diff HEAD~1 && git show',
    'echo three >> a.txt && git stash -q && git stash pop -q && git checkout -q a.txt',
    'git branch other && git checkout -q other && git checkout -q - && git checkout -q -b topic',
    'echo b > b.txt && git add b.txt && git commit -qm B && git rebase -q other && git checkout -q other && git merge -q topic',
    'git merge --no-ff -q -m M topic && git tag v1 && git tag -a v2 -m v2',
    'echo c > c.txt && git add c.txt && git commit -qm C && git revert --no-edit HEAD && git cherry-pick HEAD~1',
    'git reset -q --hard HEAD~1 && git commit -q --amend --no-edit && git mv a.txt d.txt && git commit -qm Mv',
    'git gc -q && git fsck && git reflog expire --expire=now --all && git worktree list',
    'git init -q peer && cd peer && git commit -q --allow-empty -m Peer',
    'git fetch -q ./peer && git notes add -m x && git bisect start && git bisect reset',
    'git clone -q peer copy && git clone -q --bare peer bare && git -C copy pull -q && git clone -q --shared peer shared',
    'git worktree add -q tree -b tree2 && git -C tree status && git -C tree commit -q --allow-empty -m T',
    'rm -rf peer copy shared && git status && git sparse-checkout list; git update-server-info',
  ]
  put('a.txt', 'two\n')
  for (const command of commands) {
    const { code, output, changedGit } = await runConfined(confiner, command, WORK, { folder })
    expect.soft({ code, changedGit }, `${command}\n${output}`).toEqual({ code: 0, changedGit: [] })
  }
})
