import { once } from 'node:events'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { isRefusal } from '../lib/expected-errors.ts'
import { forwardPort } from './forward-port.ts'
import { aFolderToConfine } from '../../../testing/confinement/folder-to-confine.ts'

/** What a connection to a forwarded port reads until its end. */
async function readFrom(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  // A refused connection is closed, or reset.
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return text
}

test.runIf(process.platform === 'linux')(
  'a port leads to its socket, however long the path, and never along a link to another',
  async ({ expect }) => {
    const base = aFolderToConfine()
    onTestFinished(() => rmSync(base, { recursive: true, force: true }))
    const deep = join(base, 'deep'.repeat(30))
    mkdirSync(deep)
    const secret = createServer(socket => socket.end('CANARY')).listen(join(base, 'secret'))
    await once(secret, 'listening')
    const path = join(deep, 'port.sock')
    const forward = await forwardPort(0, path)
    if (isRefusal(forward)) throw new Error(forward.refused)
    const { port, close } = forward

    expect(await readFrom(port)).toBe('')
    symlinkSync(join(base, 'secret'), path)
    expect(await readFrom(port)).toBe('')
    rmSync(path)
    // A socket address is limited to about 100 bytes, so the socket is created from inside the folder.
    const before = process.cwd()
    process.chdir(deep)
    const server = createServer({ allowHalfOpen: true }, socket => socket.end('tea')).listen('port.sock')
    await once(server, 'listening')
    process.chdir(before)
    expect(await readFrom(port)).toBe('tea')
    close()
    server.close()
    secret.close()
  },
)
