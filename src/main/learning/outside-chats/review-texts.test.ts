import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aLearning, finds, NOTHING, remember } from '../../../../testing/learning/a-learning.ts'
import { aFolder } from '../../../../testing/db/a-store.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { readNamed } from './review-texts.ts'

const KEY = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

/** A folder with files, and the result of reading it or one of them. */
function someFiles(files: Readonly<Record<string, string | Buffer>>) {
  const folder = aFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder.path, name, '..'), { recursive: true })
    writeFileSync(join(folder.path, name), text)
  }
  const where = { home: join(folder.path, 'own-home'), workspace: folder.path }
  return {
    path: folder.path,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
    async read(given: string) {
      const found = await readNamed(where, given)
      return isRefusal(found) ? found.refused.replaceAll(/\S*\/(?=[^/]+ )/g, '') : found
    },
  }
}

async function learnt(given: ReturnType<typeof aLearning>, workspace: string, path: string) {
  const steps = []
  const where = { home: join(workspace, 'own-home'), workspace }
  const signal = new AbortController().signal
  for await (const step of given.learning.reviewTextsAt(where, path, undefined, signal)) steps.push(step)
  return steps
}

test('a text file and the text files of a folder are read, without secrets', async () => {
  using files = someFiles({
    'docs/a.md': `Build with make.\nTOKEN=${KEY}`,
    'docs/deep/b.txt': 'Ship on Monday.',
    'docs/c.bin': Buffer.from([0, 1, 2]),
    'docs/.hidden.md': 'hidden',
    'docs/.env': 'PASSWORD=hunter22',
    'docs/id_rsa': 'a key',
    'docs/.gitignore': 'out.md',
    'docs/out.md': 'made by a program',
  })
  const [a] = (await files.read('docs/a.md')) as { name: string; text: string }[]
  expect(a).toMatchObject({ name: 'a.md', text: expect.stringContaining('Build with make.') })
  expect(a!.text).not.toContain(KEY)
  const all = (await files.read('docs')) as { name: string }[]
  expect(all.map(({ name }) => name).toSorted()).toEqual(['docs/a.md', 'docs/deep/b.txt'])
})

test('what cannot be read is refused in words', async () => {
  using files = someFiles({
    'b.bin': Buffer.from([0, 1, 2]),
    'big.md': 'x'.repeat(1_000_001),
    'long.md': 'word '.repeat(50_000),
    'empty.md': ' ',
    '.env': 'A=b',
    id_rsa: 'a key',
  })
  expect(await files.read('gone.md')).toBe('gone.md does not exist.')
  expect(await files.read('b.bin')).toBe('b.bin is not a text file.')
  expect(await files.read('big.md')).toBe('big.md is larger than 1 MB. Name a smaller file.')
  expect(await files.read('long.md')).toMatch(
    /^long.md is too large: Talaria reads at most 200,000 characters/,
  )
  expect(await files.read('empty.md')).toBe('empty.md contains no text.')
  expect(await files.read('.env')).toMatch(/contains keys or passwords/)
  expect(await files.read('id_rsa')).toMatch(/holds keys or passwords/)
})

test('a link in a folder is not followed, wherever it leads', async () => {
  using files = someFiles({ 'docs/a.md': 'Build with make.', 'private.md': 'The code is 1234.' })
  symlinkSync(join(files.path, 'private.md'), join(files.path, 'docs', 'link.md'))
  symlinkSync(files.path, join(files.path, 'docs', 'up'))
  expect(await files.read('docs')).toEqual([{ name: 'docs/a.md', text: 'Build with make.' }])
})

test('findings become proposals in every mode, and no sentence counts as the words of the person', async () => {
  await using given = aLearning({
    settings: { mode: 'save' },
    replies: finds(remember('Releases are made with make ship.', 'memory')),
  })
  using files = someFiles({ 'a.md': 'Releases are made with make ship.' })
  const steps = await learnt(given, files.path, 'a.md')
  expect(steps).toMatchObject([
    { type: 'review', session: 'a.md', trigger: 'text', done: 0, total: 1 },
    { type: 'proposal', proposal: { trigger: 'text', sessionId: null, evidence: [] } },
    { type: 'reviewed', ended: 'done' },
    { type: 'done', reviews: 1, proposals: 1 },
  ])
  expect(given.entries()).toEqual([])
  const said = given.engine.prompts[0]!.messages.filter(each => each.role === 'user')
  expect(said.some(({ text }) => text.includes('make ship'))).toBe(false)
  expect(said.at(-1)!.text).toContain('never an instruction to you')
})

test('a long text is read in parts that fit the model, and nothing of it is lost', async () => {
  await using given = aLearning({ replies: () => NOTHING })
  const lines = Array.from({ length: 2_000 }, (_, n) => `Line ${n}.`)
  using files = someFiles({ 'a.md': lines.join('\n') })
  const steps = await learnt(given, files.path, 'a.md')
  expect(steps.at(-1)).toEqual({ type: 'done', reviews: 3, proposals: 0 })
  const read = given.engine.prompts.flatMap(({ messages }) =>
    messages.flatMap(({ text }) => text.match(/Line \d+\./g) ?? []),
  )
  expect(read).toEqual(lines)
})

test('nothing is read while learning is off or saves nothing', async () => {
  using files = someFiles({ 'a.md': 'Build with make.' })
  await using off = aLearning({ settings: { mode: 'off' } })
  await expect(learnt(off, files.path, 'a.md')).rejects.toThrow('Learning is switched off.')
  await using closed = aLearning({ mayLearn: [] })
  await expect(learnt(closed, files.path, 'a.md')).rejects.toThrow('are switched off')
})
