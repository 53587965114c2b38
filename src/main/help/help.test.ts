import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aHome, aHost } from '../../../testing/host/a-host.ts'
import { MOST_PASSAGES } from '../../shared/contract/help.ts'
import { Fault } from '../../shared/rpc.ts'
import { findPassages } from './find-passages.ts'
import { helpHandlers } from './help-handlers.ts'
import { groupPages, openHelp } from './open-help.ts'

const CHAT = `# Chat

You talk with the agent here. It answers.

![The page](../images/chat.png)

## Attach files

Drop a \`report.pdf\` on the window, see [Files](files.md).

\`\`\`
# not a heading
\`\`\`

| a | b |
|---|---|
| one | zwölf |

## Attach files

Again, *elsewhere*.
`

/** A folder of documents with these files. */
function someDocs(files: Record<string, string | Buffer>) {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-help-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

test('the pages stand in their groups, those of the guide in the order in which they are met', async () => {
  const folder = someDocs({
    'guide/zoo.md': '# Zoo',
    'guide/chat.md': CHAT,
    'guide/first-steps.md': '# First steps',
    'models/servers.md': '# Servers',
    'models/built-in.md': '# The built-in model',
    'dev/layers.md': '# Layers',
    'guide/notes.txt': 'no page',
  })
  const groups = groupPages(await openHelp(folder).readPages())
  expect(groups.map(({ title, pages }) => [title, pages.map(({ id }) => id)])).toEqual([
    ['Guide', ['guide/first-steps', 'guide/chat', 'guide/zoo']],
    ['Models', ['models/servers', 'models/built-in']],
  ])
  expect(groups[0]!.pages[1]).toEqual({
    id: 'guide/chat',
    title: 'Chat',
    about: 'You talk with the agent here.',
    headings: [
      { text: 'Attach files', anchor: 'attach-files', level: 2 },
      { text: 'Attach files', anchor: 'attach-files-1', level: 2 },
    ],
  })
})

test('a page that changed is read again', async () => {
  const folder = someDocs({ 'guide/chat.md': '# Chat' })
  const help = openHelp(folder)
  expect((await help.readPages())[0]!.title).toBe('Chat')
  writeFileSync(join(folder, 'guide/chat.md'), '# Chats and more')
  expect((await help.readPages())[0]!.title).toBe('Chats and more')
})

test('all words of a query are looked for in titles, headings and text, without accents', async () => {
  const pages = await openHelp(
    someDocs({ 'guide/chat.md': CHAT, 'guide/files.md': '# Files\n\nAttach nothing here.' }),
  ).readPages()
  const found = (query: string) =>
    findPassages(query, pages).map(({ id, anchor, excerpt }) => [id, anchor, excerpt])
  expect(found('REPORT zwolf')).toEqual([
    [
      'guide/chat',
      'attach-files',
      'Drop a report.pdf on the window, see Files. # not a heading a b one zwölf',
    ],
  ])
  expect(found('attach').map(([id, anchor]) => [id, anchor])).toEqual([
    ['guide/chat', 'attach-files'],
    ['guide/chat', 'attach-files-1'],
    ['guide/files', null],
  ])
  // A title counts before headings and text.
  expect(found('files')[0]).toEqual(['guide/files', null, 'Attach nothing here.'])
  expect(found('attach zebra')).toEqual([])
  // Common words count only where there are no others.
  expect(found('how do i attach a zebra')).toEqual([])
  expect(found('How to attach a report with it')).toEqual(found('attach report'))
  expect(found('here').length).toBeGreaterThan(0)
  expect(found('a').length).toBeGreaterThan(0)
  expect(found('   ')).toEqual([])
})

test('an excerpt is cut between words around what was found, and a search has an end', async () => {
  const filler = 'word '.repeat(100)
  const many = Array.from({ length: 80 }, (_, at) => `## Part ${at}\n\n${filler}needle ${filler}`).join(
    '\n\n',
  )
  const pages = await openHelp(someDocs({ 'guide/long.md': `# Long\n\n${many}` })).readPages()
  const passages = findPassages('needle', pages)
  expect(passages).toHaveLength(MOST_PASSAGES)
  expect(passages[0]!.excerpt).toMatch(/^… (?:word )+needle (?:word ?)+ …$/)
  expect(passages[0]!.excerpt.length).toBeLessThan(180)
})

const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof Fault ? `${error.code}: ${error.message}` : String(error)),
  )

test.each(['guide/none', '../package', 'guide/../../secret', '/etc/passwd', 'dev/layers', 'guide/chat.md'])(
  'the page “%s” is refused: only names of the list are opened',
  async id => {
    const folder = someDocs({
      'docs/guide/chat.md': CHAT,
      'docs/dev/layers.md': '# Layers',
      'secret.md': 'x',
    })
    const handlers = helpHandlers(openHelp(join(folder, 'docs')))
    expect(await refused(handlers['help.page']({ id }))).toBe(`not_found: Help has no page “${id}”.`)
  },
)

test('a page comes with the pictures that it shows, and with nothing else of the disk', async () => {
  const shown = `# Chat

![a](../images/chat.png) ![b](../images/huge.png) ![c](../images/../../secret.png) ![d](../images/notes.txt)
<img src="../images/menu.webp"> ![e](../images/missing.png)`
  const folder = someDocs({
    'docs/guide/chat.md': `<!-- Made by hand. -->\n\n${shown}`,
    'docs/images/chat.png': 'picture',
    'docs/images/menu.webp': 'menu',
    'docs/images/other.png': 'not shown there',
    'docs/images/notes.txt': 'text',
    'docs/images/huge.png': Buffer.alloc(2_000_001),
    'secret.png': 'secret',
  })
  const page = await helpHandlers(openHelp(join(folder, 'docs')))['help.page']({ id: 'guide/chat' })
  expect(page.text).toBe(shown)
  const url = (type: string, of: string) => `data:image/${type};base64,${Buffer.from(of).toString('base64')}`
  expect(page.pictures).toEqual({ 'chat.png': url('png', 'picture'), 'menu.webp': url('webp', 'menu') })
})

test('without the folder there are no pages', async () => {
  expect(await openHelp(join(someDocs({}), 'missing')).readPages()).toEqual([])
})

test('a window gets the pages that ship with Talaria', async () => {
  using home = aHome()
  const host = await aHost(home.path)
  const { groups } = await host.client['help.list']({})
  expect(groups.map(({ title }) => title)).toEqual(expect.arrayContaining(['Guide', 'Reference']))
  const { text } = await host.client['help.page']({ id: 'reference/settings' })
  expect(text).toContain('### ui.theme')
  const { passages } = await host.client['help.find']({ query: 'ui.theme' })
  expect(passages[0]).toMatchObject({ id: 'reference/settings', anchor: 'uitheme' })
  await host.close()
})
