import Database from 'better-sqlite3'
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aChat, aHome, aHost, aServer, turn, type TestHost } from '../../../testing/host/a-host.ts'
import type { OtherOption } from './other-options.ts'

// A chat option that only this file knows: stored, checked, resolved and kept without changes to the product.

const usual = { tone: 'even' }
const tone: OtherOption = {
  name: 'tone',
  schema: z.enum(['even', 'warm', 'dry']),
  default: 'even',
  precedence: ['chat', 'project', 'folder', 'settings'],
  namesPrompt: true,
  inherited: true,
  inFolders: folder => (folder.endsWith('attic') ? [{ folder, value: 'dry' }] : []),
  inSettings: () => usual.tone,
}
const calls: OtherOption = {
  name: 'calls',
  schema: z.int().min(1).max(60),
  default: 60,
  precedence: ['chat'],
  namesPrompt: false,
}
const options = { contributions: { options: [tone, calls] } }

/** Return the prompts of a chat: the folder of each, with this file's options in its key. */
function promptsOf({ home }: TestHost, id: string): Set<string> {
  const db = new Database(join(home, 'state.db'), { readonly: true })
  const keys = db.prepare('select key from prompts where session_id = ?').pluck().all(id)
  db.close()
  const parts = keys.map(key => (JSON.parse(String(key)) as unknown[]).map(String))
  return new Set(
    parts.map(key => [basename(key[3] ?? ''), ...key.filter(part => part.startsWith('option '))].join(' ')),
  )
}

test('is stored with the chat, goes with its copy and stays over a restart, beside the product’s own', async () => {
  using home = aHome()
  let id = ''
  {
    await using host = await aHost(home.path, options)
    await using server = await aServer(host.client)
    ;({ id } = await aChat(host, server))
    expect(await host.client['session.get']({ id })).not.toHaveProperty('options')
    await host.client['session.update']({
      id,
      options: { tone: 'warm', calls: 3 },
      instructions: 'Be brief.',
    })
    await host.client['session.update']({ id, options: { calls: null }, title: 'Tea' })
    expect(await host.client['session.get']({ id })).toMatchObject({
      title: 'Tea',
      instructions: 'Be brief.',
      options: { tone: 'warm' },
    })
    const made = await host.client['session.create']({ options: { calls: 5 }, instructions: 'Be long.' })
    expect(made).toMatchObject({ options: { calls: 5 }, instructions: 'Be long.', approval: 'ask' })
  }
  {
    await using host = await aHost(home.path, options)
    expect((await host.client['session.get']({ id })).options).toEqual({ tone: 'warm' })
  }
  // Without the part that contributes it, the value stays with the chat, but cannot be changed.
  await using host = await aHost(home.path)
  expect((await host.client['session.get']({ id })).options).toEqual({ tone: 'warm' })
  await expect(host.client['session.update']({ id, options: { tone: 'dry' } })).rejects.toThrow(
    'There is no option “tone”.',
  )
})

test.each([
  [{ tone: 'loud' }, /^“tone” cannot have this value\. Invalid option: expected one of/],
  [{ calls: 0 }, /^“calls” cannot have this value\. Too small/],
  [{ calls: '3' }, /^“calls” cannot have this value\. Invalid input: expected number/],
  [{ volume: 3 }, 'There is no option “volume”. There are: tone, calls.'],
  [{ instructions: 'Be brief.' }, '“instructions” is a field of its own, not one of “options”.'],
  [{ toolsets: { terminal: true } }, '“toolsets” is a field of its own, not one of “options”.'],
])('refuses %j in words, and changes nothing', async (given, text) => {
  using home = aHome()
  await using host = await aHost(home.path, options)
  const { id } = await host.client['session.create']({ options: { calls: 7 } })
  const change = host.client['session.update']({ id, title: 'Other', options: { calls: 9, ...given } })
  await expect(change).rejects.toThrow(text)
  await expect(change).rejects.toMatchObject({ code: 'bad_input' })
  expect(await host.client['session.get']({ id })).toMatchObject({ title: '', options: { calls: 7 } })
  await expect(host.client['session.create']({ options: given })).rejects.toThrow(text)
})

test('counts for the chat first, then for its project and the settings, and each value has its prompt', async () => {
  using home = aHome()
  await using host = await aHost(home.path, options)
  await using server = await aServer(host.client)
  const { client } = host
  const { id } = await aChat(host, server)
  const project = await client['project.create']({ name: 'Thesis' })
  await client['session.update']({ id, projectId: project.id })
  let known = new Set<string>()
  /** Return the prompts that the next answer adds. */
  const added = async () => {
    server.reply({ text: 'Fine.' })
    await turn(host, id, 'Hello?')
    const before = known
    known = promptsOf(host, id)
    return [...known.difference(before)]
  }
  const ofTone = (folder: string) => [expect.stringMatching(`^${folder} option tone [0-9a-f]{8}$`)]
  usual.tone = 'even'
  expect(await added()).toEqual(['workspace'])
  usual.tone = 'dry'
  const dry = await added()
  expect(dry).toEqual(ofTone('workspace'))
  const set = await client['project.update']({ id: project.id, options: { tone: 'warm' } })
  expect(set.options).toEqual({ tone: 'warm' })
  expect(await added()).toEqual(ofTone('workspace'))
  // A value that already has a prompt finds it again, wherever it is set.
  for (const value of ['dry', null, 'even']) {
    await client['session.update']({ id, options: { tone: value, calls: 4 } })
    expect(await added()).toEqual([])
  }
  usual.tone = 'even'
  await client['session.update']({ id, options: { tone: null } })
  expect(
    (await client['project.update']({ id: project.id, options: { tone: null } })).options,
  ).toBeUndefined()
  const attic = join(home.path, 'workspace', 'attic')
  await mkdir(attic)
  await client['session.update']({ id, workspace: attic })
  expect(await added()).toEqual([dry[0]!.replace('workspace', 'attic')])
  await expect(client['project.update']({ id: project.id, options: { calls: 3 } })).rejects.toThrow(
    '“calls” cannot be set for a project.',
  )
})

test('prompts that the product named before are found again under the same names', async () => {
  using home = aHome()
  await using host = await aHost(home.path, options)
  await using server = await aServer(host.client)
  const { client } = host
  const { id } = await aChat(host, server)
  const { id: projectId } = await client['project.create']({ name: 'Thesis' })
  await client['session.update']({ id, projectId, personality: 'brief', instructions: 'Cite sources.' })
  await client['session.update']({ id, options: { tone: 'warm' } })
  server.reply({ text: 'Fine.' })
  await turn(host, id, 'Hello?')
  const db = new Database(join(home.path, 'state.db'), { readonly: true })
  const key = JSON.parse(String(db.prepare('select key from prompts').pluck().get())) as unknown[]
  db.close()
  // The hash is that of the words; a key of an older home has no option at its end.
  const words = createHash('sha256').update('Cite sources.').digest('hex').slice(0, 8)
  const named = ['full tools', 'style brief', `project ${projectId}`, `instructions ${words}`]
  expect(key.slice(-5)).toEqual([...named, expect.stringMatching(/^option tone /)])
})

test('two options of one name are a mistake of the program', async () => {
  using home = aHome()
  const twice = { contributions: { options: [{ ...tone, name: 'sampling' }] } }
  await expect(aHost(home.path, twice)).rejects.toThrow('There are two options “sampling” of chats.')
})
