import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome, aHost, aServer, endOf, transcript, turn } from '../../../testing/host/a-host.ts'

test('a chat whose folder is gone says so once with what to do, makes nothing there, and goes on in another', async () => {
  using home = aHome()
  using work = aHome()
  const drive = join(work.path, 'drive')
  mkdirSync(drive)
  await using host = await aHost(home.path, { coreTools: true })
  const { client } = host
  const server = await aServer(client)
  const { id } = await client['session.create']({
    modelId: server.modelId,
    workspace: drive,
    approval: 'full',
  })
  server.reply({ text: 'Hello.' })
  await turn(host, id, 'Hello?')
  rmSync(drive, { recursive: true })

  const warnings: string[] = []
  const ask = async (name: string, given: Record<string, unknown>) => {
    server.reply({ toolCalls: [{ name, arguments: given }] }, { text: 'I see.' })
    const events = await turn(host, id, `Do ${name}.`)
    expect(endOf(events)).toBe('done')
    warnings.push(...events.flatMap(each => (each.type === 'warning' ? [each.text] : [])))
    return (await transcript(host, id)).findLast(line => line.startsWith('result:'))
  }
  const gone = `The folder of this chat, ${drive}, is not there any more. Bring it back (a drive may be away), or choose another folder for the chat.`
  const calls: [string, Record<string, unknown>][] = [
    ['list_files', {}],
    ['read_file', { path: 'a.txt' }],
    ['write_file', { path: 'sub/b.txt', content: 'x' }],
    ['write_file', { path: join(drive, 'c.txt'), content: 'x' }],
    ['search_files', { pattern: 'x' }],
    ['terminal', { command: 'ls' }],
  ]
  for (const [name, given] of calls) expect(await ask(name, given)).toBe(`result: Error: ${gone}`)
  expect(warnings).toEqual([gone])
  expect(existsSync(drive)).toBe(false)

  mkdirSync(drive)
  writeFileSync(join(drive, 'a.txt'), 'Back again.')
  expect(await ask('read_file', { path: 'a.txt' })).toContain('Back again.')
  rmSync(drive, { recursive: true })
  await client['session.update']({ id, workspace: work.path })
  writeFileSync(join(work.path, 'a.txt'), 'Elsewhere.')
  expect(await ask('read_file', { path: 'a.txt' })).toContain('Elsewhere.')
  expect(warnings).toHaveLength(1)
  expect((await transcript(host, id)).slice(0, 2)).toEqual(['user: Hello?', 'assistant: Hello.'])
})
