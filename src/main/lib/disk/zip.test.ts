import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aZip } from '../../../../testing/a-zip.ts'
import { listZip, unzipEntry, ZipTrouble } from './zip.ts'

let folder: string
let path: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'talaria-zip-'))
  path = join(folder, 'export.zip')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function contents(bytes: Buffer): Promise<Record<string, string>> {
  writeFileSync(path, bytes)
  const found: Record<string, string> = {}
  for (const entry of await listZip(path)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of unzipEntry(path, entry)) chunks.push(chunk)
    found[entry.name] = Buffer.concat(chunks).toString()
  }
  return found
}

test('files are read as packed, deflated, stored or empty', async () => {
  const long = 'many words '.repeat(50_000)
  const files = [
    { name: 'a/conversations.json', content: long },
    { name: 'größe.txt', content: 'so', stored: true },
    { name: 'empty', content: '' },
  ]
  expect(await contents(aZip(files))).toEqual({ 'a/conversations.json': long, 'größe.txt': 'so', empty: '' })
})

test('a comment at the end, and bytes that look like the end record, are handled', async () => {
  const zip = aZip([{ name: 'a', content: 'PK\x05\x06 is the end', stored: true }])
  const comment = Buffer.from('a comment of the packer')
  zip.writeUInt16LE(comment.length, zip.length - 2)
  expect(await contents(Buffer.concat([zip, comment]))).toEqual({ a: 'PK\x05\x06 is the end' })
})

test.for([
  ['a password', aZip([{ name: 'a', content: 'x', flags: 1 }]), 'is locked with a password'],
  ['more content than is claimed', aZip([{ name: 'a', content: 'x'.repeat(99), claims: 5 }]), 'is damaged'],
  ['less content than is claimed', aZip([{ name: 'a', content: 'x', claims: 5 }]), 'is damaged'],
  ['no end', aZip([{ name: 'a', content: 'x' }]).subarray(0, 40), 'is no zip, or only a part of one'],
] as const)('%s is reported as a sentence', async ([, bytes, words]) => {
  await expect(contents(bytes)).rejects.toThrow(words)
})

test('a zip with any change is either read or refused with a sentence', async () => {
  const whole = aZip([
    { name: 'conversations.json', content: '[{"a":1}]'.repeat(20) },
    { name: 'b', content: 'stored', stored: true },
  ])
  const change = fc.record({
    at: fc.nat(whole.length - 1),
    byte: fc.nat(255),
    cut: fc.option(fc.nat(whole.length)),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async changes => {
      const bytes = Buffer.from(whole)
      for (const { at, byte } of changes) bytes[at] = byte
      try {
        await contents(bytes.subarray(0, changes[0]!.cut ?? bytes.length))
      } catch (error) {
        expect(error).toBeInstanceOf(ZipTrouble)
      }
    }),
    { numRuns: 150 },
  )
})
