import type { UnsentAttachment } from '../../shared/contract/attachments.ts'
import type { HostClient } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { absolutePath } from './command-line.ts'
import { escapeInvisible, many } from './terminal-text.ts'
import type { Terminal } from './terminal.ts'

/**
 * Attach files to the next message of a chat, and say what the model gets less of than all. Returns their hashes. When one cannot be
 * attached, none of them stays, and the Fault says why.
 */
export async function attachFiles(
  client: HostClient,
  sessionId: string,
  paths: readonly string[],
  terminal: Terminal,
): Promise<string[]> {
  if (paths.length === 0) return []
  const attached: UnsentAttachment[] = []
  try {
    for (const path of paths)
      attached.push(
        await client['attachment.add']({ sessionId, from: { kind: 'path', path: absolutePath(path) } }),
      )
  } catch (error) {
    for (const { hash } of attached) await client['attachment.remove']({ sessionId, hash })
    throw error
  }
  for (const each of attached) for (const text of remarksOn(each)) terminal.say(`${escapeInvisible(text)}\n`)
  const { note } = await client['attachment.list']({ sessionId })
  if (note !== null) terminal.say(`${escapeInvisible(note)}\n`)
  return [...new Set(attached.map(({ hash }) => hash))]
}

/** What a person should know of a file before it is sent. */
function remarksOn({ name, use, fits, tokens = 0, readSeconds, problems = [] }: UnsentAttachment): string[] {
  const why = fits
    ? `reading all ${many(tokens, 'token')} of it would take about ${many(Math.round(readSeconds ?? 0), 'second')}`
    : `its ${many(tokens, 'token')} are more than the model can take at once`
  return [
    ...(use === 'passages' ? [`${name}: the model gets passages of it, because ${why}.`] : []),
    ...problems.map(problem => `${name}: ${problem}`),
  ]
}

/** Attach files to a chat that was just opened; one that is new goes again when that fails, so that no empty chat is left. */
export async function attachOrLeave(
  client: HostClient,
  session: { id: string; messageCount: number },
  paths: readonly string[],
  terminal: Terminal,
): Promise<string[]> {
  try {
    return await attachFiles(client, session.id, paths, terminal)
  } catch (error) {
    if (error instanceof Fault && session.messageCount === 0)
      await client['session.remove']({ id: session.id }).catch(() => undefined)
    throw error
  }
}
