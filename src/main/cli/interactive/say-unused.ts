import type { HostClient } from '../../../shared/contract/index.ts'
import { modelNote, sayRereads } from '../../../shared/words/model-words.ts'
import { Fault } from '../../../shared/rpc.ts'
import { escapeInvisible } from '../output/terminal-text.ts'
import type { Terminal } from './ask-at-terminal.ts'

const TRUST = 'If you trust it: talaria skills trust .'

/**
 * Before the first message of a chat, say on standard error if its model only continues texts, why the model
 * rereads the chat in each turn, and which instructions of the folder are not used and why. Later messages
 * use the same model and prompt, so there is nothing new to say.
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
    // A missing model is reported when the message is sent.
    if (!(error instanceof Fault)) throw error
  }
}

/** Tell the user if a model only continues texts, or calls no tools by itself. */
export async function sayModelNote(client: HostClient, modelId: string, terminal: Terminal): Promise<void> {
  const { models } = await client['model.list']({})
  const model = models.find(({ id }) => id === modelId)
  const note = model && modelNote(model)
  if (note !== undefined) terminal.say(`${note}\n`)
}
