import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../renderer')
const sources = globSync('**/*.{ts,tsx}', { cwd: folder })
  .filter(path => !/\.test\.tsx?$|^test\//.test(path.replaceAll('\\', '/')))
  .map(path => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(folder, path), 'utf8') }))

const having = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('keys of input methods are known in one place, which the window starts with', () => {
  expect(sources.length).toBeGreaterThan(200)
  expect(having(/\bkeyCode\b|event\.(?:nativeEvent\.)?isComposing/)).toEqual([
    'ui/keyboard/composing-keys.ts',
  ])
  expect(having(/\bguardComposing\(\)/)).toEqual(['main.tsx'])
  expect(readFileSync(join(folder, 'main.tsx'), 'utf8')).toMatch(/guardComposing\(\)[^]*createRoot\(/)
})

test('no handler hears a key before that place does, or by another event', () => {
  expect(having(/addEventListener\(\s*'key\w+',[^)]*(?:true|capture)/)).toEqual([
    'ui/keyboard/composing-keys.ts',
  ])
  expect(having(/\bonKey(?:Up|Press)\b|'key(?:up|press)'/)).toEqual([])
})

test('what cannot be copied is said in one place', () => {
  expect(having(/clipboard\.write|execCommand\('copy'\)/)).toEqual(['ui/IconButton.tsx'])
})
