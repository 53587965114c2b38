import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aChatGptChat } from '../../../../testing/chats/an-export.ts'
import { aFolder } from '../../../../testing/db/a-store.ts'
import { Fault } from '../../../shared/rpc.ts'
import { threadReader, hereReader, isSmallImport } from './import-readers.ts'

const never = new AbortController().signal
/** A chat that does not fit into one step. */
const long = aChatGptChat(
  'long',
  Array.from({ length: 100 }, (_, n) => `line ${n}`),
)

test('the thread reads what is imported as it is read without one', async () => {
  using folder = aFolder()
  const root = folder.path
  const path = join(root, 'conversations.json')
  writeFileSync(path, JSON.stringify([aChatGptChat('short', ['Hello?', 'Hello.']), long, { broken: 1 }]))
  const where = { scratch: join(root, 'scratch'), id: 'one', now: 1_700_000_000_000 }
  expect(await threadReader.count(path, where, never)).toEqual(await hereReader.count(path, where, never))
  const [inThread, here] = await Promise.all(
    [threadReader, hereReader].map(reader => Array.fromAsync(reader.read(path, where, never))),
  )
  expect(inThread).toEqual(here)
  expect(here).toHaveLength(5)
  const large = join(root, 'large.json')
  writeFileSync(large, Buffer.alloc(2_000_000))
  expect(await isSmallImport(path)).toBe(true)
  expect(await isSmallImport(large)).toBe(false)
  expect(await isSmallImport(root)).toBe(false)
  await expect(threadReader.count(join(root, 'nowhere'), where, never)).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('There is nothing at') as string,
  })
  const stop = new AbortController()
  const stopped = async () => {
    for await (const batch of threadReader.read(path, where, stop.signal)) {
      void batch
      stop.abort(new Fault('cancelled', 'Cancelled.'))
    }
  }
  await expect(stopped()).rejects.toMatchObject({ code: 'cancelled' })
})
