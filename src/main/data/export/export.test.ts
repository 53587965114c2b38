import { unsetForProject } from '../../../shared/contract/chats/chat-options.ts'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastOf } from '../../../../testing/data/a-home.ts'
import { aChat, aFolder, aStore, assistant, toolResult, user } from '../../../../testing/db/a-store.ts'
import type { ExportFormat } from '../../../shared/contract/data.ts'
import { exportText, writeExport, type ExportJob } from './write-export.ts'

const never = new AbortController().signal

/** Export from a store; return the text of the file. */
async function exported(
  store: ReturnType<typeof aStore>,
  format: ExportFormat,
  given: Partial<ExportJob> = {},
): Promise<string> {
  using folder = aFolder()
  const target = join(folder.path, 'chats')
  const job: ExportJob = {
    database: store.path,
    target,
    format,
    chat: undefined,
    branches: 'path',
    tools: true,
    replace: false,
    now: 1_800_000_000_000,
  }
  await lastOf(writeExport({ ...job, ...given }, never))
  expect(readdirSync(folder.path)).toEqual(['chats'])
  if (process.platform !== 'win32') expect(statSync(target).mode & 0o777).toBe(0o600)
  return readFileSync(target, 'utf8')
}

function twoChats() {
  const store = aStore()
  const one = aChat(store).id
  store.messages.append(user(one, 'Which port?'))
  store.messages.append(
    assistant(one, 'I look.', {
      reasoning: 'Hm.',
      calls: [{ id: 'c1', name: 'read_file', arguments: { path: 'a' } }],
    }),
  )
  store.messages.append(
    toolResult(one, 'port = 8080 ``` x', { callId: 'c1', marks: [{ id: 'text_1', source: 'a stranger' }] }),
  )
  store.messages.append(assistant(one, 'It is 8080:\n```sh\ncurl <localhost>\n```\nDone.'))
  const two = aChat(store).id
  store.messages.append(user(two, 'Tea?'))
  const gone = aChat(store).id
  store.messages.append(user(gone, 'deleted words'))
  store.sessions.remove(gone)
  return { store, one, two }
}

test('JSON holds every chat with every message, except deleted ones', async () => {
  const { store, one, two } = twoChats()
  using _ = store
  const all = JSON.parse(await exported(store, 'json')) as { chats: { id: string; messages: unknown[] }[] }
  expect(all.chats.map(({ id }) => id)).toEqual([one, two])
  expect(all.chats[0]?.messages).toMatchObject([
    { role: 'user', text: 'Which port?' },
    { role: 'assistant', text: 'I look.', calls: [{ name: 'read_file', arguments: { path: 'a' } }] },
    {
      role: 'tool',
      text: 'port = 8080 ``` x',
      ok: true,
      marks: [{ id: 'text_1', source: 'a stranger' }],
    },
    { role: 'assistant' },
  ])
})

test('buttons are left out, and what Talaria said is not told as the model’s', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const call = { tool: 'read_file', arguments: { path: 'secret-name.txt' } }
  const offer = { why: 'not_looked' as const, choices: [{ ...call, label: 'Read secret-name.txt' }] }
  store.messages.append(user(id, 'What is in it?'))
  store.messages.append(assistant(id, 'It is about the sea.', { offer }))
  store.messages.append({ role: 'user', sessionId: id, at: 1_800_000_000_000, text: 'Read it', picked: call })
  store.messages.append(assistant(id, 'Here it is.', { byTalaria: true }))
  for (const format of ['json', 'markdown', 'html'] as const) {
    const text = await exported(store, format)
    expect(text, format).not.toContain('secret-name')
    expect(text, format).toContain('Here it is.')
  }
  expect(JSON.parse(await exported(store, 'json'))).toMatchObject({
    chats: [{ messages: [{}, {}, {}, { byTalaria: true }] }],
  })
  for (const format of ['markdown', 'html'] as const)
    expect(await exported(store, format)).toContain('Talaria, by rules, not by the model')
})

test('a chat says to which project it belongs, and what was written for it', async () => {
  const { store, one, two } = twoChats()
  using _ = store
  const project = store.projects.create({
    ...unsetForProject(),
    name: 'Thesis <1>',
    folder: null,
    instructions: 'Of the project.',
    modelId: null,
    skills: null,
  })
  store.sessions.update(one, { projectId: project.id, instructions: 'Be brief.' })
  const all = JSON.parse(await exported(store, 'json')) as { chats: object[] }
  expect(all.chats[0]).toMatchObject({ id: one, project: 'Thesis <1>', instructions: 'Be brief.' })
  expect(all.chats[1]).toMatchObject({ id: two })
  expect(all.chats[1]).not.toHaveProperty('project')
  expect(await exported(store, 'markdown', { replace: true })).toContain(` · Thesis <1> · ${one}\n`)
  expect(await exported(store, 'html')).toContain(' · <bdi>Thesis &lt;1&gt;</bdi></p>')
})

test.for(['markdown', 'json', 'html'] as const)('one chat as %s has nothing of another', async format => {
  const { store, one } = twoChats()
  using _ = store
  const text = await exported(store, format, { chat: one })
  expect(text).toContain('Which port?')
  expect(text).not.toMatch(/Tea\?|deleted words/)
})

test('Markdown quotes what tools say in a fence that they cannot close', async () => {
  const { store, one } = twoChats()
  using _ = store
  const text = await exported(store, 'markdown', { chat: one })
  expect(text).toMatch(/^# Which port\?\n/)
  expect(text).toContain('\n## You, ')
  expect(text).toContain('````\nport = 8080 ``` x\n````\n')
  expect(text).toContain('Call of read_file:\n\n```json\n{\n  "path": "a"\n}\n```\n')
})

test('a page has code as code, a list of its chats, and allows nothing to load or run', async () => {
  const { store, one, two } = twoChats()
  using _ = store
  const text = await exported(store, 'html')
  expect(text).toContain('<pre>curl &lt;localhost&gt;\n</pre>')
  for (const id of [one, two]) expect(text).toContain(`<a href="#${id}">`)
  expect(text).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/)
})

test('on a page signs that nobody sees are shown, and data keeps them as they are', async () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'Open invoice\u202egpj.exe\u{e0061} 👨‍👩‍👧 می‌روم'))
  store.messages.append(assistant(id, 'Run `rm\u200b -rf`.'))
  const page = await exported(store, 'html')
  expect(page).toContain('Open invoice⟨U+202E⟩gpj.exe⟨U+E0061⟩ 👨‍👩‍👧 می‌روم')
  expect(page).toContain('rm⟨U+200B⟩ -rf')
  expect(await exported(store, 'markdown')).toContain('rm\u200b -rf')
})

test('on a page formulas are set, and one that cannot be set shows its source', async () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'Why $E = mc^2$?'))
  store.messages.append(
    assistant(id, 'As $$\\frac{m}{2}$$ and $\\frac{$, in `$x$` and\n```\n$y^2$\n```\nas $5.'),
  )
  const text = await exported(store, 'html')
  expect(text.match(/<math /g)).toHaveLength(2)
  expect(text).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">')
  for (const kept of ['$\\frac{$', '`$x$`', '<pre>$y^2$', 'as $5.']) expect(text).toContain(kept)
  expect(text).not.toContain(' style=')
})

/** The tags of a page, without their attributes. */
const tagsOf = (page: string) => page.match(/<[^>]*>/g)?.map(tag => /^<[/!]?[\w-]*/.exec(tag)?.[0]) ?? []

test('no text of a chat is ever markup, whatever it says', async () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '</pre><script>alert(1)</script>',
      '<img src=x onerror=a>',
      '"><b>',
      "' onclick='x",
      '-->',
      '```\n</pre><i>',
      '&lt;',
      ']]>',
      '</title></style>',
    ),
  )
  await fc.assert(
    fc.asyncProperty(nasty, nasty, async (one, other) => {
      using store = aStore()
      const { id } = aChat(store, { workspace: `/${other}`, modelId: other || 'm' })
      store.messages.append(user(id, `x ${one}`))
      store.messages.append(
        assistant(id, other, {
          reasoning: one,
          model: one,
          calls: [{ id: 'c', name: other, arguments: { [one]: other } }],
        }),
      )
      store.messages.append(toolResult(id, one, { name: other }))
      const page = await exported(store, 'html')
      const known = [
        'html',
        'head',
        'meta',
        'title',
        'style',
        'body',
        'header',
        'h1',
        'h2',
        'h3',
        'p',
        'article',
        'section',
        'bdi',
        'time',
        'div',
        'details',
        'summary',
        'pre',
      ]
      const allowed = new Set(['<!doctype', ...known.flatMap(tag => [`<${tag}`, `</${tag}`])])
      expect(tagsOf(page).filter(tag => !allowed.has(tag ?? ''))).toEqual([])
      // Every attribute is ours, too.
      expect(
        page
          .match(/<(?:div|pre|bdi|section|details|summary|article|h2|h3|time|p)[^>]*>/g)
          ?.filter(tag => !/^<\w+( (class|dir|id)="[\w -]*")*>$/.test(tag)),
      ).toEqual([])
    }),
    { numRuns: 25 },
  )
})

test('JSON can be read back for any text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async text => {
      using store = aStore()
      const { id } = aChat(store)
      store.messages.append(user(id, text))
      const { chats } = JSON.parse(await exported(store, 'json')) as {
        chats: { messages: { text: string }[] }[]
      }
      expect(chats[0]?.messages[0]?.text).toBe(text.toWellFormed())
    }),
    { numRuns: 25 },
  )
})

test('nothing is replaced unasked, and a chat that is gone is refused', async () => {
  const { store } = twoChats()
  using _ = store
  using folder = aFolder()
  const target = join(folder.path, 'mine.md')
  writeFileSync(target, 'mine')
  await expect(exported(store, 'markdown', { target })).rejects.toThrow('already exists')
  expect(readFileSync(target, 'utf8')).toBe('mine')
  await expect(exported(store, 'markdown', { chat: 'chat_none' })).rejects.toThrow('no longer exists')
})

test('an export into a folder that does not exist is refused in words, and a stopped one leaves nothing', async () => {
  const { store } = twoChats()
  using _ = store
  using folder = aFolder()
  const job = (target: string): ExportJob => ({
    database: store.path,
    target,
    format: 'json',
    chat: undefined,
    branches: 'path',
    tools: true,
    replace: false,
    now: 0,
  })
  const target = join(folder.path, 'none', 'chats.json')
  await expect(lastOf(writeExport(job(target), never))).rejects.toThrow('its folder does not exist')
  const stopping = new AbortController()
  const stopped = writeExport(job(join(folder.path, 'chats.json')), stopping.signal)
  stopping.abort(new Error('stopped'))
  await expect(lastOf(stopped)).rejects.toThrow('stopped')
  expect(existsSync(join(folder.path, 'chats.json'))).toBe(false)
  expect(readdirSync(folder.path)).toEqual([])
})

/** A chat whose question was edited, and whose second answer was tried again. */
function branched() {
  const store = aStore()
  const { id } = aChat(store)
  const first = store.messages.append(user(id, 'First way?'))
  const answer = store.messages.append(assistant(id, 'Left.'))
  store.branches.putBeside(answer.id, assistant(id, 'Right.'))
  store.branches.putBeside(first.id, user(id, 'Other <way>?'))
  store.messages.append(assistant(id, 'Straight on.'))
  return { store, id }
}

test('all branches: the path first, then each other one with what it follows', async () => {
  const { store, id } = branched()
  using _ = store
  const path = await exported(store, 'markdown', { chat: id })
  expect(path).toContain('Straight on.')
  expect(path).not.toMatch(/\n\nFirst way|Left|Right|Branch/)
  const all = await exported(store, 'markdown', { chat: id, branches: 'all' })
  const order = [
    'Other <way>?',
    'Straight on.',
    '# Branch 2',
    'anew',
    '\n\nFirst way?\n',
    'Right.',
    '# Branch 3',
    'Left.',
  ]
  expect(order.map(each => all.indexOf(each))).toEqual(
    order.map(each => all.indexOf(each)).toSorted((a, b) => a - b),
  )
  for (const each of order) expect(all).toContain(each)
  expect(all).toContain('It follows “First way?”.')
  const page = await exported(store, 'html', { chat: id, branches: 'all' })
  expect(page).toContain('<h2>Branch 3</h2>')
  const { chats } = JSON.parse(await exported(store, 'json', { chat: id, branches: 'all' })) as {
    chats: { messages: { text: string; parentId: number | null; isOnPath: boolean }[] }[]
  }
  const [{ messages } = { messages: [] }] = chats
  expect(messages.map(({ text, isOnPath }) => [text, isOnPath])).toEqual([
    ['Other <way>?', true],
    ['Straight on.', true],
    ['First way?', false],
    ['Right.', false],
    ['Left.', false],
  ])
  expect(messages.map(({ parentId }) => parentId === null)).toEqual([true, false, true, false, false])
})

test.for(['markdown', 'html', 'json'] as const)(
  '%s without tool output only names the tools',
  async format => {
    const { store, one } = twoChats()
    using _ = store
    const text = await exported(store, format, { chat: one, tools: false })
    expect(text).toContain(format === 'json' ? '"name":"read_file"' : 'Used read_file.')
    expect(text).not.toMatch(/port = 8080|Result of|&quot;path&quot;|"path"/)
    expect(text).toContain('It is 8080')
  },
)

test('however a chat was edited, all branches hold each of its messages once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 12 }), async edits => {
      using store = aStore()
      const { id } = aChat(store)
      const ids = [store.messages.append(user(id, 'text 0')).id]
      for (const [at, edit] of edits.entries()) {
        const text = `text ${at + 1}`
        const beside = ids[edit]
        const added =
          beside === undefined
            ? store.messages.append(user(id, text))
            : store.branches.putBeside(beside, user(id, text))
        ids.push(added.id)
      }
      const { chats } = JSON.parse(await exported(store, 'json', { branches: 'all' })) as {
        chats: { messages: { id: number; parentId: number | null }[] }[]
      }
      const told = chats[0]!.messages
      expect(told.map(each => each.id).toSorted((a, b) => a - b)).toEqual(ids)
      const seen = new Set<number | null>([null])
      for (const each of told) {
        expect(seen).toContain(each.parentId)
        seen.add(each.id)
      }
    }),
    { numRuns: 25 },
  )
})

test('a chat as a text is what its file holds, and one that is too long is refused', async () => {
  const { store, one } = twoChats()
  using _ = store
  const job = {
    database: store.path,
    chat: one,
    format: 'markdown',
    branches: 'path',
    tools: true,
    now: 0,
  } as const
  const done = await lastOf(exportText({ ...job, most: 10_000 }, never))
  expect(done).toEqual({ type: 'done', text: await exported(store, 'markdown', { chat: one }), messages: 4 })
  await expect(lastOf(exportText({ ...job, most: 50 }, never))).rejects.toThrow('too long')
})
