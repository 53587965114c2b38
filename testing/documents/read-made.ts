import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readSource } from '../../src/main/documents/read-source.ts'

/** A file in a folder that is removed with the test. */
export function aFile(name: string, content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-document-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Read a document in this process, like the separate process of the reader does. */
export const readMade = (name: string, content: string | Uint8Array, password?: string) =>
  readSource({
    path: aFile(name, content),
    name,
    until: Infinity,
    ...(password !== undefined && { password }),
  })

/** The texts of all pages, or the refusal. */
export async function textsOf(name: string, content: string | Uint8Array): Promise<string[] | string> {
  const read = await readMade(name, content)
  return 'refused' in read ? read.refused : read.pages.map(({ text }) => text)
}
