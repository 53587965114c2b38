import type { AssistantMessage } from '../../../shared/contract/chats/messages.ts'
import { BY_TALARIA, sayOffer } from '../../../shared/words/answer-words.ts'
import type { GatewayStore } from '../../db/connections/gateway-tables.ts'
import { redactText } from '../../untrusted/redact.ts'
import type { Outbox } from '../messages/open-outbox.ts'
import type { Part, Place, Platform } from '../platform.ts'

type Parts = {
  store: Pick<GatewayStore, 'together'>
  outbox: Outbox
  platform: Platform
  place: Place
  sessionId: string
  runId: string
  /** The message that is answered. */
  answers?: string | undefined
}

/** A word that is still written: the beginning of a key does not look like one yet. */
const UNFINISHED = /[!-~]{1,4000}$/
const VOID = '(The answer was started over.)'

/** An answer that a place sees while it is written: its parts grow by edits, and in the end say what is stored. */
export function streamAnswer(parts: Parts) {
  const { store, outbox, platform, place, sessionId, runId } = parts
  let text = ''
  let rows: number[] = []
  let timer: NodeJS.Timeout | undefined
  let wasAnswered = false

  const composed = (markdown: string, isLive = false): readonly Part[] =>
    platform.compose(redactText(markdown), isLive)
  function add(part: Part, n: number, how: { live?: true; messageId?: number }): number {
    const answers = wasAnswered || parts.answers === undefined ? {} : { answers: parts.answers }
    wasAnswered = true
    const given = { sessionId, runId, part: n, isQuiet: n > 0, ...answers, ...how }
    return outbox.put(platform.name, place, [part], given)[0]!.id
  }
  function grow() {
    timer = undefined
    const shown = text.replace(UNFINISHED, '')
    if (shown.trim() === '') return
    for (const [n, part] of composed(shown, true).entries()) {
      const row = rows[n]
      if (row === undefined) rows.push(add(part, n, { live: true }))
      else outbox.revise(row, part, { live: true })
    }
  }
  function reset() {
    clearTimeout(timer)
    timer = undefined
    text = ''
  }

  return {
    add(delta: string) {
      text += delta
      timer ??= setTimeout(grow, platform.limits.editMs).unref()
    },
    /** What was written so far is no answer. */
    reset,
    /** The answer as it is stored, and below it what the window shows there. */
    finish({ id, text: whole, ...beside }: Pick<AssistantMessage, 'id' | 'text' | 'byTalaria' | 'offer'>) {
      reset()
      const final = whole.trim() === '' ? [] : composed(`${whole}${belowAnswer(beside)}`)
      const left = rows
      rows = []
      store.together(() => {
        for (const [n, part] of final.entries()) {
          const row = left[n]
          if (row === undefined) add(part, n, { messageId: id })
          else outbox.revise(row, part, { live: false, messageId: id })
        }
        for (const row of left.slice(final.length)) outbox.revise(row, composed(VOID)[0]!, { live: false })
      })
    },
    /** The turn ended, and what was written last is not stored as an answer. */
    end() {
      grow()
      clearTimeout(timer)
      const parts = text.trim() === '' ? [] : composed(text)
      for (const [n, row] of rows.entries())
        outbox.revise(row, parts[n] ?? composed(VOID)[0]!, { live: false })
      reset()
      rows = []
    },
    /** The host closes: what stands there is settled at the next start. */
    leave: reset,
  }
}

/** What stands below an answer: that Talaria gave it, and what was not done. What is offered is done when its words are sent. */
function belowAnswer({ byTalaria, offer }: Pick<AssistantMessage, 'byTalaria' | 'offer'>): string {
  const choices = offer?.choices.map(({ label }) => `- \`${label.replaceAll('`', "'")}\``) ?? []
  return [
    ...(byTalaria ? [`_${BY_TALARIA}_`] : []),
    ...(offer ? [`_${sayOffer(offer)}_`] : []),
    ...(choices.length > 0 ? [`To have it done, send this:\n${choices.join('\n')}`] : []),
  ]
    .map(each => `\n\n${each}`)
    .join('')
}
