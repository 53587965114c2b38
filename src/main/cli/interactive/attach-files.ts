import { basename } from 'node:path'
import type { UnsentAttachment } from '../../../shared/contract/chats/attachments.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { absolutePath } from '../command-line.ts'
import { escapeInvisible, many } from '../output/terminal-text.ts'
import type { Terminal } from './ask-at-terminal.ts'

/**
 * Attach files to the next message of a chat, and say which of them the model gets only in part. Returns
 * their hashes. If one cannot be attached, all are removed again, and the Fault says why.
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
    for (const path of paths) {
      const file = await attachOne(client, sessionId, absolutePath(path), terminal)
      const same = attached.find(({ hash }) => hash === file.hash)
      if (same)
        terminal.say(
          `${escapeInvisible(file.name)} has the same content as ${escapeInvisible(same.name)}, so it is attached once.\n`,
        )
      attached.push(file)
    }
  } catch (error) {
    for (const { hash } of attached) await client['attachment.remove']({ sessionId, hash })
    throw error
  }
  for (const each of attached) for (const text of remarksOn(each)) terminal.say(`${escapeInvisible(text)}\n`)
  const { note } = await client['attachment.list']({ sessionId })
  if (note !== null) terminal.say(`${escapeInvisible(note)}\n`)
  return [...new Set(attached.map(({ hash }) => hash))]
}

/** Attach one file. For a locked document, ask for the password until it is right or the user gives none. */
async function attachOne(
  client: HostClient,
  sessionId: string,
  path: string,
  terminal: Terminal,
): Promise<UnsentAttachment> {
  let password: string | undefined
  for (;;) {
    try {
      const from = { kind: 'path' as const, path }
      return await client['attachment.add']({ sessionId, from, ...(password !== undefined && { password }) })
    } catch (error) {
      if (!(error instanceof Fault) || !needsPassword(error)) throw error
      if (password !== undefined) terminal.say(`${error.message}\n`)
      password = await terminal.askHidden(`Password of ${escapeInvisible(basename(path))} (it is not kept): `)
      if (password === undefined || password === '')
        throw new Fault(
          'bad_input',
          `${error.message} In a terminal, Talaria asks for the password. Otherwise attach a copy without a password.`,
        )
    }
  }
}

const needsPassword = ({ data }: Fault): boolean =>
  typeof data === 'object' && data !== null && 'needs' in data && data.needs === 'password'

/**
 * Return the attached files that can still be sent. Tells the user which were sent or removed elsewhere, and
 * which have changed on disk since they were attached.
 */
export async function stillAttached(
  client: HostClient,
  sessionId: string,
  hashes: readonly string[],
  terminal: Terminal,
): Promise<string[]> {
  if (hashes.length === 0) return []
  const { attachments } = await client['attachment.list']({ sessionId })
  const there = attachments.filter(({ hash }) => hashes.includes(hash))
  if (there.length < hashes.length)
    terminal.say(
      'A file that you attached was sent or removed in another window, so it is not sent with this message.\n',
    )
  for (const { name, onDisk } of there)
    if (onDisk)
      terminal.say(
        `${escapeInvisible(name)} ${onDisk === 'gone' ? 'no longer exists' : 'has changed on disk'}. Talaria sends the copy made when you attached it.\n`,
      )
  return there.map(({ hash }) => hash)
}

/** Remarks about a file that the user should read before it is sent. */
function remarksOn({ name, use, fits, tokens = 0, readSeconds, problems = [] }: UnsentAttachment): string[] {
  const why = fits
    ? `reading all ${many(tokens, 'token')} would take about ${many(Math.round(readSeconds ?? 0), 'second')}`
    : `its ${many(tokens, 'token')} are more than the model can read at once`
  return [
    ...(use === 'passages' ? [`${name}: the model gets only passages of this file, because ${why}.`] : []),
    ...problems.map(problem => `${name}: ${problem}`),
  ]
}

/**
 * Attach files to a chat that was just opened. If that fails, a new chat is removed again, so that no empty
 * chat is left.
 */
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
