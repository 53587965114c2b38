import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../testing/confinement/folder-to-confine.ts'
import { aChat, aHost, aServer, turn } from '../../../testing/host/a-host.ts'
import { putServer } from '../../../testing/mcp/agree.ts'
import { aMisbehaving, answering, find, results, use } from '../../../testing/mcp/chats-with-servers.ts'

confinedTest(
  'what a confined server may not write is said in a sentence, to the model and to the person',
  async () => {
    const base = aFolderToConfine()
    onTestFinished(() => rmSync(base, { recursive: true, force: true }))
    const home = join(base, 'home')
    mkdirSync(home)
    writeFileSync(join(home, 'config.yaml'), 'terminal:\n  sandbox: "on"\nlearning:\n  mode: "off"\n')
    await using host = await aHost(home, { coreTools: true })
    await using model = await aServer(host.client)
    await putServer(host.client, { server: aMisbehaving('notes', ['world']) })
    expect(await host.client['mcp.test']({ name: 'notes' })).toMatchObject({ ok: true, problem: '' })
    // A confined program sees this folder, but may not write to it. The test's own files are elsewhere.
    const path = '/usr/notes.txt'
    const said = `The server could not write ${path}: it is confined, and may write only in a folder of its own, the folder of the chat that uses it.`
    const tried = await host.client['mcp.call']({ name: 'notes', tool: 'write', args: { text: path } })
    expect(tried).toMatchObject({ ok: true, isError: true, text: expect.stringContaining(`\n${said}`) })

    const { id } = await aChat(host, model, { approval: 'full' })
    model.reply(find('mcp__notes__write'), use('mcp__notes__write', { text: path }), { text: 'Done.' })
    await turn(host, id, 'Go.', answering(host, 'once'))
    const [, line] = await results(host, id)
    // Talaria wrote the sentence, so it follows the frame around the server's text.
    expect(line?.slice(line.lastIndexOf('\n'))).toContain(`[${said}`)
  },
)
