import { expect, test } from 'vitest'
import { aHome, aHost } from '../../../testing/host/a-host.ts'
import { openClient } from './open-client.ts'

test('a command that finds the host of another command ending goes on with the next host', async () => {
  using home = aHome()
  const ending = await aHost(home.path)
  const { client, close } = await openClient(home.path)
  await client['memory.add']({ target: 'user', text: 'Likes tea.' })
  await ending.close()
  await using next = await aHost(home.path)

  // At once, and with the connection to the host that is gone.
  const added = await Promise.all(
    ['Likes rye bread.', 'Lives in Bern.'].map(text => client['memory.add']({ target: 'user', text })),
  )
  expect(added.map(({ revisions }) => revisions[0]?.after)).toEqual(['Likes rye bread.', 'Lives in Bern.'])
  await close()
  const { entries } = await next.client['memory.view']({})
  expect(entries.map(({ text }) => text).toSorted()).toEqual([
    'Likes rye bread.',
    'Likes tea.',
    'Lives in Bern.',
  ])
})
