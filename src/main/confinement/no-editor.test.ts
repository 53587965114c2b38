import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aWorkspace } from '../../../testing/tools/a-workspace.ts'
import { cleanEnvironment } from './command-environment.ts'

const env = cleanEnvironment({ ...process.env, EDITOR: 'sleep 60', VISUAL: 'sleep 60' })

/** A repository of three commits that names editors which would wait. */
function aRepository() {
  const { workspace } = aWorkspace()
  const run = (command: string) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
      cwd: workspace,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return { status, told: stdout + stderr }
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, env, encoding: 'utf8' })
  git('init', '-q', '.')
  for (const [key, value] of [
    ['user.email', 'a@example.org'],
    ['user.name', 'A'],
    ['core.editor', 'sleep 60'],
    ['sequence.editor', 'sleep 60'],
  ] as const)
    git('config', key, value)
  for (const step of [1, 2, 3]) run(`echo ${step} > a.txt; git add -A; git commit -qm step${step}`)
  const subjects = () => git('log', '--format=%s').trim().split('\n')
  return { workspace, run, subjects, git }
}

describe.skipIf(process.platform === 'win32')('an editor', () => {
  test('of git is not opened: each command ends with the reason and leaves nothing behind', () => {
    const { workspace, run, subjects, git } = aRepository()
    for (const command of [
      'echo 4 > a.txt; git commit -a',
      'git stash -q; git commit --amend',
      'git rebase -i HEAD~2',
      'git tag -a v1',
      'git notes add',
      'git branch --edit-description',
      'git commit --allow-empty',
    ]) {
      const { status, told } = run(command)
      expect([command, status === 0, told]).toEqual([
        command,
        false,
        expect.stringContaining('There is no editor here'),
      ])
    }
    expect(subjects()).toEqual(['step3', 'step2', 'step1'])
    expect(git('tag').trim()).toBe('')
    expect(git('status', '--short').trim()).toBe('')
    expect(existsSync(join(workspace, '.git/rebase-merge'))).toBe(false)
    expect(readdirSync(workspace).toSorted()).toEqual(['.git', 'a.txt'])
  })

  test('that a command sets itself is used', () => {
    const { run, subjects } = aRepository()
    const amended = (command: string) => [run(command).status, subjects()[0]]
    for (const [set, name] of [
      [`GIT_EDITOR="echo one >"`, 'one'],
      [`EDITOR="echo two >"`, 'two'],
      [`export VISUAL="echo three >";`, 'three'],
    ])
      expect(amended(`${set} git commit --amend`)).toEqual([0, name])
    expect(amended(`git -c core.editor="echo four >" commit --amend`)).toEqual([0, 'four'])
    expect(run(`GIT_EDITOR=true git commit --amend`).status).toBe(0)
  })

  test('for the list of a rebase may be set in each of the ways of git', () => {
    const { run, subjects } = aRepository()
    expect(run(`git -c sequence.editor=true rebase -i HEAD~2`).status).toBe(0)
    expect(run(`GIT_EDITOR=true git rebase -i HEAD~2`).status).toBe(0)
    expect(run(`GIT_SEQUENCE_EDITOR="sed -i.old '2s/^pick/fixup/'" git rebase -i HEAD~2`).status).toBe(0)
    expect(subjects()).toEqual(['step2', 'step1'])
  })

  test.for(['EDITOR', 'VISUAL', 'FCEDIT', 'HGEDITOR', 'SVN_EDITOR', 'KUBE_EDITOR', 'GH_EDITOR'])(
    'in %s says why there is none, and fails',
    name => {
      const { run } = aRepository()
      // Programs read it as a shell does; see system(3).
      const { status, told } = run(`sh -c "$${name} file"`)
      expect([status, told]).toEqual([1, expect.stringContaining('There is no editor here')])
    },
  )
})
