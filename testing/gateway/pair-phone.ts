import { expect } from 'vitest'
import type { TestHost } from '../host/a-host.ts'
import type { aPhone } from './folder-platform.ts'

const soon = { timeout: 15_000, interval: 10 }

/** Pair a phone as the user of the computer would, with the right to be asked. */
export async function pairPhone(
  host: Pick<TestHost, 'client'>,
  phone: ReturnType<typeof aPhone>,
  as: 'you' | 'other',
  rights: 'deny' | 'ask',
) {
  const { client } = host
  const steps = client['gateway.pair']({ platform: 'folder' })
  const { value: first } = await steps.next()
  if (first?.step !== 'code') throw new Error('It shows a code.')
  phone.writes(`/start ${first.code}`)
  const { value: asks } = await steps.next()
  if (asks?.step !== 'asks') throw new Error('It asks who this is.')
  expect(asks).toMatchObject({ name: phone.sender.name, accountId: phone.sender.id, note: '' })
  const { contactId } = await client['gateway.decide']({ pairingId: asks.pairingId, seen: asks.seen, as })
  expect((await steps.next()).value).toEqual({ step: 'paired', contactId })
  const found = (await client['gateway.state']({})).contacts.find(({ id }) => id === contactId)
  await client['gateway.change']({ id: contactId!, seen: found!.seen, rights })
  await expect.poll(() => phone.texts().length, soon).toBe(2)
  return contactId!
}
