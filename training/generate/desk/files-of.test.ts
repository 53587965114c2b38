import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { coreTools } from '../../../src/main/tools/tool-lists.ts'
import { createRegistry } from '../../../src/main/tools/registry/registry.ts'
import type { ToolResult } from '../../../src/main/tools/registry/tool.ts'
import { isRefusal } from '../../../src/main/lib/expected-errors.ts'
import { createRandom } from '../random.ts'
import { line, pathName } from '../tasks/file-words.ts'
import { slotWords } from '../words/slots.ts'
import { FILE_TOOLS } from './files-of.ts'

const registry = createRegistry(coreTools({ timeout_s: 5 }))

/** A real folder with files, in which the real tools work as the loop lets them. */
function aFolder(files: ReadonlyMap<string, string>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-desk-')))
  const [workspace, home] = [join(root, 'work'), join(root, 'home')]
  for (const folder of [workspace, home]) mkdirSync(folder)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  return {
    async call(name: string, given: Record<string, unknown>): Promise<ToolResult> {
      const tool = registry.get(name)!
      const checked = registry.validate(name, given)
      if (!checked.ok) throw new Error(checked.reason)
      const intent = await tool.intent(checked.value, { workspace, home })
      if (isRefusal(intent)) return { ok: false, reason: intent.refused }
      const signal = new AbortController().signal
      return tool.run(checked.value, {
        workspace,
        home,
        sessionId: 's',
        askedId: 1,
        access: 'unconfined',
        signal,
        output: () => {},
      })
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

const random = createRandom('desk')
const talk = { random, split: 'train' as const, slot: (name: string) => slotWords(random, 'train', name) }
const PATHS = ['notes.txt', 'docs/plan.md', 'docs/old/a.csv', 'empty.md', 'src/b.py', 'src/a.py']

/** Files that are named by chance, beside some that every folder has. */
function someFiles(): Map<string, string> {
  const texts = () => Array.from({ length: random.between(1, 4) }, () => line(talk)).join('\n')
  return new Map([
    ...PATHS.map(path => [path, path === 'empty.md' ? '' : texts()] as const),
    ...Array.from({ length: 4 }, () => [pathName(talk), `${texts()}\n`] as const),
  ])
}

const calls: [string, Record<string, unknown>][] = [
  ['list_files', {}],
  ['list_files', { path: '.' }],
  ['list_files', { path: 'docs' }],
  ['list_files', { path: 'docs/', depth: 2 }],
  ['list_files', { depth: 3 }],
  ['list_files', { path: 'nothing' }],
  ['list_files', { path: 'notes.txt' }],
  ['read_file', { path: 'notes.txt' }],
  ['read_file', { path: 'notes.txt', limit: 1 }],
  ['read_file', { path: 'notes.txt', offset: 99 }],
  ['read_file', { path: 'empty.md' }],
  ['read_file', { path: 'docs' }],
  ['read_file', { path: 'note.txt' }],
  ['read_file', { path: 'qqqq.zzz' }],
  ['read_file', { path: 'gone/x.md' }],
  ['read_file', { path: '~/there is no such file' }],
  ['list_files', { path: '~/there is no such folder' }],
  ['write_file', { path: 'new/place.md', content: 'one\ntwo' }],
  ['write_file', { path: 'notes.txt', content: '' }],
  ['write_file', { path: 'docs', content: 'x' }],
  ['read_file', { path: 'new/place.md' }],
  ['patch_file', { path: 'new/place.md', old_string: 'two', new_string: 'two\nthree' }],
  ['patch_file', { path: 'new/place.md', old_string: 'one', new_string: 'eins' }],
  ['patch_file', { path: 'new/place.md', old_string: 'nowhere', new_string: 'x' }],
  ['patch_file', { path: 'src/a.py', old_string: 'e', new_string: 'E' }],
  ['patch_file', { path: 'missing.md', old_string: 'a', new_string: 'b' }],
  ['patch_file', { path: 'docs', old_string: 'a', new_string: 'b' }],
  ['list_files', { depth: 2 }],
]

test('tools on the desk answer to the letter as the real ones do on a disk', async () => {
  for (let round = 0; round < 12; round++) {
    const files = someFiles()
    using folder = aFolder(files)
    for (const [name, given] of calls) {
      // What the host notes beside the text is nothing that a model reads.
      const real = { ...(await folder.call(name, given)), files: undefined }
      expect({ round, name, given, ...FILE_TOOLS[name]!(files, given) }).toEqual({
        round,
        name,
        given,
        ...real,
      })
    }
  }
})

test('a search on the desk finds what the real one finds, in its order', async () => {
  const files = someFiles()
  using folder = aFolder(files)
  const [first = '', ...words] = [...files.values()].join(' ').match(/\p{L}{4,}/gu) ?? []
  const searches = [
    { pattern: 'the' },
    { pattern: first },
    { pattern: words.at(-1) ?? '', path: 'docs' },
    { pattern: 'a', glob: '*.md' },
    { pattern: 'zzzzqqq' },
    { pattern: 'a', path: 'src' },
    { pattern: 'a', path: 'notes.txt' },
  ]
  for (const given of searches) {
    const real = await folder.call('search_files', given)
    expect({ given, ...FILE_TOOLS['search_files']!(files, given) }).toEqual({ given, ...real })
  }
})
