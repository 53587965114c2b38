import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/shared/rpc.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { aChat, aHome, aHost, aServer } from '../host/a-host.ts'
import { aSmallDisk } from './small-disk.ts'

const first = aSmallDisk(1)
const reason = isRefusal(first) ? first.refused : undefined
if ('path' in first) first[Symbol.dispose]()
if (reason !== undefined) console.warn(`Nothing was attached on a full disk: ${reason}.`)

describe.skipIf(reason !== undefined)('on a disk that is full', () => {
  test('a file is refused in words and leaves nothing, and a message with files stays a draft', async () => {
    using outside = aHome()
    const disk = aSmallDisk(24)
    if (isRefusal(disk)) throw new Error(disk.refused)
    const home = join(disk.path, 'home')
    mkdirSync(home)
    const path = join(outside.path, 'letter.txt')
    writeFileSync(path, 'The kiln is fired at 1240 degrees.\n'.repeat(10_000))
    {
      await using host = await aHost(home, { coreTools: true })
      const { client } = host
      await using server = await aServer(client)
      const { id: sessionId } = await aChat(host, server)
      const add = () => client['attachment.add']({ sessionId, from: { kind: 'path', path } })
      const unsent = async () => (await client['attachment.list']({ sessionId })).attachments.length
      const kept = () => readdirSync(join(home, 'attachments'))
      const trouble: string[] = []
      const attempt = async (work: Promise<unknown>) => {
        try {
          await work
          return true
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          trouble.push(error.message)
          return false
        }
      }

      // The content, its text and its row take space one after the other, so the disk gets full at each of
      // them.
      let isIn = false
      for (let free = 0; !isIn; free += 131_072) {
        disk.leave(free)
        isIn = await attempt(add())
        if (!isIn) expect([free, await unsent(), kept()]).toEqual([free, 0, []])
      }
      expect(trouble.length).toBeGreaterThan(2)
      const { hash } = (await client['attachment.list']({ sessionId })).attachments[0]!

      disk.leave(0)
      const send = () => client['chat.send']({ sessionId, text: 'How hot?', attachments: [hash] })
      expect(await attempt(send())).toBe(false)
      expect(await unsent()).toBe(1)
      expect((await client['session.messages']({ id: sessionId })).messages).toEqual([])
      for (const sentence of trouble) expect(sentence).toMatch(/the disk is full/i)

      disk.leave(4_000_000)
      const { runId } = await send()
      for await (const _ of client['run.watch']({ runId }));
      expect(await unsent()).toBe(0)
      expect(JSON.stringify(server.chats().at(-1)!.body)).toContain('1240 degrees')
    }
    disk[Symbol.dispose]()
  })
})
