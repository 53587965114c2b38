import { afterAll, beforeEach, describe, expect } from 'vitest'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { tryEscape, type Escape } from '../../../testing/confinement/git-escape.ts'
import { PersonWithGit } from '../../../testing/confinement/person-with-git.ts'

const person = new PersonWithGit()
beforeEach(() => person.begin())
afterAll(() => person.end())

const worktree = () => person.git('worktree add -q wt -b other')
const escapes: Escape[] = [
  {
    name: 'included file',
    prepare() {
      person.set('include.path', '../.gitconfig')
      person.put('.gitconfig', '[alias]\n\tst = status\n')
    },
    attack: 'monitor >> .gitconfig',
  },
  {
    name: 'included file that is not there',
    prepare: () => person.set('include.path', '../more.cfg'),
    attack: 'monitor > more.cfg',
    told: 'more.cfg',
  },
  {
    name: 'included file under a condition, in another spelling',
    prepare() {
      person.put('conf/more cfg', '')
      person.put('.git/config', '[INCLUDEIF "gitdir:**"]\n\tPath = "../conf/more\\\n cfg" ; ours\n')
    },
    attack: 'monitor > "conf/more cfg"',
  },
  {
    name: 'file that an included file includes',
    prepare() {
      person.set('include.path', '../one.cfg')
      person.put('one.cfg', '[include] path = deep/two.cfg\n')
      person.put('deep/two.cfg', '')
    },
    attack: 'monitor > deep/two.cfg',
  },
  {
    name: 'file in the folder that the own configuration includes',
    prepare() {
      person.put('team.cfg', '')
      person.configure(`[include]\n\tpath = ${person.folder.replace(person.base, '~')}/team.cfg\n`)
    },
    attack: 'monitor > team.cfg',
  },
  {
    name: 'config.worktree',
    prepare: () => person.set('extensions.worktreeConfig', 'true'),
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
      person.set('extensions.worktreeConfig', 'true')
    },
    attack: 'monitor > .git/worktrees/wt/config.worktree',
    afterwards: ['-C wt status'],
    told: '.git/worktrees/wt/config.worktree',
  },
  {
    name: 'configuration of a submodule',
    prepare: () => person.addSubmodule(),
    attack: 'monitor >> .git/modules/sub/config',
  },
  {
    name: 'hook of a submodule',
    prepare: () => person.addSubmodule(),
    attack: 'evil .git/modules/sub/hooks/post-checkout',
  },
  {
    name: 'commondir of a submodule',
    prepare: () => person.addSubmodule(),
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
      person.put('attributes', '')
      person.set('core.attributesFile', 'attributes')
    },
    attack: 'echo "* filter=x" > attributes',
  },
  {
    name: 'folder that new repositories are made from',
    prepare() {
      person.put('template/hooks/.keep', '')
      person.configure(`[init]\n\ttemplateDir = ${person.folder}/template\n`)
    },
    attack: 'evil template/hooks/post-checkout',
  },
  {
    name: 'bare repository',
    prepare: () => person.git('init -q --bare store'),
    attack: 'monitor >> store/config',
  },
  {
    name: 'hook of a bare repository',
    prepare: () => person.git('init -q --bare store'),
    attack: 'evil store/hooks/post-receive',
  },
  {
    name: 'new bare repository with a place of work',
    attack: 'cp -r .git store && monitor >> store/config && git config -f store/config core.worktree ..',
    afterwards: ['-C store status'],
    told: 'store/config',
  },
  {
    name: 'new repository in the folder',
    attack: 'mkdir in && git -C in init -q && monitor >> in/.git/config',
    afterwards: ['-C in status'],
    told: 'in/.git/config',
  },
  {
    name: 'renamed folder of submodules',
    prepare: () => person.addSubmodule(),
    attack: 'mv .git/modules .git/m2 && cp -r .git/m2 .git/modules && monitor >> .git/modules/sub/config',
    told: '.git/modules/sub/config',
  },
  {
    name: 'link named .git that leads elsewhere now',
    prepare() {
      person.git('init -q --bare store')
      person.link('../store', 'in/.git')
    },
    attack: 'cp -r store other && monitor >> other/config && ln -sfn ../other in/.git',
    told: 'in/.git',
  },
  {
    name: 'own program in a git folder, which a setting starts',
    prepare() {
      person.put('.git/own/run', '#!/bin/sh\n')
      person.set('core.fsmonitor', '.git/own/run')
    },
    attack: 'evil .git/own/run',
  },
  { name: 'renamed .git', attack: 'mv .git .git2 && git init -q' },
  { name: 'removed configuration', attack: 'rm .git/config' },
  {
    name: 'folder above the chat',
    chat: 'web',
    prepare() {
      person.put('web/hooks/pre-push', '')
      person.set('core.hooksPath', 'web/hooks')
    },
    attack: 'evil hooks/pre-commit',
  },
  {
    name: 'chat in a linked worktree',
    chat: 'wt',
    prepare() {
      worktree()
      person.put('wt/.husky/pre-push', '')
      person.set('core.hooksPath', '.husky')
    },
    attack: 'evil .husky/pre-commit',
  },
  {
    name: 'steps of a rebase that the person continues',
    prepare() {
      person.put('b.txt', 'two\n')
      person.git('add b.txt')
      person.git('commit -qm Second')
    },
    attack: `GIT_SEQUENCE_EDITOR="sh -c 'printf \\"break\\nexec touch MARK\\n\\" > \\$0'" git rebase -q -i HEAD~1; cat .git/rebase-merge/git-rebase-todo`,
    afterwards: ['rebase --continue'],
    told: '.git/rebase-merge/git-rebase-todo',
  },
  {
    name: 'folder that becomes a bare repository itself',
    attack: 'cp -r .git/objects .git/refs .git/HEAD . && monitor > config && rm .git/HEAD',
    told: 'config',
  },
  {
    name: 'strategy of a rebase',
    attack: 'mkdir -p .git/rebase-merge; echo x/y > .git/rebase-merge/strategy',
    told: '.git/rebase-merge/strategy',
  },
]

describe('a confined command leaves nothing that git obeys outside', () => {
  for (const escape of escapes) confinedTest(escape.name, () => tryEscape(person, escape))
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
  person.put('a.txt', 'two\n')
  for (const command of commands) {
    const { changed, hasFailed, output } = await person.attempt(command)
    expect.soft({ changed, hasFailed }, `${command}\n${output}`).toEqual({ changed: [], hasFailed: false })
  }
})
