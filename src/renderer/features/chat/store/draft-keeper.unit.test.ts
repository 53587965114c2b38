import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '../../../../shared/rpc.ts'
import { createDraftKeeper } from './draft-keeper.ts'

type Kept = { draft: string; turnCount: number }
const lost = { ok: false, fault: new Fault('disconnected', 'The host went away.') } as const

/** A host that keeps a draft like the store, and a history of all drafts. */
function aHost(kept: Kept = { draft: '', turnCount: 0 }) {
  const sent: string[] = []
  const history: Kept[] = []
  const put = (next: Kept) => history.push((kept = next))
  return {
    sent,
    history,
    now: () => kept,
    write(draft: string, after: number) {
      if (after >= kept.turnCount) put({ ...kept, draft })
      return { ok: true, value: kept } as const
    },
    send(text: string, draft: string) {
      sent.push(text)
      put({ draft, turnCount: kept.turnCount + 1 })
      return { ok: true, value: kept } as const
    },
  }
}

test('a message waits for a save in progress and carries the draft with it', async () => {
  const host = aHost()
  const answer = Promise.withResolvers<void>()
  let text = 'Hello'
  const drafts = createDraftKeeper({
    unsent: () => [text],
    async write(draft, after) {
      await answer.promise
      return host.write(draft, after)
    },
  })
  const saved = drafts.save()
  text = ''
  const sent = drafts.send('Hello', async draft => host.send('Hello', draft))
  answer.resolve()
  await Promise.all([saved, sent])
  expect(host.history).toEqual([
    { draft: 'Hello', turnCount: 0 },
    { draft: '', turnCount: 1 },
  ])
})

test('a message stays in the draft until the host has it', async () => {
  const host = aHost()
  const drafts = createDraftKeeper({
    unsent: () => ['more'],
    write: async (...given) => host.write(...given),
  })
  const refused = drafts.send('Hello', async () => lost)
  await drafts.save()
  expect(await refused).toBe(lost)
  expect(host.now()).toEqual({ draft: 'more', turnCount: 0 })
  const slow = Promise.withResolvers<void>()
  const saved = drafts.save()
  const sending = drafts.send('Hello', async draft => {
    await slow.promise
    return host.send('Hello', draft)
  })
  await saved
  slow.resolve()
  await sending
  expect(host.now()).toEqual({ draft: 'more', turnCount: 1 })
})

test('a save overtaken by another window’s message is refused, and the unsent text is saved again', async () => {
  const host = aHost()
  const drafts = createDraftKeeper({
    unsent: () => ['Mine'],
    write: async (...given) => host.write(...given),
  })
  host.send('Theirs', '')
  await drafts.save()
  expect(host.now()).toEqual({ draft: 'Mine', turnCount: 1 })
})

test('a draft shown in two windows is cleared in the second after the first sends it, unless it was edited', () => {
  let text = 'Dear'
  const drafts = createDraftKeeper({ unsent: () => [text], write: async () => lost })
  drafts.known({ draft: 'Dear', turnCount: 3 })
  expect(drafts.told({ draft: 'Dear', turnCount: 3 })).toBeUndefined()
  expect(drafts.told({ draft: '', turnCount: 4 })).toBe('')
  drafts.known({ draft: 'Dear', turnCount: 4 })
  text = 'Dear all'
  expect(drafts.told({ draft: '', turnCount: 5 })).toBeUndefined()
})

test('whatever the order of saves, messages and lost answers, no sent message is left as a draft', async () => {
  let late = 0
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('type', 'save', 'send', 'lost save'), { minLength: 3, maxLength: 12 }),
      async (scheduler, steps) => {
        const host = aHost()
        let text = ''
        let count = 1
        let losesNext = false
        const drafts = createDraftKeeper({
          unsent: () => [text],
          async write(draft, after) {
            const arrives = scheduler.schedule(Promise.resolve(), 'save').then(() => host.write(draft, after))
            if (!losesNext) return arrives
            // The window learns that the connection dropped while its request is still in transit.
            losesNext = false
            late++
            return lost
          },
        })
        const work: Promise<unknown>[] = []
        for (const step of steps) {
          if (step === 'type') text += `<${count}>`
          if (step === 'lost save') losesNext = true
          if (step === 'save' || step === 'lost save') work.push(drafts.save())
          if (step === 'send' && text !== '') {
            const message = text
            text = ''
            count++
            const reaches = async (draft: string) => {
              await scheduler.schedule(Promise.resolve(), 'send')
              return host.send(message, draft)
            }
            work.push(drafts.send(message, reaches))
          }
        }
        await scheduler.waitIdle()
        await Promise.all(work)
        await scheduler.waitIdle()
        for (const message of host.sent) expect(host.now().draft).not.toContain(message.slice(0, 3))
        losesNext = false
        const last = drafts.save()
        await scheduler.waitIdle()
        await last
        expect(host.now()).toEqual({ draft: text, turnCount: host.sent.length })
      },
    ),
    { numRuns: 400 },
  )
  expect(late).toBeGreaterThan(200)
})
