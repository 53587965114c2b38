import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resourcePath } from '../../src/main/lib/disk/shipped-files.ts'
import { acceptManifest, changedSince, type Hashes } from './accept.ts'
import { piecesOf } from './pieces.ts'
import { openProduct } from './product.ts'

const manifestPath = resourcePath('models/talaria-mini.json')
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Hashes & { sha256: string }

test('the built-in model was trained on the prompts and tools of now', () => {
  expect(
    changedSince(manifest, piecesOf(openProduct())),
    'These are not what the built-in model was trained on any more. Retrain it (training/README.md). Or measure it ' +
      '(npm run -s eval:builtin), and if that is good enough accept: ' +
      'node training/generate/index.ts --accept resources/models/talaria-mini.json',
  ).toEqual([])
})

test('the model that ships is the one that its manifest describes', () => {
  const bytes = readFileSync(resourcePath('models/talaria-mini.gguf'))
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(manifest.sha256)
  expect(bytes.length).toBeLessThan(16 * 2 ** 20)
})

test('what changed is told, and is accepted by its hashes alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-accept-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'manifest.json')
  writeFileSync(path, JSON.stringify({ name: 'a', promptHash: '1', toolsHash: '2' }))
  const now = { promptHash: '1', toolsHash: '3' }
  expect(changedSince({ promptHash: '1', toolsHash: '2' }, now)).toEqual(['the tools'])
  expect(changedSince({ promptHash: '0', toolsHash: '3' }, now)).toEqual(['the prompts'])
  acceptManifest(path, now)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ name: 'a', ...now })
})
