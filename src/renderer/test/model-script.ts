import type { ModelRequest, ModelStep } from '../../../testing/window/protocol.ts'
import type { Keeper } from './keeper.ts'

/** A model request of a host, answered by the test. Steps after an abort have no effect. */
export type Asked = ModelRequest & {
  /** The latest user message. */
  text: string
  write(text: string): Promise<void>
  think(text: string): Promise<void>
  /** Call a tool; the answer must still be finished. */
  call(name: string, given: Record<string, unknown>, id?: string): Promise<void>
  end(how?: Extract<ModelStep, { end: unknown }>['end']): Promise<void>
  /** Send a complete answer. */
  say(text: string): Promise<void>
  fail(status: number, message: string): Promise<void>
  hangUp(): Promise<void>
  /** Whether the host aborted the answer. */
  isCut(): boolean
}

/** Queue the model requests of one host for a test to answer. */
export function listenToModel(keeper: Keeper, hostId: () => string | undefined) {
  const unclaimed: Asked[] = []
  const claims: ((asked: Asked) => void)[] = []
  const cut = new Set<string>()
  let says: ((asked: Asked) => void) | undefined
  const stop = keeper.onModel(event => {
    if ('cut' in event) return void cut.add(event.cut)
    if (event.asked.hostId !== hostId()) return
    const asked = answerable(keeper, event.asked, () => cut.has(event.asked.id))
    const claim = claims.shift()
    if (claim) claim(asked)
    else if (says) says(asked)
    else unclaimed.push(asked)
  })
  return {
    stop,
    next: () =>
      new Promise<Asked>(resolve => {
        const asked = unclaimed.shift()
        if (asked) resolve(asked)
        else claims.push(resolve)
      }),
    says(answer: (asked: Asked) => void) {
      says = answer
      for (const asked of unclaimed.splice(0)) answer(asked)
    },
  }
}

function answerable(keeper: Keeper, request: ModelRequest, isCut: () => boolean): Asked {
  const take = (...steps: ModelStep[]) => keeper.answer({ requestId: request.id, steps })
  const { messages } = request.body
  let calls = 0
  return {
    ...request,
    text: messages.findLast(message => message.role === 'user')?.content ?? '',
    write: text => take({ text }),
    think: text => take({ reasoning: text }),
    call: (name, given, id = `${request.id}-call-${++calls}`) =>
      take({ call: { id, name, arguments: given } }),
    end: (how = {}) => take({ end: how }),
    say: text => take({ text }, { end: {} }),
    fail: (status, message) => take({ fail: { status, message } }),
    hangUp: () => take({ hangUp: true }),
    isCut,
  }
}
