import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { modelTexts } from './model-texts.ts'

const file = fileURLToPath(new URL('model-texts.json', import.meta.url))

// The built-in model was trained on these texts, and the hashes of `talaria-mini.json` cover prompts and tools only.
test('what models read stays byte for byte', () => {
  const now = modelTexts()
  if (process.env['TALARIA_UPDATE_GOLDEN'] === '1') writeFileSync(file, `${JSON.stringify(now, null, 1)}\n`)
  const golden = JSON.parse(readFileSync(file, 'utf8')) as string[]
  expect(golden.length).toBeGreaterThan(500)
  const present = new Set(now)
  // New texts are welcome; one that is gone or changed needs a model that is trained anew, or an entry taken out by hand.
  expect(golden.filter(text => !present.has(text))).toEqual([])
})
