import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aBareServer, aChat, aHome, turn, type TestHost } from '../../../testing/host/a-host.ts'
import { linePage, makePdf } from '../../../testing/documents/make-pdf.ts'
import { aHostWith, answering, find, use } from '../../../testing/mcp/chats-with-servers.ts'
import { switchServer } from '../../../testing/mcp/agree.ts'
import { aPicture, decodePicture } from '../../../testing/pictures/sample-pictures.ts'
import type { ServedRequest } from '../../../testing/servers/openai-server.ts'

type Resource = { uri: string; mimeType?: string; text?: string; blob?: string }
type Given = { content: object[]; resources?: Record<string, Resource[]> }

const SHELF = expect.objectContaining({ source: 'the server shelf' })
const blobOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const aResource = (uri: string, bytes: Uint8Array, mimeType = '') => ({
  type: 'resource',
  resource: { uri, mimeType, blob: blobOf(bytes) },
})
const red = () => aPicture(40, 20, () => [255, 0, 0]).png()

/** Let a model of this name call a server once, which returns `given`. Return what the model was sent. */
async function askServer(home: string, model: string, given: Given) {
  const file = join(home, 'given.json')
  writeFileSync(file, JSON.stringify(given))
  const host = await aHostWith(home, { shelf: ['gives', file] })
  await switchServer(host.client, { name: 'shelf', tool: 'echo', unasked: true })
  const served = await aBareServer(model)
  const { baseUrl } = served
  const { id: modelId } = await host.client['model.addServer']({ name: model, baseUrl, model })
  const { id } = await aChat(host, { ...served, modelId })
  served.reply(find('mcp__shelf__echo'), use('mcp__shelf__echo', { text: 'x' }), { text: 'Seen.' })
  await turn(host, id, 'Look.', answering(host, 'once'))
  return {
    host,
    id,
    sent: served.chats().at(-1)!,
    again: async () => {
      await turn(host, id, 'And now?')
      return served.chats().at(-1)!
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]()
      await served[Symbol.asyncDispose]()
    },
  }
}

const textOf = ({ body }: ServedRequest): string => JSON.stringify((body as { messages: unknown }).messages)

function picturesIn(request: ServedRequest) {
  const { messages } = request.body as { messages: { content: unknown }[] }
  const urls = JSON.stringify(messages).match(/data:image\/\w+;base64,[\w+/=]+/g) ?? []
  return Promise.all(urls.map(url => decodePicture(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))))
}

async function resultIn({ client }: TestHost, id: string) {
  const { messages } = await client['session.messages']({ id })
  return messages.findLast(({ role }) => role === 'tool')
}

test('a picture of a server is seen by a model that sees, kept once, and comes again in the next turn', async () => {
  using home = aHome()
  const data = blobOf(await red())
  const image = { type: 'image', mimeType: 'image/png', data }
  await using asked = await askServer(home.path, 'gpt-4o', { content: [image, image] })
  const [seen, twin] = await picturesIn(asked.sent)
  expect([seen?.width, seen?.height, seen?.colourAt(5, 5), twin?.width]).toEqual([40, 20, [256, 0, 0], 40])
  const result = await resultIn(asked.host, asked.id)
  expect(result).toMatchObject({
    attachments: [{ kind: 'picture', width: 40 }, { kind: 'picture' }],
    marks: expect.arrayContaining([SHELF]),
  })
  const { attachments } = result as { attachments: { hash: string }[] }
  expect(new Set(attachments.map(({ hash }) => hash)).size).toBe(1)
  expect(readFileSync(join(home.path, 'attachments', attachments[0]!.hash)).byteLength).toBeGreaterThan(50)
  expect(await picturesIn(await asked.again())).toHaveLength(2)
  expect(asked.host.mistakes()).toEqual([])
})

test('a long text does not take the picture beside it away', async () => {
  using home = aHome()
  const content = [
    { type: 'text', text: 'A line of the log.\n'.repeat(10_000) },
    { type: 'image', mimeType: 'image/png', data: blobOf(await red()) },
  ]
  await using asked = await askServer(home.path, 'gpt-4o', { content })
  expect(textOf(asked.sent)).toMatch(/characters cut/)
  expect(await picturesIn(asked.sent)).toHaveLength(1)
})

test('for a model that does not see it is named, and what is no picture is said to be none', async () => {
  using home = aHome()
  const content = [
    { type: 'image', mimeType: 'image/png', data: blobOf(await red()) },
    { type: 'image', mimeType: 'image/png', data: blobOf(Buffer.from('no picture')) },
  ]
  await using asked = await askServer(home.path, 'deepseek-chat', { content })
  const text = textOf(asked.sent)
  expect(text).toMatch(/A picture was here: out_\w+\.png, 40 × 20 pixels\. You cannot see it\./)
  expect(text).toMatch(/out_\w+\.png is not a picture that can be read\./)
  expect(text).not.toContain('image_url')
})

test('the text of a document that a server gives stands in its result, as a stranger’s', async () => {
  using home = aHome()
  const pdf = makePdf([linePage('The heron stands in the reeds.')])
  const content = [
    aResource('file:///shelf/birds.pdf', pdf, 'application/pdf'),
    aResource('shelf://prices.csv', Buffer.from('name;price\nheron;3,50\n')),
    aResource('shelf://drawing.svg', Buffer.from('<svg><script>alert(1)</script></svg>'), 'image/svg+xml'),
    aResource('shelf://old.doc', Buffer.from('d0cf11e0a1b11ae10000', 'hex')),
    aResource('shelf://photo', await red()),
  ]
  await using asked = await askServer(home.path, 'gpt-4o', { content })
  const text = textOf(asked.sent)
  expect(text).toMatch(
    /text from a stranger \(the server shelf\)[^]*birds\.pdf is a PDF of 1 page, saved as [^\]]*\.pdf\. Its text:\]\\nThe heron stands in the reeds\./,
  )
  expect(text).toMatch(/prices\.csv is a table as text[^]*heron[^]*3,50/)
  expect(text).toContain('<script>alert(1)</script>')
  expect(text).toMatch(/old\.doc saved as /)
  expect((await picturesIn(asked.sent)).map(({ width }) => width)).toEqual([40])
  expect((await resultIn(asked.host, asked.id))?.marks).toContainEqual(SHELF)
  expect(asked.host.mistakes()).toEqual([])
})

test('links to resources are followed at their server, a few of them, and it is said what was not read', async () => {
  using home = aHome()
  const link = (uri: string, more = {}) => ({ type: 'resource_link', uri, name: 'A file', ...more })
  const pdf = makePdf([linePage('The stork is on the roof.')])
  const resources = {
    'shelf://stork.pdf': [{ uri: 'shelf://stork.pdf', mimeType: 'application/pdf', blob: blobOf(pdf) }],
    'shelf://note': [{ uri: 'shelf://note', text: 'Back at noon.' }],
  }
  const content = [
    link('shelf://stork.pdf'),
    link('shelf://note'),
    link('shelf://gone'),
    link('shelf://film', { size: 9_000_000_000 }),
    ...Array.from({ length: 3 }, (_, n) => link(`shelf://more/${n}`)),
  ]
  await using asked = await askServer(home.path, 'gpt-4o', { content, resources })
  const text = textOf(asked.sent)
  expect(text).toContain('The stork is on the roof.')
  expect(text).toContain(String.raw`[the resource shelf://note]\nBack at noon.`)
  expect(text).toContain('[a link to shelf://gone, which was not read: the server gave nothing for it]')
  expect(text).toContain('[a link to shelf://film, which was not read: it has more than 50 MB]')
  expect(text).toContain('[a link to shelf://more/2, which was not read: only the first 5 are read]')
})
