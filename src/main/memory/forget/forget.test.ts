import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { aBackupJob, lastOf } from '../../../../testing/data/a-home.ts'
import { user } from '../../../../testing/db/a-store.ts'
import { giveDatabase } from '../../../../testing/db/give-database.ts'
import { aHome, aHost } from '../../../../testing/host/a-host.ts'
import { aLine, appendToSpool, spoolPath } from '../../../../testing/other-agents/a-spool.ts'
import { moments } from '../../../../testing/moments.ts'
import { wordsIn } from '../../../../testing/purge/plant-chat.ts'
import { until } from '../../../../testing/until.ts'
import { MAY_NOTHING } from '../../../shared/contract/connections/agents.ts'
import { writeBackup } from '../../data/backup/write-backup.ts'
import { copyDatabase } from '../../db/file/copy-database.ts'
import { openStore } from '../../db/store.ts'

const FIRST = 'Takes the medicine “zarvolexqz”\nat night.'
const SECOND = 'Takes zarvolexqz and nublotanqz.'
const STAYS = 'Keeps bees, staysherezq.'
const GONE = ['zarvolexqz', 'nublotanqz']
const fail = (error: unknown) => {
  throw error
}

/** A home with an entry of two versions in every place, beside an entry that stays. */
async function plantEntry(home: string): Promise<{ id: string; chat: string }> {
  const ids: string[] = []
  {
    await using host = await aHost(home)
    const { client } = host
    for (const text of [FIRST, STAYS]) {
      const { revisions } = await client['memory.add']({ target: 'user', text })
      ids.push(revisions[0]!.entryId)
    }
    await client['memory.edit']({ id: ids[0]!, text: SECOND, expected: FIRST })
    // Another program removes the entry and restores it.
    const file = join(home, 'memories', 'USER.md')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `${STAYS}\n`)
    await client['memory.view']({})
    writeFileSync(file, text)
    await client['memory.view']({})
  }
  const { store } = openStore(home, { clock: Date.now, report: fail })
  const chat = store.sessions.create({
    modelId: 'builtin',
    workspace: '/chat',
    approval: 'ask',
    origin: 'window',
  }).id
  store.sessions.freezePrompt(chat, {
    key: 'text',
    sections: [{ name: 'user', title: 'u', text: `About the user\n${FIRST}\n${STAYS}` }],
    toolNames: [],
  })
  store.learning.putProposals([
    {
      id: 'prop_1',
      reviewId: 'review_1',
      sessionId: chat,
      kind: 'memory',
      op: 'edit',
      headline: SECOND,
      place: 'About you',
      before: FIRST,
      after: SECOND,
      change: JSON.stringify({ kind: 'memory.edit', id: ids[0], text: SECOND }),
      evidence: [],
      because: '',
      state: 'kept',
      at: Date.now(),
      decidedAt: Date.now(),
      memoryRevisions: [1],
      skillRevisions: [],
    },
  ])
  // Another program has it as well: in an imported session, and in queued events.
  store.agents.add(
    {
      id: 'agent_1',
      name: 'Claude Code',
      program: '',
      allowed: true,
      may: { ...MAY_NOTHING, learn: true },
      createdAt: 1,
      lastAt: null,
    },
    'no key',
  )
  store.foreign.add(
    { id: 'claude-code:s', agent: 'claude-code', folder: '', model: '', isImported: false },
    [FIRST, SECOND, STAYS].map((text, n) => ({
      eventId: `e${n}`,
      event: { type: 'user_message', session: 'claude-code:s', at: 1, text },
    })),
  )
  appendToSpool(spoolPath(home), ...[FIRST, `And: ${SECOND}`, STAYS].map(text => aLine(text)))
  const { signal } = new AbortController()
  mkdirSync(join(home, 'backups'), { recursive: true })
  const put = (path: string, text: string) => {
    mkdirSync(join(home, path, '..'), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  put('memories/USER.md.bak.1790000000', `${STAYS}\n§\n${FIRST}\n`)
  put('memories/USER (conflicted copy).md', `${SECOND} and more\n`)
  put(
    'trajectories/success.jsonl',
    `${JSON.stringify({ id: 'x', value: FIRST })}\n{"id":"y","value":"staysherezq"}\n`,
  )
  put('cache/states/0123-chat.kv', SECOND)
  for (const path of ['backups/state-v9-20260101T000000.db', 'state.safe.db'])
    await copyDatabase(store.path, join(home, path), { signal, onProgress: () => {} })
  const job = aBackupJob({ path: store.path, home }, join(home, 'backups', 'daily-20260101T000000.zip'))
  await lastOf(writeBackup(job, signal))
  store.close()
  cpSync(join(home, 'state.db'), join(home, 'state.safe-2.db'))
  return { id: ids[0]!, chat }
}

/** Chats with one message each. */
function plantChats(home: string, messages: readonly string[]): string[] {
  giveDatabase(home)
  const { store } = openStore(home, { clock: Date.now, report: fail })
  const ids = messages.map(said => {
    const { id } = store.sessions.create({
      modelId: 'builtin',
      workspace: home,
      approval: 'ask',
      origin: 'window',
    })
    store.messages.append(user(id, said))
    return id
  })
  store.close()
  return ids
}

/** Whether no forgetting is pending. */
function isFinished(home: string): boolean {
  const db = new Database(join(home, 'state.db'), { readonly: true })
  try {
    return db.prepare('select 1 from memory_forgetting').get() === undefined
  } finally {
    db.close()
  }
}

async function expectForgotten(home: string): Promise<void> {
  expect(await wordsIn(home, GONE)).toEqual({})
  expect(await wordsIn(home, ['staysherezq'])).not.toEqual({})
  for (const name of ['state.db', 'state.safe.db', 'backups/state-v9-20260101T000000.db']) {
    const db = new Database(join(home, name), { readonly: true })
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.prepare('select text from memory_entries').pluck().all()).toEqual([STAYS])
    db.close()
  }
  expect(readFileSync(join(home, 'memories/USER.md.bak.1790000000'), 'utf8')).toBe(`${STAYS}\n`)
  expect(readFileSync(join(home, 'trajectories/success.jsonl'), 'utf8')).toBe(
    '{"id":"y","value":"staysherezq"}\n',
  )
}

test('forgetting for good leaves no byte of any version in any file of the home', async () => {
  using home = aHome()
  const { id } = await plantEntry(home.path)
  expect(Object.keys(await wordsIn(home.path, GONE))).toEqual(GONE)
  await using host = await aHost(home.path)
  const { client } = host
  const plan = await client['memory.forgetPlan']({ ids: [id] })
  expect(plan.texts.toSorted()).toEqual([FIRST, SECOND].toSorted())
  expect(plan.chats).toEqual([])
  const { left } = await client['memory.forgetForGood']({ ids: [id], texts: plan.texts })
  expect(left).toEqual([])
  await expectForgotten(home.path)
  const { entries } = await client['memory.view']({})
  expect(entries.map(({ text }) => text)).toEqual([STAYS])
  const { revisions } = await client['memory.history']({})
  expect(revisions.filter(each => each.entryId === id)).toEqual([])
})

test('an archived entry goes too, and twins of it; the chats that hold it are named and keep it', async () => {
  using home = aHome()
  const text = 'Takes the medicine Zarvolex.'
  const chats = plantChats(home.path, ['I took my Zarvolex medicine today.', 'I take walks.', text])
  await using host = await aHost(home.path)
  const { client } = host
  const ids: string[] = []
  for (const target of ['user', 'memory'] as const) {
    const { revisions } = await client['memory.add']({ target, text })
    ids.push(revisions[0]!.entryId)
  }
  await client['memory.remove']({ ids: [ids[0]!] })
  const plan = await client['memory.forgetPlan']({ ids: [ids[0]!] })
  expect(plan).toMatchObject({ entries: 2, texts: [text] })
  expect(plan.chats.map(chat => chat.id).toSorted()).toEqual([chats[0]!, chats[2]!].toSorted())
  await client['memory.forgetForGood']({ ids: [ids[0]!], texts: plan.texts })
  expect((await client['memory.view']({})).entries).toEqual([])
  expect((await client['memory.archive']({})).entries).toEqual([])
  const { messages } = await client['session.messages']({ id: chats[2]! })
  expect(messages).toHaveLength(1)
  await expect(client['memory.forgetForGood']({ ids: [ids[0]!], texts: [] })).rejects.toThrow(
    'no longer exists',
  )
})

test('reaches copies of other programs in other folders and encodings, and names the skills that say it too', async () => {
  using home = aHome()
  const text = 'Takes the medicine Zarvolex.'
  const put = (path: string, content: string | Buffer) => {
    mkdirSync(join(home.path, path, '..'), { recursive: true })
    writeFileSync(join(home.path, path), content)
  }
  const skill = '---\nname: care\ndescription: Care.\n---\n\nThe person takes medicine: Zarvolex.\n'
  put('skills/own/care/SKILL.md', skill)
  await using host = await aHost(home.path)
  const { client } = host
  const { revisions } = await client['memory.add']({ target: 'user', text })
  put('memories 2/USER.md', `${text}\n§\n${STAYS}\n`)
  put('memories (conflicted copy)/projects/1a/MEMORY.md', `${STAYS}\n§\n${text}\n`)
  put('memories/USER (conflicted copy).md', Buffer.from(`\uFEFF${text}\n§\n${STAYS}\n`, 'utf16le'))
  const ids = [revisions[0]!.entryId]
  const plan = await client['memory.forgetPlan']({ ids })
  expect(plan.skills.map(({ name }) => name)).toEqual(['care'])
  expect((await client['memory.forgetForGood']({ ids, texts: plan.texts })).left).toEqual([])
  for (const path of [
    'memories 2/USER.md',
    'memories (conflicted copy)/projects/1a/MEMORY.md',
    'memories/USER (conflicted copy).md',
  ])
    expect(readFileSync(join(home.path, path), 'utf8')).toBe(`${STAYS}\n`)
  expect(readFileSync(join(home.path, 'skills/own/care/SKILL.md'), 'utf8')).toBe(skill)
})

test('a passing entry is forgotten with what was said before it got its date', async () => {
  using home = aHome()
  const said = 'Feels zarvolexqz and nublotanqz today.'
  const [chat] = plantChats(home.path, [said])
  const monday = Date.UTC(2026, 10, 23, 12)
  let ids: string[] = []
  {
    await using host = await aHost(home.path, { now: () => monday })
    const { revisions } = await host.client['memory.add']({ target: 'user', text: said })
    ids = [revisions[0]!.entryId]
  }
  const { store } = openStore(home.path, { clock: Date.now, report: fail })
  store.sessions.freezePrompt(chat!, {
    key: 'text',
    sections: [{ name: 'user', title: 'u', text: said }],
    toolNames: [],
  })
  store.close()
  await using host = await aHost(home.path, { now: () => monday + 7 * 86_400_000 })
  const { client } = host
  expect((await client['memory.view']({})).entries).toEqual([])
  const plan = await client['memory.forgetPlan']({ ids })
  expect(plan.texts).toEqual([`${said} (as of 2026-11-23, until 2026-11-23)`])
  expect(plan.chats.map(({ id }) => id)).toEqual([chat])
  await client['memory.forgetForGood']({ ids, texts: plan.texts })
  const db = new Database(join(home.path, 'state.db'), { readonly: true })
  expect(db.prepare('select count(*) from prompts').pluck().get()).toBe(0)
  expect(db.prepare('select count(*) from memory_entries').pluck().get()).toBe(0)
  db.close()
})

test('nothing is forgotten while a file that holds it waits for a choice', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const { client } = host
  const text = 'Takes the medicine Zarvolex.'
  const { revisions } = await client['memory.add']({ target: 'user', text })
  const ids = [revisions[0]!.entryId]
  await client['memory.remove']({ ids })
  const path = join(home.path, 'memories', 'USER.md')
  writeFileSync(path, `<<<<<<< HEAD\n${STAYS}\n=======\n${text}\n>>>>>>> laptop\n`)
  const forget = async () => {
    const { texts } = await client['memory.forgetPlan']({ ids })
    return client['memory.forgetForGood']({ ids, texts })
  }
  await expect(forget()).rejects.toThrow(`${path} waits for your choice`)
  expect((await client['memory.archive']({})).entries).toHaveLength(1)
  const [file] = (await client['memory.view']({})).waiting
  await client['memory.settle']({ id: file!.id, seen: file!.seen, keep: 'mine', entries: [] })
  expect((await forget()).left).toEqual([])
  expect(await wordsIn(home.path, ['Zarvolex'])).toEqual({})
})

test('an entry that was changed since it was shown is not forgotten', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const { client } = host
  const { revisions } = await client['memory.add']({ target: 'user', text: 'Likes tea.' })
  const id = revisions[0]!.entryId
  const { texts } = await client['memory.forgetPlan']({ ids: [id] })
  await client['memory.edit']({ id, text: 'Likes coffee.', expected: 'Likes tea.' })
  await expect(client['memory.forgetForGood']({ ids: [id], texts })).rejects.toThrow(
    'changed in the meantime',
  )
  expect((await client['memory.view']({})).entries).toHaveLength(1)
})

test('is finished by the next start when the process is killed in between', async () => {
  using home = aHome()
  const { id } = await plantEntry(home.path)
  const script = fileURLToPath(new URL('../../../../testing/purge/forget-until-killed.ts', import.meta.url))
  for (const delay of moments({ every: [0, 20, 60, 150, 400], some: [10, 80] })) {
    const child = spawn(process.execPath, [script, home.path, id], { stdio: ['ignore', 'pipe', 'inherit'] })
    const gone = once(child, 'exit')
    for await (const line of createInterface(child.stdout)) {
      if (line === 'begun') await sleep(delay)
      child.kill('SIGKILL')
    }
    await gone
  }
  await using host = await aHost(home.path)
  const { texts } = await host.client['memory.forgetPlan']({ ids: [id] })
  // The kill may have come before anything was stored, and a started job may just be finishing.
  if (texts.length > 0)
    await host.client['memory.forgetForGood']({ ids: [id], texts }).catch((error: unknown) => {
      expect(String(error)).toMatch(/does not exist|changed meanwhile/)
    })
  await until(() => isFinished(home.path))
  await expectForgotten(home.path)
})
