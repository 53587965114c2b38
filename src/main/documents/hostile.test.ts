import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync, truncateSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hostileDocuments, type HostileDocument } from '../../../testing/documents/hostile.ts'
import { aFile, readMade } from '../../../testing/documents/read-made.ts'
import { readSource } from './read-source.ts'

/** Maximum output of a document that is made to grow; only texts that are long themselves may exceed it. */
const MOST = 300_000

test.for(hostileDocuments)('$name', async (document: HostileDocument) => {
  const { file, make, refused, kind, text, problem, until, most = MOST } = document
  const content = make()
  const read = until
    ? await readSource({ path: aFile(file, content), name: file, until: until() })
    : await readMade(file, content)
  if (refused) {
    expect(read).toMatchObject({ refused: expect.stringMatching(refused) as string })
    return
  }
  if ('refused' in read) throw new Error(read.refused)
  const joined = read.pages.map(page => page.text).join('\n')
  expect(read.kind).toBe(kind)
  if (text) expect(joined).toMatch(text)
  if (problem) expect(read.problems.join('\n')).toMatch(problem)
  else expect(read.problems).toEqual([])
  expect(joined.length).toBeLessThan(most)
  expect(joined).not.toMatch(/root:|secret of the computer/)
})

test.skipIf(process.platform === 'win32')(
  'pipes, and links to devices and to pipes, are refused at once',
  async () => {
    const pipe = aFile('pipe.pdf', '')
    rmSync(pipe)
    execFileSync('mkfifo', [pipe])
    const link = `${pipe}.link`
    symlinkSync(pipe, link)
    const device = `${pipe}.device`
    symlinkSync('/dev/zero', device)
    for (const path of [pipe, link, device])
      expect(await readSource({ path, name: 'a.pdf', until: Infinity })).toEqual({
        refused: 'is no file, but a device or a pipe',
      })
  },
)

test('50 MB of nothing are named', async () => {
  for (const name of ['a.txt', 'a.docx', 'a.db']) {
    const path = aFile(name, '')
    truncateSync(path, 50_000_000)
    expect(await readSource({ path, name, until: Infinity })).toMatchObject({
      kind: 'other',
      problems: ['It is no text, and of a kind that is not known here.'],
    })
  }
})
