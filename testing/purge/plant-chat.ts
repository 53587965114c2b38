import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attachment } from '../../src/shared/contract/chats/attachments.ts'
import type { ProposalRow } from '../../src/main/db/learning/learning-tables.ts'
import { writeBackup } from '../../src/main/data/backup/write-backup.ts'
import { copyDatabase } from '../../src/main/db/file/copy-database.ts'
import { listZip, unzipEntry } from '../../src/main/lib/disk/zip.ts'
import { aBackupJob, lastOf } from '../data/a-home.ts'
import { openStore } from '../../src/main/db/store.ts'
import { assistant, toolResult, user } from '../db/a-store.ts'
import { giveDatabase } from '../db/give-database.ts'

/** A chat whose words are everywhere in a home, beside another chat that stays. */
export type Planted = {
  chat: string
  other: string
  /** The words of the chat; none of them may be left. */
  words: string[]
  /** The words of the other chat, and what was kept of the first one. */
  kept: string[]
}

const COMMON = [
  'reviewId',
  'sessionId',
  'kind',
  'op',
  'place',
  'at',
  'memoryRevisions',
  'skillRevisions',
] as const
const YEAR = 365 * 86_400_000
const fail = (error: unknown) => {
  throw error
}

/** Put a different word of one chat into every place of a home that a chat can reach, and delete the chat. */
export async function plantChat(home: string): Promise<Planted> {
  const words: string[] = []
  /** A new word that is in no other place. */
  const word = (place: string) => {
    const made = `planted${words.length}${place.replaceAll(/[^a-z]/g, '')}zq`
    words.push(made)
    return made
  }
  giveDatabase(home)
  const { store } = openStore(home, { clock: Date.now, report: fail })
  const chats = ['chat', 'other'].map(
    name =>
      store.sessions.create({ modelId: 'builtin', workspace: `/${name}`, approval: 'ask', origin: 'window' })
        .id,
  )
  const [chat = '', other = ''] = chats
  const now = Date.now()
  const output = join(home, 'cache', 'outputs', 'out_01planted.txt')

  // Messages of both chats share database pages, and move when the messages of one chat are deleted.
  for (let n = 0; n < 30; n++)
    for (const id of chats)
      store.messages.append(user(id, `${id === chat ? 'gone' : 'stays'} ${'filler '.repeat(n * 20)}`))
  store.messages.append(user(chat, `${word('user')} and the words of a person`))
  store.messages.append(user(chat, `${'long '.repeat(20_000)} ${word('longmessage')}`))
  store.messages.append({
    ...user(chat, 'Use it.'),
    role: 'user',
    skill: { id: 's', name: 'n', text: word('skill') },
  })
  store.messages.append(
    assistant(chat, word('answer'), {
      reasoning: word('reasoning'),
      raw: word('raw'),
      calls: [{ id: 'call_1', name: word('callname'), arguments: { path: word('argument') } }],
    }),
  )
  store.messages.append(toolResult(chat, `${word('result')} … the full text is in ${output} …`))
  store.messages.append(user(chat, word('preview')))
  store.sessions.update(chat, { title: word('title'), draft: word('draft') })
  store.sessions.update(chat, { draft: word('laterdraft') })
  store.sessions.freezePrompt(chat, {
    key: 'text',
    sections: [{ name: 'project', title: 'p', text: word('prompt') }],
    toolNames: [word('promptool')],
  })
  store.fileChanges.add({
    sessionId: chat,
    callId: 'call_1',
    folder: `/${word('folder')}`,
    path: `/${word('path')}`,
    beforeHash: 'a'.repeat(64),
    afterHash: null,
    copy: 'kept',
    bytes: 1,
    at: now,
  })
  const run = store.runs.start(chat)
  for (let n = 0; n < 20; n++)
    store.runs.append(run.id, { type: 'text_delta', text: `${n} ${'x'.repeat(n * 90)}` })
  store.runs.append(run.id, { type: 'text_delta', text: word('runlog') })
  store.runs.append(run.id, { type: 'reasoning_delta', text: word('runreasoning') })
  store.runs.end(run.id, 'done')
  store.compactions.add({
    sessionId: chat,
    at: now,
    headId: 1,
    upToId: 2,
    prunedToId: 2,
    questionId: 0,
    summary: word('summary'),
    by: 'model',
    focus: word('focus'),
    tokensBefore: 10,
    tokensAfter: 5,
    useless: 0,
    modelId: '',
    byHand: false,
  })
  store.learning.putReview({
    id: 'review_1',
    sessionId: chat,
    trigger: 'you',
    kinds: ['memory'],
    state: 'done',
    upToId: 3,
    fromId: 0,
    queuedAt: now,
    startedAt: now,
    endedAt: now,
    attempts: 1,
    outcome: word('outcome'),
    cost: null,
  })
  const proposal: Pick<ProposalRow, (typeof COMMON)[number]> = {
    reviewId: 'review_1',
    sessionId: chat,
    kind: 'memory',
    op: 'edit',
    place: 'USER.md',
    at: now,
    memoryRevisions: [],
    skillRevisions: [],
  }
  store.learning.putProposals([
    {
      ...proposal,
      id: 'prop_open',
      headline: word('headline'),
      before: word('before'),
      after: word('after'),
      change: JSON.stringify({ kind: 'memory.remove', id: word('change') }),
      evidence: [{ messageId: 1, quote: word('quote') }],
      because: word('because'),
      state: 'open',
      decidedAt: null,
    },
    {
      ...proposal,
      id: 'prop_rejected',
      headline: word('rejected'),
      before: null,
      after: null,
      change: '{}',
      evidence: [],
      because: '',
      state: 'rejected',
      decidedAt: now,
    },
    {
      ...proposal,
      id: 'prop_kept',
      headline: 'keptheadlinezq',
      before: null,
      after: 'keptheadlinezq',
      change: '{}',
      evidence: [{ messageId: 1, quote: word('keptquote') }],
      because: '',
      state: 'kept',
      decidedAt: now,
    },
  ])
  store.messages.append(user(other, 'otherwordzq stays'))
  const attach = (name: string, hash: string): Attachment => ({
    hash,
    name,
    kind: 'text',
    bytes: 1,
    use: 'whole',
  })
  const [own, both, unsent] = ['b', 'c', 'd'].map(letter => letter.repeat(64)) as [string, string, string]
  store.messages.append({
    ...user(chat, 'Read them.'),
    role: 'user',
    attachments: [attach(word('attachedname'), own), attach('shared.txt', both)],
    documents: word('documents'),
  })
  store.messages.append({
    ...user(other, 'Read it.'),
    role: 'user',
    attachments: [attach('shared.txt', both)],
  })
  store.attachments.add(chat, attach(word('unsentname'), unsent))
  while (store.recall.refresh(10) === 10);

  const file = (path: string, text: string, old = false) => {
    const whole = join(home, path)
    mkdirSync(join(whole, '..'), { recursive: true })
    writeFileSync(whole, text)
    if (old) utimesSync(whole, (now - YEAR) / 1_000, (now - YEAR) / 1_000)
    return whole
  }
  file('cache/outputs/out_01planted.txt', word('output'))
  file('cache/outputs/out_02orphan.txt', word('orphan'), true)
  const state = `0123456789abcdef-chat-00000000-0000-4000-8000-000000000000`
  file(`cache/states/${state}.kv`, word('state'))
  file(`cache/states/${state}.json`, word('note'))
  file(`cache/states/${state.replace('0000', '1111')}.part`, word('unfinished'))
  file(`cache/states/${state.replace('chat', 'prompt')}.kv`, word('promptstate'))
  file('cache/imports/copy-x/state.db', word('import'))
  file(`file-copies/${chat}/${'a'.repeat(64)}`, word('filecopy'))
  for (const [hash, place] of [
    [own, 'attachedcontent'],
    [unsent, 'unsentcontent'],
  ] as const) {
    file(`attachments/${hash}`, word(place))
    file(`attachments/${hash}.json`, word(`${place}text`))
  }
  file(`attachments/${both}`, 'sharedcontentzq')
  file(`cache/tmp/${chat}/notes.txt`, word('temporary'))
  for (const name of ['success', 'failure'])
    file(
      `trajectories/${name}.jsonl`,
      `${JSON.stringify({ id: other, value: `${name}staysz` })}\n${JSON.stringify({ id: chat, value: word(name) })}\n`,
    )
  const line = (text: string, at = now) =>
    `${JSON.stringify({ level: 'error', time: new Date(at).toISOString(), msg: text })}\n`
  file('logs/talaria.log', line(word('log')) + line('oldlogstaysz', now - YEAR))
  file('logs/talaria.log.3', line(word('oldlog')))
  // Copies of everything so far.
  mkdirSync(join(home, 'backups'), { recursive: true })
  const { signal } = new AbortController()
  for (const path of ['backups/state-v9-20260101T000000.db', 'state.safe.db'])
    await copyDatabase(store.path, join(home, path), { signal, onProgress: () => {} })
  const job = aBackupJob({ path: store.path, home }, join(home, 'backups', 'daily-20260101T000000.zip'))
  await lastOf(writeBackup(job, signal))
  cpSync(join(home, 'state.db'), join(home, 'state.safe-2.db'))
  cpSync(join(home, 'state.db-wal'), join(home, 'state.safe-2.db-wal'))
  file('backups/damaged-20260101T000000-1-state.db', `no database, but ${word('damaged')}`)
  file('backups/damaged-20260101T000000-1-state.db-wal', word('damagedlog'))
  file('backups/state-v7-20260101T000000.db.part', word('halfbackup'), true)
  store.sessions.remove(chat)
  store.close()
  return {
    chat,
    other,
    words,
    kept: [
      'otherwordzq',
      'keptheadlinezq',
      'sharedcontentzq',
      'successstaysz',
      'failurestaysz',
      'oldlogstaysz',
    ],
  }
}

/**
 * The words found in any file below a folder, each with the first file that contains its bytes; zips are
 * unpacked.
 */
export async function wordsIn(folder: string, words: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue
    const bytes = name.endsWith('.zip') ? await unzipped(path) : readFileSync(path)
    for (const word of words) if (bytes.includes(word)) found[word] ??= name
  }
  return found
}

async function unzipped(path: string): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for (const entry of await listZip(path)) for await (const part of unzipEntry(path, entry)) parts.push(part)
  return Buffer.concat(parts)
}
