import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { linePage, makePdf } from '../../../testing/documents/make-pdf.ts'
import { aHome, toldBy } from '../../../testing/host/a-host.ts'
import { aReadingChat } from '../../../testing/host/a-reading-chat.ts'
import { until } from '../../../testing/until.ts'

test('files of the chat’s folder are found by their paths, without hidden ones and those with keys', async () => {
  using home = aHome()
  await using chat = await aReadingChat(home.path)
  mkdirSync(chat.path('docs/plans'), { recursive: true })
  mkdirSync(chat.path('node_modules/plan'), { recursive: true })
  mkdirSync(chat.path('.git'))
  for (const name of [
    'plan.md',
    'docs/plans/Old Plan.txt',
    'docs/explanation.md',
    'node_modules/plan/index.js',
  ])
    chat.write(name, name)
  for (const name of ['.env', '.hidden', 'id_ed25519', 'server.key', 'built.log']) chat.write(name, name)
  chat.write('.gitignore', '*.log\n')
  symlinkSync('plan.md', chat.path('link.md'))
  const find = async (query: string) => {
    const { files, more } = await chat.client['attachment.files']({ sessionId: chat.sessionId, query })
    return [...files.map(({ path }) => path), ...(more ? ['…'] : [])]
  }
  expect(await find('')).toEqual(['plan.md', '…'])
  expect(await find('plan')).toEqual(['plan.md', 'docs/explanation.md', 'docs/plans/Old Plan.txt'])
  expect(await find('OLD plan')).toEqual(['docs/plans/Old Plan.txt'])
  expect([await find('env'), await find('key'), await find('log'), await find('../')]).toEqual([
    [],
    [],
    [],
    [],
  ])
  const old = await chat.attach('docs/plans/Old Plan.txt')
  expect(old).toMatchObject({ name: 'Old Plan.txt', path: chat.path('docs/plans/Old Plan.txt') })
})

test('a folder has files when it holds one that may be offered', async () => {
  using home = aHome()
  await using chat = await aReadingChat(home.path)
  const hasFiles = async (folder: string) => (await chat.client['attachment.folder']({ folder })).hasFiles
  expect(await hasFiles(chat.path('.'))).toBe(false)
  mkdirSync(chat.path('docs'))
  for (const name of ['.env', '.hidden', 'id_ed25519', 'docs/plan.md']) chat.write(name, name)
  expect(await hasFiles(chat.path('.'))).toBe(false)
  expect(await hasFiles(chat.path('docs'))).toBe(true)
  await expect(hasFiles('docs')).rejects.toThrow('Write the whole path of the folder')
})

test('other windows hear of what is attached, changed and taken back', async () => {
  using home = aHome()
  await using chat = await aReadingChat(home.path)
  const { client, sessionId } = chat
  let heard = 0
  const over = new AbortController()
  const listening = (async () => {
    for await (const event of client['app.watch']({}, { signal: over.signal }))
      if (toldBy(event).includes('attachment')) heard++
  })().catch(() => undefined)
  chat.write('a.txt', 'Herons.')
  await expect(chat.attach('gone.txt')).rejects.toThrow('no such file')
  const { hash } = await chat.attach('a.txt')
  await until(() => heard === 1)
  await client['attachment.change']({ sessionId, hash, use: 'passages' })
  await until(() => heard === 2)
  await client['attachment.remove']({ sessionId, hash })
  await until(() => heard === 3)
  over.abort()
  await listening
  expect(heard).toBe(3)
})

test('a file that changes or goes after it was attached is said, on its chip and in the message', async () => {
  using home = aHome()
  await using chat = await aReadingChat(home.path)
  const { client, sessionId } = chat
  const list = async () =>
    (await client['attachment.list']({ sessionId })).attachments.map(({ onDisk }) => onDisk)
  for (const name of ['same.txt', 'longer.txt', 'gone.txt', 'other.txt'])
    chat.write(name, `Herons in ${name}.`)
  const files = []
  for (const name of ['same.txt', 'longer.txt', 'gone.txt', 'other.txt']) files.push(await chat.attach(name))
  expect(await list()).toEqual([undefined, undefined, undefined, undefined])
  await client['attachment.change']({ sessionId, hash: files[1]!.hash, use: 'passages' })
  const later = new Date(Date.now() + 5_000)
  utimesSync(chat.path('same.txt'), later, later)
  chat.write('longer.txt', 'Herons and storks.')
  chat.write('other.txt', 'Storks in other.txt.')
  utimesSync(chat.path('other.txt'), later, later)
  rmSync(chat.path('gone.txt'))
  expect(await list()).toEqual([undefined, 'changed', 'gone', 'changed'])
  await chat.send('Read.', files)
  const { messages } = await client['session.messages']({ id: sessionId })
  const [sent] = messages
  expect(sent?.role === 'user' && sent.attachments?.map(({ problems = [] }) => problems.join())).toEqual([
    '',
    'The file on disk changed after it was attached; this is how it was then.',
    'The file that this is a copy of was no longer there when it was sent.',
    'The file on disk changed after it was attached; this is how it was then.',
  ])
  // No message reveals where on this computer a file is.
  expect(JSON.stringify(messages)).not.toContain(chat.path(''))
  expect(chat.got().at(-1)).toContain('Herons in other.txt.')
})

test('a locked document that a page sends asks for its password, which opens it and is not kept', async () => {
  using home = aHome()
  await using chat = await aReadingChat(home.path)
  const { client, sessionId } = chat
  const bytes = makePdf([linePage('The kiln is hot.')], { password: 'kiln-1240' })
  const upload = async (password?: string) => {
    const announced = { sessionId, name: 'bill.pdf', sizeBytes: bytes.length }
    const { uploadId } = await client['attachment.upload']({ ...announced, ...(password && { password }) })
    return chat.host.host.receiveUpload(uploadId, Readable.from([bytes]), bytes.length)
  }
  expect(await upload()).toEqual({ ok: false, text: expect.stringContaining('bill.pdf'), needs: 'password' })
  expect(await upload('wrong')).toMatchObject({ ok: false, needs: 'password' })
  expect(await upload('kiln-1240')).toEqual({ ok: true })
  expect(await chat.unsent()).toEqual(['bill.pdf'])
  await chat.host.close()
  const holders = readdirSync(home.path, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile())
    .filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes('kiln-1240'))
  expect(holders).toEqual([])
})
