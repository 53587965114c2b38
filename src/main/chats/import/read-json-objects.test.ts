import fc from 'fast-check'
import { encode } from 'iconv-lite'
import { expect, test } from 'vitest'
import { readJsonObjects } from './read-json-objects.ts'

type FoundObject = ReturnType<typeof readJsonObjects> extends AsyncGenerator<infer Found> ? Found : never

async function* inPieces(text: string | Buffer, size: number) {
  const bytes = Buffer.from(text as string)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function objects(text: string, { size = 64_000, most = 1_000 } = {}): Promise<FoundObject[]> {
  const found: FoundObject[] = []
  for await (const each of readJsonObjects(inPieces(text, size), most)) found.push(each)
  return found
}

const values = (found: FoundObject[]) =>
  found.map(each => ('text' in each ? JSON.parse(each.text) : each.trouble))

test('the objects of a list are read one by one, wherever the chunks are split', async () => {
  const given = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 })), {
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(given, fc.integer({ min: 1, max: 400 }), async (list, size) => {
      const text = JSON.stringify(list)
      expect(values(await objects(text, { size, most: 1_000_000 }))).toEqual(JSON.parse(text))
    }),
    { numRuns: 40 },
  )
})

test('braces, quotes and backslashes inside strings are plain text', async () => {
  const list = [{ a: '}{"\\' }, { b: '\\"{' }, { 'c}': [{ d: {} }] }]
  expect(values(await objects(JSON.stringify(list), { size: 1 }))).toEqual(list)
})

test('JSON lines and a byte order mark are accepted', async () => {
  expect(values(await objects('\uFEFF{"a":1}\r\n{"b":2}\n'))).toEqual([{ a: 1 }, { b: 2 }])
})

test('an object that is too long is skipped, and the next one is read', async () => {
  const list = [{ long: 'x'.repeat(2_000) }, { short: 1 }]
  expect(values(await objects(JSON.stringify(list), { size: 100 }))).toEqual(['too long', { short: 1 }])
})

test('a truncated file yields its complete objects and says so', async () => {
  expect(values(await objects('[{"a":1},{"b":'))).toEqual([{ a: 1 }, 'cut off'])
})

test('invalid JSON is reported once, and an empty file yields nothing', async () => {
  expect(values(await objects('Dear diary, today'))).toEqual(['no JSON'])
  expect(await objects('')).toEqual([])
})

test('an export that PowerShell wrote as UTF-16, or an old program in its encoding, keeps its words', async () => {
  const text = JSON.stringify([{ title: '把会议时间改到明天下午，并检查文件的格式。' }])

  const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
  for (const bytes of [wide, Buffer.from(wide).swap16(), encode(text, 'GBK')]) {
    const found: FoundObject[] = []
    for await (const each of readJsonObjects(inPieces(bytes, 9), 1_000)) found.push(each)
    expect(values(found)).toEqual(JSON.parse(text))
  }
})
