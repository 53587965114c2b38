import { expect, test } from 'vitest'
import type { WindowRequest } from '../../../shared/contract/desktop.ts'
import { createWindowRequests } from './window-requests.ts'

const search: WindowRequest = { type: 'search' }
const chat = (id: string): WindowRequest => ({ type: 'chat', id })

test('requests wait for the page, and arrive in order', async () => {
  const { send, watch } = createWindowRequests()
  send(search)
  send(chat('1'))
  const page = watch({}, new AbortController().signal)
  const first = [(await page.next()).value, (await page.next()).value]
  const next = page.next()
  send(chat('2'))
  expect([...first, (await next).value]).toEqual([search, chat('1'), chat('2')])
})

test('a page that was reloaded takes over from the one before', async () => {
  const { send, watch } = createWindowRequests()
  const old = watch({}, new AbortController().signal)
  const waits = old.next()
  const page = watch({}, new AbortController().signal)
  const next = page.next()
  send(search)
  expect([(await waits).done, (await next).value]).toEqual([true, search])
})

test('a page that goes away ends its stream, and what comes later waits for the next one', async () => {
  const { send, watch } = createWindowRequests()
  const gone = new AbortController()
  const old = watch({}, gone.signal)
  const waits = old.next()
  gone.abort()
  expect((await waits).done).toBe(true)
  send(search)
  const page = watch({}, new AbortController().signal)
  expect((await page.next()).value).toEqual(search)
})

test('of many requests that nobody takes the newest are kept', async () => {
  const { send, watch } = createWindowRequests()
  for (let at = 0; at < 100; at++) send(chat(String(at)))
  const page = watch({}, new AbortController().signal)
  expect((await page.next()).value).toEqual(chat('80'))
})
