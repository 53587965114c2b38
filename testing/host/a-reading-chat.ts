import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { aChat, aHost, aServer } from './a-host.ts'

// For tests: a chat that files are attached to.

/** A host with a chat in its own folder, whose model is a server that records its requests. */
export async function aReadingChat(home: string) {
  const folder = join(home, 'workspace', 'desk')
  mkdirSync(folder, { recursive: true })
  const host = await aHost(home, { coreTools: true })
  const server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  await host.client['session.update']({ id: sessionId, workspace: folder })
  const { client } = host
  const path = (name: string) => join(folder, name)
  async function follow(runId: string) {
    for await (const event of client['run.watch']({ runId }))
      // The text of documents may be long, so the log of a run leaves it out.
      if (event.type === 'turn_start') expect(event.message).not.toHaveProperty('documents')
  }
  return {
    host,
    client,
    server,
    sessionId,
    path,
    write: (name: string, text: string | Uint8Array) => writeFileSync(path(name), text),
    attach: (name: string, id = sessionId) =>
      client['attachment.add']({ sessionId: id, from: { kind: 'path', path: name } }),
    unsent: async (id = sessionId) =>
      (await client['attachment.list']({ sessionId: id })).attachments.map(({ name }) => name),
    async send(text: string, attachments: readonly { hash: string }[] = [], id = sessionId) {
      const sent = { sessionId: id, text, attachments: attachments.map(({ hash }) => hash) }
      await follow((await client['chat.send'](sent)).runId)
    },
    follow,
    /** The messages of the newest request, as texts. */
    got: (): string[] =>
      (server.chats().at(-1)!.body as { messages: { content: string }[] }).messages.map(
        ({ content }) => content,
      ),
    /** The last message of each request of a turn except the first: the results of its calls. */
    results: (): string[] =>
      server
        .chats()
        .slice(1)
        .map(({ body }) => (body as { messages: { content: string }[] }).messages.at(-1)!.content),
    kept: () =>
      existsSync(join(home, 'attachments')) ? readdirSync(join(home, 'attachments')).toSorted() : [],
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
