import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sayRecord } from '../../../shared/words/call-words.ts'
import type { Intent } from '../../tools/registry/tool.ts'
import { decideCall } from './decide.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-unasked-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The verdict on a call in “Auto for safe reads”. */
const asked = (tool: string, intent: Intent, confined = true) =>
  decideCall({
    tool,
    mode: 'reads',
    grants: [],
    rights: { confined, whyNot: '', offline: false },
    userHome: '/home/ada',
    platform: 'linux',
    intent,
  })

/** The text about a command that runs unasked in “Auto for safe reads”, else `ask`. */
const said = (command: string, confined: boolean) => {
  const intent: Intent = {
    title: '',
    detail: command,
    risk: 'execute',
    inWorkspace: true,
    folder,
    workspace: folder,
    command,
  }
  const found = asked('terminal', intent, confined)
  return found.verdict === 'allow' ? found.ground.how : found.verdict
}
const both = (command: string) => [said(command, true), said(command, false)]

test('a call that reads no folder is not said to do so', () => {
  const why = (given: Partial<Intent>) => {
    const intent: Intent = { title: '', detail: '', risk: 'read', inWorkspace: true, folder, ...given }
    const found = asked('look', intent)
    return found.verdict === 'allow' ? sayRecord({ decision: 'ran', ...found.ground }) : found.verdict
  }
  expect(why({ path: join(folder, 'a.md') })).toBe('reading in its folder')
  expect(why({})).toBe('it changes nothing outside this chat')
  expect(why({ delegates: true })).toBe('each call of the sub-agent is decided separately')
})

test.for(['ls -la', 'cat a.md | wc -l', 'grep -n x a.md', 'for f in *.md; do cat "$f"; done'])(
  'what only reads wherever it runs is called that: %s',
  command => expect(both(command)).toEqual(['only_reads', 'only_reads']),
)

test.for(['npm ls', 'cat $(ls -a)', 'xargs -a .env echo'])(
  'what runs because it is confined is said as that: %s',
  command => expect(both(command)).toEqual(['confined_read', 'ask']),
)

test.for(['ps auxe', 'ps -E', 'cat /proc/self/environ'])(
  'what shows the environments of others asks, confined or not: %s',
  command => expect(both(command)).toEqual(['ask', 'ask']),
)

test('what must write is asked about where it could only fail', () => {
  expect(both('gzip a.md')).toEqual(['ask', 'ask'])
})

test('git only reads in a repository that names no program, and else runs confined', () => {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'pipe' })
  git('init', '-q')
  expect(both('git status')).toEqual(['only_reads', 'only_reads'])
  writeFileSync(join(folder, 'watch.sh'), 'exit 1\n')
  git('config', 'core.fsmonitor', './watch.sh')
  expect(both('git status')).toEqual(['confined_read', 'ask'])
})
