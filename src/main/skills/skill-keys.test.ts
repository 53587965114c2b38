import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../testing/confinement/folder-to-confine.ts'
import { aChat, aHome, aHost, aServer, endOf, transcript, turn } from '../../../testing/host/a-host.ts'
import { fill, skillText } from '../../../testing/host/skills-in-a-home.ts'
import type { ApprovalMode } from '../../shared/contract/chats/session.ts'

const KEY = 'kk+4711/of-nobody=='
const NAME = 'TENOR_API_KEY'
const IS_SET = `if [ -n "$${NAME}" ]; then echo is set; else echo is missing; fi`

const view = { name: 'skill_view', arguments: { name: 'find-gif' } }
const run = (command: string, more: Record<string, unknown> = {}) => ({
  name: 'terminal',
  arguments: { command, ...more },
})

/** A host with a skill whose key is stored, and a scripted model. */
async function aKeyedHost(workspace: string, sandbox: 'auto' | 'off') {
  const home = aHome()
  onTestFinished(() => home[Symbol.dispose]())
  mkdirSync(join(home.path, 'nothing-ships'))
  const steps = '1. Ask the service.'
  fill(home.path, {
    'config.yaml': JSON.stringify({ terminal: { sandbox } }),
    'skills/find-gif/SKILL.md': skillText(
      'find-gif',
      steps,
      `required_environment_variables: [${NAME}, PATH]\n`,
    ),
    'skills/other/SKILL.md': skillText('other', steps, `required_environment_variables: [${NAME}]\n`),
  })
  const options = { coreTools: true, bundledSkills: join(home.path, 'nothing-ships'), workspace } as const
  const host = await aHost(home.path, options)
  const server = await aServer(host.client)
  onTestFinished(async () => {
    await host.close()
    await server.close()
  })
  const idOf = async (name: string) => {
    const { skills } = await host.client['skills.list']({})
    return skills.find(skill => skill.name === name)!.id
  }
  await host.client['skills.setKey']({ id: await idOf('find-gif'), name: NAME, value: KEY })
  await host.client['skills.setKey']({ id: await idOf('other'), name: NAME, value: 'another key' })
  const open = async (approval: ApprovalMode) => {
    const chat = await aChat(host, server, { approval })
    return {
      id: chat.id,
      /** The results of a turn with these calls, one after the other. */
      async asks(text: string, ...calls: { name: string; arguments: Record<string, unknown> }[]) {
        server.reply(...calls.map(each => ({ toolCalls: [each] })), { text: 'Done.' })
        const events = await turn(host, chat.id, text, async (event, runId) => {
          if (event.type !== 'approval_request') return
          const { id: approvalId } = event.approval
          await host.client['run.approve']({
            runId,
            approvalId,
            decision: 'once',
            note: '',
            access: 'confined',
          })
        })
        expect(endOf(events)).toBe('done')
        return events
      },
      results: async () =>
        (await transcript(host, chat.id)).filter(line => /^result: (exit|Error)/.test(line)),
    }
  }
  return { ...host, home: home.path, server, open }
}

/** All files of a home, except the file of keys. */
const textsOf = (home: string): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== '.env')
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))

function aWorkspace(): string {
  const path = aFolderToConfine()
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test.runIf(process.platform === 'linux')(
  'a key of a skill reaches the commands of a turn that loaded the skill, and no others',
  async () => {
    const host = await aKeyedHost(aWorkspace(), 'off')
    const chat = await host.open('full')
    await chat.asks('Before', run(IS_SET))
    await chat.asks(
      'With the skill',
      run(IS_SET),
      view,
      run(IS_SET),
      run('case "$PATH" in kk*) echo bad;; esac'),
    )
    await chat.asks('After', run(IS_SET))
    await chat.asks('/find-gif once more', run(IS_SET))
    expect(await chat.results()).toEqual([
      'result: exit code 0\nis missing',
      'result: exit code 0\nis missing',
      'result: exit code 0\nis set',
      'result: exit code 0\n(no output)',
      'result: exit code 0\nis missing',
      'result: exit code 0\nis set',
    ])
    const elsewhere = await host.open('full')
    await elsewhere.asks('In another chat', run(IS_SET))
    expect(await elsewhere.results()).toEqual(['result: exit code 0\nis missing'])
    expect(JSON.stringify(host.server.chats().at(-1)?.body)).not.toContain(KEY)
    expect(host.mistakes()).toEqual([])
  },
)

test.runIf(process.platform === 'linux')(
  'a key that a command prints, or writes into a file, is in no result, event, export or file of the home',
  async () => {
    const workspace = aWorkspace()
    const host = await aKeyedHost(workspace, 'off')
    const chat = await host.open('full')
    const halves = `printf '%s' "\${${NAME}:0:7}"; sleep 0.2; printf '%s\\n' "\${${NAME}:7}"`
    const events = await chat.asks(
      'Print it',
      view,
      run(`echo "key $${NAME} done"`),
      run(halves),
      run(`echo "https://x.example/?key=${encodeURIComponent(KEY)}"`),
      run(`echo "$${NAME}" > kept.txt; echo "$${NAME}" >&2; exit 3`),
      run(`echo "at start $${NAME}"; exec sleep 700`, { action: 'start' }),
    )
    const later = await chat.asks('Read it', { name: 'read_file', arguments: { path: 'kept.txt' } })
    expect(readFileSync(join(workspace, 'kept.txt'), 'utf8')).toBe(`${KEY}\n`)
    expect(await chat.results()).toEqual([
      'result: exit code 0\nkey [redacted] done',
      'result: exit code 0\n[redacted]',
      'result: exit code 0\nhttps://x.example/?key=[redacted]',
      'result: Error: exit code 3\n[redacted]',
    ])
    const { processes } = await host.client['process.list']({})
    const watched = await host.client['process.watch']({ id: processes[0]!.id, follow: false }).next()
    expect(watched.value?.text).toBe('at start [redacted]\n')
    const exported = await host.client['session.messages']({ id: chat.id })
    expect(JSON.stringify(exported)).toContain('at start [redacted]')
    const requests = host.server.chats().map(request => request.body)
    const seen = JSON.stringify([events, later, exported, watched, requests])
    for (const part of [KEY, KEY.slice(0, 7)]) expect(seen).not.toContain(part)
    expect(textsOf(host.home).filter(text => text.includes(KEY))).toEqual([])
    expect(host.mistakes()).toEqual([])
  },
)

confinedTest(
  'a confined command gets the key once it is allowed, and one that only reads asks first',
  async () => {
    const host = await aKeyedHost(aWorkspace(), 'auto')
    const chat = await host.open('reads')
    const events = await chat.asks(
      'Go on',
      view,
      run('wc -c < /dev/null'),
      run(`test -n "$${NAME}"`),
      run(`${IS_SET}; touch made`),
    )
    const questions = events.flatMap(event => (event.type === 'approval_request' ? [event.approval] : []))
    expect(questions.map(({ detail, command }) => [detail, command?.keys])).toEqual([
      [`test -n "$${NAME}"`, [NAME]],
      [`${IS_SET}; touch made`, [NAME]],
    ])
    expect(await chat.results()).toEqual([
      'result: exit code 0\n0',
      'result: exit code 0\n(no output)',
      'result: exit code 0\nis set',
    ])
    expect(host.mistakes()).toEqual([])
  },
)
