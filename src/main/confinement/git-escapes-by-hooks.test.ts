import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { tryEscape, type Escape } from '../../../testing/confinement/git-escape.ts'
import { PersonWithGit } from '../../../testing/confinement/person-with-git.ts'

const person = new PersonWithGit()
beforeEach(() => person.begin())
afterAll(() => person.end())

/** A script in the folder that the configuration names. */
const named = (key: string, value: string, afterwards: readonly string[] = []): Escape => ({
  name: `a script that ${key} names`,
  prepare() {
    person.put('tools/run.sh', '#!/bin/sh\ncat\n')
    person.git('add tools')
    person.git('commit -qm Tools')
    person.set(key, value)
  },
  attack: 'evil tools/run.sh',
  afterwards,
})

const hooksAt = (path: string) => () => {
  person.set('core.hooksPath', path)
  person.put(join(path, 'pre-push'), '#!/bin/sh\n')
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
    prepare: () => person.set('core.hooksPath', '.githooks'),
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
      person.link('real', 'link')
      person.set('core.hooksPath', 'link')
    },
    attack: 'evil evil/pre-commit; ln -sfn evil link',
    told: 'link',
  },
  {
    name: 'folder that a link of hooks leads to',
    prepare() {
      hooksAt('real')()
      person.link('real', 'link')
      person.set('core.hooksPath', 'link')
    },
    attack: 'evil real/pre-commit',
  },
  {
    name: 'hooks in the whole folder',
    prepare: () => person.set('core.hooksPath', '.'),
    attack: 'evil pre-commit',
    told: 'pre-commit',
  },
  {
    name: 'hook in the whole folder that is there',
    prepare() {
      person.set('core.hooksPath', '.')
      person.put('pre-commit', '#!/bin/sh\n')
    },
    attack: 'evil pre-commit',
  },
  {
    name: 'husky: its hook',
    prepare() {
      person.set('core.hooksPath', '.husky/_')
      person.put(
        '.husky/_/h',
        '#!/bin/sh\ns="$(dirname "$(dirname "$0")")/$(basename "$0")"\n[ -f "$s" ] && sh -e "$s"\n',
      )
      person.put('.husky/_/pre-commit', '#!/bin/sh\n. "$(dirname "$0")/h"\n')
    },
    attack: 'evil .husky/pre-commit',
  },
  {
    name: 'husky: its own script',
    prepare() {
      person.set('core.hooksPath', '.husky/_')
      person.put('.husky/_/pre-commit', '#!/bin/sh\n. "$(dirname "$0")/h"\n')
      person.put('.husky/_/h', '#!/bin/sh\n')
    },
    attack: 'evil .husky/_/h',
  },
  {
    name: 'folder of hooks that the person has everywhere',
    prepare() {
      person.configure(`[core]\n\thooksPath = .githooks\n`)
      person.put('.githooks/pre-push', '')
    },
    attack: 'evil .githooks/pre-commit',
  },
  {
    name: 'the same, not there yet',
    prepare: () => person.configure(`[core]\n\thooksPath = .githooks\n`),
    attack: 'evil .githooks/pre-commit',
    told: '.githooks/pre-commit',
  },
  {
    name: 'hook that is a link to a script',
    prepare() {
      person.put('scripts/check.sh', '#!/bin/sh\n')
      person.link('../../scripts/check.sh', '.git/hooks/pre-commit')
    },
    attack: 'evil scripts/check.sh',
  },
  {
    name: 'script that a hook starts',
    prepare() {
      person.put('scripts/check.sh', '#!/bin/sh\n')
      person.put('.git/hooks/pre-commit', '#!/bin/sh\n# Checks.\nset -e\n./scripts/check.sh\n')
    },
    attack: 'evil scripts/check.sh',
    told: 'scripts/check.sh',
  },
  {
    name: 'missing folder of hooks',
    prepare: () => rmSync(join(person.folder, '.git/hooks'), { recursive: true, force: true }),
    attack: 'evil .git/hooks/pre-commit',
    told: '.git/hooks/pre-commit',
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

describe('no hook and no program that git starts is written', () => {
  for (const escape of escapes) confinedTest(escape.name, () => tryEscape(person, escape))
})

// Otherwise the table above could pass because nothing ever runs.
test('the payload runs where nothing confines it', () => {
  person.put('.git/hooks/pre-commit', `#!/bin/sh\ntouch ${person.mark}\n`)
  person.git('commit -q --allow-empty -m Next')
  expect(person.hasMark()).toBe(true)
})
