import type { HostClient } from '../../../shared/contract/index.ts'
import { modelNote, sayRereads } from '../../../shared/words/model-words.ts'
import { Fault } from '../../../shared/rpc.ts'
import { escapeInvisible } from '../output/terminal-text.ts'
import type { Terminal } from './ask-at-terminal.ts'

const TRUST = 'If you trust it: talaria skills trust .'

/**
 * Before the first message of a chat, say what its model is when it only continues texts, why it reads the chat anew in each
 * turn, and what of its folder's instructions is not used and why: never on standard output. Later messages use the same model and prompt, so nothing new is to be said.
 */
export async function sayUnused(client: HostClient, sessionId: string, terminal: Terminal): Promise<void> {
  const { turnCount, modelId } = await client['session.get']({ id: sessionId })
  if (turnCount > 0) return
  await sayModelNote(client, modelId, terminal)
  try {
    const { sections, rereads } = await client['session.context']({ id: sessionId })
    if (rereads?.part === 'chat') terminal.say(`${escapeInvisible(sayRereads(rereads))}\n`)
    const leftOut = sections.find(({ name }) => name === 'project')?.leftOut
    if (!leftOut) return
    for (const line of leftOut.text.split('\n')) terminal.say(`Not used: ${escapeInvisible(line)}\n`)
    if (leftOut.untrusted) terminal.say(`${TRUST}\n`)
  } catch (error) {
    // A model that is not there is told of when the message is sent.
    if (!(error instanceof Fault)) throw error
  }
}

/** Say what the person should know of a model: that it only continues texts, or calls no tools by itself. */
export async function sayModelNote(client: HostClient, modelId: string, terminal: Terminal): Promise<void> {
  const { models } = await client['model.list']({})
  const model = models.find(({ id }) => id === modelId)
  const note = model && modelNote(model)
  if (note !== undefined) terminal.say(`${note}\n`)
}
