import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rootFolder } from '../lib/disk/shipped-files.ts'
import {
  importCycles,
  importsOf,
  singleFiles,
  tooLong,
  upwardImports,
  wrongImports,
  type Source,
} from '../../../testing/layers/check-layers.ts'
import { layers } from '../../../testing/layers/layers.ts'

const root = rootFolder()
const read = (pattern: string): Source[] =>
  globSync(pattern, { cwd: root }).map(path => ({
    path: path.split(sep).join('/'),
    text: readFileSync(join(root, path), 'utf8'),
  }))

// Suites, what they share, and the builders beside the modules they test: `test-setup.ts`, `a-turn.ts`.
const isTest = ({ path }: Source) =>
  /\.test\.tsx?$|\/(test|an?)-[\w-]+\.tsx?$|^src\/(main|renderer)\/test\//.test(path)

describe('the project', () => {
  const sources = read('src/**/*.{ts,tsx}')
  const product = sources.filter(source => !isTest(source))
  const beside = read('{bench,e2e,evals,scripts,testing}/**/*.{ts,tsx}')

  test('every import follows the layers', () => {
    expect(product.length).toBeGreaterThan(20)
    expect(wrongImports(product, layers)).toEqual([])
  })

  test('no files import each other in a cycle', () => {
    expect(importCycles(sources)).toEqual([])
  })

  test('no layer names a single file of another folder', () => {
    expect(singleFiles(layers)).toEqual([])
  })

  test('no import points upwards', () => {
    expect(upwardImports(product, layers)).toEqual([])
  })

  test('no file is longer than 400 lines', () => {
    expect(tooLong([...sources, ...beside], 400)).toEqual([])
  })
})

/** What the check says of a file at `path` that imports `target`. */
const judge = (path: string, target: string) =>
  wrongImports([{ path, text: `import { x } from '${target}'\n` }], layers)

describe('the architecture test', () => {
  test.each([
    ['src/shared/contract/app.ts', 'node:fs'],
    ['src/shared/rpc.ts', '../main/rpc/serve.ts'],
    ['src/preload/index.ts', 'node:fs'],
    ['src/preload/index.ts', '../main/host.ts'],
    ['src/main/agent/loop.ts', '../db/store.ts'],
    ['src/main/agent/loop.ts', '../rpc/serve.ts'],
    ['src/main/agent/loop.ts', '../models/engines/local/local-engine.ts'],
    ['src/main/agent/strategies/text.ts', '../../tools/files/read-file.ts'],
    ['src/main/models/formats/reader/call-reader.ts', '../../../lib/ids.ts'],
    ['src/main/models/formats/reader/call-reader.ts', 'node:fs'],
    ['src/main/lib/ids.ts', '../../shared/rpc.ts'],
    ['src/main/db/store.ts', '../agent/loop.ts'],
    ['src/main/models/engines/local/engine.ts', '../openai/engine.ts'],
    ['src/main/models/engines/openai/engine.ts', 'node-llama-cpp'],
    ['src/main/models/engines/local/engine.ts', 'openai'],
    ['src/main/tools/terminal/terminal.ts', '../../agent/loop.ts'],
    ['src/main/rpc/serve.ts', '../chats/chat-handlers.ts'],
    ['src/main/chats/chat-handlers.ts', '../desktop/window.ts'],
    ['src/main/chats/chat-handlers.ts', 'electron'],
    ['src/main/memory/memory-handlers.ts', '../skills/types.ts'],
    ['src/main/skills/skill-handlers.ts', '../runs/runs.ts'],
    ['src/main/app/features/chats/chats-feature.ts', '../../../../page-server/web-host.ts'],
    ['src/main/rpc/pipe.ts', 'node:http'],
    ['src/main/models/engines/openai/engine.ts', 'node:https'],
    ['src/main/host.ts', 'electron'],
    ['src/main/host.ts', './page-server/web-host.ts'],
    ['src/main/host.ts', './desktop/window.ts'],
    ['src/main/host.ts', 'ws'],
    ['src/main/serve-browser.ts', 'electron'],
    ['src/main/cli/index.ts', '../page-server/web-host.ts'],
    ['src/main/cli/index.ts', '../db/store.ts'],
    ['src/main/learning/proposals/learning-rules.ts', '../../db/store.ts'],
    ['src/main/desktop/window.ts', 'ws'],
    ['src/main/desktop/window.ts', '../host.ts'],
    ['src/main/page-server/web-host.ts', 'electron'],
    ['src/renderer/ui/Button.tsx', '../../shared/rpc.ts'],
    ['src/renderer/ui/Button.tsx', 'zustand'],
    ['src/renderer/features/chat/ChatPage.tsx', '../memory/memory-store.ts'],
    ['src/renderer/features/chat/markdown/Code.tsx', '../../memory/memory-store.ts'],
    ['src/renderer/features/chat/ChatPage.tsx', '../../../main/host.ts'],
    ['src/renderer/rpc/page-channels.ts', '../features/chat/chat-store.ts'],
    ['src/renderer/main.tsx', 'electron'],
    ['src/renderer/main.tsx', '../preload/index.ts'],
  ])('%s may not import %s', (path, target) => {
    const named = importsOf(path, `import '${target}'`)[0]
    expect(judge(path, target)).toEqual([`${path} → ${named}`])
  })

  test.each([
    ['src/main/desktop/window.ts', 'electron'],
    ['src/main/index.ts', './desktop/desktop.ts'],
    ['src/main/page-server/web-host.ts', 'node:http'],
    ['src/main/page-server/web-host.ts', 'ws'],
    ['src/main/agent/loop.ts', '../models/interface/engine.ts'],
    ['src/main/agent/loop.ts', './approvals/floor.ts'],
    ['src/main/models/engines/openai/engine.ts', '../../interface/engine.ts'],
    ['src/main/models/engines/openai/engine.ts', 'openai/resources/chat/completions'],
    ['src/renderer/features/chat/markdown/Code.tsx', '../strings.ts'],
    ['src/renderer/main.tsx', './features/chat/ChatPage.tsx'],
  ])('%s may import %s', (path, target) => {
    expect(judge(path, target)).toEqual([])
  })

  test('a type may be imported where code may not', () => {
    const judged = (text: string) =>
      wrongImports([{ path: 'src/main/learning/proposals/learning-rules.ts', text }], layers)
    expect(judged("import type { Store } from '../../db/store.ts'\n")).toEqual([])
    expect(judged("import { type Store } from '../../db/store.ts'\n")).toHaveLength(1)
    expect(
      judged(
        "import type { Store } from '../../db/store.ts'\nimport { openStore } from '../../db/store.ts'\n",
      ),
    ).toHaveLength(2)
  })

  test('a folder without a layer is reported', () => {
    expect(judge('src/extra/thing.ts', 'zod')).toEqual([
      'src/extra/thing.ts is in a folder that has no layer',
    ])
  })

  test('a package whose name begins like an allowed one is a different package', () => {
    expect(judge('src/shared/rpc.ts', 'zod-extra')).toEqual(['src/shared/rpc.ts → zod-extra'])
  })

  test('imports are found in any form, and nothing else is taken for one', () => {
    const text = `
import a from 'a'
import type { B } from "b"
import c, { type C, d as e } from 'c'
import * as f from 'f'
import {
  g,
  type G,
} from 'g'
import 'h'
export * from 'i'
export { j } from 'j'
export type { K } from 'k'
import l from 'l.json' with { type: 'json' }
const m = await import('m')
type N = typeof import('n')
const o = require('o')
// import no from 'no1'
/** Taken from 'no2', which says: import from 'no3'. */
export const text = 'import no from'
const list = Array.from('no4')
export function p() { return { from: 'no5' } }
`
    expect(importsOf('x.ts', text)).toEqual([...'abcfghijk'.split(''), 'l.json', 'm', 'n', 'o'])
  })

  test('relative imports are resolved from the root', () => {
    expect(importsOf('src/main/a/b.ts', `import x from '../c.ts'\nimport y from './d.ts'`)).toEqual([
      'src/main/c.ts',
      'src/main/a/d.ts',
    ])
  })

  test('each cycle is found once, wherever it is attached', () => {
    const file = (name: string, ...targets: string[]): Source => ({
      path: `src/${name}.ts`,
      text: targets.map(target => `import '${target}'\n`).join(''),
    })
    const sources = [
      file('start', './a.ts', './tree.ts'),
      file('a', './b.ts'),
      file('b', './c.ts', 'zod'),
      file('c', './a.ts'),
      file('tree', './leaf.ts', './other.ts'),
      file('other', './leaf.ts', './gone.ts'),
      file('leaf'),
      file('self', './self.ts'),
    ]
    expect(importCycles(sources)).toEqual([
      'src/a.ts → src/b.ts → src/c.ts → src/a.ts',
      'src/self.ts → src/self.ts',
    ])
  })

  test('a file of another folder is found among the entries', () => {
    const lists = {
      'src/a': ['zod', 'src/b', 'src/b/*', 'src/a/own.ts', 'src/b/one.ts', 'type src/b/Two.tsx'],
      'src/c/entry.ts': ['src/c/next.ts', 'src/a/one.ts'],
    }
    expect(singleFiles(lists)).toEqual([
      'src/a → src/b/one.ts',
      'src/a → type src/b/Two.tsx',
      'src/c/entry.ts → src/a/one.ts',
    ])
  })

  test('an import of what stands above is found, unless both are parts of one folder', () => {
    const file = (path: string, text: string): Source => ({ path: `src/main/${path}`, text })
    const lists = Object.fromEntries(['a', 'b', 'c', 'c/part'].map(folder => [`src/main/${folder}`, []]))
    const sources = [
      file('a/x.ts', "import '../b/x.ts'\nimport 'zod'\n"),
      file('b/x.ts', "import '../c/x.ts'\n"),
      file('c/x.ts', "import './part/y.ts'\n"),
      file('c/part/y.ts', "import '../other.ts'\n"),
    ]
    expect(upwardImports(sources, lists)).toEqual([])
    const upward = file('c/z.ts', "import type { B } from '../b/y.ts'\n")
    expect(upwardImports([...sources, upward], lists)).toEqual([
      'src/main/b → src/main/c: src/main/b/x.ts',
      'src/main/c → src/main/b: src/main/c/z.ts',
    ])
  })

  test('a file may have exactly the allowed number of lines', () => {
    const sources = [400, 401].map(lines => ({ path: `${lines}.ts`, text: 'x\n'.repeat(lines) }))
    expect(tooLong(sources, 400)).toEqual(['401.ts: 401 lines'])
  })
})
